"""Histograms of numbers by layer, one above the other, on one axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg

from cadena.core.text.numbers import number_of, short
from cadena.gui.look.text_cleaning import shown
from cadena.gui.look.theme import Theme
from cadena.gui.plots.axes import NameAxis, NumberAxis
from cadena.gui.plots.plot import Plot

BINS, HIGH = 24, 0.8  # bars of a layer; their height, of the distance to the next layer


class Histogram(NamedTuple):
    """The numbers of one layer."""

    name: str
    numbers: np.ndarray


class Histograms(Plot):
    """A row for each layer, the first one on top; the largest bar of each is as high as that of the others."""

    has_powers = False

    def __init__(self, theme: Theme) -> None:
        self.layers: Sequence[Histogram] = ()
        self.role = "value"
        super().__init__(theme, "Histograms by layer", NumberAxis("bottom"), NameAxis("left"))

    def show_histograms(self, layers: Sequence[Histogram], role: str) -> None:
        """Show these layers in the colour of values or of gradients."""
        self.layers, self.role = layers, role
        self.draw()

    def draw(self) -> None:
        self.clear_drawn()
        self.plotItem.setOpacity(float(bool(self.layers)))
        self.xs = ()
        if not self.layers:
            return
        self.left.show_names([shown(layer.name) for layer in self.layers])
        finite = np.concatenate([layer.numbers[np.isfinite(layer.numbers)] for layer in self.layers])
        low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
        more = 0.02 * (high - low) or 0.5
        self.edges = np.linspace(low - more, high + more, BINS + 1)
        self.xs = ((self.edges[1:] + self.edges[:-1]) / 2.0).tolist()
        self.set_ends(self.edges[0], self.edges[-1], 1.0 - len(self.layers), HIGH)
        self.counts = [np.histogram(layer.numbers[np.isfinite(layer.numbers)], self.edges)[0] for layer in self.layers]
        for row, counts in enumerate(self.counts):
            self._put_bars(-float(row), HIGH * counts / max(counts.max(), 1))

    def _put_bars(self, floor: float, heights: np.ndarray) -> None:
        color = self._theme.color(self.role)
        pen, brush = pg.mkPen(self._theme.color("window"), width=self._theme.line), pg.mkBrush(color)
        wide = self.edges[1] - self.edges[0]
        some = heights > 0.0
        x = np.array(self.xs)[some]
        self.put(pg.BarGraphItem(x=x, width=wide, y0=floor, height=heights[some], pen=pen, brush=brush))
        self.put_curve([self.edges[0], self.edges[-1]], [floor, floor], "border", 1.0)

    def height_at(self, index: int) -> None:
        return None

    def reading(self, index: int, height: float) -> tuple[str, str]:
        row = min(max(round(HIGH / 2 - height), 0), len(self.layers) - 1)
        count = number_of(int(self.counts[row][index]), "element")
        return short(self.xs[index], 3), count if len(self.layers) == 1 else f"{shown(self.layers[row].name)}: {count}"

    def table(self) -> list[list[object]]:
        titles: list[object] = ["from", "to", *(layer.name for layer in self.layers)]
        edges = self.edges.tolist()
        rows = zip(edges, edges[1:], *(counts.tolist() for counts in self.counts), strict=False)
        return [titles, *map(list, rows)]
