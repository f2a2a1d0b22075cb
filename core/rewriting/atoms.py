"""Composite operations expanded into elementary ones, and folded back: softmax as exp, sum and divide."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import replace as with_fields

from cadena.core.graph import order as graph
from cadena.core.graph.document import Document, Node, Position
from cadena.core.graph.edits import FreeNames, fragment
from cadena.core.graph.fault import Refused, why_stopped
from cadena.core.graph.groups import Group, all_groups, groups, with_group, without_group
from cadena.core.layout.arrange import arrange, card_sizes, free_place
from cadena.core.ops.arithmetic import positive
from cadena.core.ops.primitive import REGISTRY, ShapeError
from cadena.core.run.program import compile

if TYPE_CHECKING:
    from cadena.core.tracing.tapes import Tidy

LARGEST = 2**24  # elements of a placeholder operand with which an operation is expanded


def has_atoms(op: str) -> bool:
    """Whether an operation can be expanded."""
    return op in REGISTRY and REGISTRY[op].definition is not None


def difference(op: str) -> str:
    """A sentence about where `op` and its pieces give different numbers, without full stop; "" where they never do."""
    differs = REGISTRY[op].differs if has_atoms(op) else ""
    return f"the pieces of {op} differ from it: {differs}" if differs else ""


def expand(document: Document, name: str) -> Document:
    """Expand node `name`; the last of the new nodes keeps its name and its consumers, the others get fresh names.

    Values and gradients stay what they are, up to rounding, but for the points that `difference` tells. `extra`
    remembers the node for `fold`. Raises Refused for a node that is elementary already, or that cannot run.
    """
    if name not in document.nodes:
        raise Refused("there is no node {name}", "choose one of the graph's nodes", name=name)
    node = document.nodes[name]
    if node.op in document.functions:
        raise Refused(
            "{name} calls the function {op}, which has a graph of its own", "step into it", name=name, op=node.op
        )
    if not has_atoms(node.op):
        raise Refused(
            "{name} has nothing to expand: {op} is elementary",
            "choose a composite operation",
            name=name,
            op=node.op,
        )
    operands = _operands(document, node)
    pieces = _pieces(document, node, operands)
    nodes: dict[str, Node] = {}
    for old in document.nodes.values():
        nodes |= {piece.name: piece for piece in pieces} if old.name == name else {old.name: old}
    names, shapes = tuple(piece.name for piece in pieces), tuple(operand.shape for operand in operands)
    group = Group(node.op, tuple(map(str, node.inputs)), node.attributes, names, shapes=shapes)
    return _with_room(document, replace(document, nodes=nodes), group)


def fold(document: Document, names: str | Iterable[str]) -> Document:
    """Fold the innermost groups that these nodes belong to back into the nodes that they were.

    Raises Refused where a group was damaged: a node of it removed, changed, or wired to others.
    """
    chosen = [names] if isinstance(names, str) else list(names)
    chosen_groups = list(filter(None, (group_of(document, name) for name in chosen)))
    if not chosen_groups:
        raise Refused(
            "{chosen}: this belongs to no expanded node",
            "choose one of its pieces",
            chosen=", ".join(chosen) or "nothing",
        )
    for group in chosen_groups:
        if group in all_groups(document.extra):  # else it was folded with another one, or with the group around it
            document = _folded(document, group)
    return document


def group_of(document: Document, name: str) -> Group | None:
    """The group that a node belongs to, the innermost where they are nested; None for a node of its own."""
    around = [group for group in all_groups(document.extra) if name in group.nodes]
    return max(around, key=lambda group: sum(group.name in other.nodes for other in around), default=None)


def _operands(document: Document, node: Node) -> list[np.ndarray]:
    """The values of the node's operands. Raises Refused for a node that cannot run."""
    run = compile(document, node.name).run()
    if run.value(node.name) is None:
        ancestors = graph.ancestors(document, node.name)
        why = why_stopped(run.program.faults, ancestors)
        raise Refused("{node} cannot be expanded before it runs: {why}", node=node.name, why=why)
    return [np.asarray(run.value(str(source))) for source in node.inputs]


def _pieces(document: Document, node: Node, operands: Iterable[np.ndarray]) -> list[Node]:
    """The elementary nodes that node `node` of `document` is made of, operands first; the last has its name."""
    from cadena.core.tracing.naming import names_of_locals
    from cadena.core.tracing.recording import Tape
    from cadena.core.tracing.tapes import Tidy

    tape = Tape()
    leaves = [tape.leaf(operand) for operand in operands]
    primitive = REGISTRY[node.op]
    assert primitive.definition is not None
    try:
        with names_of_locals(primitive.definition, tape), np.errstate(all="ignore"):
            result = primitive.definition(*leaves, **primitive.complete(node.attributes))
    except (Refused, ShapeError) as error:  # of no elements a norm is 0, but its pieces have no largest one
        raise Refused("{node} cannot be expanded: {error}", node=node.name, error=error) from None
    return _read(Tidy(tape), result, document, node)


def _read(tidy: Tidy, result: Any, document: Document, node: Node) -> list[Node]:
    from cadena.core.tracing.tapes import constant

    tidy.read()
    last = tidy.term(result)
    names = {slot: str(source) for slot, source in enumerate(node.inputs)}
    free, pieces, literals = FreeNames(document.nodes), list[Node](), dict[Any, str]()
    for term in tidy.needed([last], names.__contains__):
        call = tidy.calls[term]
        inputs = []
        for operand in call.operands:
            if isinstance(operand, int):
                inputs.append(names[operand])
                continue
            key = (operand.shape, operand.tobytes())
            if key not in literals:
                literals[key] = free.fresh(f"{node.name}_k0")
                pieces.append(constant(literals[key], operand))
            inputs.append(literals[key])
        label = tidy.tape.names.get(term, call.op)
        names[term] = node.name if term == last else free.fresh(f"{node.name}_{label}")
        pieces.append(Node(names[term], call.op, inputs=tuple(inputs), attributes=call.attributes))
    if not pieces:  # the sum of one number, say
        assert isinstance(last, int)
        pieces.append(Node(node.name, positive.name, inputs=(names[last],)))
    return [*pieces[:-1], with_fields(pieces[-1], extra=node.extra, guard=node.guard, line=node.line)]


def _with_room(old: Document, new: Document, group: Group) -> Document:
    """Place the pieces of `new` where the node was; cards to the right of it make room."""
    name = group.name
    if name not in old.layout:
        return replace(new, extra=with_group(old.extra, group))
    sizes = card_sizes(new)
    local = arrange(fragment(new, group.nodes), sizes).layout
    (x, y), (width, height) = old.layout[name], local[name]
    layout = {other: _moved(at, width if at[0] >= x else 0.0) for other, at in old.layout.items()}
    layout[name] = (x + width, y)
    boxes = np.array([(*at, *sizes[other]) for other, at in layout.items() if other in sizes])
    for piece in group.nodes[:-1]:  # above or below what stands left of there and is in the way
        ideal = (x + local[piece][0], y + local[piece][1] - height)
        layout[piece] = free_place(ideal, sizes[piece], boxes)
        boxes = np.vstack([boxes, [*layout[piece], *sizes[piece]]])
    return replace(new, layout=layout, extra=with_group(old.extra, with_fields(group, shift=width)))


def _moved(at: Position, by: float) -> Position:
    return (at[0] + by, at[1])


def _folded(document: Document, group: Group) -> Document:
    """Fold one group back, those within it first; each removes its record, so that odd records come to an end."""
    while (inner := groups(document.extra)[group.name]) != group:  # its last node was expanded once more
        document = _folded(document, inner)
    document = replace(document, extra=without_group(document.extra, group.name))
    for name in group.nodes[:-1]:
        while inner_one := groups(document.extra).get(name):
            document = _folded(document, inner_one)
    _check_complete(document, group)
    last = document.nodes[group.name]
    original = with_fields(last, op=group.op, inputs=group.inputs, value=None, attributes=group.attributes)
    removed = set(group.nodes[:-1])
    nodes = {
        name: original if name == group.name else node for name, node in document.nodes.items() if name not in removed
    }
    left = document.layout.get(group.name, (0.0, 0.0))[0]
    layout = {
        name: _moved(at, -group.shift if at[0] >= left else 0.0)
        for name, at in document.layout.items()
        if name not in removed
    }
    folded = replace(document, nodes=nodes, layout=layout)
    _check_unchanged(document, folded, group)
    return folded


def _check_complete(document: Document, group: Group) -> None:
    """Refuse a group of which a node or an operand is missing, or that others read in the middle."""
    named = {"node": group.name, "op": group.op}
    if missing := [name for name in (*group.nodes, *group.inputs) if name not in document.nodes]:
        what = "{node} cannot be folded back into {op}: {missing} was removed"
        raise Refused(what, "undo that, or keep the pieces", **named, missing=missing[0])
    for piece in group.nodes[:-1]:
        if others := [name for name, _ in document.consumers[piece] if name not in group.nodes]:
            what = "{node} cannot be folded back into {op}: its piece {piece} also feeds {consumer}"
            raise Refused(what, "remove that wire first", **named, piece=piece, consumer=others[0])
        if document.output == piece:
            what = "{node} cannot be folded back into {op}: its piece {piece} is the output"
            raise Refused(what, "choose another output first", **named, piece=piece)


def _pieces_at_creation(document: Document, group: Group) -> list[Node]:
    """The pieces as they were when the group was made, for operands of the shapes that these had then."""
    node = document.nodes[group.name]
    if group.shapes is None or len(group.shapes) != len(node.inputs):
        return _pieces(document, node, _operands(document, node))
    run = compile(document, node.name).run()
    now = [run.value(str(source)) for source in node.inputs]
    try:
        return _pieces(document, node, map(_as_at_creation, now, group.shapes))
    except (KeyError, TypeError, ValueError, IndexError):  # no such operation, or it takes no such operands
        raise Refused(
            "{group} cannot be folded back into {op}: what the file remembers of it makes no sense",
            "keep the pieces",
            group=group.name,
            op=group.op,
        ) from None


def _as_at_creation(now: np.ndarray | None, shape: tuple[int, ...]) -> np.ndarray:
    """The operand, or zeros in its place where it now has another shape, or none."""
    if now is not None and now.shape == shape:
        return now
    if math.prod(shape) > LARGEST:
        raise ValueError("too large")
    return np.zeros(shape)


def _check_unchanged(document: Document, folded: Document, group: Group) -> None:
    """Refuse a group that no longer equals the expansion of the operation."""
    pieces = _pieces_at_creation(folded, group)
    names = {piece.name: name for piece, name in zip(pieces, group.nodes, strict=False)}
    for piece, name in zip(pieces, group.nodes, strict=False):
        inputs = tuple(names.get(str(source), source) for source in piece.inputs)
        there = document.nodes[name]
        expected = with_fields(piece, name=name, inputs=inputs, extra=there.extra, guard=there.guard, line=there.line)
        if document.nodes[name] != expected:
            raise Refused(
                "{group} cannot be folded back into {op}: {name} was changed",
                "undo that, or keep the pieces",
                group=group.name,
                op=group.op,
                name=name,
            )
    if len(pieces) != len(group.nodes):
        raise Refused(
            "{group} cannot be folded back into {op}: its pieces have changed",
            "keep them",
            group=group.name,
            op=group.op,
        )
