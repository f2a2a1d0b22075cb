"""The passes over a plan, fastest first: Python floats, levels of numbers, arrays. All give the same numbers.

A pass says None where it cannot go on: the fast ones raise where IEEE arithmetic gives inf or nan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from core.collecting import no_collection
from core.document import Value, as_array
from core.passes import arrays, floats, levels
from core.plan import Plan

Leaves = Mapping[int, Value]
Numbers = Sequence[Any] | np.ndarray


class Pass(Protocol):
    """One way to run a plan. What `forward` and `reverse` return is the pass's own; `by_number` makes it readable."""

    def forward(self, leaves: Leaves, dtype: str) -> Any: ...
    def reverse(self, values: Any, seed: np.ndarray) -> Any: ...
    def by_number(self, numbers: Any) -> Numbers: ...


class FloatPass:
    """Everything in Python floats: the least overhead for the graphs that people draw."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.floats = plan, floats.make_plan(plan.instructions)

    def forward(self, leaves: Leaves, dtype: str) -> list[Any] | None:
        values: list[Any] = [0.0] * len(self.plan.names)
        for leaf, value in leaves.items():
            values[leaf] = value
        try:
            floats.forward(self.floats, values)
        except (ArithmeticError, ValueError):
            return None
        return values

    def reverse(self, values: list[float], seed: np.ndarray) -> list[float] | None:
        assert self.plan.output is not None
        gradients = [-0.0] * len(values)
        gradients[self.plan.output] = float(seed)
        try:
            floats.reverse(self.floats, values, gradients)
        except (ArithmeticError, ValueError):
            return None
        return gradients

    def by_number(self, numbers: list[float]) -> Numbers:
        return numbers


class LevelPass:
    """Wide levels in numpy, narrow ones in Python floats where `with_floats` allows it."""

    def __init__(self, plan: Plan, with_floats: bool) -> None:
        self.plan = plan
        with no_collection():
            self.levels = levels.make_plan(plan, with_floats)

    def forward(self, leaves: Leaves, dtype: str) -> np.ndarray | None:
        try:
            return levels.forward(self.levels, leaves, dtype)
        except (ArithmeticError, ValueError):
            return None

    def reverse(self, values: np.ndarray, seed: np.ndarray) -> np.ndarray | None:
        assert self.plan.output is not None
        try:
            return levels.reverse(self.levels, values, self.plan.output, float(seed))
        except (ArithmeticError, ValueError):
            return None

    def by_number(self, numbers: np.ndarray) -> Numbers:
        return np.asarray(numbers[self.levels.places])


class ArrayPass:
    """The general case: a numpy call for each operation."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def forward(self, leaves: Leaves, dtype: str) -> list[Any]:
        values: list[Any] = [None] * len(self.plan.names)
        with np.errstate(over="ignore"):  # 1e300 is inf in float32; the faults say so
            for leaf, value in leaves.items():
                values[leaf] = as_array(value).astype(dtype)
        arrays.forward(self.plan, values)
        return values

    def reverse(self, values: list[Any], seed: np.ndarray) -> list[Any]:
        return arrays.reverse(self.plan, values, seed)

    def by_number(self, numbers: list[Any]) -> Numbers:
        return numbers


MANY = 2_000  # operations: below this, levels are not worth the time to find them


class Passes:
    """The passes that fit a plan, made when first needed."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        primitives = {item.primitive.name: item.primitive for item in plan.instructions}.values()
        self.all_numbers = all(plan.shapes[leaf] == () for leaf in plan.leaves) and all(
            p.elementwise for p in primitives
        )
        self.has_float_form = self.all_numbers and all(map(floats.has_form, primitives))

    def for_dtype(self, dtype: str) -> Iterator[Pass]:
        """Fastest first; the last one never gives up."""
        many = len(self.plan.instructions) >= MANY
        if dtype == "float64" and self.has_float_form:
            yield self.hybrid if many else self.floats
        yield self.wide if many and self.all_numbers else self.arrays

    @cached_property
    def floats(self) -> Pass:
        return FloatPass(self.plan)

    @cached_property
    def hybrid(self) -> Pass:
        return LevelPass(self.plan, with_floats=True)

    @cached_property
    def wide(self) -> Pass:
        return LevelPass(self.plan, with_floats=False)

    @cached_property
    def arrays(self) -> Pass:
        return ArrayPass(self.plan)
