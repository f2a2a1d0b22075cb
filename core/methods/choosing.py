"""From a method to its timeline, which is imported when it is first asked for: most windows show reverse mode."""

from __future__ import annotations

from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import Cancel, all_elements, need_wanted_leaf, never, output_number
from cadena.core.methods.names import Method
from cadena.core.methods.reverse.timeline import Timeline
from cadena.core.methods.walk import Walk
from cadena.core.run.program import Run


def timeline_of(run: Run, method: Method, whole: bool = False, cancelled: Cancel = never) -> Timeline:
    """The steps of `run` by this method; of many passes or derivatives the first ones, or all if `whole`.

    Raises Refused where the method cannot be used, reverse mode never; Cancelled as soon as `cancelled()` is true.
    """
    if method.name == "reverse":
        return Timeline(run)
    output_number(run)
    if method.name == "symbolic":  # the expressions of a graph without parameters are worth a look, too
        from cadena.core.methods.symbolic.timeline import MAX_SHOWN, SymbolsTimeline

        return SymbolsTimeline(run, None if whole else MAX_SHOWN, cancelled)
    need_wanted_leaf(run)
    leaf, index = element_of(run, method)
    if leaf is None:
        raise Refused("the leaves have no elements, so there is nothing to move", "give one of them a number")
    if method.name == "forward":
        return _forward(run, method.width, whole)
    from cadena.core.methods.difference.complex_timeline import TIMELINES

    return TIMELINES[method.kind](run, leaf, index, method.step, cancelled)


def computed_timeline(run: Run, method: Method, cancelled: Cancel = never) -> Timeline:
    """Compute `timeline_of` in a thread: slow work is done when this returns, not when the steps are first used."""
    made = timeline_of(run, method, cancelled=cancelled)
    if isinstance(made, Walk):
        made.work_out(cancelled)
    return made


def _forward(run: Run, width: int | None, whole: bool) -> Timeline:
    from cadena.core.methods.forward.dual_timeline import DualTimeline
    from cadena.core.methods.forward.vector_timeline import VectorTimeline

    if width == 1 or sum(map(len, all_elements(run).values())) == 1:  # a vector of one tangent is a dual number
        return DualTimeline(run, None) if whole else DualTimeline(run)
    return VectorTimeline(run, width, None) if whole else VectorTimeline(run, width)


def element_of(run: Run, method: Method) -> tuple[str | None, int]:
    """The element that is moved: the one asked for if there is one such, else the first; None where there is none."""
    elements = all_elements(run)
    if method.leaf in elements and method.index < len(elements[method.leaf]):
        return method.leaf, method.index
    return next((name for name, indices in elements.items() if len(indices)), None), 0
