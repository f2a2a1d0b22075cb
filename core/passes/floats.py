"""Forward and reverse pass over Python floats: on single numbers several times faster than numpy calls.

Where IEEE arithmetic gives inf or nan, Python raises instead; the caller then takes a pass with numpy, which gives the
same numbers otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from core.float_forms import forward_loop, forward_step, reverse_loop, reverse_step
from core.table import MOST_OPERANDS, Kind

ROW = 4  # nodes of one operation in a row from which on they get a loop of their own
Loop = Callable[..., None]
Row = tuple[Loop, Sequence[Any]]  # a loop and the columns that it runs over


class FloatPlan(NamedTuple):
    """Rows in order; `reverse` begins at the end, and its loops take the columns from their ends."""

    forward: list[Row]
    reverse: list[Row]


def make_plan(kinds: Sequence[Kind], codes: np.ndarray, places: np.ndarray, wanted: np.ndarray) -> FloatPlan:
    """The plan of operations in order.

    `places` has a row with the places of the results and one for each slot; `wanted` has a row for each slot and says
    which wires carry a gradient.
    """
    columns = _Columns(places)
    masks = (1 << np.arange(MOST_OPERANDS)) @ wanted  # the wanted slots as bits

    def wires(key: int) -> tuple[Kind, tuple[int, ...]]:
        return kinds[key >> MOST_OPERANDS], tuple(slot for slot in range(MOST_OPERANDS) if key >> slot & 1)

    def ahead(start: int, stop: int, alone: bool) -> Row:
        if alone:
            kind = kinds[codes[start]]
            return forward_loop(kind), columns.of(start, stop, kind)
        steps = _each(codes[start:stop], lambda code: forward_step(kinds[code]))
        return mixed_forward, [steps, *columns.of(start, stop)]

    def back(start: int, stop: int, alone: bool) -> Row:
        if alone:
            kind, slots = wires(int(keys[start]))
            return reverse_loop(kind, slots), columns.of(start, stop, kind)
        steps = _each(keys[start:stop], lambda key: reverse_step(*wires(key)))
        return mixed_reverse, [steps, *columns.of(start, stop)]

    keys = codes << MOST_OPERANDS | masks
    return FloatPlan([ahead(*row) for row in _rows(codes)], [back(*row) for row in _rows(keys)][::-1])


def _each(keys: np.ndarray, made: Callable[[int], Loop]) -> list[Loop]:
    """What is made of each key, made once for equal ones."""
    once = {key: made(key) for key in np.unique(keys).tolist()}
    return [once[key] for key in keys.tolist()]


class _Columns:
    """Stretches of places, kept once where both passes take the same."""

    def __init__(self, places: np.ndarray) -> None:
        self.places, self.kept = places, dict[tuple[int, int], list[Sequence[int]]]()

    def of(self, start: int, stop: int, kind: Kind | None = None) -> list[Sequence[int]]:
        """The places of the results and of the operands, as many as `kind` has; without one, all there are."""
        if (start, stop) not in self.kept:
            self.kept[start, stop] = [_column(row) for row in self.places[:, start:stop]]
        return self.kept[start, stop][: len(kind.primitive.slots) + 1 if kind else None]


def _column(numbers: np.ndarray) -> Sequence[int]:
    """A column of places, as a range where it is one: that takes no memory."""
    first, count = int(numbers[0]), len(numbers)
    if numbers[-1] - first == count - 1 and (np.diff(numbers) == 1).all():
        return range(first, first + count)
    return numbers.tolist()  # type: ignore[no-any-return]


def _rows(keys: np.ndarray) -> Iterator[tuple[int, int, bool]]:
    """Stretches (start, stop, alone): of one key where it holds for ROW items or more, else of mixed keys."""
    starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]][: len(keys)])
    alone = np.diff(np.r_[starts, len(keys)]) >= ROW
    heads = np.flatnonzero(alone | np.r_[True, alone[:-1]][: len(alone)])
    bounds = [*starts[heads].tolist(), len(keys)]
    yield from zip(bounds, bounds[1:], alone[heads].tolist(), strict=False)


def mixed_forward(values: list[float], steps: Sequence[Loop], *columns: Sequence[int]) -> None:
    """Take a step of its own for each operation."""
    for step, out, left, right in zip(steps, *columns, strict=True):
        step(values, out, left, right)


def mixed_reverse(values: list[float], gradients: list[float], steps: Iterable[Loop], *columns: Iterable[int]) -> None:
    """Take a step of its own for each operation."""
    for step, out, left, right in zip(steps, *columns, strict=True):
        step(values, gradients, out, left, right)


def forward(plan: FloatPlan, values: list[float]) -> None:
    """Fill in the value of every operation. Raises ArithmeticError or ValueError where numpy would give inf or nan."""
    for loop, columns in plan.forward:
        loop(values, *columns)


def reverse(plan: FloatPlan, values: list[float], gradients: list[float]) -> None:
    """Add each wire's contribution to the gradient of its operand. Raises as `forward` does.

    Gradients start at -0.0, the one number that leaves every summand as it is, so that a gradient of -0.0 stays -0.0.
    """
    for loop, columns in plan.reverse:
        loop(values, gradients, *map(reversed, columns))
