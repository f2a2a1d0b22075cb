"""What a drop of a card on a wire would do: put its node into the wire, or the reason why it does not fit."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.graph.rewiring import check_can_insert, entry_slots
from cadena.gui.canvas.interaction.compatible_ports import Shapes, misfit, result_shape
from cadena.gui.canvas.rendering.view import CanvasView
from cadena.gui.look.wording import worded

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
