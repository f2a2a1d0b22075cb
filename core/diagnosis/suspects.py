"""Which steps of the reverse pass a gradient can have vanished in: a quick look, before the slow one at each of them.

A step is one where a gradient that is not tiny (0 or subnormal) comes down and the operand's is tiny. In graphs of
numbers all steps are looked at together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.diagnosis.bulk import all_gradients, gradients_of, places_with
from core.diagnosis.flatness import NEVER_ZERO, PASSING, STEPPED
from core.diagnosis.kept import once_a_plan, once_a_run
from core.diagnosis.relus import RELUS, has_dead_unit
from core.plan import Instruction
from core.primitive import Primitive
from core.table import Table, wanted_slots

if TYPE_CHECKING:
    from core.program import Run

Suspicion = Callable[[Instruction, int], bool]  # whether a step may have a hint


def suspicion(run: Run, tiny: float) -> Suspicion | None:
    """What tells which steps are worth a look; None where no step is."""
    table = run.program.passes.table
    if table is None:
        return _of_arrays(run, tiny)
    if not starved(run):
        return None
    found = _of_numbers(run, table, tiny)
    return (lambda item, slot: (item.out, slot) in found) if found else None


# --- leaves


@once_a_plan
def fed_leaves(run: Run) -> np.ndarray:
    """The numbers of the leaves that get a gradient."""
    return np.array([leaf for leaf in run.plan.leaves if run.plan.reached[leaf]], dtype=np.intp)


@once_a_run
def starved(run: Run) -> list[int]:
    """The leaves whose gradient is 0 or subnormal, in some place."""
    leaves, tiny = fed_leaves(run), float(np.finfo(run.dtype).tiny)
    if run.program.passes.table is not None:
        found: list[int] = leaves[np.abs(gradients_of(run, leaves)) < tiny].tolist()
        return found
    arrays = [run.gradients[leaf] for leaf in leaves.tolist()]
    return leaves[places_with(lambda flat: np.abs(flat) < tiny, arrays)].tolist()  # type: ignore[no-any-return]


def has_tiny(gradient: np.ndarray, tiny: float) -> bool:
    """Whether a gradient is 0 or subnormal somewhere."""
    return bool(np.fmin.reduce(np.abs(gradient), axis=None, initial=np.inf) < tiny)


# --- graphs of numbers


class Wires(NamedTuple):
    """The wires of a table through which a gradient can vanish, by column."""

    slots: np.ndarray
    operands: np.ndarray
    outs: np.ndarray
    others: np.ndarray  # the other factor of a product of which no factor is wrongly 0; else -1
    stepped: np.ndarray


@once_a_plan
def _wires(run: Run) -> Wires:
    table = run.program.passes.table
    assert table is not None
    kinds = [kind.primitive.name for kind in table.kinds]
    lists = [np.array([name in known for name in kinds])[table.codes] for known in (PASSING, STEPPED, ("multiply",))]
    passing, stepped, product = lists
    slots, places = np.nonzero(wanted_slots(table, run.plan.reached) & ~passing)
    wrongly = np.zeros(len(run.plan.names) + 1, dtype=bool)  # nodes that are 0 only by underflow; the last: MISSING
    wrongly[table.outs] = np.array([name in NEVER_ZERO for name in kinds])[table.codes]
    others = table.operands[1 - slots, places]
    others = np.where(product[places] & ~wrongly[others], others, -1)
    return Wires(slots, table.operands[slots, places], table.outs[places], others, stepped[places])


def _of_numbers(run: Run, table: Table, tiny: float) -> set[tuple[int, int]]:
    """The suspicious steps as (node, slot)."""
    wires, sizes = _wires(run), np.abs(all_gradients(run))
    at = np.flatnonzero((sizes < tiny)[wires.operands])
    upstream = sizes[wires.outs[at]]
    # A slope of 0 or at least 1/2 makes nothing small, but for what is nearly so already.
    at = at[(upstream >= tiny) & (~wires.stepped[at] | (upstream < 2.0 * tiny))]
    others = wires.others[at].tolist()
    by_zero = np.array([other >= 0 and run.values[other] == 0.0 for other in others], dtype=bool)
    at = at[~by_zero]
    return set(zip(wires.outs[at].tolist(), wires.slots[at].tolist(), strict=True))


# --- graphs of arrays


def can_vanish(primitive: Primitive) -> bool:
    """Whether a gradient can vanish in an operation at all."""
    name = primitive.name
    return name == "softmax" or (primitive.elementwise and name not in PASSING)


@once_a_plan
def _steps(run: Run) -> list[tuple[Instruction, int]]:
    return [(item, slot) for item in run.plan.instructions if can_vanish(item.primitive) for slot in item.wanted]


def _of_arrays(run: Run, tiny: float) -> Suspicion | None:
    """Where there are few such steps they are asked first, since arrays of weights are large; else the leaves."""
    steps = _steps(run)
    few = len(steps) < len(fed_leaves(run))
    if not (any(_may(run, *step, tiny) for step in steps) if few else starved(run)):
        return None
    return lambda item, slot: can_vanish(item.primitive) and _may(run, item, slot, tiny)


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
