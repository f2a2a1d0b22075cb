"""SymPy expressions as formulas: with the names of the graph, and with dots where they are too long."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from cadena.core.notation.names import latex_element

DOTS = r"\ldots"
BRANCHES = 3  # operations for which a choice between two counts: it is as long, with its condition
LAYOUT, FUNCTION = re.compile(r"\\(left|right|frac)\b|[{}_^\s]"), re.compile(r"\\[a-zA-Z]+")


def in_latex(expression: Any, symbols: Mapping[str, np.ndarray], in_line: bool = False) -> str:
    """An expression in LaTeX; `symbols` holds the symbol of each element of each leaf.

    Fractions have a bar, or a slash where they are `in_line`: in a single row those with a bar are too small to read.
    """
    names = {
        symbol: latex_element(name, index, array.shape)
        for name, array in symbols.items()
        for index, symbol in enumerate(array.ravel())
    }
    text: str = _printers()[in_line]({"symbol_names": names, "full_prec": False, "fold_frac_powers": True}).doprint(
        expression
    )
    return text


@cache
def _printers() -> tuple[Any, Any]:
    """SymPy's printer, with dots at the end of sums; and one with a slash in place of the bar."""
    from sympy import Expr
    from sympy.printing.latex import LatexPrinter
    from sympy.printing.precedence import PRECEDENCE

    class Stacked(LatexPrinter):  # type: ignore[misc]
        def _as_ordered_terms(self, expression: Expr, order: str | None = None) -> list[Expr]:
            return sorted(super()._as_ordered_terms(expression, order), key=lambda term: bool(term == dots()))

    class InLine(Stacked):
        def _print_Mul(self, expression: Expr) -> str:
            top, bottom = fraction(expression)
            if bottom == 1:
                return str(super()._print_Mul(expression))
            sign, top = ("- ", -top) if top.could_extract_minus_sign() and not top.is_Add else ("", top)
            above = self.parenthesize(top, PRECEDENCE["Mul"], strict=True)
            return f"{sign}{above} / {self.parenthesize(bottom, PRECEDENCE['Pow'], strict=True)}"

        def _print_Pow(self, expression: Expr) -> str:
            is_fraction = expression.exp.is_Rational and expression.exp.is_negative
            return self._print_Mul(expression) if is_fraction else str(super()._print_Pow(expression))

        def _print_Rational(self, expression: Expr) -> str:
            return self._print_Mul(expression) if expression.q != 1 else str(expression.p)

        def _print_Piecewise(self, expression: Expr) -> str:
            *firsts, last = expression.args
            chosen = (rf"{self._print(one.expr)} \text{{ if }} {self._print(one.cond)}" for one in firsts)
            return r" \text{ else } ".join([*chosen, self._print(last.expr)])

    return Stacked, InLine


@cache
def dots() -> Any:
    """The symbol for the rest of an expression; in sums and products it comes last."""
    from sympy import Symbol

    class Dots(Symbol):  # type: ignore[misc]
        @classmethod
        def class_key(cls) -> tuple[int, int, str]:
            return 99, 0, cls.__name__  # SymPy's own end at 10

    return Dots(DOTS)


def fraction(expression: Any) -> tuple[Any, Any]:
    """The numerator and the denominator of a product or power.

    SymPy's own asks of each exponent whether it is negative, which it tries to prove: of nested sigmoids for hours.
    """
    from sympy import Mul, Pow

    above, below = list[Any](), list[Any]()
    for factor in Mul.make_args(expression):
        base, exponent = factor.as_base_exp()
        if factor.is_Rational and not factor.is_Integer:
            above += [] if factor.p == 1 else [factor.p]
            below.append(factor.q)
        elif not factor.is_Number and exponent.is_Number and exponent.is_negative:
            below.append(base if exponent == -1 else Pow(base, -exponent))
        else:
            above.append(factor)
    return Mul(*above, evaluate=False), Mul(*below, evaluate=False)


def glyphs(latex: str) -> int:
    """Estimate the length of a formula when it is set, in letters; a fraction counts as if written in a row."""
    return len(FUNCTION.sub("xyz", LAYOUT.sub("", latex)))


def shortened(expression: Any, most: int) -> Any:
    """The expression with its first `most` operations, the outermost before those within; the rest becomes dots."""
    result, _ = _within(expression, most)
    return result if result.has(dots()) else expression


def _within(expression: Any, room: int) -> tuple[Any, int]:
    """The expression with at most `room` operations, and how many they are."""
    import sympy

    if not expression.args:
        return expression, 0
    if isinstance(expression, sympy.Tuple):  # an expression and when it holds, which is no operation
        parts, spent = _parts(expression.args, room)
        return expression.func(*parts), spent
    own = BRANCHES if isinstance(expression, sympy.Piecewise) else 1
    if room < own:
        return (expression if _is_power_of_symbol(expression) else dots()), 0
    if expression.is_Mul or expression.is_Pow:
        top, bottom = fraction(expression)
        if bottom != 1:
            (above, below), spent = _parts((top, bottom), room - 1)
            below = sympy.Pow(below, -1, evaluate=False)
            factors = () if above == 1 else sympy.Mul.make_args(above)
            return sympy.Mul(*factors, below, evaluate=False) if factors else below, 1 + spent
    if expression.is_Add or expression.is_Mul:
        return _chain(expression, room)
    parts, spent = _parts(expression.args, room - own)
    return expression.func(*parts, evaluate=False), own + spent


def _parts(parts: Sequence[Any], room: int) -> tuple[list[Any], int]:
    """The parts with at most `room` operations together, which the first take first, and how many they are."""
    shown_parts, spent = list[Any](), 0
    for part in parts:
        shown, more = _within(part, room - spent)
        shown_parts.append(shown)
        spent += more
    return shown_parts, spent


def _chain(expression: Any, room: int) -> tuple[Any, int]:
    """A sum or product: its first parts, then dots for all others."""
    every = expression.as_ordered_terms() if expression.is_Add else expression.args
    free = 3 if every[0] == -1 else 2  # so many parts make one operation, each further one another; a sign is none
    parts, spent = list[Any](), 1
    for place, part in enumerate(every, start=1):
        spent += place > free
        is_last_name = place == len(every) and not part.args  # which is as short as dots
        shown, more = _within(part, room - spent) if spent <= room or is_last_name else (dots(), 0)
        spent += more
        is_dots = expression.is_Mul and shown.as_base_exp()[0] == dots()  # a power of them tells no more
        parts.append(dots() if is_dots else shown)
        if parts[-1] == dots():
            break
    return expression.func(*parts, evaluate=False), spent


def _is_power_of_symbol(expression: Any) -> bool:
    """Whether an expression is as short as a name: x², 1/x, −x."""
    return bool((expression.is_Pow or expression.is_Mul) and all(not part.args for part in expression.args))
