"""Commands that place cards: align, distribute, straighten, arrange. Each is one undo step, and cards glide there."""

from __future__ import annotations

from collections.abc import Callable

from cadena.core.graph.document import Document
from cadena.core.layout import aligning
from cadena.core.layout import arrange as layout
from cadena.core.layout.aligning import CardSizes
from cadena.gui.canvas.hand.glide import Glide
from cadena.gui.canvas.picture.view import CanvasView

AXES = {"across": 0, "down": 1}


class Arranging:
    """What arranges the selected cards, or all."""

    def __init__(self, view: CanvasView) -> None:
        self.session, self.view, self.glide = view.session, view, Glide(view)

    def arrange(self) -> None:
        """Arrange all nodes again and show them."""
        before, camera = self.session.document, self.view.camera
        if self.session.edit(lambda document: layout.arrange(document, self.card_sizes()), "Arrange"):
            self.view.zoom_to_fit()
            self.glide.begin(before, camera)

    def arrange_selected(self) -> None:
        """Arrange the selected nodes by themselves."""
        self._place(aligning.arrange_part, "Arrange the selected")

    def align(self, side: str) -> None:
        """Bring a side of the selected cards into line."""
        self._place(lambda document, names, sizes: aligning.align(document, names, side, sizes), "Align cards")

    def distribute(self, way: str) -> None:
        """Make the gaps between the selected cards equal."""
        axis = AXES[way]
        self._place(
            lambda document, names, sizes: aligning.distribute(document, names, axis, sizes), "Distribute cards"
        )

    def straighten(self) -> None:
        """Make a wire into each of the selected cards run level."""
        self._place(aligning.straighten, "Straighten wires")

    def _place(self, placed: Callable[[Document, frozenset[str], CardSizes], Document], text: str) -> None:
        names, before, camera, sizes = (
            self.session.selection,
            self.session.document,
            self.view.camera,
            self.card_sizes(),
        )
        if self.session.edit(lambda document: placed(document, names, sizes), text):
            self.view.reveal(names)
            self.glide.begin(before, camera)

    def card_sizes(self) -> CardSizes:
        """Width and height of each node's card."""
        shapes, nodes = self.view.places.shapes, self.session.document.nodes
        return {name: layout.card_size(node, shapes.get(name)) for name, node in nodes.items()}
