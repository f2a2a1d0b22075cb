"""Formulas that lose digits or overflow, and equal ones that do not: what the doctor of numbers offers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from cadena.core.ops.expression import EITHER, Symbol

LOST = "no nearly equal numbers are subtracted, which would lose their digits"
NO_OVERFLOW = "it never overflows"
FINITE_EXP = "exp(−x) is small where exp(x) overflows"
LARGEST_FIRST = "it takes the largest one out first"
INVERSE = "neither of the two is computed, which are each other's inverse"


class Occurrence(NamedTuple):
    """An occurrence of a pattern in a graph: the facts on which it depends whether its safer form is equal."""

    shapes: Mapping[str, tuple[int, ...]]  # of the nodes that its letters stand for
    attributes: Mapping[str, Sequence[dict[str, Any]]]  # by operation, the outermost first
    fixed: Mapping[str, np.ndarray]  # the values of those letters that are leaves without a gradient

    def of(self, op: str) -> dict[str, Any]:
        """The attributes of the outermost `op`."""
        return self.attributes[op][0]


class SaferForm(NamedTuple):
    """`pattern` is better written as `term`: both are numpy code of letters, each of which stands for any node.

    Without a `term` it is the record's own operation on the letters. `attributes` gives those of the term's outermost
    operation, or None where the two forms are not equal.
    """

    title: str
    advantage: str
    pattern: Callable[..., Any]
    term: Callable[..., Any] | None = None
    attributes: Callable[[Occurrence], dict[str, Any] | None] = lambda match: {}


def either(*forms: Any) -> Any:
    """In a pattern: several ways to write the same thing."""
    return Symbol(EITHER, forms)


def squared(x: Any) -> Any:
    """In a pattern: the square, in the three ways to write it."""
    return either(np.square(x), x * x, x**2.0)


def of(op: str) -> Callable[[Occurrence], dict[str, Any] | None]:
    """The safer form has the attributes of the `op` in the pattern."""
    return lambda match: match.of(op)
