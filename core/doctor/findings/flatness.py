"""Which operations have a slope that is 0 nowhere, so that a slope of 0 was made by rounding."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

SATURATED = frozenset(  # bounded on one side or both: flat far away from 0
    "sigmoid tanh softplus logsigmoid softsign elu selu silu mish gelu erf erfc arctan logaddexp logaddexp2".split()
)
TURNING = frozenset("gelu silu mish".split())  # without slope at one point too, their minimum between -2 and 0
SLOPED = SATURATED | frozenset(
    "exp exp2 expm1 log log2 log10 log1p sqrt cbrt reciprocal sinh arcsinh arcsin arccos".split()
)
NEVER_ZERO = frozenset("exp exp2 sigmoid softplus reciprocal erfc".split())  # at finite operands
PASSING = frozenset("add subtract negative positive".split())  # slopes of 1 and -1
STEPPED = frozenset(  # slopes of 0, and from 1/2 to 1
    "maximum minimum fmax fmin abs sign floor ceil trunc round clip hardtanh".split()
)
Mask = np.ndarray
SOMETIMES: dict[str, tuple[Callable[..., Mask], ...]] = {
    "divide": (lambda a, b: np.isfinite(b), lambda a, b: a != 0.0),
    "power": (lambda a, b: (a != 0.0) & (b != 0.0), lambda a, b: (a > 0.0) & (a != 1.0)),
}


def slope_is_not_zero(op: str, slot: int, operands: Sequence[np.ndarray]) -> Mask:
    """Where the true local derivative of `op` for `slot` is not 0; False for operations of which that is not known."""
    finite = np.all([np.isfinite(operand) for operand in operands], axis=0)
    if op in TURNING:
        return np.asarray(finite & (np.abs(operands[0]) > 2.0))
    if op in SLOPED:
        return np.asarray(finite)
    if op in SOMETIMES:
        return np.asarray(finite & SOMETIMES[op][slot](*operands))
    return np.zeros(np.shape(operands[0]), dtype=bool)


def true_slope(op: str, x: Any) -> float | None:
    """The slope of a saturated sigmoid or tanh, from forms that do not cancel; None where that is 0 in float64 too."""
    if op == "sigmoid":
        e = math.exp(-abs(float(x)))
        return float(e / (1.0 + e) ** 2) or None
    if op == "tanh":
        e = math.exp(-2.0 * abs(float(x)))
        return float(4.0 * e / (1.0 + e) ** 2) or None
    return None
