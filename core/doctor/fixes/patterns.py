"""Formulas in a document: a pattern is a nested tuple of operations, numbers and letters for any node.

("divide", 1.0, ("exp", "x")) finds 1 / exp(x), and is what `pattern_of` reads from lambda x: 1.0 / np.exp(x). A number
stands for a constant of that value, a letter for the same node wherever it occurs. Operands of operations that commute
are tried in both orders.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from cadena.core.functions.calls import operation
from cadena.core.graph.document import Document, Node, as_array
from cadena.core.ops.expression import EITHER, Symbol
from cadena.core.ops.traits import Trait

Pattern = Any  # a letter, a number, a tuple (operation, *patterns) or an Either
LEVELS = 8  # how far above a bad number the outermost operation of a formula is searched


class Either(NamedTuple):
    """Several forms of the same formula."""

    forms: tuple[Pattern, ...]


class Match(NamedTuple):
    """An occurrence of a pattern: the node of each letter, the nodes of its operations and constants (the root first),
    and the attributes of its operations, by operation, the outermost first."""

    letters: dict[str, str]
    nodes: tuple[str, ...]
    attributes: dict[str, tuple[dict[str, Any], ...]]

    def covers(self, name: str) -> bool:
        return name in self.nodes or name in self.letters.values()


def letters_of(rule: Callable[..., Any]) -> tuple[str, ...]:
    """The letters of numpy code: the names of its parameters."""
    return tuple(inspect.signature(rule).parameters)


@cache
def pattern_of(rule: Callable[..., Any]) -> Pattern:
    """Read numpy code of letters as a pattern, or as a term."""
    return _tree(rule(*map(Symbol, letters_of(rule))))


def _tree(symbol: Symbol) -> Pattern:
    if symbol.operands is None:
        return symbol.content
    operands = tuple(map(_tree, symbol.operands))
    return Either(operands) if symbol.content == EITHER else (symbol.content, *operands)


def above(document: Document, name: str) -> list[str]:
    """The node and its consumers, a few levels up, nearest first."""
    reached, level = {name: None}, [name]
    for _ in range(LEVELS):
        level = [consumer for one in level for consumer, _ in document.consumers[one] if consumer not in reached]
        reached |= dict.fromkeys(level)
    return list(reached)


def matches(document: Document, root: str, pattern: Pattern) -> Iterator[Match]:
    """The occurrences of `pattern` in the document with its outermost operation at node `root`."""
    yield from _match(document, root, pattern, Match({}, (), {}))


def _match(document: Document, name: str | None, pattern: Pattern, match: Match) -> Iterator[Match]:
    node = document.nodes.get(name) if name is not None else None
    if node is None:
        return
    if isinstance(pattern, Either):
        for form in pattern.forms:
            yield from _match(document, name, form, match)
    elif isinstance(pattern, str):
        if match.letters.get(pattern, node.name) == node.name:
            yield match._replace(letters={**match.letters, pattern: node.name})
    elif isinstance(pattern, float):
        if _is_constant(node, pattern):
            yield match._replace(nodes=(*match.nodes, node.name))
    elif node.op == pattern[0]:
        attributes = {**match.attributes, node.op: (*match.attributes.get(node.op, ()), dict(node.attributes))}
        inside = Match(match.letters, (*match.nodes, node.name), attributes)
        for operands in _orders(document, node):
            if len(operands) == len(pattern) - 1:
                yield from _match_all(document, operands, pattern[1:], inside)


def _match_all(
    document: Document, names: Sequence[str | None], patterns: Sequence[Pattern], match: Match
) -> Iterator[Match]:
    if not patterns:
        yield match
        return
    for first in _match(document, names[0], patterns[0], match):
        yield from _match_all(document, names[1:], patterns[1:], first)


def _orders(document: Document, node: Node) -> Iterator[tuple[str | None, ...]]:
    yield node.inputs
    primitive = operation(document, node.op)
    commutes = primitive is not None and Trait.COMMUTES in primitive.traits
    if commutes and len(node.inputs) == 2 and node.inputs[0] != node.inputs[1]:
        yield node.inputs[::-1]


def _is_constant(node: Node, number: float) -> bool:
    if node.op != "constant" or node.value is None:
        return False
    return bool(np.all(as_array(node.value) == number)) and np.size(as_array(node.value)) > 0
