"""The number of operations in a SymPy expression as it is written: those that a reader of the formula counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Size(NamedTuple):
    """The number of operations, and the depth of their nesting."""

    operations: int
    depth: int


class Counter:
    """Counts from the parts, each once: written out, an expression may be exponentially longer than it is in memory.

    a − b is one operation, −a too; 2 · a / b are two; a power is one, and a fraction is one whatever is in it.
    """

    def __init__(self) -> None:
        self._known: dict[Any, Size] = {}

    def size(self, expression: Any) -> Size:
        """The size of an expression."""
        if expression not in self._known:
            self._known[expression] = self._count(expression)
        return self._known[expression]

    def _count(self, expression: Any) -> Size:
        parts = expression.args
        if not parts:
            return Size(0, 0)
        depth = max(self.size(part).depth for part in parts) + 1
        if expression.is_Mul or _is_below(expression):
            return Size(self._product(parts if expression.is_Mul else [expression]), depth)
        own = len(parts) - 1 if expression.is_Add else max(len(parts) - 1, 1)
        if expression.is_Add:  # the sign of a term is its difference from the one before; of the first there is none
            own -= min(sum(_is_negated(term) for term in parts), own)
        return Size(own + sum(self.size(part).operations for part in parts), depth)

    def _product(self, factors: Sequence[Any]) -> int:
        """The operations of a product, of which some factors stand below the bar of a fraction."""
        above, below, signs = list[Any](), list[Any](), 0
        for factor in factors:
            if factor.is_Rational:  # the sign of -2 belongs to the number
                signs += factor.p == -1
                above += [factor] * (abs(factor.p) != 1)
                below += [factor] * (factor.q != 1)
            elif _is_below(factor):
                below.append(factor.base**-factor.exp)
            else:
                above.append(factor)
        own = signs + max(len(above) - 1, 0) + max(len(below) - 1, 0) + bool(below)
        return own + sum(self.size(part).operations for part in (*above, *below))


def _is_below(expression: Any) -> bool:
    """Whether an expression is one over a power."""
    return bool(expression.is_Pow and expression.exp.is_number and expression.exp.is_negative)


def _is_negated(term: Any) -> bool:
    return bool(term.is_Mul and any(factor == -1 for factor in term.args))
