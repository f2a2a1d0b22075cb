"""Derivative rules as expressions: run a rule on symbols, then print it or turn it into code for Python floats.

A rule such as ``lambda y, x: np.cos(x)`` is written once, in numpy. Called on `Symbol`s instead of arrays it returns the
tree of what it would have computed. From that tree come the local derivative that the user reads (text and LaTeX) and
the fast version for scalar graphs, so neither can drift away from the rule itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

# How tightly a printed form binds; an operand that binds less tightly than its place demands gets parentheses.
ATOM, CALL, POWER, PRODUCT, SUM, COMPARE, CHOICE = 7, 6, 5, 4, 3, 2, 1


class Notation:
    """How an operation is written: a format template per language, its binding strength, and what each operand needs."""

    __slots__ = ("binding", "latex", "python", "text", "wants")

    def __init__(
        self, text: str, latex: str, binding: int = CALL, wants: Sequence[int] = (), python: str | None = None
    ) -> None:
        self.text, self.latex, self.binding, self.python = text, latex, binding, python
        self.wants = tuple(wants)

    def wanted(self, slot: int) -> int:
        """The least binding strength that the operand in `slot` may have without parentheses."""
        return self.wants[min(slot, len(self.wants) - 1)] if self.wants else 0


# What rules use besides the operations themselves; each operation's record adds its own notation when it is registered.
NOTATIONS: dict[str, Notation] = {
    "sign": Notation("sign({0})", r"\mathrm{{sign}}\left({0}\right)", python="sign({0})"),
    "greater": Notation("{0} > {1}", "{0} > {1}", COMPARE, (SUM, SUM), "({0} > {1})"),
    "greater_equal": Notation("{0} ≥ {1}", r"{0} \geq {1}", COMPARE, (SUM, SUM), "({0} >= {1})"),
    "less": Notation("{0} < {1}", "{0} < {1}", COMPARE, (SUM, SUM), "({0} < {1})"),
    "equal": Notation("{0} = {1}", "{0} = {1}", COMPARE, (SUM, SUM), "({0} == {1})"),
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

    @property
    def T(self) -> Symbol:  # noqa: N802  (numpy's own name)
        """The transpose, as on an array."""
        return apply("transpose", self)


def apply(name: str, *operands: Any) -> Symbol:
    """The symbol for operation `name` on `operands`, with the trivial products and powers already worked out."""
    nodes = tuple(item if isinstance(item, Symbol) else Symbol(float(item)) for item in operands)
    constants = [node.content if node.operands is None else None for node in nodes]
    if name == "multiply" and 1.0 in constants:
        return nodes[1 - constants.index(1.0)]
    if name == "power" and constants[1] == 1.0:
        return nodes[0]
    return Symbol(name, nodes)


def _number(value: float, text: bool) -> str:
    short = f"{value:g}"
    return short.replace("-", "−") if text else short


def _binding(symbol: Symbol) -> int:
    if symbol.operands is None:
        return SUM if isinstance(symbol.content, float) and symbol.content < 0 else ATOM
    notation = NOTATIONS.get(str(symbol.content))
    return notation.binding if notation else CALL


def show(symbol: Symbol, names: dict[str, str], latex: bool = False) -> str:
    """`symbol` as plain text or LaTeX; `names` says how each free name is written. A name with spaces counts as a sum."""
    if symbol.operands is None:
        if isinstance(symbol.content, float):
            return _number(symbol.content, not latex)
        return names.get(symbol.content, symbol.content)
    notation = NOTATIONS.get(str(symbol.content))
    shown = [show(operand, names, latex) for operand in symbol.operands]
    if notation is None:
        return f"{symbol.content}({', '.join(shown)})"
    for slot, operand in enumerate(symbol.operands):
        # A fraction bar and a root need no parentheses around what they hold.
        bare = latex and symbol.content in ("divide", "where") or (symbol.content == "power" and latex and slot == 1)
        if not bare and _strength(operand, names) < notation.wanted(slot):
            shown[slot] = rf"\left({shown[slot]}\right)" if latex else f"({shown[slot]})"
    return (notation.latex if latex else notation.text).format(*shown)


def _strength(symbol: Symbol, names: dict[str, str]) -> int:
    """A free name may stand for a negative number or a product once numbers are put in; then it binds like a sum."""
    if symbol.operands is None and isinstance(symbol.content, str):
        written = names.get(symbol.content, symbol.content)
        return SUM if " " in written or written.startswith(("-", "−")) else ATOM
    return _binding(symbol)


def _maximum(a: float, b: float) -> float:
    return a if a > b or a != a else b


def _sign(a: float) -> float:
    return a if a != a else float((a > 0.0) - (a < 0.0))


PYTHON_NAMES: dict[str, Any] = {name: getattr(math, name) for name in "exp log sqrt sin cos tanh fabs pow nan inf".split()}
PYTHON_NAMES |= {"maximum": _maximum, "sign": _sign}


def _python_source(symbol: Symbol) -> str | None:
    if symbol.operands is None:
        return repr(symbol.content) if isinstance(symbol.content, float) else symbol.content
    notation = NOTATIONS.get(str(symbol.content))
    operands = [_python_source(operand) for operand in symbol.operands]
    if notation is None or notation.python is None or None in operands:
        return None
    return notation.python.format(*operands)


def on_floats(rule: Callable[..., Any], parameters: Sequence[str]) -> Callable[..., float] | None:
    """`rule` for Python floats, several times faster than numpy on single numbers; None when it has no such form.

    Where numpy would answer inf or nan with a warning, the result may raise ArithmeticError or ValueError instead: the
    caller then runs the numpy form. The source comes from our own operation records, never from a user's file.
    """
    try:
        symbol = rule(*(Symbol(name) for name in parameters))
    except (TypeError, AttributeError, ValueError):
        return None
    source = _python_source(symbol if isinstance(symbol, Symbol) else Symbol(float(symbol)))
    if source is None:
        return None
    return eval(f"lambda {', '.join(parameters)}: {source}", dict(PYTHON_NAMES))  # type: ignore[no-any-return]
