"""Names set as symbols, in LaTeX and in plain text: w0 with the index 0 below, W with those of an element."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import numpy as np

from cadena.core.ops.expression import MAX_IN_FORMULA, upright
from cadena.core.text.numbers import MAX_REMEMBERED, SUBSCRIPTS, SUPERSCRIPTS

GREEK = frozenset(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa mu nu xi pi rho sigma tau phi chi psi omega "
    "Gamma Delta Theta Xi Pi Sigma Phi Psi Omega".split()
)
NAME = re.compile(r"(?<![\w.])[^\W\d_]\w*(?![\w(])")  # not of a function
WHOLE_EXPONENT = re.compile(r"\^([-−]?\d+)(?![\w.])")


@lru_cache(maxsize=MAX_REMEMBERED)
def latex_name(name: str) -> str:
    """A node's name in LaTeX: w0 with its index below, alpha as the Greek letter, long names upright and elided."""
    stem, bracket, index = name.partition("[")
    if bracket and len(name) <= MAX_IN_FORMULA:
        return f"{latex_name(stem)}[{index}"
    symbol = _symbol(name)
    if symbol is None:
        return upright(name)
    letter, index = symbol
    stem = f"\\{letter}" if letter in GREEK else letter
    return f"{stem}_{{{index}}}" if index else stem


def _symbol(name: str) -> tuple[str, str] | None:
    """The letter of a name and its index, "" where it has none; None for a name that is a word."""
    letter, index = re.fullmatch(r"(.*?)_?(\d*)", name, re.DOTALL).groups()  # type: ignore[union-attr]
    is_symbol = (letter in GREEK or len(letter) == 1) and len(name) <= MAX_IN_FORMULA
    return (letter, index) if is_symbol else None


def latex_element(name: str, index: int, shape: tuple[int, ...]) -> str:
    """The element at the flat `index` of a leaf; the leaf itself where it is a single number."""
    stem = latex_name(name)
    if not shape:
        return stem
    place = ", ".join(str(int(item)) for item in np.unravel_index(index, shape))
    return rf"{{{stem}}}_{{{place}}}"


@lru_cache(maxsize=MAX_REMEMBERED)
def set_plainly(formula: str) -> str:
    """A formula in plain text, set as in LaTeX as far as its letters allow: w₀² for w0^2, α for alpha, tanh1 as it is.

    Only whole exponents are raised, as x^(n + 1) has no letters for that.
    """
    lowered = NAME.sub(lambda name: _plain_symbol(name[0]), formula)
    return WHOLE_EXPONENT.sub(lambda exponent: exponent[1].replace("−", "-").translate(SUPERSCRIPTS), lowered)


def _plain_symbol(name: str) -> str:
    symbol = _symbol(name)
    if symbol is None:
        return name
    letter, index = symbol
    if letter in GREEK:
        size = "SMALL" if letter.islower() else "CAPITAL"
        letter = unicodedata.lookup(f"GREEK {size} LETTER {letter}")
    return letter + index.translate(SUBSCRIPTS)
