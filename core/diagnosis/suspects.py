"""Which steps of the reverse pass a gradient can have vanished in: a quick look, before the slow one at each of them.

A step is one where a gradient that is not tiny (0 or subnormal) comes down and the operand's is tiny. In graphs of
numbers all steps are looked at together.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.diagnosis.bulk import all_gradients, fed_leaves, floats, leaf_sizes, places_with
from core.diagnosis.flatness import NEVER_ZERO, PASSING, STEPPED
from core.diagnosis.kept import once_a_plan, once_a_run
from core.diagnosis.relus import RELUS, has_dead_unit
from core.passes import Numbers
from core.plan import Instruction
from core.primitive import Primitive
from core.table import wanted_slots

if TYPE_CHECKING:
    from core.program import Run

FEW_STEPS = 32  # from so many on, all steps of a graph of numbers are looked at together
Step = tuple[Instruction, int]  # an operation and the slot of the operand to which the gradient goes


def suspicious(run: Run, steps: Iterator[Step], tiny: float) -> Iterator[Step]:
    """Those of the steps towards starved leaves that are worth a look."""
    table = run.program.passes.table
    if table is None:
        yield from (step for step in steps if can_vanish(step[0].primitive) and _may(run, *step, tiny))
        return
    first = list(islice(steps, FEW_STEPS)) if len(starved(run)) < FEW_STEPS else []
    if 0 < len(first) < FEW_STEPS:
        yield from (step for step in first if _may_number(run, *step, tiny))
    elif found := _of_numbers(run, tiny):  # none: nothing is looked at one by one
        yield from ((item, slot) for item, slot in chain(first, steps) if (item.out, slot) in found)


# --- leaves


@once_a_run
def starved(run: Run) -> list[int]:
    """The leaves whose gradient is 0 or subnormal, in some place."""
    leaves, tiny = fed_leaves(run), float(np.finfo(run.dtype).tiny)
    if run.program.passes.table is not None:
        sizes = leaf_sizes(run)
        found: list[int] = leaves[sizes < tiny].tolist() if np.fmin.reduce(sizes, initial=np.inf) < tiny else []
        return found
    arrays = [run.gradients[leaf] for leaf in leaves.tolist()]
    return leaves[places_with(lambda flat: np.abs(flat) < tiny, arrays)].tolist()  # type: ignore[no-any-return]


def is_low(run: Run, number: int, tiny: float) -> bool:
    """Whether the gradient of a node is 0 or subnormal somewhere."""
    if run.program.passes.table is not None:
        return bool(abs(run.gradients[number]) < tiny)
    return has_tiny(run.gradients[number], tiny)


def has_tiny(gradient: np.ndarray, tiny: float) -> bool:
    """Whether a gradient is 0 or subnormal somewhere."""
    return bool(np.fmin.reduce(np.abs(gradient), axis=None, initial=np.inf) < tiny)


# --- graphs of numbers


class Wires(NamedTuple):
    """Wires of a table through which a gradient comes, by column."""

    slots: np.ndarray
    operands: np.ndarray
    outs: np.ndarray
    others: np.ndarray  # the other factor of a product of which no factor is wrongly 0; else -1
    passing: np.ndarray
    stepped: np.ndarray

    def at(self, chosen: np.ndarray) -> Wires:
        return Wires(*(column[chosen] for column in self))


@once_a_plan
def _wires(run: Run) -> Wires:
    """Those in which a gradient can vanish."""
    every = _every_wire(run)
    return every.at(~every.passing)


@once_a_plan
def _leaf_wires(run: Run) -> tuple[np.ndarray, Wires]:
    """Those of the leaves, with the place of each one's leaf in `fed_leaves`."""
    every = _every_wire(run)
    leaf_at = np.full(len(run.plan.names), -1, dtype=np.intp)
    leaf_at[fed_leaves(run)] = np.arange(len(fed_leaves(run)))
    here = leaf_at[every.operands] >= 0
    return leaf_at[every.operands[here]], every.at(here)


def _every_wire(run: Run) -> Wires:
    table = run.program.passes.table
    assert table is not None
    kinds = [kind.primitive.name for kind in table.kinds]
    lists = [np.array([name in known for name in kinds])[table.codes] for known in (PASSING, STEPPED, ("multiply",))]
    passing, stepped, product = lists
    slots, places = np.nonzero(wanted_slots(table, run.plan.reached))
    wrongly = np.zeros(len(run.plan.names) + 1, dtype=bool)  # nodes that are 0 only by underflow; the last: MISSING
    wrongly[table.outs] = np.array([name in NEVER_ZERO for name in kinds])[table.codes]
    others = table.operands[1 - slots, places]
    others = np.where(product[places] & ~wrongly[others], others, -1)
    operands, outs = table.operands[slots, places], table.outs[places]
    return Wires(slots, operands, outs, others, passing[places], stepped[places])


def _of_numbers(run: Run, tiny: float) -> set[tuple[int, int]]:
    """The suspicious steps as (node, slot)."""
    near = None
    if not isinstance(run.gradients, np.ndarray):
        near = _next_to_leaves(run, tiny)  # where numbers have to be picked out, few are
    if near is None:
        near, sizes = _wires(run), np.abs(all_gradients(run))
        near = near.at(np.flatnonzero((sizes < tiny)[near.operands]))
    upstream = np.abs(_picked(run.gradients, near.outs))
    # A slope of 0 or at least 1/2 makes nothing small, but for what is nearly so already.
    may = ~near.passing & (upstream >= tiny) & (~near.stepped | (upstream < 2.0 * tiny))
    near = near.at(np.flatnonzero(may))
    near = near.at(~_by_zero(run, near.others))
    return set(zip(near.outs.tolist(), near.slots.tolist(), strict=True))


def _next_to_leaves(run: Run, tiny: float) -> Wires | None:
    """The wires of starved leaves, if no gradient that comes through one is tiny, so that no others need a look."""
    places, wires = _leaf_wires(run)
    near = wires.at(np.flatnonzero((leaf_sizes(run) < tiny)[places]))
    return near if (np.abs(_picked(run.gradients, near.outs)) >= tiny).all() else None


def _by_zero(run: Run, others: np.ndarray) -> np.ndarray:
    """For each of these factors (-1 for none) whether it is 0."""
    factors = _picked(run.values, others)
    by_zero: np.ndarray = (others >= 0) & (factors == 0.0)
    return by_zero


def _picked(numbers: Numbers, chosen: np.ndarray) -> np.ndarray:
    """The numbers of some nodes."""
    return numbers[chosen] if isinstance(numbers, np.ndarray) else floats([numbers[node] for node in chosen.tolist()])


def _may_number(run: Run, item: Instruction, slot: int, tiny: float) -> bool:
    """The same for one step, the operand's gradient being tiny."""
    op, upstream = item.primitive.name, abs(run.gradients[item.out])
    if op in PASSING or not upstream >= tiny or (op in STEPPED and upstream >= 2.0 * tiny):
        return False
    if op != "multiply":
        return True
    factor = run.instruction_of.get(item.operands[1 - slot])
    wrongly = factor is not None and factor.primitive.name in NEVER_ZERO
    return wrongly or bool(run.values[item.operands[1 - slot]] != 0.0)


# --- graphs of arrays


def can_vanish(primitive: Primitive) -> bool:
    """Whether a gradient can vanish in an operation at all."""
    name = primitive.name
    return name == "softmax" or (primitive.elementwise and name not in PASSING)


@once_a_plan
def _steps(run: Run) -> list[tuple[Instruction, int]]:
    return [(item, slot) for item in run.plan.instructions if can_vanish(item.primitive) for slot in item.wanted]


def is_clear(run: Run, tiny: float) -> bool:
    """Whether no gradient can have vanished.

    Where there are few steps in which it could, they are asked, since arrays of weights are large; else the leaves.
    """
    if run.program.passes.table is None and len(steps := _steps(run)) < len(fed_leaves(run)):
        return not any(_may(run, *step, tiny) for step in steps)
    return not starved(run)


def _may(run: Run, item: Instruction, slot: int, tiny: float) -> bool:
    op, operand = item.primitive.name, item.operands[slot]
    if op in RELUS:
        return has_dead_unit(run.values[operand])
    if op == "softmax":
        return bool((run.values[item.out] == 1.0).any())
    if op in STEPPED:  # a slope of 0 or at least 1/2 makes nothing small, but for what is nearly so already
        upstream = np.abs(run.gradients[item.out])
        return bool(((upstream >= tiny) & (upstream < 2.0 * tiny)).any())
    return has_tiny(run.gradients[operand], tiny) and bool((np.abs(run.gradients[item.out]) >= tiny).any())
