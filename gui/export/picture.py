"""One moment of a graph as a picture, PNG, SVG or PDF, with its title and the sentence of the step; needs no display.

The steps, and so the numbers on the cards and the words, are those of the timeline's method: any of core.timelines.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from PySide6.QtCore import QBuffer, QByteArray, QPointF, QRectF, QSizeF
from PySide6.QtGui import QImage, QPaintDevice, QPainter
from PySide6.QtSvg import QSvgGenerator

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.layout.arrange import complete
from cadena.core.methods.reverse.timeline import Timeline
from cadena.core.storage.files import reason
from cadena.core.storage.replacing import replace_file
from cadena.core.teaching.hiding import Hidden
from cadena.core.text.plain_text import cleaned
from cadena.gui.canvas.rendering.geometry import Geometry
from cadena.gui.export.sheet import Sheet, application, as_chosen, geometry_of, paint, sheet_of, usual_size
from cadena.gui.look.icon import png_of
from cadena.gui.look.theme import THEMES, Theme
from cadena.gui.session.highlighting import Shown
from cadena.gui.session.session import Session

WAIT = 0.01  # seconds that the window waits for a thread at a time


def render(
    timeline: Timeline,
    out: Path,
    step: int | None = None,
    size: tuple[int, int] | None = None,
    theme: str = "light",
    title: str | None = None,
) -> None:
    """Write the graph after `step` steps of `timeline` (default: all) to `out`; `size` in pixels, default as it needs.
    `title` is the document's unless it is given.

    Raises Refused for another ending than .png, .svg or .pdf, a step out of range, an unknown theme, or a place
    that cannot be written; an old file of that name is then left as it was.
    """
    check_names(out, theme)
    application()
    write_page(titled_sheet(timeline, step, size, THEMES[theme], title), out)


def check_names(out: Path, theme: str) -> None:
    """Raise Refused for another ending than a picture's, and for an unknown theme."""
    if out.suffix.lower() not in PAINTERS:
        raise Refused("{out}: a picture's name ends in .png, .svg or .pdf", "choose one of these", out=out)
    if theme not in THEMES:
        raise Refused("there is no theme {theme}", "choose {known}", theme=theme, known=", ".join(THEMES))


def write_page(page: Sheet, out: Path) -> None:
    """Write a sheet to a file. Raises Refused for a place that cannot be written; an old file stays as it was."""
    _save(PAINTERS[out.suffix.lower()](page), out)


def _save(data: bytes, out: Path) -> None:
    try:
        replace_file(Path(os.path.realpath(out)), data)
    except (OSError, ValueError) as error:
        raise Refused("{out}: the picture cannot be saved: {reason}", out=out, reason=reason(error)) from None


def writing_shown(
    session: Session, out: Path, theme: str, size: tuple[int, int] | None = None, places: Geometry | None = None
) -> Iterator[int]:
    """Write what a session shows now, in pieces: laid out, painted, written. What comes between changes nothing.

    `places` is where a window shows everything, with what is folded in it.

    Its title is the document's, or else the file's name. Raises Refused as `render`.
    """
    check_names(out, theme)
    application()
    return _writing(_moment(session, places), out, THEMES[theme], size)


class _Moment(NamedTuple):
    """What a session shows."""

    timeline: Timeline
    step: int | None
    document: Document
    title: str
    hidden: Hidden
    shown: Shown
    places: Geometry | None


def _moment(session: Session, places: Geometry | None) -> _Moment:
    hidden, lit = session.hidden, session.shown
    return _Moment(session.timeline, shown_step(session), session.document, title_of(session), hidden, lit, places)


def _writing(moment: _Moment, out: Path, theme: Theme, size: tuple[int, int] | None) -> Iterator[int]:
    page, suffix = _sheet(moment, size, theme), out.suffix.lower()
    yield 1
    if suffix == ".png":
        data = yield from _compressed(image_of(page))
    else:
        data = PAINTERS[suffix](page)
        yield 2
    _save(data, out)
    yield 3


def _compressed(image: QImage) -> Generator[int, None, bytes]:
    """An image as the content of a PNG file, made in a thread: it takes longer than painting."""
    done: list[bytes] = []
    thread = Thread(target=lambda: done.append(png_of(image)), daemon=True)
    thread.start()
    while thread.is_alive():
        yield 2
        thread.join(WAIT)
    return done[0]


def shown_sheet(session: Session, size: tuple[int, int] | None, theme: Theme, places: Geometry | None = None) -> Sheet:
    """The sheet of what a session shows now: cards where they are, hidden and lit as chosen."""
    return _sheet(_moment(session, places), size, theme)


def _sheet(moment: _Moment, size: tuple[int, int] | None, theme: Theme) -> Sheet:
    page = titled_sheet(moment.timeline, moment.step, size, theme, moment.title)
    placed = replace(complete(moment.document), title=page.document.title)
    places = moment.places or geometry_of(placed, page.frame, page.live)
    usual = page.size if size else usual_size(places, bool(page.parts))
    return as_chosen(replace(page, document=placed, size=usual, geometry=places), moment.hidden, moment.shown)


def shown_step(session: Session) -> int | None:
    """The number of the step that a session shows; None in build mode."""
    return None if session.live else session.frame.number


def title_of(session: Session) -> str:
    return session.document.title or (session.path.stem if session.path else "")


def titled_sheet(
    timeline: Timeline, step: int | None, size: tuple[int, int] | None, theme: Theme, title: str | None
) -> Sheet:
    """The sheet of a step; its title is the document's unless it is given."""
    page = sheet_of(timeline, step, size, theme)
    return page if title is None else replace(page, document=replace(page.document, title=title))


def _png(page: Sheet) -> bytes:
    return png_of(image_of(page))


def image_of(page: Sheet) -> QImage:
    """A sheet as pixels. Raises Refused where it is too large for the memory."""
    image = QImage(page.size, QImage.Format.Format_RGB32)
    if image.isNull():
        raise Refused(
            "a picture of {size}x{size2} needs too much memory",
            "make it smaller",
            size=page.size.width(),
            size2=page.size.height(),
        )
    paint_on(image, page)
    return image


def _svg(page: Sheet) -> bytes:
    data = QByteArray()
    buffer = QBuffer(data)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(96)  # a pixel of the page is a pixel of a browser
    generator.setSize(page.size)
    generator.setViewBox(QRectF(QPointF(0.0, 0.0), QSizeF(page.size)))
    generator.setTitle(cleaned(page.document.title) or "Cadena")
    generator.setDescription(cleaned(page.description))
    paint_on(generator, page)
    return bytes(data.data())


def _pdf(page: Sheet) -> bytes:
    from cadena.gui.export.pdf import pdf_of

    return pdf_of([page])


PAINTERS = {".png": _png, ".svg": _svg, ".pdf": _pdf}


def paint_on(device: QPaintDevice, sheet: Sheet) -> None:
    """Paint a sheet on a device of its size."""
    painter = QPainter(device)
    paint(painter, sheet)
    painter.end()
