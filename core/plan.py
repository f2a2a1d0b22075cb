"""A document made flat: nodes as numbers, operations in order, shapes checked, faults found; made once per graph."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from core import graph
from core.document import Document, Node, Tensor
from core.fault import Fault
from core.primitive import REGISTRY, Primitive, Shape, ShapeError


class Instruction(NamedTuple):
    """One operation of the plan: the number of its node, its record, its operands' numbers and its attributes."""

    out: int
    primitive: Primitive
    operands: tuple[int, ...]
    attributes: dict[str, Any]
    wanted: tuple[int, ...]  # the slots whose operand's gradient the reverse pass computes


@dataclass
class Plan:
    """What the passes walk. `shapes[i]` is None for a node that cannot run; `reached[i]`: it gets a gradient."""

    names: list[str]
    index: dict[str, int]
    leaves: list[int]
    instructions: list[Instruction]
    shapes: list[Shape | None]
    reached: list[bool]
    output: int | None
    faults: list[Fault] = field(default_factory=list)


def make_plan(document: Document, output: str | None, wrt: Collection[str] | None) -> Plan:
    """The plan of `document` for the gradients of `output`, with respect to the leaves that want one or to `wrt`."""
    ordered, cycles = graph.order(document)
    names = list(document.nodes)
    index = {name: number for number, name in enumerate(names)}
    plan = Plan(names, index, [], [], [None] * len(names), [False] * len(names), None)
    plan.faults += [_cycle_fault(path) for path in cycles]
    on_cycle = {name for path in cycles for name in path}
    for name in ordered:
        if name not in on_cycle:
            _place(plan, document.nodes[name], document)
    _find_reached(plan, document, output, wrt)
    return plan


def _cycle_fault(path: tuple[str, ...]) -> Fault:
    message = f"{path[0]} depends on itself: {' → '.join(path)}; remove one of these wires"
    return Fault(path[0], "cycle", message, path=path)


def _place(plan: Plan, node: Node, document: Document) -> None:
    """Add one node to the plan, or the fault that keeps it out. Nodes behind a fault stay out silently."""
    number = plan.index[node.name]
    if node.is_leaf:
        if node.value is None:
            plan.faults.append(Fault(node.name, "no-value", f"{node.name} has no value; type one in the inspector"))
            return
        plan.shapes[number] = node.value.shape if isinstance(node.value, Tensor) else ()
        plan.leaves.append(number)
        return
    fault = _wiring_fault(node, document)
    if fault:
        plan.faults.append(fault)
        return
    operands = tuple(plan.index[source] for source in node.inputs if source is not None)
    shapes = [plan.shapes[operand] for operand in operands]
    if None in shapes:
        return
    primitive = REGISTRY[node.op]
    try:
        attributes = primitive.complete(node.attributes) if node.attributes or primitive.attributes else {}
        all_numbers = primitive.elementwise and not any(shapes)  # by far the most frequent case
        plan.shapes[number] = () if all_numbers else primitive.shape(*shapes, **attributes)
    except (ShapeError, TypeError) as error:
        kind = "attribute" if "attribute" in str(error) else "shape"
        plan.faults.append(Fault(node.name, kind, f"{node.name}: {error} ({_operands_with_shapes(node, shapes)})"))
        return
    plan.instructions.append(Instruction(number, primitive, operands, attributes, ()))


def _operands_with_shapes(node: Node, shapes: list[Shape | None]) -> str:
    return ", ".join(f"{source} has shape {shape}" for source, shape in zip(node.inputs, shapes, strict=True))


def _wiring_fault(node: Node, document: Document) -> Fault | None:
    """The fault of a node whose operation or wires are not in order, if any."""
    name, op = node.name, node.op
    if op not in REGISTRY:
        message = f"{name}: this version does not know the operation {op}; choose another"
        return Fault(name, "unknown-operation", message)
    slots = REGISTRY[op].slots
    if len(node.inputs) > len(slots):
        message = f"{name}: {op} takes {len(slots)}, not {len(node.inputs)} operands; remove some"
        return Fault(name, "too-many-inputs", message)
    for slot, rule in enumerate(slots):
        source = node.inputs[slot] if slot < len(node.inputs) else None
        if source is None:
            message = f"{name} waits for its operand {rule.label!r}; connect a wire to slot {slot + 1}"
            return Fault(name, "open-slot", message, slot=slot)
        if source not in document.nodes:
            message = f"{name} reads {source}, which is not in the graph; connect another node to slot {slot + 1}"
            return Fault(name, "missing-input", message, slot=slot)
    return None


def _find_reached(plan: Plan, document: Document, output: str | None, wrt: Collection[str] | None) -> None:
    """Mark the nodes that get a gradient: on a way from a wanted leaf to the output."""
    count = len(plan.names)
    if wrt is None:
        wanted = [node.wants_gradient for node in document.nodes.values()]
    else:
        wanted = [name in wrt for name in plan.names]
    for out, _, operands, _, _ in plan.instructions:
        wanted[out] = wanted[out] or any(wanted[operand] for operand in operands)
    number = _output_number(plan, output)
    if number is None:
        return
    plan.output = number
    above = [False] * count
    above[number] = True
    for out, _, operands, _, _ in reversed(plan.instructions):
        if above[out]:
            for operand in operands:
                above[operand] = True
    plan.reached = [up and down for up, down in zip(above, wanted, strict=True)]
    plan.reached[number] = True
    plan.instructions = [_with_wanted(item, plan.reached) for item in plan.instructions]


def _with_wanted(item: Instruction, reached: list[bool]) -> Instruction:
    if not reached[item.out]:
        return item
    return item._replace(wanted=tuple(slot for slot, operand in enumerate(item.operands) if reached[operand]))


def _output_number(plan: Plan, output: str | None) -> int | None:
    if output is None:
        return None
    if output not in plan.index:
        plan.faults.append(Fault(output, "output", f"the output {output} is not in the graph; choose another output"))
        return None
    number = plan.index[output]
    return number if plan.shapes[number] is not None else None
