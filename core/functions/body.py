"""A flattened subgraph, independent of shapes: its rules are those of its nodes, one after the other.

The records' own rules compute it, so it works on arrays, on traced values (and is differentiated again) and on symbols
(and is printed).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import msgspec
import numpy as np

from cadena.core.graph import order as graph
from cadena.core.graph.document import Document, Node, Tensor, Value, as_array
from cadena.core.ops import walk
from cadena.core.ops.expression import Symbol
from cadena.core.ops.memory import fitting
from cadena.core.ops.primitive import REGISTRY, Primitive, Shape, ShapeError
from cadena.core.ops.walk import Instruction, vjps

OperandTangents = Mapping[int, Any]
Evaluate = Callable[[Primitive, list[Any], dict[str, Any]], Any]  # an operation on its operands, with its attributes


class FunctionFault(ShapeError):
    """An invalid function, or an invalid node in one; the message is a clause fit for the user."""


class Body(msgspec.Struct, frozen=True):
    """Nodes by number: the inputs first, then the constants, then the operations with operands before consumers."""

    names: tuple[str, ...]
    inputs: int
    constants: tuple[Value, ...]
    steps: tuple[Instruction, ...]
    outputs: tuple[int | None, ...]
    carrying: frozenset[int]  # the inputs from which a gradient flows to an output

    def values(self, operands: Sequence[Any], evaluate: Evaluate | None = None) -> list[Any]:
        """The value of every node, for arrays, traced values or symbols as operands; `evaluate` computes one operation
        (default: its record's rule)."""
        evaluate = evaluate or _evaluator(operands)
        values = [*operands, *self._constants(operands)]
        for step in self.steps:
            values.append(evaluate(step.primitive, [values[i] for i in step.operands], step.attributes))
        return values

    def _constants(self, operands: Sequence[Any]) -> list[Any]:
        """The constants in the number type of the operands, as they would be in a run; plain numbers for symbols."""
        if any(isinstance(operand, Symbol) for operand in operands):
            return list(self.constants)
        dtype = np.result_type(*(operand.dtype for operand in operands))
        dtype = np.finfo(dtype).dtype if dtype.kind == "c" else dtype  # constants of complex operands are real
        with np.errstate(over="ignore"):  # 1e300 is inf in float32
            return [as_array(value).astype(dtype)[()] for value in self.constants]

    def shapes(self, operands: Sequence[Shape]) -> list[Shape]:
        """The shape of every node. Raises ShapeError, naming the node that does not fit (also into the memory)."""
        shapes = [*operands, *(value.shape if isinstance(value, Tensor) else () for value in self.constants)]
        for step in self.steps:
            operand_shapes = [shapes[i] for i in step.operands]
            try:
                shapes.append(fitting(_shape(step, operand_shapes), shapes))
            except (ValueError, TypeError, OverflowError) as error:
                raise ShapeError("node {node}: {error}", node=self.names[step.out], error=error) from None
        return shapes

    def pull(self, values: Sequence[Any], upstream: Sequence[tuple[int, Any]]) -> list[Any]:
        """The gradient of each input (None without one) when the numbered nodes have these upstream gradients."""
        gradients: list[Any] = [None] * len(values)
        for number, part in upstream:
            gradients[number] = _sum(gradients[number], part)
        on_symbols = any(isinstance(part, Symbol) for _, part in upstream)
        return walk.pull(self.steps, values, gradients, _on_symbols if on_symbols else vjps)[: self.inputs]

    def push(self, values: Sequence[Any], tangents: OperandTangents, output: int) -> Any:
        """The tangent of node `output` when the inputs move along `tangents`; None when it does not move."""
        moved = dict(tangents)
        for step in self.steps:
            own = {slot: moved[step.operands[slot]] for slot in step.active if step.operands[slot] in moved}
            if own:
                operands = [values[i] for i in step.operands]
                moved[step.out] = step.primitive.jvps(own, values[step.out], operands, step.attributes)
        return moved.get(output)


def _evaluator(operands: Sequence[Any]) -> Evaluate:
    """The way to compute one operation: its record's rule, or a recording by a trace when an operand is traced."""
    for operand in operands:
        if hasattr(operand, "apply_operation"):
            return cast(Evaluate, operand.apply_operation)
    return lambda primitive, operands, attributes: primitive.value(*operands, **attributes)


def _shape(step: Instruction, shapes: list[Shape]) -> Shape:
    if step.primitive.elementwise and not any(shapes):
        return ()
    return step.primitive.shape(*shapes, **step.attributes)


def _sum(before: Any, part: Any) -> Any:
    return part if before is None else before + part


def _on_symbols(step: Instruction, upstream: Symbol, y: Any, operands: list[Any]) -> Iterator[tuple[int, Any]]:
    """Upstream gradient times local derivative as formulas, for an elementwise operation."""
    for slot in step.active:
        own = step.primitive.slot(slot)
        rule = cast("Callable[..., Any]", own.shown or own.partial)
        yield slot, upstream * rule(y, *operands)


def flatten(
    inputs: Sequence[str], nodes: Mapping[str, Node], outputs: Sequence[str | None], known: Mapping[str, Primitive]
) -> Body:
    """The body of a subgraph; `known` holds the functions that it may call. Nodes that no output needs are left out.

    Raises FunctionFault where the subgraph is invalid.
    """
    order = _in_order(inputs, nodes, outputs)
    constants = [node for node in order if node.op == "constant"]
    operations = [node for node in order if node.op != "constant"]
    if empty := next((node.name for node in constants if node.value is None), None):
        raise FunctionFault("node {empty} has no value", "give it one", empty=empty)
    names = [*inputs, *(node.name for node in [*constants, *operations])]
    index = {name: number for number, name in enumerate(names)}
    drafts = [_step(node, index, known) for node in operations]
    targets = tuple(index[name] if name is not None else None for name in outputs)
    moving = set(range(len(inputs)))  # what changes with an input
    steps = []
    for step in drafts:
        active = tuple(slot for slot in step.active if step.operands[slot] in moving)
        steps.append(step._replace(active=active))
        moving |= {step.out} if active else set()
    above = {target for target in targets if target is not None}
    for step in reversed(steps):
        above |= {step.operands[slot] for slot in step.active} if step.out in above else set()
    values = tuple(cast(Value, node.value) for node in constants)
    return Body(tuple(names), len(inputs), values, tuple(steps), targets, frozenset(above & set(range(len(inputs)))))


def _in_order(inputs: Sequence[str], nodes: Mapping[str, Node], outputs: Sequence[str | None]) -> list[Node]:
    """The nodes that the outputs need, operands before consumers."""
    if len(set(inputs)) < len(inputs) or set(inputs) & nodes.keys():
        raise FunctionFault(
            "two things in it have the same name", "its operands are {inputs}", inputs=", ".join(inputs)
        )
    subgraph = Document({**{name: Node(name, "input") for name in inputs}, **nodes})
    for output in outputs:
        if output is not None and output not in subgraph.nodes:
            raise FunctionFault("there is no node {output} for its result", "choose one of its nodes", output=output)
    ordered, cycles = graph.order(subgraph)
    if cycles:
        raise FunctionFault(
            "node {node} depends on itself: {path}",
            "remove one of the wires",
            node=cycles[0][0],
            path=" → ".join(cycles[0]),
        )
    needed = set[str]().union(*(graph.ancestors(subgraph, name) for name in outputs if name is not None))
    return [nodes[name] for name in ordered if name in needed and name in nodes]


def _step(node: Node, index: Mapping[str, int], known: Mapping[str, Primitive]) -> Instruction:
    primitive = known.get(node.op) or REGISTRY.get(node.op)
    if primitive is None:
        raise _no_operation(node)
    count = len(node.inputs)
    if not primitive.takes(count):
        what = "node {node}: {op} takes {slots}, not {count} operands"
        if primitive.variadic:
            what = "node {node}: {op} takes at least 1, not {count} operands"
        raise FunctionFault(
            what, "correct its wires", node=node.name, op=node.op, slots=len(primitive.slots), count=count
        )
    for slot, source in enumerate(node.inputs):
        if source not in index:
            what = "node {node} reads {source}, which is not in the function"
            remedy = "connect a node of the function to slot {slot}"
            if not source:
                what = "node {node} waits for an operand"
            raise FunctionFault(what, remedy, node=node.name, source=source, slot=slot + 1)
    try:
        attributes = primitive.complete(node.attributes)
    except ShapeError as error:
        raise FunctionFault("node {node}: {error}", node=node.name, error=error) from None
    slots = tuple(slot for slot in range(count) if primitive.slot(slot).differentiable)
    return Instruction(index[node.name], primitive, tuple(index[str(name)] for name in node.inputs), attributes, slots)


def _no_operation(node: Node) -> FunctionFault:
    what, remedy = "node {node}: this version does not know the operation {op}", "choose another"
    if node.op in ("parameter", "input"):
        what, remedy = "node {node}: a function holds no {op}", "make it an operand of the function, or a constant"
    return FunctionFault(what, remedy, node=node.name, op=node.op)
