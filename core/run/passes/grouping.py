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
SHORT = 2**16  # what 16 bits hold is below
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
    is_short = keys.max(initial=0) < SHORT  # then numpy sorts digit by digit, in a fifth of the time
    order = np.argsort(keys.astype(np.uint16) if is_short else keys, kind="stable")
    ordered = keys[order]
    starts = floats.starts_of_runs(ordered)
    return Groups(order, np.append(starts, len(order)), ordered[starts] // len(table.kinds))


class Sorted(NamedTuple):
    """The operations in order of their places, which begin at `first`; operands are places too."""

    kinds: Sequence[BoundOperation]
    codes: np.ndarray
    operands: np.ndarray
    active: np.ndarray
    first: int


class Section(NamedTuple):
    """Operations from start to stop, in order of their places: groups of one level that is wide, or of any levels."""

    start: int
    stop: int
    is_wide: bool


class Planned(NamedTuple):
    """A plan by level, and what its parts were made of."""

    plan: LevelPlan
    items: Sorted
    parts: dict[Section, Level | Segment]

    def shared_with(self, items: Sorted) -> dict[Section, Level | Segment]:
        """The parts in which nothing differs from other operations at the same places."""
        mine = self.items
        if (mine.kinds, mine.first, len(mine.codes)) != (items.kinds, items.first, len(items.codes)):
            return {}
        differ = mine.codes != items.codes
        for old, new in zip((*mine.operands, *mine.active), (*items.operands, *items.active), strict=True):
            differ |= old != new
        return {section: part for section, part in self.parts.items() if not differ[section.start : section.stop].any()}


def make_plan(
    table: Table, groups: Groups, leaves: Sequence[int], active: np.ndarray, count: int, narrow: FloatMaker | None,
    before: Planned | None = None,
) -> Planned:  # fmt: skip
    """The plan by level of a graph of `count` nodes; what it shares with the one `before` an edit is taken from there.

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
    operands = places.take(table.operands.take(order, axis=1))  # in a third of the time that brackets take
    items = Sorted(table.kinds, table.codes[order], operands, active.take(order, axis=1), first)
    known = before.shared_with(items) if before else {}
    parts = {
        section: known.get(section) or _part(items, groups, section, narrow)
        for section in _sections(groups, narrow is not None)
    }
    return Planned(LevelPlan(places[:-1], places[list(leaves)], tuple(parts.values())), items, parts)


def _sections(groups: Groups, with_floats: bool) -> Iterator[Section]:
    """Wide groups of one level together, and narrow groups in a row of any levels."""
    keys = np.where(groups.sizes >= (WIDE if with_floats else 0), groups.levels, -1)
    starts = floats.starts_of_runs(keys)
    bounds = groups.bounds[np.append(starts, len(keys))].tolist()
    for place, (start, stop) in zip(starts.tolist(), pairwise(bounds), strict=True):
        yield Section(start, stop, not with_floats or keys[place] >= 0)


def _part(items: Sorted, groups: Groups, section: Section, narrow: FloatMaker | None) -> Level | Segment:
    if narrow is not None and not section.is_wide:
        return _segment(items, section.start, section.stop, narrow)
    first, last = np.searchsorted(groups.bounds, section[:2]).tolist()
    return _level(items, groups.bounds[first : last + 1].tolist())


def _level(items: Sorted, bounds: list[int]) -> Level:
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


def _segment(items: Sorted, start: int, stop: int, narrow: FloatMaker) -> Segment:
    first, last = items.first + start, items.first + stop
    operands = items.operands[:, start:stop]
    outside = np.unique(operands[(operands >= 0) & (operands < first)])
    local = np.where(operands < first, np.searchsorted(outside, operands), operands - first + len(outside))
    local[operands < 0] = -1
    places = np.vstack([np.arange(len(outside), len(outside) + stop - start), local])
    plan = narrow(floats.Items(items.kinds, items.codes[start:stop], places, items.active[:, start:stop]))
    return Segment(first, last, outside, plan)
