"""The steps of differences, by their kind."""

from __future__ import annotations

from cadena.core.methods.answer import Cancel, moved_element
from cadena.core.methods.difference.complex_timeline import TIMELINES
from cadena.core.methods.difference.timeline import DifferencesTimeline
from cadena.core.methods.names import Method
from cadena.core.run.program import Run


def steps(run: Run, method: Method, whole: bool, cancelled: Cancel) -> DifferencesTimeline:
    """The timeline of this kind of differences. Raises Refused where no leaf has an element that could move."""
    leaf, index = moved_element(run, method)
    return TIMELINES[method.kind](run, leaf, index, method.step, cancelled)
