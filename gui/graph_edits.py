"""The edits that can be reached in several ways, each with the one text by which Undo names it.

session.edit(*graph_edits.choose_output("L"))

"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import reduce
from typing import NamedTuple

from cadena.core.graph import edits
from cadena.core.graph.document import LEAVES, Document, Value
from cadena.core.rewriting.custom_gradients import use_gradient as use_custom_gradient
from cadena.core.rewriting.functions import set_gradient


class Edit(NamedTuple):
    """What `Session.edit` takes: the change, and its text in "Undo ..."."""

    change: Callable[[Document], Document]
    text: str


def named(names: Collection[str]) -> str:
    """How a text names several nodes: "w0", or "3 nodes"."""
    return next(iter(names)) if len(names) == 1 else f"{len(names)} nodes"


def choose_output(name: str | None) -> Edit:
    """The node whose gradients are computed; None for none."""
    text = f"Make {name} the output" if name else "Choose no output"
    return Edit(lambda document: edits.set_output(document, name), text)


def sum_output(output: str | None) -> Edit:
    """A sum behind the output, which takes its place."""
    return Edit(edits.sum_output, f"Sum up {output}")


def run_in(dtype: str) -> Edit:
    """The number type of the graph."""
    return Edit(lambda document: edits.set_dtype(document, dtype), f"Run in {dtype}")


def change_operation(name: str, op: str) -> Edit:
    """Another operation, or another kind of leaf."""
    kind = f"{'an' if op == 'input' else 'a'} {op}"
    text = f"Make {name} {kind}" if op in LEAVES else f"Change {name} to {op}"
    return Edit(lambda document: edits.set_operation(document, name, op), text)


def want_gradient(name: str, wanted: bool) -> Edit:
    """Whether the gradient of an input is wanted."""
    text = f"{'Want' if wanted else 'Drop'} the gradient of {name}"
    return Edit(lambda document: edits.set_wants_gradient(document, name, wanted), text)


def set_value(name: str, value: Value) -> Edit:
    """Another value of a leaf."""
    return Edit(lambda document: edits.set_value(document, name, value), f"Set {name}")


def rename(old: str, new: str) -> Edit:
    """Another name of a node."""
    return Edit(lambda document: edits.rename(document, old, new), f"Rename {old}")


def move(names: Collection[str], x: float, y: float) -> Edit:
    """Cards moved by so many canvas units."""

    def moved(document: Document) -> Document:
        places = {name: document.layout.get(name, (0.0, 0.0)) for name in names}
        return edits.move(document, {name: (left + x, top + y) for name, (left, top) in places.items()})

    return Edit(moved, f"Move {named(names)}")


def disconnect(names: Collection[str]) -> Edit:
    """Nodes without any of their wires."""
    return Edit(lambda document: reduce(edits.isolate, names, document), f"Disconnect {named(names)}")


def delete_wire(source: str, target: str, slot: int) -> Edit:
    """The operand in a slot of `target`, which is `source`, left open."""
    return Edit(lambda document: edits.disconnect(document, target, slot), f"Delete wire {source} → {target}")


def use_gradient(op: str, used: bool) -> Edit:
    """Whether the custom gradient of a function is used."""
    text = f"Use the {'custom' if used else 'automatic'} gradient of {op}"
    return Edit(lambda document: use_custom_gradient(document, op, used), text)


def remove_gradient(op: str) -> Edit:
    """A function without its custom gradient."""
    text = f"Remove the custom gradient of {op}"
    return Edit(lambda document: set_gradient(document, op, None), text)
