"""Derivative rules of nodes, printed in the names of these nodes and their operands."""

from __future__ import annotations

from functools import lru_cache
from types import FunctionType
from typing import Any

from cadena.core.graph.document import Document
from cadena.core.notation.calls import constant_number, shown_latex
from cadena.core.notation.in_script import shown_name
from cadena.core.ops.expression import CALL, Symbol, Written, written
from cadena.core.text.numbers import MAX_REMEMBERED

UPSTREAM = 0xF0000  # the first of the letters for private use, which stand for names in a template


def written_rule(document: Document, node: str, rule: Any, latex: bool, upstream: str | None = None) -> Written:
    """A rule with the names of `node` and its operands; `upstream` is how its first parameter is written."""
    shown = shown_latex if latex else shown_name
    names = {UPSTREAM: upstream} if upstream else {}
    free: list[str | float] = [*map(chr, names)]
    for letter, name in enumerate((node, *map(str, document.nodes[node].inputs)), UPSTREAM + 1):
        value = constant_number(document, name)
        free.append(chr(letter) if value is None else value)
        names[letter] = shown(document, name)
    template = _template if isinstance(rule, FunctionType) else _template.__wrapped__  # others are made for one call
    printed = template(rule, tuple(free), latex)
    return Written(printed.text.translate(names), printed.binding)


@lru_cache(maxsize=MAX_REMEMBERED)
def _template(rule: Any, free: tuple[str | float, ...], latex: bool) -> Written:
    """A rule printed with a letter in place of each name: as names bind alike, once does for all nodes."""
    symbol = rule(*map(Symbol, free))
    upstream = {chr(UPSTREAM): Written(chr(UPSTREAM), CALL)}
    return written(symbol if isinstance(symbol, Symbol) else Symbol(float(symbol)), upstream, latex)
