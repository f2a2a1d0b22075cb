"""Edits of nodes within their wires: put into a wire, taken out with the wire healed, operands swapped, wires cut.

One rule says what goes through a node when the node itself is not there: its first wired operand, in the order of its
slots; where no gradient flows through a slot, such as the condition of `where`, the next one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from msgspec.structs import replace as with_fields

from cadena.core.graph import order as graph
from cadena.core.graph.document import Document, Node
from cadena.core.graph.edits import connect, disconnect, remove, slot_count
from cadena.core.graph.fault import Refused
from cadena.core.ops.primitive import REGISTRY

Wire = tuple[str, int]  # its end: (target, slot)


def passing_slots(document: Document, node: Node) -> list[int]:
    """The slots with wires, that first whose operand goes through a node that is not there."""
    choosers = _choosers(document, node)
    wired = [slot for slot, source in enumerate(node.inputs) if source in document.nodes]
    return sorted(wired, key=lambda slot: (slot in choosers, slot))


def _choosers(document: Document, node: Node) -> Collection[int]:
    """The slots through which no gradient flows."""
    return REGISTRY[node.op].choosers if node.op in REGISTRY and node.op not in document.functions else ()


def insert(document: Document, name: str, wire: Wire, slot: int | None = None) -> Document:
    """Put a node without wires into a wire: what came there comes through the node, by `slot` or its first."""
    check_can_insert(document, name)
    source = document.source_of(*wire)
    if source is None:
        raise Refused("no wire ends in slot {number} of {target}", "choose a wire", number=wire[1] + 1, target=wire[0])
    if slot is None:
        slot = entry_slots(document, document.nodes[name])[0]
    return connect(connect(document, source, name, slot), name, *wire)


def entry_slots(document: Document, node: Node) -> list[int]:
    """The slots of a node by which a wire can come in, the likeliest first."""
    choosers = _choosers(document, node)
    return sorted(range(slot_count(node, document.functions)), key=lambda slot: (slot in choosers, slot))


def is_wired(document: Document, name: str) -> bool:
    """Whether a node has a wire, on either side."""
    return any(document.nodes[name].inputs) or bool(document.consumers[name])


def check_can_insert(document: Document, name: str) -> None:
    """Refuse, with the reason, a node that cannot be put into any wire."""
    node = document.nodes[name]
    if node.is_leaf:
        raise Refused(
            "{name} is a leaf ({op}) and takes no operands, so nothing can go through it",
            "put an operation into the wire",
            name=name,
            op=node.op,
        )
    if not slot_count(node, document.functions):
        raise Refused("{name} takes no operands, so nothing can go through it", "choose another node", name=name)
    if is_wired(document, name):
        raise Refused("{name} has wires of its own", "disconnect it first", name=name)


def dissolve(document: Document, names: Collection[str]) -> Document:
    """Remove nodes and heal the wires: what read one of them reads the operand that went through it."""
    instead: dict[str, str | None] = {}
    for name in graph.order(document)[0]:  # operands first: what goes through a row of nodes comes from before it
        if name in names:
            node = document.nodes[name]
            sources = [_healed(node.inputs[slot], instead) for slot in passing_slots(document, node)]
            instead[name] = next((source for source in sources if source), None)
    nodes = {
        name: _reading(node, instead) if any(source in instead for source in node.inputs) else node
        for name, node in document.nodes.items()
        if name not in names
    }
    healed = replace(document, nodes={**document.nodes, **nodes}, output=_healed(document.output, instead))
    return remove(healed, names)


def can_heal(document: Document, names: Collection[str]) -> bool:
    """Whether wires lead on from these nodes, and `dissolve` would join each of them to an operand."""

    def leads_through(name: str, seen: frozenset[str]) -> bool:
        node = document.nodes[name]
        sources = [str(node.inputs[slot]) for slot in passing_slots(document, node)]
        return any(one not in names or (one not in seen and leads_through(one, seen | {one})) for one in sources)

    stay = (node for node in document.nodes.values() if node.name not in names)
    ends = {source for node in stay for source in node.inputs if source in names}
    return bool(ends) and all(leads_through(str(name), frozenset({str(name)})) for name in ends)


def _healed(source: str | None, instead: Mapping[str, str | None]) -> str | None:
    return instead.get(source, source) if source else source


def _reading(node: Node, instead: Mapping[str, str | None]) -> Node:
    """A node that stays, with what goes through its operands that do not. Refused where nothing does."""
    for source in node.inputs:
        if source in instead and instead[str(source)] is None:
            what = "{name} has no operand that could take its place in {reader}"
            raise Refused(what, "delete it together with its wires", name=source, reader=node.name)
    return with_fields(node, inputs=tuple(_healed(source, instead) for source in node.inputs))


def swappable(document: Document, node: Node) -> tuple[int, int] | None:
    """The two slots whose operands `swap` exchanges: the first two through which a gradient flows."""
    choosers = _choosers(document, node)
    slots = [slot for slot in range(slot_count(node, document.functions)) if slot not in choosers]
    return (slots[0], slots[1]) if len(slots) > 1 and any(node.inputs) else None


def swap(document: Document, name: str) -> Document:
    """Exchange the first two operands of a node; an open slot is exchanged too."""
    node = document.nodes[name]
    slots = swappable(document, node)
    if slots is None:
        raise Refused("{name} has no two operands to swap", "choose an operation that takes two", name=name)
    first, second = slots
    inputs = list(node.inputs) + [None] * (second + 1 - len(node.inputs))
    inputs[first], inputs[second] = inputs[second], inputs[first]
    swapped = with_fields(node, inputs=tuple(inputs))
    return replace(document, nodes={**document.nodes, name: swapped})


def cut(document: Document, wires: Iterable[Wire]) -> Document:
    """Remove wires."""
    for target, slot in sorted(wires, reverse=True):  # the last slot first: open ones at the end may go
        document = disconnect(document, target, slot)
    return document
