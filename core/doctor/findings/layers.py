"""How large the gradient is at each depth, from the output back to the leaves: does it vanish or explode on the way?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cadena.core.doctor.findings.bulk import all_sizes, fed_leaves, flat_parts, square_sum
from cadena.core.doctor.findings.kept import once_a_plan
from cadena.core.graph.fault import Fault
from cadena.core.run.plan import Plan
from cadena.core.run.table import Table, wanted_slots
from cadena.core.text.numbers import short

if TYPE_CHECKING:
    from cadena.core.run.program import Run

DECADES = 4.0  # orders of magnitude between the ends that are worth a hint
LAYERS = 5  # fewer make no trend


class Layer(NamedTuple):
    """The nodes at one distance from the output. `norm` is the root of the mean of their squared gradients, so that
    layers of different width compare; `largest` the largest magnitude."""

    depth: int
    nodes: tuple[str, ...]
    norm: float
    largest: float


class Depths(NamedTuple):
    """The nodes that get a gradient, each with its depth: 0 for the output, for others the longest way to it."""

    numbers: np.ndarray
    levels: np.ndarray
    total: int
    deepest: np.ndarray

    @classmethod
    def of(cls, depths: dict[int, int]) -> Depths:
        numbers, levels = (np.fromiter(items, np.intp, len(depths)) for items in (depths, depths.values()))
        last = int(levels.max(initial=-1))
        return cls(numbers, levels, last + 1, numbers[levels == last])

    def first_at(self, depth: int) -> int:
        """The first node at one depth."""
        return int(self.numbers[np.argmax(self.levels == depth)])


@once_a_plan
def _depths(run: Run) -> Depths:
    if run.plan.output is None:
        return Depths.of({})
    depths, table = {run.plan.output: 0}, run.program.passes.table
    for out, operands in _ways_back(run.plan) if table is None else _ways_back_in(table, run.plan.reached):
        if out in depths:
            below = depths[out] + 1
            for operand in operands:
                if below > depths.get(operand, 0):
                    depths[operand] = below
    return Depths.of(depths)


def _ways_back(plan: Plan) -> Iterator[tuple[int, list[int]]]:
    """Each operation, the last one first, with the operands to which its gradient goes."""
    for item in reversed(plan.instructions):
        yield item.out, [item.operands[slot] for slot in item.wanted]


def _ways_back_in(table: Table, reached: list[bool]) -> Iterator[tuple[int, list[int]]]:
    wanted = wanted_slots(table, reached)
    rows = zip(table.outs.tolist()[::-1], table.operands.T.tolist()[::-1], wanted.T.tolist()[::-1], strict=True)
    for out, operands, which in rows:
        yield out, [operand for operand, here in zip(operands, which, strict=True) if here]


def by_layer(run: Run) -> tuple[Layer, ...]:
    """The gradients by depth: 0 is the output, the others are the longest way to it. Empty without an output."""
    depths = _depths(run)
    if not depths.total:
        return ()
    squares, sizes, most = _measures(run, depths)
    norms, largest = _norms(depths, squares, sizes), np.zeros(depths.total)
    with np.errstate(invalid="ignore"):  # a nan stays one
        np.maximum.at(largest, depths.levels, most)
    names: list[list[str]] = [[] for _ in range(depths.total)]
    for number, depth in zip(depths.numbers.tolist(), depths.levels.tolist(), strict=True):
        names[depth].append(run.plan.names[number])
    rows = zip(names, norms.tolist(), largest.tolist(), strict=True)
    return tuple(Layer(depth, tuple(nodes), norm, most) for depth, (nodes, norm, most) in enumerate(rows))


def _measures(run: Run, depths: Depths) -> tuple[np.ndarray, np.ndarray | None, np.ndarray]:
    """For each node the sum of its squared gradients, how many there are (None: one), and their largest magnitude."""
    with np.errstate(all="ignore"):
        if run.program.passes.table is not None:
            flat = all_sizes(run)[depths.numbers].astype(np.float64)
            return flat * flat, None, flat
        each = [np.asarray(run.gradients[number], dtype=np.float64) for number in depths.numbers.tolist()]
        squares = np.array([np.sum(gradient * gradient) for gradient in each])
        most = np.array([np.max(np.abs(gradient), initial=0.0) for gradient in each])
    return squares, np.array([gradient.size for gradient in each], dtype=np.float64), most


def _norms(depths: Depths, squares: np.ndarray, sizes: np.ndarray | None) -> np.ndarray:
    """For each depth the root of the mean of the squares."""
    with np.errstate(all="ignore"):
        counts = np.maximum(np.bincount(depths.levels, sizes), 1.0)
        norms: np.ndarray = np.sqrt(np.bincount(depths.levels, squares) / counts)
    return norms


def layer_hints(run: Run) -> Iterator[Fault]:
    """One hint where the gradient shrinks or grows by orders of magnitude, little by little over many layers."""
    depths = _depths(run)
    if depths.total < LAYERS or _ends_are_alike(run, depths) or not _leaves_differ(run):
        return
    norms = _norms_on_the_way(run, depths)
    there = np.flatnonzero(np.isfinite(norms) & (norms > 0.0))
    if len(there) < LAYERS:
        return
    logs = np.log10(norms[there])
    total, largest_step = float(logs[-1] - logs[0]), float(np.abs(np.diff(logs)).max())
    if abs(total) >= DECADES and largest_step <= abs(total) / 2.0:
        ends = [(_named(run, depths, depth), float(norms[depth])) for depth in (there[0], there[-1])]
        yield _hint(ends, total, np.diff(logs) / np.diff(there), int(there[-1] - there[0]))


def _norms_on_the_way(run: Run, depths: Depths) -> np.ndarray:
    """The norms without those leaves beside which the gradient goes on: a weight's is large with its layer's values."""
    squares, sizes, _ = _measures(run, depths)
    on = ~np.isin(depths.numbers, run.plan.leaves) | (depths.levels == depths.total - 1)
    return _norms(depths, np.where(on, squares, 0.0), on if sizes is None else sizes * on)


def _named(run: Run, depths: Depths, depth: int) -> str:
    """The first node at one depth."""
    return run.plan.names[depths.first_at(depth)]


def _hint(ends: Sequence[tuple[str, float]], total: float, each: np.ndarray, layers: int) -> Fault:
    """The hint from the ends, each a node and a norm, and the orders of magnitude: altogether, and of each layer."""
    (first, before), (last, after) = ends
    mean, least, most = (short(10.0**decades, 2) for decades in (total / layers, each.min(), each.max()))
    kind, verb = ("vanishing-by-layer", "shrinks") if total < 0.0 else ("exploding-by-layer", "grows")
    remedy = "relu or a residual sum" if total < 0.0 else "smaller weights or a bound on the gradient"
    spread = "" if least == most else f" ({least} to {most})"
    message = (
        f"{last}: on its way back from {first} to {last} the gradient {verb} by a factor of {short(10.0**total, 2)}, "
        f"from {short(before)} to {short(after)}: over {layers} layers on average by {mean} a layer{spread}; use "
        f"{remedy}, or other starting weights"
    )
    return Fault(last, kind, message, rule=f"a factor of {mean} a layer on average", severity="hint")


def _ends_are_alike(run: Run, depths: Depths) -> bool:
    """Whether the norms of the first and the last layer differ too little for a hint: a look before the slow one."""
    first, last = (_norm(run, numbers) for numbers in (depths.numbers[:1], depths.deepest))
    if not (0.0 < first < math.inf and 0.0 < last < math.inf):  # then other layers are the ends
        return False
    return abs(math.log10(last) - math.log10(first)) < DECADES - 0.001


def _norm(run: Run, numbers: np.ndarray) -> float:
    if run.program.passes.table is not None:
        return math.hypot(*all_sizes(run)[numbers].tolist()) / math.sqrt(len(numbers))
    parts = flat_parts([run.gradients[number] for number in numbers.tolist()])
    return math.sqrt(sum(map(square_sum, parts)) / max(sum(part.size for part in parts), 1))


def _leaves_differ(run: Run) -> bool:
    """Whether the gradient of some leaf is far from the seed."""
    limit, seed = 10.0**DECADES, float(np.max(np.abs(run.seed), initial=0.0))
    if run.program.passes.table is not None:
        sizes = all_sizes(run)[fed_leaves(run)]
    else:
        sizes = np.array([np.max(np.abs(run.gradients[leaf]), initial=0.0) for leaf in fed_leaves(run).tolist()])
    sizes = sizes[sizes > 0.0]
    return bool(((sizes <= seed / limit) | (sizes >= seed * limit)).any())
