"""Reverse mode as an answer: one pass back gives all gradients."""

from __future__ import annotations

import numpy as np

from cadena.core.methods.answer import Answer, output_number, wanted_leaves
from cadena.core.run.program import Run


def reverse(run: Run) -> Answer:
    """The gradients of `run`, whose reverse pass is run if it has not been. Raises Refused without an output."""
    output_number(run)
    gradients = {name: np.asarray(run.gradient(name)) for name in wanted_leaves(run)}
    return Answer("reverse", gradients, passes=1, kind="reverse", seconds=run.seconds["reverse"])
