"""Edge points: places where the slopes on both sides differ, and the operation that causes it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from cadena.core.functions.calls import operation
from cadena.core.methods.difference.displaced import Displaced
from cadena.core.ops.traits import Trait
from cadena.core.run.program import Run

JUMP = 1e-2  # of the slopes: less is curvature
SMOOTH = 0.1  # of a disagreement: slopes that differ by less on both sides do not explain it
REMAINING = 0.6  # of a jump that stays while the step shrinks to an eighth; curvature shrinks with it
DIVERGES = 1.02  # times a slope grows, again and again, as the step shrinks to an eighth, where it is infinite
NARROWER, NARROWEST = 1e-2, 1e-100  # the steps that look for a region nearer to the point than differences look
GROWN = 4.0  # times the jump grows where the value itself jumps
NOISE = 100.0  # times its usual size that rounding may have


@dataclass(frozen=True, slots=True)
class Edge:
    """The slopes of the output on both sides of an element's value, and the node that has the edge.

    A slope is nan where the output has no value on that side, as left of 0 for a root, and infinite where it grows
    without bound. Where `jumps`, the output is not even continuous, and the slopes say nothing. At a `tie` equal
    numbers meet in the node, which takes one of them.
    """

    node: str
    left: float
    right: float
    jumps: bool = False
    tie: bool = False


@dataclass(frozen=True, slots=True)
class NarrowRegion:
    """The output bends nearer to the point than differences look: only steps up to `step` see its `slope` there."""

    step: float
    slope: float


def edge_at(point: Displaced, leaf: str, index: int) -> Edge | None:
    """The edge at the value of an element, or next to it; None where the output is smooth there."""
    if (sides := _both_sides(point, leaf, index)) is None or not _is_edge(*sides, point.output):
        return None
    far, near = sides
    seed = point.run.seed.astype(np.float64)
    before, after = (float(np.sum(np.abs(seed) * each.jump(point.output))) for each in (far, near))
    nearer = _Sides(point, leaf, index, near.right / 8.0)
    slopes = ([float(np.sum(seed * slope)) for slope in sides.slopes(point.output)] for sides in (far, near, nearer))
    noise = float(np.sum(np.abs(seed) * nearer.noise(point.output)))
    left, right = (_limit(*steps, noise=noise) for steps in zip(*slopes, strict=True))
    node = _first_edge(point.run, far, near) or str(point.run.program.output)
    return Edge(node, left, right, after > GROWN * before, _has_tie(point.run, node))


def _limit(far: float, near: float, nearer: float, *, noise: float) -> float:
    """What the slopes of three steps lead to, each an eighth of the one before: the second of them, or infinity.

    Where there is a slope s, quotients are s + c·h, so that what they grow by shrinks with the step. Rounding grows
    like an infinite slope: quotients within the `noise` of the last step are 0.
    """
    if abs(nearer) <= NOISE * noise:
        return near if abs(near) > noise else 0.0
    with np.errstate(all="ignore"):
        first, second = np.float64(near) / far, np.float64(nearer) / near
    grows = first > DIVERGES and second > DIVERGES and second - 1.0 > (first - 1.0) / 2.0
    return math.copysign(math.inf, near) if grows else near


def _has_tie(run: Run, node: str) -> bool:
    primitive = operation(run.program.document, run.program.document.nodes[node].op)
    return primitive is not None and Trait.CHOOSES in primitive.traits


def narrow_region(point: Displaced, leaf: str, index: int, own: float) -> NarrowRegion | None:
    """The region around the point, narrower than a step of differences, in which the output has the slope `own`, as
    x / max(norm(x), 1e-12) has at 0; None if there is none, or rounding hides it."""
    if (sides := _both_sides(point, leaf, index)) is None:
        return None
    seed, step = point.run.seed.astype(np.float64), sides[1].right
    least = max(NOISE * float(np.spacing(abs(point.coordinate(leaf, index)))), NARROWEST)
    while (step := step * NARROWER) > least:
        one = _Sides(point, leaf, index, step)
        left, right = (float(np.sum(seed * slope)) for slope in one.slopes(point.output))
        noise, reach = float(np.max(one.noise(point.output))), JUMP * abs(own)
        if abs(left - own) < reach and abs(right - own) < reach and noise < reach:
            return NarrowRegion(step, (left + right) / 2.0)
    return None


def hidden_edge(point: Displaced, leaf: str, index: int, deviation: float) -> tuple[str, bool] | None:
    """The first node that has an edge at the value of an element although the output is smooth there, as
    relu(x) - relu(-x) is at 0, and whether it is a tie; None if there is none, or the slopes are not known to within
    `deviation`."""
    if (sides := _both_sides(point, leaf, index)) is None:
        return None
    seed, (_, near) = point.run.seed.astype(np.float64), sides
    left, right = (float(np.sum(seed * slope)) for slope in near.slopes(point.output))
    is_smooth = (
        abs(right - left) <= SMOOTH * deviation and float(np.max(near.noise(point.output))) <= SMOOTH * deviation
    )
    node = _first_edge(point.run, *sides) if is_smooth else None
    return None if node is None else (node, _has_tie(point.run, node))


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
