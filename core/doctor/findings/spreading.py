"""Which nodes are enough to look at to know that all numbers of a run are finite.

Most operations pass an inf or nan on: a sum with one among its summands is inf or nan itself, and so is a product, as
0 · inf is nan. Where the result of such an operation is finite, its operands need no look. Of gradients nearly always
only those of the leaves do, since a contribution is a product.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cadena.core.doctor.findings.kept import once_a_plan
from cadena.core.ops.primitive import Primitive
from cadena.core.ops.traits import Trait
from cadena.core.run.table import Table, wanted_slots

if TYPE_CHECKING:
    from cadena.core.run.plan import Plan
    from cadena.core.run.program import Run


class Telling(NamedTuple):
    """The numbers of nodes: where all these are finite, all are."""

    values: list[int]
    gradients: list[int]


@once_a_plan
def telling(run: Run) -> Telling:
    """The nodes whose values, and those whose gradients, tell for all."""
    table = run.program.passes.table
    return _of_plan(run.plan) if table is None else _of_table(run.plan, table)


def spreads_value(primitive: Primitive, slot: int) -> bool:
    """Whether an inf or nan in the operand makes one in the result, whatever the other operands are."""
    is_numerator = Trait.QUOTIENT in primitive.traits and slot < len(primitive.slots) - 1
    return is_numerator or Trait.SPREADS in primitive.traits


def spreads_gradient(primitive: Primitive, slot: int) -> bool:
    """Whether an inf or nan in the upstream gradient makes one in the contribution to the operand."""
    if primitive.elementwise:
        return primitive.slot(slot).partial is not None  # a product with the upstream gradient
    return Trait.SPREADS in primitive.traits


def _of_plan(plan: Plan) -> Telling:
    silent, told = set[int](), set[int]()
    if any(shape and 0 in shape for shape in plan.shapes):  # an empty array passes nothing on
        everything = [number for number, shape in enumerate(plan.shapes) if shape is not None]
        return Telling(everything, [number for number in everything if plan.reached[number]])
    for out, primitive, operands, _, wanted in plan.instructions:
        silent.update(operand for slot, operand in enumerate(operands) if spreads_value(primitive, slot))
        if any(spreads_gradient(primitive, slot) for slot in wanted):
            told.add(out)
    values = [number for number, shape in enumerate(plan.shapes) if shape is not None and number not in silent]
    return Telling(values, [number for number, here in enumerate(plan.reached) if here and number not in told])


def _of_table(plan: Plan, table: Table) -> Telling:
    slots = range(len(table.operands))
    spreading = np.array(
        [[slot < len(kind.primitive.slots) and spreads_value(kind.primitive, slot) for kind in table.kinds]
         for slot in slots], dtype=bool,
    )  # fmt: skip
    loud = np.array([shape is not None for shape in plan.shapes], dtype=bool)
    loud[table.operands[spreading[:, table.codes]]] = False
    reached = np.array(plan.reached, dtype=bool)
    reached[table.outs[wanted_slots(table, plan.reached).any(axis=0)]] = False
    return Telling(np.flatnonzero(loud).tolist(), np.flatnonzero(reached).tolist())
