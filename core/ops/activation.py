"""The nonlinearities of neural networks."""

from typing import Any

import numpy as np

from core.expression import CALL, Notation
from core.primitive import Slot, elementwise

CATEGORY = "Activations"
INPUTS = ((0.5,), (-2.0,), ([[0.3, 1.0], [-1.0, 4.0]],))


def _sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x)), written so that exp never overflows."""
    e = np.exp(-np.abs(x))
    return np.where(x >= 0.0, 1.0 / (1.0 + e), e / (1.0 + e))


tanh = elementwise(
    "tanh",
    np.tanh,
    Slot("x", lambda y, x: 1.0 - y * y, shown=lambda y, x: 1.0 - y**2.0),
    notation=Notation("tanh({0})", r"\tanh\left({0}\right)", CALL, python="tanh({0})"),
    title="hyperbolic tangent",
    symbol="tanh",
    phrase="the hyperbolic tangent of {0}",
    category=CATEGORY,
    doc="Squashes any number into (-1, 1). Far from 0 its derivative vanishes.",
    examples=INPUTS,
)

sigmoid = elementwise(
    "sigmoid",
    _sigmoid,
    Slot("x", lambda y, x: y * (1.0 - y)),
    notation=Notation("σ({0})", r"\sigma\left({0}\right)", CALL),
    title="logistic sigmoid",
    symbol="σ",
    phrase="the sigmoid of {0}",
    category=CATEGORY,
    doc="1 / (1 + exp(-x)): squashes any number into (0, 1). Far from 0 its derivative vanishes.",
    examples=INPUTS,
)

# sign(y) is 1 for x > 0, 0 for x <= 0 (PyTorch's choice at 0), nan for nan, and keeps the dtype.
relu = elementwise(
    "relu",
    lambda x: np.maximum(x, 0.0),
    Slot("x", lambda y, x: np.sign(y), shown=lambda y, x: np.where(x > 0.0, 1.0, 0.0)),
    notation=Notation("relu({0})", r"\mathrm{{relu}}\left({0}\right)", CALL),
    title="rectified linear unit",
    symbol="relu",
    phrase="the positive part of {0}",
    category=CATEGORY,
    doc="x where x is positive, else 0. Where it is 0, no gradient passes; at 0 itself Cadena uses 0, like PyTorch.",
    examples=INPUTS,
)
