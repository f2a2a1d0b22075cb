"""How large the gradient is at each depth, from the output back to the leaves: does it vanish or explode on the way?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.diagnosis.marks import extremes
from core.fault import Fault
from core.numbers import short

if TYPE_CHECKING:
    from core.program import Run

DECADES = 4.0  # orders of magnitude between the ends that are worth a hint
LAYERS = 5  # fewer make no trend


class Layer(NamedTuple):
    """The nodes at one distance from the output. `norm` is the root of the mean of their squared gradients, so that
    layers of different width compare; `largest` the largest magnitude."""

    depth: int
    nodes: tuple[str, ...]
    norm: float
    largest: float


def by_layer(run: Run) -> tuple[Layer, ...]:
    """The gradients by depth: 0 is the output, the others are the longest way to it. Empty without an output."""
    depths = _depths(run)
    if not depths:
        return ()
    numbers, levels = list(depths), np.fromiter(depths.values(), dtype=np.intp)
    squares, sizes, most = _measures(run, numbers)
    names: list[list[str]] = [[] for _ in range(int(levels.max()) + 1)]
    for number, depth in depths.items():
        names[depth].append(run.plan.names[number])
    largest = np.zeros(len(names))
    with np.errstate(all="ignore"):  # a nan stays one
        np.maximum.at(largest, levels, most)
        norms = np.sqrt(np.bincount(levels, squares) / np.maximum(np.bincount(levels, sizes), 1.0))
    return tuple(
        Layer(depth, tuple(names[depth]), float(norms[depth]), float(largest[depth])) for depth in range(len(names))
    )


def _depths(run: Run) -> dict[int, int]:
    plan = run.plan
    if plan.output is None:
        return {}
    depths = {plan.output: 0}
    for item in reversed(plan.instructions):
        if item.out in depths:
            below = depths[item.out] + 1
            for slot in item.wanted:
                operand = item.operands[slot]
                depths[operand] = max(depths.get(operand, 0), below)
    return depths


def _measures(run: Run, numbers: list[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each node the sum of its squared gradients, how many there are, and their largest magnitude."""
    with np.errstate(all="ignore"):
        if not any(run.plan.shapes[number] for number in numbers):  # single numbers
            flat = np.array([run.gradients[number] for number in numbers], dtype=np.float64)
            return flat * flat, np.ones(len(flat)), np.abs(flat)
        each = [np.asarray(run.gradients[number], dtype=np.float64) for number in numbers]
        squares = np.array([np.sum(gradient * gradient) for gradient in each])
        most = np.array([np.max(np.abs(gradient), initial=0.0) for gradient in each])
    return squares, np.array([gradient.size for gradient in each], dtype=np.float64), most


def layer_hints(run: Run) -> Iterator[Fault]:
    """One hint where the gradient shrinks or grows by orders of magnitude, little by little over many layers."""
    if not _ends_differ(run):
        return
    layers = [layer for layer in by_layer(run) if math.isfinite(layer.norm) and layer.norm > 0.0]
    if len(layers) < LAYERS:
        return
    logs = [math.log10(layer.norm) for layer in layers]
    total = logs[-1] - logs[0]
    steps = [after - before for before, after in pairwise(logs)]
    gradual = max(map(abs, steps)) <= abs(total) / 2.0
    if abs(total) < DECADES or not gradual:
        return
    factor = 10.0 ** (total / (len(layers) - 1))
    kind, verb = ("vanishing-by-layer", "falls") if total < 0.0 else ("exploding-by-layer", "grows")
    remedy = "relu or a residual sum" if total < 0.0 else "smaller weights or a bound on the gradient"
    first, last = layers[0].nodes[0], layers[-1].nodes[0]
    message = (
        f"{last}: on its way back the gradient {verb} from {short(layers[0].norm)} at {first} to "
        f"{short(layers[-1].norm)} at {last}, by a factor of {short(factor, 2)} for each of {len(layers) - 1} layers; "
        f"use {remedy}, or other starting weights"
    )
    yield Fault(last, kind, message, rule=f"a factor of {short(factor, 2)} a layer", severity="hint")


def _ends_differ(run: Run) -> bool:
    """Whether the gradient of some leaf is far from the seed: a quick look before the slow one."""
    if run.plan.output is None:
        return False
    limit, seed = 10.0**DECADES, float(np.max(np.abs(run.seed), initial=0.0))
    _, _, sizes = extremes(run)
    sizes = sizes[sizes > 0.0]
    return bool(((sizes <= seed / limit) | (sizes >= seed * limit)).any())
