"""The sum over the axes along which an operand was broadcast, such as that over the rows of a batch for a bias.

Un-broadcasting is part of the chain rule: each copy of the operand has a gradient, and the operand gets their sum.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from cadena.core.functions.calls import FunctionCall, operation
from cadena.core.ops.expression import PRODUCT, Written
from cadena.core.ops.primitive import Shape
from cadena.core.run.program import Run
from cadena.core.text.numbers import axes_text

MOST_TERMS = 6  # that are written out one by one


class Summation(NamedTuple):
    """The shape of the gradient of all copies of an operand, and the axes of it that are summed to the operand's."""

    spread: Shape
    axes: tuple[int, ...]
    shape: Shape

    @property
    def words(self) -> str:
        """What is summed over, "rows" or "axis 0"; "" where that is all there is."""
        return axes_text(self.axes, len(self.spread))

    def write(self, summand: Written, latex: bool) -> str:
        r"""The sum of a summand already written: "Σ_rows ∂L/∂Z", "\sum_{\text{rows}} ..."."""
        words = self.words
        if latex:
            sign = rf"\sum_{{\text{{{words}}}}} \," if words else r"\sum"
            return f"{sign} {summand.text}" if summand.binding >= PRODUCT else rf"{sign} \left({summand.text}\right)"
        sign = f"Σ_({words})" if " " in words else f"Σ_{words}" if words else "Σ"
        return f"{sign} {summand.text}" if summand.binding >= PRODUCT else f"{sign} ({summand.text})"

    def total(self, spread: np.ndarray) -> np.ndarray:
        """The sum itself, in the operand's shape."""
        copies = np.broadcast_to(spread, self.spread)
        return np.asarray(np.sum(copies, axis=self.axes, keepdims=True).reshape(self.shape))

    def terms(self, spread: np.ndarray) -> list[np.ndarray]:
        """The summands, each in the operand's shape; none where they are too many to be written out, or within a
        function, which gives their sum."""
        count = math.prod(self.spread[axis] for axis in self.axes)
        if not 1 < count <= MOST_TERMS or (spread.shape == self.shape and spread.shape != self.spread):
            return []
        first = np.moveaxis(np.broadcast_to(spread, self.spread), self.axes, range(len(self.axes)))
        return [term.reshape(self.shape) for term in first.reshape(count, -1)]


def summation_of(run: Run, node: str, slot: int) -> Summation | None:
    """The sum that reduces a wire's contribution to the shape of its operand; None where the shapes agree."""
    if run.plan.is_of_numbers:
        return None
    plan, item = run.plan, run.program.document.nodes[node]
    shape, result = plan.shapes[plan.index[str(item.inputs[slot])]], plan.shapes[plan.index[node]]
    record = operation(run.program.document, item.op)
    if shape is None or result is None or record is None or not result:
        return None
    shown = record.slot(slot).shown
    if record.elementwise or (isinstance(record, FunctionCall) and callable(shown)):
        spread = result
    elif isinstance(shown, str) or (carried := run.carried(node, slot)) is None:
        return None
    else:
        spread = carried.shape
    lead = len(spread) - len(shape)
    axes = [axis for axis, size in enumerate(spread) if size != 1 and (axis < lead or shape[axis - lead] != size)]
    return Summation(spread, tuple(axes), shape) if axes else None
