"""Numbers and elements that need no line of their own: `x ** 2` and `w[0] * x`, where the graph has nodes for them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from cadena.core.graph.document import Document, Node, as_array
from cadena.core.run.plan import Plan

OPERATORS = frozenset("add subtract multiply divide power".split())  # which take a number in place of an array


def literals(
    document: Document,
    plan: Plan,
    kept: Collection[str],
    operators: Collection[str] = OPERATORS,
    forward: Document | None = None,
) -> dict[str, str]:
    """The code of each constant, and of what follows from constants alone, that stands where it is used.

    These are constants that nobody gave a name, if all that read them are `operators` with an array beside them. The
    nodes in `kept` have lines of their own, as has what is used twice in the graph itself (`forward`, without its
    reverse pass): a script that is read makes two nodes of a number that is written twice.
    """
    graph = forward or document
    if any(node.op == "astype" for node in document.nodes.values()):  # in an array a number has a type of its own
        return {}
    known = {
        name: as_array(node.value).astype(document.dtype)[()]
        for name, node in document.nodes.items()
        if node.op == "constant"
        and isinstance(node.value, float)
        and is_unnamed(node)
        and name not in kept
        and (name not in graph.nodes or len(graph.consumers[name]) == 1)
    }
    if not known:
        return {}
    for instruction in plan.instructions:
        names = [plan.names[operand] for operand in instruction.operands]
        name, record = plan.names[instruction.out], instruction.primitive
        if record.name in operators and name not in kept and all(map(known.__contains__, names)):
            with np.errstate(all="ignore"):
                known[name] = record.value(*map(known.__getitem__, names))
    return {name: numeral(value) for name, value in known.items() if _is_operand(document, name, known, operators)}


def _is_operand(document: Document, name: str, known: Mapping[str, Any], operators: Collection[str]) -> bool:
    """Whether all that read a number take it without an array around it."""
    for user, _ in document.consumers[name]:
        node = document.nodes[user]
        if user not in known and (node.op not in operators or all(one in known for one in node.inputs)):
            return False
    return True


def is_unnamed(node: Node) -> bool:
    """Whether a node has one of the names that are chosen automatically: k0, getitem1."""
    stem = "k" if node.is_leaf else re.escape(node.op)
    return re.fullmatch(rf"{stem}\d+", node.name) is not None


def numeral(value: Any) -> str:
    """A number in Python, 2 for 2.0, in parentheses where a sign would be taken for an operator's."""
    text = str(value)
    if not np.isfinite(value):
        return f'float("{text}")'
    text = text.removesuffix(".0") if abs(float(value)) < 1e6 else text
    return f"({text})" if text.startswith("-") else text


def is_element(document: Document, node: Node) -> bool:
    """Whether a node is an element such as w[0], called getitem1 or w_0, and used once."""
    index = str(node.attributes.get("index"))
    if node.op != "getitem" or node.name == document.output or not re.fullmatch(r"-?\d+(, -?\d+)*", index):
        return False
    place = re.escape(f"{node.inputs[0]}_{index.replace(', ', '_')}")  # what a script's element is called
    is_unnamed_element = is_unnamed(node) or re.fullmatch(rf"{place}(_again\d+)?", node.name) is not None
    return is_unnamed_element and len(document.consumers[node.name]) == 1
