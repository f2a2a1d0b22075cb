"""Elementwise rules written out in loops over Python floats: a rule is read once and becomes the body of a function.

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
from cadena.core.run.table import MAX_OPERANDS, BoundOperation

FloatLoop = Callable[..., None]
CACHE_SIZE = 10_000  # functions


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
    symbol = _read(rule, names, kind.attributes)
    text = expression.source(symbol) if symbol else None
    if symbol is None or text is None:
        return RuleCode(f"{called}({', '.join(names)})", tuple(names), {called: _by_numpy(rule, kind.attributes)})
    free = _free(symbol)
    return RuleCode(text, tuple(name for name in names if name in free), {})


def _read(rule: Rule, names: list[str], attributes: dict[str, Any]) -> Symbol | None:
    """The rule as a tree; None for a rule that takes arrays only."""
    try:
        read = rule(*map(Symbol, names), **attributes)
        return read if isinstance(read, Symbol) else Symbol(float(read))
    except (TypeError, AttributeError, ValueError):
        return None


def _free(symbol: Symbol) -> set[str]:
    if symbol.operands is None:
        return {symbol.content} if isinstance(symbol.content, str) else set()
    return set().union(*map(_free, symbol.operands))


def _by_numpy(rule: Rule, attributes: dict[str, Any]) -> Callable[..., float]:
    def function(*numbers: float) -> float:
        with np.errstate(all="ignore"):
            return float(rule(*map(np.float64, numbers), **attributes))

    return function


# --- functions of places


@lru_cache(CACHE_SIZE)
def forward_loop(kind: BoundOperation) -> FloatLoop:
    """A function of (values, places of the results, of the first operands, ...) that computes one after the other."""
    return _function("values", _forward_lines(kind), value_term(kind).helpers, _places(kind), loop=True)


@lru_cache(CACHE_SIZE)
def forward_step(kind: BoundOperation) -> FloatLoop:
    """A function of (values, place of the result, of the operands): always two, though the second may be missing."""
    return _function("values", _forward_lines(kind), value_term(kind).helpers, _places(kind, MAX_OPERANDS), loop=False)


@lru_cache(CACHE_SIZE)
def reverse_loop(kind: BoundOperation, slots: tuple[int, ...]) -> FloatLoop:
    """A function of (values, gradients, places of the results, ...): each adds to the gradients of its operands in the
    slots `active` its upstream gradient times the local derivative, one node after the other."""
    return _function("values, gradients", *_reverse_lines(kind, slots), loop=True, places=_places(kind))


@lru_cache(CACHE_SIZE)
def reverse_step(kind: BoundOperation, slots: tuple[int, ...]) -> FloatLoop:
    """The same for one node: a function of (values, gradients, place of the result, of the operands)."""
    return _function("values, gradients", *_reverse_lines(kind, slots), loop=False, places=_places(kind, MAX_OPERANDS))


@lru_cache(CACHE_SIZE)
def tangent_loop(kind: BoundOperation, moving: tuple[int, ...]) -> FloatLoop:
    """A function of (values, tangents, places of the results, ...): each tangent of a result is the sum of the local
    derivatives times the tangents of its operands in the slots `moving`."""
    return _function("values, tangents", *_tangent_lines(kind, moving), loop=True, places=_places(kind))


@lru_cache(CACHE_SIZE)
def tangent_step(kind: BoundOperation, moving: tuple[int, ...]) -> FloatLoop:
    """The same for one node: a function of (values, tangents, place of the result, of the operands)."""
    places = _places(kind, MAX_OPERANDS)
    return _function("values, tangents", *_tangent_lines(kind, moving), loop=False, places=places)


def _forward_lines(kind: BoundOperation) -> list[str]:
    term = value_term(kind)
    return [*_fetched(term.takes), f"values[at_y] = {term.text}"]


def _reverse_lines(kind: BoundOperation, slots: tuple[int, ...]) -> tuple[list[str], dict[str, Any]]:
    fetched, factors, helpers = _factors(kind, slots)
    gates = [kind.primitive.slots[slot].gate for slot in slots]
    lines = [
        f"gradients[at_x{slot}] += upstream * local if (local := 1.0{factor}) and upstream else 0.0"
        if gate
        else f"gradients[at_x{slot}] += upstream{factor}"
        for slot, factor, gate in zip(slots, factors, gates, strict=True)
    ]
    return [*fetched, "upstream = gradients[at_y]", *lines], helpers


def _tangent_lines(kind: BoundOperation, moving: tuple[int, ...]) -> tuple[list[str], dict[str, Any]]:
    fetched, factors, helpers = _factors(kind, moving)
    parts = [f"tangents[at_x{slot}]{factor}" for slot, factor in zip(moving, factors, strict=True)]
    return [*fetched, f"tangents[at_y] = {' + '.join(parts) or 0.0}"], helpers


def _factors(kind: BoundOperation, slots: tuple[int, ...]) -> tuple[list[str], list[str], dict[str, Any]]:
    """The local derivatives for these slots: lines that fetch their operands, the factors, and the helpers in these."""
    terms = [partial_term(kind, slot) for slot in slots]
    names = sorted({name for term in terms for name in term.takes})
    factors = ["" if term.text == "1.0" else f" * {term.text}" for term in terms]
    return _fetched(names), factors, {name: item for term in terms for name, item in term.helpers.items()}


def _fetched(names: Iterable[str]) -> list[str]:
    return [f"{name} = values[at_{name}]" for name in names]


def _places(kind: BoundOperation, least: int = 0) -> list[str]:
    count = max(least, len(kind.primitive.slots))
    return ["at_y", *(f"at_x{slot}" for slot in range(count))]


def _function(arrays: str, lines: list[str], helpers: dict[str, Any], places: list[str], loop: bool) -> FloatLoop:
    """The function with `lines` as its body, or as the body of a loop over columns of places."""
    if loop:
        columns = ", ".join(f"all_{place}" for place in places)
        head = f"def compiled({arrays}, {columns}):\n    for {', '.join(places)} in zip({columns}):"
    else:
        head = f"def compiled({arrays}, {', '.join(places)}):"
    names = expression.PYTHON_NAMES | helpers
    exec(head + "".join(f"\n        {line}" for line in lines), names)
    function: FloatLoop = names["compiled"]
    return function
