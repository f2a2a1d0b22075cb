"""Sums, products and their inverses."""

from typing import Any

import numpy as np

from cadena.core.ops.expression import ATOM, CALL, POWER, PRODUCT, SUM, Notation, Symbol
from cadena.core.ops.primitive import Family, Slot
from cadena.core.ops.safer import LOST, SaferForm, squared
from cadena.core.ops.traits import SIGNED, Trait
from cadena.core.text.causes import Cause

FAMILY = Family("Arithmetic")
PAIRS = ((2.0, -3.0), (0.5, 4.0), ([1.0, -2.0, 3.0], 2.5), ([[1.0], [2.0]], [3.0, 4.0, 5.0]))

add = FAMILY.elementwise(
    "add",
    np.add,
    Slot("left", lambda y, a, b: 1.0),
    Slot("right", lambda y, a, b: 1.0),
    notation=Notation("{0} + {1}", "{0} + {1}", SUM, (SUM, PRODUCT), "({0} + {1})"),
    title="addition",
    symbol="+",
    synonyms=("+", "plus"),
    keywords="bias",
    phrase="{0} plus {1}",
    doc="The sum of two operands. The gradient passes to both unchanged.",
    traits=Trait.UNIT_SLOPE | Trait.COMMUTES,
    nan_of_inf=Cause.INF_MINUS_INF,
    neutral=0.0,
    examples=PAIRS,
)

subtract = FAMILY.elementwise(
    "subtract",
    np.subtract,
    Slot("left", lambda y, a, b: 1.0),
    Slot("right", lambda y, a, b: -1.0),
    notation=Notation("{0} − {1}", "{0} - {1}", SUM, (SUM, PRODUCT), "({0} - {1})"),
    title="subtraction",
    symbol="−",
    synonyms=("-", "sub", "minus"),
    keywords="difference",
    phrase="{0} minus {1}",
    doc="The difference of two operands. The gradient passes to the left one unchanged, to the right one negated.",
    traits=Trait.UNIT_SLOPE,
    nan_of_inf=Cause.INF_MINUS_INF,
    safer=(SaferForm("Write b for (a + b) − a", LOST, lambda a, b: (a + b) - a, lambda a, b: np.positive(b)),),
    neutral=0.0,
    examples=PAIRS,
)

multiply = FAMILY.elementwise(
    "multiply",
    np.multiply,
    Slot("left", lambda y, a, b: b),
    Slot("right", lambda y, a, b: a),
    notation=Notation("{0} · {1}", r"{0} \cdot {1}", PRODUCT, (PRODUCT, POWER), "({0} * {1})"),
    title="multiplication",
    symbol="×",
    synonyms=("*", "mul", "times", "Hadamard product", "elementwise product"),
    keywords="product scale gate",
    phrase="{0} times {1}",
    doc="The product of two operands, element by element. The local derivative for one operand is the other operand.",
    traits=Trait.COMMUTES,
    nan_of_inf=Cause.ZERO_TIMES_INF,
    neutral=1.0,
    examples=PAIRS,
)

divide = FAMILY.elementwise(
    "divide",
    np.divide,
    Slot("numerator", lambda y, a, b: 1.0 / b),
    Slot("denominator", lambda y, a, b: -y / b, shown=lambda y, a, b: -(a / b**2.0), sloped=lambda a, b: a != 0.0),
    notation=Notation("{0} / {1}", r"\frac{{{0}}}{{{1}}}", PRODUCT, (PRODUCT, POWER), "({0} / {1})"),
    title="division",
    symbol="÷",
    synonyms=("/", "div", "true_divide"),
    keywords="quotient ratio fraction",
    phrase="{0} divided by {1}",
    doc="The quotient of two operands. Dividing by 0 gives inf or nan, as in IEEE arithmetic.",
    edges="At a denominator of 0 the value is inf or nan, and the derivatives are inf or nan, as in IEEE arithmetic.",
    traits=Trait.QUOTIENT | Trait.SLOPED,
    nan_of_inf=Cause.INF_BY_INF,
    neutral=1.0,
    examples=PAIRS,
)

negative = FAMILY.elementwise(
    "negative",
    np.negative,
    Slot("x", lambda y, x: -1.0),
    notation=Notation("−{0}", "-{0}", SUM, (PRODUCT,), "(-{0})"),
    title="negation",
    symbol="−x",
    synonyms=("neg", "-x"),
    keywords="minus opposite",
    phrase="the negative of {0}",
    doc="The operand with its sign changed.",
    traits=Trait.UNIT_SLOPE | Trait.EXACT,
    examples=((2.0,), ([-1.5, 0.0, 3.0],)),
)


def _one_less(exponent: Any, base: Any) -> Any:
    """The exponent of the derivative: 0 in place of -1, since 0 · x^-1 is nan at 0, and 0 · x^0 is not.

    So the derivatives of a whole power end in 0 everywhere. With a traced exponent it is x^-1 itself, though.
    """
    nonzero = exponent != 0.0
    if isinstance(nonzero, np.ndarray | np.generic) and nonzero.all():  # with single exponents numpy is fast
        return exponent - 1.0
    is_plain = isinstance(exponent, np.ndarray | np.generic | Symbol)
    return np.where(nonzero if is_plain else nonzero | (np.abs(base) > 0.0), exponent - 1.0, 0.0)


power = FAMILY.elementwise(
    "power",
    np.power,
    Slot(
        "base",
        lambda y, a, b: b * a ** _one_less(b, a),
        shown=lambda y, a, b: b * a ** (b - 1.0),
        sloped=lambda a, b: (a != 0.0) & (b != 0.0),
    ),
    Slot(
        "exponent",
        lambda y, a, b: y * np.log(np.where(np.logical_and(a == 0.0, b >= 0.0), 1.0, a)),
        shown=lambda y, a, b: y * np.log(a),
        sloped=lambda a, b: (a > 0.0) & (a != 1.0),
    ),
    notation=Notation("{0}^{1}", "{0}^{{{1}}}", POWER, (ATOM, ATOM), "pow({0}, {1})"),
    title="power",
    symbol="xʸ",
    synonyms=("**", "^", "pow"),
    keywords="exponent x2 x3",
    phrase="{0} to the power {1}",
    doc="The base raised to the exponent, element by element. A negative base with a fractional exponent gives nan.",
    edges="0 to the power 0 is 1, with the derivative 0 for base and exponent, and so are the further ones. Of 0 to a "
    "positive power the exponent's derivative is 0. A negative base has the derivative nan for its exponent.",
    source="PyTorch, derivatives.yaml, pow",
    traits=Trait.SLOPED,
    steep=(0.0,),
    neutral=1.0,
    examples=((2.0, 3.0), (1.5, -0.5), ([1.0, 2.0, 3.0], 2.0), (2.0, [0.5, 1.5])),
)

abs_ = FAMILY.elementwise(
    "abs",
    np.abs,
    # 0 for nan, as in PyTorch: a mask that leaves a nan out gets no nan back
    Slot("x", lambda y, x: np.where(x == x, np.sign(x), 0.0), shown=lambda y, x: np.sign(x)),
    notation=Notation("|{0}|", r"\left|{0}\right|", CALL, python="fabs({0})"),
    title="absolute value",
    symbol="|x|",
    synonyms=("absolute", "fabs"),
    keywords="modulus magnitude",
    phrase="the absolute value of {0}",
    doc="The distance from 0. At 0 it has no derivative; like PyTorch, Cadena uses 0 there.",
    edges="At 0 the derivative is 0, as in PyTorch, and at nan too.",
    only_real=SIGNED,
    corner=lambda y, x: y == 0.0,
    traits=Trait.EXACT,
    safer=(
        SaferForm(
            "Use |x| for √(x²)", "it neither overflows nor is it infinitely steep at 0", lambda x: np.sqrt(squared(x))
        ),
    ),
    examples=((2.0,), (-3.0,), ([-1.5, 0.5, 3.0],)),
)

maximum = FAMILY.elementwise(
    "maximum",
    np.maximum,
    Slot(
        "left",
        lambda y, a, b: np.where(a > b, 1.0, np.where(a < b, 0.0, np.where(a == b, 0.5, np.nan))),
        gate=True,
        shown=lambda y, a, b: np.where(a > b, 1.0, 0.0),
    ),
    Slot(
        "right",
        lambda y, a, b: np.where(b > a, 1.0, np.where(b < a, 0.0, np.where(a == b, 0.5, np.nan))),
        gate=True,
        shown=lambda y, a, b: np.where(b > a, 1.0, 0.0),
    ),
    notation=Notation("max({0}, {1})", r"\max\left({0}, {1}\right)", CALL, python="maximum({0}, {1})"),
    title="maximum",
    symbol="max",
    keywords="larger greater",
    phrase="the larger of {0} and {1}",
    doc="The larger of two operands. The gradient goes to the larger one; equal operands share it.",
    edges="Equal operands share the gradient evenly, as in PyTorch and JAX. An operand that is nan makes value and "
    "gradient nan.",
    traits=Trait.EXACT | Trait.COMMUTES | Trait.CHOOSES,
    examples=((2.0, -3.0), ([1.0, -2.0, 3.0], 0.5)),
)

minimum = FAMILY.elementwise(
    "minimum",
    np.minimum,
    Slot(
        "left",
        lambda y, a, b: np.where(a < b, 1.0, np.where(a > b, 0.0, np.where(a == b, 0.5, np.nan))),
        gate=True,
        shown=lambda y, a, b: np.where(a < b, 1.0, 0.0),
    ),
    Slot(
        "right",
        lambda y, a, b: np.where(b < a, 1.0, np.where(b > a, 0.0, np.where(a == b, 0.5, np.nan))),
        gate=True,
        shown=lambda y, a, b: np.where(b < a, 1.0, 0.0),
    ),
    notation=Notation("min({0}, {1})", r"\min\left({0}, {1}\right)", CALL, python="minimum({0}, {1})"),
    title="minimum",
    symbol="min",
    keywords="smaller less",
    phrase="the smaller of {0} and {1}",
    doc="The smaller of two operands. The gradient goes to the smaller one; equal operands share it.",
    edges="Equal operands share the gradient evenly, as in PyTorch and JAX. An operand that is nan makes value and "
    "gradient nan.",
    traits=Trait.EXACT | Trait.COMMUTES | Trait.CHOOSES,
    examples=((2.0, -3.0), ([1.0, -2.0, 3.0], 0.5)),
)

fmax = FAMILY.elementwise(
    "fmax",
    np.fmax,
    Slot("left", lambda y, a, b: np.where(np.logical_or(a >= b, np.isnan(b)), 1.0, 0.0), gate=True),
    Slot("right", lambda y, a, b: np.where(np.logical_or(a >= b, np.isnan(b)), 0.0, 1.0), gate=True),
    title="maximum that ignores nan",
    phrase="the larger of {0} and {1}, nan ignored",
    doc="The larger of two operands; where one is nan, the other. The gradient goes to the one that was taken.",
    edges="At a tie the left operand gets the whole gradient, as in PyTorch.",
    traits=Trait.COMMUTES | Trait.CHOOSES,
    examples=((2.0, -3.0), ([1.0, -2.0, 3.0], 0.5)),
)

fmin = FAMILY.elementwise(
    "fmin",
    np.fmin,
    Slot("left", lambda y, a, b: np.where(np.logical_or(a <= b, np.isnan(b)), 1.0, 0.0), gate=True),
    Slot("right", lambda y, a, b: np.where(np.logical_or(a <= b, np.isnan(b)), 0.0, 1.0), gate=True),
    title="minimum that ignores nan",
    phrase="the smaller of {0} and {1}, nan ignored",
    doc="The smaller of two operands; where one is nan, the other. The gradient goes to the one that was taken.",
    edges="At a tie the left operand gets the whole gradient, as in PyTorch.",
    traits=Trait.COMMUTES | Trait.CHOOSES,
    examples=((2.0, -3.0), ([1.0, -2.0, 3.0], 0.5)),
)

positive = FAMILY.elementwise(
    "positive",
    np.positive,
    Slot("x", lambda y, x: 1.0),
    notation=Notation("+{0}", "+{0}", SUM, (PRODUCT,), "(+{0})"),
    title="plus sign",
    symbol="+x",
    synonyms=("pos",),
    keywords="identity same",
    phrase="{0} itself",
    doc="The operand unchanged, as its own node.",
    traits=Trait.UNIT_SLOPE | Trait.EXACT | Trait.RESHAPES,
    examples=((2.0,), ([-1.5, 0.0, 3.0],)),
)
