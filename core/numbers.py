"""Numbers for people: four significant digits, a true minus sign, thousands grouped, exponents as powers."""

from __future__ import annotations

from typing import Any

import numpy as np

MINUS, NARROW_SPACE = "−", "\u202f"
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
SMALLEST_PLAIN, LARGEST_PLAIN = 1e-3, 1e6  # outside these, a power of ten
FEW = 9  # elements: arrays up to this size are written out
COLUMNS = 4


def _parts(number: float, digits: int) -> tuple[str, str, int | None]:
    """Sign, digits and power of ten (None for none) of a finite number."""
    sign = "-" if np.signbit(number) else ""
    size = abs(number)
    if size != 0 and not SMALLEST_PLAIN <= size < LARGEST_PLAIN:
        mantissa, exponent = f"{size:.{digits - 1}e}".split("e")
        return sign, mantissa.rstrip("0").rstrip("."), int(exponent)
    before = len(str(int(size))) if size >= 1 else 0
    decimals = max(digits - before, 0) if size >= 1 or size == 0 else digits - 1 - int(np.floor(np.log10(size)))
    plain = f"{size:,.{decimals}f}"
    return sign, plain.rstrip("0").rstrip(".") if "." in plain else plain, None


def has_power(number: float) -> bool:
    """Whether a number is written with a power of ten."""
    return bool(np.isfinite(number)) and _parts(float(number), 4)[2] is not None


def _special(number: float) -> str | None:
    return None if np.isfinite(number) else "nan" if np.isnan(number) else "-inf" if number < 0 else "inf"


def short(value: Any, digits: int = 4) -> str:
    """A number to `digits` significant digits; a small array written out, a large one by its shape; "·" for None."""
    if value is None:
        return "·"
    if np.ndim(value):
        return _short_array(np.asarray(value), digits)
    number = float(value)
    if special := _special(number):
        return special.replace("-", MINUS)
    sign, plain, exponent = _parts(number, digits)
    text = sign.replace("-", MINUS) + plain.replace(",", NARROW_SPACE)
    if exponent is None:
        return text
    return f"{text}·10{str(exponent).translate(SUPERSCRIPTS)}"


def _short_array(array: np.ndarray, digits: int) -> str:
    if array.size > FEW or array.ndim > 2:
        return f"({' × '.join(map(str, array.shape))})"
    if array.ndim == 1:
        return f"[{', '.join(short(item, digits) for item in array)}]"
    return f"[{', '.join(_short_array(row, digits) for row in array)}]"


def full(value: Any) -> str:
    """All digits that tell a number from its neighbours in its own dtype; arrays as numpy prints them."""
    if value is None:
        return "·"
    array = np.asarray(value)
    if array.ndim:
        return np.array2string(array, threshold=200, max_line_width=100).replace("-", MINUS)
    text = str(array[()])
    return (text[:-2] if text.endswith(".0") else text).replace("-", MINUS)


def latex_number(value: Any, digits: int = 4) -> str:
    """A number, or a small array as a matrix, in LaTeX; a large array as its shape."""
    if np.ndim(value):
        return _latex_array(np.asarray(value), digits)
    number = float(value)
    if special := _special(number):
        return special.replace("nan", r"\mathrm{nan}").replace("inf", r"\infty")
    sign, plain, exponent = _parts(number, digits)
    text = sign + plain.replace(",", r"\,")
    return text if exponent is None else rf"{text} \cdot 10^{{{exponent}}}"


def _latex_array(array: np.ndarray, digits: int) -> str:
    if not fits(array):
        shape = r" \times ".join(map(str, array.shape))
        return rf"\left({shape}\right)"
    rows = array.reshape(1, -1) if array.ndim == 1 else array
    lines = r" \\ ".join(" & ".join(latex_number(item, digits) for item in row) for row in rows)
    return rf"\begin{{bmatrix}} {lines} \end{{bmatrix}}"


def fits(value: Any) -> bool:
    """Whether a value is small enough to be written out in a formula."""
    shape = np.shape(value)
    return len(shape) <= 2 and np.size(value) <= FEW and (not shape or shape[-1] <= COLUMNS) and np.size(value) > 0


def shape_text(shape: tuple[int, ...]) -> str:
    """A shape in words: "number", "vector of 3", "3 × 2"."""
    if not shape:
        return "number"
    return f"vector of {shape[0]}" if len(shape) == 1 else " × ".join(map(str, shape))
