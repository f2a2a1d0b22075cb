"""One moment of a graph as a picture, PNG or SVG, with its title and the sentence of the step; needs no display.

The steps, and so the numbers on the cards and the words, are those of the timeline's method: any of core.timelines.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QCoreApplication, QIODevice, QPointF, QRectF, QSize, QSizeF
from PySide6.QtGui import QImage, QImageWriter, QPaintDevice, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication

from cadena.core.doctor.findings.origins import number_faults
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.layout.arrange import complete
from cadena.core.methods.reverse.timeline import Timeline
from cadena.core.methods.reverse.words import before_title, step_place, step_sentence
from cadena.core.storage.files import reason
from cadena.core.storage.replacing import replace_file
from cadena.core.text.numbers import short
from cadena.core.text.plain_text import cleaned
from cadena.gui.canvas.picture import painting
from cadena.gui.canvas.picture.camera import Camera
from cadena.gui.canvas.picture.geometry import Geometry
from cadena.gui.canvas.picture.scene import Scene
from cadena.gui.canvas.picture.still import HINTS
from cadena.gui.export.words import height, paint_lines, wrapped
from cadena.gui.plain import shown
from cadena.gui.theme import BODY, GAP, HEADING, THEMES, Theme
from cadena.gui.typesetter import setting_what_is_painted

MIN_SIZE = QSizeF(800.0, 500.0)  # pixels, where no size is asked for
MAX_SIDE = 4000.0
LARGEST = 1.6  # the zoom up to which a small graph is blown up
MAX_LANES = 8  # results of the passes that are named below the whole run
USUAL_WIDTH = 1000.0  # of a picture whose words have their usual size


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

    Raises Refused for another ending than .png or .svg, a step out of range, an unknown theme, or a place that cannot
    be written; an old file of that name is then left as it was.
    """
    if out.suffix.lower() not in PAINTERS:
        raise Refused("{out}: a picture's name ends in .png or .svg", "choose one of these", out=out)
    if theme not in THEMES:
        raise Refused("there is no theme {theme}", "choose {known}", theme=theme, known=", ".join(THEMES))
    page = _page(timeline, step, size, THEMES[theme])
    page = page if title is None else replace(page, document=replace(page.document, title=title))
    _application()
    data = PAINTERS[out.suffix.lower()](page)
    try:
        replace_file(Path(os.path.realpath(out)), data)
    except (OSError, ValueError) as error:
        raise Refused("{out}: the picture cannot be saved: {reason}", out=out, reason=reason(error)) from None


@dataclass(frozen=True)
class Page:
    """The content of a picture: the scene without its camera, the words around it, and the size in pixels."""

    document: Document
    timeline: Timeline
    step: int | None
    head: str
    sentence: str
    theme: Theme
    size: QSize


def _page(timeline: Timeline, step: int | None, size: tuple[int, int] | None, theme: Theme) -> Page:
    document = complete(timeline.run.program.document)
    if step is not None and not 0 <= step <= len(timeline):
        raise Refused(
            "step {step}: there is no such step", "give one from 0 to {count}", step=step, count=len(timeline)
        )
    if size is not None and min(size) < 1:
        raise Refused(
            "{size}x{size2} is not a size", "give a width and a height in pixels", size=size[0], size2=size[1]
        )
    head, sentence = _words(document, timeline, step)
    quiet = replace(theme, grid=theme.canvas)  # dots help when cards are moved; on paper they are dirt
    return Page(
        document, timeline, step, head, sentence, quiet, QSize(*size) if size else _usual_size(document, timeline)
    )


def _words(document: Document, timeline: Timeline, step: int | None) -> tuple[str, str]:
    """The number of the step and its sentence; for the whole run, its results."""
    if not document.nodes:
        return "", "The graph is empty."
    if step == 0:
        return "", before_title(timeline)
    if step is not None:
        return _place(timeline, step), step_sentence(timeline, step - 1)
    output = timeline.run.program.output
    value = timeline.run.value(str(output)) if output in document.nodes else None
    if value is None:
        return "", ""
    lanes = timeline.lanes(timeline.frame(len(timeline)))
    results = [f"{lane.name}: {lane.text}" for lane in lanes[:MAX_LANES]]
    results += [f"and {len(lanes) - MAX_LANES} more"] if len(lanes) > MAX_LANES else []
    return "", f"{'; '.join([f'After {len(timeline)} steps: {output} = {short(value)}', *results])}."


def _place(timeline: Timeline, step: int) -> str:
    """ "Reverse pass, step 13 of 21.", "Forward mode, pass 2 of 5, along w1, step 13 of 40." """
    place = step_place(timeline, step - 1)
    if timeline.describe(step - 1) is None:
        return f"{place}."
    count = f"step {step} of {len(timeline)}."
    return f"{place}, {count}" if place else count.capitalize()


def _geometry(document: Document, timeline: Timeline) -> Geometry:
    plan = timeline.run.plan
    return Geometry(document, dict(zip(plan.names, plan.shapes)))


def _usual_size(document: Document, timeline: Timeline) -> QSize:
    needed = _geometry(document, timeline).bounds().size() + QSizeF(0.0, 120.0)
    needed *= min(1.0, MAX_SIDE / max(needed.width(), needed.height()))
    return needed.expandedTo(MIN_SIZE).toSize()


@cache
def _application() -> QCoreApplication:
    """The running application, or one that needs no display; text needs one, and its fonts must not outlive it."""
    return QApplication.instance() or QApplication(["cadena", "-platform", "offscreen"])


def _png(page: Page) -> bytes:
    image = QImage(page.size, QImage.Format.Format_RGB32)
    if image.isNull():
        raise Refused(
            "a picture of {size}x{size2} needs too much memory",
            "make it smaller",
            size=page.size.width(),
            size2=page.size.height(),
        )
    _paint(image, page)
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(data.data())


def _svg(page: Page) -> bytes:
    data = QByteArray()
    buffer = QBuffer(data)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(96)  # a pixel of the page is a pixel of a browser
    generator.setSize(page.size)
    generator.setViewBox(QRectF(QPointF(0.0, 0.0), QSizeF(page.size)))
    generator.setTitle(cleaned(page.document.title) or "Cadena")
    generator.setDescription(cleaned(f"{page.head} {page.sentence}".strip()))
    _paint(generator, page)
    return bytes(data.data())


PAINTERS = {".png": _png, ".svg": _svg}


def _paint(device: QPaintDevice, page: Page) -> None:
    """Title, graph and caption, one below the other."""
    painter = QPainter(device)
    painter.setRenderHints(HINTS)
    page_area = QRectF(QPointF(0.0, 0.0), QSizeF(page.size))
    painter.fillRect(page_area, page.theme.color("canvas"))
    unit = max(0.5, page_area.width() / USUAL_WIDTH) * page.theme.type
    inner = page_area.adjusted(2 * GAP * unit, GAP * unit, -2 * GAP * unit, -GAP * unit)
    title = [(shown(page.document.title), HEADING, True)] if page.document.title else []
    top = paint_lines(painter, inner.topLeft(), inner.width(), title, unit, page.theme)
    caption = [(shown(text), BODY, bold) for text, bold in ((page.head, True), (page.sentence, False)) if text]
    tall = sum(height(line[1], unit) * len(wrapped(line, unit, inner.width())) for line in caption)
    with setting_what_is_painted():
        _graph(painter, QRectF(0.0, top, page_area.width(), inner.bottom() - tall - top), page)
    paint_lines(painter, QPointF(inner.left(), inner.bottom() - tall), inner.width(), caption, unit, page.theme)
    painter.end()


def _graph(painter: QPainter, place: QRectF, page: Page) -> None:
    if place.isEmpty() or not page.document.nodes:
        return
    timeline, geometry = page.timeline, _geometry(page.document, page.timeline)
    scene = Scene(
        document=page.document,
        geometry=geometry,
        frame=timeline.frame(len(timeline) if page.step is None else page.step),
        faults=(*timeline.run.program.faults, *number_faults(timeline.run)),
        theme=page.theme,
        camera=Camera.fitted(geometry.bounds(), place.size(), LARGEST, least=0.0),
        view=place.size(),
        live=page.step is None,
    )
    painter.save()
    painter.translate(place.topLeft())
    painting.paint(painter, scene)
    painter.restore()
