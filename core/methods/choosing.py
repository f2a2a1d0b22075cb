"""Find the steps and the gradients of a method, importing its code on first use: most windows show reverse mode."""

from __future__ import annotations

from importlib import import_module

from cadena.core.methods.answer import Answer, Cancel, Elements, never, output_number
from cadena.core.methods.names import Method
from cadena.core.methods.reverse.timeline import Timeline
from cadena.core.methods.walk import Walk
from cadena.core.run.program import Run


def timeline_of(run: Run, method: Method, whole: bool = False, cancelled: Cancel = never) -> Timeline:
    """The steps of `run` by this method; of many passes or derivatives the first ones, or all if `whole`.

    Raises Refused where the method cannot be used, reverse mode never; Cancelled as soon as `cancelled()` is true.
    """
    if not method.is_built_in:  # whose steps show the values, too, where there is no output
        output_number(run)
    steps: Timeline = import_module(f"{__package__}.{method.name}.steps").steps(run, method, whole, cancelled)
    return steps


def answer_of(run: Run, method: Method, elements: Elements | None = None, cancelled: Cancel = never) -> Answer:
    """The gradients of `run` by this method. Raises Refused where it cannot be used."""
    module = import_module(f"{__package__}.{method.name}.answer")
    answer: Answer = module.answer(run, method, elements, cancelled)
    return answer


def computed_timeline(run: Run, method: Method, cancelled: Cancel = never) -> Timeline:
    """Compute `timeline_of` in a thread: slow work is done when this returns, not when the steps are first used."""
    timeline = timeline_of(run, method, cancelled=cancelled)
    if isinstance(timeline, Walk):
        timeline.compute(cancelled)
    return timeline
