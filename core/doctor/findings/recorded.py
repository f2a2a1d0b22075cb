"""Hints at values that a capture has only recorded: the gradient ends there, where the framework's goes on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cadena.core.graph.document import Document, Function, Node
from cadena.core.graph.fault import Fault, Kind
from cadena.core.graph.recorded import lost_gradient
from cadena.core.graph.subgraphs import used_functions

HOLDS = "holds the value of the captured run, and no gradient goes through it: {why}"
INSIDE = "inside {function}, {leaf} holds the value of the captured run, and no gradient goes through it: {why}"
REMEDY = "the gradients of what it was computed from lack this part"


def recorded_values(document: Document) -> Iterator[Fault]:
    """A hint for each leaf with such a value, and for each call of a function with one in it."""
    inside: dict[str, tuple[Node, str] | None] = {}  # of each function that is called
    for node in document.nodes.values():
        if node.extra and (why := lost_gradient(node)):
            yield Fault(node.name, Kind.RECORDED_VALUE, HOLDS, REMEDY, {"why": why}, severity="hint")
        elif node.op in document.functions:
            if node.op not in inside:
                inside[node.op] = _first(used_functions([node], document.functions))
            if first := inside[node.op]:
                inner, why = first
                operands = {"function": node.op, "leaf": inner.name, "why": why}
                yield Fault(node.name, Kind.RECORDED_VALUE, INSIDE, REMEDY, operands, severity="hint")


def _first(functions: Mapping[str, Function]) -> tuple[Node, str] | None:
    """The first such value in some functions, and why it is one. Each function is read once, however often others
    call it: 36 functions that each call the next one twice are 2^36 calls."""
    nodes = (node for function in functions.values() for node in function.nodes.values() if node.extra)
    return next(((node, why) for node in nodes if (why := lost_gradient(node))), None)
