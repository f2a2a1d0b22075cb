"""Which numbers of a run are not finite: one quick question for the whole run, and marks node by node."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.passes import Numbers

if TYPE_CHECKING:
    from core.program import Run

KINDS = ("nan", "inf")


class Marks(NamedTuple):
    """For each node number, whether there is a nan, and whether there is an inf, among its numbers."""

    nan: Sequence[bool]
    inf: Sequence[bool]

    def of(self, kind: str) -> Sequence[bool]:
        return self.nan if kind == "nan" else self.inf

    def any_at(self, numbers: Sequence[int]) -> bool:
        """Whether one of these nodes holds a nan or an inf."""
        return any(self.nan[number] or self.inf[number] for number in numbers)


def all_finite(numbers: Numbers) -> bool:
    """Whether nothing is to be told; quick, since almost every run ends here. False may be a false alarm."""
    if isinstance(numbers, np.ndarray):
        return bool(np.isfinite(numbers).all())
    if numbers and type(numbers[0]) is float:  # a pass over Python floats: one inf or nan makes the sum inf or nan
        return math.isfinite(sum(numbers))
    return all(number is None or _is_finite(number) for number in numbers)


def _is_finite(number: Any) -> bool:
    return math.isfinite(number) if number.ndim == 0 else bool(np.isfinite(number).all())


def marks(numbers: Numbers, known: Sequence[bool]) -> Marks:
    """The marks of the nodes that are `known`; what stands at the others means nothing."""
    if isinstance(numbers, np.ndarray):
        there = np.asarray(known, dtype=bool)
        return Marks((np.isnan(numbers) & there).tolist(), (np.isinf(numbers) & there).tolist())
    asked = [number if here and number is not None else 0.0 for number, here in zip(numbers, known, strict=True)]
    return Marks([bool(np.isnan(item).any()) for item in asked], [bool(np.isinf(item).any()) for item in asked])


def where_is(kind: str, array: Any) -> np.ndarray:
    """Which numbers of `array` are nan, or inf."""
    return np.asarray(np.isnan(array) if kind == "nan" else np.isinf(array))


def extremes(run: Run) -> tuple[list[int], np.ndarray, np.ndarray]:
    """The leaves that get a gradient, with the least and the largest magnitude in it (inf and 0 where it is empty)."""
    plan, gradients = run.plan, run.gradients
    leaves = [leaf for leaf in plan.leaves if plan.reached[leaf]]
    if isinstance(gradients, np.ndarray):
        sizes = np.abs(gradients[leaves])
        return leaves, sizes, sizes
    magnitudes = [np.abs(gradients[leaf]) for leaf in leaves]
    least = np.array([np.min(size, initial=np.inf) for size in magnitudes])
    return leaves, least, np.array([np.max(size, initial=0.0) for size in magnitudes])
