"""The size of the gradient at each layer, on a logarithmic scale: does it vanish or explode on its way back?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal

from cadena.core.text.numbers import short
from cadena.core.text.wording import Listing
from cadena.gui.background.throttle import Throttle
from cadena.gui.look.theme import Theme
from cadena.gui.panels.plots.plot_frame import RunPlotFrame
from cadena.gui.session.session import Session

if TYPE_CHECKING:
    from cadena.core.doctor.findings.layers import Layer
    from cadena.gui.plots.layer_curve import LayerCurve

EXPLAINED = "Gradients by layer (root mean square)"
TIP = (
    "Root mean square of the gradients at each distance from the output; the output is at the right, as on the canvas. "
    "Click to select the nodes of a layer; the wheel zooms, a drag moves the view."
)
NOTHING = "There is nothing to plot yet: choose an output with gradients at several layers."


class LayersPlot(RunPlotFrame):
    """The plot under its title. A layer that is clicked, or chosen with the keys, is selected and brought into view."""

    nodeActivated = Signal(str)
    plot: LayerCurve | None
    module = "cadena.gui.plots.layer_curve"
    shows = "gradients by layer"

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.layers: Sequence[Layer] = ()
        self.caption.setToolTip(TIP)
        self._soon = Throttle(self, self.follow)
        session.runChanged.connect(self._soon.request)

    @property
    def is_held_back(self) -> bool:
        return self.session.asking.holds_steps  # at the end the cards show all of it

    def make_plot(self, module) -> LayerCurve:
        return module.LayerCurve(self._theme, self.session.named)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, round(84 * self._theme.type) + self.caption.sizeHint().height())

    def sizeHint(self) -> QSize:
        return QSize(380, round(150 * self._theme.type))

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self.follow()

    def follow(self) -> None:
        """Show the layers of the latest run."""
        if self.isVisible():
            from cadena.core.doctor.findings.layers import by_layer

            layers = by_layer(self.session.run)
            self.layers = layers if len(layers) > 1 else ()
            self.fill_plot()
            self.describe_point(None if self.plot is None else self.plot.at)

    def fill_plot(self) -> None:
        if self.plot is not None:
            self.plot.show_layers(self.layers)

    def choose(self, index: int) -> None:
        names = list(self.layers[index].nodes)
        self.session.select(names)
        self.nodeActivated.emit(names[0])

    def describe_point(self, index: int | None) -> None:
        text = (EXPLAINED if self.layers else NOTHING) if index is None else layer_text(self.layers[index])
        self.describe(self.session.named(text))


def layer_text(layer: Layer) -> str:
    """ "Layer 3: a, b. Root mean square 0.01, largest 0.02." """
    names = Listing(tuple(layer.nodes), "", most=4).worded()
    return f"Layer {layer.depth}: {names}. Root mean square {short(layer.norm)}, largest {short(layer.largest)}."
