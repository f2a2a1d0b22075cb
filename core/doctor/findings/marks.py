"""Which numbers of a run are not finite: one quick question for the whole run, and marks node by node."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cadena.core.doctor.findings.bulk import FEW, all_sizes, arrays_finite
from cadena.core.doctor.findings.kept import once_a_run
from cadena.core.doctor.findings.spreading import telling
from cadena.core.run.passes import Numbers

if TYPE_CHECKING:
    from cadena.core.run.program import Run

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


@once_a_run
def all_finite(run: Run) -> bool:
    """Whether nothing is to be told of a run; quick, since almost every run ends here. False may be a false alarm."""
    gradients, told = run.gradients, telling(run)  # gradients first, as they may need another forward pass
    if run.program.passes.table is not None:
        return bool(all_sizes(run).max(initial=0.0) < np.inf) and _are_finite(run.unordered_values, told.values)
    return all(arrays_finite([items[n] for n in at]) for items, at in zip((run.values, gradients), told, strict=True))


def _are_finite(numbers: Any, chosen: list[int]) -> bool:
    """Whether numbers are, of which those of the nodes `chosen` tell for all."""
    if isinstance(numbers, np.ndarray):
        return bool(np.isfinite(numbers).all())
    few = FEW * len(chosen) < len(numbers)
    if not numbers or type(numbers[0]) is not float:
        return arrays_finite([numbers[number] for number in chosen])
    # Adding up Python floats is the quickest way through them: one inf or nan makes the sum inf or nan.
    return math.isfinite(sum([numbers[number] for number in chosen] if few else numbers))


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
