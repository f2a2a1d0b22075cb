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
    operation, or None where the two forms are not equal; `inner` those of the operations within it, by operation in
    the order in which they are read. Two forms that are `nearly` equal differ by a small number, which only keeps the
    first one from going bad.
    """

    title: str
    advantage: str
    pattern: Callable[..., Any]
    term: Callable[..., Any] | None = None
    attributes: Callable[[Occurrence], dict[str, Any] | None] = lambda match: {}
    inner: Callable[[Occurrence], Mapping[str, Sequence[dict[str, Any]]]] = lambda match: {}
    nearly: bool = False


def either(*forms: Any) -> Any:
    """In a pattern: several ways to write the same thing."""
    return Symbol(EITHER, forms)


def squared(x: Any) -> Any:
    """In a pattern: the square, in the three ways to write it."""
    return either(np.square(x), x * x, x**2.0)


def not_zero(x: Any) -> Any:
    """In a term: x, but 1 where it is 0, so that a quotient of it is harmless there."""
    return np.where(x, x, 1.0)


SMALL = 1e-2  # up to which what is added to a probability is taken for a guard against log(0)


def of_small(*letters: str) -> Callable[[Occurrence], dict[str, Any] | None]:
    """No attributes, and only where these letters stand for small positive numbers."""

    def attributes(match: Occurrence) -> dict[str, Any] | None:
        numbers = [match.fixed.get(letter) for letter in letters]
        small = (number is not None and np.all((number > 0.0) & (number <= SMALL)) for number in numbers)
        return {} if all(small) else None

    return attributes


def of_wide_clip(match: Occurrence) -> dict[str, Any] | None:
    """No attributes, and only where a clip keeps a probability just away from 0 and 1."""
    low, high = (match.of("clip").get(end) for end in ("min", "max"))
    return {} if (low is None or low <= SMALL) and (high is None or high >= 1.0 - SMALL) else None


def of(op: str) -> Callable[[Occurrence], dict[str, Any] | None]:
    """The safer form has the attributes of the `op` in the pattern."""
    return lambda match: match.of(op)
