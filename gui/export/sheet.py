"""One moment of a graph with its words and its formula, painted on anything: a picture, a page, the frame of a film."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QApplication

from cadena.core.doctor.findings.origins import number_faults
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.layout.arrange import complete
from cadena.core.methods.reverse.step_parts import step_parts
from cadena.core.methods.reverse.step_text import before_title, step_place, step_sentence
from cadena.core.methods.reverse.timeline import Frame, Lane, Timeline
from cadena.core.notation.parts import FormulaPart
from cadena.core.teaching.hiding import NOTHING_HIDDEN, Hidden
from cadena.core.text.numbers import short
from cadena.gui.canvas.rendering import painting
from cadena.gui.canvas.rendering.cache_keys import Same
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.folded_positions import with_frames
from cadena.gui.canvas.rendering.geometry import Geometry
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.canvas.rendering.static_layer import HINTS
from cadena.gui.canvas.rendering.text_fitting import CENTER, width, write
from cadena.gui.export.text_wrapping import TextLine, height, paint_lines, wrapped
from cadena.gui.formulas import lines, pictures
from cadena.gui.formulas.lines import Captions, Lines, Room
from cadena.gui.formulas.typesetter import setting_what_is_painted
from cadena.gui.look.text_cleaning import shown
from cadena.gui.look.theme import CAPTION, FORMULA, GAP, LABEL, RADIUS, TITLE, Theme
from cadena.gui.session.highlighting import ALL_SHOWN, Shown
from cadena.gui.widgets.lane_rows import LaneRows

LARGEST = 1.6  # the zoom up to which a small graph is blown up
USUAL_WIDTH = 1000.0  # of a sheet whose words have their usual size
LEAST_FORMULA = 9.0  # of the theme's type; a formula that is still too wide is broken into lines
BASELINE = 0.48  # of the room of a steady sheet: where the baseline of a single line stays from formula to formula
FORMULA_SHARE = 0.28  # of the height of a sheet, at most
LANES_SHARE = 0.45  # of its width, at most
USUAL_ROWS = 4  # of lanes that a sheet has room for
LANE_TYPE = 1.15  # of the theme's, so that lanes read as the words do

MIN_SIZE = QSizeF(800.0, 500.0)  # pixels, where no size is asked for
MAX_SIDE = 4000.0
MAX_LANES = 8  # results of the passes that are named below the whole run


@dataclass(frozen=True)
class Sheet:
    """The content of a sheet. `steady` is the share of its height that words and formula take; 0: as they need."""

    document: Document
    frame: Frame
    words: tuple[TextLine, ...]
    parts: tuple[FormulaPart, ...]
    theme: Theme
    size: QSize
    live: bool = False  # all numbers, and nothing under way
    steady: float = 0.0
    hidden: Hidden = NOTHING_HIDDEN
    shown: Shown = ALL_SHOWN

    @property
    def unit(self) -> float:
        """Pixels of this sheet for one of the scale of type."""
        return max(0.5, self.size.width() / USUAL_WIDTH) * self.theme.type


@cache
def application() -> QCoreApplication:
    """The running application, or one that needs no display; text needs one, and its fonts must not outlive it."""
    return QApplication.instance() or QApplication(["cadena", "-platform", "offscreen"])


def document_of(timeline: Timeline) -> Document:
    """The document of a timeline, with a place for each node."""
    return complete(timeline.run.program.document)


def formula_of(timeline: Timeline, index: int, theme: Theme) -> tuple[FormulaPart, ...]:
    """The formula of a step, in the colours of the theme."""
    return step_parts(timeline, index, pictures.colored(theme))


def geometry_of(document: Document, timeline: Timeline) -> Geometry:
    """The places of cards and wires; those of one document are computed once."""
    return _geometry(Same(document), Same(timeline.run.plan))


@lru_cache(maxsize=2)
def _geometry(document: Same, plan: Same) -> Geometry:
    return with_frames(Geometry(document.value, dict(zip(plan.value.names, plan.value.shapes))))


def sheet_of(
    timeline: Timeline, step: int | None, size: tuple[int, int] | None, theme: Theme, steady: float = 0.0
) -> Sheet:
    """The sheet after `step` steps, or with all numbers for None. Raises Refused for no such step or size."""
    document = document_of(timeline)
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
    parts = formula_of(timeline, step - 1, theme) if step else ()
    return Sheet(
        document=document,
        frame=timeline.frame(len(timeline) if step is None else step),
        words=((head, LABEL, True), (sentence, LABEL, False)),
        parts=parts,
        theme=quiet,
        size=QSize(*size) if size else usual_size(document, timeline, bool(parts)),
        live=step is None,
        steady=steady,
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


def as_chosen(sheet: Sheet, hidden: Hidden, shown: Shown) -> Sheet:
    """A sheet that hides and lights what the user has hidden and lit, and says nothing of what is hidden."""
    step, frame = sheet.frame.step, sheet.frame
    if sheet.live or step is None:
        around: tuple[str, ...] = (str(sheet.document.output),)
        parts = sheet.parts
    else:
        inputs = sheet.document.nodes[step.node].inputs if step.node in sheet.document.nodes else ()
        around = (step.node, *map(str, inputs))
        paint_ = hidden.painting(pictures.colored(sheet.theme), *around)
        parts = step_parts(frame.timeline, step.index, paint_) if sheet.parts else ()
    words = tuple((hidden.in_text(text, *around), size, bold) for text, size, bold in sheet.words)
    return replace(sheet, words=words, parts=parts, hidden=hidden, shown=shown)


def usual_size(document: Document, timeline: Timeline, with_formula: bool) -> QSize:
    """The size of a sheet on which the graph has the room that it needs."""
    needed = geometry_of(document, timeline).bounds().size() + QSizeF(0.0, 120.0 + 90.0 * with_formula)
    needed *= min(1.0, MAX_SIDE / max(needed.width(), needed.height()))
    return needed.expandedTo(MIN_SIZE).toSize()


def paint(painter: QPainter, sheet: Sheet, layers: painting.Layers | None = None) -> None:
    """Paint title, graph, words and formula, one below the other. With `layers`, what has not changed is reused."""
    painter.setRenderHints(HINTS)
    area, unit, theme = QRectF(QPointF(0.0, 0.0), QSizeF(sheet.size)), sheet.unit, sheet.theme
    painter.fillRect(area, theme.color("canvas"))
    inner = area.adjusted(2 * GAP * unit, GAP * unit, -2 * GAP * unit, -GAP * unit)
    title = [(shown(sheet.document.title), TITLE, True)] if sheet.document.title else []
    top = paint_lines(painter, inner.topLeft(), inner.width(), title, unit, theme)
    words = [(shown(text), size, bold) for text, size, bold in sheet.words if text]
    steady = sheet.steady * area.height()
    beside = _lanes_width(sheet, steady, inner.width())
    wide = inner.width() - beside - (2 * GAP * unit if beside else 0.0)
    tall = sum(height(line[1], unit) * len(wrapped(line, unit, wide)) for line in words)
    with setting_what_is_painted():
        share = steady - tall - GAP * unit if steady else FORMULA_SHARE * inner.height()
        lines = _formula_lines(sheet, wide, share)
        below = tall + (lines.height + GAP * unit if lines else 0.0)
        room = steady or max(below, _usual_rows(sheet) if beside else 0.0)
        whole = QRectF(0.0, top, area.width(), inner.bottom() - room - top).toRect()  # sharp, and without a seam
        paint_graph(painter, QRectF(whole), sheet, layers)
        first = inner.bottom() - room
        end = paint_lines(painter, QPointF(inner.left(), first), wide, words, unit, theme)
        if beside:
            place = QRectF(inner.right() - beside, first, beside, room)
            _lane_rows(sheet, sheet.frame.lanes, room).paint(painter, place)
        if lines:
            down = _to_baseline(lines, share) if sheet.steady else 0.0
            _paint_formula(painter, lines, QPointF(inner.left(), end + GAP * unit / 2 + down), sheet)


def _lane_rows(sheet: Sheet, lanes: tuple[Lane, ...], room: float) -> LaneRows:
    return LaneRows(lanes, replace(sheet.theme, type=sheet.unit * LANE_TYPE), room)


def _usual_rows(sheet: Sheet) -> float:
    """The height of a few lanes."""
    return USUAL_ROWS * height(LABEL, sheet.unit * LANE_TYPE)


def _lanes_width(sheet: Sheet, steady: float, wide: float) -> float:
    """The width of the lanes, the same throughout the steps; 0 where there are none."""
    if sheet.live or not sheet.frame.lanes:
        return 0.0
    timeline, room = sheet.frame.timeline, steady or _usual_rows(sheet)
    lanes = sheet.frame.lanes, timeline.lanes(timeline.frame(len(timeline)))
    return float(max(_lane_rows(sheet, some, room).width(LANES_SHARE * wide) for some in lanes))


def _to_baseline(lines: Lines, room: float) -> float:
    """How far down a formula is set so that the baselines of single lines stay in place from step to step."""
    if len({item.baseline for item in lines.placed}) > 1:
        return 0.0
    return max(min(BASELINE * room - lines.placed[0].baseline, room - lines.height), 0.0)


def _formula_lines(sheet: Sheet, wide: float, tall: float) -> Lines | None:
    if not sheet.parts:
        return None
    pixels, unit = round(CAPTION * sheet.unit), sheet.unit
    room = Room(wide, max(tall, 1.0), FORMULA * unit, LEAST_FORMULA * unit)
    return lines.lay_out(sheet.parts, room, Captions(height(CAPTION, unit), lambda word: width(word, pixels)))


def _paint_formula(painter: QPainter, lines: Lines, corner: QPointF, sheet: Sheet) -> None:
    """Paint the pieces that have appeared by now, with the words under them."""
    appeared = [item for item in lines.placed if sheet.live or item.appears <= sheet.frame.progress]
    scale = lines.size / pictures.REFERENCE
    for item in appeared:
        place, latex, ink = corner + QPointF(item.x, item.baseline), item.latex, sheet.theme.text
        if item.result:
            latex, ground = pictures.on_plate(item.latex, sheet.theme)
            ink, radius = sheet.theme.on_strong, RADIUS * sheet.unit
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(ground))
            painter.drawRoundedRect(item.plate(lines.size).translated(corner), radius, radius)
        pictures.paint(painter, latex, lines.size, ink, place)
        if item.caption:
            row = [pictures.setting(other.latex).descent for other in lines.placed if other.baseline == item.baseline]
            tall = height(CAPTION, sheet.unit)
            under = QRectF(corner.x() + item.middle - 200, place.y() + max(row) * scale, 400.0, tall)
            write(painter, item.caption, under, CAPTION * sheet.unit, sheet.theme.color("muted"), align=CENTER)


def paint_graph(painter: QPainter, place: QRectF, sheet: Sheet, layers: painting.Layers | None = None) -> None:
    """Paint the cards and wires of a sheet, as large as the place allows."""
    if place.isEmpty() or not sheet.document.nodes:
        return
    run, geometry = sheet.frame.run, geometry_of(sheet.document, sheet.frame.timeline)
    scene = Scene(
        document=sheet.document,
        geometry=geometry,
        frame=sheet.frame,
        faults=(*run.program.faults, *number_faults(run)),
        theme=sheet.theme,
        camera=Camera.fitted(geometry.bounds(), place.size(), LARGEST),
        view=place.size(),
        live=sheet.live,
        hidden=sheet.hidden,
        shown=replace(sheet.shown, has_map=False),
        editable=False,
    )
    painter.save()
    painter.translate(place.topLeft())
    painting.paint(painter, scene, layers)
    painter.restore()
