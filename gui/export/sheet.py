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
from cadena.core.methods.reverse.step_text import before_title, step_place, step_sentence, step_title
from cadena.core.methods.reverse.timeline import Frame, Lane, Timeline
from cadena.core.notation.parts import FormulaPart
from cadena.core.teaching.hiding import NOTHING_HIDDEN, Hidden
from cadena.core.text.numbers import short
from cadena.core.text.painted_text import mark, plain
from cadena.gui.canvas.rendering import painting
from cadena.gui.canvas.rendering.cache_keys import Same
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.folding import Folding, folding_at_first
from cadena.gui.canvas.rendering.geometry import Geometry
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.canvas.rendering.static_layer import HINTS
from cadena.gui.canvas.rendering.text_fitting import CENTER, RIGHT, width, write
from cadena.gui.canvas.rendering.view import MANY
from cadena.gui.export.text_wrapping import height, paint_lines, wrapped
from cadena.gui.formulas import lines, pictures
from cadena.gui.formulas.lines import Captions, Lines, Room
from cadena.gui.formulas.typesetter import setting_what_is_painted
from cadena.gui.look.text_cleaning import shown
from cadena.gui.look.theme import CAPTION, FORMULA, GAP, LABEL, NUMBER, RADIUS, READING, SENTENCE, Theme
from cadena.gui.session.highlighting import ALL_SHOWN, Shown
from cadena.gui.widgets.lane_rows import LaneRows

LARGEST = 1.6  # the zoom up to which a small graph is blown up
USUAL = QSizeF(1000.0, 562.5)  # of a sheet whose words have their usual size
LEAST_FORMULA = 9.0  # of the theme's type; a formula that is still too wide is broken into lines
BASELINE = 0.48  # of the room of a steady sheet: where the baseline of a single line stays from formula to formula
BELOW_FORMULA = 0.8  # of its type, at most: that of the sentence above it
FRACTION = 2.4  # em: the height of a fraction
BAND_SHARE = 0.4  # of the height of a sheet, at most, for its words and its formula
LANES_SHARE = 0.45  # of its width, at most
USUAL_ROWS = 4  # of lanes that a sheet has room for
LANE_TYPE = 1.15  # of the theme's, so that lanes read as the words do

MIN_SIZE = QSizeF(800.0, 500.0)  # pixels, where no size is asked for
MAX_SIDE = 4000.0
MAX_LANES = 8  # results of the passes that are named below the whole run


@dataclass(frozen=True)
class Sheet:
    """The content of a sheet.

    `sentence` says what happens, its numbers marked by `painted_text`; `place` says where in the method, and `spoken`
    has the calculation in words. `steady` is the share of the height that sentence and formula take; 0: as they need.
    """

    document: Document
    frame: Frame
    theme: Theme
    size: QSize
    place: str = ""
    sentence: str = ""
    spoken: str = ""
    parts: tuple[FormulaPart, ...] = ()
    geometry: Geometry | None = None  # as a window shows it; else as it shows a graph at first
    live: bool = False  # all numbers, and nothing under way
    steady: float = 0.0
    hidden: Hidden = NOTHING_HIDDEN
    shown: Shown = ALL_SHOWN

    @property
    def unit(self) -> float:
        """Pixels of this sheet for one of the scale of type; fewer where it is low for its width."""
        share = min(self.size.width() / USUAL.width(), self.size.height() / USUAL.height())
        usual = height(SENTENCE, 1.0) + 4 * GAP
        usual += FRACTION * FORMULA + height(CAPTION, 1.0) if self.parts or self.steady else 0.0
        return min(max(0.5, share) * self.theme.type, self.most / usual)

    @property
    def most(self) -> float:
        """The height that sentence and formula may take."""
        return (self.steady or BAND_SHARE) * self.size.height()

    @property
    def description(self) -> str:
        """What the sheet says, in plain sentences."""
        place = f"{self.place[:1].upper()}{self.place[1:]}." if self.place else ""
        return " ".join(filter(None, (place, self.spoken)))


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


def geometry_of(document: Document, frame: Frame, live: bool = False) -> Geometry:
    """The places of cards and wires at a moment, folded as a window shows a graph at first; steps open blocks, if not
    `live`."""
    return _folding(Same(document), Same(frame.timeline)).at(0.0 if live else frame.time)


@lru_cache(maxsize=2)
def _folding(document: Same, timeline: Same) -> Folding:
    plan = timeline.value.run.plan
    return folding_at_first(Geometry(document.value, plan.shapes_by_name, plan.wired), timeline.value, MANY)


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
    quiet = replace(theme, grid=theme.canvas)  # dots help when cards are moved; on paper they are dirt
    parts = formula_of(timeline, step - 1, theme) if step else ()
    frame = timeline.frame(len(timeline) if step is None else step)
    usual = QSize(*size) if size else usual_size(geometry_of(document, frame, step is None), bool(parts))
    page = Sheet(document, frame, quiet, usual, parts=parts, live=step is None, steady=steady)
    return in_words(page)


def in_words(sheet: Sheet) -> Sheet:
    """A sheet with the words of its moment: where in the method, what happens, and the calculation."""
    frame, timeline = sheet.frame, sheet.frame.whole
    if not sheet.document.nodes or sheet.live or frame.step is None or frame.number == 0:
        sentence = "The graph is empty." if not sheet.document.nodes else before_title(timeline)
        sentence = _results(timeline) if sheet.live and sheet.document.nodes else sentence
        return replace(sheet, sentence=sentence, spoken=plain(sentence))
    index, has_landed = frame.index, frame.landed > frame.step.index
    title = step_title(timeline, index, has_landed, mark).removeprefix(f"{step_place(timeline, index)}: ")
    spoken = step_sentence(timeline, index) if has_landed else plain(title)
    return replace(sheet, place=_place(timeline, index), sentence=title, spoken=spoken)


def _results(timeline: Timeline) -> str:
    """The results of the whole run, their numbers marked."""
    output = timeline.run.program.output
    value = timeline.run.value(str(output)) if output in timeline.run.program.document.nodes else None
    if value is None:
        return ""
    lanes = timeline.lanes(timeline.frame(len(timeline)))
    results = [f"{lane.name}: {mark(lane.role, lane.text)}" for lane in lanes[:MAX_LANES]]
    results += [f"and {len(lanes) - MAX_LANES} more"] if len(lanes) > MAX_LANES else []
    first = f"After {len(timeline)} steps: {output} = {mark('value', short(value))}"
    return f"{'; '.join([first, *results])}."


def _place(timeline: Timeline, index: int) -> str:
    """ "Reverse pass, step 13 of 21", "Forward mode, pass 2 of 5, along w1, step 13 of 40"."""
    place = step_place(timeline, index)
    if timeline.describe(index) is None:
        return place
    return ", ".join(filter(None, (place, f"step {index + 1} of {len(timeline)}")))


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
        parts = step_parts(frame.whole, frame.index, paint_) if sheet.parts else ()
    sentence, spoken = (hidden.in_text(text, *around) for text in (sheet.sentence, sheet.spoken))
    return replace(sheet, sentence=sentence, spoken=spoken, parts=parts, hidden=hidden, shown=shown)


def usual_size(geometry: Geometry, with_formula: bool) -> QSize:
    """The size of a sheet on which the graph has the room that it needs."""
    needed = geometry.bounds().size() + QSizeF(0.0, 110.0 + 120.0 * with_formula)
    needed *= min(1.0, MAX_SIDE / max(needed.width(), needed.height()))
    return needed.expandedTo(MIN_SIZE).toSize()


def paint(painter: QPainter, sheet: Sheet, layers: painting.Layers | None = None) -> None:
    """Paint the title, the graph, and the band with sentence and formula, one below the other.

    With `layers`, what has not changed is reused.
    """
    painter.setRenderHints(HINTS)
    area, theme = QRectF(QPointF(0.0, 0.0), QSizeF(sheet.size)), sheet.theme
    painter.fillRect(area, theme.color("window"))
    top = _paint_head(painter, sheet, area)
    with setting_what_is_painted():
        band = Band(sheet, area)
        whole = QRectF(0.0, top, area.width(), area.height() - band.height - top).toRect()  # sharp, and without a seam
        paint_graph(painter, QRectF(whole), sheet, layers)
        for edge in (whole.top() if top else -1, whole.bottom() + 1):
            painter.fillRect(QRectF(0.0, edge, area.width(), theme.line), theme.color("hairline"))
        band.paint(painter)


def _paint_head(painter: QPainter, sheet: Sheet, area: QRectF) -> float:
    """Paint the title, and at its right the place of the step. Returns where the graph begins."""
    unit, theme, place, title = sheet.unit, sheet.theme, shown(sheet.place), shown(sheet.document.title)
    if not title and not place:
        return area.top()
    row = area.adjusted(3 * GAP * unit, GAP * unit, -3 * GAP * unit, 0.0)
    taken = min(width(place, round(READING * unit)), 0.6 * row.width())
    at_right = QRectF(row.right() - taken, row.top(), taken, height(NUMBER, unit))
    write(painter, place, at_right, READING * unit, theme.color("muted"), align=RIGHT)
    room = row.width() - taken - 3 * GAP * unit
    end = paint_lines(painter, row.topLeft(), room, [(title, NUMBER, True)], unit, theme)
    return max(end, at_right.bottom()) + GAP * unit


class Band:
    """Sentence and formula at the foot of a sheet, laid out."""

    def __init__(self, sheet: Sheet, area: QRectF) -> None:
        self._sheet = sheet
        self._unit, most = (unit := sheet.unit), sheet.most
        self._inner = area.adjusted(3 * GAP * unit, 1.5 * GAP * unit, -3 * GAP * unit, -1.5 * GAP * unit)
        self._lanes = self._lanes_width(most if sheet.steady else self._usual_rows)
        self._wide = self._inner.width() - (self._lanes + 2 * GAP * unit if self._lanes else 0.0)
        self._text, self._size = shown(sheet.sentence), SENTENCE
        while self._size > READING and self._line_count > 1:
            self._size -= 1.0
        self._words = max(self._line_count * height(self._size, unit), height(SENTENCE, unit)) if self._text else 0.0
        self._room = max(most - self._words - 4 * GAP * unit, 1.0)
        self._formula = self._laid_out()
        self.height = sheet.steady * area.height() or self._needed
        self._inner.setTop(area.bottom() - self.height + 1.5 * GAP * unit)

    @property
    def _line_count(self) -> int:
        return len(wrapped((self._text, self._size, True), self._unit, self._wide))

    @property
    def _needed(self) -> float:
        below = self._formula.height + GAP * self._unit if self._formula else 0.0
        content = max(self._words + below, self._usual_rows if self._lanes else 0.0)
        return content + 3 * GAP * self._unit if content else 0.0

    @property
    def _usual_rows(self) -> float:
        """The height of a few lanes."""
        return USUAL_ROWS * height(LABEL, self._unit * LANE_TYPE)

    def _rows(self, lanes: tuple[Lane, ...], room: float) -> LaneRows:
        return LaneRows(lanes, replace(self._sheet.theme, type=self._unit * LANE_TYPE), room)

    def _lanes_width(self, room: float) -> float:
        """The width of the lanes, the same throughout the steps; 0 where there are none."""
        frame = self._sheet.frame
        if self._sheet.live or not frame.lanes:
            return 0.0
        both = frame.lanes, frame.timeline.lanes(frame.timeline.frame(len(frame.timeline)))
        most = LANES_SHARE * self._inner.width()
        return float(max(self._rows(lanes, room).width(most) for lanes in both))

    def _laid_out(self) -> Lines | None:
        """The formula, and no less than it the type of the sentence above it."""
        if not self._sheet.parts:
            return None
        unit, pixels = self._unit, round(CAPTION * self._unit)
        room = Room(self._wide, self._room, FORMULA * unit, LEAST_FORMULA * unit)
        captions = Captions(height(CAPTION, unit), lambda word: width(word, pixels))
        formula = lines.lay_out(self._sheet.parts, room, captions)
        self._size = min(self._size, BELOW_FORMULA * formula.size / unit)
        return formula

    def paint(self, painter: QPainter) -> None:
        sheet, inner = self._sheet, self._inner
        free = max(self._words - self._line_count * height(self._size, self._unit), 0.0)
        corner = inner.topLeft() + QPointF(0.0, free / 2)
        paint_lines(painter, corner, self._wide, [(self._text, self._size, True)], self._unit, sheet.theme)
        if self._lanes:
            place = QRectF(inner.right() - self._lanes, inner.top(), self._lanes, inner.height())
            self._rows(sheet.frame.lanes, inner.height()).paint(painter, place)
        if self._formula:
            top = inner.top() + self._words + GAP * self._unit + self._to_baseline(self._formula)
            self._paint_formula(painter, self._formula, QPointF(inner.left(), top))

    def _to_baseline(self, formula: Lines) -> float:
        """How far down a formula is set so that the baselines of single lines stay in place from step to step."""
        if not self._sheet.steady or len({item.baseline for item in formula.placed}) > 1:
            return 0.0
        return max(min(BASELINE * self._room - formula.placed[0].baseline, self._room - formula.height), 0.0)

    def _paint_formula(self, painter: QPainter, formula: Lines, corner: QPointF) -> None:
        """Paint the pieces that have appeared by now, with the words under them."""
        sheet, unit = self._sheet, self._unit
        appeared = [item for item in formula.placed if sheet.live or item.appears <= sheet.frame.progress]
        scale = formula.size / pictures.REFERENCE
        for item in appeared:
            place, latex, ink = corner + QPointF(item.x, item.baseline), item.latex, sheet.theme.text
            if item.result:
                latex, ground = pictures.on_plate(item.latex, sheet.theme)
                ink = sheet.theme.on_strong
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(ground))
                painter.drawRoundedRect(item.plate(formula.size).translated(corner), RADIUS * unit, RADIUS * unit)
            pictures.paint(painter, latex, formula.size, ink, place)
            if item.caption:
                line = [other.latex for other in formula.placed if other.baseline == item.baseline]
                below = max(pictures.setting(other).descent for other in line) * scale
                under = QRectF(corner.x() + item.middle - 200, place.y() + below, 400.0, height(CAPTION, unit))
                write(painter, item.caption, under, CAPTION * unit, sheet.theme.color("muted"), align=CENTER)


def paint_graph(painter: QPainter, place: QRectF, sheet: Sheet, layers: painting.Layers | None = None) -> None:
    """Paint the cards and wires of a sheet, as large as the place allows."""
    if place.isEmpty() or not sheet.document.nodes:
        return
    run, geometry = sheet.frame.run, sheet.geometry or geometry_of(sheet.document, sheet.frame, sheet.live)
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
