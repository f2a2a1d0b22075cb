"""Forward mode as an answer: one pass of dual numbers for each element of each leaf."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from core.methods.answer import Answer, Cancel, Elements, blank, every_element, never, output_number, stop_if
from core.passes.tangent import tangent_of
from core.program import Run


def forward(run: Run, elements: Elements | None = None, cancelled: Cancel = never) -> Answer:
    """The derivative of the output (weighed with the run's seed) along each element of each wanted leaf.

    Costs as many passes as there are elements; `elements` asks for some of them only. Raises Refused without an output.
    """
    output, started, passes = output_number(run), perf_counter(), 0
    elements = every_element(run) if elements is None else elements
    gradients = blank(run, elements)
    for name, indices in elements.items():
        for index in indices:
            stop_if(cancelled)
            direction = unit(gradients[name].shape, index, run.dtype)
            with np.errstate(all="ignore"):
                gradients[name].flat[index] = np.sum(run.seed * tangent_of(run, output, name, direction))
            passes += 1
    typed = {name: array.astype(run.dtype) for name, array in gradients.items()}
    return Answer("forward", typed, passes=passes, kind="tangent", seconds=perf_counter() - started)


def unit(shape: tuple[int, ...], index: int, dtype: str) -> np.ndarray:
    """The direction in which only the element at the flat `index` moves."""
    direction = np.zeros(shape, dtype)
    direction.flat[index] = 1.0
    return direction
