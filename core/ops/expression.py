"""Derivative rules as expressions: run a rule on symbols, then print it or turn it into code for Python floats.

A rule such as ``lambda y, x: np.cos(x)`` is written once, in numpy. Called on `Symbol`s instead of arrays it returns
the tree of what it would have computed. From that tree come the local derivative that the user reads (text, LaTeX)
and the fast version for scalar graphs, so neither can drift away from the rule itself.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np

from cadena.core.ops import families
from cadena.core.text import numbers
from cadena.core.text.plain_text import elided

# How tightly a printed form binds; an operand that binds less tightly than its place demands gets parentheses.
ATOM, CALL, POWER, PRODUCT, SUM, COMPARE, CHOICE = 7, 6, 5, 4, 3, 2, 1
EITHER = "either"  # in patterns, the name of a symbol for several ways to write the same thing
MAX_LISTED = 12  # operands that are written one by one
MAX_IN_FORMULA = 24  # letters of a name in LaTeX: setting them takes a third of a millisecond each
NO_LETTERS = re.compile(r"[\\{}$&#%^~]")  # characters with a meaning in LaTeX


class Written(msgspec.Struct, frozen=True):
    """The printed form of a free name and its binding strength: a negative number binds like a sum."""

    text: str
    binding: int = ATOM


class Notation:
    """The notation of an operation: a template per language, its binding strength, and the one each operand needs.

    In a template, {0} is the first operand, {operands} all of them with commas, {name} an attribute.
    """

    __slots__ = ("binding", "bindings", "latex", "python", "text")

    def __init__(
        self, text: str, latex: str, binding: int = CALL, bindings: Sequence[int] = (), python: str | None = None
    ) -> None:
        self.text, self.latex, self.binding, self.python = text, latex, binding, python
        self.bindings = tuple(bindings)

    def write(
        self, operands: Sequence[Written], latex: bool = False, attributes: Mapping[str, Any] | None = None
    ) -> Written:
        """The operation on operands already written, with parentheses around those that bind too loosely."""
        parts = [
            operand.text if operand.binding >= least else _parenthesised(operand.text, latex)
            for operand, least in zip(operands, _min_bindings(self, len(operands), latex), strict=True)
        ]
        template = self.latex if latex else self.text
        if "{operands}" in template:
            return Written(template.format(*parts, **(attributes or {}), operands=listed(parts, latex)), self.binding)
        return Written(template.format(*parts, **(attributes or {})), self.binding)


def called(name: str, operands: int) -> Notation:
    """The notation as a call of a name that stands upright: "fmod(a, b)"."""
    places, upright = ", ".join(f"{{{place}}}" for place in range(operands)), name.replace("_", r"\_")
    return Notation(f"{name}({places})", rf"\mathrm{{{{{upright}}}}}\left({places}\right)", CALL)


@lru_cache(maxsize=numbers.MAX_REMEMBERED)
def _min_bindings(notation: Notation, count: int, latex: bool) -> tuple[int, ...]:
    """The least binding strengths that `count` operands may have without parentheses."""
    least = (notation.bindings + notation.bindings[-1:] * count)[:count] or (0,) * count
    # What stands in an exponent, on a fraction bar or in a list of cases needs no parentheses.
    enclosed = [latex and f"{{{{{{{slot}}}}}}}" in notation.latex for slot in range(count)]
    return tuple(0 if free else binding for binding, free in zip(least, enclosed, strict=True))


def listed(parts: Sequence[str], latex: bool = False) -> str:
    """Operands with commas between them; of many the first ones and the last."""
    few = [*parts[: MAX_LISTED - 1], r"\ldots" if latex else "…", parts[-1]] if len(parts) > MAX_LISTED else parts
    return ", ".join(few)


def upright(word: str) -> str:
    """A word in LaTeX, set upright so that it does not look like a product; of a long one both ends."""
    ends = elided(NO_LETTERS.sub(" ", word), MAX_IN_FORMULA).replace("_", r"\_").replace("…", r"\ldots ")
    return rf"\mathrm{{{ends}}}"


def _parenthesised(text: str, latex: bool) -> str:
    return rf"\left({text}\right)" if latex else f"({text})"


# What rules use besides the operations themselves; each operation's record adds its own notation when it is registered.
NOTATIONS: dict[str, Notation] = {
    "greater": Notation("{0} > {1}", "{0} > {1}", COMPARE, (SUM, SUM), "({0} > {1})"),
    "greater_equal": Notation("{0} ≥ {1}", r"{0} \geq {1}", COMPARE, (SUM, SUM), "({0} >= {1})"),
    "less": Notation("{0} < {1}", "{0} < {1}", COMPARE, (SUM, SUM), "({0} < {1})"),
    "equal": Notation("{0} = {1}", "{0} = {1}", COMPARE, (SUM, SUM), "({0} == {1})"),
    "not_equal": Notation("{0} ≠ {1}", r"{0} \neq {1}", COMPARE, (SUM, SUM), "({0} != {1})"),
    "less_equal": Notation("{0} ≤ {1}", r"{0} \leq {1}", COMPARE, (SUM, SUM), "({0} <= {1})"),
    "isnan": Notation("{0} is nan", r"{0} = \mathrm{{nan}}", COMPARE, (SUM,), "({0} != {0})"),
    "isfinite": Notation("{0} is finite", r"{0} \neq \infty", COMPARE, (SUM,), "isfinite({0})"),
    "bitwise_or": Notation("{0} or {1}", r"{0} \vee {1}", CHOICE, (COMPARE, COMPARE), "({0} or {1})"),
    "bitwise_and": Notation("{0} and {1}", r"{0} \wedge {1}", CHOICE, (COMPARE, COMPARE), "({0} and {1})"),
    "where": Notation(
        "({1} if {0}, else {2})",
        r"\begin{{cases}} {1} & {0} \\ {2} & \text{{otherwise}} \end{{cases}}",
        python="({1} if {0} else {2})",
    ),
}


class Symbol(np.lib.mixins.NDArrayOperatorsMixin):
    """A name, a number, or an operation on other symbols; stands in for an array while a rule is being read."""

    __slots__ = ("content", "operands")

    def __init__(self, content: str | float, operands: tuple[Symbol, ...] | None = None) -> None:
        self.content, self.operands = content, operands

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Symbol:
        if method != "__call__" or options:
            raise TypeError(f"a rule may call np.{ufunc.__name__} plainly, not with {method} or options")
        return apply(ufunc.__name__, *inputs)

    def __array_function__(self, function: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Symbol:
        if kwargs:
            raise TypeError(f"a rule that calls np.{function.__name__} with options needs its own `shown` form")
        return apply(function.__name__, *args)

    def __primitive__(self, primitive: Any, operands: Sequence[Any], attributes: Mapping[str, Any]) -> Symbol:
        if attributes:
            raise TypeError(f"a rule may call {primitive.name} plainly, not with attributes")
        return apply(primitive.name, *operands)

    @property
    def T(self) -> Symbol:
        """The transpose, as on an array."""
        return apply("transpose", self)


# Differences of numbers are computed, so that the exponent of x^(2 - 1) is not printed.
FOLDED: dict[str, Callable[..., float]] = {"add": float.__add__, "subtract": float.__sub__}


def notation_of(name: str) -> Notation | None:
    """How an operation, or something that rules use, is written; its family may have to be imported for it."""
    if name not in NOTATIONS:
        families()
    return NOTATIONS.get(name)


def apply(name: str, *operands: Any) -> Symbol:
    """The symbol for operation `name` on `operands`, with trivial products and powers simplified."""
    nodes = tuple(item if isinstance(item, Symbol) else Symbol(float(item)) for item in operands)
    constants = [node.content if node.operands is None else None for node in nodes]
    if name == "multiply" and 1.0 in constants:
        return nodes[1 - constants.index(1.0)]
    if name == "power" and constants[1] == 1.0:
        return nodes[0]
    if name in FOLDED and all(isinstance(constant, float) for constant in constants):
        return Symbol(FOLDED[name](*constants))
    return Symbol(name, nodes)


def free_names(symbol: Any) -> set[str]:
    """The names that stand in an expression; none in a plain number."""
    if not isinstance(symbol, Symbol):
        return set()
    if symbol.operands is None:
        return {symbol.content} if isinstance(symbol.content, str) else set()
    return set().union(*map(free_names, symbol.operands))


def written_number(value: Any, latex: bool, figures: numbers.Figures = numbers.MARKED) -> Written:
    """A number, or a small array, as it stands in a formula: −3 binds like a sum, 2·10⁵ like a product."""
    write = numbers.latex_number if latex else numbers.short
    text = write(value, figures.digits, figures.marked, figures.signed)
    if text.startswith((numbers.MINUS, "-")):
        return Written(text, SUM)
    return Written(text, PRODUCT if numbers.POWER_IN[latex] in text and not numbers.dimensions(value) else ATOM)


def show(symbol: Symbol, names: Mapping[str, Written], latex: bool = False) -> str:
    """Print `symbol` as plain text or LaTeX; `names` holds the written form of each free name."""
    return written(symbol, names, latex).text


def written(symbol: Symbol, names: Mapping[str, Written], latex: bool = False) -> Written:
    """`symbol` as plain text or LaTeX with how tightly it binds; operands that bind too loosely get parentheses."""
    content = symbol.content
    if symbol.operands is None:
        return written_number(content, latex) if isinstance(content, float) else names.get(content, Written(content))
    operands = [written(operand, names, latex) for operand in symbol.operands]
    notation = notation_of(str(content))
    if notation is None:
        return Written(f"{content}({', '.join(operand.text for operand in operands)})", CALL)
    return notation.write(operands, latex)


def _maximum(a: float, b: float) -> float:
    return a if a > b or a != a else b


def _sign(a: float) -> float:
    return a if a != a else float((a > 0.0) - (a < 0.0))


def _minimum(a: float, b: float) -> float:
    return a if a < b or a != a else b


_FROM_MATH = (
    "exp expm1 log log2 log10 log1p sqrt cbrt pow hypot sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh "
    "atanh fabs fmod radians degrees erf erfc isfinite trunc nan inf"
)
PYTHON_NAMES: dict[str, Any] = {name: getattr(math, name) for name in _FROM_MATH.split()}
PYTHON_NAMES |= {"maximum": _maximum, "minimum": _minimum, "sign": _sign}
PYTHON_NAMES |= {"floor": lambda a: float(math.floor(a)), "ceil": lambda a: float(math.ceil(a))}


def source(symbol: Symbol) -> str | None:
    """The tree as a Python expression of floats, with PYTHON_NAMES; None when it has no such form.

    Where numpy would answer inf or nan with a warning, it may raise ArithmeticError or ValueError instead.
    """
    if symbol.operands is None:
        return repr(symbol.content) if isinstance(symbol.content, float) else symbol.content
    notation = notation_of(str(symbol.content))
    operands = [source(operand) for operand in symbol.operands]
    if notation is None or notation.python is None or None in operands:
        return None
    return notation.python.format(*operands)
