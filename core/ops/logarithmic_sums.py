"""Functions of two operands from the families of the exponential and the distance, and angles in degrees."""

import math

import numpy as np

from cadena.core.ops.expression import CALL, Notation
from cadena.core.ops.primitive import Family, Slot
from cadena.core.ops.safer import SaferForm, squared
from cadena.core.ops.traits import EXP_OVERFLOWS, REAL_ONLY, Trait

FAMILY = Family("Elementary")
PAIRS = ((0.5, -1.2), (3.0, 4.0), ([1.0, -2.0, 3.0], 0.5), ([[1.0], [2.0]], [0.3, -4.0]))
ANGLES = ((30.0,), (-2.0,), ([[10.0, 1.0], [-1.0, 200.0]],))

logaddexp = FAMILY.elementwise(
    "logaddexp",
    np.logaddexp,
    Slot("left", lambda y, a, b: 1.0 / (1.0 + np.exp(b - a))),
    Slot("right", lambda y, a, b: 1.0 / (1.0 + np.exp(a - b))),
    notation=Notation("logaddexp({0}, {1})", r"\log\left(e^{{{0}}} + e^{{{1}}}\right)", CALL),
    title="logarithm of a sum of exponentials",
    symbol="lae",
    keywords="softmax",
    phrase="the logarithm of exp({0}) + exp({1})",
    doc="log(exp(a) + exp(b)) without overflow: the way to add two probabilities that are given as logarithms.",
    edges="Equal operands share the gradient evenly, also huge ones. Where both are −inf the gradient is nan.",
    definition=lambda a, b: np.log(np.exp(a) + np.exp(b)),
    differs=f"{EXP_OVERFLOWS}, where logaddexp is about the larger operand; digits of the smaller exp are lost",
    analytic=lambda a, b: np.log(np.exp(a) + np.exp(b)),
    traits=Trait.SATURATES | Trait.COMMUTES,
    safer=(
        SaferForm(
            "Use logaddexp for log(exp(a) + exp(b))",
            "it takes the larger one out first",
            lambda a, b: np.log(np.exp(a) + np.exp(b)),
        ),
    ),
    examples=PAIRS,
)

logaddexp2 = FAMILY.elementwise(
    "logaddexp2",
    np.logaddexp2,
    Slot("left", lambda y, a, b: 1.0 / (1.0 + np.exp2(b - a))),
    Slot("right", lambda y, a, b: 1.0 / (1.0 + np.exp2(a - b))),
    notation=Notation("logaddexp2({0}, {1})", r"\log_{{2}}\left(2^{{{0}}} + 2^{{{1}}}\right)", CALL),
    title="binary logarithm of a sum of powers of two",
    symbol="lae2",
    phrase="the binary logarithm of 2^{0} + 2^{1}",
    doc="log2(2^a + 2^b) without overflow.",
    edges="Equal operands share the gradient evenly, also huge ones. Where both are −inf the gradient is nan.",
    definition=lambda a, b: np.log2(np.exp2(a) + np.exp2(b)),
    differs="exp2 overflows beyond 1024 (128 in float32), where logaddexp2 is about the larger operand",
    analytic=lambda a, b: np.log2(np.exp2(a) + np.exp2(b)),
    traits=Trait.SATURATES | Trait.COMMUTES,
    examples=PAIRS,
)

hypot = FAMILY.elementwise(
    "hypot",
    np.hypot,
    Slot("left", lambda y, a, b: a / y),
    Slot("right", lambda y, a, b: b / y),
    notation=Notation("hypot({0}, {1})", r"\sqrt{{{0}^{{2}} + {1}^{{2}}}}", CALL, python="hypot({0}, {1})"),
    title="hypotenuse",
    keywords="length pythagoras distance",
    phrase="the length of the vector ({0}, {1})",
    doc="The square root of the sum of squares, without overflow. At (0, 0) it has no derivative: nan.",
    edges="At (0, 0) both derivatives are nan, as in PyTorch.",
    definition=lambda a, b: np.sqrt(np.square(a) + np.square(b)),
    differs="the squares overflow (beyond 1.3e154, or 1.8e19 in float32), where hypot does not",
    only_real=REAL_ONLY,
    traits=Trait.ZERO_OF_ZEROS | Trait.COMMUTES,
    safer=(
        SaferForm(
            "Use hypot for √(a² + b²)", "its squares do not overflow", lambda a, b: np.sqrt(squared(a) + squared(b))
        ),
    ),
    examples=PAIRS,
)

deg2rad = FAMILY.elementwise(
    "deg2rad",
    np.deg2rad,
    Slot("degrees", lambda y, x: math.pi / 180.0),
    notation=Notation("deg2rad({0})", r"\frac{{\pi}}{{180}} {0}", CALL, python="radians({0})"),
    title="degrees to radians",
    symbol="° → rad",
    synonyms=("radians",),
    phrase="{0} degrees in radians",
    doc="An angle in degrees as radians.",
    only_real=REAL_ONLY,
    examples=ANGLES,
)

rad2deg = FAMILY.elementwise(
    "rad2deg",
    np.rad2deg,
    Slot("radians", lambda y, x: 180.0 / math.pi),
    notation=Notation("rad2deg({0})", r"\frac{{180}}{{\pi}} {0}", CALL, python="degrees({0})"),
    title="radians to degrees",
    symbol="rad → °",
    synonyms=("degrees",),
    phrase="{0} radians in degrees",
    doc="An angle in radians as degrees.",
    only_real=REAL_ONLY,
    examples=ANGLES,
)
