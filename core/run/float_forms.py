"""Elementwise rules as Python functions of floats: a rule is read once and becomes the body of a function.

Each function works on a list of values and places in it. Where IEEE arithmetic gives inf or nan, it may raise
ArithmeticError or ValueError instead. The text of the functions comes from our own operation records, never from a
user's file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from cadena.core.ops import expression
from cadena.core.ops.expression import Symbol
from cadena.core.ops.primitive import Rule, operand_names
from cadena.core.run.table import BoundOperation

FloatStep = Callable[..., None]
CACHE_SIZE = 10_000  # functions
PLACES = "at_y, at_x0, at_x1"  # of the result and the operands; the second operand may be missing


class RuleCode(NamedTuple):
    """A rule as a Python expression of the numbers named in `takes` (y, x0, x1 ...) and of functions, the `helpers`."""

    text: str
    takes: tuple[str, ...]
    helpers: dict[str, Any]


def value_term(kind: BoundOperation) -> RuleCode:
    """The value of an operation, of its operands."""
    return _term(kind, kind.primitive.value, operand_names(kind.primitive), "value")


@lru_cache(CACHE_SIZE)
def partial_term(kind: BoundOperation, slot: int) -> RuleCode:
    """The local derivative of an operation for the operand in `slot`, of its result and its operands."""
    rule = kind.primitive.slots[slot].partial
    assert rule is not None
    return _term(kind, rule, ["y", *operand_names(kind.primitive)], f"partial{slot}")


def constant_partial(kind: BoundOperation, slot: int) -> float | None:
    """The local derivative for `slot` where it is the same number everywhere, else None."""
    term = partial_term(kind, slot)
    return None if term.takes else float(eval(term.text, expression.PYTHON_NAMES | term.helpers))


def _term(kind: BoundOperation, rule: Rule, names: list[str], called: str) -> RuleCode:
    try:
        read = rule(*map(Symbol, names), **kind.attributes)
    except (TypeError, AttributeError, ValueError):  # it takes arrays only
        text = None
    else:
        symbol = read if isinstance(read, Symbol) else Symbol(float(read))
        text = expression.source(symbol)
    if text is None:
        return RuleCode(f"{called}({', '.join(names)})", tuple(names), {called: _by_numpy(rule, kind.attributes)})
    free = _free(symbol)
    return RuleCode(text, tuple(name for name in names if name in free), {})


def _free(symbol: Symbol) -> set[str]:
    if symbol.operands is None:
        return {symbol.content} if isinstance(symbol.content, str) else set()
    return set().union(*map(_free, symbol.operands))


def _by_numpy(rule: Rule, attributes: dict[str, Any]) -> Callable[..., float]:
    def function(*numbers: float) -> float:
        with np.errstate(all="ignore"):
            return float(rule(*map(np.float64, numbers), **attributes))

    return function


@lru_cache(CACHE_SIZE)
def forward_step(kind: BoundOperation) -> FloatStep:
    """A function of (values, PLACES) that computes the value of an operation."""
    term = value_term(kind)
    return _function("values", [*_fetched(term.takes), f"values[at_y] = {term.text}"], term.helpers)


@lru_cache(CACHE_SIZE)
def reverse_step(kind: BoundOperation, slots: tuple[int, ...]) -> FloatStep:
    """A function of (values, gradients, PLACES) that adds to the gradients of the operands in `slots` the upstream
    gradient times the local derivative."""
    terms = [partial_term(kind, slot) for slot in slots]
    names = sorted({name for term in terms for name in term.takes})
    lines = [*_fetched(names), "upstream = gradients[at_y]"]
    for slot, term in zip(slots, terms, strict=True):
        factor = "" if term.text == "1.0" else f" * {term.text}"
        lines.append(
            f"gradients[at_x{slot}] += upstream * local if (local := 1.0{factor}) and upstream else 0.0"
            if kind.primitive.slots[slot].gate
            else f"gradients[at_x{slot}] += upstream{factor}"
        )
    return _function("values, gradients", lines, {name: item for term in terms for name, item in term.helpers.items()})


def _fetched(names: Iterable[str]) -> list[str]:
    return [f"{name} = values[at_{name}]" for name in names]


def _function(arrays: str, lines: list[str], helpers: dict[str, Any]) -> FloatStep:
    names = expression.PYTHON_NAMES | helpers
    exec("\n    ".join([f"def compiled({arrays}, {PLACES}):", *lines]), names)
    function: FloatStep = names["compiled"]
    return function
