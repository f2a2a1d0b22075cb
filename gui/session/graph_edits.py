"""The edits that can be reached in several ways, each with the one text by which Undo names it.

session.edit(*graph_edits.choose_output("L"))

"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, NamedTuple

from cadena.core.graph import edits, several
from cadena.core.graph.document import LEAVES, Document, Position, Value, renewed
from cadena.core.graph.reroutes import with_points
from cadena.core.layout.arrange import (
    NUMBER_CARD,
    arrange,
    card_size,
    card_sizes,
    complete,
    complete_at,
    complete_before,
    may_hold_arrays,
    shapes_of,
)
from cadena.core.rewriting.custom_gradients import use_gradient as use_custom_gradient
from cadena.core.rewriting.function_edits import set_gradient
from cadena.core.run.plan import Plan
from cadena.core.text.numbers import short
from cadena.gui.look.text_cleaning import title

MAX_ARRANGED = 400  # nodes that are arranged again while an expression is typed
MAX_IN_TEXT = 40  # letters of an expression in "Undo Write ..."


DocumentChange = Callable[[Document], Document]


class Edit(NamedTuple):
    """The arguments of `Session.edit`: the change, and its text in "Undo ..."."""

    change: DocumentChange
    text: str


def changed(plan: Plan, before: Document, change: DocumentChange, in_drag: bool = False) -> Document:
    """The document after an edit: its script follows, so does its output where there is only one choice and, but in a
    drag, cards that have grown push others aside.

    `plan` is that of the document before. Raises Refused where the change does.
    """
    after = carried_over(before, edits.follow_only_sink(before, change(before)))
    return after if in_drag else with_room(plan, before, after)


def carried_over(before: Document, after: Document) -> Document:
    """The document after an edit, which its script follows, if it has one."""
    if "script" not in before.extra:
        return after
    from cadena.core.scripts.two_way import followed

    return followed(before, after)


def with_room(plan: Plan, before: Document, after: Document) -> Document:
    """The document after an edit, in which cards that have grown push their neighbours aside. `plan` is that before."""
    if after.nodes is before.nodes or not after.layout:
        return after
    changed = renewed(before.nodes, after.nodes)
    some = [after.nodes[name] for name in changed] if plan.is_of_numbers else after.nodes.values()
    names = after.nodes if (arrays := may_hold_arrays(some)) else changed
    known = shapes_of(after) if arrays else {}
    new = {name: card_size(after.nodes[name], known.get(name)) for name in names}
    old = {name: card_size(before.nodes[name], plan.shape_of(name)) for name in names if name in before.nodes}
    old |= {name: NUMBER_CARD for name in names if name not in before.nodes}  # what was added was placed as such
    if all(old[name] == size for name, size in new.items()):
        return after
    from cadena.core.layout.aligning import make_room

    return make_room(after, old, {**card_sizes(after), **new})


def retype_script(text: str) -> Edit:
    """Another text of the script; numbers that are leaves of the graph change there too."""
    from cadena.core.scripts.attached import with_script
    from cadena.core.scripts.two_way import retyped

    return Edit(
        lambda document: retyped(document, text) if text.strip() else with_script(document, None), "Edit script"
    )


def named(names: Collection[str]) -> str:
    """The name of several nodes in a text: "w0", or "3 nodes"."""
    return next(iter(names)) if len(names) == 1 else f"{len(names)} nodes"


def choose_output(name: str | None) -> Edit:
    """Choose the node whose gradients are computed; None for none."""
    text = f"Make {name} the output" if name else "Choose no output"
    return Edit(lambda document: edits.set_output(document, name), text)


def sum_output(output: str | None) -> Edit:
    """Add a sum after the output and make it the output."""
    return Edit(edits.sum_output, f"Sum up {output}")


def run_in(dtype: str) -> Edit:
    """Set the number type of the graph."""
    return Edit(lambda document: edits.set_dtype(document, dtype), f"Run in {dtype}")


def change_operation(name: str, op: str) -> Edit:
    """Change a node's operation, or its kind of leaf."""
    kind = f"{'an' if op == 'input' else 'a'} {op}"
    text = f"Make {name} {kind}" if op in LEAVES else f"Change {name} to {op}"
    return Edit(lambda document: edits.change_operation(document, name, op), text)


def want_gradient(name: str, wanted: bool) -> Edit:
    """Choose whether the gradient of an input is computed."""
    text = f"{'Want' if wanted else 'Drop'} the gradient of {name}"
    return Edit(lambda document: edits.set_wants_gradient(document, name, wanted), text)


def set_value(name: str, value: Value) -> Edit:
    """Set the value of a leaf."""
    return Edit(lambda document: edits.set_value(document, name, value), f"Set {name}")


def change_kinds(names: Collection[str], kind: str) -> Edit:
    """Change the kind of several leaves."""
    return Edit(lambda document: several.set_kind(document, names, kind), f"Make {named(names)} {kind}s")


def fill(names: Collection[str], number: float) -> Edit:
    """Set all elements of several leaves to one number."""
    return Edit(lambda document: several.fill(document, names, number), f"Fill {named(names)} with {short(number)}")


def want_gradients(names: Collection[str], wanted: bool) -> Edit:
    """Choose whether the gradients of several inputs are computed."""
    text = f"{'Want' if wanted else 'Drop'} the gradients of {named(names)}"
    return Edit(lambda document: several.set_wants_gradient(document, names, wanted), text)


def set_attributes(names: Collection[str], attribute: str, value: Any) -> Edit:
    """Set an attribute of operations that have it."""
    text = f"Set {attribute} of {named(names)}"
    return Edit(lambda document: several.set_attribute(document, names, attribute, value), text)


def rename(old: str, new: str) -> Edit:
    """Rename a node."""
    from cadena.core.expressions.graph_text import renamed

    return Edit(lambda document: renamed(document, old, new), f"Rename {old}")


def add_expression(text: str, at: Position) -> Edit:
    """The nodes that an expression means, around a place; a leaf alone, such as x = 2, is made no output."""
    from cadena.core.expressions.reading import read

    def written(document: Document) -> Document:
        reading = read(text, document)
        is_leaf = reading.document.nodes[reading.last].is_leaf
        return complete_at(replace(reading.document, output=document.output) if is_leaf else reading.document, at)

    return Edit(written, f"Write {title(text, MAX_IN_TEXT)}")


def rewrite(plan: Plan, before: Document, text: str, names: Collection[str] = ()) -> Edit:
    """The graph as another text says it, which was written of `before`, with places for the nodes that come with it."""
    from cadena.core.expressions.editing import rewritten

    after = with_room(plan, before, rewritten(before, text, names))
    placed = arrange(after) if _unplaced(after) and _is_as_arranged(before) else _with_places(after)
    return Edit(lambda _: placed, "Edit expression")


def repair(change: DocumentChange, text: str) -> Edit:
    """A fix of the doctor, with places for the nodes that come with it and without the gaps of those that go."""

    def placed(before: Document) -> Document:
        from cadena.core.layout.aligning import close_gaps

        after = change(before)
        if after.nodes.keys() == before.nodes.keys():
            return after
        if _is_as_arranged(before):
            return arrange(after)
        return _with_places(close_gaps(after, before, card_sizes(before)))

    return Edit(placed, text)


def _is_as_arranged(document: Document) -> bool:
    """Whether nobody has moved a card yet, so that all may be arranged again."""
    return len(document.nodes) <= MAX_ARRANGED and document.layout == arrange(document).layout


def _unplaced(document: Document) -> set[str]:
    return document.nodes.keys() - document.layout.keys()


def _with_places(document: Document) -> Document:
    """The document with places for the nodes that have none, before the one that uses them or near their neighbours."""
    new = _unplaced(document)
    others = (node for node in document.nodes.values() if new and node.name not in new)
    consumers = [node.name for node in others if not new.isdisjoint(node.inputs)]
    return complete_before(document, consumers[0]) if len(consumers) == 1 else complete(document)


def move(names: Collection[str], x: float, y: float) -> Edit:
    """Move cards by so many canvas units."""

    def moved(document: Document) -> Document:
        places = {name: document.layout.get(name, (0.0, 0.0)) for name in names}
        return edits.move(document, {name: (left + x, top + y) for name, (left, top) in places.items()})

    return Edit(moved, f"Move {named(names)}")


def reroute(wire: tuple[str, int], points: Sequence[Position]) -> Edit:
    """Let the wire into a slot, (target, slot), go through these points."""
    return Edit(lambda document: with_points(document, wire, points), "Reroute a wire")


def add(op: str, at: Position, name: str, value: Value | None = None) -> Edit:
    """A new node of an operation, or a leaf, at a place."""
    return Edit(lambda document: edits.add(document, op, at, name, value), f"Add {name}")


def disconnect(names: Collection[str]) -> Edit:
    """Remove all wires of some nodes."""
    return Edit(lambda document: reduce(edits.isolate, names, document), f"Disconnect {named(names)}")


def delete_wire(source: str, target: str, slot: int) -> Edit:
    """Remove the wire from `source` into a slot of `target`."""
    return Edit(lambda document: edits.disconnect(document, target, slot), f"Delete wire {source} → {target}")


def use_gradient(op: str, used: bool) -> Edit:
    """Choose whether the custom gradient of a function is used."""
    text = f"Use the {'custom' if used else 'automatic'} gradient of {op}"
    return Edit(lambda document: use_custom_gradient(document, op, used), text)


def remove_gradient(op: str) -> Edit:
    """Remove the custom gradient of a function."""
    text = f"Remove the custom gradient of {op}"
    return Edit(lambda document: set_gradient(document, op, None), text)
