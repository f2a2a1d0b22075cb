"""Facts about the numbers of one run, each computed when first needed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from cadena.core.run.plan import Plan
    from cadena.core.run.program import Run

TOGETHER = 100  # numbers: arrays up to this size are looked at together


class Depths(NamedTuple):
    """The nodes that get a gradient, each with its depth: 0 for the output, for others the longest way to it."""

    numbers: np.ndarray
    levels: np.ndarray
    total: int

    @classmethod
    def of(cls, plan: Plan) -> Depths:
        """Those of a plan; ask `plan.once(Depths.of)`."""
        depths = {} if plan.output is None else {plan.output: 0}
        for item in reversed(plan.instructions):
            if item.out in depths:
                below = depths[item.out] + 1
                for slot in item.active:
                    operand = item.operands[slot]
                    if below > depths.get(operand, 0):
                        depths[operand] = below
        numbers, levels = (np.fromiter(items, np.intp, len(depths)) for items in (depths, depths.values()))
        return cls(numbers, levels, int(levels.max(initial=-1)) + 1)

    def first_at(self, depth: int) -> int:
        """The first node at one depth."""
        return int(self.numbers[np.argmax(self.levels == depth)])


class Findings:
    """Facts about a run's numbers; `of_numbers` where every node of its graph is a single number."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.of_numbers = run.program.passes.table is not None

    @cached_property
    def depths(self) -> Depths:
        return self.run.plan.once(Depths.of)

    @cached_property
    def connected_leaves(self) -> list[int]:
        """The numbers of the leaves that get a gradient."""
        return [leaf for leaf in self.run.plan.leaves if self.run.plan.reached[leaf]]

    @cached_property
    def all_finite(self) -> bool:
        """Whether all values and gradients are; quick, as every run ends here. False may be a false alarm."""
        gradients = self.run.gradients  # first, as they may need another forward pass
        values = self.run.unordered_values if self.of_numbers else self.run.values
        return _are_finite(gradients) and _are_finite(values)

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
        leaves = self.connected_leaves
        if self.of_numbers:
            sizes = self.sizes[leaves]
            return sizes, sizes
        return extremes([np.asarray(self.run.gradients[leaf]) for leaf in leaves])

    @cached_property
    def without_gradient(self) -> list[int]:
        """The leaves whose gradient is 0 or subnormal somewhere."""
        tiny = np.flatnonzero(self.leaf_extremes[0] < tiny_of(self.run.dtype)).tolist()
        return [self.connected_leaves[place] for place in tiny]

    def is_tiny_at(self, number: int) -> bool:
        """Whether the gradient of a node is 0 or subnormal somewhere."""
        gradient = self.sizes[number] if self.of_numbers else np.abs(self.run.gradients[number])
        return bool(np.fmin.reduce(gradient, axis=None, initial=np.inf) < tiny_of(self.run.dtype))


@lru_cache
def tiny_of(dtype: str) -> float:
    """The smallest number of a type that has all its digits; 0 and the subnormal ones below it are tiny."""
    return float(np.finfo(dtype).tiny)


def _are_finite(numbers: Any) -> bool:
    """Whether all numbers (None for a node without) are finite."""
    if len(numbers) and type(numbers[0]) is float:
        return math.isfinite(sum(numbers))  # the quickest way: an inf or nan makes the sum inf or nan
    if isinstance(numbers, np.ndarray):
        return bool(np.isfinite(numbers).all())
    # A call of numpy for each small array would take ten times as long as the arithmetic.
    small: list[Any] = []
    large: list[Any] = []
    for array in numbers:
        if array is not None:
            (small if np.size(array) <= TOGETHER else large).append(array)
    together = not small or np.isfinite(np.concatenate(small, axis=None)).all()
    return bool(together) and all(np.isfinite(array).all() for array in large)


def extremes(arrays: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """The smallest and the largest magnitude in each array: nan is never the smallest, always the largest.

    An empty array has inf and 0, one of nan alone inf and nan.
    """
    sizes = [np.abs(array) for array in arrays]
    smallest = [np.fmin.reduce(size, axis=None, initial=np.inf) for size in sizes]
    return np.array(smallest), np.array([size.max(initial=0.0) for size in sizes])
