"""Powers, exponentials and logarithms of one operand."""

import math

import numpy as np

from cadena.core.ops.expression import ATOM, CALL, POWER, PRODUCT, Notation
from cadena.core.ops.primitive import Family, Slot
from cadena.core.ops.safer import FINITE_EXP, INVERSE, LOST, SaferForm, either, not_zero, squared
from cadena.core.ops.traits import REAL_ONLY, Domain, Trait

FAMILY = Family("Elementary")
ANY = ((0.5,), (-2.0,), ([[0.0, 1.0], [-1.0, 2.0]],))
POSITIVE = ((0.5,), (3.0,), ([1.0, 2.0, 0.1],))
NONZERO = ((0.5,), (-3.0,), ([1.0, -2.0, 0.1],))

exp = FAMILY.elementwise(
    "exp",
    np.exp,
    Slot("x", lambda y, x: y),
    notation=Notation("exp({0})", "e^{{{0}}}", POWER, python="exp({0})"),
    title="exponential",
    synonyms=("e^x",),
    phrase="e to the power {0}",
    doc="e to the power x; it is its own derivative. It overflows above 709.78 in float64 and 88.72 in float32.",
    source="NIST Digital Library of Mathematical Functions, section 4.7",
    edges="Overflow gives inf for value and derivative, underflow 0.",
    traits=Trait.SLOPED | Trait.NEVER_ZERO,
    overflows_above=math.log,
    safer=(
        SaferForm(
            "Write exp(−x) for 1 / exp(x)",
            FINITE_EXP,
            lambda x: either(1.0 / np.exp(x), np.reciprocal(np.exp(x)), np.exp(x) ** -1.0),
            lambda x: np.exp(-x),
        ),
        SaferForm(
            "Write exp(a − x) for exp(a) / exp(x)",
            "only the difference goes into exp",
            lambda a, x: np.exp(a) / np.exp(x),
            lambda a, x: np.exp(a - x),
        ),
        SaferForm(
            "Write a · exp(−x) for a / exp(x)", FINITE_EXP, lambda a, x: a / np.exp(x), lambda a, x: a * np.exp(-x)
        ),
        SaferForm(
            "Write exp(a + b) for exp(a) · exp(b)",
            "only the sum goes into exp",
            lambda a, b: np.exp(a) * np.exp(b),
            lambda a, b: np.exp(a + b),
        ),
        SaferForm(
            "Write exp(x / 2) for √(exp(x))",
            "exp(x / 2) is not 0, and not infinite, where exp(x) is",
            lambda x: np.sqrt(np.exp(x)),
            lambda x: np.exp(0.5 * x),
        ),
        SaferForm("Write x for exp(log(x))", INVERSE, lambda x: np.exp(np.log(x)), lambda x: np.positive(x)),
    ),
    examples=ANY,
)

exp2 = FAMILY.elementwise(
    "exp2",
    np.exp2,
    Slot("x", lambda y, x: y * math.log(2.0)),
    notation=Notation("exp2({0})", "2^{{{0}}}", POWER, python="pow(2.0, {0})"),
    title="power of two",
    symbol="2ˣ",
    synonyms=("2^x", "2**x"),
    phrase="2 to the power {0}",
    doc="2 to the power x.",
    source="NIST Digital Library of Mathematical Functions, section 4.7",
    edges="Overflow gives inf for value and derivative, underflow 0.",
    traits=Trait.SLOPED | Trait.NEVER_ZERO,
    overflows_above=math.log2,
    examples=ANY,
)

expm1 = FAMILY.elementwise(
    "expm1",
    np.expm1,
    Slot("x", lambda y, x: np.exp(x)),
    notation=Notation("expm1({0})", r"\left(e^{{{0}}} - 1\right)", CALL, python="expm1({0})"),
    title="exponential minus one",
    symbol="eˣ−1",
    phrase="e to the power {0}, minus 1",
    doc="exp(x) − 1, exact also for x near 0 where the difference would lose all its digits.",
    edges="The derivative is exp(x), not y + 1, which loses its digits where y is nearly −1.",
    source="NIST Digital Library of Mathematical Functions, section 4.7",
    definition=lambda x: np.exp(x) - 1.0,
    differs="near 0 digits are lost, as 1 is subtracted from a number next to it",
    traits=Trait.SLOPED,
    overflows_above=math.log,
    safer=(
        SaferForm("Use expm1 for exp(x) − 1", LOST, lambda x: np.exp(x) - 1.0),
        SaferForm(
            "Write expm1(x) / x, and its series at 0, for (exp(x) − 1) / x",
            "it is 1 at 0, and keeps its digits near 0",
            lambda x: either(np.exp(x) - 1.0, np.expm1(x)) / x,
            lambda x: np.where(x, np.expm1(not_zero(x)) / not_zero(x), 1.0 + x * (0.5 + x / 6.0)),
        ),
        SaferForm(
            "Write exp(b) · expm1(a − b) for exp(a) − exp(b)",
            LOST,
            lambda a, b: np.exp(a) - np.exp(b),
            lambda a, b: np.exp(b) * np.expm1(a - b),
        ),
        SaferForm(
            "Write x + log(−expm1(−x)) for log(exp(x) − 1)",
            "exp(−x) never overflows where exp(x) does",
            lambda x: np.log(either(np.exp(x) - 1.0, np.expm1(x))),
            lambda x: x + np.log(-np.expm1(-x)),
        ),
        SaferForm(
            "Write log(−expm1(x)) for log(1 − exp(x))",
            LOST,
            lambda x: np.log(1.0 - np.exp(x)),
            lambda x: np.log(-np.expm1(x)),
        ),
        SaferForm(
            "Write a + log(−expm1(b − a)) for log(exp(a) − exp(b))",
            "only the difference goes into exp",
            lambda a, b: np.log(np.exp(a) - np.exp(b)),
            lambda a, b: a + np.log(-np.expm1(b - a)),
        ),
    ),
    examples=ANY,
)

log = FAMILY.elementwise(
    "log",
    np.log,
    Slot("x", lambda y, x: 1.0 / x),
    notation=Notation("log({0})", r"\log\left({0}\right)", CALL, python="log({0})"),
    title="natural logarithm",
    synonyms=("ln",),
    phrase="the natural logarithm of {0}",
    doc="The natural logarithm. It is −inf at 0 and nan below.",
    edges="At 0 the value is −inf and the derivative inf; below 0 the value is nan.",
    source="NIST Digital Library of Mathematical Functions, section 4.7",
    traits=Trait.SLOPED | Trait.LOGARITHM,
    domain=Domain(0.0, open=True),
    steep=(0.0,),
    safer=(SaferForm("Write x for log(exp(x))", INVERSE, lambda x: np.log(np.exp(x)), lambda x: np.positive(x)),),
    examples=POSITIVE,
)

log2 = FAMILY.elementwise(
    "log2",
    np.log2,
    Slot("x", lambda y, x: 1.0 / (x * math.log(2.0))),
    notation=Notation("log2({0})", r"\log_{{2}}\left({0}\right)", CALL, python="log2({0})"),
    title="binary logarithm",
    symbol="log₂",
    synonyms=("lb",),
    phrase="the binary logarithm of {0}",
    doc="The logarithm to base 2.",
    source="NIST Digital Library of Mathematical Functions, section 4.7",
    edges="At 0 the value is −inf and the derivative inf; below 0 the value is nan.",
    traits=Trait.SLOPED | Trait.LOGARITHM,
    domain=Domain(0.0, open=True),
    steep=(0.0,),
    examples=POSITIVE,
)

log10 = FAMILY.elementwise(
    "log10",
    np.log10,
    Slot("x", lambda y, x: 1.0 / (x * math.log(10.0))),
    notation=Notation("log10({0})", r"\log_{{10}}\left({0}\right)", CALL, python="log10({0})"),
    title="decimal logarithm",
    symbol="log₁₀",
    synonyms=("lg",),
    phrase="the decimal logarithm of {0}",
    doc="The logarithm to base 10.",
    source="NIST Digital Library of Mathematical Functions, section 4.7",
    edges="At 0 the value is −inf and the derivative inf; below 0 the value is nan.",
    traits=Trait.SLOPED | Trait.LOGARITHM,
    domain=Domain(0.0, open=True),
    steep=(0.0,),
    examples=POSITIVE,
)

log1p = FAMILY.elementwise(
    "log1p",
    np.log1p,
    Slot("x", lambda y, x: 1.0 / (1.0 + x)),
    notation=Notation("log1p({0})", r"\log\left(1 + {0}\right)", CALL, python="log1p({0})"),
    title="logarithm of one plus x",
    phrase="the natural logarithm of 1 plus {0}",
    doc="log(1 + x), exact also for x near 0 where the sum would lose the digits of x.",
    edges="At −1 the value is −inf and the derivative inf.",
    source="NIST Digital Library of Mathematical Functions, section 4.7",
    definition=lambda x: np.log(1.0 + x),
    differs="near 0 digits are lost, as a small number is added to 1",
    traits=Trait.SLOPED | Trait.LOGARITHM,
    domain=Domain(-1.0, open=True),
    steep=(-1.0,),
    safer=(
        SaferForm(
            "Write log1p(x) / x, and its series at 0, for log(1 + x) / x",
            "it is 1 at 0, and keeps its digits near 0",
            lambda x: either(np.log(1.0 + x), np.log1p(x)) / x,
            lambda x: np.where(x, np.log1p(not_zero(x)) / not_zero(x), 1.0 - x * (0.5 - x / 3.0)),
        ),
        SaferForm("Use log1p for log(1 + x)", "the digits of x are not lost in 1 + x", lambda x: np.log(1.0 + x)),
        SaferForm(
            "Use log1p of −x for log(1 − x)",
            "the digits of x are not lost in 1 − x",
            lambda x: np.log(1.0 - x),
            lambda x: np.log1p(-x),
        ),
        SaferForm(
            "Write log1p((a − b) / b) for log(a) − log(b)",
            LOST,
            lambda a, b: np.log(a) - np.log(b),
            lambda a, b: np.log1p((a - b) / b),
        ),
    ),
    examples=POSITIVE,
)

sqrt = FAMILY.elementwise(
    "sqrt",
    np.sqrt,
    Slot("x", lambda y, x: 0.5 / y),
    notation=Notation("√({0})", r"\sqrt{{{0}}}", CALL, python="sqrt({0})"),
    title="square root",
    symbol="√",
    synonyms=("root",),
    keywords="x^0.5 x**0.5",
    phrase="the square root of {0}",
    doc="The square root. Its derivative at 0 is inf; below 0 it is nan.",
    edges="At 0 the derivative is inf, so that the gradient of sqrt(x·x) is nan there, as in every library.",
    traits=Trait.SLOPED | Trait.ZERO_OF_ZEROS,
    domain=Domain(0.0),
    steep=(0.0,),
    safer=(
        SaferForm(
            "Write c / (√(a + c) + √a) for √(a + c) − √a",
            LOST,
            lambda a, c: np.sqrt(a + c) - np.sqrt(a),
            lambda a, c: c / (np.sqrt(a + c) + np.sqrt(a)),
        ),
        SaferForm(
            "Write (a − b) / (√a + √b) for √a − √b",
            LOST,
            lambda a, b: np.sqrt(a) - np.sqrt(b),
            lambda a, b: (a - b) / (np.sqrt(a) + np.sqrt(b)),
        ),
        SaferForm(
            "Write a / (√(1 + a) + 1) for √(1 + a) − 1",
            LOST,
            lambda a: np.sqrt(1.0 + a) - 1.0,
            lambda a: a / (np.sqrt(1.0 + a) + 1.0),
        ),
        SaferForm(
            "Write c / (√(b² + c) + b) for √(b² + c) − b",
            LOST,
            lambda b, c: np.sqrt(squared(b) + c) - b,
            lambda b, c: c / (np.sqrt(np.square(b) + c) + b),
        ),
        SaferForm(
            "Write −c / (√(b² − c) + b) for √(b² − c) − b",
            LOST,
            lambda b, c: np.sqrt(squared(b) - c) - b,
            lambda b, c: -(c / (np.sqrt(np.square(b) - c) + b)),
        ),
        SaferForm("Write x for the square of √x", INVERSE, lambda x: squared(np.sqrt(x)), lambda x: np.positive(x)),
    ),
    examples=POSITIVE,
)

cbrt = FAMILY.elementwise(
    "cbrt",
    np.cbrt,
    Slot("x", lambda y, x: 1.0 / (3.0 * y * y), shown=lambda y, x: 1.0 / (3.0 * y**2.0)),
    notation=Notation("∛({0})", r"\sqrt[3]{{{0}}}", CALL, python="cbrt({0})"),
    title="cube root",
    symbol="∛",
    keywords="x^(1/3)",
    phrase="the cube root of {0}",
    doc="The cube root, also of negative numbers. Its derivative at 0 is inf.",
    edges="At 0 the derivative is inf.",
    only_real=REAL_ONLY,
    traits=Trait.SLOPED | Trait.ZERO_OF_ZEROS,
    steep=(0.0,),
    examples=NONZERO,
)

square = FAMILY.elementwise(
    "square",
    np.square,
    Slot("x", lambda y, x: 2.0 * x),
    notation=Notation("{0}²", "{0}^{{2}}", POWER, (ATOM,), "({0} * {0})"),
    title="square",
    symbol="x²",
    synonyms=("x2", "x^2", "x**2", "sqr"),
    keywords="squared",
    phrase="the square of {0}",
    doc="The operand times itself.",
    traits=Trait.ZERO_OF_ZEROS,
    safer=(
        SaferForm(
            "Write (a − b)(a + b) for a² − b²",
            LOST,
            lambda a, b: squared(a) - squared(b),
            lambda a, b: (a - b) * (a + b),
        ),
    ),
    examples=ANY,
)

reciprocal = FAMILY.elementwise(
    "reciprocal",
    np.reciprocal,
    Slot("x", lambda y, x: -y * y, shown=lambda y, x: -(1.0 / x**2.0)),
    notation=Notation("1 / {0}", r"\frac{{1}}{{{0}}}", PRODUCT, (POWER,), "(1.0 / {0})"),
    title="reciprocal",
    symbol="1/x",
    synonyms=("x^-1", "x**-1"),
    keywords="inverse one over",
    phrase="1 divided by {0}",
    doc="1 divided by the operand; inf at 0.",
    edges="At 0 the value is inf and the derivative −inf.",
    traits=Trait.SLOPED | Trait.NEVER_ZERO | Trait.QUOTIENT,
    examples=NONZERO,
)
