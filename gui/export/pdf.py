"""Sheets as the pages of a PDF: one page a step, or a single one. Writing is an iterator, as it is for films."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QMarginsF, QSizeF
from PySide6.QtGui import QPageSize, QPainter, QPdfWriter

from cadena.core.graph.fault import Refused
from cadena.core.methods.reverse.timeline import Timeline
from cadena.core.storage.files import write
from cadena.core.text.plain_text import cleaned
from cadena.gui.export.sheet import Sheet, paint, sheet_of
from cadena.gui.look.theme import Theme

A4 = (1123, 794)  # landscape, in pixels
DOTS = 96  # pixels to an inch
POINTS = 72 / DOTS
STEADY = 0.3  # of the height of a page: the room of the sentence and the formula, the same on each
MAX_PAGES = 2000


def pdf_of(sheets: Iterable[Sheet]) -> bytes:
    """A PDF with a page for each sheet, of its size."""
    data = QByteArray()
    for _ in _painted(sheets, data):
        pass
    return bytes(data.data())


def writing(sheets: Iterable[Sheet], out: Path) -> Iterator[int]:
    """Write a PDF page by page; yields how many are done. Raises Refused where it cannot be saved."""
    data = QByteArray()
    yield from _painted(sheets, data)
    write(bytes(data.data()), out)


def _painted(sheets: Iterable[Sheet], data: QByteArray) -> Iterator[int]:
    painter = QPainter()
    try:
        for number, sheet in enumerate(sheets, start=1):
            if number == 1:
                writer = begun(data, sheet.document.title)
            size = QSizeF(sheet.size) * POINTS
            writer.setPageSize(QPageSize(size, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch))
            if number == 1:
                painter.begin(writer)
            else:
                writer.newPage()
            paint(painter, sheet)
            yield number
    finally:
        painter.end()


def begun(data: QByteArray, title: str) -> QPdfWriter:
    """A PDF that is written into `data`, without margins, in pixels."""
    buffer = QBuffer(data)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    buffer.setParent(writer)  # it lives as long as its writer
    writer.setResolution(DOTS)
    writer.setPageMargins(QMarginsF())
    writer.setTitle(cleaned(title) or "Cadena")
    writer.setCreator("Cadena")
    return writer


def step_pages(timeline: Timeline, begin: int, end: int, size: tuple[int, int] | None, theme: Theme) -> Iterator[Sheet]:
    """A sheet for each step from `begin` + 1 to `end`. Raises Refused for too many of them."""
    if end - begin > MAX_PAGES:
        raise Refused(
            "one page a step makes {count} pages, and {most} is the most",
            "choose a part of the steps",
            count=end - begin,
            most=MAX_PAGES,
        )
    steps = range(begin + 1, end + 1) if end > begin else [begin]
    return (sheet_of(timeline, step, size or A4, theme, STEADY) for step in steps)
