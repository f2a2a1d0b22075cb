"""Which steps of the reverse pass a gradient can have vanished in: a quick look, before the slow one at each of them.

A step is one where a gradient that is not tiny (0 or subnormal) comes down and the operand's is tiny. In graphs of
numbers all steps are looked at together.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.diagnosis.bulk import all_gradients, fed_leaves, leaf_sizes, picked, places_with
from core.diagnosis.flatness import NEVER_ZERO, PASSING, STEPPED
from core.diagnosis.kept import once_a_plan, once_a_run
from core.diagnosis.relus import RELUS, has_dead_unit
from core.plan import Instruction
from core.primitive import Primitive
from core.table import wanted_slots

if TYPE_CHECKING:
    from core.program import Run

FEW_LEAVES, FEW_STEPS = 4, 32  # with more, all steps of a graph of numbers are looked at together
Found = tuple[int, int]  # the number of the operation's node, and the slot
Step = tuple[Instruction, int]  # an operation and the slot of the operand to which the gradient goes


def suspicious(run: Run, steps: Iterator[Step], tiny: float) -> Iterator[Step]:
    """Those of the steps towards starved leaves that are worth a look."""
    if run.program.passes.table is None:
        yield from (step for step in steps if can_vanish(step[0].primitive) and _may(run, *step, tiny))
        return
    first = list(islice(steps, FEW_STEPS)) if len(starved(run)) <= FEW_LEAVES else []
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
    """Wires of a table through which a gradient comes, by column, those of one operand after those of another."""

    slots: np.ndarray
    outs: np.ndarray
    others: np.ndarray  # the other factor of a product of which no factor is wrongly 0; else -1
    passing: np.ndarray  # whether no gradient can vanish there
    stepped: np.ndarray  # whether the slope is 0 or at least 1/2


@once_a_plan
def _wires(run: Run) -> tuple[Wires, np.ndarray]:
    """They, and where those of each operand begin; last, where they end."""
    table = run.program.passes.table
    assert table is not None
    kinds = [kind.primitive.name for kind in table.kinds]
    lists = [np.array([name in known for name in kinds])[table.codes] for known in (PASSING, STEPPED, ("multiply",))]
    passing, stepped, product = lists
    slots, places = np.nonzero(wanted_slots(table, run.plan.reached))
    by_operand = np.argsort(table.operands[slots, places], kind="stable")
    slots, places = slots[by_operand], places[by_operand]
    wrongly = np.zeros(len(run.plan.names) + 1, dtype=bool)  # nodes that are 0 only by underflow; the last: MISSING
    wrongly[table.outs] = np.array([name in NEVER_ZERO for name in kinds])[table.codes]
    others = table.operands[1 - slots, places]
    others = np.where(product[places] & ~wrongly[others], others, -1)
    begins = np.searchsorted(table.operands[slots, places], np.arange(len(run.plan.names) + 1))
    return Wires(slots, table.outs[places], others, passing[places], stepped[places]), begins


def _of_numbers(run: Run, tiny: float) -> set[Found]:
    """The suspicious steps of a graph of numbers: those next to the starved leaves, if nothing vanished before them."""
    wires, begins = _wires(run)
    near = _towards(begins, np.array(starved(run), dtype=np.intp))
    upstream = np.abs(picked(run.gradients, wires.outs[near]))
    if (upstream < tiny).any():
        sizes = np.abs(all_gradients(run))
        near = _towards(begins, np.flatnonzero(sizes < tiny))
        upstream = sizes[wires.outs[near]]
    # A slope of 0 or at least 1/2 makes nothing small, but for what is nearly so already.
    near = near[~wires.passing[near] & (upstream >= tiny) & (~wires.stepped[near] | (upstream < 2.0 * tiny))]
    others = wires.others[near]
    near = near[(others < 0) | (picked(run.values, others) != 0.0)]
    return set(zip(wires.outs[near].tolist(), wires.slots[near].tolist(), strict=True))


def _towards(begins: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """The places of the wires through which gradients come to these nodes."""
    first, counts = begins[numbers], begins[numbers + 1] - begins[numbers]
    ends = np.cumsum(counts)
    places: np.ndarray = np.repeat(first - ends + counts, counts) + np.arange(counts.sum())
    return places


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
