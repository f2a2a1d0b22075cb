"""Activations that weigh x by how large it is: gelu, silu and mish, as PyTorch defines them."""

import math
from typing import Any

import numpy as np

from cadena.core.ops.activation import (
    INPUTS,
    sigmoid,
    sigmoid_value,
    smooth_relu,
    softplus,
    softplus_value,
    squash,
)
from cadena.core.ops.primitive import Attribute, Family, Slot
from cadena.core.ops.special import erf, special_value
from cadena.core.ops.traits import EXP_OVERFLOWS, EXP_SQUARED, Trait

FAMILY = Family("Activations")

TANH_GELU = math.sqrt(2.0 / math.pi)


def _beyond_minimum(x: Any) -> Any:
    """Where gelu, silu and mish are sure to have a slope: they have none at their minimum, between -2 and 0."""
    return np.abs(x) > 2.0


def _gelu(x: Any, approximate: str) -> Any:
    if approximate == "tanh":
        return 0.5 * x * (1.0 + np.tanh(TANH_GELU * (x + 0.044715 * x * x * x)))
    return 0.5 * x * (1.0 + special_value("erf", x * math.sqrt(0.5)))


def _gelu_partial(y: Any, x: Any, approximate: str) -> Any:
    if approximate == "tanh":
        t = np.tanh(TANH_GELU * (x + 0.044715 * x * x * x))
        return 0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * TANH_GELU * (1.0 + 3.0 * 0.044715 * x * x)
    bell = np.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)
    return 0.5 * (1.0 + special_value("erf", x * math.sqrt(0.5))) + x * bell


def _gelu_shown(y: Any, x: Any, approximate: str) -> Any:
    if approximate == "tanh":
        return _gelu_partial(y, x, approximate)
    return 0.5 * (1.0 + erf(x * math.sqrt(0.5))) + x * np.exp(-0.5 * x**2.0) / math.sqrt(2.0 * math.pi)


def _gelu_in_pieces(x: Any, approximate: str) -> Any:
    if approximate == "tanh":
        bell = np.tanh(TANH_GELU * (x + 0.044715 * x**3.0))
    else:
        bell = erf(x * math.sqrt(0.5))
    return 0.5 * x * (1.0 + bell)


gelu = FAMILY.elementwise(
    "gelu",
    _gelu,
    Slot("x", _gelu_partial, shown=_gelu_shown, sloped=_beyond_minimum),
    attributes=(
        Attribute("approximate", "none", "choice", '"none" for the exact form, or "tanh"', choices=("none", "tanh")),
    ),
    title="Gaussian error linear unit",
    phrase="the Gaussian error linear unit of {0}",
    doc="x times the probability that a standard normal number is below x (Hendrycks and Gimpel 2016).",
    source="Hendrycks and Gimpel (2016), Gaussian error linear units",
    definition=_gelu_in_pieces,
    traits=Trait.SATURATES | Trait.ONLY_FLOAT64,
    examples=(*INPUTS, ([1.0, -2.0], {"approximate": "tanh"})),
)


silu = FAMILY.elementwise(
    "silu",
    lambda x: x * sigmoid_value(x),
    Slot(
        "x",
        lambda y, x: sigmoid_value(x) * (1.0 + x * (1.0 - sigmoid_value(x))),
        shown=lambda y, x: sigmoid(x) * (1.0 + x * (1.0 - sigmoid(x))),
        sloped=_beyond_minimum,
    ),
    title="sigmoid linear unit",
    synonyms=("swish",),
    phrase="{0} times the sigmoid of {0}",
    doc="x sigmoid(x), also called swish.",
    source="Elfwing, Uchibe and Doya (2018), Sigmoid-weighted linear units",
    definition=lambda x: x * squash(x),
    differs=EXP_SQUARED,
    analytic=lambda x: x * squash(x),
    traits=Trait.SATURATES,
    examples=INPUTS,
)


def _mish_partial(y: Any, x: Any) -> Any:
    s = softplus_value(x)
    e = np.exp(-2.0 * s)  # 4 e / (1 + e)² is 1 − tanh(s)², without the loss of digits where tanh is near 1
    return np.tanh(s) + x * sigmoid_value(x) * (4.0 * e / ((1.0 + e) * (1.0 + e)))


def _mish_shown(y: Any, x: Any) -> Any:
    t = np.tanh(softplus(x))
    return t + x * sigmoid(x) * (1.0 - t**2.0)


def _analytic_mish(x: Any) -> Any:
    """x tanh(log(1 + u)) with u = exp(x), written so that a small u is not lost beside 1."""
    u = np.exp(x)
    return x * (u * (u + 2.0)) / (u * (u + 2.0) + 2.0)


mish = FAMILY.elementwise(
    "mish",
    lambda x: x * np.tanh(softplus_value(x)),
    Slot("x", _mish_partial, shown=_mish_shown, sloped=_beyond_minimum),
    title="mish",
    phrase="the mish of {0}",
    doc="x tanh(softplus(x)) (Misra 2019).",
    source="Misra (2019), Mish: a self regularized non-monotonic activation function",
    definition=lambda x: x * np.tanh(smooth_relu(x)),
    differs=f"{EXP_OVERFLOWS}, and the gradient becomes nan (0 · inf) where that of mish is 1",
    analytic=_analytic_mish,
    traits=Trait.SATURATES,
    examples=INPUTS,
)
