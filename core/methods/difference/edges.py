"""Edge points: places where the slopes on both sides differ, and the operation that causes it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from cadena.core.methods.difference.displaced import Displaced
from cadena.core.run.program import Run

JUMP = 1e-2  # of the slopes: less is curvature
SMOOTH = 0.1  # of a disagreement: slopes that differ by less on both sides do not explain it
REMAINING = 0.6  # of a jump that stays while the step shrinks to an eighth; curvature shrinks with it
GROWN = 4.0  # times the jump grows where the value itself jumps
NOISE = 100.0  # times its usual size that rounding may have


@dataclass(frozen=True, slots=True)
class Edge:
    """The slopes of the output on both sides of an element's value, and the node that has the edge.

    A slope is nan where the output has no value on that side, as left of 0 for a root. Where `jumps`, the output is not
    even continuous, and the slopes say nothing.
    """

    node: str
    left: float
    right: float
    jumps: bool = False


def edge_at(point: Displaced, leaf: str, index: int) -> Edge | None:
    """The edge at the value of an element, or next to it; None where the output is smooth there."""
    if (sides := _both_sides(point, leaf, index)) is None or not _is_edge(*sides, point.output):
        return None
    far, near = sides
    seed = point.run.seed.astype(np.float64)
    left, right = (float(np.sum(seed * slope)) for slope in near.slopes(point.output))
    before, after = (float(np.sum(np.abs(seed) * each.jump(point.output))) for each in (far, near))
    node = _first_edge(point.run, far, near) or str(point.run.program.output)
    return Edge(node, left, right, jumps=after > GROWN * before)


def hidden_edge(point: Displaced, leaf: str, index: int, deviation: float) -> str | None:
    """The first node that has an edge at the value of an element although the output is smooth there, as
    relu(x) - relu(-x) is at 0; None where there is none, or the slopes cannot be told as well as `deviation`."""
    if (sides := _both_sides(point, leaf, index)) is None:
        return None
    seed, (_, near) = point.run.seed.astype(np.float64), sides
    left, right = (float(np.sum(seed * slope)) for slope in near.slopes(point.output))
    is_smooth = (
        abs(right - left) <= SMOOTH * deviation and float(np.max(near.noise(point.output))) <= SMOOTH * deviation
    )
    return _first_edge(point.run, *sides) if is_smooth else None


def _both_sides(point: Displaced, leaf: str, index: int) -> tuple[_Sides, _Sides] | None:
    """The runs with a larger and a smaller step; None where the value is not finite."""
    x = point.coordinate(leaf, index)
    if not math.isfinite(x):
        return None
    step = max(abs(x), 1.0) * float(point.about.eps) ** 0.375
    return _Sides(point, leaf, index, step), _Sides(point, leaf, index, step / 8.0)


class _Sides:
    """The runs with an element moved by a step to either side."""

    def __init__(self, point: Displaced, leaf: str, index: int, step: float) -> None:
        self.point, self.middle = point, point.run
        self.ahead, self.right = point.moved(leaf, index, step)
        self.behind, self.left = point.moved(leaf, index, -step)

    def slopes(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        """The quotients of a node to the left and to the right, float64, of its shape."""
        before, at, after = (_wide(run, number) for run in (self.behind, self.middle, self.ahead))
        with np.errstate(all="ignore"):
            return (before - at) / np.float64(self.left), (after - at) / np.float64(self.right)

    def jump(self, number: int) -> np.ndarray:
        """The distance between the two slopes of a node."""
        left, right = self.slopes(number)
        return np.asarray(np.abs(right - left))

    def noise(self, number: int) -> Any:
        """The rounding error of the slopes of a node; for the output, that of all operations before it."""
        step = max(abs(self.right), 1e-300)
        if number == self.point.output:
            return self.point.noise / step
        return float(np.finfo(self.middle.dtype).eps) * np.abs(_wide(self.middle, number)) / step


def _wide(run: Run, number: int) -> np.ndarray:
    return np.asarray(run.values[number], dtype=np.float64)


def _is_edge(far: _Sides, near: _Sides, number: int) -> bool:
    """Whether the jump between the slopes on both sides stays when the step shrinks, or one side has no values."""
    left, right = near.slopes(number)
    if bool(np.any(np.isnan(left) != np.isnan(right))):
        return True
    with np.errstate(all="ignore"):
        before, after = far.jump(number), near.jump(number)
        size, noise = np.maximum(np.abs(left), np.abs(right)), near.noise(number)
        return bool(np.any((after > JUMP * size) & (after > REMAINING * before) & (after > NOISE * noise)))


def _first_edge(run: Run, far: _Sides, near: _Sides) -> str | None:
    """The first node, in the order of the forward pass, that has an edge while its operands have none."""
    plan = run.plan
    for item in plan.instructions:
        if plan.reached[item.out] and _is_edge(far, near, item.out):
            return plan.names[item.out]
    return None
