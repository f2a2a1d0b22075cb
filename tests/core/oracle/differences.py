"""Where our elementwise operations answer otherwise than PyTorch, point by point, and why."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from typing import NamedTuple

import numpy as np

inf, nan = math.inf, np.nan  # this very nan is in the tables of points
Point = tuple[float, ...]
Part = int | str  # "value", or the slot whose gradient it is


class Difference(NamedTuple):
    """Our answer at each point where it is not PyTorch's."""

    op: str  # with its attributes
    part: Part
    ours: Mapping[Point, float]
    why: str


NUMBERS = (1.0, -1.0, 2.0, -2.0, 0.5, -2.5, 0.1, 1e3, -1e3)
FMOD_UNKNOWN = [*product((*NUMBERS, inf, -inf), (0.0, -0.0)), *product((inf, -inf), NUMBERS)]
FMOD_TENTHS = {1.0: -9.0, -1.0: 9.0, 2.0: -19.0, -2.0: 19.0, 0.5: -4.0, -2.5: 24.0, 1e3: -9999.0, -1e3: 9999.0}
SINC = {x: -(math.pi**2) / 3 * x for x in (1e-160, 1e-310)}  # the slope's series
SINC |= {x: -(math.pi**2) / 3 * x + math.pi**4 / 30 * x**3 for x in (1e-5, -1e-5)}
SINC |= {x: math.cos(math.pi * x) / x for x in (1e160, -1e160)}
DIFFERENCES = [
    Difference(
        "expm1",
        0,
        {(-30.0,): math.exp(-30.0), (-100.0,): math.exp(-100.0)},
        "PyTorch takes y + 1, which has no digits left where y is nearly -1",
    ),
    Difference("sign", "value", {(nan,): nan}, "numpy's definition: the sign of nan is nan, not 0"),
    Difference(
        "sinc",
        0,
        {(x,): slope for x, slope in SINC.items()},
        "PyTorch's quotient cancels next to 0, and its squares leave the range",
    ),
    Difference("softplus", "value", {(20.5,): 20.5 + math.exp(-20.5)}, "PyTorch takes x itself above 20"),
    Difference("softplus", 0, {(20.5,): 1 / (1 + math.exp(-20.5))}, "PyTorch takes 1 above 20"),
    Difference("softsign", 0, dict.fromkeys([(inf,), (-inf,)], 0.0), "the limit; PyTorch's quotient is inf / inf"),
    Difference(
        "gelu approximate=tanh",
        0,
        {(-6.0,): -7.709976012946758e-10},
        "1 + tanh cancels far below 0, here as there: 6 of the 16 digits are left, and the last of them differ",
    ),
    Difference("logaddexp2", "value", {(-1.0, -1.0): 0.0}, "exact; PyTorch is off by a last digit of the summands"),
    Difference(
        "fmod",
        1,
        {(a, 0.1): slope for a, slope in FMOD_TENTHS.items()},
        "PyTorch rounds the quotient: 1 / 0.1 to 10, although 0.1, a little more than a tenth, goes 9 times into 1",
    ),
    Difference("fmod", 1, dict.fromkeys(FMOD_UNKNOWN, nan), "the value is nan; PyTorch says inf"),
]


def differing(op: str, part: Part) -> dict[Point, float]:
    """Our own answers for an operation with its attributes."""
    return {point: y for row in DIFFERENCES if (row.op, row.part) == (op, part) for point, y in row.ours.items()}
