"""Replacing a formula by another: the outermost node keeps its name, and nodes that nothing else uses are removed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgspec.structs import replace as with_fields

from cadena.core.graph.document import Document, Node
from cadena.core.graph.edits import fresh_name, remove

# A letter (an existing node by `letters`), a number (a new constant), or a tuple (operation, *terms), which may end in
# a dictionary with the attributes.
FormulaTerm = Any


def rewritten(
    document: Document, root: str, term: FormulaTerm, letters: Mapping[str, str], spare: Sequence[str] = ()
) -> Document:
    """Make `term` the definition of node `root`; nodes of `spare` are removed where nothing uses them any more.

    The new nodes stand before `root` in the file; on the canvas they have no place yet.
    """
    new: dict[str, Node] = {}
    op, inputs, attributes = _built(document.nodes, term, letters, new)
    changed = with_fields(document.nodes[root], op=op, inputs=inputs, attributes=attributes, value=None)
    nodes: dict[str, Node] = {}
    for name, node in document.nodes.items():
        nodes |= {**new, root: changed} if name == root else {name: node}
    result = replace(document, nodes=nodes)
    unused = _unused(result, [name for name in dict.fromkeys(spare) if name != root])  # a node may stand twice in it
    return remove(result, unused)


def subgraph(term: FormulaTerm, letters: Mapping[str, str], used: Collection[str]) -> dict[str, Node]:
    """New nodes that compute a term, the result last; their names avoid those that are `used`."""
    new: dict[str, Node] = {}
    _node(used, term, letters, new)
    return new


def _built(
    used: Collection[str], term: FormulaTerm, letters: Mapping[str, str], new: dict[str, Node]
) -> tuple[str, tuple[str | None, ...], dict[str, Any]]:
    """The operation, inputs and attributes of a term; nodes for the terms within it are added to `new`."""
    op, *operands = term
    attributes = dict(operands.pop()) if operands and isinstance(operands[-1], dict) else {}
    return op, tuple(_node(used, operand, letters, new) for operand in operands), attributes


def _node(used: Collection[str], term: FormulaTerm, letters: Mapping[str, str], new: dict[str, Node]) -> str:
    """The name of the node for a term."""
    if isinstance(term, str):
        return letters[term]
    if isinstance(term, float):
        for known in new.values():
            if known.op == "constant" and known.value == term:
                return known.name
        name = fresh_name([*used, *new], "k0")
        new[name] = Node(name, "constant", value=term)
        return name
    op, inputs, attributes = _built(used, term, letters, new)
    for known in new.values():  # a term that occurs twice is computed once
        if (known.op, known.inputs, known.attributes) == (op, inputs, attributes):
            return known.name
    name = fresh_name([*used, *new], f"{op}_1" if op[-1].isdigit() else f"{op}1")
    new[name] = Node(name, op, inputs=inputs, attributes=attributes)
    return name


def _unused(document: Document, spare: Sequence[str]) -> list[str]:
    """The nodes of `spare` that feed only each other and are not the output."""
    gone = set(spare) - {document.output}
    while still_read := {
        name for name in gone if any(consumer not in gone for consumer, _ in document.consumers[name])
    }:
        gone -= still_read
    return [name for name in spare if name in gone]
