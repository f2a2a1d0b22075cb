"""Reverse mode as an answer: one pass back gives all gradients."""

from __future__ import annotations

import numpy as np

from cadena.core.methods.answer import Answer, Cancel, Elements, never, output_number, wanted_leaves
from cadena.core.methods.names import Method
from cadena.core.run.program import Run


def answer(run: Run, method: Method, elements: Elements | None = None, cancelled: Cancel = never) -> Answer:
    """All gradients, whatever elements are requested: they come in one pass."""
    return reverse(run)


def reverse(run: Run) -> Answer:
    """The gradients of `run`, whose reverse pass is run if it has not been. Raises Refused without an output."""
    output_number(run)
    gradients = {name: np.asarray(run.gradient(name)) for name in wanted_leaves(run)}
    return Answer("reverse", gradients, passes=1, kind="reverse", seconds=run.seconds["reverse"])
