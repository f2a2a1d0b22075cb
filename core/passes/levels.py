"""Forward and reverse pass of large graphs of single numbers: one numpy call for all nodes of a level and operation.

Nodes get places sorted by (level, operation), so that what a group computes is one contiguous slice: forward is gather
and one call into that slice; reverse gathers again and adds up with `np.add.at`. Levels too narrow to be worth a numpy
call are run in Python floats (see `floats`), many of them in a row as one segment.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from core.float_forms import constant_partial
from core.passes import floats
from core.primitive import Rule
from core.table import Kind, Table, levels, wanted_slots

WIDE = 64  # nodes: a group costs about as much in numpy calls as this many nodes in a Python loop


class Wires(NamedTuple):
    """The wires of a group through one slot, with a slice of what the level passes back."""

    passed: slice
    chosen: np.ndarray | None  # which nodes of the group want it; None: all
    constant: float | None  # the local derivative, if it is the same number everywhere; else `partial` gives it
    partial: Rule | None


class Group(NamedTuple):
    """Nodes of one level and one operation, at a slice of places; operands are index arrays, one for each slot."""

    place: slice
    rule: Rule
    is_ufunc: bool
    attributes: dict[str, Any]
    operands: tuple[np.ndarray, ...]
    wires: tuple[Wires, ...]

    def forward(self, values: np.ndarray) -> None:
        place, rule, is_ufunc, attributes, indices, _ = self
        operands = [values[index] for index in indices]
        if is_ufunc:
            rule(*operands, values[place])
        else:
            values[place] = rule(*operands, **attributes)

    def reverse(self, values: np.ndarray, gradients: np.ndarray, passed: np.ndarray) -> None:
        """Put the contributions of the wires into `passed`."""
        place, _, _, attributes, indices, wires = self
        upstream, operands = gradients[place], None
        for where, chosen, constant, partial in wires:
            local = constant
            if partial is not None:
                operands = operands or [values[index] for index in indices]
                local = partial(values[place], *operands, **attributes)
            if chosen is None:
                np.multiply(upstream, local, passed[where])  # type: ignore[arg-type]  # one of the two is there
            else:
                passed[where] = (upstream * local)[chosen]


class Level(NamedTuple):
    """Groups whose operands all come before them; `targets` are the places of the operands to which they pass."""

    groups: tuple[Group, ...]
    targets: np.ndarray

    def forward(self, values: np.ndarray) -> None:
        for group in self.groups:
            group.forward(values)

    def reverse(self, values: np.ndarray, gradients: np.ndarray) -> None:
        passed = np.empty(len(self.targets), dtype=values.dtype)
        for group in self.groups:
            group.reverse(values, gradients, passed)
        np.add.at(gradients, self.targets, passed)


class Segment(NamedTuple):
    """Narrow levels in a row, at the places start to stop, as a plan for Python floats over `outside` and own nodes."""

    start: int
    stop: int
    outside: np.ndarray  # places of the operands from before, each once; they come first in the local numbering
    plan: floats.FloatPlan

    def forward(self, values: np.ndarray) -> None:
        local = values[self.outside].tolist() + [0.0] * (self.stop - self.start)
        floats.forward(self.plan, local)
        values[self.start : self.stop] = local[len(self.outside) :]

    def reverse(self, values: np.ndarray, gradients: np.ndarray) -> None:
        local = values[self.outside].tolist() + values[self.start : self.stop].tolist()
        carried = [-0.0] * len(self.outside) + gradients[self.start : self.stop].tolist()
        floats.reverse(self.plan, local, carried)
        gradients[self.outside] += carried[: len(self.outside)]
        gradients[self.start : self.stop] = carried[len(self.outside) :]


class LevelPlan(NamedTuple):
    """Levels and segments in order; `places[i]` is where node number i is, `leaves` are the places of the leaves."""

    places: np.ndarray
    leaves: np.ndarray
    parts: tuple[Level | Segment, ...]


class Groups(NamedTuple):
    """The operations of a table in the order of (level, kind); those that are equal in both are a group."""

    order: np.ndarray
    bounds: np.ndarray  # group i is order[bounds[i]:bounds[i + 1]]
    levels: np.ndarray  # of each group

    @property
    def sizes(self) -> np.ndarray:
        return np.diff(self.bounds)

    def share_in_wide(self) -> float:
        """Which part of the operations is in groups wide enough for numpy calls."""
        return float(self.sizes[self.sizes >= WIDE].sum() / max(1, len(self.order)))


def grouped(table: Table, count: int) -> Groups:
    """The operations of a graph of `count` nodes by level and kind."""
    keys = levels(table, count) * len(table.kinds) + table.codes
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]][: len(ordered)])
    return Groups(order, np.append(starts, len(order)), ordered[starts] // len(table.kinds))


class _Sorted(NamedTuple):
    """The operations in order of their places, which begin at `first`; operands are places too."""

    kinds: Sequence[Kind]
    codes: np.ndarray
    operands: np.ndarray
    wanted: np.ndarray
    first: int


def make_plan(
    table: Table, groups: Groups, leaves: Sequence[int], reached: Sequence[bool], with_floats: bool = True
) -> LevelPlan:
    """The plan by level of a graph of numbers with elementwise operations only.

    Without floats every group is a numpy call: slower where levels are narrow, but nothing raises at inf or nan, and
    every dtype works.
    """
    count, outs = len(reached), table.outs[groups.order]
    others = np.ones(count, dtype=bool)
    others[outs] = False
    places = np.empty(count + 1, dtype=np.intp)
    places[:-1][others], first = np.arange(count - len(outs)), count - len(outs)
    places[outs], places[-1] = np.arange(first, count), -1  # the last stands for operands that are missing
    wanted = wanted_slots(table, reached)[:, groups.order]
    table_ = _Sorted(table.kinds, table.codes[groups.order], places[table.operands[:, groups.order]], wanted, first)
    parts = tuple(_parts(table_, groups, WIDE if with_floats else 0))
    return LevelPlan(places[:-1], places[list(leaves)], parts)


def _parts(table: _Sorted, groups: Groups, wide: int) -> Iterator[Level | Segment]:
    """Wide groups of one level together, and narrow groups in a row of any levels."""
    keys = np.where(groups.sizes >= wide, groups.levels, -1)
    starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]][: len(keys)]).tolist()
    for start, stop in zip(starts, [*starts[1:], len(keys)], strict=True):
        bounds = groups.bounds[start : stop + 1].tolist()
        yield _level(table, bounds) if keys[start] >= 0 else _segment(table, bounds[0], bounds[-1])


def _level(table: _Sorted, bounds: list[int]) -> Level:
    stretches = [(start, stop, table.kinds[table.codes[start]]) for start, stop in pairwise(bounds)]
    columns = [
        (slot, slice(start, stop)) for start, stop, kind in stretches for slot in range(len(kind.primitive.slots))
    ]
    sources, wanted = (np.concatenate([rows[column] for column in columns]) for rows in (table.operands, table.wanted))
    groups, at, passed = [], 0, 0
    for start, stop, kind in stretches:
        operands, wires = [], []
        for slot in range(len(kind.primitive.slots)):
            end = at + stop - start
            operands.append(sources[at:end])  # views: a level's indices are kept once
            if number := int(wanted[at:end].sum()):
                wires.append(_wires(kind, slot, slice(passed, passed + number), wanted[at:end]))
            at, passed = end, passed + number
        place, rule = slice(table.first + start, table.first + stop), kind.primitive.value
        groups.append(Group(place, rule, isinstance(rule, np.ufunc), kind.attributes, tuple(operands), tuple(wires)))
    return Level(tuple(groups), sources if wanted.all() else sources[wanted])


def _wires(kind: Kind, slot: int, passed: slice, wanted: np.ndarray) -> Wires:
    constant, chosen = constant_partial(kind, slot), None if wanted.all() else np.flatnonzero(wanted)
    return Wires(passed, chosen, constant, kind.primitive.slots[slot].partial if constant is None else None)


def _segment(table: _Sorted, start: int, stop: int) -> Segment:
    first, last = table.first + start, table.first + stop
    operands = table.operands[:, start:stop]
    outside = np.unique(operands[(operands >= 0) & (operands < first)])
    local = np.where(operands < first, np.searchsorted(outside, operands), operands - first + len(outside))
    local[operands < 0] = -1
    places = np.vstack([np.arange(len(outside), len(outside) + stop - start), local])
    plan = floats.make_plan(table.kinds, table.codes[start:stop], places, table.wanted[:, start:stop])
    return Segment(first, last, outside, plan)


def forward(plan: LevelPlan, leaves: Collection[float], dtype: str) -> np.ndarray:
    """All values at their places; `leaves` are in the order of the plan.

    A segment raises ArithmeticError or ValueError where numpy would give inf or nan.
    """
    values = np.zeros(len(plan.places), dtype=dtype)
    with np.errstate(all="ignore"):
        values[plan.leaves] = np.fromiter(leaves, dtype=np.float64, count=len(leaves))
        for part in plan.parts:
            part.forward(values)
    return values


def reverse(plan: LevelPlan, values: np.ndarray, output: int, seed: float) -> np.ndarray:
    """All gradients at their places; nodes that are not reached keep -0.0. Raises as `forward` does."""
    gradients = np.full(len(values), -0.0, dtype=values.dtype)
    with np.errstate(all="ignore"):
        gradients[plan.places[output]] = seed
        for part in reversed(plan.parts):
            part.reverse(values, gradients)
    return gradients
