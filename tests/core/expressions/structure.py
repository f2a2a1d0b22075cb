"""What two graphs have in common when they are the same but for the names of their operations and constants."""

from __future__ import annotations

import ast
from typing import Any

from cadena.core.functions.calls import operation
from cadena.core.graph import order as graph
from cadena.core.graph.document import Document, Node, as_array


def structure(document: Document, name: str) -> tuple[int, list[int]]:
    """How a node is computed: a number for it, and one for each of its ancestors; equal ones for equal calculations."""
    known: dict[str, int] = {}
    needed = graph.ancestors(document, name)
    for one in graph.order(document)[0]:
        if one in needed:
            known[one] = hash(_form(document, document.nodes[one], known))
    operations = sorted(known[one] for one in needed if document.nodes[one].op != "constant")
    return known[name], operations


def _form(document: Document, node: Node, known: dict[str, int]) -> Any:
    if node.op == "constant":
        array = as_array(node.value)  # type: ignore[arg-type]
        return "constant", array.shape, array.astype("f8").tobytes()
    if node.is_leaf:
        return node.op, node.name, node.gradient
    record = operation(document, node.op)
    assert record is not None
    attributes = record.complete(node.attributes)
    if node.op == "getitem":
        attributes["index"] = ast.unparse(ast.parse(f"x[{attributes['index']}]"))
    return node.op, repr(sorted(attributes.items())), tuple(known[str(source)] for source in node.inputs)
