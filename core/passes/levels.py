"""Forward and reverse pass of large graphs of single numbers: one numpy call for all nodes of a level and operation.

Nodes get places sorted by (level, operation), so that what a group computes is one contiguous slice: forward is gather
and one call into that slice; reverse gathers again and adds up with `np.add.at`. Levels too narrow to be worth a numpy
call are run in Python floats (see `floats`), many of them in a row as one segment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from core.passes import floats
from core.plan import Instruction, Plan
from core.primitive import REGISTRY, constant_partial

WIDE = 16  # nodes: a group costs about as much in numpy calls as this many nodes in a Python loop


class Wire(NamedTuple):
    """The wires of a group through one slot: which of its nodes want it (None: all), and where their operands are."""

    slot: int
    chosen: np.ndarray | None
    operands: np.ndarray
    distinct: bool  # no operand occurs twice, so plain indexing adds up correctly
    constant: float | None


class Group(NamedTuple):
    """Nodes of one level and one operation, at the places start to stop."""

    op: str
    attributes: dict[str, Any]
    start: int
    stop: int
    operands: tuple[np.ndarray, ...]
    wires: tuple[Wire, ...]

    def forward(self, values: np.ndarray) -> None:
        rule, operands = REGISTRY[self.op].value, [values[index] for index in self.operands]
        if isinstance(rule, np.ufunc):
            rule(*operands, out=values[self.start : self.stop])
        else:
            values[self.start : self.stop] = rule(*operands, **self.attributes)

    def reverse(self, values: np.ndarray, gradients: np.ndarray) -> None:
        upstream, y = gradients[self.start : self.stop], values[self.start : self.stop]
        operands: list[np.ndarray] | None = None
        for slot, chosen, index, distinct, constant in self.wires:
            if constant is not None:
                part = upstream.copy() if constant == 1.0 else upstream * constant
            else:
                operands = operands or [values[index] for index in self.operands]
                partial = REGISTRY[self.op].slots[slot].partial
                assert partial is not None
                part = upstream * partial(y, *operands, **self.attributes)
            _add(gradients, index, part if chosen is None else part[chosen], distinct)


def _add(gradients: np.ndarray, index: np.ndarray, part: Any, distinct: bool) -> None:
    if distinct:
        gradients[index] += part
    else:
        np.add.at(gradients, index, part)  # `part` is never a view of `gradients`: numpy would copy all of it each time


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
    """Groups and segments in order; `places[i]` is where node number i is."""

    places: np.ndarray
    parts: tuple[Group | Segment, ...]


def make_plan(plan: Plan, with_floats: bool = True) -> LevelPlan:
    """The plan by level of a graph of numbers with elementwise operations only.

    Without floats every group is a numpy call: slower where levels are narrow, but nothing raises at inf or nan, and
    every dtype works.
    """
    levels = np.zeros(len(plan.names), dtype=np.intp).tolist()
    for item in plan.instructions:
        levels[item.out] = 1 + max([levels[operand] for operand in item.operands])

    def key(item: Instruction) -> tuple[int, str, str]:
        return levels[item.out], item.primitive.name, str(item.attributes) if item.attributes else ""

    ordered = sorted(plan.instructions, key=key)
    places = np.empty(len(plan.names), dtype=np.intp)
    computed = [item.out for item in ordered]
    others = np.setdiff1d(np.arange(len(plan.names)), computed)
    places[others] = np.arange(len(others))
    places[computed] = np.arange(len(others), len(plan.names))
    groups = [list(items) for _, items in groupby(ordered, key=key)]
    return LevelPlan(places, tuple(_parts(groups, places.tolist(), WIDE if with_floats else 0)))


def _parts(groups: list[list[Instruction]], places: list[int], wide: int) -> Iterator[Group | Segment]:
    def is_narrow(group: list[Instruction]) -> bool:
        return len(group) < wide and floats.has_form(group[0].primitive)

    for narrow, run in groupby(groups, key=is_narrow):
        if narrow:
            yield _segment([item for group in run for item in group], places)
        else:
            yield from (_group(group, places) for group in run)


def _group(items: list[Instruction], places: list[int]) -> Group:
    start, primitive = places[items[0].out], items[0].primitive
    columns = tuple(
        np.array([places[item.operands[slot]] for item in items], dtype=np.intp) for slot in range(len(primitive.slots))
    )
    wires = []
    for slot, column in enumerate(columns):
        chosen = np.array([slot in item.wanted for item in items])
        if not chosen.any():
            continue
        operands = column if chosen.all() else column[chosen]
        distinct = len(np.unique(operands)) == len(operands)
        picked = None if chosen.all() else np.flatnonzero(chosen)
        wires.append(Wire(slot, picked, operands, distinct, constant_partial(primitive.name, slot)))
    return Group(primitive.name, items[0].attributes, start, start + len(items), columns, tuple(wires))


def _segment(items: list[Instruction], places: list[int]) -> Segment:
    start = places[items[0].out]
    outside: dict[int, int] = {}  # place -> local number
    for item in items:
        for operand in item.operands:
            if places[operand] < start:
                outside.setdefault(places[operand], len(outside))
    first = len(outside)

    def local(number: int) -> int:
        place = places[number]
        return outside[place] if place < start else first + place - start

    plan = floats.make_plan(items, local)
    return Segment(start, start + len(items), np.fromiter(outside, dtype=np.intp, count=first), plan)


def forward(plan: LevelPlan, leaves: Mapping[int, Any], dtype: str) -> np.ndarray:
    """All values at their places. A segment raises ArithmeticError or ValueError where numpy would give inf or nan."""
    values = np.zeros(len(plan.places), dtype=dtype)
    with np.errstate(all="ignore"):
        values[plan.places[list(leaves)]] = list(leaves.values())
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
