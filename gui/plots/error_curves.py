"""The V: the error of each kind of differences over the step h, both on powers of ten; a drag over it chooses h."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt

from cadena.core.methods.difference.sweep import STEPS
from cadena.gui.look.theme import Theme
from cadena.gui.plots.axes import LogAxis
from cadena.gui.plots.errors import Curves
from cadena.gui.plots.plot import Plot
from cadena.gui.plots.scale import step_text

STALE = 0.4  # opacity
USUAL = 1e-8  # the step from which the arrow keys start where none is chosen
SYMBOLS = {"forward": "t1", "central": "d", "complex": "s"}
SIZES = {"forward": 8.0, "central": 9.0, "complex": 5.5}  # pixels at `type` 1, so that they look alike
BEST_MARK, RING, BAR = 1.7, 16.0, 20.0  # times these; pixels
BESIDE = ((0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1), (1, 0), (-1, 0))  # a mark: where its name may stand
SAMPLES = 8  # of a line between two points, which no name should cover


class ErrorCurves(Plot):
    """A curve for each kind, that of the chosen kind in the colour of gradients; an error of 0 has a level."""

    drags_choose = True

    def __init__(self, theme: Theme, names: Mapping[str, str]) -> None:
        self.curves: Curves | None = None
        self.names = names
        self._labels: list[pg.TextItem] = []
        self._beyond: pg.TextItem | None = None
        self._lasting = 0  # the number of items that do not depend on the chosen step
        super().__init__(theme, "Error over h", LogAxis("bottom", "step h"), LogAxis("left", "error"))
        self.setCursor(Qt.CursorShape.CrossCursor)

    def show_curves(self, curves: Curves | None) -> None:
        """Show these curves with their chosen step; None for no curves."""
        curves = None if curves is None or curves.empty else curves
        before, self.curves = self.curves, curves
        if curves is None or not curves.is_like(before):
            self.draw()
        elif before is not None and curves.mark != before.mark:
            self._draw_chosen(curves)

    def height_at(self, index: int) -> float | None:
        if self.curves is None or self.curves.kind not in self.curves.heights:
            return None
        place = self.curves.heights[self.curves.kind][index]
        return place if math.isfinite(place) else None

    def reading(self, index: int, height: float) -> tuple[str, str]:
        assert self.curves is not None
        return step_text(float(self.curves.sweep.steps[index])), self.curves.errors.read(height)

    def table(self) -> list[list[object]]:
        if self.curves is None:
            return []
        sweep = self.curves.sweep
        columns = [sweep.steps.tolist(), *(errors.tolist() for errors in sweep.errors.values())]
        titles = ["h", *(f"error of {self.names[kind]}" for kind in sweep.errors)]
        return [titles, *map(list, zip(*columns, strict=True))]

    @property
    def place(self) -> int:
        mark = self.curves.mark if self.curves is not None else None
        step = mark.step if mark is not None and mark.usable else USUAL
        return int(np.argmin(np.abs(np.subtract(self.xs, math.log10(step)))))

    # --- drawing

    def draw(self) -> None:
        self.clear_drawn()
        self._labels, self._beyond = [], None
        curves = self.curves
        self.plotItem.setOpacity(0.0 if curves is None else STALE if curves.stale else 1.0)
        if curves is None:
            self.point_at(None)
            self.xs = ()
            return
        self.xs = np.log10(curves.sweep.steps).tolist()
        self.bottom.show_scale(curves.steps)
        self.left.show_scale(curves.errors)
        self.set_ends(min(self.xs), max(self.xs), *curves.errors.ends)
        kinds = sorted(curves.heights, key=lambda kind: kind == curves.kind)  # the chosen one on top
        for kind in kinds:
            self.put_curve(self.xs, curves.heights[kind], self._role(kind), 2.4 if kind == curves.kind else 1.4)
            self.put_marks(self.xs, curves.heights[kind], SYMBOLS[kind], SIZES[kind], self._role(kind))
        for kind in reversed(kinds):
            self._draw_best(curves, kind)
        self._lasting = len(self._drawn)
        self._draw_chosen(curves)

    def _role(self, kind: str) -> str:
        return "gradient" if self.curves is not None and kind == self.curves.kind else "muted"

    def _draw_best(self, curves: Curves, kind: str) -> None:
        """Draw a large mark at the least error, with the name of its curve."""
        if (best := curves.sweep.best(kind)) > 0.0:
            index = curves.sweep.steps.tolist().index(best)
            at = self.xs[index], curves.heights[kind][index]
            self.put_marks([at[0]], [at[1]], SYMBOLS[kind], BEST_MARK * SIZES[kind], self._role(kind))
            label = self.make_text(self.names[kind])
            label.setPos(*at)
            label.setZValue(5)  # above the chosen step
            self._labels.append(label)
            self.put(label)

    def _draw_chosen(self, curves: Curves) -> None:
        """Draw the chosen step: a line, a ring at its error, a bar at the estimated error.

        These alone are drawn anew while a drag chooses.
        """
        self.clear_drawn(self._lasting)
        self._beyond = None
        if (mark := curves.visible_mark) is not None:
            x, theme = math.log10(mark.step), self._theme
            self.put(pg.InfiniteLine(x, pen=pg.mkPen(theme.text, width=theme.line, style=Qt.PenStyle.DashLine)))
            bar = curves.height(mark.estimate) if mark.estimate > 0.0 else math.nan
            bar = bar if bar <= curves.errors.high else math.nan
            self.put_marks([x], [bar], "_", BAR, "text")
            self.put_marks([x], [curves.height(mark.error)], "o", RING, "text", hollow=2.0)
        elif curves.mark is not None and curves.mark.usable:
            step, is_left = step_text(curves.mark.step), curves.mark.step < STEPS[-1]
            self._beyond = self.make_text(f"← h = {step}" if is_left else f"h = {step} →")
            self._beyond.setAnchor((0.0, 0.0) if is_left else (1.0, 0.0))
            self.put(self._beyond)
        self.arrange()

    # --- texts

    def arrange(self) -> None:
        """Place names beside their marks, where they cover least; name a step beyond the plot at its side."""
        if self.curves is None:
            return
        lines, nothing = self._samples(), np.empty((2, 0))
        occupied: list[QRectF] = []
        visible = self.view.sceneBoundingRect()
        for label in self._labels:
            at = self.view.mapViewToScene(label.pos())
            rooms = [_room(at, label.textItem.boundingRect(), way, self._theme.type * RING / 2) for way in BESIDE]
            room = min(rooms, key=lambda room: _cost(room, lines, occupied, visible))
            occupied.append(room)
            label.setAnchor(((at.x() - room.left()) / room.width(), (at.y() - room.top()) / room.height()))
            label.setVisible(visible.contains(at) and _cost(room, nothing, occupied[:-1], visible) == 0)
        if (text := self._beyond) is not None:
            room = QRectF(visible.topLeft(), text.textItem.boundingRect().size())
            if text.anchor.x():
                room.moveRight(visible.right())
            rooms = [room.translated(0.0, down) for down in np.linspace(0.0, visible.height() - room.height(), 9)]
            room = min(rooms, key=lambda room: _cost(room, lines, occupied, visible))
            text.setPos(self.view.mapSceneToView(room.topRight() if text.anchor.x() else room.topLeft()))

    def _samples(self) -> np.ndarray:
        """Pixels on the curves and on the line of the chosen step: a row of x and one of y."""
        assert self.curves is not None
        marks = np.linspace(0.0, len(self.xs) - 1.0, SAMPLES * (len(self.xs) - 1) + 1)
        points = range(len(self.xs))
        x = [np.interp(marks, points, self.xs)] * len(self.curves.heights)
        y = [np.interp(marks, points, heights) for heights in self.curves.heights.values()]
        (left, right), (low, high) = self.view.viewRange()
        if (mark := self.curves.visible_mark) is not None:
            x.append(np.full(3 * SAMPLES, math.log10(mark.step)))
            y.append(np.linspace(low, high, 3 * SAMPLES))
        visible = self.view.sceneBoundingRect()
        across = visible.left() + (np.concatenate(x) - left) / (right - left) * visible.width()
        return np.stack([across, visible.bottom() - (np.concatenate(y) - low) / (high - low) * visible.height()])


def _room(at: QPointF, size: QRectF, way: tuple[int, int], away: float) -> QRectF:
    """The room of a text on one side of a place."""
    across, down = way
    room = QRectF(at, size.size())
    room.translate(-size.width() / 2, -size.height() / 2)
    return room.translated(across * (size.width() / 2 + (0.0 if down else away)), down * (size.height() / 2 + away))


def _cost(room: QRectF, lines: np.ndarray, occupied: list[QRectF], visible: QRectF) -> int:
    """The cost of placing a text there, by what it covers; other texts and the border are worse than lines."""
    x, y = lines
    covered = (room.left() < x) & (x < room.right()) & (room.top() < y) & (y < room.bottom())
    return (
        int(np.count_nonzero(covered))
        + 1000 * sum(map(room.intersects, occupied))
        + 1000 * (not visible.contains(room))
    )
