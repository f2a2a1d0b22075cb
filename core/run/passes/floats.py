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


def make_plan(items: Items) -> FloatPlan:
    """The plan of these operations, all elementwise, for the forward and the reverse pass."""
    columns = _Columns(items.places)

    def ahead(start: int, stop: int, alone: bool) -> LoopCall:
        if alone:
            kind = items.kinds[items.codes[start]]
            return forward_loop(kind), columns.of(start, stop, kind)
        steps = _each(items.codes[start:stop], lambda code: forward_step(items.kinds[code]))
        return mixed_forward, [steps, *columns.of(start, stop)]

    back: list[LoopCall] = [
        (loop, [column[::-1] for column in row])
        for loop, row in reversed(_wired(items, columns, reverse_loop, reverse_step))
    ]
    return FloatPlan([ahead(*row) for row in _rows(items.codes)], back)


def make_tangent_plan(items: Items) -> FloatPlan:
    """The plan that carries tangents forward; `items.active` says which wires move."""
    return FloatPlan(tangent=_wired(items, _Columns(items.places), tangent_loop, tangent_step))


def _wired(
    items: Items,
    columns: _Columns,
    loop: Callable[[BoundOperation, Slots], Loop],
    step: Callable[[BoundOperation, Slots], Loop],
) -> list[LoopCall]:
    """The rows of a pass along the wires."""

    def row(start: int, stop: int, alone: bool) -> LoopCall:
        if alone:
            kind, slots = items.wires(int(keys[start]))
            return loop(kind, slots), columns.of(start, stop, kind)
        return mixed_wires, [_each(keys[start:stop], lambda key: step(*items.wires(key))), *columns.of(start, stop)]

    keys = items.keys
    return [row(*stretch) for stretch in _rows(keys)]


def _each(keys: np.ndarray, build: Callable[[int], Loop]) -> list[Loop]:
    """The loop for each key, built once for equal ones."""
    once = {key: build(key) for key in set(keys.tolist())}  # np.unique would import numpy.ma
    return [once[key] for key in keys.tolist()]


class _Columns:
    """Stretches of places, stored once where both passes use the same."""

    def __init__(self, places: np.ndarray) -> None:
        self.rows, self.stored = places.tolist(), dict[tuple[int, int], list[Sequence[int]]]()

    def of(self, start: int, stop: int, kind: BoundOperation | None = None) -> list[Sequence[int]]:
        """The places of the results and of the operands, as many as `kind` has; without one, all there are."""
        if (start, stop) not in self.stored:
            self.stored[start, stop] = [_column(row[start:stop]) for row in self.rows]
        return self.stored[start, stop][: len(kind.primitive.slots) + 1 if kind else None]


def _column(numbers: list[int]) -> Sequence[int]:
    """A column of places, as a range where it is one: that takes no memory."""
    first, last = numbers[0], numbers[-1]
    is_range = last - first == len(numbers) - 1 and numbers == [*range(first, last + 1)]
    return range(first, last + 1) if is_range else numbers


def starts_of_runs(keys: np.ndarray) -> np.ndarray:
    """The places at which another key begins than that before."""
    differs = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=differs[1:])
    return np.flatnonzero(differs)


def _rows(keys: np.ndarray) -> Iterator[tuple[int, int, bool]]:
    """Stretches (start, stop, alone): of one key where it holds for ROW items or more, else of mixed keys."""
    starts = starts_of_runs(keys)
    alone = np.diff(starts, append=len(keys)) >= ROW
    is_head = alone.copy()  # what follows a row of its own begins another one
    is_head[1:] |= alone[:-1]
    is_head[:1] = True
    heads = np.flatnonzero(is_head)
    bounds = [*starts[heads].tolist(), len(keys)]
    yield from zip(bounds, bounds[1:], alone[heads].tolist(), strict=False)


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
