"""Facts about the numbers of one run, each computed when first needed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from cadena.core.doctor.findings.structure import Structure

if TYPE_CHECKING:
    from cadena.core.run.program import Run

SMALL = 1024  # elements: larger arrays are not worth copying


class Findings:
    """Facts about a run's numbers; `of_numbers` where every node of its graph is a single number."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.of_numbers = run.program.passes.table is not None

    @cached_property
    def structure(self) -> Structure:
        return self.run.plan.once(Structure)

    @cached_property
    def all_finite(self) -> bool:
        """Whether all values and gradients are; quick, as every run ends here. False may be a false alarm."""
        gradients = self.run.gradients  # first, as they may need another forward pass
        values = self.run.unordered_values if self.of_numbers else self.run.values
        return self._are_finite(gradients, "gradients") and self._are_finite(values, "values")

    def _are_finite(self, numbers: Any, of: Literal["gradients", "values"]) -> bool:
        """Whether all numbers are finite. Of arrays, those of the witnesses suffice; finding the witnesses takes longer
        than adding up single numbers."""
        if isinstance(numbers, np.ndarray):
            return bool(np.isfinite(numbers).all())
        if len(numbers) and type(numbers[0]) is float:
            return math.isfinite(sum(numbers))  # the quickest way: an inf or nan makes the sum inf or nan
        return arrays_finite([numbers[number] for number in getattr(self.structure.witnesses, of)])

    @cached_property
    def sizes(self) -> np.ndarray:
        """The magnitudes of the gradients of a graph of numbers by node number; 0 where a node has none."""
        gradients = self.run.gradients
        if isinstance(gradients, np.ndarray):
            return np.abs(gradients)
        return np.abs(np.array([0.0 if gradient is None else gradient for gradient in gradients], dtype=np.float64))

    @cached_property
    def leaf_extremes(self) -> tuple[np.ndarray, np.ndarray]:
        """The smallest and the largest magnitude in the gradient of each connected leaf, in their order."""
        leaves = self.structure.connected_leaves
        if self.of_numbers:
            sizes = self.sizes[leaves]
            return sizes, sizes
        return extremes([np.asarray(self.run.gradients[leaf]) for leaf in leaves])

    @cached_property
    def without_gradient(self) -> list[int]:
        """The leaves whose gradient is 0 or subnormal somewhere."""
        tiny = np.flatnonzero(self.leaf_extremes[0] < tiny_of(self.run.dtype)).tolist()
        return [self.structure.connected_leaves[place] for place in tiny]

    def is_tiny_at(self, number: int) -> bool:
        """Whether the gradient of a node is 0 or subnormal somewhere."""
        gradient = self.sizes[number] if self.of_numbers else np.abs(self.run.gradients[number])
        return bool(np.fmin.reduce(gradient, axis=None, initial=np.inf) < tiny_of(self.run.dtype))


@lru_cache
def tiny_of(dtype: str) -> float:
    """The smallest number of a type that has all its digits; 0 and the subnormal ones below it are tiny."""
    return float(np.finfo(dtype).tiny)


def arrays_finite(arrays: Sequence[Any]) -> bool:
    """Whether all numbers in `arrays` (None for no array) are finite; small ones are checked together."""
    small = dict[np.dtype[Any], list[Any]]()
    for array in arrays:
        if array is None:
            continue
        if array.size <= SMALL:  # a numpy call costs more than the work on it
            small.setdefault(array.dtype, []).append(array)
        elif not np.isfinite(array).all():
            return False
    return all(np.isfinite(joined(some)).all() for some in small.values())


def extremes(arrays: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """The smallest and the largest magnitude in each array: nan is never the smallest, always the largest.

    An empty array has inf and 0, one of nan alone inf and nan. Small arrays of one type are searched together.
    """
    smallest, largest = np.full(len(arrays), np.inf), np.zeros(len(arrays))
    small = dict[np.dtype[Any], list[int]]()
    for place, array in enumerate(arrays):
        if 0 < array.size <= SMALL:
            small.setdefault(array.dtype, []).append(place)
        elif array.size:
            sizes = np.abs(array)
            smallest[place], largest[place] = np.fmin.reduce(sizes, axis=None), sizes.max()
    for places in small.values():
        sizes = np.abs(joined([arrays[place] for place in places]))
        starts = np.cumsum([0, *(arrays[place].size for place in places[:-1])])
        smallest[places], largest[places] = np.fmin.reduceat(sizes, starts), np.maximum.reduceat(sizes, starts)
    return np.fmin(smallest, np.inf), largest  # an array of nan alone has inf, as an empty one


def joined(arrays: Sequence[Any]) -> np.ndarray:
    """The numbers of arrays of one type, one after the other; several times faster than np.concatenate."""
    try:
        data = b"".join(arrays)
    except TypeError:  # some are views whose numbers do not lie in a row
        data = b"".join([array if array.flags.c_contiguous else array.tobytes() for array in arrays])
    return np.frombuffer(data, arrays[0].dtype) if data else np.zeros(0)
