"""A handout as PDF: the graph, then a table of all steps; with blanks for a class, and a key of the answers at the end.

First the rows are laid out and dealt to pages, then the pages are painted, so that each knows how many there are.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np
from PySide6.QtCore import QByteArray, QPointF, QRectF, QSize, QSizeF
from PySide6.QtGui import QPageSize, QPainter, QPen

from cadena.core.graph.fault import Refused
from cadena.core.methods.reverse.step_text import step_place, step_title
from cadena.core.methods.reverse.timeline import Timeline
from cadena.core.notation.calls import shown_latex
from cadena.core.notation.in_script import shown_name
from cadena.core.notation.parts import QUAD, RELATIONS, FormulaPart, parts_of
from cadena.core.storage.files import write
from cadena.core.text.numbers import latex_number
from cadena.gui.canvas.rendering import text_fitting
from cadena.gui.export.pdf import begun
from cadena.gui.export.sheet import Sheet, application, document_of, formula_of, geometry_of, paint_graph
from cadena.gui.export.text_wrapping import TextLine, height, paint_lines, wrapped
from cadena.gui.formulas import pictures
from cadena.gui.formulas.lines import Captions, Lines, Room, lay_out
from cadena.gui.formulas.typesetter import setting_what_is_painted
from cadena.gui.look.text_cleaning import shown
from cadena.gui.look.theme import CAPTION, GAP, LABEL, LIGHT, NUMBER, TITLE

A4, LETTER = QPageSize.PageSizeId.A4, QPageSize.PageSizeId.Letter
PAPERS = {"A4": (A4, QSizeF(794, 1123)), "Letter": (LETTER, QSizeF(816, 1056))}
MARGIN = 56.0  # pixels
WORDS = 0.34  # of the width: the column of what happens; the rest is the calculation's
GRAPH_SHARE = 0.42  # of the height of the first page, at most
MAX_STEPS = 400
LINE, TALLEST = 26.0, 220.0  # of an array that is written by hand; of a row
BLANK, LONG_BLANK = r"\underline{\qquad\quad}", r"\underline{\qquad\qquad\qquad\qquad}"
PAPER = replace(LIGHT, canvas="#ffffff", grid="#ffffff")
NO_CAPTIONS = Captions(0.0, lambda _: 0.0)


@dataclass(frozen=True)
class HandoutRow:
    """A step in the table: where it is in the method, its words in lines, and its formula laid out."""

    place: str
    words: tuple[str, ...]
    lines: Lines
    least: float = 0.0  # room to write in

    @property
    def height(self) -> float:
        return max(self.sentence_height, self.lines.height, self.least) + 2 * GAP

    @property
    def sentence_height(self) -> float:
        """The height of the words."""
        return height(CAPTION, 1.0) + len(self.words) * height(LABEL, 1.0)


@dataclass(frozen=True)
class HandoutPage:
    """A page: a heading and the graph where a part of the handout begins, and some rows of the table."""

    heading: str
    graph: Sheet | None
    rows: tuple[HandoutRow, ...]
    below: str = ""  # the heading: whose page this is


def handout_of(timeline: Timeline, title: str, blanks: bool = False, paper: str = "A4") -> bytes:
    """The handout as the content of a PDF. Raises Refused for more steps than anyone reads."""
    data = QByteArray()
    for _ in _painted(checked(timeline), title, blanks, paper, data):
        pass
    return bytes(data.data())


def writing(timeline: Timeline, title: str, blanks: bool, paper: str, out: Path) -> Iterator[int]:
    """Write the handout; yields how much is done of `amount`. Raises Refused where it cannot be saved."""
    data = QByteArray()
    yield from _painted(timeline, title, blanks, paper, data)
    write(bytes(data.data()), out)


def amount(timeline: Timeline, blanks: bool) -> int:
    """The amount of work: each step is laid out, then painted, and once more for the answers."""
    return 2 * len(timeline) * (2 if blanks else 1)


def checked(timeline: Timeline) -> Timeline:
    """The timeline. Raises Refused for more steps than anyone reads."""
    if len(timeline) > MAX_STEPS:
        raise Refused(
            "a handout of {count} steps would be a book, and {most} is the most",
            "choose an output with fewer nodes before it",
            count=len(timeline),
            most=MAX_STEPS,
        )
    return timeline


def _painted(timeline: Timeline, title: str, blanks: bool, paper: str, data: QByteArray) -> Iterator[int]:
    application()
    inner, pages, done = inner_of(paper), list[HandoutPage](), 0
    for heading, blank in ((title, True), (f"{title}: answers", False)) if blanks else ((title, False),):
        with setting_what_is_painted():
            rows = _arrays(timeline, inner.width())
        for index in range(len(timeline)):
            with setting_what_is_painted():  # and nothing that the window paints in between
                rows.append(_row(timeline, index, inner.width(), blank))
            done += 1
            yield done
        pages += pages_of(heading, graph_of(timeline, inner, blank), rows, inner)
    for page in painted_pages(pages, title, paper, data):
        done += len(page.rows)
        yield min(done, amount(timeline, blanks))  # rows of arrays are no steps


def inner_of(paper: str) -> QRectF:
    """The part of a page within its margins."""
    return QRectF(QPointF(), PAPERS[paper][1]).adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)


def painted_pages(pages: Sequence[HandoutPage], title: str, paper: str, data: QByteArray) -> Iterator[HandoutPage]:
    """Paint the pages into `data`, as a PDF; yields each that is done. Each person's pages are numbered from 1."""
    page_id, size = PAPERS[paper]
    writer = begun(data, title)
    writer.setPageSize(QPageSize(page_id))
    painter = QPainter(writer)
    try:
        totals, numbers = Counter(page.below for page in pages), Counter[str]()
        for page in pages:
            if numbers:
                writer.newPage()
            numbers[page.below] += 1
            with setting_what_is_painted():
                _paint_page(painter, page, size, f"{numbers[page.below]} / {totals[page.below]}")
            yield page
    finally:
        painter.end()


def pages_of(
    heading: str, graph: Sheet, rows: Sequence[HandoutRow], inner: QRectF, below: str = ""
) -> Iterator[HandoutPage]:  # fmt: skip
    """The pages of the exercise or of the answers: the first one has the heading, with a line below it, and the graph.

    Every further page repeats that line, so that loose pages can be sorted.
    """
    room = inner.height() - _heading_height(heading, below, inner.width()) - graph.size.height() - 2 * GAP
    count = _fitting(rows, room)
    yield HandoutPage(heading, graph, tuple(rows[:count]), below)
    room = inner.height() - _heading_height("", below, inner.width())
    while rows := rows[count:]:
        count = _fitting(rows, room) or 1  # a row that is taller than a page
        yield HandoutPage("", None, tuple(rows[:count]), below)


def _fitting(rows: Sequence[HandoutRow], room: float) -> int:
    """How many of the rows fit into a height."""
    return sum(end <= room for end in accumulate(row.height for row in rows))


def _heading_height(heading: str, below: str, room: float) -> float:
    lines = _heading_lines(heading, below)
    return sum(len(wrapped(line, 1.0, room)) * height(line[1], 1.0) for line in lines) + GAP if lines else 0.0


def _heading_lines(heading: str, below: str) -> list[TextLine]:
    lines = (shown(heading), TITLE, True), (shown(below), NUMBER, False)
    return [line for line in lines if line[0]]


def graph_of(timeline: Timeline, inner: QRectF, blanks: bool) -> Sheet:
    """The graph with all numbers, or with those of the leaves alone."""
    document = document_of(timeline)
    frame = timeline.frame(0 if blanks else len(timeline))
    needed = geometry_of(document, frame, not blanks).bounds().size()
    zoom = min(inner.width() / max(needed.width(), 1.0), inner.height() * GRAPH_SHARE / max(needed.height(), 1.0), 1.0)
    size = QSize(round(inner.width()), round(needed.height() * zoom))
    return Sheet(document, frame, PAPER, size, live=not blanks)


def _arrays(timeline: Timeline, wide: float) -> list[HandoutRow]:
    """A row for each leaf that holds an array, as its cells on the graph may be too small for numbers."""
    run, rows = timeline.run, list[HandoutRow]()
    for name, node in run.program.document.nodes.items():
        value = run.value(name)
        if node.is_leaf and value is not None and np.ndim(value):
            latex = rf"{shown_latex(run, name)} = {pictures.colored(PAPER)('value', latex_number(value))}"
            rows.append(laid_out("Given", shown_name(run.program.document, name), parts_of(latex), wide))
    return rows


def _row(timeline: Timeline, index: int, wide: float, blanks: bool) -> HandoutRow:
    step, plan = timeline[index], timeline.run.plan
    parts = tuple(part._replace(caption="", result=False) for part in formula_of(timeline, index, PAPER))
    place, shape = step_place(timeline, index), plan.shapes[plan.index[step.operand or step.node]]
    title = step_title(timeline, index, has_landed=False).removeprefix(f"{place}: ")
    if not blanks:
        return laid_out(place, title, parts, wide)
    rows = math.prod(shape[:-1]) if shape and len(shape) > 1 else 1
    room = min(max(rows + 1, 1) * LINE, TALLEST) if shape else 0.0
    return laid_out(place, title, blanked(parts, bool(shape)), wide, room)


def laid_out(place: str, title: str, parts: Sequence[FormulaPart], wide: float, least: float = 0.0) -> HandoutRow:
    """A row of the table, with words and formula broken into lines."""
    lines = lay_out(parts, Room(wide * (1 - WORDS) - GAP, TALLEST, NUMBER, CAPTION), NO_CAPTIONS)
    words = wrapped((shown(title), LABEL, False), 1.0, wide * WORDS - 2 * GAP)
    return HandoutRow(shown(place), tuple(words), lines, least)


def blanked(parts: Sequence[FormulaPart], is_array: bool = False) -> tuple[FormulaPart, ...]:
    """The formula in symbols, with a long blank for the numbers and a short one for each result; one for an array."""
    begins = [place for place, part in enumerate(parts) if part.mark == QUAD and place]
    formulas = [parts[begin:end] for begin, end in pairwise([0, *begins, len(parts)])]
    return tuple(part for place, one in enumerate(formulas) for part in _blanked(one, 0 if place else 1, is_array))


def _blanked(parts: Sequence[FormulaPart], symbols: int, is_array: bool) -> list[FormulaPart]:
    """One formula with its parts before relation `symbols` + 1, then blanks; a result alone is a blank itself."""
    relations = list(accumulate(part.mark in RELATIONS for part in parts))
    kept = [part for part, count in zip(parts, relations, strict=True) if count <= symbols]
    if relations[-1] > symbols:
        return [*kept, FormulaPart(LONG_BLANK, "="), *([] if is_array else [FormulaPart(BLANK, "=")])]
    return [*kept[:-1], FormulaPart(BLANK, kept[-1].mark)]


def _paint_page(painter: QPainter, page: HandoutPage, size: QSizeF, number: str) -> None:
    inner = QRectF(QPointF(), size).adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
    top = inner.top()
    if lines := _heading_lines(page.heading, page.below):
        paint_lines(painter, inner.topLeft(), inner.width(), lines, 1.0, PAPER)
        top += _heading_height(page.heading, page.below, inner.width())
    if page.graph is not None:
        place = QRectF(QPointF(inner.left(), top), QSizeF(page.graph.size))
        paint_graph(painter, place, page.graph)
        top = place.bottom() + 2 * GAP
    for row in page.rows:
        painter.setPen(QPen(PAPER.color("hairline"), 1.0))
        painter.drawLine(QPointF(inner.left(), top), QPointF(inner.right(), top))
        _paint_row(painter, row, QPointF(inner.left(), top + GAP), inner.width())
        top += row.height
    foot = QRectF(inner.left(), inner.bottom() + GAP, inner.width(), height(CAPTION, 1.0))
    text_fitting.write(painter, number, foot, CAPTION, PAPER.color("muted"), align=text_fitting.RIGHT)


def _paint_row(painter: QPainter, row: HandoutRow, corner: QPointF, wide: float) -> None:
    """Words and formula, each in the middle of the row's height; the one that a class writes begins at its top."""
    high = row.height - 2 * GAP
    top = corner.y() + (0.0 if row.least else (high - row.sentence_height) / 2)
    lines = [(row.place, CAPTION, "muted"), *((line, LABEL, "text") for line in row.words)]
    for text, size, role in lines:
        place = QRectF(corner.x(), top, wide * WORDS, height(size, 1.0))
        text_fitting.write(painter, text, place, size, PAPER.color(role))
        top = place.bottom()
    down = 0.0 if row.least else (high - row.lines.height) / 2
    left = corner + QPointF(wide * WORDS + GAP, down)
    for item in row.lines.placed:
        pictures.paint(painter, item.latex, row.lines.size, PAPER.text, left + QPointF(item.x, item.baseline))
