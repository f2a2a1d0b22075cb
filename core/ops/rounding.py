"""Steps, remainders and bounds: functions that are flat or straight between their jumps."""

from typing import Any

import numpy as np

from cadena.core.ops.expression import CALL, PRODUCT, Notation
from cadena.core.ops.primitive import Attribute, Family, Slot
from cadena.core.ops.traits import ROUNDS, SHARED, SIGNED, Trait

FAMILY = Family("Rounding and bounds")
PAIRS = ((7.5, 2.0), (-7.5, 2.0), ([5.3, -3.1, 8.7], -2.5), ([[1.2], [2.3]], [0.7, 4.1, 5.9]))
PLACES = "how many decimals are kept; negative for tens, hundreds ..."
NUMBERS = ((1.3,), (-2.7,), ([[0.4, 1.6], [-1.2, 4.9]],))

floor = FAMILY.elementwise(
    "floor",
    np.floor,
    Slot("x", lambda y, x: 0.0, gate=True),
    notation=Notation("floor({0})", r"\left\lfloor {0} \right\rfloor", CALL, python="floor({0})"),
    title="floor",
    symbol="⌊x⌋",
    phrase="{0} rounded down",
    doc="The next whole number below. It is flat between its jumps, so no gradient passes.",
    edges="At its jumps the derivative is 0 as well.",
    only_real=ROUNDS,
    examples=NUMBERS,
)

ceil = FAMILY.elementwise(
    "ceil",
    np.ceil,
    Slot("x", lambda y, x: 0.0, gate=True),
    notation=Notation("ceil({0})", r"\left\lceil {0} \right\rceil", CALL, python="ceil({0})"),
    title="ceiling",
    symbol="⌈x⌉",
    phrase="{0} rounded up",
    doc="The next whole number above. It is flat between its jumps, so no gradient passes.",
    edges="At its jumps the derivative is 0 as well.",
    only_real=ROUNDS,
    examples=NUMBERS,
)

trunc = FAMILY.elementwise(
    "trunc",
    np.trunc,
    Slot("x", lambda y, x: 0.0, gate=True),
    notation=Notation("trunc({0})", r"\mathrm{{trunc}}\left({0}\right)", CALL, python="float(trunc({0}))"),
    title="truncation",
    synonyms=("fix",),
    keywords="integer",
    phrase="{0} without its decimals",
    doc="The whole number next towards 0. It is flat between its jumps, so no gradient passes.",
    edges="At its jumps the derivative is 0 as well.",
    only_real=ROUNDS,
    examples=NUMBERS,
)

round_ = FAMILY.elementwise(
    "round",
    lambda x, decimals: np.round(x, decimals),
    Slot("x", lambda y, x, decimals: 0.0, gate=True),
    attributes=(Attribute("decimals", 0, "integer", PLACES, within=(-308, 308)),),  # 10 to this power is a number
    title="rounding",
    phrase="{0} rounded",
    doc="The nearest whole number, halves to the even one. It is flat between its jumps, so no gradient passes.",
    edges="At its jumps the derivative is 0 as well; halves go to the even neighbour.",
    examples=(*NUMBERS, ([1.234, -5.678], {"decimals": 1})),
)

sign = FAMILY.elementwise(
    "sign",
    np.sign,
    Slot("x", lambda y, x: 0.0, gate=True),
    notation=Notation("sign({0})", r"\mathrm{{sign}}\left({0}\right)", CALL, python="sign({0})"),
    title="sign",
    synonyms=("sgn",),
    phrase="the sign of {0}",
    doc="−1, 0 or 1. It is flat on both sides of 0, so no gradient passes.",
    edges="0 at 0, nan for nan.",
    only_real=SIGNED,
    examples=NUMBERS,
)

floor_divide = FAMILY.elementwise(
    "floor_divide",
    np.floor_divide,
    Slot("numerator", lambda y, a, b: 0.0, gate=True),
    Slot("denominator", lambda y, a, b: 0.0, gate=True),
    notation=Notation("{0} // {1}", r"\left\lfloor {0} / {1} \right\rfloor", PRODUCT, (PRODUCT, CALL), "({0} // {1})"),
    title="floor division",
    symbol="//",
    phrase="{0} divided by {1}, rounded down",
    doc="The quotient rounded down. It is flat between its jumps, so no gradient passes.",
    edges="At its jumps the derivative is 0 as well.",
    definition=lambda a, b: np.floor(a / b),
    differs="where the divisor is 0 the gradient is nan (0 · inf)",
    only_real=ROUNDS,
    traits=Trait.WHOLE_QUOTIENT,
    examples=PAIRS,
)

remainder = FAMILY.elementwise(
    "remainder",
    np.remainder,
    Slot("numerator", lambda y, a, b: 1.0),
    Slot("denominator", lambda y, a, b: -np.floor_divide(a, b)),
    notation=Notation("{0} mod {1}", r"{0} \;\mathrm{{mod}}\; {1}", PRODUCT, (PRODUCT, CALL), "({0} % {1})"),
    title="remainder",
    symbol="mod",
    synonyms=("%", "modulo"),
    phrase="the remainder of {0} divided by {1}",
    doc="What a division rounded down leaves; it has the sign of the denominator, as Python's %.",
    edges="The denominator's derivative is minus how often it was taken, also where rounding the quotient would "
    "give one more.",
    definition=lambda a, b: a - b * np.floor(a / b),
    differs="where the divisor is 0 the gradient is nan; of a divisor that is small beside x digits are lost",
    only_real=ROUNDS,
    traits=Trait.WHOLE_QUOTIENT,
    examples=PAIRS,
)

fmod = FAMILY.elementwise(
    "fmod",
    np.fmod,
    Slot("numerator", lambda y, a, b: 1.0),
    Slot(
        "denominator",  # not trunc(a / b), which rounds 1 / 0.1 to 10, although 0.1 goes only 9 times into 1
        lambda y, a, b: -np.sign(a) * np.sign(b) * np.floor_divide(np.abs(a), np.abs(b)),
        shown=lambda y, a, b: -np.trunc(a / b),
    ),
    notation=Notation("fmod({0}, {1})", r"\mathrm{{fmod}}\left({0}, {1}\right)", CALL, python="fmod({0}, {1})"),
    title="C remainder",
    phrase="the remainder of {0} divided by {1} with the sign of {0}",
    doc="What a division rounded towards 0 leaves; it has the sign of the numerator, as in C.",
    edges="The denominator's derivative is minus how often it was taken, also where rounding the quotient would "
    "give one more.",
    definition=lambda a, b: a - b * np.trunc(a / b),
    differs="where the divisor is 0 the gradient is nan; of a divisor that is small beside x digits are lost",
    only_real=ROUNDS,
    traits=Trait.WHOLE_QUOTIENT,
    examples=PAIRS,
)

nan_to_num = FAMILY.elementwise(
    "nan_to_num",
    lambda x: np.nan_to_num(x),
    Slot("x", lambda y, x: np.where(np.isfinite(x), 1.0, 0.0)),
    notation=Notation("nan_to_num({0})", r"\mathrm{{finite}}\left({0}\right)", CALL),
    title="replace nan and inf",
    symbol="finite",
    keywords="clean",
    phrase="{0} with 0 for nan and the largest number for inf",
    doc="0 for nan, the largest finite numbers for inf and −inf. No gradient passes where something was replaced.",
    edges="Where something was replaced the gradient is 0.",
    examples=NUMBERS,
)


def _clip_in_pieces(x: Any, min: float | None, max: float | None) -> Any:
    above = x if min is None else np.maximum(x, min)
    return above if max is None else np.minimum(above, max)


clip = FAMILY.elementwise(
    "clip",
    lambda x, min, max: np.clip(x, min, max),
    Slot(
        "x",
        lambda y, x, min, max: np.where(np.logical_or(y == x, np.isnan(x)), np.where(np.isnan(x), np.nan, 1.0), 0.0),
        gate=True,
        shown=lambda y, x, min, max: np.where(y == x, 1.0, 0.0),
    ),
    attributes=(
        Attribute("min", None, "number", "the lower bound; empty for none"),
        Attribute("max", None, "number", "the upper bound; empty for none"),
    ),
    title="clip",
    synonyms=("clamp",),
    keywords="limit bound",
    phrase="{0} kept between {min} and {max}",
    doc="x within the bounds, else the nearer bound. Beyond the bounds no gradient passes; at them it does.",
    edges="At the bounds themselves the gradient passes, as in PyTorch.",
    definition=_clip_in_pieces,
    differs=f"at the bounds the gradient is 1/2 instead of 1: {SHARED}",
    examples=(
        ([-2.0, 0.3, 5.0], {"min": 0.0, "max": 1.0}),
        ([-2.0, 0.3, 5.0], {"min": 0.0}),
        (0.5, {"max": 1.0}),
    ),
)
