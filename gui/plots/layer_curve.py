"""The size of the gradient at each layer, the output at the right as on the canvas."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from cadena.core.doctor.findings.layers import Layer
from cadena.core.text.numbers import short
from cadena.gui.look.text_cleaning import shown
from cadena.gui.look.theme import Theme
from cadena.gui.plots.axes import LogAxis, NameAxis
from cadena.gui.plots.plot import Plot
from cadena.gui.plots.scale import LogScale

MAX_LARGE = 80  # diamonds; more of them are drawn small


class LayerCurve(Plot):
    """A diamond for each layer; 0, inf and nan have levels of their own."""

    def __init__(self, theme: Theme, named: Callable[[str], str] = str) -> None:
        self.layers: Sequence[Layer] = ()
        self._named = named
        super().__init__(theme, "Gradients by layer", NameAxis("bottom"), LogAxis("left"))

    def show_layers(self, layers: Sequence[Layer]) -> None:
        """Show these layers; the cross-hair stays where they are of the same nodes."""
        is_same = [layer.nodes for layer in layers] == [layer.nodes for layer in self.layers]
        at = self.at if is_same else None
        self.point_at(None)
        self.layers = layers
        self.draw()
        self.point_at(at)

    def draw(self) -> None:
        self.clear_drawn()
        self.plotItem.setOpacity(float(bool(self.layers)))  # hidden axes would forget how much room they need
        self.xs = [float(-layer.depth) for layer in self.layers]
        if not self.layers:
            return
        scale = LogScale.of(layer.norm for layer in self.layers)
        self.left.show_scale(scale)
        self.bottom.show_names([self._name(layer) for layer in self.layers])
        self.set_ends(self.xs[-1], self.xs[0], *scale.ends)
        heights = [scale.place(layer.norm) for layer in self.layers]
        size = 11.0 if len(self.layers) <= MAX_LARGE else 4.0
        self.put_curve(self.xs, heights, "gradient", 2.0)
        for role, finite in (("gradient", True), ("fault", False)):
            shown_layers = [index for index, layer in enumerate(self.layers) if math.isfinite(layer.norm) is finite]
            if shown_layers:
                self.put_marks([self.xs[n] for n in shown_layers], [heights[n] for n in shown_layers], "d", size, role)

    def height_at(self, index: int) -> float:
        return self.left.log.place(self.layers[index].norm)

    def reading(self, index: int, height: float) -> tuple[str, str]:
        own = height == self.height_at(index)  # after a key: the number itself, not the pointer's place
        return self._name(self.layers[index]), short(self.layers[index].norm) if own else self.left.log.read(height)

    def table(self) -> list[list[object]]:
        titles: list[object] = ["layer", "nodes", "root mean square", "largest"]
        return [titles, *([layer.depth, " ".join(layer.nodes), layer.norm, layer.largest] for layer in self.layers)]

    def _name(self, layer: Layer) -> str:
        """The first node of a layer, and how many more there are."""
        first = shown(self._named(layer.nodes[0]))
        return first if len(layer.nodes) == 1 else f"{first} +{len(layer.nodes) - 1}"
