"""Connecting without a drag: which ports the selected nodes can be connected to, as entries of the search."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from cadena.core.functions.calls import operation
from cadena.core.graph import edits
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.gui.canvas.interaction.compatible_ports import Fitting
from cadena.gui.canvas.rendering.geometry import Geometry
from cadena.gui.canvas.rendering.view import CanvasView
from cadena.gui.search.catalogue import Entry
from cadena.gui.session.graph_edits import Edit, named


def slot_label(document: Document, name: str, slot: int) -> str:
    """How a slot is called: "operand 'left'", or by its number."""
    record = operation(document, document.nodes[name].op)
    return f"operand {record.slot(slot).label!r}" if record else f"operand {slot + 1}"


def targets(view: CanvasView, sources: Sequence[str]) -> list[Entry]:
    """The ports that the selected nodes may feed, each with the edit that connects them; open and near ones first.

    Several nodes go to nodes with as many open slots, in the order in which they were selected.
    """
    document, places = view.session.document, view.places
    if len(sources) > 1:
        offered = [name for name in document.nodes if name not in sources and feeds(document, sources, name)]
        return [_entry(feed(sources, name), name, "its open slots") for name in _near(places, sources[-1], offered)]
    fitting = Fitting(document, places.shapes, (sources[0], None))
    ports = [(name, slot or 0) for name, slot in fitting if document.source_of(name, slot or 0) != sources[0]]
    near = {name: place for place, name in enumerate(_near(places, sources[0], {name for name, _ in ports}))}
    ports.sort(key=lambda port: (document.source_of(*port) is not None, near[port[0]], port[1]))
    return [_into(view, sources[0], *port) for port in ports]


def operands(view: CanvasView, target: str) -> list[Entry]:
    """The nodes that may feed a node, slot by slot, the open ones first."""
    document, places = view.session.document, view.places
    slots = range(edits.slot_count(document.nodes[target], document.functions))
    entries = []
    for slot in sorted(slots, key=lambda slot: document.source_of(target, slot) is not None):
        fitting = [name for name, _ in Fitting(document, places.shapes, (target, slot))]
        offered = [name for name in fitting if name != document.source_of(target, slot)]
        label = slot_label(document, target, slot)
        entries += [_entry(connect(name, target, slot), name, f"as {label}{_instead(document, target, slot)}")
                    for name in _near(places, target, offered)]  # fmt: skip
    return entries


def _into(view: CanvasView, source: str, target: str, slot: int) -> Entry:
    label = slot_label(view.session.document, target, slot)
    return _entry(connect(source, target, slot), target, f"{label}{_instead(view.session.document, target, slot)}")


def _instead(document: Document, target: str, slot: int) -> str:
    source = document.source_of(target, slot)
    return f", in the place of {source}" if source else ", open"


def _entry(edit: Edit, name: str, detail: str) -> Entry:
    return Entry(name, symbol=name, detail=detail, edit=edit)


def _near(places: Geometry, start: str, names: Sequence[str] | set[str]) -> list[str]:
    """Names by the distance of their cards."""
    middle = places.card(start).center()
    return sorted(names, key=lambda name: (places.card(name).center() - middle).manhattanLength())


def _connecting(sources: Sequence[str], target: str) -> str:
    return f"Connect {named(sources)} to {target}"


def connect(source: str, target: str, slot: int) -> Edit:
    """Connect two nodes."""
    return Edit(lambda document: edits.connect(document, source, target, slot), _connecting([source], target))


def feed(sources: Sequence[str], target: str) -> Edit:
    """Connect nodes to the open slots of another, in this order."""
    return Edit(lambda document: with_inputs(document, sources, target), _connecting(sources, target))


def feeds(document: Document, sources: Sequence[str], target: str) -> bool:
    """Whether nodes can be connected to the open slots of another."""
    try:
        with_inputs(document, sources, target)
    except Refused:
        return False
    return True


def with_inputs(document: Document, sources: Sequence[str], target: str) -> Document:
    """The document with nodes connected to the open slots of another. Raises Refused where there are too few."""

    def connected(document: Document, source: str) -> Document:
        slots = range(edits.slot_count(document.nodes[target], document.functions))
        free = [slot for slot in slots if document.source_of(target, slot) is None]
        if not free:
            raise Refused("{name} has no open slot for {source}", "disconnect one first", name=target, source=source)
        return edits.connect(document, source, target, free[0])

    return reduce(connected, sources, document)


def room_for(document: Document, op: str) -> int | None:
    """How many operands a new node of an operation takes; None for any number."""
    record = operation(document, op)
    return None if record is None or record.variadic else len(record.slots)
