"""Plots over a plane: heights as colours and lines, the pointer's own place at the cross-hair."""

from __future__ import annotations

from functools import partial

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal

from cadena.core.text.numbers import short
from cadena.gui.look.theme import Theme
from cadena.gui.plots.axes import NumberAxis
from cadena.gui.plots.isolines import isolines
from cadena.gui.plots.plot import LEFT, Key, Plot

STEPS = 50  # of the arrow keys over the plot
ARROWS = {Key.Key_Left: (-1, 0), Key.Key_Right: (1, 0), Key.Key_Down: (0, -1), Key.Key_Up: (0, 1)}
STRENGTH = 0.6  # of the colours at the ends: points and lines have to stand out


def _rgb(theme: Theme, role: str) -> list[float]:
    color = theme.color(role)
    return [color.redF(), color.greenF(), color.blueF()]


def _around(x: np.ndarray, y: np.ndarray) -> QRectF:
    """The area of a grid with a pixel around each of its places."""
    step_x, step_y = x[1] - x[0], y[1] - y[0]
    return QRectF(x[0] - step_x / 2, y[0] - step_y / 2, step_x * len(x), step_y * len(y))


class PlanePlot(Plot):
    """Two axes with numbers, and the pointer's own place at the cross-hair."""

    has_powers = False
    margin = 0.0

    axis = NumberAxis

    def __init__(self, theme: Theme, name: str, bottom: str, left: str) -> None:
        super().__init__(theme, name, self.axis("bottom", bottom), self.axis("left", left))

    def name_axes(self, bottom: str, left: str) -> None:
        """Change the titles of the axes."""
        if (bottom, left) != (self.bottom.title, self.left.title):
            self.bottom.title, self.left.title = bottom, left
            for axis in (self.bottom, self.left):
                axis.set_theme(self._theme)
            self.resizeEvent(None)

    def put_heights(self, x: np.ndarray, y: np.ndarray, heights: np.ndarray, middle: float, span: float) -> None:
        """Colours for heights up to `span` below and above the middle; what is not finite has none."""
        theme = self._theme
        share = np.clip(np.nan_to_num((heights - middle) / span, nan=0.0), -1.0, 1.0)[..., np.newaxis]
        colors = [np.array(_rgb(theme, role)) for role in ("heat_low", "heat_zero", "heat_high")]
        toward = np.where(share > 0.0, colors[2], colors[0])
        rgb = colors[1] + STRENGTH * np.abs(share) * (toward - colors[1])
        self.put_image(_around(x, y), rgb, np.isfinite(heights))

    def put_image(self, area: QRectF, rgb: np.ndarray, visible: np.ndarray) -> None:
        """A picture in an area of the plane, behind everything; the first axis of its pixels runs to the right."""
        pixels = (np.concatenate([rgb, visible[..., np.newaxis]], axis=2) * 255.0).astype(np.ubyte)
        image = pg.ImageItem(pixels, levels=(0, 255))
        image.setRect(area)
        image.setZValue(-2.0)
        self.put(image)

    def put_isoline(
        self, x: np.ndarray, y: np.ndarray, heights: np.ndarray, level: float, role: str, wide: float
    ) -> None:
        """The line at one height."""
        across, up = isolines(x, y, heights, level)
        pen = pg.mkPen(self._theme.color(role), width=wide * self._theme.line)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)  # else the pieces would not meet
        self.put(pg.PlotCurveItem(across, up, pen=pen, connect="pairs", antialias=True))

    def height_at(self, index: int) -> float | None:
        return None

    def reading(self, index: int, height: float) -> tuple[str, str]:
        return short(self.xs[index], 3), short(height, 3)

    def _hover(self, at: QPointF) -> None:
        """Move the cross-hair to the pointer."""
        inside = self.view.sceneBoundingRect().contains(at) and len(self.xs) > 0
        for line in (self.upright, self.across):
            line.setVisible(inside)
        if inside:
            place = self.view.mapSceneToView(at)
            self._read(self.upright, place.x(), short(place.x(), 3))
            self._read(self.across, place.y(), short(place.y(), 3))


class PointPlot(PlanePlot):
    """A point that a drag with the left button or the arrow keys move; `released()` when a move is at its end."""

    placed = Signal(float, float)
    released = Signal()

    @property
    def point(self) -> tuple[float, float] | None:
        """The point that can be moved."""
        return None

    def put_shades(self, x: np.ndarray, y: np.ndarray, heights: np.ndarray) -> None:
        """Shades by rank: the lowest tenth of the plane is as dark as that of any other function."""
        finite = np.isfinite(heights)
        ranks = np.full(heights.shape, np.nan)
        ranks[finite] = np.searchsorted(np.sort(heights[finite]), heights[finite]) / max(finite.sum(), 1)
        dark, pale = np.array(_rgb(self._theme, "value_ground")), np.array(_rgb(self._theme, "window"))
        self.put_image(_around(x, y), dark + np.nan_to_num(ranks)[..., np.newaxis] * (pale - dark), finite)

    def _press(self, event) -> bool:
        """Place the point by a press or a drag."""
        if self.point is None or LEFT not in (event.button(), event.buttons()):
            return False
        place = self.view.mapSceneToView(event.position())
        self.placed.emit(place.x(), place.y())
        self._hover(event.position())  # after the move, which may change the axes
        event.accept()
        return True

    def mouseReleaseEvent(self, event) -> None:
        super().mouseReleaseEvent(event)
        if event.button() is LEFT:
            self.released.emit()

    def _key(self, event):
        way = ARROWS.get(event.key())
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        return partial(self._move, *way) if way is not None and plain else super()._key(event)

    def _move(self, right: int, up: int) -> None:
        if self.point is not None:
            (left, far), (low, high) = self.view.viewRange()
            x, y = self.point
            self.placed.emit(x + right * (far - left) / STEPS, y + up * (high - low) / STEPS)
            self.released.emit()
