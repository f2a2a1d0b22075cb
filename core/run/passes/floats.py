"""Forward and reverse pass over Python floats: on single numbers several times faster than numpy calls.

Where IEEE arithmetic gives inf or nan, Python raises instead; the caller then takes a pass with numpy, which gives the
same numbers otherwise.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cadena.core.run.float_forms import FloatStep, forward_step, reverse_step
from cadena.core.run.table import MAX_OPERANDS, Table

Call = tuple[FloatStep, int, int, int]  # with the places of the result and of both operands


class FloatPlan(NamedTuple):
    """The steps of both passes in order, one for each operation; those of `reverse` begin at the end."""

    forward: list[Call]
    reverse: list[Call]


def make_plan(table: Table, active: np.ndarray) -> FloatPlan:
    """The plan of these operations; `active` marks, by slot and operation, the wires that carry a gradient."""
    kinds, codes, outs, operands = table
    forward = [forward_step(kind) for kind in kinds]
    columns = outs.tolist(), *operands.tolist()
    ahead = list(zip(map(forward.__getitem__, codes.tolist()), *columns, strict=True))
    keys = (codes << MAX_OPERANDS | (1 << np.arange(MAX_OPERANDS)) @ active)[::-1]
    back = {
        key: reverse_step(kinds[key >> MAX_OPERANDS], tuple(slot for slot in range(MAX_OPERANDS) if key >> slot & 1))
        for key in np.unique(keys).tolist()
    }
    steps = map(back.__getitem__, keys.tolist())
    return FloatPlan(ahead, list(zip(steps, *(column[::-1] for column in columns), strict=True)))


def forward(plan: FloatPlan, values: list[float]) -> None:
    """Fill in the value of every operation. Raises ArithmeticError or ValueError where numpy would give inf or nan."""
    for step, out, left, right in plan.forward:
        step(values, out, left, right)


def reverse(plan: FloatPlan, values: list[float], gradients: list[float]) -> None:
    """Add each wire's contribution to the gradient of its operand. Raises as `forward` does.

    Gradients start at -0.0, the one number that leaves every summand as it is, so that a gradient of -0.0 stays -0.0.
    """
    for step, out, left, right in plan.reverse:
        step(values, gradients, out, left, right)
