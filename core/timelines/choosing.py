"""Which method is shown, and its timeline."""

from __future__ import annotations

from dataclasses import dataclass

from core.methods.answer import every_element, output_number
from core.program import Run
from core.timeline import Timeline
from core.timelines.complex_step import ComplexStep
from core.timelines.differences import CentralDifferences, DifferencesTimeline, ForwardDifferences
from core.timelines.forward import ForwardTimeline
from core.timelines.symbols import SymbolsTimeline
from core.timelines.vectors import VectorTimeline

METHODS = ("reverse", "forward", "differences", "symbols")
KINDS: dict[str, type[DifferencesTimeline]] = {
    one.kind: one for one in (ForwardDifferences, CentralDifferences, ComplexStep)
}


@dataclass(frozen=True)
class Method:
    """A way to differentiate, one of METHODS.

    Differences move one element, the one at the flat `index` of `leaf` (None: the first wanted leaf) by `step` (None:
    the best one); their `kind` is one of KINDS. Forward mode carries `width` tangents in a pass: 1 makes dual numbers,
    more derivative vectors, None is all of them.
    """

    name: str = "reverse"
    leaf: str | None = None
    index: int = 0
    step: float | None = None
    kind: str = "central"
    width: int | None = 1


def timeline_of(run: Run, method: Method, whole: bool = False) -> Timeline:
    """The steps of `run` by this method; of many passes or derivatives the first ones, or all if `whole`.

    Raises Refused where the method cannot be used, reverse mode never.
    """
    if method.name == "reverse":
        return run.timeline
    output_number(run)
    if method.name == "forward":
        return _forward(run, method.width, whole)
    if method.name == "symbols":
        return SymbolsTimeline(run, None) if whole else SymbolsTimeline(run)
    leaf, index = element_of(run, method)
    return KINDS[method.kind](run, leaf, index, method.step)


def _forward(run: Run, width: int | None, whole: bool) -> Timeline:
    if width == 1 or sum(map(len, every_element(run).values())) == 1:  # a vector of one tangent is a dual number
        return ForwardTimeline(run, None) if whole else ForwardTimeline(run)
    return VectorTimeline(run, width, None) if whole else VectorTimeline(run, width)


def element_of(run: Run, method: Method) -> tuple[str | None, int]:
    """The element that is moved: the one asked for if there is one such, else the first; None where there is none."""
    elements = every_element(run)
    if method.leaf in elements and method.index < len(elements[method.leaf]):
        return method.leaf, method.index
    return next((name for name, indices in elements.items() if len(indices)), None), 0
