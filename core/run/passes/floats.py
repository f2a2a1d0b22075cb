"""Forward and reverse pass over Python floats: on single numbers several times faster than numpy calls.

Where IEEE arithmetic gives inf or nan, Python raises instead; the caller then takes a pass with numpy, which gives the
same numbers otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from cadena.core.run.float_forms import (
    forward_loop,
    forward_step,
    reverse_loop,
    reverse_step,
    tangent_loop,
    tangent_step,
)
from cadena.core.run.table import MAX_OPERANDS, BoundOperation

ROW = 4  # nodes of one operation in a row from which on they get a loop of their own
Loop = Callable[..., None]
Slots = tuple[int, ...]
LoopCall = tuple[Loop, Sequence[Any]]  # a loop and the columns that it runs over


class Items(NamedTuple):
    """Operations in order, each with a column of `places`: of its result and of its operands.

    `active` says for each slot which wires carry a gradient or a tangent.
    """

    kinds: Sequence[BoundOperation]
    codes: np.ndarray
    places: np.ndarray
    active: np.ndarray

    @property
    def keys(self) -> np.ndarray:
        """The code and the active slots of each operation as one number."""
        keys: np.ndarray = self.codes << MAX_OPERANDS | (1 << np.arange(MAX_OPERANDS)) @ self.active
        return keys

    def wires(self, key: int) -> tuple[BoundOperation, tuple[int, ...]]:
        return self.kinds[key >> MAX_OPERANDS], tuple(slot for slot in range(MAX_OPERANDS) if key >> slot & 1)


class FloatPlan(NamedTuple):
    """Rows in order; those of `reverse` begin at the end."""

    forward: list[LoopCall] = []
    reverse: list[LoopCall] = []
    tangent: list[LoopCall] = []


class PlannedFloats(NamedTuple):
    """A plan, and what it was made of."""

    plan: FloatPlan
    items: Items


def make_plan(items: Items, before: PlannedFloats | None = None) -> FloatPlan:
    """The plan of these operations, all elementwise, for the forward and the reverse pass. Of one `before` an edit
    those rows are taken in which nothing differs."""
    codes, keys, places = items.codes, items.keys[::-1], items.places
    was_ahead = was_back = None
    if before is not None and before.items.kinds == items.kinds:
        was_ahead = KnownRows(before.items.codes, before.items.places, before.plan.forward)
        was_back = KnownRows(before.items.keys[::-1], before.items.places[:, ::-1], before.plan.reverse)
    steps_ahead, steps_back = (forward_loop, forward_step, mixed_forward), (reverse_loop, reverse_step, mixed_wires)
    ahead = _rows(codes, places, lambda code: (items.kinds[code],), steps_ahead, was_ahead)
    return FloatPlan(ahead, _rows(keys, places[:, ::-1], items.wires, steps_back, was_back))


def make_tangent_plan(items: Items) -> FloatPlan:
    """The plan that carries tangents forward; `items.active` says which wires move."""
    makers = tangent_loop, tangent_step, mixed_wires
    return FloatPlan(tangent=_rows(items.keys, items.places, items.wires, makers))


Described = tuple[Any, ...]  # the kind of an operation and, in a pass along the wires, the slots
Makers = tuple[Callable[..., Loop], Callable[..., Loop], Loop]  # of the loop of one key, of a step; that of mixed keys


class KnownRows(NamedTuple):
    """The rows of a pass, and what they were made of."""

    keys: np.ndarray
    places: np.ndarray
    rows: list[LoopCall]


def _rows(
    keys: np.ndarray,
    places: np.ndarray,
    described: Callable[[int], Described],
    makers: Makers,
    before: KnownRows | None = None,
) -> list[LoopCall]:
    """The rows of a pass; `described` says what a key stands for. What is made of one is looked up once."""
    make_loop, make_step, mixed = makers
    loops, steps = dict[int, tuple[Loop, int]](), dict[int, Loop]()
    was = before if before is not None and np.array_equal(before.keys, keys) else None
    stretches = list(_stretches(keys) if was is None else _stretches_of(was.rows, mixed))
    rows: list[LoopCall | None] = [None] * len(stretches)
    if stretches and was is not None:
        differs = (was.places != places).any(axis=0)
        starts = [start for start, _, _ in stretches]
        stale = np.logical_or.reduceat(differs, starts).tolist()
        rows = [None if is_stale else row for is_stale, row in zip(stale, was.rows, strict=True)]
    for number in [number for number, row in enumerate(rows) if row is None]:
        start, stop, alone = stretches[number]
        known, own = keys[start:stop].tolist(), [_column(column) for column in places[:, start:stop].tolist()]
        if alone:
            if (key := known[0]) not in loops:
                kind = described(key)
                loops[key] = make_loop(*kind), len(kind[0].primitive.slots) + 1
            loop, width = loops[key]
            rows[number] = loop, own[:width]
        else:
            steps |= {key: make_step(*described(key)) for key in set(known) - steps.keys()}
            rows[number] = mixed, [[steps[key] for key in known], *own]
    return [row for row in rows if row is not None]


def _column(numbers: list[int]) -> Sequence[int]:
    """A column of places, as a range where it is one: that takes no memory."""
    first, last = numbers[0], numbers[-1]
    step = 1 if first <= last else -1
    is_range = (last - first) * step == len(numbers) - 1 and numbers == [*range(first, last + step, step)]
    return range(first, last + step, step) if is_range else numbers


def starts_of_runs(keys: np.ndarray) -> np.ndarray:
    """The places at which another key begins than that before."""
    differs = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=differs[1:])
    return np.flatnonzero(differs)


def _stretches(keys: np.ndarray) -> Iterator[tuple[int, int, bool]]:
    """Stretches (start, stop, alone): of one key where it holds for ROW items or more, else of mixed keys."""
    starts = starts_of_runs(keys)
    alone = np.diff(starts, append=len(keys)) >= ROW
    is_head = alone.copy()  # what follows a row of its own begins another one
    is_head[1:] |= alone[:-1]
    is_head[:1] = True
    heads = np.flatnonzero(is_head)
    bounds = [*starts[heads].tolist(), len(keys)]
    yield from zip(bounds, bounds[1:], alone[heads].tolist(), strict=False)


def _stretches_of(rows: Iterable[LoopCall], mixed: Loop) -> Iterator[tuple[int, int, bool]]:
    """The stretches that rows were made of."""
    start = 0
    for loop, columns in rows:
        yield start, (stop := start + len(columns[0])), loop is not mixed
        start = stop


def mixed_forward(values: list[float], steps: Sequence[Loop], *columns: Sequence[int]) -> None:
    """Take a step of its own for each operation."""
    for step, out, left, right in zip(steps, *columns, strict=True):
        step(values, out, left, right)


def mixed_wires(values: list[float], carried: list[float], steps: Iterable[Loop], *columns: Iterable[int]) -> None:
    """Take a step of its own for each operation; `carried` are gradients or tangents."""
    for step, out, left, right in zip(steps, *columns, strict=True):
        step(values, carried, out, left, right)


def forward(plan: FloatPlan, values: list[float]) -> None:
    """Fill in the value of every operation. Raises ArithmeticError or ValueError where numpy would give inf or nan."""
    for loop, columns in plan.forward:
        loop(values, *columns)


def reverse(plan: FloatPlan, values: list[float], gradients: list[float]) -> None:
    """Add each wire's contribution to the gradient of its operand. Raises as `forward` does.

    Gradients start at -0.0, the one number that leaves every summand as it is, so that a gradient of -0.0 stays -0.0.
    """
    for loop, columns in plan.reverse:
        loop(values, gradients, *columns)


def tangent(plan: FloatPlan, values: list[float], tangents: list[float]) -> None:
    """Fill in the tangent of every operation; `tangents` holds those of the leaves. Raises as `forward` does."""
    for loop, columns in plan.tangent:
        loop(values, tangents, *columns)
