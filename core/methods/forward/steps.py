"""The steps of forward mode: dual numbers, or vectors of several tangents."""

from __future__ import annotations

from cadena.core.methods.answer import Cancel, all_elements, moved_element
from cadena.core.methods.forward.dual_timeline import DualTimeline
from cadena.core.methods.forward.timeline import ForwardTimeline
from cadena.core.methods.forward.vector_timeline import VectorTimeline
from cadena.core.methods.names import Method
from cadena.core.run.program import Run


def steps(run: Run, method: Method, whole: bool, cancelled: Cancel) -> ForwardTimeline:
    """The timeline of dual numbers or derivative vectors. Raises Refused where no element could move."""
    moved_element(run, method)
    if method.width == 1 or sum(map(len, all_elements(run).values())) == 1:  # a vector of one tangent is a dual number
        return DualTimeline(run, None) if whole else DualTimeline(run)
    return VectorTimeline(run, method.width, None) if whole else VectorTimeline(run, method.width)
