"""A network's prediction over its data: colours and the line of decision over the plane, or a curve over one column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cadena.gui.look.theme import Theme
from cadena.gui.plots.plane import PlanePlot

FEW = 500  # examples that are drawn large


class Decided(NamedTuple):
    """The places along one axis or two, the prediction there, the height of the decision, and the data."""

    names: Sequence[str]
    axes: Sequence[np.ndarray]
    heights: np.ndarray
    level: float
    points: np.ndarray  # a row for each example: its one or two features, then its label


class DecisionPlot(PlanePlot):
    """The data on top: those below the level are circles, the others squares, in the colours of their side."""

    def __init__(self, theme: Theme) -> None:
        self.decided: Decided | None = None
        super().__init__(theme, "Prediction over the data", "x", "y")

    def show_decided(self, decided: Decided | None) -> None:
        """Show another prediction; None for none."""
        self.decided = decided
        if decided is not None:
            self.name_axes(*decided.names[:2])
        self.draw()

    def draw(self) -> None:
        self.clear_drawn()
        decided = self.decided
        self.plotItem.setOpacity(float(decided is not None))
        self.xs = () if decided is None else decided.axes[0].tolist()
        if decided is None:
            return
        if len(decided.axes) == 2:
            self._draw_plane(decided)
        else:
            self._draw_curve(decided)

    def _draw_plane(self, decided: Decided) -> None:
        (x, y), heights, level = decided.axes, decided.heights, decided.level
        self.set_ends(x[0], x[-1], y[0], y[-1])
        labels = decided.points[:, 2]
        reach = max(float(np.max(np.abs(labels - level))), 1e-9)
        self.put_heights(x, y, heights, level, reach)
        self.put_isoline(x, y, heights, level, "text", 2.4)
        size = 1.0 if len(labels) <= FEW else 0.5
        for symbol, role, side in (("o", "heat_low", labels <= level), ("s", "heat_high", labels > level)):
            x, y = decided.points[side, 0], decided.points[side, 1]
            self.put_marks(x, y, symbol, 12.0 * size, "text")
            self.put_marks(x, y, symbol, 9.5 * size, "window")
            self.put_marks(x, y, symbol, 6.5 * size, role)

    def _draw_curve(self, decided: Decided) -> None:
        (x,), heights = decided.axes, decided.heights
        features, labels = decided.points.T
        both = np.concatenate([heights[np.isfinite(heights)], labels])
        low, high = float(both.min()), float(both.max())
        more = 0.05 * ((high - low) or 1.0)
        self.set_ends(x[0], x[-1], low - more, high + more)
        self.put_marks(features, labels, "o", 6.0, "muted")
        self.put_curve(x, heights, "value", 2.4)

    def table(self) -> list[list[object]]:
        if self.decided is None:
            return []
        decided = self.decided
        places = [place.ravel() for place in np.meshgrid(*decided.axes, indexing="ij")]
        titles: list[object] = [*decided.names[: len(places)], "prediction"]
        return [titles, *np.column_stack([*places, decided.heights.ravel()]).tolist()]
