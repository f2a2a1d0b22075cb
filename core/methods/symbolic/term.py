"""An expression that numpy's rules can be run on: an entry of an object array, with its number beside it.

Rules of operations that mix elements (sums, softmax, losses) are plain numpy. On arrays of objects numpy calls the
objects' own operators and methods (`np.exp` calls `exp`), so the rule itself says what the expression is. Where a
rule compares, as for the largest element, the numbers decide: the expression is that of the branch taken there. Where
two numbers that are compared are equal, the expression may change at this very point, and that is noted.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from cadena.core.methods.symbolic.forms import magnitude, number, table


class Term:
    """A SymPy expression and its value at the point; `ties` gets what was compared and found equal."""

    __slots__ = ("expression", "ties", "value")
    shape: tuple[int, ...] = ()
    dtype = np.dtype(object)

    def __init__(self, expression: Any, value: float, ties: list[Any]) -> None:
        self.expression, self.value, self.ties = expression, value, ties

    def __getattr__(self, name: str) -> Callable[..., Term]:
        """numpy's function of this name, as a method: for arrays of objects numpy looks for `exp`, `sqrt` ..."""
        if name not in table() or not isinstance(getattr(np, name, None), np.ufunc):
            raise AttributeError(name)
        return lambda *others: apply(table()[name], getattr(np, name), self, *others)

    def astype(self, dtype: Any) -> Term:
        """Itself: an expression has no number type."""
        return self

    def rint(self) -> Term:
        """The nearest whole number, which does not change around the point."""
        return as_term(float(np.rint(self.value)), self.ties)

    def __int__(self) -> int:
        return int(self.value)

    def conjugate(self) -> Term:
        """Itself, being real; `np.var` asks for it."""
        return self

    def __neg__(self) -> Term:
        return Term(-self.expression, -self.value, self.ties)

    def __abs__(self) -> Term:
        return Term(magnitude(self.expression), abs(self.value), self.ties)

    def __bool__(self) -> bool:
        return bool(self.value)


def apply(symbolic: Callable[..., Any], numeric: Callable[..., Any], *operands: Any) -> Term:
    """Apply a function to terms and plain numbers, in symbols and in numbers."""
    ties = next(operand.ties for operand in operands if isinstance(operand, Term))
    terms = [as_term(operand, ties) for operand in operands]
    value = numeric(*(np.float64(term.value) for term in terms))
    return Term(symbolic(*(term.expression for term in terms)), float(value), ties)


def as_term(entry: Any, ties: list[Any]) -> Term:
    """Convert a plain number to a constant term; a term stays as it is."""
    entry = entry.item() if isinstance(entry, np.ndarray) else entry  # elements that were assigned are arrays of one
    return entry if isinstance(entry, Term) else Term(number(float(entry)), float(entry), ties)


def _operators(name: str) -> None:
    function = getattr(operator, name)

    def forward(self: Term, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else apply(function, function, self, other)

    def backward(self: Term, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else apply(function, function, other, self)

    setattr(Term, f"__{name}__", forward)
    setattr(Term, f"__r{name}__", backward)


def _comparison(name: str) -> None:
    function = getattr(operator, name)

    def compare(self: Term, other: Any) -> bool:
        against = as_term(other, self.ties)
        if np.isnan(self.value) or np.isnan(against.value):
            raise ValueError("nan is neither larger nor smaller than another number")
        if self.value == against.value and self.expression != against.expression:
            self.ties.append(self.expression)
        return bool(function(self.value, against.value))

    setattr(Term, f"__{name}__", compare)


for _name in ("add", "sub", "mul", "truediv", "pow"):
    _operators(_name)
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    _comparison(_name)
