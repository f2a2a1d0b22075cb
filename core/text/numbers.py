"""Numbers for people: four significant digits, a true minus sign, thousands grouped, exponents as powers.

Within one formula the operands get the `Figures` from which the shown result follows; `figures` computes them.

A zero has no sign: that of a computed -0, such as 0 · -2, tells people nothing. It is shown only where a result depends
on it, as that of 1 / -0 does, and where a number is meant to be typed again: `signed`. Files and JSON keep it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import ROUND_DOWN, Decimal, localcontext
from typing import Any, NamedTuple

import numpy as np

MINUS, NARROW_SPACE = "−", "\u202f"
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
SMALLEST_PLAIN, LARGEST_PLAIN = 1e-3, 1e6  # outside these, a power of ten
MAX_WRITTEN_OUT = 24  # elements: arrays up to this size are written out
ROWS, COLUMNS = 6, 8  # of a matrix in a formula
DIGITS = 4  # significant ones, unless a formula needs more
RELIABLE_DIGITS = 15  # digits that every float64 has
MAX_DIGITS, MAX_IN_ARRAY = 17, 6  # of an operand in a formula: all that a float64 has, and what a matrix has room for
MAX_EXACT = 400  # digits before the point of the largest float64, and some
MIN_EPS = 1e-6  # what a coarser number type rounds is seen in four digits
MAX_ON_CARD = 12  # digits that a card has room for
ARRAYS = (np.ndarray, np.generic)
MAX_REMEMBERED = 1 << 14  # numbers whose digits are kept: of a large graph the reverse pass shows the values again
POWER_IN = {False: "·10", True: r"\cdot 10^"}  # stands in a number that is written with a power of ten; in LaTeX
ELLIPSIS = "…"  # after the first digits of a number that has more


class Figures(NamedTuple):
    """Display of the operands of one formula: digits, whether cut numbers are marked, the relation to the result."""

    digits: int = DIGITS
    marked: bool = False
    equals: str = "="
    signed: bool = False  # zeros too, as the result depends on it

    @property
    def follows(self) -> bool:
        """Whether the shown result follows from the shown operands."""
        return not self.marked and self.equals == "="

    def relation(self, latex: bool) -> str:
        """The sign before the result."""
        return r"\approx" if latex and self.equals == "≈" else self.equals


PLAIN, MARKED = Figures(), Figures(marked=True)


def figures(
    compute: Callable[..., Any], operands: Sequence[Any], result: Any, digits: int = DIGITS, least: int = DIGITS
) -> Figures:
    """The fewest digits, `least` or more, with which `result`, shown to `digits`, follows from its shown operands.

    Whoever computes with the numbers that a formula shows must get the result that it shows: close numbers that are
    subtracted need more digits than others. Where no digits are enough, since the number type has rounded the result,
    it is "≈"; matrices have no room for many digits, so their numbers that are cut are marked.
    """
    if not all(map(fits, (*operands, result))):
        return Figures(least)
    enough = _enough(compute, operands, result, digits, least)
    return enough._replace(signed=True) if _depends_on_zero_signs(compute, operands) else enough


def _enough(compute: Callable[..., Any], operands: Sequence[Any], result: Any, digits: int, least: int) -> Figures:
    most = max(least, MAX_IN_ARRAY if any(map(np.ndim, operands)) else MAX_DIGITS)
    for count in range(least, most + 1):
        shown = [rounded(operand, count) for operand in operands]
        if _follows(compute, shown, result, digits):
            return Figures(count)
    if any(_is_cut(number, most) for operand in operands for number in np.ravel(operand)):
        return Figures(least, marked=True)
    return Figures(most, equals="≈")


def _depends_on_zero_signs(compute: Callable[..., Any], operands: Sequence[Any]) -> bool:
    """Whether the result depends on the signs of the operands' zeros, as that of 1 / -0 does."""
    if not any(map(_has_negative_zero, operands)):
        return False
    arrays = [np.asarray(operand) for operand in operands]
    try:
        with np.errstate(all="ignore"):
            one, other = compute(*arrays), compute(*map(unsigned_zeros, arrays))
            return not np.array_equal(one, other, equal_nan=True)
    except (ArithmeticError, ValueError, np.linalg.LinAlgError):
        return False


def _has_negative_zero(value: Any) -> bool:
    if dimensions(value):
        return bool(((np.asarray(value) == 0) & np.signbit(value)).any())
    return not value and math.copysign(1.0, value) < 0.0


def dimensions(value: Any) -> int:
    """`np.ndim`, which takes three times as long for numpy's own."""
    return value.ndim if isinstance(value, ARRAYS) else np.ndim(value)


def _follows(compute: Callable[..., Any], shown: Sequence[np.ndarray], result: Any, digits: int) -> bool:
    """Whether the shown operands give the shown result, to half a unit of its last digit; inf and nan always do."""
    try:
        with np.errstate(all="ignore"):
            computed = np.asarray(compute(*shown), dtype=np.longdouble)
            deviation = np.abs(computed - rounded(result, digits))
            return bool((~np.isfinite(result) | (deviation <= _half_unit(np.asarray(result), digits))).all())
    except (ArithmeticError, ValueError, np.linalg.LinAlgError):  # the operation takes the exact operands alone
        return False


def rounded(value: Any, digits: int = DIGITS) -> np.ndarray:
    """A value rounded to the digits that are shown."""
    array = np.asarray(value)
    numbers = [_as_shown(number, digits) for number in array.ravel()]
    return np.array(numbers, dtype=np.longdouble).reshape(array.shape)


def _as_shown(number: Any, digits: int) -> Any:
    if not np.isfinite(number):
        return number
    sign, plain, exponent = _parts(float(number), digits, signed=True)
    return np.longdouble(f"{sign}{plain.replace(',', '')}e{exponent or 0}")


def _half_unit(array: np.ndarray, digits: int) -> np.ndarray:
    """Half a unit in the last shown place of each number, plus the rounding error of its number type."""
    size = np.abs(array.astype(np.longdouble))
    noise = _noise(array)
    first = np.floor(np.log10(np.where((size > 0) & np.isfinite(size), size, 1.0)))
    whole = (size >= 1) & (size < LARGEST_PLAIN)  # shown with all digits before the point
    last = np.where(whole, np.minimum(first - digits + 1, 0), first - digits + 1)
    return np.asarray(np.where(size > 0, 0.5 * np.power(np.longdouble(10), last) + 4 * noise * size, 0))


def _noise(result: Any) -> float:
    """The rounding error of the number type."""
    return min(float(np.finfo(np.result_type(np.asarray(result).dtype, np.float16)).eps), MIN_EPS)


def _parts(number: float, digits: int, zeros: bool = False, signed: bool = False) -> tuple[str, str, int | None]:
    """Sign, digits and power of ten (None for none) of a finite number; with `zeros` also those at the end."""
    return _sign(number, signed), *_unsigned_parts(abs(number), digits, zeros)


def _sign(number: float, signed: bool) -> str:
    return "-" if number < 0 or (signed and math.copysign(1.0, number) < 0.0) else ""


def _unsigned_parts(size: float, digits: int, zeros: bool) -> tuple[str, int | None]:
    """Digits and power of ten of a number without a sign, so that 0 and -0, which are equal, need not be told apart."""
    if digits > RELIABLE_DIGITS:  # no more than tell a float64 from its neighbours: 1e-5, not 1.0000000000000001e-05
        digits = min(digits, len(f"{float(size)!r}".split("e")[0].replace(".", "").strip("0")) or 1)
    displayed = float(f"{size:.{digits - 1}e}" if size < 1 else f"{size:.0f}")  # 0.00099999 is shown as 0.001
    if size != 0 and not SMALLEST_PLAIN <= displayed < LARGEST_PLAIN:
        mantissa, exponent = f"{size:.{digits - 1}e}".split("e")
        return mantissa if zeros else mantissa.rstrip("0").rstrip("."), int(exponent)
    before = len(str(int(size))) if size >= 1 else 0
    decimals = max(digits - before, 0) if size >= 1 or size == 0 else digits - 1 - math.floor(math.log10(size))
    plain = f"{size:,.{decimals}f}"
    return plain.rstrip("0").rstrip(".") if "." in plain and not zeros else plain, None


def _parts_marked(value: Any, digits: int, marked: bool, signed: bool) -> tuple[str, str, int | None]:
    """Sign, digits and power of ten of a number that may be marked as cut: its first digits, not rounded, and "…"."""
    if not marked or not _is_cut(value, digits):
        return _parts(float(value), digits, signed=signed)
    exact = Decimal(float(value))
    last = exact.adjusted() - digits + 1
    unit = Decimal((0, (1,), min(last, 0) if 1 <= abs(exact) < LARGEST_PLAIN else last))
    with localcontext(prec=MAX_EXACT):
        sign, plain, exponent = _parts(float(exact.quantize(unit, ROUND_DOWN)), digits, zeros=True)
    return sign, plain + ELLIPSIS, exponent


def unsigned_zeros(array: Any) -> np.ndarray:
    """The numbers with 0 for each -0."""
    array = np.asarray(array)
    return np.asarray(array + array.dtype.type(0))


def _special(number: float) -> str | None:
    return None if math.isfinite(number) else "nan" if math.isnan(number) else "-inf" if number < 0 else "inf"


def _is_cut(number: Any, digits: int) -> bool:
    """Whether a finite number has more digits, in its own number type, than are shown."""
    array = np.asarray(number)
    with np.errstate(over="ignore"):  # the largest number may be rounded beyond itself
        return bool(np.isfinite(array)) and bool(array.dtype.type(rounded(array, digits)) != array)


def short(value: Any, digits: int = DIGITS, marked: bool = False, signed: bool = False) -> str:
    """A number to `digits` significant digits; a small array written out, a large one by its shape; "·" for None.

    With `marked`, a number that has more digits ends in "…" after the first ones; with `signed`, a zero has its sign.
    """
    if value is None:
        return "·"
    if dimensions(value):
        return _short_array(np.asarray(value), digits, marked, signed)
    return _short_number(value, digits, marked, signed)


def _short_number(value: Any, digits: int, marked: bool = False, signed: bool = False) -> str:
    if special := _special(float(value)):
        return special.replace("-", MINUS)
    sign, plain, exponent = _parts_marked(value, digits, marked, signed)
    text = sign.replace("-", MINUS) + plain.replace(",", NARROW_SPACE)
    return text if exponent is None else f"{text}·10{str(exponent).translate(SUPERSCRIPTS)}"


def _short_array(array: np.ndarray, digits: int, marked: bool, signed: bool) -> str:
    if array.size > MAX_WRITTEN_OUT or array.ndim > 2:
        return f"({' × '.join(map(str, array.shape))})"
    if array.ndim == 1:
        return f"[{', '.join(short(item, digits, marked, signed) for item in array)}]"
    return f"[{', '.join(_short_array(row, digits, marked, signed) for row in array)}]"


def full(value: Any, signed: bool = False) -> str:
    """A number with all digits that distinguish it from its neighbours in its dtype; arrays as numpy prints them."""
    if value is None:
        return "·"
    array = np.asarray(value) if signed else unsigned_zeros(value)
    if array.ndim:
        return np.array2string(array, threshold=200, max_line_width=100).replace("-", MINUS)
    text = str(array[()])
    return (text[:-2] if text.endswith(".0") else text).replace("-", MINUS)


def latex_number(value: Any, digits: int = DIGITS, marked: bool = False, signed: bool = False) -> str:
    """A number, or a small array as a matrix, in LaTeX; a large array as its shape. The rest is as in `short`."""
    if dimensions(value):
        return _latex_array(np.asarray(value), digits, marked, signed)
    return _latex_number(value, digits, marked, signed)


def _latex_number(value: Any, digits: int, marked: bool = False, signed: bool = False) -> str:
    if special := _special(float(value)):
        return special.replace("nan", r"\mathrm{nan}").replace("inf", r"\infty")
    sign, plain, exponent = _parts_marked(value, digits, marked, signed)
    text = sign + plain.replace(",", r"\,").replace(ELLIPSIS, r"\ldots")
    return text if exponent is None else rf"{text} \cdot 10^{{{exponent}}}"


def _latex_array(array: np.ndarray, digits: int, marked: bool, signed: bool) -> str:
    if not fits(array):
        shape = r" \times ".join(map(str, array.shape))
        return rf"\left({shape}\right)"
    rows = array.reshape(1, -1) if array.ndim == 1 else array
    lines = r" \\ ".join(" & ".join(latex_number(item, digits, marked, signed) for item in row) for row in rows)
    return rf"\begin{{bmatrix}} {lines} \end{{bmatrix}}"


def is_bad(value: Any) -> bool:
    """Whether a number, or one of an array, is inf or nan."""
    return not bool(np.isfinite(value).all())


def fits(value: Any) -> bool:
    """Whether a value is small enough to be written out in a formula."""
    if not dimensions(value):
        return True
    shape = np.shape(value)
    is_low = len(shape) == 1 or (len(shape) == 2 and shape[0] <= ROWS)
    return is_low and 0 < math.prod(shape) <= MAX_WRITTEN_OUT and shape[-1] <= COLUMNS


def number_of(count: int, thing: str) -> str:
    """A number of things: "1 node", "3 nodes"."""
    return f"{count} {thing}{'' if count == 1 else 's'}"


def shape_text(shape: tuple[int, ...]) -> str:
    """A shape in words: "number", "vector of 3", "3 × 2"."""
    if not shape:
        return "number"
    return f"vector of {shape[0]}" if len(shape) == 1 else " × ".join(map(str, shape))


def axes_text(axes: Sequence[int], dimensions: int) -> str:
    """Axes, counted from 0, of an array in words: "rows", "axis 0", "axes 0, 2"; "" for all of them."""
    if len(axes) == dimensions:
        return ""
    if dimensions == 2 and len(axes) == 1:
        return ("rows", "columns")[axes[0]]
    return f"ax{'is' if len(axes) == 1 else 'es'} {', '.join(map(str, axes))}"


def distinguishing_digits(one: Any, other: Any, most: int = MAX_ON_CARD) -> int:
    """The number of digits, up to `most`, that distinguish two numbers or small arrays by their last two; 4 if none do.

    Fewer may do so by a chance of rounding: 0.84147 and 0.84153 differ as 0.841 and 0.842, but not with four digits.
    """
    if not fits(one) or not fits(other):
        return 4
    alike = (digits for digits in range(most, 2, -1) if short(one, digits) == short(other, digits))
    last = next(alike, 2)
    return 4 if last == most else min(max(last + 2, 4), most)
