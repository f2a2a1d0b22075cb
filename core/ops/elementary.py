"""Powers, exponentials and logarithms of one operand."""

import math

import numpy as np

from cadena.core.ops.expression import ATOM, CALL, POWER, PRODUCT, Notation
from cadena.core.ops.primitive import Slot, elementwise
from cadena.core.ops.traits import REAL_ONLY, Domain, Trait

CATEGORY = "Elementary"
ANY = ((0.5,), (-2.0,), ([[0.0, 1.0], [-1.0, 2.0]],))
POSITIVE = ((0.5,), (3.0,), ([1.0, 2.0, 0.1],))
NONZERO = ((0.5,), (-3.0,), ([1.0, -2.0, 0.1],))

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
    source="NIST Digital Library of Mathematical Functions, section 4.7",
    edges="Overflow gives inf for value and derivative, underflow 0.",
    traits=Trait.SLOPED | Trait.NEVER_ZERO,
    overflows_above=math.log,
    examples=ANY,
)

exp2 = elementwise(
    "exp2",
    np.exp2,
    Slot("x", lambda y, x: y * math.log(2.0)),
    notation=Notation("exp2({0})", "2^{{{0}}}", POWER, python="pow(2.0, {0})"),
    title="power of two",
    symbol="2ˣ",
    phrase="2 to the power {0}",
    category=CATEGORY,
    doc="2 to the power x.",
    source="NIST Digital Library of Mathematical Functions, section 4.7",
    edges="Overflow gives inf for value and derivative, underflow 0.",
    traits=Trait.SLOPED | Trait.NEVER_ZERO,
    overflows_above=math.log2,
    examples=ANY,
)

expm1 = elementwise(
    "expm1",
    np.expm1,
    Slot("x", lambda y, x: np.exp(x)),
    notation=Notation("expm1({0})", r"\left(e^{{{0}}} - 1\right)", CALL, python="expm1({0})"),
    title="exponential minus one",
    symbol="eˣ−1",
    phrase="e to the power {0}, minus 1",
    category=CATEGORY,
    doc="exp(x) - 1, exact also for x near 0 where the difference would lose all its digits.",
    edges="The derivative is exp(x), not y + 1, which loses its digits where y is nearly -1.",
    source="NIST Digital Library of Mathematical Functions, section 4.7",
    definition=lambda x: np.exp(x) - 1.0,
    differs="near 0 digits are lost, as 1 is subtracted from a number next to it",
    traits=Trait.SLOPED,
    overflows_above=math.log,
    examples=ANY,
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
    edges="At 0 the value is -inf and the derivative inf; below 0 the value is nan.",
    source="NIST Digital Library of Mathematical Functions, section 4.7",
    traits=Trait.SLOPED | Trait.SPREADS | Trait.LOGARITHM,
    domain=Domain(0.0),
    steep=(0.0,),
    examples=POSITIVE,
)

log2 = elementwise(
    "log2",
    np.log2,
    Slot("x", lambda y, x: 1.0 / (x * math.log(2.0))),
    notation=Notation("log2({0})", r"\log_{{2}}\left({0}\right)", CALL, python="log2({0})"),
    title="binary logarithm",
    symbol="log₂",
    phrase="the binary logarithm of {0}",
    category=CATEGORY,
    doc="The logarithm to base 2.",
    source="NIST Digital Library of Mathematical Functions, section 4.7",
    edges="At 0 the value is -inf and the derivative inf; below 0 the value is nan.",
    traits=Trait.SLOPED | Trait.SPREADS | Trait.LOGARITHM,
    domain=Domain(0.0),
    steep=(0.0,),
    examples=POSITIVE,
)

log10 = elementwise(
    "log10",
    np.log10,
    Slot("x", lambda y, x: 1.0 / (x * math.log(10.0))),
    notation=Notation("log10({0})", r"\log_{{10}}\left({0}\right)", CALL, python="log10({0})"),
    title="decimal logarithm",
    symbol="log₁₀",
    phrase="the decimal logarithm of {0}",
    category=CATEGORY,
    doc="The logarithm to base 10.",
    source="NIST Digital Library of Mathematical Functions, section 4.7",
    edges="At 0 the value is -inf and the derivative inf; below 0 the value is nan.",
    traits=Trait.SLOPED | Trait.SPREADS | Trait.LOGARITHM,
    domain=Domain(0.0),
    steep=(0.0,),
    examples=POSITIVE,
)

log1p = elementwise(
    "log1p",
    np.log1p,
    Slot("x", lambda y, x: 1.0 / (1.0 + x)),
    notation=Notation("log1p({0})", r"\log\left(1 + {0}\right)", CALL, python="log1p({0})"),
    title="logarithm of one plus x",
    symbol="log1p",
    phrase="the natural logarithm of 1 plus {0}",
    category=CATEGORY,
    doc="log(1 + x), exact also for x near 0 where the sum would lose the digits of x.",
    edges="At -1 the value is -inf and the derivative inf.",
    source="NIST Digital Library of Mathematical Functions, section 4.7",
    definition=lambda x: np.log(1.0 + x),
    differs="near 0 digits are lost, as a small number is added to 1",
    traits=Trait.SLOPED | Trait.SPREADS | Trait.LOGARITHM,
    domain=Domain(-1.0),
    steep=(-1.0,),
    examples=POSITIVE,
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
    edges="At 0 the derivative is inf, so that the gradient of sqrt(x·x) is nan there, as in every library.",
    traits=Trait.SLOPED | Trait.ZERO_OF_ZEROS | Trait.SPREADS,
    domain=Domain(0.0),
    steep=(0.0,),
    examples=POSITIVE,
)

cbrt = elementwise(
    "cbrt",
    np.cbrt,
    Slot("x", lambda y, x: 1.0 / (3.0 * y * y), shown=lambda y, x: 1.0 / (3.0 * y**2.0)),
    notation=Notation("∛({0})", r"\sqrt[3]{{{0}}}", CALL, python="cbrt({0})"),
    title="cube root",
    symbol="∛",
    phrase="the cube root of {0}",
    category=CATEGORY,
    doc="The cube root, also of negative numbers. Its derivative at 0 is inf.",
    edges="At 0 the derivative is inf.",
    only_real=REAL_ONLY,
    traits=Trait.SLOPED | Trait.ZERO_OF_ZEROS | Trait.SPREADS,
    steep=(0.0,),
    examples=NONZERO,
)

square = elementwise(
    "square",
    np.square,
    Slot("x", lambda y, x: 2.0 * x),
    notation=Notation("{0}²", "{0}^{{2}}", POWER, (ATOM,), "({0} * {0})"),
    title="square",
    symbol="x²",
    phrase="the square of {0}",
    category=CATEGORY,
    doc="The operand times itself.",
    traits=Trait.ZERO_OF_ZEROS | Trait.SPREADS,
    examples=ANY,
)

reciprocal = elementwise(
    "reciprocal",
    np.reciprocal,
    Slot("x", lambda y, x: -y * y, shown=lambda y, x: -(1.0 / x**2.0)),
    notation=Notation("1 / {0}", r"\frac{{1}}{{{0}}}", PRODUCT, (POWER,), "(1.0 / {0})"),
    title="reciprocal",
    symbol="1/x",
    phrase="1 divided by {0}",
    category=CATEGORY,
    doc="1 divided by the operand; inf at 0.",
    edges="At 0 the value is inf and the derivative -inf.",
    traits=Trait.SLOPED | Trait.NEVER_ZERO | Trait.QUOTIENT,
    examples=NONZERO,
)
