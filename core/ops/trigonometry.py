"""Sine and cosine, in radians."""

import numpy as np

from core.expression import CALL, Notation
from core.primitive import Slot, elementwise

CATEGORY = "Trigonometric"
ANGLES = ((0.5,), (-2.0,), ([[0.0, 1.0], [-1.0, 4.0]],))

sin = elementwise(
    "sin",
    np.sin,
    Slot("x", lambda y, x: np.cos(x)),
    notation=Notation("sin({0})", r"\sin\left({0}\right)", CALL, python="sin({0})"),
    title="sine",
    symbol="sin",
    phrase="the sine of {0}",
    category=CATEGORY,
    doc="The sine of an angle in radians; its derivative is the cosine.",
    examples=ANGLES,
)

cos = elementwise(
    "cos",
    np.cos,
    Slot("x", lambda y, x: -np.sin(x)),
    notation=Notation("cos({0})", r"\cos\left({0}\right)", CALL, python="cos({0})"),
    title="cosine",
    symbol="cos",
    phrase="the cosine of {0}",
    category=CATEGORY,
    doc="The cosine of an angle in radians; its derivative is minus the sine.",
    examples=ANGLES,
)
