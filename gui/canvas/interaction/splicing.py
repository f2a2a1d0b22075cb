"""What a drop of a card on a wire would do: put its node into the wire, or the reason why it does not fit."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF

from cadena.core.graph import edits
from cadena.core.graph import order as graph
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.graph.rewiring import check_can_insert, entry_slots
from cadena.gui.canvas.interaction.compatible_ports import Shapes, misfit, result_shape
from cadena.gui.canvas.rendering.geometry import NUMBER_CARD
from cadena.gui.canvas.rendering.view import CanvasView
from cadena.gui.look.wording import worded

BETWEEN = 48.0  # canvas units between two cards with a wire
REACH = 0.35  # of a card's height: a wire that comes so near to its middle is meant


@dataclass(frozen=True)
class Splice:
    """The wire (target, slot) under a card, and the slot by which it would come in; None with the reason if none."""

    wire: tuple[str, int]
    slot: int | None
    reason: str = ""

    @property
    def mark(self) -> tuple[tuple[str, int], bool]:
        """How the wire is shown."""
        return self.wire, self.slot is not None


def splice_at(view: CanvasView, document: Document, name: str, card: QRectF) -> Splice | None:
    """What a drop of the node's card would do here; None where no wire is."""
    wire = view.hits.wire_at(card.center(), REACH * card.height())
    if wire is None or name == wire[0]:
        return None
    try:
        check_can_insert(document, name)
        return Splice(wire, _slot_for(document, view.places.shapes, name, wire))
    except Refused as refusal:
        return Splice(wire, None, worded(refusal))


def _slot_for(document: Document, shapes: Shapes, name: str, wire: tuple[str, int]) -> int:
    """The first slot of a node that takes what comes through a wire. Refused where none does, or its result not."""
    node, (target, into), source = document.nodes[name], wire, str(document.source_of(*wire))
    offered = shapes.get(source)
    slots = entry_slots(document, node)
    wrong = [misfit(node, slot, shapes, offered) for slot in slots]
    if None not in wrong:
        what = "{name} cannot take {source}: {error}"
        raise Refused(what, "drop it elsewhere", name=name, source=source, error=wrong[0])
    if error := misfit(document.nodes[target], into, shapes, result_shape(node, offered)):
        what = "{target} cannot take the result of {name}: {error}"
        raise Refused(what, "drop it elsewhere", target=target, name=name, error=error)
    return slots[wrong.index(None)]


def make_room(document: Document, name: str, target: str) -> Document:
    """Push the cards behind a node that has come into a wire to the right, as far as it needs to stand between."""
    if name not in document.layout or target not in document.layout:
        return document
    away = document.layout[target][0] - document.layout[name][0]
    needed = NUMBER_CARD[0] + BETWEEN - away
    if not 0.0 < needed < 2.0 * NUMBER_CARD[0]:  # further back: the wire runs to the left, and so does the eye
        return document
    behind = [one for one in graph.descendants(document, target) if one in document.layout]
    places = {one: (document.layout[one][0] + needed, document.layout[one][1]) for one in behind}
    return edits.move(document, places)
