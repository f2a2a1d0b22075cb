"""Marks of the numbers of a run that are not finite, node by node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cadena.core.run.passes import Numbers

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


def marks(numbers: Numbers, known: Sequence[bool]) -> Marks:
    """The marks of the nodes that are `known`; those of the others are meaningless."""
    if isinstance(numbers, np.ndarray):
        there = np.asarray(known, dtype=bool)
        return Marks((np.isnan(numbers) & there).tolist(), (np.isinf(numbers) & there).tolist())
    values = [number if here and number is not None else 0.0 for number, here in zip(numbers, known, strict=True)]
    return Marks([bool(np.isnan(item).any()) for item in values], [bool(np.isinf(item).any()) for item in values])


def where_is(kind: str, array: Any) -> np.ndarray:
    """A mask of the numbers of `array` that are nan, or inf."""
    return np.asarray(np.isnan(array) if kind == "nan" else np.isinf(array))
