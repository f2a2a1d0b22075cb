"""The output over one number: what it does when the number grows by 1, and its curve, beside what the gradient says."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import Cancel, never
from cadena.core.methods.cutting import cut
from cadena.core.methods.landscape import Landscape, LeafElement
from cadena.core.run.program import Run
from cadena.core.text.numbers import figures, short

MOST_NUMBERS = 2000  # of a graph that is run once more for one sentence
POINTS = 41  # of a curve, the number's own place in their middle
FARTHEST = 1e300  # from 0 that is drawn: distances are numbers, too
EXACT = 1e-9  # of the change: how far it may be from the gradient
EXACTLY = "{output} {moves} from {before} to {after}: by {change}, exactly."
ABOUT = "{output} {moves} from {before} to {after}: by {change}; the gradient says {gradient}."
STAYS = "{output} stays {before}."
FLAT = "{output} stays {before}; the gradient says {gradient}."


class Response(NamedTuple):
    """The output at some places of a node around its own value, `at`, where it has this height and slope."""

    places: np.ndarray
    heights: np.ndarray
    at: float
    height: float
    slope: float


def response(run: Run, name: str, cancelled: Cancel = never) -> Response | None:
    """The output over a node; None for arrays, faults and what has no gradient of the output."""
    if (landscape := _over(run, name, cancelled)) is None:
        return None
    (at,), gradient = landscape.here, run.gradient(name)
    reach = max(1.0, abs(at))
    if reach > FARTHEST:
        return None
    places = np.linspace(at - reach, at + reach, POINTS)
    heights = landscape.heights(places)
    height, slope = float(heights[POINTS // 2]), float(gradient) if gradient is not None else math.nan
    seen = [at, height, slope * reach, *heights[np.isfinite(heights)].tolist()]
    return Response(places, heights, at, height, slope) if all(abs(one) < FARTHEST for one in seen) else None


def _over(run: Run, name: str, cancelled: Cancel = never) -> Landscape | None:
    """The output as a function of a node that is a single number, where its gradient is known."""
    output, gradient, value = run.program.output, run.gradient(name), run.value(name)
    if output is None or gradient is None or value is None or run.plan.numbers > MOST_NUMBERS:
        return None
    if value.ndim or gradient.ndim or run.target != output or name == output:
        return None
    try:
        return Landscape(cut(run, name), [LeafElement(name)], cancelled)
    except Refused:
        return None


def growth_sentence(run: Run, name: str) -> str:
    """ "L falls from −254 to −261: by 7, exactly."; "" for arrays, faults and what has no gradient of the output."""
    output, gradient, landscape = run.program.output, run.gradient(name), _over(run, name)
    if landscape is None or gradient is None or output is None:
        return ""
    (value,) = landscape.here
    before, after = landscape.height([value]), landscape.height([value + 1.0])
    if not (math.isfinite(before) and math.isfinite(after)):
        return ""
    change = after - before
    digits = figures(lambda one, other: other - one, (before, after), change).digits
    words = {"output": output, "before": short(before, digits), "after": short(after, digits)}
    words |= {"moves": "rises" if change > 0 else "falls", "change": short(abs(change)), "gradient": short(gradient)}
    if change == 0.0:
        return (STAYS if float(gradient) == 0.0 else FLAT).format(**words)
    is_exact = math.isclose(change, float(gradient), rel_tol=EXACT)
    return (EXACTLY if is_exact else ABOUT).format(**words)
