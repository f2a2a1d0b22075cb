"""Facts about a graph's wiring that its runs' checks need, computed once for all runs of a plan."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cadena.core.ops.primitive import Primitive
from cadena.core.ops.traits import Trait
from cadena.core.run.table import Table

if TYPE_CHECKING:
    from cadena.core.run.plan import Plan


class Witnesses(NamedTuple):
    """The nodes whose numbers suffice for a check: where these are finite, all are.

    Most operations pass an inf or nan on: a sum with one among its summands is inf or nan itself, and so is a product,
    as 0 · inf is nan. Where the result of such an operation is finite, its operands need no look. Of gradients nearly
    always only those of the leaves do, since a contribution is a product.
    """

    values: list[int]
    gradients: list[int]


class Depths(NamedTuple):
    """The nodes that get a gradient, each with its depth: 0 for the output, for others the longest way to it."""

    numbers: np.ndarray
    levels: np.ndarray
    total: int

    @classmethod
    def of(cls, depths: dict[int, int]) -> Depths:
        numbers, levels = (np.fromiter(items, np.intp, len(depths)) for items in (depths, depths.values()))
        return cls(numbers, levels, int(levels.max(initial=-1)) + 1)

    def first_at(self, depth: int) -> int:
        """The first node at one depth."""
        return int(self.numbers[np.argmax(self.levels == depth)])


class Structure:
    """Facts about a plan; ask `plan.once(Structure)` for them."""

    def __init__(self, plan: Plan) -> None:
        self._plan, self._table = plan, plan.table

    @cached_property
    def witnesses(self) -> Witnesses:
        return _of_plan(self._plan) if self._table is None else _of_table(self._plan, self._table)

    @cached_property
    def connected_leaves(self) -> list[int]:
        """The numbers of the leaves that get a gradient."""
        return [leaf for leaf in self._plan.leaves if self._plan.reached[leaf]]

    @cached_property
    def depths(self) -> Depths:
        if self._plan.output is None:
            return Depths.of({})
        depths = {self._plan.output: 0}
        for out, operands in self._ways_back():
            if out in depths:
                below = depths[out] + 1
                for operand in operands:
                    if below > depths.get(operand, 0):
                        depths[operand] = below
        return Depths.of(depths)

    def _ways_back(self) -> Iterator[tuple[int, list[int]]]:
        """Each operation, the last one first, with the operands to which its gradient goes."""
        if self._table is None:
            for item in reversed(self._plan.instructions):
                yield item.out, [item.operands[slot] for slot in item.active]
            return
        active, columns = self._plan.active, self._table.operands
        rows = zip(self._table.outs.tolist()[::-1], columns.T.tolist()[::-1], active.T.tolist()[::-1], strict=True)
        for out, operands, which in rows:
            yield out, [operand for operand, here in zip(operands, which, strict=True) if here]


def spreads_value(primitive: Primitive, slot: int) -> bool:
    """Whether an inf or nan in the operand makes one in the result, whatever the other operands are."""
    is_numerator = Trait.QUOTIENT in primitive.traits and slot < len(primitive.slots) - 1
    return is_numerator or Trait.SPREADS in primitive.traits


def spreads_gradient(primitive: Primitive, slot: int) -> bool:
    """Whether an inf or nan in the upstream gradient makes one in the contribution to the operand."""
    if primitive.elementwise:
        rule = primitive.slot(slot)
        return rule.partial is not None and not rule.gate  # a product with the upstream gradient
    return Trait.SPREADS in primitive.traits


def _of_plan(plan: Plan) -> Witnesses:
    spread, brought = set[int](), set[int]()
    if any(shape and 0 in shape for shape in plan.shapes):  # an empty array passes nothing on
        everything = [number for number, shape in enumerate(plan.shapes) if shape is not None]
        return Witnesses(everything, [number for number in everything if plan.reached[number]])
    for out, primitive, operands, _, active in plan.instructions:
        spread.update(operand for slot, operand in enumerate(operands) if spreads_value(primitive, slot))
        if any(spreads_gradient(primitive, slot) for slot in active):
            brought.add(out)
    values = [number for number, shape in enumerate(plan.shapes) if shape is not None and number not in spread]
    return Witnesses(values, [number for number, here in enumerate(plan.reached) if here and number not in brought])


def _of_table(plan: Plan, table: Table) -> Witnesses:
    slots = range(len(table.operands))
    spreading = np.array(
        [[slot < len(kind.primitive.slots) and spreads_value(kind.primitive, slot) for kind in table.kinds]
         for slot in slots], dtype=bool,
    )  # fmt: skip
    needed = plan.runs.copy()
    needed[table.operands[spreading[:, table.codes]]] = False
    reached = plan.reaches.copy()
    reached[table.outs[plan.active.any(axis=0)]] = False
    return Witnesses(np.flatnonzero(needed).tolist(), np.flatnonzero(reached).tolist())
