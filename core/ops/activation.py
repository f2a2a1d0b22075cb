"""The nonlinearities of neural networks, as PyTorch defines them."""

from typing import Any

import numpy as np

from cadena.core.ops.expression import CALL, Notation, called
from cadena.core.ops.primitive import Attribute, Family, Primitive, Slot
from cadena.core.ops.rounding import clip
from cadena.core.ops.safer import LOST, NO_OVERFLOW, SaferForm, either, of_small, of_wide_clip, squared
from cadena.core.ops.traits import EXP_OVERFLOWS, EXP_SQUARED, SHARED, SIGNED, Domain, Trait

FAMILY = Family("Activations")
INPUTS = ((0.5,), (-2.0,), ([[0.3, 1.0], [-1.0, 4.0]],))
SELU_ALPHA, SELU_SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946


def sigmoid_value(x: Any) -> Any:
    """1 / (1 + exp(-x)), written so that exp never overflows. abs would have no slope at 0, where this has one."""
    e = np.exp(np.where(x >= 0.0, -x, x))
    return np.where(x >= 0.0, 1.0 / (1.0 + e), e / (1.0 + e))


def softplus_value(x: Any) -> Any:
    """log(1 + exp(x)) without overflow."""
    return np.maximum(x, 0.0) + np.log1p(np.exp(-np.abs(x)))


def _inside(x: Any, low: float, high: float) -> Any:
    """1 strictly between the bounds, 0 elsewhere, nan for nan."""
    return np.where(np.logical_and(x > low, x < high), 1.0, np.where(x == x, 0.0, np.nan))


def squash(x: Any) -> Any:
    """The sigmoid as in textbooks."""
    return 1.0 / (1.0 + np.exp(-x))


def any_sigmoid(x: Any) -> Any:
    """In a pattern: the sigmoid, in the ways to write it."""
    return either(sigmoid(x), 1.0 / (1.0 + np.exp(-x)), np.reciprocal(1.0 + np.exp(-x)), np.exp(x) / (1.0 + np.exp(x)))


def _guarded(p: Any, e: Any) -> Any:
    """In a pattern: a probability with something against log(0)."""
    return either(p + e, np.maximum(p, e))


BOTH_KEEP = "they never underflow, and keep their gradients"

sigmoid: Primitive = FAMILY.elementwise(
    "sigmoid",
    sigmoid_value,
    Slot("x", lambda y, x: y * (1.0 - y), stable=lambda x: sigmoid(x) * sigmoid(-x)),
    notation=Notation("σ({0})", r"\sigma\left({0}\right)", CALL),
    title="logistic sigmoid",
    symbol="σ",
    synonyms=("expit", "logistic"),
    keywords="probability",
    phrase="the sigmoid of {0}",
    doc="1 / (1 + exp(−x)): squashes any number into (0, 1). Far from 0 its derivative vanishes.",
    edges="Never overflows: at −1000 it is 0 and at 1000 it is 1, both with the derivative 0.",
    definition=squash,
    differs=EXP_SQUARED,
    analytic=squash,
    traits=Trait.SATURATES | Trait.NEVER_ZERO,
    safer=(
        SaferForm("Use sigmoid", NO_OVERFLOW, any_sigmoid),
        SaferForm(
            "Use sigmoid of −x",
            NO_OVERFLOW,
            lambda x: either(1.0 / (1.0 + np.exp(x)), np.reciprocal(1.0 + np.exp(x))),
            lambda x: sigmoid(-x),
        ),
        SaferForm(
            "Write a · sigmoid(x) for a / (1 + exp(−x))",
            NO_OVERFLOW,
            lambda a, x: a / (1.0 + np.exp(-x)),
            lambda a, x: a * sigmoid(x),
        ),
        SaferForm(
            "Write a · sigmoid(−x) for a / (1 + exp(x))",
            NO_OVERFLOW,
            lambda a, x: a / (1.0 + np.exp(x)),
            lambda a, x: a * sigmoid(-x),
        ),
        SaferForm(
            "Write sigmoid(x) · sigmoid(−x) for exp(x) / (1 + exp(x))²",
            NO_OVERFLOW,
            lambda x: np.exp(x) / squared(1.0 + np.exp(x)),
            lambda x: sigmoid(x) * sigmoid(-x),
        ),
        SaferForm("Write sigmoid(−x) for 1 − sigmoid(x)", LOST, lambda x: 1.0 - any_sigmoid(x), lambda x: sigmoid(-x)),
    ),
    examples=INPUTS,
)

# sign(y) is 1 for x > 0, 0 for x <= 0, nan for nan, and keeps the dtype.
logit = FAMILY.elementwise(
    "logit",
    lambda x: np.log(x) - np.log1p(-x),
    Slot(
        "x",
        lambda y, x: np.where(x < 0.0, np.nan, np.where(x > 1.0, np.nan, 1.0 / (x * (1.0 - x)))),
        shown=lambda y, x: 1.0 / (x * (1.0 - x)),
    ),
    title="log-odds",
    keywords="inverse sigmoid probability odds",
    phrase="the log-odds of {0}",
    doc="log(x / (1 - x)), the inverse of the sigmoid; 0 and 1 give -inf and inf.",
    definition=lambda x: np.log(x / (1.0 - x)),
    edges="The derivatives at 0 and 1 are inf. Below 0 and above 1 value and derivative are nan, as in PyTorch.",
    differs="near 1 digits are lost, as 1 - x has few",
    domain=Domain(0.0, 1.0, open=True),
    steep=(0.0, 1.0),
    examples=((0.5,), (0.1,), ([[0.3, 0.9], [0.2, 0.6]],)),
)

relu = FAMILY.elementwise(
    "relu",
    lambda x: np.maximum(x, 0.0),
    Slot("x", lambda y, x: np.sign(y), gate=True, shown=lambda y, x: np.where(x > 0.0, 1.0, 0.0)),
    title="rectified linear unit",
    keywords="positive part ramp",
    phrase="the positive part of {0}",
    doc="x where x is positive, else 0. Where it is 0, no gradient passes; at 0 itself Cadena uses 0, like PyTorch.",
    edges="At 0 the derivative is 0, as in PyTorch and JAX. An upstream gradient of inf or nan stops there too.",
    traits=Trait.CUT_OFF | Trait.EXACT | Trait.CHOOSES,
    examples=INPUTS,
)

leaky_relu = FAMILY.elementwise(
    "leaky_relu",
    lambda x, slope: np.where(x > 0.0, x, slope * x),
    Slot(
        "x",
        lambda y, x, slope: np.where(x > 0.0, 1.0, np.where(x <= 0.0, slope, np.nan)),
        shown=lambda y, x, slope: np.where(x > 0.0, 1.0, slope),
    ),
    attributes=(Attribute("slope", 0.01, "number", "the slope for negative x"),),
    notation=called("leaky", 1),
    title="leaky rectified linear unit",
    symbol="leaky",
    phrase="{0} where positive, else {slope} times {0}",
    doc="x where x is positive, else a small multiple of x, so that some gradient always passes.",
    edges="At 0 the derivative is the slope for negative x, as in PyTorch.",
    definition=lambda x, slope: np.maximum(x, 0.0) + slope * np.minimum(x, 0.0),
    differs=f"at 0 the gradient is a mean of both sides instead of the slope: {SHARED}",
    examples=(*INPUTS, ([1.0, -2.0], {"slope": 0.2})),
)


def _exponential_unit(x: Any, alpha: float) -> Any:
    """max(x, 0) + alpha (exp(min(x, 0)) - 1): one of the two parts is always 0."""
    low = alpha * (np.exp(np.minimum(x, 0.0)) - 1.0)
    return np.maximum(x, 0.0) + low


elu = FAMILY.elementwise(
    "elu",
    lambda x, alpha: np.where(x > 0.0, x, alpha * np.expm1(np.minimum(x, 0.0))),
    # The inner choice gives 0 as the second derivative at 0, as in PyTorch; a minimum would share it.
    Slot("x", lambda y, x, alpha: np.where(x > 0.0, 1.0, alpha * np.exp(np.where(x >= 0.0, 0.0, x)))),
    attributes=(Attribute("alpha", 1.0, "number", "minus the limit for very negative x"),),
    title="exponential linear unit",
    phrase="the exponential linear unit of {0}",
    doc="x where x is positive, else alpha (exp(x) − 1): smooth where alpha is 1.",
    edges="At 0 the derivative is alpha.",
    source="Clevert, Unterthiner and Hochreiter (2016), Fast and accurate deep network learning by exponential "
    "linear units",
    definition=_exponential_unit,
    differs="just below 0 digits are lost, as 1 is subtracted from a number next to it",
    traits=Trait.SATURATES,
    examples=(*INPUTS, ([1.0, -2.0], {"alpha": 0.5})),
)

selu = FAMILY.elementwise(
    "selu",
    lambda x: SELU_SCALE * np.where(x > 0.0, x, SELU_ALPHA * np.expm1(np.minimum(x, 0.0))),
    Slot("x", lambda y, x: SELU_SCALE * np.where(x > 0.0, 1.0, SELU_ALPHA * np.exp(np.where(x >= 0.0, 0.0, x)))),
    title="scaled exponential linear unit",
    phrase="the scaled exponential linear unit of {0}",
    doc="elu with constants that keep mean 0 and variance 1 from layer to layer (Klambauer et al. 2017).",
    edges="At 0 the derivative is 1.758, the limit from below.",
    source="Klambauer et al. (2017), Self-normalizing neural networks",
    definition=lambda x: SELU_SCALE * _exponential_unit(x, SELU_ALPHA),
    differs=f"just below 0 digits are lost, and at 0 the gradient is a mean of both sides: {SHARED}",
    traits=Trait.SATURATES,
    examples=INPUTS,
)


def smooth_relu(x: Any) -> Any:
    """The softplus as in textbooks."""
    return np.log(1.0 + np.exp(x))


softplus = FAMILY.elementwise(
    "softplus",
    softplus_value,
    Slot("x", lambda y, x: sigmoid_value(x), shown=lambda y, x: sigmoid(x)),
    title="softplus",
    keywords="smooth relu",
    phrase="the softplus of {0}",
    doc="log(1 + exp(x)) without overflow: a smooth relu, whose derivative is the sigmoid.",
    edges="Never overflows, and is not cut off: PyTorch takes x itself above 20.",
    definition=smooth_relu,
    differs=f"{EXP_OVERFLOWS}, where softplus is x; for very negative x the digits of exp(x) are lost beside 1",
    analytic=smooth_relu,
    traits=Trait.SATURATES | Trait.NEVER_ZERO,
    safer=(
        SaferForm(
            "Use softplus for log(1 + exp(x))",
            NO_OVERFLOW,
            lambda x: either(np.log(1.0 + np.exp(x)), np.log1p(np.exp(x))),
        ),
    ),
    examples=INPUTS,
)

logsigmoid: Primitive = FAMILY.elementwise(
    "logsigmoid",
    lambda x: -softplus_value(-x),
    Slot("x", lambda y, x: sigmoid_value(-x), shown=lambda y, x: sigmoid(-x)),
    notation=Notation("log σ({0})", r"\log\sigma\left({0}\right)", CALL),
    title="logarithm of the sigmoid",
    symbol="log σ",
    synonyms=("log_sigmoid", "log_expit"),
    phrase="the logarithm of the sigmoid of {0}",
    doc="log(sigmoid(x)) without underflow.",
    definition=lambda x: -smooth_relu(-x),
    differs=f"{EXP_OVERFLOWS} where −x does, where logsigmoid is x; for large x the digits of exp(−x) are lost "
    "beside 1",
    analytic=lambda x: -smooth_relu(-x),
    traits=Trait.SATURATES,
    safer=(
        SaferForm(
            "Use logsigmoid for the logarithm of sigmoid", "it never underflows", lambda x: np.log(any_sigmoid(x))
        ),
        SaferForm(
            "Use logsigmoid of −x for log(1 − sigmoid(x))",
            "1 − sigmoid(x) is sigmoid(−x), with all its digits",
            lambda x: either(np.log(1.0 - any_sigmoid(x)), np.log1p(-any_sigmoid(x))),
            lambda x: logsigmoid(-x),
        ),
        SaferForm(
            "Use logsigmoid for both logarithms, without what is added or clamped",
            BOTH_KEEP,
            lambda x, t, u, e, f: (
                t * np.log(_guarded(any_sigmoid(x), e)) + u * np.log(_guarded(1.0 - any_sigmoid(x), f))
            ),
            lambda x, t, u, e, f: t * logsigmoid(x) + u * logsigmoid(-x),
            of_small("e", "f"),
            nearly=True,
        ),
        SaferForm(
            "Use logsigmoid for both logarithms, without the clamp",
            BOTH_KEEP,
            lambda x, t, u: t * np.log(clip(any_sigmoid(x))) + u * np.log(1.0 - clip(any_sigmoid(x))),
            lambda x, t, u: t * logsigmoid(x) + u * logsigmoid(-x),
            of_wide_clip,
            nearly=True,
        ),
        SaferForm(
            "Use logsigmoid for the logarithm of sigmoid, without what is added or clamped",
            "it never underflows, and keeps its gradient",
            lambda x, e: np.log(_guarded(any_sigmoid(x), e)),
            lambda x, e: logsigmoid(x),
            of_small("e"),
            nearly=True,
        ),
        SaferForm(
            "Use logsigmoid for the logarithm of sigmoid, without its clamp",
            "it never underflows, and keeps its gradient",
            lambda x: np.log(clip(any_sigmoid(x))),
            lambda x: logsigmoid(x),
            of_wide_clip,
            nearly=True,
        ),
        SaferForm(
            "Use logsigmoid of −x for log(1 − sigmoid(x)), without what is added or clamped",
            "1 − sigmoid(x) is sigmoid(−x), with all its digits and its gradient",
            lambda x, e: either(np.log(_guarded(1.0 - any_sigmoid(x), e)), np.log(1.0 + e - any_sigmoid(x))),
            lambda x, e: logsigmoid(-x),
            of_small("e"),
            nearly=True,
        ),
        SaferForm(
            "Use logsigmoid of −x for log(1 − sigmoid(x)), without its clamp",
            "1 − sigmoid(x) is sigmoid(−x), with all its digits and its gradient",
            lambda x: either(np.log(1.0 - clip(any_sigmoid(x))), np.log(clip(1.0 - any_sigmoid(x)))),
            lambda x: logsigmoid(-x),
            of_wide_clip,
            nearly=True,
        ),
    ),
    examples=INPUTS,
)

softsign = FAMILY.elementwise(
    "softsign",
    lambda x: x / (1.0 + np.abs(x)),
    Slot("x", lambda y, x: 1.0 / ((1.0 + np.abs(x)) * (1.0 + np.abs(x)))),
    title="softsign",
    phrase="the softsign of {0}",
    doc="x / (1 + |x|): squashes any number into (−1, 1), with longer tails than tanh.",
    edges="At inf the derivative is its limit 0, although the value there is nan.",
    definition=lambda x: x / (1.0 + np.abs(x)),
    only_real=SIGNED,
    traits=Trait.SATURATES,
    examples=INPUTS,
)

hardtanh = FAMILY.elementwise(
    "hardtanh",
    lambda x: np.clip(x, -1.0, 1.0),
    Slot("x", lambda y, x: _inside(x, -1.0, 1.0), gate=True, shown=lambda y, x: np.where(np.abs(x) < 1.0, 1.0, 0.0)),
    title="hard tanh",
    phrase="{0} kept between −1 and 1",
    doc="x between −1 and 1, else the nearer bound. No gradient passes at the bounds or beyond, like PyTorch.",
    edges="At the bounds −1 and 1 the derivative is 0, as in PyTorch.",
    definition=lambda x: np.minimum(np.maximum(x, -1.0), 1.0),
    differs=f"at the corners the gradient is 1/2 instead of 0: {SHARED}",
    examples=((0.5,), (-2.0,), ([[0.3, 1.5], [-0.7, 4.0]],)),
)

relu6 = FAMILY.elementwise(
    "relu6",
    lambda x: np.clip(x, 0.0, 6.0),
    Slot(
        "x", lambda y, x: _inside(x, 0.0, 6.0), gate=True, shown=lambda y, x: np.where((x > 0.0) & (x < 6.0), 1.0, 0.0)
    ),
    title="relu up to 6",
    phrase="the positive part of {0}, at most 6",
    doc="relu with an upper bound of 6. No gradient passes at the bounds or beyond, like PyTorch.",
    edges="At the bounds 0 and 6 the derivative is 0, as in PyTorch and JAX.",
    definition=lambda x: np.minimum(np.maximum(x, 0.0), 6.0),
    differs=f"at the corners the gradient is 1/2 instead of 0: {SHARED}",
    traits=Trait.CUT_OFF,
    examples=((0.5,), (-2.0,), ([[0.3, 7.0], [-1.0, 4.0]],)),
)
