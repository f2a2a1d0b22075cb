"""Plots over a plane: heights as colours and lines, the pointer's own place at the cross-hair."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF

from cadena.core.text.numbers import short
from cadena.gui.plots.axes import NumberAxis
from cadena.gui.plots.isolines import isolines
from cadena.gui.plots.plot import Plot
from cadena.gui.theme import Theme

STRENGTH = 0.6  # of the colours at the ends: points and lines have to stand out


def _rgb(theme: Theme, role: str) -> list[float]:
    color = theme.color(role)
    return [color.redF(), color.greenF(), color.blueF()]


class PlanePlot(Plot):
    """Two axes with numbers, and the pointer's own place at the cross-hair."""

    has_powers = False
    margin = 0.0

    def __init__(self, theme: Theme, name: str, bottom: str, left: str) -> None:
        super().__init__(theme, name, NumberAxis("bottom", bottom), NumberAxis("left", left))

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
        alpha = np.isfinite(heights)[..., np.newaxis].astype(float)
        image = pg.ImageItem(
            np.ascontiguousarray(np.concatenate([rgb, alpha], axis=2) * 255.0).astype(np.ubyte), levels=(0, 255)
        )
        step_x, step_y = x[1] - x[0], y[1] - y[0]
        image.setRect(QRectF(x[0] - step_x / 2, y[0] - step_y / 2, step_x * len(x), step_y * len(y)))
        image.setZValue(-2.0)
        self.put(image)

    def put_isoline(
        self, x: np.ndarray, y: np.ndarray, heights: np.ndarray, level: float, role: str, wide: float
    ) -> None:
        """The line at one height."""
        across, up = isolines(x, y, heights, level)
        pen = pg.mkPen(self._theme.color(role), width=wide * self._theme.line)
        self.put(pg.PlotCurveItem(across, up, pen=pen, connect="pairs", antialias=True))

    def height_at(self, index: int) -> None:
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
