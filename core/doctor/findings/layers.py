"""The size of the gradient at each depth, from the output back to the leaves: does it vanish or explode?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cadena.core.doctor.findings.findings import Depths, Findings
from cadena.core.graph.fault import Fault, Kind
from cadena.core.text.causes import Cause
from cadena.core.text.numbers import short
from cadena.core.text.wording import Clause

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


def by_layer(run: Run) -> tuple[Layer, ...]:
    """The gradients by depth: 0 is the output, the others are the longest way to it. Empty without an output."""
    findings = Findings(run)
    depths = findings.depths
    if not depths.total:
        return ()
    squares, sizes, most = _measures(findings)
    norms, largest = _norms(depths, squares, sizes), np.zeros(depths.total)
    with np.errstate(invalid="ignore"):  # a nan stays one
        np.maximum.at(largest, depths.levels, most)
    names: list[list[str]] = [[] for _ in range(depths.total)]
    for number, depth in zip(depths.numbers.tolist(), depths.levels.tolist(), strict=True):
        names[depth].append(run.plan.names[number])
    rows = zip(names, norms.tolist(), largest.tolist(), strict=True)
    return tuple(Layer(depth, tuple(nodes), norm, most) for depth, (nodes, norm, most) in enumerate(rows))


def _measures(findings: Findings) -> tuple[np.ndarray, np.ndarray | None, np.ndarray]:
    """For each node the sum of its squared gradients, their number (None: one), and their largest magnitude."""
    depths = findings.depths
    with np.errstate(all="ignore"):
        if findings.of_numbers:
            flat = findings.sizes[depths.numbers].astype(np.float64)
            return flat * flat, None, flat
        each = [np.asarray(findings.run.gradients[number], dtype=np.float64) for number in depths.numbers.tolist()]
        squares = np.array([np.sum(gradient * gradient) for gradient in each])
        most = np.array([np.max(np.abs(gradient), initial=0.0) for gradient in each])
    return squares, np.array([gradient.size for gradient in each], dtype=np.float64), most


def _norms(depths: Depths, squares: np.ndarray, sizes: np.ndarray | None) -> np.ndarray:
    """For each depth the root of the mean of the squares."""
    with np.errstate(all="ignore"):
        counts = np.maximum(np.bincount(depths.levels, sizes), 1.0)
        norms: np.ndarray = np.sqrt(np.bincount(depths.levels, squares) / counts)
    return norms


def layer_hints(findings: Findings) -> Iterator[Fault]:
    """One hint where the gradient shrinks or grows by orders of magnitude, little by little over many layers."""
    run, depths = findings.run, findings.depths
    if depths.total < LAYERS or not _leaves_differ(findings):
        return
    norms = _norms_on_the_way(findings)
    there = np.flatnonzero(np.isfinite(norms) & (norms > 0.0))
    if len(there) < LAYERS:
        return
    logs = np.log10(norms[there])
    total, largest_step = float(logs[-1] - logs[0]), float(np.abs(np.diff(logs)).max())
    if abs(total) >= DECADES and largest_step <= abs(total) / 2.0:
        ends = [(_named(run, depths, depth), float(norms[depth])) for depth in (there[0], there[-1])]
        yield _hint(ends, total, np.diff(logs) / np.diff(there), int(there[-1] - there[0]))


def _norms_on_the_way(findings: Findings) -> np.ndarray:
    """The norms without leaves beside which the gradient flows on: a weight's is large with its layer's values."""
    depths, (squares, sizes, _) = findings.depths, _measures(findings)
    on = ~np.isin(depths.numbers, findings.run.plan.leaves) | (depths.levels == depths.total - 1)
    return _norms(depths, np.where(on, squares, 0.0), on if sizes is None else sizes * on)


def _named(run: Run, depths: Depths, depth: int) -> str:
    """The first node at one depth."""
    return run.plan.names[depths.first_at(depth)]


SHRINKS = (
    "on its way back from {first} to {node} the gradient shrinks by a factor of {factor}, from {before} to {after}: "
    "over {layers} layers on average by {each} a layer{spread}"
)
SPREAD = " ({least} to {most})"
GROWS = (
    "on its way back from {first} to {node} the gradient grows by a factor of {factor}, from {before} to {after}: "
    "over {layers} layers on average by {each} a layer{spread}"
)


def _hint(ends: Sequence[tuple[str, float]], total: float, each: np.ndarray, layers: int) -> Fault:
    """The hint from the ends, each a node and a norm, and the orders of magnitude: altogether, and of each layer."""
    (first, before), (last, after) = ends
    mean, least, most = (short(10.0**decades, 2) for decades in (total / layers, each.min(), each.max()))
    operands = {
        **{"first": first, "factor": short(10.0**total, 2), "before": before, "after": after, "layers": layers},
        **{"each": mean, "spread": Clause(SPREAD if least != most else "", operands={"least": least, "most": most})},
    }
    kind, what, remedy = (
        (Kind.VANISHING_BY_LAYER, SHRINKS, "use relu or a residual sum, or other starting weights")
        if total < 0.0
        else (
            Kind.EXPLODING_BY_LAYER,
            GROWS,
            "use smaller weights or a bound on the gradient, or other starting weights",
        )
    )
    return Fault(last, kind, what, remedy, operands, Cause.BY_LAYER, severity="hint")


def _leaves_differ(findings: Findings) -> bool:
    """Whether the gradient of some leaf is far from the seed."""
    limit, seed = 10.0**DECADES, float(np.max(np.abs(findings.run.seed), initial=0.0))
    sizes = findings.leaf_extremes[1]
    sizes = sizes[sizes > 0.0]
    return bool(((sizes <= seed / limit) | (sizes >= seed * limit)).any())
