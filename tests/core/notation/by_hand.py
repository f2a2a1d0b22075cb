"""Formulas read back from the digits that they show, and computed anew, as somebody with a pencil does."""

from __future__ import annotations

import math
import re

import numpy as np

from cadena.core.text.numbers import MINUS, NARROW_SPACE, SUPERSCRIPTS

NAMES = {
    "sin": np.sin, "cos": np.cos, "exp": np.exp, "sqrt": np.sqrt, "cbrt": np.cbrt, "abs": np.abs, "sum": np.sum,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "M": np.array, "N": np.longdouble, "inf": math.inf, "nan": math.nan,
    "rows": lambda x: np.sum(x, axis=0), "columns": lambda x: np.sum(x, axis=1, keepdims=True),
}  # fmt: skip
BACK = str.maketrans({value: chr(key) for key, value in SUPERSCRIPTS.items()})
NUMBER = r"-?(?:\d[\d,]*\.?\d*(?:e-?\d+)?|inf|nan)"


class Unreadable(Exception):
    """A formula with letters, as those in symbols have, or with a number that is marked as cut."""


def from_plain(text: str) -> str:
    """Plain text as Python: "2 · (−4)", "5.4·10⁻⁶", "σ(2)"."""
    text = text.replace(MINUS, "-").replace(NARROW_SPACE, "").replace("^", "**").replace("σ(", "sigmoid(")
    text = re.sub(r"\[\[.*?\]\]|\[[^\[\]]*\]", r"M(\g<0>)", text)
    text = re.sub(r"·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda found: f"e{found[1].translate(BACK)}", text)
    return re.sub(r"\|([^|]+)\|", r"abs(\1)", text).replace("³√", "cbrt").replace("√", "sqrt").replace(" · ", " * ")


def from_latex(text: str) -> str:
    r"""As Python: \frac{1}{2}, \begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}, e^{-2}, \sum, \sigma\left(2\right)."""
    text = re.sub(r" \\cdot 10\^\{(-?\d+)\}", r"e\1", re.sub(r"(?<=\d)\\,(?=\d)", "", text))
    text = re.sub(r"\\begin\{bmatrix\}(.*?)\\end\{bmatrix\}", _matrix, text)
    text = re.sub(r"\\sum_\{\\text\{(rows|columns)\}\} \\, (.*)", r"\1(\2)", text)
    text = text.replace(r"\left|", "abs(").replace(r"\right|", ")").replace(r"\left", "").replace(r"\right", "")
    text = (
        text.replace(r"\infty", "inf").replace(r"\mathrm{nan}", "nan").replace(r"\sigma", "sigmoid").replace(r"\,", "@")
    )
    text = re.sub(r"(?<![\w\\])e\^\{([^{}]*)\}", r"exp(\1)", re.sub(r"\\sqrt\[3\]", r"\\cbrt", text))
    for _ in range(6):  # from within to without
        text = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1)/(\2))", text)
        text = re.sub(r"\\(sqrt|cbrt)\{([^{}]*)\}", r"\1(\2)", text)
        text = re.sub(r"\^\{([^{}]*)\}", r"**(\1)", text)
    text = re.sub(r"\\sum (.*)", r"sum(\1)", text)
    return re.sub(r"\\(sin|cos)\b", r"\1", text.replace(r"\cdot", "*").replace(r"\odot", "*")).strip()


def _matrix(found: re.Match[str]) -> str:
    rows = [[cell.strip() for cell in row.split("&")] for row in found[1].split(r"\\")]
    return f"M([{', '.join('[' + ', '.join(row) + ']' for row in rows)}])"


def computed(text: str) -> np.ndarray:
    """What a formula in Python comes to. Raises Unreadable."""
    words = set(re.findall(r"[A-Za-z_∂]\w*", re.sub(r"(?<=[\d.])e-?\d+", "", text)))
    if not words <= NAMES.keys() or re.search(r"[…\\{}∂]|^$", text):
        raise Unreadable(text)
    exact = re.sub(r"(?<![\w.])(\d[\d.]*(?:e-?\d+)?)", r"N('\1')", text)  # as written, not as the nearest float64
    try:
        with np.errstate(all="ignore"):
            return np.asarray(eval(exact, {"__builtins__": {}}, NAMES), dtype=np.longdouble)
    except ZeroDivisionError:
        raise Unreadable(text) from None


def units(text: str) -> np.ndarray:
    """One in the last digit of each number that a result shows."""
    made = []
    for number in re.findall(NUMBER, text):
        digits, _, power = number.partition("e")
        after = len(digits.partition(".")[2])
        made.append(10.0 ** (int(power or 0) - after) if digits.lstrip("-") not in ("inf", "nan") else 0.0)
    return np.array(made)


def disagreement(formula: str, result: str) -> str:
    """Where a result differs from its formula by more than half a unit of its last digit; "" where it does not."""
    made, shown = computed(formula), computed(result)
    wanted, got = np.broadcast_to(shown, np.broadcast_shapes(shown.shape, made.shape)).ravel(), made.ravel()
    if wanted.size != got.size:
        return f"{formula} has another shape than {result}"
    finite = np.isfinite(wanted)
    off = np.abs(np.where(finite, got - np.where(finite, wanted, 0.0), 0.0))
    allowed = 0.5 * units(result) + 1e-13 * np.abs(np.where(finite, wanted, 0.0))
    return "" if (off <= allowed).all() else f"{formula} is {made}, not {result}"


def relations(formula: str) -> list[tuple[str, str]]:
    """Formula and result: the last two sides of a formula in Python; nothing where one of them is in symbols."""
    sides = [side.strip() for side in re.split(r"(?<![!<>])=", formula)]
    return [tuple(sides[-2:])] if len(sides) > 1 else []  # type: ignore[list-item]
