"""The passes over a plan: Python floats, levels of numbers, arrays. All give the same numbers.

What each earns: forward and reverse pass, in milliseconds, after a leaf was dragged or a step of training was made.

                                        fastest   without floats   arrays alone
    2-4-1 network number by number        0.037            0.28           0.30
    chain of 10,000                         4.8              61             85
    10,000 nodes in 40 levels              0.89            0.74             99
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from cadena.core.graph.document import Value, as_array
from cadena.core.run.collecting import no_collection
from cadena.core.run.passes import arrays, floats, levels
from cadena.core.run.passes.grouping import Groups, grouped, make_plan
from cadena.core.run.plan import Plan
from cadena.core.run.table import Table

Leaves = Mapping[int, Value]  # in the order of the plan's leaves
Numbers = Sequence[Any] | np.ndarray


class Pass(Protocol):
    """One way to run a plan. What `forward` and `reverse` return is the pass's own; `by_number` makes it readable.

    Both return None where the pass cannot continue.
    """

    def forward(self, leaves: Leaves, dtype: str) -> Any: ...
    def reverse(self, values: Any, seed: np.ndarray) -> Any: ...
    def by_number(self, numbers: Any) -> Numbers: ...


class FloatPass:
    """Everything in Python floats: the least overhead for the graphs that people draw. Gives up at inf and nan."""

    def __init__(self, plan: Plan, table: Table) -> None:
        self.plan, self.floats = plan, floats.make_plan(table, plan.active)

    def forward(self, leaves: Leaves, dtype: str) -> list[Any] | None:
        values: list[Any] = [0.0] * len(self.plan.names)
        for leaf, value in leaves.items():
            values[leaf] = value
        with suppress(ArithmeticError, ValueError):
            floats.forward(self.floats, values)
            return values
        return None

    def reverse(self, values: list[float], seed: np.ndarray) -> list[float] | None:
        assert self.plan.output is not None
        gradients = [-0.0] * len(values)
        gradients[self.plan.output] = float(seed)
        with suppress(ArithmeticError, ValueError):
            floats.reverse(self.floats, values, gradients)
            return gradients
        return None

    def by_number(self, numbers: list[float]) -> Numbers:
        return numbers


class LevelPass:
    """A numpy call for all nodes of one level and operation."""

    def __init__(self, plan: Plan, table: Table, groups: Groups) -> None:
        self.plan, self.levels = plan, make_plan(table, groups, plan.leaves, plan.active, len(plan.names))

    def forward(self, leaves: Leaves, dtype: str) -> np.ndarray:
        return levels.forward(self.levels, leaves.values(), dtype)  # type: ignore[arg-type]  # numbers

    def reverse(self, values: np.ndarray, seed: np.ndarray) -> np.ndarray:
        assert self.plan.output is not None
        return levels.reverse(self.levels, values, self.plan.output, float(seed))

    def by_number(self, numbers: np.ndarray) -> Numbers:
        return np.asarray(numbers[self.levels.places])


class ArrayPass:
    """The general case: a numpy call for each operation."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self._leaves = plan, dict[int, tuple[Value, str, np.ndarray]]()

    def forward(self, leaves: Leaves, dtype: str) -> list[Any]:
        values: list[Any] = [None] * len(self.plan.names)
        with np.errstate(over="ignore"):  # 1e300 is inf in float32; the faults say so
            for leaf, value in leaves.items():
                values[leaf] = self._array(leaf, value, dtype)
        arrays.forward(self.plan, values)
        return values

    def _array(self, leaf: int, value: Value, dtype: str) -> np.ndarray:
        """A leaf's value as a read-only array, kept from run to run while it is the same."""
        known = self._leaves.get(leaf)
        if known is None or known[0] is not value or known[1] != dtype:
            array = as_array(value).astype(dtype, copy=False)
            array.setflags(write=False)
            known = self._leaves[leaf] = value, dtype, array
        return known[2]

    def reverse(self, values: list[Any], seed: np.ndarray) -> list[Any]:
        return arrays.reverse(self.plan, values, seed)

    def by_number(self, numbers: list[Any]) -> Numbers:
        return numbers


MANY = 64  # operations: for fewer, levels are not worth the time to sort by them
WIDE = 32  # operations: a group costs about as much in numpy calls as these in Python floats
NARROW = 4  # and about as much as these in numpy calls of their own


class Passes:
    """The passes that fit a plan, built when first needed."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.table = plan, plan.table

    def for_dtype(self, dtype: str) -> Iterator[Pass]:
        """The passes that suit a number type, fastest first; the last one never gives up."""
        if self.table is not None and dtype == "float64" and self.group_size < WIDE:
            yield self.floats
        yield self.arrays if self.group_size < NARROW else self.levels

    @cached_property
    def groups(self) -> Groups:
        assert self.table is not None
        return grouped(self.table, self.plan.levels)

    @cached_property
    def group_size(self) -> float:
        """How many operations a group has on average; 0 where there are no groups."""
        many = self.table is not None and len(self.plan) >= MANY
        return len(self.plan) / len(self.groups.levels) if many else 0.0

    @cached_property
    def floats(self) -> Pass:
        assert self.table is not None
        with no_collection():
            return FloatPass(self.plan, self.table)

    @cached_property
    def levels(self) -> Pass:
        assert self.table is not None
        with no_collection():
            return LevelPass(self.plan, self.table, self.groups)

    @cached_property
    def arrays(self) -> Pass:
        return ArrayPass(self.plan)
