"""A first custom gradient, the chain rule as nodes to be edited; and switching one off."""

from __future__ import annotations

from dataclasses import replace

from cadena.core.graph import order as graph
from cadena.core.graph.document import Backward, Document, Function, Node
from cadena.core.graph.fault import Refused
from cadena.core.rewriting.function_edits import call_of, function_of, set_gradient, with_function
from cadena.core.rewriting.opening import inputs_only, opened
from cadena.core.run.program import Run


def begin_gradient(document: Document, name: str, run: Run | None = None) -> Document:
    """Add a custom gradient to the function that `name` calls: the automatic one, written as nodes.

    It is made for the operands' shapes in `run` (by default the document is run). Where the reverse pass cannot be
    written as nodes, the custom gradient has its inputs and nothing else. One that is there already stays, and is used.
    """
    call, function = call_of(document, name)
    if function.gradient is not None:
        return use_gradient(document, call.op, True)
    try:
        backward = _automatic(document, name, function, run)
    except Refused:
        backward = inputs_only(function)
    return set_gradient(document, call.op, backward)


def _automatic(document: Document, name: str, function: Function, run: Run | None) -> Backward:
    """The reverse pass through the subgraph as nodes that read operands, result and upstream gradient."""
    from cadena.core.rewriting.unfolding import unfolded

    if function.output in function.inputs:
        raise Refused("{output} is an operand, so that there is no reverse pass", output=function.output)
    reverse = unfolded(opened(document, name, run), function.output, [*function.inputs, function.output])
    upstream = reverse.gradients[function.output]
    inputs = (*function.inputs, function.output, upstream)
    sources = {one: Node(one, "input") for one in inputs}
    whole = replace(reverse.document, nodes={**reverse.document.nodes, **sources})
    outputs = tuple(reverse.gradients.get(one) for one in function.inputs)
    needed = set[str]().union(*(graph.ancestors(whole, one) for one in outputs if one is not None))
    nodes = {one: node for one, node in whole.nodes.items() if one in needed and one not in sources}
    return Backward(inputs, nodes, outputs)


def use_gradient(document: Document, name: str, used: bool) -> Document:
    """Choose whether the custom gradient of the function `name` is used; one that is not stays in the file."""
    function = function_of(document, name)
    if function.gradient is None:
        raise Refused("{name} has no custom gradient", "give it one first", name=name)
    extra = {key: item for key, item in function.gradient.extra.items() if key != "used"}
    extra |= {} if used else {"used": False}
    return with_function(document, name, replace(function, gradient=replace(function.gradient, extra=extra)))
