"""Exponential, logarithm and square root."""

import numpy as np

from core.expression import CALL, POWER, Notation
from core.primitive import Slot, elementwise

CATEGORY = "Elementary"

exp = elementwise(
    "exp",
    np.exp,
    Slot("x", lambda y, x: y),
    notation=Notation("exp({0})", "e^{{{0}}}", POWER, python="exp({0})"),
    title="exponential",
    symbol="exp",
    phrase="e to the power {0}",
    category=CATEGORY,
    doc="e to the power x; it is its own derivative. It overflows above 709.78 in float64 and 88.72 in float32.",
    examples=((0.5,), (-2.0,), ([[0.0, 1.0], [-1.0, 2.0]],)),
)

log = elementwise(
    "log",
    np.log,
    Slot("x", lambda y, x: 1.0 / x),
    notation=Notation("log({0})", r"\log\left({0}\right)", CALL, python="log({0})"),
    title="natural logarithm",
    symbol="log",
    phrase="the natural logarithm of {0}",
    category=CATEGORY,
    doc="The natural logarithm. It is -inf at 0 and nan below.",
    examples=((0.5,), (3.0,), ([1.0, 2.0, 0.1],)),
)

sqrt = elementwise(
    "sqrt",
    np.sqrt,
    Slot("x", lambda y, x: 0.5 / y),
    notation=Notation("√({0})", r"\sqrt{{{0}}}", CALL, python="sqrt({0})"),
    title="square root",
    symbol="√",
    phrase="the square root of {0}",
    category=CATEGORY,
    doc="The square root. Its derivative at 0 is inf; below 0 it is nan.",
    examples=((0.5,), (4.0,), ([1.0, 2.0, 9.0],)),
)
