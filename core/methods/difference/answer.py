"""Differentiation by small differences: forward and central quotients, a chosen step or the best one for each element.

A quotient has two errors: truncation, which grows with the step h (as h for forward, as h² for central differences),
and rounding, which grows as 1 / h. The best step is where they meet; see Press et al., Numerical Recipes (3rd ed.,
2007), section 5.7, and Squire and Trapp (1998), SIAM Review 40, 110-112, for the complex step, which has no rounding
error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple

from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import Answer, Cancel, Elements, all_elements, blank, never
from cadena.core.methods.difference import KINDS, complex_step
from cadena.core.methods.difference.displaced import Displaced
from cadena.core.methods.names import Method
from cadena.core.run.program import Run

EXPLAINED = 10.0  # times its usual size the rounding of a quotient may be before it says something against others
MAX_RUNGS = 64
SMALLEST = 1e-290  # of numbers below it no ladder of so few rungs gets near their own scale


class Slope(NamedTuple):
    """A quotient at one element: the step that was taken, and an estimate of the error, inf where none can be made."""

    value: float
    error: float
    step: float


def answer(run: Run, method: Method, elements: Elements | None = None, cancelled: Cancel = never) -> Answer:
    """The gradients by the kind of differences and the step of `method`."""
    return difference(run, method.kind, method.step, elements, cancelled)


def difference(
    run: Run,
    kind: str = "central",
    step: float | None = None,
    elements: Elements | None = None,
    cancelled: Cancel = never,
) -> Answer:
    """The gradients by differences of whole runs: `kind` is "forward", "central" or "complex".

    Without a `step` the best one is searched for each element. Raises Refused without an output, and for a step of 0
    or one so small that nothing changes.
    """
    if kind not in KINDS:
        raise Refused("{kind} is not a kind of difference", "choose {known}", kind=kind, known=", ".join(KINDS))
    elements = all_elements(run) if elements is None else elements
    if kind == "complex":
        return complex_step.answer(run, step, elements, cancelled)
    started, point = perf_counter(), Displaced(run, cancelled)
    gradients, errors, steps = (blank(run, elements) for _ in range(3))
    for name, indices in elements.items():
        for index in indices:
            slope = slope_at(point, name, int(index), kind, step)
            gradients[name].flat[index], errors[name].flat[index], steps[name].flat[index] = slope
    seconds = perf_counter() - started
    return Answer(KINDS[kind], gradients, errors, point.runs, "run", seconds, steps=steps)


def slope_at(point: Displaced, leaf: str, index: int, kind: str, step: float | None = None) -> Slope:
    """The quotient at one element with its error, at the given step or the best one."""
    slope = _best(point, leaf, index, kind) if step is None else _at_step(point, leaf, index, kind, step)
    return slope._replace(error=math.inf) if point.overflows_at else slope


def _at_step(point: Displaced, leaf: str, index: int, kind: str, step: float) -> Slope:
    """The quotient at a given step."""
    point.check(leaf, index, step)
    change_of, order = CHANGES[kind]
    coarse = change_of(point, leaf, index, 2.0 * step).value / (2.0 * order * step)
    change = change_of(point, leaf, index, step)
    # Over the step as it is given, as one writes it down; that x moved by a rounded one is an error of the quotient.
    fine = change.value / (order * step)
    rounding = _rounding(change, order) + abs(fine) * abs(change.distance / (order * step) - 1.0)
    # Of a power of h, the change from 2h to h is 2^order - 1 times what is left at h.
    return Slope(fine, abs(coarse - fine) / (2.0**order - 1.0) + rounding, step)


class Change(NamedTuple):
    """The difference of two values of the output, the distance of their points, and how far off rounding put each."""

    value: float
    distance: float
    noise: float


ChangeOf = Callable[[Displaced, str, int, float], Change]


def _forward(point: Displaced, leaf: str, index: int, step: float) -> Change:
    """f(x + h) - f(x), and the distance of the two points after rounding."""
    ahead, actual = point.at(leaf, index, step)
    return Change(ahead - point.value, actual, _noise(point, ahead))


def _central(point: Displaced, leaf: str, index: int, step: float) -> Change:
    """f(x + h) - f(x - h), and the distance of the two points after rounding."""
    ahead, right = point.at(leaf, index, step)
    behind, left = point.at(leaf, index, -step)
    return Change(ahead - behind, right - left, _noise(point, ahead, behind))


def _noise(point: Displaced, *values: float) -> float:
    """The possible rounding error of these values of the output: as at the run's own, more where they are larger."""
    about = point.about
    sizes = [float(about.eps) * abs(value) for value in values if math.isfinite(value)]
    return max([point.noise, *sizes]) + point.floor


def _over(change: float, distance: float) -> float:
    return change / distance if distance else math.nan


def _rounding(change: Change, order: int) -> float:
    """The error of the quotient due to rounding of the output: noise / h."""
    return _over(order * change.noise, abs(change.distance))


CHANGES: dict[str, tuple[ChangeOf, int]] = {"forward": (_forward, 1), "central": (_central, 2)}  # with their order


def _best(point: Displaced, leaf: str, index: int, kind: str) -> Slope:
    """The quotient with the least error on a ladder of steps.

    Truncation makes a large step differ from smaller ones, rounding the smaller ones from it; so the error of a
    quotient is what the next two larger steps and all smaller ones differ by, as far as their own rounding does not
    explain it. Two, since with one of them truncation may have cancelled by chance.
    """
    slopes, (change_of, order) = [], CHANGES[kind]
    for candidate in ladder(point, point.coordinate(leaf, index), order):
        step = point.rounded_step(
            leaf, index, candidate
        )  # so that the quotient is the change over the step that it names
        change = change_of(point, leaf, index, step)
        slopes.append(Slope(_over(change.value, change.distance), _rounding(change, order), step))
    slopes = [slope for slope in slopes if math.isfinite(slope.value)]
    best = Slope(math.nan, math.inf, math.nan)
    for before, (number, slope) in zip(slopes, enumerate(slopes[1:], start=1)):
        deviations = [abs(slope.value - after.value) - after.error * EXPLAINED for after in slopes[number + 1 :]]
        earlier = slopes[max(number - 2, 0)]
        truncation = abs(slope.value - earlier.value) * (slope.step / before.step) ** order
        error = max([abs(slope.value - before.value), truncation, *deviations]) + slope.error
        if deviations and error < best.error:
            best = slope._replace(error=error)
    # What moves the output by less than its floor leaves no trace in any quotient, however steep it is.
    return best._replace(error=best.error + point.floor / slopes[-1].step) if slopes else best


def ladder(point: Displaced, x: float, order: int) -> list[float]:
    """Steps, the larger first, on both sides of where the best one is expected: eps^(1/2) for forward differences,
    eps^(1/3) for central ones, times |x| where the function changes on that scale."""
    eps = float(point.about.eps)
    size = abs(x) if math.isfinite(x) else 0.0
    step, last = max(size, 1.0) * eps**0.125, eps ** (order / (order + 1.0))
    scale = min(size, 1.0) if size > SMALLEST else 1.0
    least, ratio = max(last * scale, 2.0 * eps * size), 8.0 if eps < 1e-10 else 2.0
    count = max(math.ceil(math.log(step / least, ratio)), 3)
    return [step / ratio**number for number in range(min(count, MAX_RUNGS))]
