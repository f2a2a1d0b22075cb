"""Gradient rules in symbols, for operations whose rules would be hard to read as they are computed."""

from __future__ import annotations

import re
from typing import Any

from cadena.core.ops.expression import NOTATIONS, POWER, PRODUCT, Notation, Symbol, apply
from cadena.core.ops.primitive import Rule

# The upstream gradient, the result, the first and the second operand, and a number known where the rule is used.
TOKENS = ("@g", "@y", "@a", "@b", "@n")


def formula(text: str, latex: str = "") -> Rule:
    """A rule for a slot to show: plain text and LaTeX with the TOKENS; without LaTeX its words are set upright.

    n is how many elements a mean is taken over, where that is not known.
    """
    NOTATIONS[text] = Notation(_template(text), _template(latex or _upright(text)), PRODUCT, (POWER,))

    def shown(*symbols: Any) -> Symbol:
        return apply(text, *symbols)

    return shown


def _template(text: str) -> str:
    separated = re.sub("(@.)_", r"{\1}_", text)  # a name may have an index of its own
    escaped = separated.replace("{", "{{").replace("}", "}}")
    for number, token in enumerate(TOKENS):
        escaped = escaped.replace(token, f"{{{number}}}")
    return escaped


def _upright(text: str) -> str:
    parts = re.split("(@.)", text)
    return "".join(part if part in TOKENS else _as_latex(part) for part in parts if part)


def _as_latex(part: str) -> str:
    """Signs and the names of functions as mathematics, everything else as words."""
    if re.search("[a-z]{2}", re.sub("log|sign", "", part)):
        return rf"\text{{{part}}}"
    signs = {"·": r"\cdot ", "−": "-", "Σ": r"\sum ", "σ": r"\sigma ", "log": r"\log ", "sign": r"\mathrm{sign} "}
    return "".join(signs.get(item, item) for item in re.split("(log|sign|.)", part) if item)
