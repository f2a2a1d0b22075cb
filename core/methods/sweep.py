"""The V of differences: quotient and error at one element over a range of steps, from truncation to rounding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.document import Document
from core.fault import Refused
from core.methods import complex_step
from core.methods.answer import Cancel, element_name, never, stop_if
from core.methods.displaced import Displaced
from core.program import Run, compile

STEPS = tuple(10.0**-power for power in range(1, 17))


@dataclass(frozen=True)
class Sweep:
    """Quotients by kind ("forward", "central", "complex"), one for each of `steps`; `reference` is what they should be.

    `missing` says of a kind why it is not there. A step that is lost when it is added to the element gives the quotient
    0: the right end of the V, which a textbook shows and which `differences` refuses.
    """

    element: str
    steps: np.ndarray
    reference: float
    quotients: Mapping[str, np.ndarray]
    missing: Mapping[str, str]

    @cached_property
    def errors(self) -> Mapping[str, np.ndarray]:
        """The distance of each quotient from the reference."""
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
) -> Sweep:
    """Quotients for the element at `index` of `leaf` at each of `steps`, against the gradient of reverse mode.

    Raises Refused for a leaf, an index or a step that cannot be used, and where the output does not depend on the leaf.
    """
    run = compile(document, output, [leaf]).run(dtype=dtype)
    gradient = run.gradient(leaf) if run.plan.index[leaf] in run.plan.leaves else None
    if gradient is None:
        raise Refused(f"{leaf}: no gradient reaches it, as {run.program.output} does not depend on it; choose a leaf")
    flat = _flat(leaf, index, gradient.shape)
    if any(step == 0.0 or not np.isfinite(step) for step in steps):
        raise Refused(f"{leaf}: a step of 0 or inf has no quotient; give small numbers such as 1e-6")
    quotients, missing = _real(Displaced(run, cancelled), leaf, flat, steps), {}
    try:
        quotients["complex"] = _complex(run, leaf, flat, steps, cancelled)
    except Refused as refusal:
        missing["complex"] = str(refusal)
    reference = float(gradient.flat[flat]) if run.dtype == "float64" else _in_float64(document, output, leaf, flat)
    return Sweep(element_name(leaf, flat, gradient.shape), np.array(steps), reference, quotients, missing)


def _flat(leaf: str, index: Sequence[int], shape: tuple[int, ...]) -> int:
    try:
        return int(np.ravel_multi_index(tuple(index), shape)) if shape or index else 0
    except (ValueError, TypeError):
        place = tuple(index)
        raise Refused(f"{leaf} has shape {shape} and no element at {place}; give one index for each axis") from None


def _in_float64(document: Document, output: str | None, leaf: str, flat: int) -> float:
    return float(np.asarray(compile(document, output, [leaf]).run(dtype="float64").gradient(leaf)).flat[flat])


def _real(point: Displaced, leaf: str, index: int, steps: Sequence[float]) -> dict[str, np.ndarray]:
    """Forward and central quotients over the step as it is given, not as it is rounded: that is what makes the V."""
    made: dict[str, list[float]] = {"forward": [], "central": []}
    for step in steps:
        ahead, behind = (point.at(leaf, index, signed)[0] for signed in (step, -step))
        made["forward"].append((ahead - point.value) / step)
        made["central"].append((ahead - behind) / (2.0 * step))
    return {kind: np.array(numbers) for kind, numbers in made.items()}


def _complex(run: Run, leaf: str, index: int, steps: Sequence[float], cancelled: Cancel) -> np.ndarray:
    values, seed = [None if one is None else one.astype(np.float64) for one in run.arrays], run.seed.astype(float)
    made = []
    for step in steps:
        stop_if(cancelled)
        result = complex_step.displaced(run, values, leaf, index, step)[run.plan.output or 0]
        made.append(float(np.sum(seed * np.imag(result))) / step)
    return np.array(made)
