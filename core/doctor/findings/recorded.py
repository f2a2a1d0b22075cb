"""Hints at values that a capture has only recorded: the gradient ends there, where the framework's goes on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cadena.core.graph.document import Document, Function, Node
from cadena.core.graph.fault import Fault, Kind
from cadena.core.graph.recorded import lost_gradient

HOLDS = "holds the value of the captured run, and no gradient goes through it: {why}"
INSIDE = "inside {function}, {leaf} holds the value of the captured run, and no gradient goes through it: {why}"
REMEDY = "the gradients of what it was computed from lack this part"


def recorded_values(document: Document) -> Iterator[Fault]:
    """A hint for each leaf with such a value, and for each call of a function with one in it."""
    for node in document.nodes.values():
        if node.extra and (why := lost_gradient(node)):
            yield Fault(node.name, Kind.RECORDED_VALUE, HOLDS, REMEDY, {"why": why}, severity="hint")
        elif node.op in document.functions and (first := _first(document.functions, node.op)):
            inner, why = first
            operands = {"function": node.op, "leaf": inner.name, "why": why}
            yield Fault(node.name, Kind.RECORDED_VALUE, INSIDE, REMEDY, operands, severity="hint")


def _first(functions: Mapping[str, Function], name: str) -> tuple[Node, str] | None:
    """The first such value in a function, or in one that it calls, and why it is one."""
    for node in functions[name].nodes.values():
        if node.extra and (why := lost_gradient(node)):
            return node, why
        if node.op in functions and (first := _first(functions, node.op)):
            return first
    return None
