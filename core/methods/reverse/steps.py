"""The steps of reverse mode; without an output they are the values alone."""

from __future__ import annotations

from cadena.core.methods.answer import Cancel
from cadena.core.methods.names import Method
from cadena.core.methods.reverse.timeline import Timeline
from cadena.core.run.program import Run


def steps(run: Run, method: Method, whole: bool, cancelled: Cancel) -> Timeline:
    """The timeline of the run, with as many backward passes as the method asks for."""
    once = Timeline(run)
    if method.passes == 1 or len(once) == once.forward_length:
        return once
    from cadena.core.methods.reverse.repeated import RepeatedTimeline

    return RepeatedTimeline(run, method.passes, method.zero_before)
