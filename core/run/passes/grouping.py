"""Turn a table of numbers into a plan by level: sorting, places, and the groups that are wide enough for numpy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from cadena.core.run.float_forms import constant_partial
from cadena.core.run.passes import floats
from cadena.core.run.passes.levels import GroupWires, Level, LevelGroup, LevelPlan, Segment
from cadena.core.run.table import BoundOperation, Table

WIDE = 64  # nodes: a group costs about as much in numpy calls as this many nodes in a Python loop
FloatMaker = Callable[[floats.Items], floats.FloatPlan]


class Groups(NamedTuple):
    """The operations of a table in the order of (level, kind); those that are equal in both are a group."""

    order: np.ndarray
    bounds: np.ndarray  # group i is order[bounds[i]:bounds[i + 1]]
    levels: np.ndarray  # of each group

    @property
    def sizes(self) -> np.ndarray:
        return np.diff(self.bounds)

    def share_in_wide(self) -> float:
        """The share of the operations that are in groups wide enough for numpy calls."""
        return float(self.sizes[self.sizes >= WIDE].sum() / max(1, len(self.order)))


def grouped(table: Table, levels: np.ndarray) -> Groups:
    """The operations of a graph by level and kind; `levels` has that of each node."""
    keys = levels[table.outs] * len(table.kinds) + table.codes
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = floats.starts_of_runs(ordered)
    return Groups(order, np.append(starts, len(order)), ordered[starts] // len(table.kinds))


class _Sorted(NamedTuple):
    """The operations in order of their places, which begin at `first`; operands are places too."""

    kinds: Sequence[BoundOperation]
    codes: np.ndarray
    operands: np.ndarray
    active: np.ndarray
    first: int


def make_plan(
    table: Table, groups: Groups, leaves: Sequence[int], active: np.ndarray, count: int, narrow: FloatMaker | None
) -> LevelPlan:
    """The plan by level of a graph of `count` nodes.

    `active` says by slot and operation which wires carry a gradient or a tangent; `narrow` makes the plans for levels
    that are too narrow for numpy. Without it every group is a numpy call: slower where levels are narrow, but nothing
    raises at inf or nan, and every dtype works.
    """
    outs, order = table.outs[groups.order], groups.order
    others = np.ones(count, dtype=bool)
    others[outs] = False
    places, first = np.empty(count + 1, dtype=np.intp), count - len(outs)
    places[:-1][others] = np.arange(first)
    places[outs], places[-1] = np.arange(first, count), -1  # the last stands for operands that are missing
    items = _Sorted(table.kinds, table.codes[order], places[table.operands[:, order]], active[:, order], first)
    return LevelPlan(places[:-1], places[list(leaves)], tuple(_parts(items, groups, narrow)))


def _parts(items: _Sorted, groups: Groups, narrow: FloatMaker | None) -> Iterator[Level | Segment]:
    """Wide groups of one level together, and narrow groups in a row of any levels."""
    keys = np.where(groups.sizes >= (WIDE if narrow else 0), groups.levels, -1)
    starts = floats.starts_of_runs(keys).tolist()
    for start, stop in zip(starts, [*starts[1:], len(keys)], strict=True):
        bounds = groups.bounds[start : stop + 1].tolist()
        if narrow is None or keys[start] >= 0:
            yield _level(items, bounds)
        else:
            yield _segment(items, bounds[0], bounds[-1], narrow)


def _level(items: _Sorted, bounds: list[int]) -> Level:
    stretches = [(start, stop, items.kinds[items.codes[start]]) for start, stop in pairwise(bounds)]
    columns = [
        (slot, slice(start, stop)) for start, stop, kind in stretches for slot in range(len(kind.primitive.slots))
    ]
    sources, active = (np.concatenate([rows[column] for column in columns]) for rows in (items.operands, items.active))
    groups, at, passed = [], 0, 0
    for start, stop, kind in stretches:
        operands, wires = [], []
        for slot in range(len(kind.primitive.slots)):
            end = at + stop - start
            operands.append(sources[at:end])  # views: a level's indices are kept once
            if number := int(active[at:end].sum()):
                wires.append(_wires(kind, slot, slice(passed, passed + number), active[at:end]))
            at, passed = end, passed + number
        place, rule = slice(items.first + start, items.first + stop), kind.primitive.value
        groups.append(
            LevelGroup(place, rule, isinstance(rule, np.ufunc), kind.attributes, tuple(operands), tuple(wires))
        )
    return Level(tuple(groups), sources if active.all() else sources[active])


def _wires(kind: BoundOperation, slot: int, passed: slice, active: np.ndarray) -> GroupWires:
    constant, chosen = constant_partial(kind, slot), None if active.all() else np.flatnonzero(active)
    rule = kind.primitive.slots[slot]
    return GroupWires(slot, passed, chosen, constant, rule.partial if constant is None else None, rule.gate)


def _segment(items: _Sorted, start: int, stop: int, narrow: FloatMaker) -> Segment:
    first, last = items.first + start, items.first + stop
    operands = items.operands[:, start:stop]
    outside = np.unique(operands[(operands >= 0) & (operands < first)])
    local = np.where(operands < first, np.searchsorted(outside, operands), operands - first + len(outside))
    local[operands < 0] = -1
    places = np.vstack([np.arange(len(outside), len(outside) + stop - start), local])
    plan = narrow(floats.Items(items.kinds, items.codes[start:stop], places, items.active[:, start:stop]))
    return Segment(first, last, outside, plan)
