"""Which steps of the reverse pass a gradient can have vanished in: a quick look, before the slow one at each of them.

A step is one where a gradient that is not tiny (0 or subnormal) comes down and the operand's is tiny. In graphs of
numbers all steps are looked at together.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cadena.core.doctor.findings.bulk import all_low, all_sizes, fed_leaves, picked, places_with, tiny_of
from cadena.core.doctor.findings.kept import once_a_plan, once_a_run
from cadena.core.doctor.findings.relus import has_dead_unit
from cadena.core.functions.calls import Call
from cadena.core.ops.arithmetic import multiply
from cadena.core.ops.primitive import Primitive
from cadena.core.ops.softmax import softmax
from cadena.core.ops.traits import Trait
from cadena.core.run.plan import Instruction
from cadena.core.run.table import wanted_slots

if TYPE_CHECKING:
    from cadena.core.run.program import Run

FEW_LEAVES, FEW_STEPS = 4, 32  # with more, all steps of a graph of numbers are looked at together
Found = tuple[int, int]  # the number of the operation's node, and the slot
Step = tuple[Instruction, int]  # an operation and the slot of the operand to which the gradient goes


def suspicious(run: Run, steps: Iterator[Step]) -> Iterator[Step]:
    """Those of the steps towards starved leaves that are worth a look."""
    if run.program.passes.table is None:
        yield from (step for step in steps if can_vanish(step[0].primitive) and _may(run, *step))
        return
    first = list(islice(steps, FEW_STEPS)) if len(starved(run)) <= FEW_LEAVES else []
    if 0 < len(first) < FEW_STEPS:
        yield from (step for step in first if _may_number(run, *step))
    elif found := _of_numbers(run):  # none: nothing is looked at one by one
        yield from ((item, slot) for item, slot in chain(first, steps) if (item.out, slot) in found)


# --- leaves


@once_a_run
def starved(run: Run) -> list[int]:
    """The leaves whose gradient is 0 or subnormal, in some place."""
    leaves, tiny = fed_leaves(run), tiny_of(run.dtype)
    if run.program.passes.table is not None:
        found: list[int] = (all_low(run) & _is_fed(run)).nonzero()[0].tolist()
        return found
    arrays = [run.gradients[leaf] for leaf in leaves.tolist()]
    return leaves[places_with(lambda flat: np.abs(flat) < tiny, arrays)].tolist()  # type: ignore[no-any-return]


@once_a_plan
def _is_fed(run: Run) -> np.ndarray:
    """Which nodes are leaves that get a gradient."""
    fed = np.zeros(len(run.plan.names), dtype=bool)
    fed[fed_leaves(run)] = True
    return fed


def is_low(run: Run, number: int) -> bool:
    """Whether the gradient of a node is 0 or subnormal somewhere."""
    if run.program.passes.table is not None:
        return bool(all_low(run)[number])
    return has_tiny(run.gradients[number], tiny_of(run.dtype))


def has_tiny(gradient: np.ndarray, tiny: float) -> bool:
    """Whether a gradient is 0 or subnormal somewhere."""
    return bool(np.fmin.reduce(np.abs(gradient), axis=None, initial=np.inf) < tiny)


# --- graphs of numbers


class Wires(NamedTuple):
    """Wires of a table in which a gradient can vanish, by column."""

    slots: np.ndarray
    operands: np.ndarray
    outs: np.ndarray
    stepped: np.ndarray  # whether the slope is 0 or at least 1/2
    honest: np.ndarray  # whether it is a product by a factor that is 0 only where it is to be
    factors: np.ndarray  # the number of this factor's node


@once_a_plan
def _wires(run: Run) -> Wires:
    table = run.program.passes.table
    assert table is not None
    kinds = [kind.primitive for kind in table.kinds]
    passing, stepped, never_zero = (
        np.array([trait in kind.traits for kind in kinds], dtype=bool)[table.codes]
        for trait in (Trait.UNIT_SLOPE, Trait.STEPPED, Trait.NEVER_ZERO)
    )
    product = np.array([kind is multiply for kind in kinds], dtype=bool)[table.codes]
    slots, places = np.nonzero(wanted_slots(table, run.plan.reached) & ~passing)
    wrongly = np.zeros(len(run.plan.names) + 1, dtype=bool)  # nodes that are 0 only by underflow; the last: MISSING
    wrongly[table.outs] = never_zero
    factors = table.operands[1 - slots, places]
    honest = product[places] & ~wrongly[factors]
    return Wires(slots, table.operands[slots, places], table.outs[places], stepped[places], honest, factors)


def _of_numbers(run: Run) -> set[Found]:
    """The suspicious steps of a graph of numbers."""
    wires, low = _wires(run), all_low(run)
    found = (low.take(wires.operands) > low.take(wires.outs)).nonzero()[0]
    found = found[~wires.honest[found] | (picked(run.values, wires.factors[found]) != 0.0)]
    if not len(found):
        return set()
    # A slope of 0 or at least 1/2 makes nothing small, but for what is nearly so already.
    found = found[~wires.stepped[found] | (all_sizes(run)[wires.outs[found]] < 2.0 * tiny_of(run.dtype))]
    return set(zip(wires.outs[found].tolist(), wires.slots[found].tolist(), strict=True))


def _may_number(run: Run, item: Instruction, slot: int) -> bool:
    """The same for one step, the operand's gradient being tiny."""
    traits, upstream, tiny = item.primitive.traits, abs(run.gradients[item.out]), tiny_of(run.dtype)
    if Trait.UNIT_SLOPE in traits or not upstream >= tiny or (Trait.STEPPED in traits and upstream >= 2.0 * tiny):
        return False
    if item.primitive is not multiply:
        return True
    factor = run.instruction_of.get(item.operands[1 - slot])
    wrongly = factor is not None and Trait.NEVER_ZERO in factor.primitive.traits
    return wrongly or bool(run.values[item.operands[1 - slot]] != 0.0)


# --- graphs of arrays


def can_vanish(primitive: Primitive) -> bool:
    """Whether a gradient can vanish in an operation at all."""
    sloped = primitive.elementwise and Trait.UNIT_SLOPE not in primitive.traits
    return sloped or primitive is softmax or isinstance(primitive, Call)


@once_a_plan
def _steps(run: Run) -> list[tuple[Instruction, int]]:
    return [(item, slot) for item in run.plan.instructions if can_vanish(item.primitive) for slot in item.wanted]


def is_clear(run: Run) -> bool:
    """Whether no gradient can have vanished.

    Where there are few steps in which it could, they are asked, since arrays of weights are large; else the leaves.
    """
    if run.program.passes.table is None and len(steps := _steps(run)) < len(fed_leaves(run)):
        return not any(_may(run, *step) for step in steps)
    return not starved(run)


def _may(run: Run, item: Instruction, slot: int) -> bool:
    primitive, operand, tiny = item.primitive, item.operands[slot], tiny_of(run.dtype)
    if Trait.CUT_OFF in primitive.traits:
        return has_dead_unit(run.values[operand])
    if primitive is softmax:
        return bool((run.values[item.out] == 1.0).any())
    if (
        Trait.STEPPED in primitive.traits
    ):  # a slope of 0 or at least 1/2 makes nothing small, but for what is nearly so already
        upstream = np.abs(run.gradients[item.out])
        return bool(((upstream >= tiny) & (upstream < 2.0 * tiny)).any())
    return has_tiny(run.gradients[operand], tiny) and bool((np.abs(run.gradients[item.out]) >= tiny).any())
