"""The passes over a plan, fastest first: Python floats, levels of numbers, arrays. All give the same numbers.

A pass returns None where it cannot continue: the fast ones raise where IEEE arithmetic gives inf or nan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from cadena.core.graph.document import Value, as_array
from cadena.core.run.collecting import no_collection
from cadena.core.run.passes import arrays, floats, levels
from cadena.core.run.passes.grouping import FloatMaker, Groups, Planned, grouped, make_plan
from cadena.core.run.plan import Plan
from cadena.core.run.table import Table, moving_slots

Leaves = Mapping[int, Value]  # in the order of the plan's leaves
Numbers = Sequence[Any] | np.ndarray
Moved = Mapping[int, Any]  # the tangents of the leaves that move: a number each, or a vector of several tangents each


class Pass(Protocol):
    """One way to run a plan. What `forward` and `reverse` return is the pass's own; `by_number` makes it readable."""

    def forward(self, leaves: Leaves, dtype: str) -> Any: ...
    def reverse(self, values: Any, seed: np.ndarray) -> Any: ...
    def by_number(self, numbers: Any) -> Numbers: ...


class FloatPass:
    """Everything in Python floats: the least overhead for the graphs that people draw."""

    def __init__(self, plan: Plan, table: Table, order: np.ndarray, before: floats.PlannedFloats | None = None) -> None:
        """`order` is that of the operations, operands before their consumers; `before` what was planned before an
        edit."""
        self.plan, self.table, self.order = plan, table, order
        items = self._items(plan.active)
        self.floats = floats.make_plan(items, before)
        self.planned = floats.PlannedFloats(self.floats, items)

    def _items(self, active: np.ndarray) -> floats.Items:
        places = np.vstack([self.table.outs, self.table.operands])[:, self.order]
        return floats.Items(self.table.kinds, self.table.codes[self.order], places, active[:, self.order])

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

    def tangent_plan(self, moving: np.ndarray) -> floats.FloatPlan:
        """The plan for tangents that go along the wires `moving`, by slot and operation."""
        return floats.make_tangent_plan(self._items(moving))

    def tangent(self, plan: floats.FloatPlan, values: list[float], moved: Moved) -> list[float] | None:
        """The tangents of all nodes, 0 for those that do not move."""
        tangents = [0.0] * len(values)
        for leaf, number in moved.items():
            tangents[leaf] = number
        with suppress(ArithmeticError, ValueError):
            floats.tangent(plan, values, tangents)
            return tangents
        return None

    def by_number(self, numbers: list[float]) -> Numbers:
        return numbers


class LevelPass:
    """Wide levels in numpy, narrow ones in Python floats where `with_floats` allows it."""

    def __init__(
        self, plan: Plan, table: Table, groups: Groups, with_floats: bool, before: Planned | None = None
    ) -> None:
        """`before` is what was planned with floats before an edit."""
        self.plan, self.table, self.groups, self.with_floats = plan, table, groups, with_floats
        self.planned = self._planned(plan.active, floats.make_plan, before)
        self.levels = self.planned.plan

    def _planned(self, active: np.ndarray, narrow: FloatMaker, before: Planned | None = None) -> Planned:
        maker, count = narrow if self.with_floats else None, len(self.plan.names)
        return make_plan(self.table, self.groups, self.plan.leaves, active, count, maker, before)

    def forward(self, leaves: Leaves, dtype: str) -> np.ndarray | None:
        with self._giving_up():
            return levels.forward(self.levels, leaves.values(), dtype)  # type: ignore[arg-type]  # numbers
        return None

    def reverse(self, values: np.ndarray, seed: np.ndarray) -> np.ndarray | None:
        assert self.plan.output is not None
        with self._giving_up():
            return levels.reverse(self.levels, values, self.plan.output, float(seed))
        return None

    def tangent_plan(self, moving: np.ndarray) -> levels.LevelPlan:
        """The plan for tangents that go along the wires `moving`, by slot and operation."""
        return self._planned(moving, floats.make_tangent_plan).plan

    def tangent(self, plan: levels.LevelPlan, values: np.ndarray, moved: Moved) -> np.ndarray | None:
        """The tangents of all nodes, 0 for those that do not move."""
        with self._giving_up():
            return levels.tangent(plan, values, moved)
        return None

    def _giving_up(self) -> AbstractContextManager[None]:
        """Suppress the exceptions of Python floats for inf or nan, so that the result is None; numpy raises none."""
        return suppress(ArithmeticError, ValueError) if self.with_floats else nullcontext()

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


class Passes:
    """The passes that fit a plan, built when first needed."""

    def __init__(self, plan: Plan, before: Passes | None = None) -> None:
        """`before` are those of the plan before an edit."""
        self.plan, self.many = plan, len(plan) >= MANY
        known = vars(before).get("fast") if before is not None else None
        self._planned_before: Planned | floats.PlannedFloats | None = known.planned if known is not None else None
        self._tangent_plans: dict[Pass, Any] = {}
        if before is not None and "groups" in vars(before) and before.plan.ways is plan.ways and plan.ways is not None:
            self.groups = before.groups  # no level is another one

    @cached_property
    def table(self) -> Table | None:
        """The operations as columns, if they are all on numbers and keep the number type."""
        table = self.plan.table
        changes_type = table is not None and any("dtype" in kind.attributes for kind in table.kinds)
        return None if changes_type else table

    def for_dtype(self, dtype: str) -> Iterator[Pass]:
        """The passes that suit a number type, fastest first; the last one never gives up."""
        if self.table is not None and dtype == "float64":
            yield self.fast
        yield self.arrays if self.table is None or not self.has_groups else self.wide

    @cached_property
    def groups(self) -> Groups:
        assert self.table is not None
        return grouped(self.table, self.plan.levels)

    @property
    def has_groups(self) -> bool:
        """Whether a call for a group, which costs more than one for a node, is worth it."""
        return self.many and 4 * len(self.groups.levels) < len(self.plan)

    @cached_property
    def fast(self) -> Pass:
        """By level, if most operations are in wide groups; else all in Python floats."""
        assert self.table is not None
        before, self._planned_before = self._planned_before, None
        with no_collection():
            if self.many and self.groups.share_in_wide() > 0.5:
                known = before if isinstance(before, Planned) else None
                return LevelPass(self.plan, self.table, self.groups, with_floats=True, before=known)
            order = self.groups.order if self.many else np.arange(len(self.plan))
            return FloatPass(self.plan, self.table, order, before if isinstance(before, floats.PlannedFloats) else None)

    @cached_property
    def wide(self) -> Pass:
        assert self.table is not None
        with no_collection():
            return LevelPass(self.plan, self.table, self.groups, with_floats=False)

    @cached_property
    def moving(self) -> np.ndarray:
        """The wires, by slot and operation, through which tangents come when all leaves with a gradient move."""
        assert self.table is not None
        leaves = [leaf for leaf in self.plan.leaves if self.plan.reached[leaf]]
        return moving_slots(self.table, len(self.plan.names), leaves)

    def tangent(self, one: Pass, values: Any, moved: Moved) -> Numbers | None:
        """The tangents by node number, 0 where nothing moves; None where the pass `one` cannot tell.

        Leaves that have a gradient and stay where they are move by 0: where a local derivative is inf that gives nan.
        Vectors of tangents, all of one length, go through at once: that is Python floats times numpy arrays.
        """
        if not isinstance(one, FloatPass | LevelPass):
            return None
        if one not in self._tangent_plans:
            self._tangent_plans[one] = one.tangent_plan(self.moving)
        numbers: Any = one.tangent(self._tangent_plans[one], values, moved)
        return None if numbers is None else one.by_number(numbers)

    @cached_property
    def arrays(self) -> Pass:
        return ArrayPass(self.plan)
