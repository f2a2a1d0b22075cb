"""A flattened document: nodes as numbers, operations in order, shapes checked, faults listed; computed once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any, TypeVar
from weakref import proxy

import numpy as np

from cadena.core.functions.body import FunctionFault
from cadena.core.functions.calls import operation
from cadena.core.graph import order as graph
from cadena.core.graph.document import LEAVES, Document, Node, Tensor
from cadena.core.graph.fault import Fault, Kind
from cadena.core.graph.recorded import without_value
from cadena.core.graph.wiring import Wiring, wiring
from cadena.core.ops.memory import fitting
from cadena.core.ops.primitive import AttributeFault, Primitive, Shape, ShapeError
from cadena.core.ops.walk import Instruction
from cadena.core.run import table
from cadena.core.run.collecting import no_collection
from cadena.core.run.table import Draft, Table, Ways, fits, of_operations

Fact = TypeVar("Fact")


@dataclass(eq=False)  # a plan is equal to itself only: columns of numbers have no truth value
class Plan:
    """The flat graph that passes walk: `shapes[i]` is None for a node that cannot run; `reaches[i]`: it has a gradient.

    The operations are in `drafts` or, for large graphs of numbers, in a table; `instructions` has them in either case.
    """

    names: list[str]
    index: dict[str, int]
    leaves: list[int]
    shapes: list[Shape | None]
    output: int | None = None
    reaches: np.ndarray = field(init=False)  # for each node whether it has a gradient
    drafts: list[Draft] = field(default_factory=list)
    columns: Table | None = None
    wired: Wiring | None = None  # of a large document: its nodes and wires as columns
    ways: Ways | None = None  # of a table that was read
    faults: list[Fault] = field(default_factory=list)
    _facts: dict[Any, Any] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        """The number of operations."""
        return len(self.drafts if self.columns is None else self.columns.outs)

    @cached_property
    def instructions(self) -> list[Instruction]:
        """The operations one by one; built when first read, since large graphs run without."""
        with no_collection():
            drafts = self.drafts if self.columns is None else _drafts(self.columns)
            return [Instruction(*draft, _active_slots(draft, self.reached)) for draft in drafts]

    @cached_property
    def instruction_of(self) -> Mapping[int, Instruction]:
        """The instruction that computes each node, by node number."""
        if self.columns is not None:
            return _Instructions(self.columns, self.reaches)
        return {item.out: item for item in self.instructions}

    @property
    def is_of_numbers(self) -> bool:
        """Whether it is known, without a look at each node, that all are single numbers and run."""
        return self.columns is not None

    @cached_property
    def shapes_by_name(self) -> dict[str, Shape | None]:
        """The shape of each node; None for one that cannot run."""
        return dict.fromkeys(self.index, ()) if self.is_of_numbers else dict(zip(self.names, self.shapes, strict=True))

    def shape_of(self, name: str) -> Shape | None:
        """The shape of a node; None for one that cannot run, or is not there."""
        return self.shapes[self.index[name]] if name in self.index else None

    @cached_property
    def numbers(self) -> int:
        """How many numbers all nodes that run have together."""
        return len(self.names) if self.is_of_numbers else sum(prod(shape) for shape in self.shapes if shape is not None)

    @cached_property
    def runs(self) -> np.ndarray:
        """For each node whether it runs."""
        if self.is_of_numbers:
            return np.ones(len(self.names), dtype=bool)
        return np.array([shape is not None for shape in self.shapes], dtype=bool)

    @cached_property
    def levels(self) -> np.ndarray:
        """How many operations the longest path to each node has, itself included, where all are in a table."""
        assert self.table is not None
        return self.ways.levels if self.ways is not None else table.levels(self.table, len(self.names))

    @cached_property
    def reached(self) -> list[bool]:
        """`reaches` as a list."""
        reached: list[bool] = self.reaches.tolist()
        return reached

    @cached_property
    def active(self) -> np.ndarray:
        """By slot and operation of the table, the wires whose contribution the reverse pass computes."""
        assert self.table is not None
        return table.active_slots(self.table, self.reaches)

    @property
    def order(self) -> list[int]:
        """The numbers of the nodes that the operations compute, in order."""
        return [draft[0] for draft in self.drafts] if self.columns is None else self.columns.outs.tolist()

    @cached_property
    def carrying(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The wires through which a gradient flows, in the order of the reverse pass: nodes, slots and operands."""
        if self.columns is not None:
            return table.carrying_back(self.columns, self.active)
        wires = [(item.out, slot, item.operands[slot]) for item in reversed(self.instructions) for slot in item.active]
        node, slot, operand = np.array(wires, dtype=np.intp).reshape(-1, 3).T
        return node, slot, operand

    @cached_property
    def choosing(self) -> frozenset[tuple[int, int]]:
        """The wires through which no gradient flows, as number of the node and slot."""
        if self.columns is not None:
            return frozenset(table.choosing(self.columns))
        return frozenset((draft[0], slot) for draft in self.drafts for slot in draft[1].choosers)

    @cached_property
    def table(self) -> Table | None:
        """The operations as columns, if all are elementwise, on single numbers and keep the number type; else None."""
        if self.columns is not None:
            return self.columns
        fitting = all(fits(record) and "dtype" not in attributes for _, record, _, attributes in self.drafts)
        return of_operations(self.drafts) if fitting and all(self.shapes[leaf] == () for leaf in self.leaves) else None

    def once(self, find: Callable[[Plan], Fact]) -> Fact:
        """What `find` makes of this plan, made once: programs that differ in values alone share their plan.

        It refers to the plan weakly. Else the two would hold each other, and Python would end such a circle only after
        some hundred edits.
        """
        if find not in self._facts:
            self._facts[find] = find(proxy(self))
        fact: Fact = self._facts[find]
        return fact


class _Instructions(Mapping[int, Instruction]):
    """The instructions of a table, each made when it is asked for: a person looks at a few of many thousand."""

    def __init__(self, columns: Table, reaches: np.ndarray) -> None:
        self._columns, self._reaches, self._kept = columns, reaches, dict[int, Instruction]()

    def __getitem__(self, out: int) -> Instruction:
        known = self._kept.get(out)
        if known is None:
            if (place := int(self._places[out]) if out < len(self._places) else -1) < 0:
                raise KeyError(out)
            draft = self._columns.draft(place)
            known = self._kept[out] = Instruction(*draft, _active_slots(draft, self._reaches))
        return known

    @cached_property
    def _places(self) -> np.ndarray:
        """The place in the table of the operation that computes each node; -1 for leaves."""
        places = np.full(len(self._reaches), -1)
        places[self._columns.outs] = np.arange(len(self._columns.outs))
        return places

    def __iter__(self) -> Iterator[int]:
        return iter(self._columns.outs.tolist())

    def __len__(self) -> int:
        return len(self._columns.outs)


MANY = 64  # nodes: what is smaller is read node by node in less time


def make_plan(
    document: Document, output: str | None, wrt: Collection[str] | None, before: Wiring | None = None
) -> Plan:
    """The plan of `document` for the gradients of `output`, with respect to leaves with a gradient or to `wrt`.

    `before` is the wiring before an edit: what stayed is not read again.
    """
    with no_collection():
        columns = wired = None
        if len(document.nodes) >= MANY:
            wired = before.edited(document.nodes) if before is not None else wiring(document.nodes)
            columns = table.read(document, wired)
        if wired is None or columns is None:
            plan = _general_plan(document)
            plan.wired, plan.output = wired, _output_number(plan, output)
            plan.reaches = np.array(_reached(plan, document, wrt), dtype=bool)
            return plan
        leaves = np.flatnonzero(wired.leaves).tolist()
        plan = Plan(wired.names, wired.numbers, leaves, [()] * len(wired.names), columns=columns, wired=wired)
        plan.output = _output_number(plan, output)
        wanted = wired.columns.wanted if wrt is None else np.fromiter(map({*wrt}.__contains__, plan.names), bool)
        plan.ways = table.ways(columns, plan.output, wanted)
        plan.reaches = (plan.ways.below & plan.ways.above)[:-1]
    return plan


def _drafts(columns: Table) -> list[Draft]:
    """The operations of a table one by one."""
    kinds, codes, outs, operands = columns
    records = [(kind.primitive, kind.attributes, len(kind.primitive.slots)) for kind in kinds]
    rows = zip(outs.tolist(), codes.tolist(), zip(*operands.tolist(), strict=True), strict=True)
    return [(out, records[code][0], operands[: records[code][2]], records[code][1]) for out, code, operands in rows]


def _general_plan(document: Document) -> Plan:
    """The plan of nodes in any order, of any shape, with any faults."""
    ordered, cycles = graph.order(document)
    names = list(document.nodes)
    plan = Plan(names, dict(zip(names, range(len(names)), strict=True)), [], [None] * len(names))
    plan.faults += [_cycle_fault(path) for path in cycles]
    on_cycle = {name for path in cycles for name in path}
    for name in ordered:
        if name not in on_cycle and (draft := _place(plan, document, document.nodes[name])):
            plan.drafts.append(draft)
    return plan


def _cycle_fault(path: tuple[str, ...]) -> Fault:
    operands = {"path": " → ".join(path)}
    what = "{node} depends on itself: {path}"
    return Fault(path[0], Kind.CYCLE, what, "remove one of these wires", operands, path=path, names_node=True)


def _place(plan: Plan, document: Document, node: Node) -> Draft | None:
    """The draft of a node's instruction; leaves and nodes with a fault have none. Those behind a fault stay silent."""
    number = plan.index[node.name]
    if node.op in LEAVES:
        if node.value is None:
            plan.faults.append(without_value(node))
        else:
            plan.shapes[number] = node.value.shape if isinstance(node.value, Tensor) else ()
            plan.leaves.append(number)
        return None
    operands = tuple([plan.index.get(source, -1) if source is not None else -1 for source in node.inputs])
    primitive = operation(document, node.op)
    if primitive is None or -1 in operands or not primitive.takes(len(operands)):
        plan.faults.append(_wiring_fault(node, primitive, plan.index))
        return None
    shapes = [plan.shapes[operand] for operand in operands]
    if None in shapes:
        return None
    try:
        attributes = primitive.complete(node.attributes) if node.attributes or primitive.attributes else {}
        all_numbers = primitive.elementwise and not any(shapes)  # by far the most frequent case
        plan.shapes[number] = () if all_numbers else fitting(primitive.shape(*shapes, **attributes), plan.shapes)
    except (ValueError, TypeError, OverflowError) as error:  # ShapeError, and what numpy says to odd attributes
        if isinstance(error, FunctionFault):  # whatever the operands are
            plan.faults.append(Fault(node.name, Kind.FUNCTION, "{error}", operands={"error": error}))
            return None
        plan.faults.append(_shape_fault(node, error, shapes))
        return None
    return number, primitive, operands, attributes


def _shape_fault(node: Node, error: Exception, shapes: list[Shape | None]) -> Fault:
    """The fault of operands or attributes that do not fit; the operation is named, also where two share a rule."""
    kind = Kind.ATTRIBUTE if isinstance(error, AttributeFault) else Kind.SHAPE
    is_named = isinstance(error, ShapeError) and error.names(node.op)
    what = "{error} ({shapes})" if is_named else "{op}: {error} ({shapes})"
    return Fault(node.name, kind, what, operands={"op": node.op, "error": error, "shapes": _with_shapes(node, shapes)})


def _with_shapes(node: Node, shapes: list[Shape | None]) -> str:
    return ", ".join(f"{source} has shape {shape}" for source, shape in zip(node.inputs, shapes, strict=True))


def _wiring_fault(node: Node, primitive: Primitive | None, index: Mapping[str, int]) -> Fault:
    """The fault of a node whose operation or wires are not in order."""
    name, op = node.name, node.op
    if primitive is None:
        what = "this version does not know the operation {op}"
        return Fault(name, Kind.UNKNOWN_OPERATION, what, "choose another", {"op": op})
    slots = max(len(primitive.slots), len(node.inputs)) if primitive.variadic else len(primitive.slots)
    for slot in range(slots):
        source = node.inputs[slot] if slot < len(node.inputs) else None
        if source is None:
            operands = {"operand": primitive.slot(slot).label, "number": slot + 1}
            what, remedy = "{node} waits for its operand {operand!r}", "connect a wire to slot {number}"
            return Fault(name, Kind.OPEN_SLOT, what, remedy, operands, slot=slot, names_node=True)
        if source not in index:
            what, remedy = "{node} reads {operand}, which is not in the graph", "connect another node to slot {number}"
            missing = {"operand": source, "number": slot + 1}
            return Fault(name, Kind.MISSING_INPUT, what, remedy, missing, slot=slot, names_node=True)
    counts = {"op": op, "slots": slots, "count": len(node.inputs)}
    return Fault(name, Kind.TOO_MANY_INPUTS, "{op} takes {slots}, not {count} operands", "remove some", counts)


def _reached(plan: Plan, document: Document, wrt: Collection[str] | None) -> list[bool]:
    """Mark the nodes that get a gradient: they depend on a leaf with one, and it flows to them from the output.

    A node that such a leaf only selects, such as an argmax, gets one too, although none flows on from it.
    """
    if plan.output is None:
        return [False] * len(plan.names)
    if wrt is None:
        dependent = [False] * len(plan.names)
        for leaf in plan.leaves:
            dependent[leaf] = document.nodes[plan.names[leaf]].wants_gradient
    else:
        dependent = [*map({*wrt}.__contains__, plan.names)]
    for out, _, operands, _ in plan.drafts:
        for operand in operands:
            if dependent[operand]:
                dependent[out] = True
    above = [False] * len(plan.names)
    above[plan.output] = dependent[plan.output] = True
    for out, kind, operands, _ in reversed(plan.drafts):
        if above[out]:
            for operand in _carrying(kind, operands) if kind.choosers else operands:
                above[operand] = True
    return [up and down for up, down in zip(above, dependent, strict=True)]


def _carrying(primitive: Primitive, operands: tuple[int, ...]) -> tuple[int, ...]:
    """The operands in slots through which a gradient flows."""
    return tuple([item for slot, item in enumerate(operands) if slot not in primitive.choosers])


def _active_slots(draft: Draft, reached: list[bool] | np.ndarray) -> tuple[int, ...]:
    """The slots of an instruction whose operands get a gradient."""
    out, primitive, operands, _ = draft
    if not reached[out]:
        return ()
    slots = tuple([slot for slot, operand in enumerate(operands) if reached[operand]])
    return tuple([slot for slot in slots if slot not in primitive.choosers]) if primitive.choosers else slots


def _output_number(plan: Plan, output: str | None) -> int | None:
    if output is None:
        return None
    if output not in plan.index:
        what = "the output {node} is not in the graph"
        plan.faults.append(Fault(output, Kind.OUTPUT, what, "choose another output", names_node=True))
        return None
    number = plan.index[output]
    return number if plan.shapes[number] is not None else None
