"""Inside a call: its subgraph, and its custom gradient, as documents that run, step and are edited like any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import msgspec
import numpy as np
from msgspec.structs import replace as with_fields

from cadena.core.functions.calls import operations
from cadena.core.graph.document import LEAVES, Backward, Document, Function, Node, as_value
from cadena.core.graph.edits import fresh_name
from cadena.core.graph.fault import Refused
from cadena.core.graph.groups import KEY
from cadena.core.graph.subgraphs import OUTPUTS, over_nodes
from cadena.core.rewriting.function_edits import call_of, function_of, rename_function, users, with_function
from cadena.core.run.program import Run, compile
from cadena.core.text.wording import Remedy, choices

Item = TypeVar("Item")


def opened(document: Document, name: str, run: Run | None = None, is_shown: bool = True) -> Document:
    """The subgraph of the call `name` as a document, its inputs holding the operands' values of `run`.

    Without a run the document is run for it. An operand that a fault keeps from running leaves its input empty. The
    gradients are those of the function's result; run it with the seed `run.gradient(name)` for those of the whole.
    One that is not shown needs no layout.
    """
    call, function = call_of(document, name)
    run = run or compile(document).run()
    values = [None if source is None else _value(run, source) for source in call.inputs]
    inputs = {
        label: Node(label, "input", value=None if value is None else as_value(value), gradient=True)
        for label, value in zip(function.inputs, _filled(values, len(function.inputs)), strict=True)
    }
    nodes, title = {**inputs, **function.nodes}, f"{name}: {call.op}"
    opened_ = Document(nodes, function.output, title, document.dtype, function.layout, functions=document.functions)
    opened_ = _arranged(opened_) if is_shown else opened_
    return replace(opened_, extra=_own_extra(function.extra))


def opened_gradient(document: Document, name: str, run: Run | None = None) -> Document:
    """The custom gradient of the function that `name` calls, with the operands, the result and the upstream gradient of
    `run` as inputs. Without a custom gradient it has these inputs alone. The output is the first operand's gradient;
    `outputs_of` names the gradients of all.
    """
    call, function = call_of(document, name)
    run = run or compile(document).run()
    backward = function.gradient or inputs_only(function)
    upstream = run.gradient(name) if name in run.plan.index else None
    values = [None if source is None else _value(run, source) for source in call.inputs]
    values = [*_filled(values, len(function.inputs)), _value(run, name), upstream]
    inputs = {
        label: Node(label, "input", value=None if value is None else as_value(value))
        for label, value in zip(backward.inputs, values, strict=False)
    }
    output = next((one for one in backward.outputs if one is not None), None)
    nodes, title = {**inputs, **backward.nodes}, f"{name}: gradient of {call.op}"
    opened_ = _arranged(Document(nodes, output, title, document.dtype, backward.layout, functions=document.functions))
    return replace(opened_, extra={**_own_extra(backward.extra), OUTPUTS: backward.outputs})


def outputs_of(body: Document) -> tuple[str | None, ...] | None:
    """The node that is each operand's gradient in an opened custom gradient; None for any other document."""
    outputs = body.extra.get(OUTPUTS)
    return outputs if isinstance(outputs, tuple) else None


def choose_output(body: Document, slot: int, name: str | None) -> Document:
    """An opened custom gradient with another node, or none, as the gradient of the operand in `slot`."""
    outputs = outputs_of(body) or ()
    chosen = tuple(name if place == slot else old for place, old in enumerate(outputs))
    return replace(body, extra={**body.extra, OUTPUTS: chosen})


def _own_extra(extra: Mapping[str, Any]) -> dict[str, Any]:
    """The records of the nodes that are expanded in a subgraph."""
    return {key: item for key, item in extra.items() if key == KEY}


def _with_extra_of(extra: Mapping[str, Any], body: Document) -> dict[str, Any]:
    """The `extra` of a function with the records of its edited subgraph."""
    return {key: item for key, item in extra.items() if key != KEY} | _own_extra(body.extra)


def inputs_only(function: Function) -> Backward:
    """The inputs of a custom gradient that is still to be written."""
    result = fresh_name(function.inputs, function.output if function.output not in function.inputs else "y")
    upstream = fresh_name([*function.inputs, result], "upstream")
    return Backward((*function.inputs, result, upstream), {}, (None,) * len(function.inputs))


def _value(run: Run, name: str) -> np.ndarray | None:
    return run.value(name) if name in run.plan.index else None


def _filled(values: list[Item | None], count: int) -> list[Item | None]:
    return [*values, *[None] * count][:count]


def _arranged(opened_: Document) -> Document:
    """The subgraph with a layout, computed where it is not complete.

    Where it was made for numbers and the call has arrays, it is computed too: no card covers another.
    """
    from cadena.core.layout.arrange import complete, uncovered

    return uncovered(complete(opened_))


def with_body(document: Document, name: str, body: Document) -> Document:
    """Replace the subgraph of the function `name` by that of `body`, which was `opened` and edited.

    Its inputs, in order, are the operands; functions that were made or renamed in it come along. Raises Refused for a
    parameter, for fewer operands while something calls the function, and for a function that would contain itself.
    """
    document, name = _with_functions_of(document, body, name)
    function = function_of(document, name)
    inputs, nodes = _split(body, name)
    if body.output is None:
        raise Refused("the function {name} has no result", "choose an output in it", name=name)
    if len(inputs) != len(function.inputs):
        if function.gradient is not None:
            raise Refused(
                "the custom gradient of {name} is for {count} operands",
                "take it away first",
                name=name,
                count=len(function.inputs),
            )
        if len(inputs) < len(function.inputs) and (calls := users(document, name)):
            raise Refused(
                "{callers} call {name} with {count} operands",
                "keep its inputs",
                callers=choices(calls),
                name=name,
                count=len(function.inputs),
            )
    changed = replace(function, inputs=inputs, nodes=nodes, output=body.output, layout=_layout(body))
    changed = replace(changed, extra=_with_extra_of(function.extra, body))
    written = with_function(document, name, changed)
    return _with_slots(written, name, len(inputs)) if len(inputs) > len(function.inputs) else written


def _with_slots(document: Document, name: str, count: int) -> Document:
    """Give all calls of a function `count` slots; new ones are open, to be wired."""

    def widened(nodes: Mapping[str, Node]) -> Mapping[str, Node]:
        return {
            one: with_fields(node, inputs=tuple(_filled(list(node.inputs), count))) if node.op == name else node
            for one, node in nodes.items()
        }

    functions = {one: over_nodes(function, widened) for one, function in document.functions.items()}
    return replace(document, nodes=widened(document.nodes), functions=functions)


def with_gradient(
    document: Document, name: str, body: Document, outputs: Sequence[str | None] | None = None
) -> Document:
    """Replace the custom gradient of the function `name` by `body`, which was `opened_gradient` and edited.

    `outputs` names for each operand the node that is its gradient, or None; by default it is `outputs_of(body)`. Raises
    Refused like `with_body`.
    """
    document, name = _with_functions_of(document, body, name)
    function = function_of(document, name)
    inputs, nodes = _split(body, f"the custom gradient of {name}")
    outputs = tuple(outputs if outputs is not None else outputs_of(body) or ())
    for label, output in zip(function.inputs, outputs, strict=False):
        if output is not None and output not in body.nodes:
            raise Refused(
                "there is no node {output} to be the gradient of {label}",
                "choose another for it, or none",
                output=output,
                label=label,
            )
    backward = replace(function.gradient or inputs_only(function), inputs=inputs, nodes=nodes, outputs=outputs)
    backward = replace(backward, layout=_layout(body), extra=_with_extra_of(backward.extra, body))
    changed = replace(function, gradient=backward)
    return with_function(document, name, changed)


def _split(body: Document, where: str) -> tuple[tuple[str, ...], dict[str, Node]]:
    """The inputs of an edited subgraph, and its nodes. Raises Refused for a leaf that it cannot hold."""
    inputs = tuple(name for name, node in body.nodes.items() if node.op == "input")
    nodes = {name: node for name, node in body.nodes.items() if node.op != "input"}
    for name, node in nodes.items():
        if node.op in LEAVES and node.op != "constant":
            raise Refused(
                "{name} is a {op}, which {where} cannot hold",
                "make it an input or a constant",
                name=name,
                op=node.op,
                where=where,
            )
    return inputs, nodes


def _layout(body: Document) -> dict[str, tuple[float, float]]:
    return {name: at for name, at in body.layout.items() if name in body.nodes}


def _with_functions_of(document: Document, body: Document, name: str) -> tuple[Document, str]:
    """Take over the functions of an edited subgraph; also returns the name of the function `name` there.

    Edits keep the order of functions and put new ones last, so that one in the place of another is that one renamed.
    """
    both = zip(document.functions, body.functions, strict=False)
    names = {old: new for old, new in both if old not in body.functions and new not in document.functions}
    for old, new in names.items():
        document = rename_function(document, old, new)
    if body.functions is not document.functions:
        document = replace(document, functions={**document.functions, **body.functions})
    return document, names.get(name, name)


class Compared(msgspec.Struct, frozen=True):
    """The gradient that one operand of a call gets by the custom gradient and by the chain rule, of its shape."""

    slot: int
    operand: str
    custom: np.ndarray | None  # None where no gradient comes back
    automatic: np.ndarray | None


def compare_gradients(document: Document, name: str, run: Run | None = None) -> tuple[Compared, ...]:
    """Compare the contributions of the call `name` to its operands' gradients with and without its custom gradient.

    Both start from the same upstream gradient, that of `run`: without a run the document is run for it, and from ones
    where the output does not depend on the call. Raises Refused for a call that cannot run, or has no custom gradient.
    """
    call, function = call_of(document, name)
    if function.gradient is None:
        raise Refused("{op} has no custom gradient", "its gradient is the automatic one", op=call.op)
    run = run or compile(document).run()
    y = run.value(name)
    if y is None:
        raise Refused("{node} cannot run", Remedy.SEE_FAULT, node=name)
    upstream = run.gradient(name)
    upstream = np.ones_like(y) if upstream is None else upstream
    operands = [np.asarray(run.value(str(source))) for source in call.inputs]
    plain = {**document.functions, call.op: replace(function, gradient=None)}
    with np.errstate(all="ignore"):
        both = [operations(each)[call.op].parts(upstream, y, operands) for each in (document.functions, plain)]
    return tuple(
        Compared(slot, str(source), *parts)
        for slot, (source, *parts) in enumerate(zip(call.inputs, *both, strict=True))
    )
