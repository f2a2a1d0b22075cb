"""Commands that place cards: align, distribute, straighten, arrange. Each is one undo step, and cards glide there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cadena.core.graph.document import Document, changes
from cadena.core.layout import aligning
from cadena.core.layout import arrange as layout
from cadena.core.layout.aligning import CardSizes
from cadena.core.text.numbers import number_of
from cadena.core.text.progress import Report
from cadena.gui.background.tasks import Order
from cadena.gui.canvas.interaction.glide_animation import Glide
from cadena.gui.canvas.rendering.view import CanvasView
from cadena.gui.look.wording import worded

AXES = {"across": 0, "down": 1}
CHANGED = "The cards stay as they are, as the graph was changed meanwhile; do it again for the graph of now"
Placement = Callable[[Document, frozenset[str], CardSizes, Report], Document]


class Arranging:
    """What arranges the selected cards, or all."""

    def __init__(self, view: CanvasView) -> None:
        self.session, self.view, self.glide = view.session, view, Glide(view)

    def arrange(self) -> None:
        """Arrange all nodes again and show them."""
        count = number_of(len(self.session.document.nodes), "node")
        self._place(
            lambda document, _, sizes, report: layout.arrange(document, sizes, report),
            "Arrange", f"Arranging {count}", lambda _: self.view.zoom_to_fit(),
        )  # fmt: skip

    def arrange_selected(self) -> None:
        """Arrange the selected nodes by themselves."""
        self._place(aligning.arrange_part, "Arrange the selected", "Arranging the selected nodes")

    def align(self, side: str) -> None:
        """Bring a side of the selected cards into line."""
        self._place(
            lambda document, names, sizes, _: aligning.align(document, names, side, sizes),
            "Align cards", "Aligning the selected cards",
        )  # fmt: skip

    def distribute(self, way: str) -> None:
        """Make the gaps between the selected cards equal."""
        axis = AXES[way]
        self._place(
            lambda document, names, sizes, _: aligning.distribute(document, names, axis, sizes),
            "Distribute cards", "Distributing the selected cards",
        )  # fmt: skip

    def straighten(self) -> None:
        """Make a wire into each of the selected cards run level."""
        self._place(aligning.straighten, "Straighten wires", "Straightening wires")

    def _place(
        self, placed: Placement, text: str, doing: str, look: Callable[[frozenset[str]], object] | None = None
    ) -> None:
        """Compute the places beside the window, and take them unless cards or wires were changed meanwhile."""
        session, names, sizes = self.session, self.session.selection, self.card_sizes()
        before, history = session.document, session.history

        def fits() -> bool:
            now = session.document
            return now is before or (session.history is history and _same_cards(before, now))

        def come(after: Document) -> None:
            now, camera = session.document, self.view.camera
            if session.edit(lambda document: replace(document, layout=after.layout), text):
                (look or self.view.reveal)(names)
                self.glide.begin(now, camera)

        order = Order(doing, come, lambda refusal: session.message.emit(worded(refusal)), fits, CHANGED)
        session.tasks.in_thread(order, lambda report: placed(before, names, sizes, report))

    def card_sizes(self) -> CardSizes:
        """Width and height of each node's card."""
        shapes, nodes = self.view.places.shapes, self.session.document.nodes
        return {name: layout.card_size(node, shapes.get(name)) for name, node in nodes.items()}


def _same_cards(before: Document, now: Document) -> bool:
    """Whether places for one document are places for another: at most values differ."""
    return before.layout == now.layout and not changes(before, now).structural
