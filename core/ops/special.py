"""The error function and the logarithm of the gamma function; scipy, imported when first needed, has the values."""

import math
from typing import Any

import numpy as np

from cadena.core.ops.expression import CALL, NOTATIONS, Notation
from cadena.core.ops.primitive import Family, Slot
from cadena.core.ops.traits import REAL_ONLY, Domain, Trait

FAMILY = Family("Special")
ANY = ((0.5,), (-1.3,), ([[0.0, 1.0], [-1.0, 2.0]],))
POSITIVE = ((0.5,), (4.2,), ([[0.3, 1.0], [2.0, 7.5]],))
BELL = 2.0 / math.sqrt(math.pi)


INSTEAD: list[Any] = []  # what has the functions in a process without scipy


def special() -> Any:
    """scipy.special, imported at the first use: it takes 0.2 s, and most graphs need none of it."""
    if INSTEAD:
        return INSTEAD[0]
    import scipy.special

    return scipy.special


def special_value(name: str, *operands: Any) -> Any:
    """A function of scipy.special; float16, which scipy answers in float32, stays float16."""
    result = getattr(special(), name)(*operands)
    return result.astype(np.float16) if getattr(operands[-1], "dtype", None) == np.float16 else result


erf = FAMILY.elementwise(
    "erf",
    lambda x: special_value("erf", x),
    Slot("x", lambda y, x: BELL * np.exp(-x * x), shown=lambda y, x: BELL * np.exp(-(x**2.0))),
    notation=Notation("erf({0})", r"\mathrm{{erf}}\left({0}\right)", CALL, python="erf({0})"),
    title="error function",
    phrase="the error function of {0}",
    doc="The integral of the bell curve from −x to x. Far from 0 its derivative vanishes.",
    source="NIST Digital Library of Mathematical Functions, section 7.10",
    traits=Trait.SATURATES | Trait.ONLY_FLOAT64,
    examples=ANY,
)

erfc = FAMILY.elementwise(
    "erfc",
    lambda x: special_value("erfc", x),
    Slot("x", lambda y, x: -BELL * np.exp(-x * x), shown=lambda y, x: -BELL * np.exp(-(x**2.0))),
    notation=Notation("erfc({0})", r"\mathrm{{erfc}}\left({0}\right)", CALL, python="erfc({0})"),
    title="complementary error function",
    phrase="the complementary error function of {0}",
    doc="1 − erf(x), exact also where erf(x) is nearly 1.",
    source="NIST Digital Library of Mathematical Functions, section 7.10",
    definition=lambda x: 1.0 - erf(x),
    differs="from 6 on erf is 1 to the last digit, and the difference 0",
    traits=Trait.SATURATES | Trait.NEVER_ZERO | Trait.ONLY_FLOAT64,
    examples=ANY,
)


def _gammaln(x: Any) -> Any:
    """scipy's, except for -log|x| next to 0, where scipy overflows, and C's inf at -inf."""
    near = np.where(np.abs(x) < 1e-300, -np.log(np.abs(x)), special_value("gammaln", x))
    return np.where(x == -np.inf, np.inf, near)


gammaln = FAMILY.elementwise(
    "gammaln",
    _gammaln,
    Slot("x", lambda y, x: special_value("digamma", x)),
    notation=Notation("gammaln({0})", r"\log\Gamma\left({0}\right)", CALL),
    title="logarithm of the gamma function",
    symbol="ln Γ",
    synonyms=("lgamma", "loggamma"),
    keywords="factorial",
    phrase="the logarithm of the gamma function of {0}",
    doc="log |gamma(x)|; for whole n, log((n − 1)!). Its derivative is the digamma function.",
    edges="At 0 and at negative whole numbers it is inf.",
    source="NIST Digital Library of Mathematical Functions, section 5.2",
    only_real=REAL_ONLY,
    traits=Trait.ONLY_FLOAT64,
    domain=Domain(words="no whole numbers up to 0"),
    examples=POSITIVE,
)

digamma = FAMILY.elementwise(
    "digamma",
    lambda x: special_value("digamma", x),
    Slot("x", lambda y, x: special_value("zeta", 2.0, x)),
    notation=Notation("digamma({0})", r"\psi\left({0}\right)", CALL),
    title="digamma function",
    symbol="ψ",
    synonyms=("psi",),
    phrase="the digamma function of {0}",
    doc="The derivative of the logarithm of the gamma function.",
    edges="At 0 it is −inf, at negative whole numbers nan.",
    source="NIST Digital Library of Mathematical Functions, section 5.15",
    traits=Trait.ONLY_FLOAT64,
    domain=Domain(words="no whole numbers up to 0"),
    examples=POSITIVE,
)

zeta = FAMILY.elementwise(
    "zeta",
    lambda s, q: special_value("zeta", s, q),
    Slot("s", differentiable=False),
    Slot("q", lambda y, s, q: -s * special_value("zeta", s + 1.0, q)),
    notation=Notation("ζ({0}, {1})", r"\zeta\left({0}, {1}\right)", CALL),
    title="Hurwitz zeta function",
    symbol="ζ",
    phrase="the zeta function of {0} at {1}",
    doc="The sum of 1 / (q + n)^s over n from 0 on; with s = 2 the derivative of digamma. No gradient for s.",
    edges="At s = 1 it is inf.",
    source="NIST Digital Library of Mathematical Functions, section 25.11, eq. 25.11.17",
    only_real=REAL_ONLY,
    traits=Trait.ONLY_FLOAT64,
    examples=((2.0, 0.5), (3.0, [0.7, 4.2])),
)
NOTATIONS["_zeta"], NOTATIONS["psi"] = zeta.notation, digamma.notation  # the names that scipy's own ufuncs have
