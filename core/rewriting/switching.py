"""Nodes that are off: bypassed, so that an operand goes through as it is, or muted, so that 0 comes out.

A node that is off calls a function of its own, which holds the operation that it carries out when it is on. So wires,
files, methods and programs need not know of it. What goes through is what would when the node was taken out; see
core.graph.rewiring.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from msgspec.structs import replace as with_fields

from cadena.core.graph.document import LEAVES, OFF, Backward, Document, Function, Node
from cadena.core.graph.edits import fresh_name, slot_count, with_nodes
from cadena.core.graph.fault import Refused
from cadena.core.graph.rewiring import passing_slots
from cadena.core.graph.subgraphs import used_functions
from cadena.core.ops.primitive import REGISTRY
from cadena.core.rewriting.function_edits import with_function

BYPASSED, MUTED = "bypassed", "muted"


def way_off(document: Document, name: str) -> str:
    """How a node is off: "bypassed" or "muted"; "" where it is on."""
    function = document.functions.get(document.nodes[name].op)
    return function.off if function is not None else ""


def switch(document: Document, names: Collection[str], way: str) -> Document:
    """Bypass or mute all operations among these nodes; switch them on where all are off in this way.

    Raises Refused where none is an operation, or where nothing could go through one.
    """
    chosen = [name for name in document.nodes if name in names and not document.nodes[name].is_leaf]
    if not chosen:
        raise Refused("no operation is selected", "select nodes that compute something")
    goes_on = all(way_off(document, name) == way for name in chosen)
    for name in chosen:
        if way_off(document, name):
            document = _on(document, name)
        if not goes_on:
            document = _off(document, name, way)
    used = used_functions(document.nodes.values(), document.functions)
    kept = {name: item for name, item in document.functions.items() if name in used or not item.off}
    return replace(document, functions=kept) if len(kept) < len(document.functions) else document


def _on(document: Document, name: str) -> Document:
    """The operation again, with the wires that the node has now."""
    node = document.nodes[name]
    function = document.functions[node.op]
    inner = function.nodes[function.extra[OFF]["node"]]
    return with_nodes(document, with_fields(node, op=inner.op, attributes=inner.attributes))


def _off(document: Document, name: str, way: str) -> Document:
    node = document.nodes[name]
    count = max(len(node.inputs), slot_count(node, document.functions) - _is_variadic(node))
    labels = [chr(ord("a") + slot) if count <= 26 else f"a{slot + 1}" for slot in range(count)]
    passing = passing_slots(document, node)
    if way == BYPASSED and not passing:
        raise Refused("{name} has no operand that could go through", "connect one", name=name)
    inner = Node(fresh_name(labels, name), node.op, tuple(labels), attributes=node.attributes)
    extra = {OFF: {"way": way, "node": inner.name}}
    function = Function(tuple(labels), {inner.name: inner}, labels[passing[0]] if passing else "", extra=extra)
    if way == MUTED:
        function = _muted(function, inner)
    taken = (*document.functions, *REGISTRY, *LEAVES)
    called = fresh_name(taken, f"{name}_{way}")
    inputs = (*node.inputs, *[None] * (count - len(node.inputs)))
    return with_nodes(
        with_function(document, called, function), with_fields(node, op=called, inputs=inputs, attributes={})
    )


def _is_variadic(node: Node) -> int:
    """1 where an open slot follows the last wire, for one more operand."""
    return int(node.op in REGISTRY and REGISTRY[node.op].variadic)


def _muted(function: Function, inner: Node) -> Function:
    """Zeros of the shape that the operation would give, whatever its numbers; no gradient goes back."""
    from cadena.core.ops.selection import where  # not before a node is muted: it takes 2 ms of the start

    zero = fresh_name([*function.inputs, inner.name], "zero")
    result = fresh_name([*function.inputs, inner.name, zero], "result")
    nodes = {
        zero: Node(zero, "constant", value=0.0),
        inner.name: inner,
        result: Node(result, where.name, (zero, inner.name, zero)),
    }
    around = [*function.inputs, result]
    upstream = fresh_name(around, "upstream")
    gradient = Backward((*around, upstream), {}, (None,) * len(function.inputs))
    return replace(function, nodes=nodes, output=result, gradient=gradient)
