"""SymPy expressions as formulas: with the names of the graph, and with dots where they are too long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from core.notation.names import latex_element

DOTS = r"\ldots"


def in_latex(expression: Any, symbols: Mapping[str, np.ndarray]) -> str:
    """An expression in LaTeX; `symbols` holds the symbol of each element of each leaf."""
    import sympy

    names = {
        symbol: latex_element(name, index, array.shape)
        for name, array in symbols.items()
        for index, symbol in enumerate(array.ravel())
    }
    text: str = sympy.latex(expression, symbol_names=names, full_prec=False)
    return text


def shortened(expression: Any, most: int) -> Any:
    """The expression with at most `most` operations and leaves; deeper parts become dots, the outermost stay."""
    depth, made = 1, _cut(expression, 1, most)
    while True:
        depth, deeper = depth + 1, _cut(expression, depth + 1, most)
        if deeper == made or _count(deeper) > most:  # all of it is there, but for what long products leave out
            return made
        made = deeper


def _count(expression: Any) -> int:
    return sum(1 for part in _parts(expression) if part.args)


def _parts(expression: Any) -> Any:
    yield expression
    for part in expression.args:
        yield from _parts(part)


def _cut(expression: Any, depth: int, most: int) -> Any:
    """Parts deeper than `depth` as dots, and of a long sum or product the first few."""
    import sympy

    if not expression.args or (depth > 0 and _is_power_of_symbol(expression)):
        return expression
    if depth == 0:
        return sympy.Symbol(DOTS)
    few = max(most // 2, 2)
    args = expression.args
    if len(args) > few + 1 and (expression.is_Add or expression.is_Mul):
        args = (*args[:few], sympy.Symbol(DOTS))
    return expression.func(*(_cut(part, depth - 1, most) for part in args), evaluate=False)


def _is_power_of_symbol(expression: Any) -> bool:
    """x², 1/x and −x are as short as a name."""
    return bool((expression.is_Pow or expression.is_Mul) and all(not part.args for part in expression.args))
