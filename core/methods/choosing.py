"""Which method is shown, and its timeline."""

from __future__ import annotations

from dataclasses import dataclass

from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import Cancel, every_element, need_wanted_leaf, never, output_number
from cadena.core.methods.difference.complex_timeline import ComplexStep
from cadena.core.methods.difference.timeline import CentralDifferences, DifferencesTimeline, ForwardDifferences
from cadena.core.methods.forward.timeline import ForwardTimeline
from cadena.core.methods.forward.vector_timeline import VectorTimeline
from cadena.core.methods.reverse.timeline import Timeline
from cadena.core.methods.symbolic.timeline import MOST_SHOWN as MOST_DERIVATIVES
from cadena.core.methods.symbolic.timeline import SymbolsTimeline
from cadena.core.methods.walk import Walk
from cadena.core.run.program import Run

METHODS = ("reverse", "forward", "differences", "symbols")
METHOD_TIPS = (
    "one pass back through the graph gives all gradients",
    "value and derivative together, one pass for each element of each leaf",
    "the graph is run with one leaf moved a little: forward, central or complex step",
    "the output written out as an expression, and differentiated",
)
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


def timeline_of(run: Run, method: Method, whole: bool = False, cancelled: Cancel = never) -> Timeline:
    """The steps of `run` by this method; of many passes or derivatives the first ones, or all if `whole`.

    Raises Refused where the method cannot be used, reverse mode never; Cancelled as soon as `cancelled()` is true.
    """
    if method.name == "reverse":
        return Timeline(run)
    output_number(run)
    if method.name == "symbols":  # the expressions of a graph without parameters are worth a look, too
        return SymbolsTimeline(run, None if whole else MOST_DERIVATIVES, cancelled)
    need_wanted_leaf(run)
    leaf, index = element_of(run, method)
    if leaf is None:
        raise Refused("the leaves have no elements, so there is nothing to move", "give one of them a number")
    if method.name == "forward":
        return _forward(run, method.width, whole)
    return KINDS[method.kind](run, leaf, index, method.step, cancelled)


def worked_out(run: Run, method: Method, cancelled: Cancel = never) -> Timeline:
    """`timeline_of` for a thread: what takes long is done when this returns, and not when the steps are looked at."""
    made = timeline_of(run, method, cancelled=cancelled)
    if isinstance(made, Walk):
        made.work_out(cancelled)
    return made


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
