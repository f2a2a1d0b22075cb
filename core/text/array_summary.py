"""What one says of an array as a whole: its extremes and its mean, how many elements are zero, and how many are bad."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from cadena.core.text.numbers import short

Find = Literal["largest", "smallest", "farthest", "bad"]


class ArraySummary(NamedTuple):
    """Numbers about an array; those about its finite elements are None where it has none."""

    size: int
    finite: int
    least: float | None
    greatest: float | None
    mean: float | None
    deviation: float | None
    norm: float | None
    zeros: int
    nans: int
    infinities: int


def array_summary(array: np.ndarray) -> ArraySummary:
    """The summary of an array, computed in float64; `deviation` divides by the number of elements.

    The norm is the square root of the sum of squares, scaled so that neither large nor small elements spoil it.
    """
    numbers = np.asarray(array, dtype=np.float64).ravel()
    nans, infinities = int(np.isnan(numbers).sum()), int(np.isinf(numbers).sum())
    finite = numbers[np.isfinite(numbers)] if nans or infinities else numbers
    zeros = int((numbers == 0.0).sum())
    if not finite.size:
        return ArraySummary(numbers.size, 0, None, None, None, None, None, zeros, nans, infinities)
    least, greatest = float(finite.min()), float(finite.max())
    scale = max(abs(least), abs(greatest)) or 1.0
    scaled = finite / scale
    spread, norm = float(scaled.std()) * scale, float(np.sqrt((scaled**2).sum())) * scale
    mean = float(scaled.mean()) * scale
    return ArraySummary(numbers.size, finite.size, least, greatest, mean, spread, norm, zeros, nans, infinities)


def summary_text(array: np.ndarray) -> str:
    """The summary in words: "4 elements, least −4, greatest 3, mean 0, deviation 2.55, norm 5.099, 1 zero"."""
    summary = array_summary(array)
    names = ("least", "greatest", "mean", "deviation", "norm")
    numbers = [f"{name} {short(number)}" for name in names if (number := getattr(summary, name)) is not None]
    counts = {"zero": summary.zeros, "nan": summary.nans, "infinite": summary.infinities}
    size = f"{summary.size:,} {'element' if summary.size == 1 else 'elements'}".replace(",", "\u202f")
    return ", ".join([size, *numbers, *(f"{count} {word}" for word, count in counts.items() if count)])


def find_element(array: np.ndarray, what: Find) -> int | None:
    """The number (flat) of the first element that is the largest, the smallest, the farthest from 0, or not finite.

    The first three are searched among the finite elements. None where there is no such element.
    """
    numbers = np.asarray(array, dtype=np.float64).ravel()
    finite = np.isfinite(numbers)
    if what == "bad":
        return None if finite.all() else int(np.argmin(finite))
    if not finite.any():
        return None
    keys = {"largest": numbers, "smallest": -numbers, "farthest": np.abs(numbers)}[what]
    return int(np.argmax(np.where(finite, keys, -np.inf)))
