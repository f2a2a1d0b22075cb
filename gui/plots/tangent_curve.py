"""The output over one element of a leaf: a curve, the tangent whose slope is the gradient, the secant for a step h."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt

from cadena.gui.look.theme import Theme
from cadena.gui.plots.plane import PointPlot

AIR = 8.0  # pixels around the legend


class CurveAtPoint(NamedTuple):
    """A curve with a point on it: the names of both axes, the places, the heights, the point, its slope.

    `h` is the step of the secant, and `ahead` the height there; nan where there is none.
    """

    names: tuple[str, str]
    xs: np.ndarray
    heights: np.ndarray
    at: float
    height: float
    slope: float
    h: float
    ahead: float

    @property
    def secant(self) -> float:
        """The slope of the secant."""
        return (self.ahead - self.height) / self.h if self.h else float("nan")

    def line(self, slope: float, xs: np.ndarray) -> np.ndarray:
        """The heights of the line through the point; inf where they are too large for a number."""
        with np.errstate(all="ignore"):
            return self.height + slope * (xs - self.at)


class TangentCurve(PointPlot):
    """A drag moves the point along the curve: `placed(x, y)`."""

    def __init__(self, theme: Theme) -> None:
        self.curve: CurveAtPoint | None = None
        self._legend: list[pg.TextItem] = []
        super().__init__(theme, "The output over a parameter", "x", "y")

    def show_curve(self, curve: CurveAtPoint | None) -> None:
        """Show another curve, or the point elsewhere on it."""
        self.curve = curve
        if curve is not None:
            self.name_axes(*curve.names)
        self.draw()

    def draw(self) -> None:
        self.clear_drawn()
        self._legend = []
        curve = self.curve
        self.plotItem.setOpacity(float(curve is not None))
        self.xs = () if curve is None else curve.xs.tolist()
        if curve is None:
            return
        low, high = ends_of(np.append(curve.heights, curve.height))
        self.set_ends(float(curve.xs[0]), float(curve.xs[-1]), low, high)
        self.put_curve(curve.xs, curve.heights, "value", 4.0)
        ends = np.array([curve.xs[0], curve.xs[-1]])
        if np.isfinite(curve.secant):
            self.put_curve(ends, curve.line(curve.secant, ends), "tangent", 2.0, Qt.PenStyle.DashLine)
            self.put_marks([curve.at + curve.h], [curve.ahead], "o", 11.0, "tangent", hollow=2.0)
        if np.isfinite(curve.slope):
            self.put_curve(ends, curve.line(curve.slope, ends), "gradient", 2.0)
        self.put_marks([curve.at], [curve.height], "o", 13.0, "window")
        self.put_marks([curve.at], [curve.height], "o", 10.0, "text")
        self._put_legend(curve)

    def _put_legend(self, curve: CurveAtPoint) -> None:
        """Name the curve and both lines in their colours."""
        slopes = {"tangent": ("gradient", curve.slope), "secant": ("tangent", curve.secant)}
        lines = [(name, role) for name, (role, slope) in slopes.items() if np.isfinite(slope)]
        for name, role in ((curve.names[1], "value"), *lines):
            text = self.make_text(name, role)
            text.setZValue(5)
            self._legend.append(text)
            self.put(text)
        self.arrange()

    def arrange(self) -> None:
        """Place the legend in the upper corner that a line of this slope leaves free."""
        if self.curve is None:
            return
        visible, top = self.view.sceneBoundingRect(), AIR
        is_left = not self.curve.slope < 0.0
        for text in self._legend:
            x = visible.left() + AIR if is_left else visible.right() - AIR
            text.setAnchor((0.0 if is_left else 1.0, 0.0))
            text.setPos(self.view.mapSceneToView(QPointF(x, visible.top() + top)))
            top += text.textItem.boundingRect().height()

    @property
    def point(self) -> tuple[float, float] | None:
        return None if self.curve is None else (self.curve.at, self.curve.height)

    def height_at(self, index: int) -> float | None:
        height = float(self.curve.heights[index]) if self.curve is not None else float("nan")
        return height if np.isfinite(height) else None

    def table(self) -> list[list[object]]:
        if self.curve is None:
            return []
        curve = self.curve
        titles: list[object] = [*curve.names, "tangent", "secant"]
        lines = [curve.line(slope, curve.xs) for slope in (curve.slope, curve.secant)]
        return [titles, *np.column_stack([curve.xs, curve.heights, *lines]).tolist()]


def ends_of(heights: np.ndarray) -> tuple[float, float]:
    """The least and the largest finite height, with some room around them."""
    finite = heights[np.isfinite(heights)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    more = 0.06 * (high - low) or 0.5 * abs(high) or 0.5
    return low - more, high + more
