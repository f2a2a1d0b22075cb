"""Forward and reverse pass over numpy arrays: the general case, and the reference for the fast passes."""

from __future__ import annotations

from typing import Any

import numpy as np

from cadena.core.ops.walk import pull
from cadena.core.run.plan import Plan


def forward(plan: Plan, values: list[Any]) -> None:
    """Fill in the value of every operation; `values` holds the leaves' arrays at their numbers."""
    with np.errstate(all="ignore"):
        for out, primitive, operands, attributes, _ in plan.instructions:
            values[out] = primitive.value(*[values[operand] for operand in operands], **attributes)


def reverse(plan: Plan, values: list[Any], seed: Any) -> list[Any]:
    """The gradient of the output for every node that is reached, None for the others."""
    gradients: list[Any] = [None] * len(values)
    if plan.output is None:
        return gradients
    gradients[plan.output] = seed
    with np.errstate(all="ignore"):
        return pull(plan.instructions, values, gradients)
