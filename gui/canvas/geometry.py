"""Where things are on the canvas, in canvas units (pixels at zoom 1): cards, ports, wires. No painting, no state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath

from core import Document
from core.edits import slot_count
from core.primitive import Shape

NUMBER_CARD = (120.0, 72.0)  # the card of a single number
TENSOR_CARD = (168.0, 132.0)  # room for two heat maps
TITLE_HEIGHT = 24.0
PORT_RADIUS = 5.0
MARGIN = 40.0


class Geometry:
    """The places of one document's cards and ports. `shapes` holds the shape of each node that runs."""

    def __init__(self, document: Document, shapes: Mapping[str, Shape | None]) -> None:
        self.document = document
        self.shapes = shapes

    def card(self, name: str) -> QRectF:
        """The rectangle of a node's card."""
        x, y = self.document.layout.get(name, (0.0, 0.0))
        width, height = TENSOR_CARD if self.shapes.get(name) else NUMBER_CARD
        return QRectF(x, y, width, height)

    def name_area(self, name: str) -> QRectF:
        """The top of the card, with the node's name."""
        card = self.card(name)
        return QRectF(card.left(), card.top(), card.width(), TITLE_HEIGHT)

    def value_area(self, name: str) -> QRectF:
        """The upper part of the card below the name: where the value stands."""
        card = self.card(name)
        return QRectF(card.left(), card.top() + TITLE_HEIGHT, card.width(), (card.height() - TITLE_HEIGHT) / 2)

    def gradient_area(self, name: str) -> QRectF:
        """The lower part of the card below the name: where the gradient stands."""
        value = self.value_area(name)
        return value.translated(0.0, value.height())

    def output_port(self, name: str) -> QPointF:
        """Where a node's wires begin: the middle of its right edge."""
        card = self.card(name)
        return QPointF(card.right(), card.center().y())

    def input_port(self, name: str, slot: int) -> QPointF:
        """Where the wire into `slot` ends: evenly spread down the left edge."""
        card = self.card(name)
        count = max(slot_count(self.document.nodes[name]), 1)
        return QPointF(card.left(), card.top() + card.height() * (slot + 1) / (count + 1))

    def wire(self, source: str, target: str, slot: int) -> QPainterPath:
        """The curve of a wire from the output port of `source` to the port of `slot`."""
        return curve(self.output_port(source), self.input_port(target, slot))

    def bounds(self, names: Iterable[str] | None = None) -> QRectF:
        """The rectangle around these cards (default all), with a margin; empty when there are none."""
        around = QRectF()
        for name in self.document.nodes if names is None else names:
            around = around.united(self.card(name))
        return around if around.isNull() else around.adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN)


def curve(start: QPointF, end: QPointF) -> QPainterPath:
    """A smooth curve that leaves `start` to the right and enters `end` from the left."""
    reach = max(abs(end.x() - start.x()) * 0.5, 40.0 if end.x() < start.x() + 40.0 else 0.0)
    path = QPainterPath(start)
    path.cubicTo(start + QPointF(reach, 0.0), end - QPointF(reach, 0.0), end)
    return path
