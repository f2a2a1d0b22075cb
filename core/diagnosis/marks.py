"""Which numbers of a run are not finite: one quick question for the whole run, and marks node by node."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.diagnosis.bulk import FEW, all_gradients, arrays_finite
from core.diagnosis.spreading import telling
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


def all_finite(run: Run) -> bool:
    """Whether nothing is to be told of a run; quick, since almost every run ends here. False may be a false alarm."""
    gradients = run.gradients  # first, as they may need another forward pass
    if isinstance(gradients, np.ndarray):
        return bool(np.isfinite(gradients).all() and np.isfinite(run.unordered_values).all())
    values, told = run.values, telling(run)
    if not values or type(values[0]) is not float:
        return all(
            arrays_finite([items[n] for n in chosen]) for items, chosen in zip((values, gradients), told, strict=True)
        )
    # Adding up Python floats is the quickest way through them: one inf or nan makes the sum inf or nan.
    if not math.isfinite(sum(_picked(values, told.values))):
        return False
    if FEW * len(told.gradients) < len(values):
        return math.isfinite(sum(_picked(gradients, told.gradients)))
    return bool(np.isfinite(all_gradients(run)).all())  # which the hints look at too


def _picked(numbers: Numbers, chosen: list[int]) -> Numbers:
    return [numbers[number] for number in chosen] if FEW * len(chosen) < len(numbers) else numbers


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
