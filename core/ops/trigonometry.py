"""Trigonometric and hyperbolic functions and their inverses, in radians."""

import math
from typing import Any

import numpy as np

from cadena.core.ops.activation import sigmoid, softplus
from cadena.core.ops.expression import CALL, Notation
from cadena.core.ops.primitive import Family, Slot
from cadena.core.ops.safer import INVERSE, LOST, NO_OVERFLOW, SaferForm, either, not_zero, squared
from cadena.core.ops.traits import EXP_OVERFLOWS, LOST_NEAR_0, REAL_ONLY, Domain, Trait

FAMILY = Family("Trigonometric")
ANGLES = ((0.5,), (-2.0,), ([[0.0, 1.0], [-1.0, 4.0]],))
UNIT = ((0.5,), (-0.9,), ([[0.0, 0.7], [-0.2, 0.3]],))
ABOVE_ONE = ((1.5,), (3.0,), ([[1.1, 2.0], [7.0, 4.0]],))

sin = FAMILY.elementwise(
    "sin",
    np.sin,
    Slot("x", lambda y, x: np.cos(x)),
    notation=Notation("sin({0})", r"\sin\left({0}\right)", CALL, python="sin({0})"),
    title="sine",
    phrase="the sine of {0}",
    doc="The sine of an angle in radians; its derivative is the cosine.",
    source="NIST Digital Library of Mathematical Functions, section 4.20",
    examples=ANGLES,
)

cos = FAMILY.elementwise(
    "cos",
    np.cos,
    Slot("x", lambda y, x: -np.sin(x)),
    notation=Notation("cos({0})", r"\cos\left({0}\right)", CALL, python="cos({0})"),
    title="cosine",
    phrase="the cosine of {0}",
    doc="The cosine of an angle in radians; its derivative is minus the sine.",
    source="NIST Digital Library of Mathematical Functions, section 4.20",
    safer=(
        SaferForm(
            "Write 2 sin²(x / 2) for 1 − cos(x)",
            LOST,
            lambda x: 1.0 - np.cos(x),
            lambda x: 2.0 * np.square(np.sin(0.5 * x)),
        ),
    ),
    examples=ANGLES,
)

tan = FAMILY.elementwise(
    "tan",
    np.tan,
    Slot("x", lambda y, x: 1.0 + y * y, shown=lambda y, x: 1.0 + y**2.0),
    notation=Notation("tan({0})", r"\tan\left({0}\right)", CALL, python="tan({0})"),
    title="tangent",
    phrase="the tangent of {0}",
    doc="The tangent of an angle in radians.",
    source="NIST Digital Library of Mathematical Functions, section 4.20",
    definition=lambda x: np.sin(x) / np.cos(x),
    examples=ANGLES,
)

arcsin = FAMILY.elementwise(
    "arcsin",
    np.arcsin,
    Slot("x", lambda y, x: 1.0 / np.sqrt(1.0 - x * x), shown=lambda y, x: 1.0 / np.sqrt(1.0 - x**2.0)),
    notation=Notation("arcsin({0})", r"\arcsin\left({0}\right)", CALL, python="asin({0})"),
    title="inverse sine",
    synonyms=("asin",),
    phrase="the inverse sine of {0}",
    doc="The angle whose sine is x, for x from −1 to 1; at these ends its derivative is inf.",
    edges="At −1 and 1 the derivative is inf.",
    source="NIST Digital Library of Mathematical Functions, section 4.24",
    traits=Trait.SLOPED,
    domain=Domain(-1.0, 1.0),
    steep=(-1.0, 1.0),
    examples=UNIT,
)

arccos = FAMILY.elementwise(
    "arccos",
    np.arccos,
    Slot("x", lambda y, x: -1.0 / np.sqrt(1.0 - x * x), shown=lambda y, x: -(1.0 / np.sqrt(1.0 - x**2.0))),
    notation=Notation("arccos({0})", r"\arccos\left({0}\right)", CALL, python="acos({0})"),
    title="inverse cosine",
    synonyms=("acos",),
    phrase="the inverse cosine of {0}",
    doc="The angle whose cosine is x, for x from −1 to 1; at these ends its derivative is −inf.",
    edges="At −1 and 1 the derivative is −inf.",
    source="NIST Digital Library of Mathematical Functions, section 4.24",
    traits=Trait.SLOPED,
    domain=Domain(-1.0, 1.0),
    steep=(-1.0, 1.0),
    examples=UNIT,
)

arctan = FAMILY.elementwise(
    "arctan",
    np.arctan,
    Slot("x", lambda y, x: 1.0 / (1.0 + x * x), shown=lambda y, x: 1.0 / (1.0 + x**2.0)),
    notation=Notation("arctan({0})", r"\arctan\left({0}\right)", CALL, python="atan({0})"),
    title="inverse tangent",
    synonyms=("atan",),
    phrase="the inverse tangent of {0}",
    doc="The angle whose tangent is x, between −pi/2 and pi/2.",
    source="NIST Digital Library of Mathematical Functions, section 4.24",
    traits=Trait.SATURATES,
    examples=ANGLES,
)

sinh = FAMILY.elementwise(
    "sinh",
    np.sinh,
    Slot("x", lambda y, x: np.cosh(x)),
    notation=Notation("sinh({0})", r"\sinh\left({0}\right)", CALL, python="sinh({0})"),
    title="hyperbolic sine",
    phrase="the hyperbolic sine of {0}",
    doc="(exp(x) − exp(−x)) / 2.",
    source="NIST Digital Library of Mathematical Functions, section 4.34",
    definition=lambda x: (np.exp(x) - np.exp(-x)) / 2.0,
    differs=LOST_NEAR_0,
    traits=Trait.SLOPED,
    overflows_above=lambda largest: math.log(largest) + math.log(2.0),
    examples=ANGLES,
)

cosh = FAMILY.elementwise(
    "cosh",
    np.cosh,
    Slot("x", lambda y, x: np.sinh(x)),
    notation=Notation("cosh({0})", r"\cosh\left({0}\right)", CALL, python="cosh({0})"),
    title="hyperbolic cosine",
    phrase="the hyperbolic cosine of {0}",
    doc="(exp(x) + exp(−x)) / 2.",
    source="NIST Digital Library of Mathematical Functions, section 4.34",
    definition=lambda x: (np.exp(x) + np.exp(-x)) / 2.0,
    overflows_above=lambda largest: math.log(largest) + math.log(2.0),
    safer=(
        SaferForm(
            "Write 2 sinh²(x / 2) for cosh(x) − 1",
            LOST,
            lambda x: np.cosh(x) - 1.0,
            lambda x: 2.0 * np.square(np.sinh(0.5 * x)),
        ),
        SaferForm(
            "Write x + softplus(−2x) − log 2 for log(cosh(x))",
            NO_OVERFLOW,
            lambda x: np.log(np.cosh(x)),
            lambda x: x + (softplus(-2.0 * x) - math.log(2.0)),
        ),
    ),
    examples=ANGLES,
)


def _tanh_in_pieces(x: Any) -> Any:
    up, down = np.exp(x), np.exp(-x)
    return (up - down) / (up + down)


tanh = FAMILY.elementwise(
    "tanh",
    np.tanh,
    Slot(
        "x",
        lambda y, x: 1.0 - y * y,
        shown=lambda y, x: 1.0 - y**2.0,
        stable=lambda x: 4.0 * (sigmoid(2.0 * x) * sigmoid(-2.0 * x)),
    ),
    notation=Notation("tanh({0})", r"\tanh\left({0}\right)", CALL, python="tanh({0})"),
    title="hyperbolic tangent",
    phrase="the hyperbolic tangent of {0}",
    doc="Squashes any number into (−1, 1). Far from 0 its derivative vanishes.",
    source="NIST Digital Library of Mathematical Functions, section 4.34",
    definition=_tanh_in_pieces,
    differs=f"{EXP_OVERFLOWS}, and inf / inf is nan, where tanh is 1 or −1; {LOST_NEAR_0}",
    traits=Trait.SATURATES,
    safer=(
        SaferForm(
            "Use tanh",
            NO_OVERFLOW,
            lambda x: either((np.exp(x) - np.exp(-x)) / (np.exp(x) + np.exp(-x)), np.sinh(x) / np.cosh(x)),
        ),
        SaferForm(
            "Write tanh(x) / x, and its series at 0, for tanh(x) / x",
            "it is 1 at 0",
            lambda x: np.tanh(x) / x,
            lambda x: np.where(x, np.tanh(not_zero(x)) / not_zero(x), 1.0 - np.square(x) / 3.0),
        ),
        SaferForm(
            "Use tanh of x / 2",
            NO_OVERFLOW,
            lambda x: (np.exp(x) - 1.0) / (np.exp(x) + 1.0),
            lambda x: np.tanh(0.5 * x),
        ),
        SaferForm(
            "Write 4 sigmoid(2x) sigmoid(−2x) for 1 − tanh²(x)",
            LOST,
            lambda x: 1.0 - squared(np.tanh(x)),
            lambda x: 4.0 * (sigmoid(2.0 * x) * sigmoid(-2.0 * x)),
        ),
        SaferForm(
            "Write 2 (log 2 − x − softplus(−2x)) for log(1 − tanh²(x))",
            "it never reaches log 0",
            lambda x: np.log(1.0 - squared(np.tanh(x))),
            lambda x: 2.0 * (math.log(2.0) - (x + softplus(-2.0 * x))),
        ),
    ),
    examples=ANGLES,
)

arcsinh = FAMILY.elementwise(
    "arcsinh",
    np.arcsinh,
    Slot("x", lambda y, x: 1.0 / np.sqrt(x * x + 1.0), shown=lambda y, x: 1.0 / np.sqrt(x**2.0 + 1.0)),
    notation=Notation("arcsinh({0})", r"\mathrm{{arsinh}}\left({0}\right)", CALL, python="asinh({0})"),
    title="inverse hyperbolic sine",
    symbol="arsinh",
    synonyms=("asinh",),
    phrase="the inverse hyperbolic sine of {0}",
    doc="The number whose hyperbolic sine is x.",
    source="NIST Digital Library of Mathematical Functions, section 4.38",
    definition=lambda x: np.log(x + np.sqrt(np.square(x) + 1.0)),
    differs=f"{LOST_NEAR_0}; of large numbers the square overflows, and for negative ones x + √(x² + 1) is 0",
    traits=Trait.SLOPED,
    examples=ANGLES,
)

arccosh = FAMILY.elementwise(
    "arccosh",
    np.arccosh,
    Slot("x", lambda y, x: 1.0 / np.sqrt(x * x - 1.0), shown=lambda y, x: 1.0 / np.sqrt(x**2.0 - 1.0)),
    notation=Notation("arccosh({0})", r"\mathrm{{arcosh}}\left({0}\right)", CALL, python="acosh({0})"),
    title="inverse hyperbolic cosine",
    symbol="arcosh",
    synonyms=("acosh",),
    phrase="the inverse hyperbolic cosine of {0}",
    doc="The number, not negative, whose hyperbolic cosine is x, for x from 1 on.",
    source="NIST Digital Library of Mathematical Functions, section 4.38",
    edges="At 1 the derivative is inf; below 1 value and derivative are nan.",
    definition=lambda x: np.log(x + np.sqrt(np.square(x) - 1.0)),
    differs="of large numbers the square overflows",
    domain=Domain(1.0),
    steep=(1.0,),
    examples=ABOVE_ONE,
)

arctanh = FAMILY.elementwise(
    "arctanh",
    np.arctanh,
    Slot("x", lambda y, x: 1.0 / (1.0 - x * x), shown=lambda y, x: 1.0 / (1.0 - x**2.0)),
    notation=Notation("arctanh({0})", r"\mathrm{{artanh}}\left({0}\right)", CALL, python="atanh({0})"),
    title="inverse hyperbolic tangent",
    symbol="artanh",
    synonyms=("atanh",),
    phrase="the inverse hyperbolic tangent of {0}",
    doc="The number whose hyperbolic tangent is x, for x between −1 and 1; at these ends it is inf.",
    source="NIST Digital Library of Mathematical Functions, section 4.38",
    edges="At −1 and 1 value and derivative are infinite; beyond them the value is nan.",
    domain=Domain(-1.0, 1.0, open=True),
    steep=(-1.0, 1.0),
    definition=lambda x: np.log((1.0 + x) / (1.0 - x)) / 2.0,
    differs=f"{LOST_NEAR_0}; at 1 and −1 the gradient is nan (0 · inf) instead of inf",
    safer=(
        SaferForm("Write x for arctanh(tanh(x))", INVERSE, lambda x: np.arctanh(np.tanh(x)), lambda x: np.positive(x)),
    ),
    examples=UNIT,
)

arctan2 = FAMILY.elementwise(
    "arctan2",
    np.arctan2,
    Slot(
        "y",
        lambda y, a, b: b / np.where(np.logical_and(a == 0.0, b == 0.0), 1.0, a * a + b * b),
        shown=lambda y, a, b: b / (a**2.0 + b**2.0),
    ),
    Slot(
        "x",
        lambda y, a, b: -a / np.where(np.logical_and(a == 0.0, b == 0.0), 1.0, a * a + b * b),
        shown=lambda y, a, b: -(a / (a**2.0 + b**2.0)),
    ),
    notation=Notation("arctan2({0}, {1})", r"\mathrm{{arctan2}}\left({0}, {1}\right)", CALL, python="atan2({0}, {1})"),
    title="angle of a point",
    synonyms=("atan2",),
    phrase="the angle of the point with y = {0} and x = {1}",
    doc="The angle from the x axis to the point (x, y), between −pi and pi.",
    edges="At (0, 0) both derivatives are 0, as in PyTorch.",
    source="PyTorch, derivatives.yaml, atan2_backward",
    only_real=REAL_ONLY,
    examples=((0.5, -1.2), (-3.0, 4.0), ([1.0, -2.0, 3.0], 0.5)),
)


def _sinc_in_pieces(x: Any) -> Any:
    angle = math.pi * x
    return np.sin(angle) / angle


sinc = FAMILY.elementwise(
    "sinc",
    np.sinc,
    Slot(
        "x",
        lambda y, x: np.where(
            np.abs(x) < 0.01,
            x * (-(np.pi**2) / 3.0 + (np.pi * x) ** 2 * (np.pi**2 / 30.0 - (np.pi**2 * x) ** 2 / 840.0)),
            (np.cos(np.pi * x) - y) / np.where(x == 0.0, 1.0, x),
        ),
        shown=lambda y, x: (np.cos(np.pi * x) - y) / x,
    ),
    title="cardinal sine",
    phrase="the cardinal sine of {0}",
    doc="sin(pi x) / (pi x), and 1 at 0.",
    edges="At 0 the value is 1 and the derivative 0. Nearer to 0 than 0.01 the derivative comes from its series, "
    "because the quotient loses its digits there.",
    definition=_sinc_in_pieces,
    differs="at 0 the quotient is 0 / 0, which is nan, where sinc is 1",
    only_real="loses digits near 0 on complex numbers",
    safer=(
        SaferForm(
            "Use sinc for sin(x) / x",
            "it is 1 at 0",
            lambda x: either(np.sin(x) / x, 1.0 / x * np.sin(x), np.reciprocal(x) * np.sin(x)),
            lambda x: np.sinc(1.0 / math.pi * x),
        ),
        SaferForm(
            "Write ½ sinc²(x / 2) for (1 − cos(x)) / x²",
            "it is ½ at 0, and keeps its digits near 0",
            lambda x: (1.0 - np.cos(x)) / squared(x),
            lambda x: 0.5 * np.square(np.sinc(0.5 / math.pi * x)),
        ),
        SaferForm(
            "Write x / 2 · sinc²(x / 2) for (1 − cos(x)) / x",
            "it is 0 at 0, and keeps its digits near 0",
            lambda x: (1.0 - np.cos(x)) / x,
            lambda x: 0.5 * x * np.square(np.sinc(0.5 / math.pi * x)),
        ),
    ),
    examples=((0.5,), (-2.3,), ([[0.005, 1.2], [-1.7, 0.001]],)),
)
