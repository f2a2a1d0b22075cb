"""The V of differences: quotient and error at one element over a range of steps, from truncation to rounding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.graph.order import why_no_gradient
from cadena.core.methods.answer import Cancel, element_name, never, output_number, stop_if
from cadena.core.methods.difference import complex_step
from cadena.core.methods.difference.displaced import Displaced
from cadena.core.run.program import Run, compile
from cadena.core.text.wording import Clause

STEPS = tuple(10.0**-power for power in range(1, 17))


@dataclass(frozen=True)
class Sweep:
    """Quotients by kind ("forward", "central", "complex"), one for each of `steps`, and the true value `reference`.

    `missing` says of a kind why it is not there. A step that is lost when it is added to the element gives the quotient
    0: the right end of the V, which a textbook shows and which `differences` refuses.
    """

    element: str
    steps: np.ndarray
    reference: float
    quotients: Mapping[str, np.ndarray]
    missing: Mapping[str, Clause]

    @cached_property
    def errors(self) -> Mapping[str, np.ndarray]:
        """The distance of each quotient from the reference."""
        with np.errstate(invalid="ignore"):  # the distance from inf to inf is nan
            return {kind: np.abs(quotients - self.reference) for kind, quotients in self.quotients.items()}

    def best(self, kind: str) -> float:
        """The step with the least error, the largest one of several; nan where there is no quotient at all."""
        errors = self.errors[kind]
        return float(self.steps[np.nanargmin(errors)]) if np.isfinite(errors).any() else float("nan")


def sweep(
    document: Document,
    leaf: str,
    index: Sequence[int] = (),
    steps: Sequence[float] = STEPS,
    output: str | None = None,
    dtype: str | None = None,
    cancelled: Cancel = never,
    seed: Any = None,
) -> Sweep:
    """Quotients for the element at `index` of `leaf` at each of `steps`, against the gradient of reverse mode.

    An array as output is weighted with the `seed`, ones without it. Raises Refused for a leaf, an index or a step
    that cannot be used, and where the output does not depend on the leaf; Cancelled as soon as `cancelled()` is true.
    """
    run = compile(document, output, [leaf]).run(dtype=dtype, seed=seed)
    if run.plan.index[leaf] not in run.plan.leaves:
        raise Refused("{leaf} is computed from its operands", "choose a leaf", leaf=leaf)
    if (gradient := run.gradient(leaf)) is None:
        why = why_no_gradient(run.program.document, run.plan.names[output_number(run)], leaf)
        raise Refused("{leaf}: no gradient reaches it, as {why}", "choose another leaf", leaf=leaf, why=why)
    flat = _flat(leaf, index, gradient.shape)
    if any(step == 0.0 or not np.isfinite(step) for step in steps):
        raise Refused("{leaf}: a step of 0 or inf has no quotient", "give small numbers such as 1e-6", leaf=leaf)
    point = Displaced(run, cancelled)
    quotients, missing = _real(point, leaf, flat, steps), dict[str, Clause]()
    try:
        quotients["complex"] = _complex(run, leaf, flat, steps, cancelled)
    except Refused as refusal:
        missing["complex"] = refusal.clause
    # At the values of the run, which are rounded to its number type: the error is that of the quotients alone.
    exact = run if run.dtype == "float64" else point.program.run(dtype="float64", seed=run.seed)
    reference = float(np.asarray(exact.gradient(leaf)).flat[flat])
    return Sweep(element_name(leaf, flat, gradient.shape), np.array(steps), reference, quotients, missing)


def _flat(leaf: str, index: Sequence[int], shape: tuple[int, ...]) -> int:
    try:
        return int(np.ravel_multi_index(tuple(index), shape)) if shape or index else 0
    except (ValueError, TypeError):
        place = tuple(index)
        raise Refused(
            "{leaf} has shape {shape} and no element at {place}",
            "give one index for each axis",
            leaf=leaf,
            shape=shape,
            place=place,
        ) from None


def _real(point: Displaced, leaf: str, index: int, steps: Sequence[float]) -> dict[str, np.ndarray]:
    """Forward and central quotients over the step as it is given, not as it is rounded: that is what makes the V."""
    quotients: dict[str, list[float]] = {"forward": [], "central": []}
    for step in steps:
        ahead, behind = (point.at(leaf, index, signed)[0] for signed in (step, -step))
        quotients["forward"].append((ahead - point.value) / step)
        quotients["central"].append((ahead - behind) / (2.0 * step))
    return {kind: np.array(numbers) for kind, numbers in quotients.items()}


def _complex(run: Run, leaf: str, index: int, steps: Sequence[float], cancelled: Cancel) -> np.ndarray:
    values, seed = complex_step.in_float64(run), run.seed.astype(np.float64)
    quotients = []
    for step in steps:
        stop_if(cancelled)
        result = complex_step.displaced(run, values, leaf, index, step)[run.plan.output or 0]
        with np.errstate(all="ignore"):
            quotients.append(float(np.sum(seed * np.imag(result))) / step)
    return np.array(quotients)
