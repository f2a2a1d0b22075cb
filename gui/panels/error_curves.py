"""The V: the error of each kind of differences over the step h, both on powers of ten."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen, QPolygonF

from cadena.core.methods.difference.sweep import STEPS, Sweep
from cadena.core.text.numbers import short
from cadena.gui.panels.common import panel_width
from cadena.gui.panels.differences_settings import NAMES
from cadena.gui.panels.log_plot import LogAxis, LogPlot, decades, power
from cadena.gui.theme import GAP, Theme

ARROWS = {Qt.Key.Key_Left: 1, Qt.Key.Key_Right: -1}
PLACES = {Qt.Key.Key_Home: len(STEPS) - 1, Qt.Key.Key_End: 0}
FAR = 1e4  # times the largest error, at which an estimate would flatten the curves
MARK, BEST_MARK = 3.0, 6.0  # pixels at `type` 1
GLYPHS = {
    "forward": ((0.0, -1.2), (1.1, 0.9), (-1.1, 0.9)),
    "central": ((0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)),
    "complex": ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)),
}
SIGNS = {"forward": "▲", "central": "◆", "complex": "■"}  # the same in a line of text
SHARE = {kind: 0.9 if kind == "complex" else 1.0 for kind in GLYPHS}


@dataclass(frozen=True)
class Chosen:
    """The step that is taken now, the error of its quotient and the estimate of it; nan where there is none."""

    step: float
    error: float = math.nan
    estimate: float = math.nan


@dataclass(frozen=True)
class Places:
    """Where the curves lie: between the errors at the left, the steps below, and the floor for errors of 0."""

    area: QRectF
    errors: LogAxis
    steps: LogAxis
    floor: float
    bottom: float  # of everything: the floor where an error is 0

    def point(self, step: float, error: float) -> QPointF | None:
        """The place of an error at a step; None where there is none."""
        if not math.isfinite(error):
            return None
        return QPointF(self.steps.place(step), self.errors.place(error) if error > 0.0 else self.floor)


class ErrorCurves(LogPlot):
    """A curve for each kind, that of the chosen kind in the colour of gradients; an error of 0 lies on the floor."""

    pointed = Signal(object)  # the number of the step under the mouse, or None
    chosen = Signal(float)  # a step, by a click, a drag or the arrows
    own_keys = (*ARROWS, *PLACES)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, self._paint_sweep)
        self.sweep: Sweep | None = None
        self.kind, self.mark = "central", None  # type: str, Chosen | None
        self.stale = False  # what is shown is being worked out anew
        self._at: int | None = None
        self.setAccessibleName("Error over h")
        self.setCursor(Qt.CursorShape.CrossCursor)

    def minimumSizeHint(self) -> QSize:
        return QSize(panel_width(self._theme, 200), round(70 * self._theme.type))

    def sizeHint(self) -> QSize:
        return QSize(panel_width(self._theme, 340), round(260 * self._theme.type))

    def show_sweep(self, sweep: Sweep | None) -> None:
        self.sweep, self.stale, self._at = sweep, False, None
        self.update()

    def set_stale(self) -> None:
        """Pale, until the curves that are being worked out are there."""
        self.stale = True
        self.update()

    def show_chosen(self, kind: str, mark: Chosen | None) -> None:
        if (kind, mark) != (self.kind, self.mark):
            self.kind, self.mark = kind, mark
            self.update()

    @property
    def empty(self) -> bool:
        """Whether no error is known."""
        return self.sweep is None or not any(np.isfinite(errors).any() for errors in self.sweep.errors.values())

    # --- where things are

    @property
    def marked(self) -> tuple[float, float]:
        """Error and estimate at the chosen step where that lies within the plot, else nan."""
        assert self.sweep is not None
        low, high = decades(self.sweep.steps.tolist())
        mark = self.mark
        if mark is None or mark.step <= 0.0 or not low - 0.005 <= math.log10(mark.step) <= high + 0.005:
            return math.nan, math.nan
        return mark.error, mark.estimate

    @property
    def _has_zero(self) -> bool:
        assert self.sweep is not None
        return self.marked[0] == 0.0 or any(np.any(errors == 0.0) for errors in self.sweep.errors.values())

    @property
    def decades(self) -> tuple[int, int]:
        """The powers of ten of the errors, at the bottom and the top; an estimate far above them is not shown."""
        assert self.sweep is not None
        error, estimate = self.marked
        errors = np.concatenate([np.ravel(errors) for errors in self.sweep.errors.values()] + [[error]])
        errors = errors[np.isfinite(errors)]
        return decades([*errors.tolist(), *([estimate] if estimate <= FAR * errors.max() else [])])

    def places(self) -> Places:
        """The axes as they lie now."""
        assert self.sweep is not None
        tall, ends, has_zero = self.metrics.height(), self.decades, self._has_zero
        left = max(self.metrics.horizontalAdvance(power(tick)) for tick in ends) + 2 * GAP
        floor = 1.2 * tall
        under = 2.4 * tall + (floor if has_zero else 0.0)
        area = QRectF(self.rect()).adjusted(left, 1.6 * tall, -2 * GAP, -under)
        errors = LogAxis(*ends, area.bottom(), area.top())
        steps = LogAxis(*decades(self.sweep.steps.tolist()), area.left() + GAP, area.right())
        floor += area.bottom()
        return Places(area, errors, steps, floor, floor if has_zero else area.bottom())

    def points(self, kind: str) -> list[QPointF | None]:
        """The places of a kind's errors, one for each step."""
        assert self.sweep is not None
        places = self.places()
        pairs = zip(self.sweep.steps.tolist(), self.sweep.errors[kind].tolist(), strict=True)
        return [places.point(step, error) for step, error in pairs]

    # --- painting

    def _paint_sweep(self, painter: QPainter) -> None:
        if self.sweep is None or self.empty:
            return
        painter.setOpacity(0.4 if self.stale else 1.0)
        places = self.places()
        self._paint_scales(painter, places)
        kinds = sorted(self.sweep.errors, key=lambda kind: kind == self.kind)  # the chosen one on top
        for kind in kinds:
            self._paint_curve(painter, kind)
        taken: list[QRectF] = []
        self._paint_pointed(painter, places)
        self._paint_mark(painter, places, taken)
        for kind in reversed(kinds):
            self._paint_best(painter, kind, places, taken)
        painter.setOpacity(1.0)

    def _paint_scales(self, painter: QPainter, places: Places) -> None:
        area, theme, tall = places.area, self._theme, self.metrics.height()
        self.paint_scale(painter, area, places.errors, places.errors.ticks(self.most_ticks(area.height())))
        if places.bottom == places.floor:
            self.paint_level(painter, area, places.floor, "0")
        wide, bottom = self.metrics.horizontalAdvance(power(-16)) + 2 * GAP, places.bottom
        for tick in places.steps.ticks(int(area.width() / wide)):
            x = places.steps.place_of_power(tick)
            painter.setPen(QPen(theme.color("border"), theme.line))
            painter.drawLine(QPointF(x, bottom), QPointF(x, bottom + 4))
            inside = min(x, self.width() - wide / 2)
            self.write(painter, power(tick), QPointF(inside, bottom + 4 + 0.6 * tall), "muted")
        self.write(painter, "error", QPointF(area.left(), area.top() - tall), "muted")
        self.write(painter, "step h", QPointF(area.center().x(), bottom + 4 + 1.6 * tall), "muted")

    def _role(self, kind: str) -> str:
        return "gradient" if kind == self.kind else "muted"

    def _paint_curve(self, painter: QPainter, kind: str) -> None:
        theme, wide = self._theme, 2.4 if kind == self.kind else 1.4
        pen = QPen(theme.color(self._role(kind)), wide * theme.line)
        run: list[QPointF] = []
        points = self.points(kind)
        for point in [*points, None]:
            if point is not None:
                run.append(point)
                continue
            painter.setPen(pen)
            painter.drawPolyline(QPolygonF(run))
            run = []
        for point in points:
            if point is not None:
                self._paint_glyph(painter, kind, point, MARK)

    def _paint_glyph(self, painter: QPainter, kind: str, at: QPointF, size: float) -> None:
        theme = self._theme
        painter.setPen(QPen(theme.color("window"), theme.line))
        painter.setBrush(theme.color(self._role(kind)))
        painter.drawPolygon(glyph(kind, at, size * theme.type))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_best(self, painter: QPainter, kind: str, places: Places, taken: list[QRectF]) -> None:
        """The least error, with the name of its curve where there is room for it."""
        assert self.sweep is not None
        best = self.sweep.best(kind)
        at = places.point(best, float(np.nanmin(self.sweep.errors[kind]))) if best > 0.0 else None
        if at is None:
            return
        self._paint_glyph(painter, kind, at, BEST_MARK)
        tall, wide = self.metrics.height(), self.metrics.horizontalAdvance(NAMES[kind]) + 4
        middle = min(max(at.x(), wide / 2), self.width() - wide / 2)
        for way in (1.1, -1.1, 2.1, -2.1):
            room = QRectF(middle - wide / 2, at.y() + way * tall - tall / 2, wide, tall)
            if (
                room.top() >= 0.0
                and room.bottom() <= places.bottom
                and not any(room.intersects(other) for other in taken)
            ):
                painter.fillRect(room, self._theme.color("window", 0.75))
                taken.append(self.write(painter, NAMES[kind], room.center(), "text"))
                return

    def _paint_pointed(self, painter: QPainter, places: Places) -> None:
        if self._at is not None and self.sweep is not None:
            x = places.steps.place(float(self.sweep.steps[self._at]))
            painter.setPen(QPen(self._theme.color("muted"), self._theme.line, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(x, places.area.top()), QPointF(x, places.bottom))

    def _paint_mark(self, painter: QPainter, places: Places, taken: list[QRectF]) -> None:
        """The chosen step: a line across, a ring at its error, a bar at what the error is estimated at."""
        mark, area, theme = self.mark, places.area, self._theme
        if mark is None or not 0.0 < mark.step < math.inf:
            return
        x = places.steps.place(mark.step)
        if not area.left() - 1 <= x <= area.right() + 1:
            self._paint_beyond(painter, area, mark.step, taken)
            return
        painter.setPen(QPen(theme.color("text"), theme.line, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, area.top()), QPointF(x, places.bottom))
        painter.setPen(QPen(theme.color("text"), 2.0 * theme.line))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        estimate = places.point(mark.step, mark.estimate)
        if estimate is not None and estimate.y() > area.top() - 1:
            half = QPointF(1.4 * BEST_MARK * theme.type, 0.0)
            painter.drawLine(estimate - half, estimate + half)
        if (at := places.point(mark.step, mark.error)) is not None:
            ring = 1.3 * BEST_MARK * theme.type
            painter.drawEllipse(at, ring, ring)
            taken.append(QRectF(at.x() - ring, at.y() - ring, 2 * ring, 2 * ring))

    def _paint_beyond(self, painter: QPainter, area: QRectF, step: float, taken: list[QRectF]) -> None:
        """A step that lies beyond the plot: an arrow to its side."""
        is_left = step < STEPS[-1]
        text = f"← h = {step_text(step)}" if is_left else f"h = {step_text(step)} →"
        half = self.metrics.horizontalAdvance(text) / 2 + 4
        middle = area.left() + half if is_left else area.right() - half
        taken.append(self.write(painter, text, QPointF(middle, area.top() + self.metrics.height() * 0.6), "text"))

    # --- mouse and keys

    def nearest(self, x: float) -> int | None:
        """The number of the step at a pixel."""
        if self.empty or self.sweep is None:
            return None
        return self._number_at(self.places().steps.log_at(x))

    def _number_at(self, log: float) -> int:
        assert self.sweep is not None
        return int(np.argmin(np.abs(np.log10(self.sweep.steps) - log)))

    def _point_at(self, at: int | None) -> None:
        if at != self._at:
            self._at = at
            self.pointed.emit(at)
            self.update()

    def _choose(self, at: int | None) -> None:
        if at is not None and self.sweep is not None:
            step = float(self.sweep.steps[at])
            if self.mark is None or self.mark.step != step:
                self.chosen.emit(step)

    def mouseMoveEvent(self, event) -> None:
        at = self.nearest(event.position().x())
        self._point_at(at)
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._choose(at)

    def mousePressEvent(self, event) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            at = self.nearest(event.position().x())
            self._point_at(at)
            self._choose(at)

    def leaveEvent(self, event) -> None:
        self._point_at(None)

    def keyPressEvent(self, event) -> None:
        if self.sweep is None or event.key() not in self.own_keys:
            super().keyPressEvent(event)
            return
        last = len(self.sweep.steps) - 1
        if event.key() in PLACES:
            self._choose(min(PLACES[event.key()], last))
            return
        now = self.mark.step if self.mark is not None and 0.0 < self.mark.step < math.inf else 1e-8
        self._choose(min(max(self._number_at(math.log10(now)) + ARROWS[event.key()], 0), last))


def step_text(step: float) -> str:
    """A step: "10⁻⁵", "2·10⁻⁵", "0.01"."""
    return short(step, 2).removeprefix("1·")


def glyph(kind: str, at: QPointF, size: float) -> QPolygonF:
    """The mark of a kind around a point."""
    return QPolygonF([at + QPointF(x, y) * size * SHARE[kind] for x, y in GLYPHS[kind]])
