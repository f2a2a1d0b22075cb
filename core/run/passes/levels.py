"""Forward and reverse pass of large graphs of single numbers: one numpy call for all nodes of a level and operation.

Nodes get places sorted by (level, operation), so that what a group computes is one contiguous slice: forward is gather
and one call into that slice; reverse gathers again and adds up with `np.add.at`. Levels too narrow to be worth a numpy
call are run in Python floats (see `floats`), many of them in a row as one segment.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np

from cadena.core.ops.primitive import Rule, gated
from cadena.core.run.passes import floats


class GroupWires(NamedTuple):
    """The wires of a group through one slot, with a slice of what the level passes back."""

    slot: int
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
        place, rule, is_ufunc, attributes, indices, _ = self
        operands = [values[index] for index in indices]
        if is_ufunc:
            rule(*operands, values[place])
        else:
            values[place] = rule(*operands, **attributes)

    def reverse(self, values: np.ndarray, gradients: np.ndarray, passed: np.ndarray) -> None:
        """Put the contributions of the wires into `passed`."""
        place, _, _, attributes, indices, wires = self
        upstream, operands = gradients[place], None
        for _, where, chosen, constant, partial, gate in wires:
            local = constant
            if partial is not None:
                operands = operands or [values[index] for index in indices]
                local = partial(values[place], *operands, **attributes)
            if chosen is None and not gate:
                np.multiply(upstream, local, passed[where])  # type: ignore[arg-type]  # one of the two is there
            else:
                product = gated(upstream, local) if gate else upstream * local
                passed[where] = product if chosen is None else product[chosen]

    def tangent(self, values: np.ndarray, tangents: np.ndarray) -> None:
        """The tangents of the results: the sum over the wires of local derivative times tangent of the operand."""
        place, _, _, attributes, indices, wires = self
        operands = None
        for number, (slot, _, chosen, constant, partial, gate) in enumerate(wires):
            local = constant
            if partial is not None:
                operands = operands or [values[index] for index in indices]
                local = partial(values[place], *operands, **attributes)
                if tangents.ndim > 1:  # a row of tangents for each node
                    local = local[:, None]
            moved = gated(tangents[indices[slot]], local) if gate else tangents[indices[slot]] * local
            if chosen is not None:  # what does not move has no tangent, not even if its local derivative is inf
                moved, some = np.zeros_like(moved), moved[chosen]
                moved[chosen] = some
            if number:
                moved += tangents[place]
            tangents[place] = moved


class Level(NamedTuple):
    """Groups whose operands all come before them; `targets` are the places of the operands to which they pass."""

    groups: tuple[LevelGroup, ...]
    targets: np.ndarray

    def forward(self, values: np.ndarray) -> None:
        for group in self.groups:
            group.forward(values)

    def reverse(self, values: np.ndarray, gradients: np.ndarray) -> None:
        passed = np.empty(len(self.targets), dtype=values.dtype)
        for group in self.groups:
            group.reverse(values, gradients, passed)
        np.add.at(gradients, self.targets, passed)

    def tangent(self, values: np.ndarray, tangents: np.ndarray) -> None:
        for group in self.groups:
            group.tangent(values, tangents)


class Segment(NamedTuple):
    """Narrow levels in a row, at the places start to stop, as a plan for Python floats over `outside` and own nodes."""

    start: int
    stop: int
    outside: np.ndarray  # places of the operands from before, each once; they come first in the local numbering
    plan: floats.FloatPlan

    def forward(self, values: np.ndarray) -> None:
        local = values[self.outside].tolist() + [0.0] * (self.stop - self.start)
        floats.forward(self.plan, local)
        values[self.start : self.stop] = local[len(self.outside) :]

    def reverse(self, values: np.ndarray, gradients: np.ndarray) -> None:
        local = values[self.outside].tolist() + values[self.start : self.stop].tolist()
        carried = [-0.0] * len(self.outside) + gradients[self.start : self.stop].tolist()
        floats.reverse(self.plan, local, carried)
        gradients[self.outside] += carried[: len(self.outside)]
        gradients[self.start : self.stop] = carried[len(self.outside) :]

    def tangent(self, values: np.ndarray, tangents: np.ndarray) -> None:
        local = values[self.outside].tolist() + values[self.start : self.stop].tolist()
        if tangents.ndim > 1:
            carried = [*tangents[self.outside], *tangents[self.start : self.stop]]
            floats.tangent(self.plan, local, carried)
            for place, row in enumerate(carried[len(self.outside) :], self.start):
                tangents[place] = row
            return
        carried = tangents[self.outside].tolist() + [0.0] * (self.stop - self.start)
        floats.tangent(self.plan, local, carried)
        tangents[self.start : self.stop] = carried[len(self.outside) :]


class LevelPlan(NamedTuple):
    """Levels and segments in order; `places[i]` is where node number i is, `leaves` are the places of the leaves."""

    places: np.ndarray
    leaves: np.ndarray
    parts: tuple[Level | Segment, ...]


def forward(plan: LevelPlan, leaves: Collection[float], dtype: str) -> np.ndarray:
    """All values at their places; `leaves` are in the order of the plan.

    A segment raises ArithmeticError or ValueError where numpy would give inf or nan.
    """
    values = np.zeros(len(plan.places), dtype=dtype)
    with np.errstate(all="ignore"):
        values[plan.leaves] = np.fromiter(leaves, dtype=np.float64, count=len(leaves))
        for part in plan.parts:
            part.forward(values)
    return values


def reverse(plan: LevelPlan, values: np.ndarray, output: int, seed: float) -> np.ndarray:
    """All gradients at their places; nodes that are not reached keep -0.0. Raises as `forward` does."""
    gradients = np.full(len(values), -0.0, dtype=values.dtype)
    with np.errstate(all="ignore"):
        gradients[plan.places[output]] = seed
        for part in reversed(plan.parts):
            part.reverse(values, gradients)
    return gradients


def tangent(plan: LevelPlan, values: np.ndarray, moved: Mapping[int, Any]) -> np.ndarray:
    """All tangents at their places, those of the leaves given by node number. Raises as `forward` does.

    For vectors of tangents, all of one length, they are (nodes, length).
    """
    leaves = np.array(list(moved.values()), dtype=values.dtype)
    tangents = np.zeros((len(values), *leaves.shape[1:]), dtype=values.dtype)
    with np.errstate(all="ignore"):
        tangents[plan.places[list(moved)]] = leaves
        for part in plan.parts:
            part.tangent(values, tangents)
    return tangents
