"""Forward and reverse pass of large graphs of single numbers: one numpy call for all nodes of a level and operation.

Nodes get places sorted by (level, operation), so that what a group computes is one contiguous slice: forward is gather
and one call into that slice; reverse gathers again and adds up with `np.add.at`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from cadena.core.ops.primitive import Rule, gated


class GroupWires(NamedTuple):
    """The wires of a group through one slot, with a slice of what the level passes back."""

    passed: slice
    chosen: np.ndarray | None  # which nodes of the group want it; None: all
    constant: float | None  # the local derivative, if it is the same number everywhere; else `partial` gives it
    partial: Rule | None
    gate: bool


class LevelGroup(NamedTuple):
    """Nodes of one level and one operation, at a slice of places; operands are index arrays, one for each slot."""

    place: slice
    rule: Rule
    is_ufunc: bool
    attributes: dict[str, Any]
    operands: tuple[np.ndarray, ...]
    wires: tuple[GroupWires, ...]

    def forward(self, values: np.ndarray) -> None:
        operands = [values[index] for index in self.operands]
        if self.is_ufunc:
            self.rule(*operands, values[self.place])
        else:
            values[self.place] = self.rule(*operands, **self.attributes)

    def reverse(self, values: np.ndarray, gradients: np.ndarray, passed: np.ndarray) -> None:
        """Put the contributions of the wires into `passed`."""
        upstream, operands = gradients[self.place], None
        for where, chosen, constant, partial, gate in self.wires:
            local = constant
            if partial is not None:
                operands = operands or [values[index] for index in self.operands]
                local = partial(values[self.place], *operands, **self.attributes)
            if chosen is None and not gate:
                np.multiply(upstream, local, passed[where])  # type: ignore[arg-type]  # one of the two is there
            else:
                product = gated(upstream, local) if gate else upstream * local
                passed[where] = product if chosen is None else product[chosen]


class Level(NamedTuple):
    """Groups whose operands all come before them; `targets` are the places of the operands to which they pass."""

    groups: tuple[LevelGroup, ...]
    targets: np.ndarray


class LevelPlan(NamedTuple):
    """Levels in order; `places[i]` is where node number i is, `leaves` are the places of the leaves."""

    places: np.ndarray
    leaves: np.ndarray
    levels: tuple[Level, ...]


def forward(plan: LevelPlan, leaves: Collection[float], dtype: str) -> np.ndarray:
    """All values at their places; `leaves` are in the order of the plan."""
    values = np.zeros(len(plan.places), dtype=dtype)
    with np.errstate(all="ignore"):
        values[plan.leaves] = np.fromiter(leaves, dtype=np.float64, count=len(leaves))
        for level in plan.levels:
            for group in level.groups:
                group.forward(values)
    return values


def reverse(plan: LevelPlan, values: np.ndarray, output: int, seed: float) -> np.ndarray:
    """All gradients at their places; nodes that are not reached keep -0.0."""
    gradients = np.full(len(values), -0.0, dtype=values.dtype)
    with np.errstate(all="ignore"):
        gradients[plan.places[output]] = seed
        for level in reversed(plan.levels):
            passed = np.empty(len(level.targets), dtype=values.dtype)
            for group in level.groups:
                group.reverse(values, gradients, passed)
            np.add.at(gradients, level.targets, passed)
    return gradients
