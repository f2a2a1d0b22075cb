"""How expressions grow where the graph does not, node by node."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cadena.core.methods.symbolic.expressions import Expressions
from cadena.core.run.program import Run


class NodeSizes(NamedTuple):
    """How many operations a node takes in the graph, in its expression, and in the derivative of that expression."""

    node: str
    graph: int
    expression: int
    derivative: int


def growth(run: Run, leaf: str, index: int = 0) -> list[NodeSizes]:
    """For each single number from the leaf to the output: the sizes of graph, expression and derivative.

    Expressions repeat what the graph shares, so they grow faster. Raises NoForm where symbols cannot go on.
    """
    expressions, plan = Expressions(run), run.plan
    symbol, sizes = expressions.symbols[leaf].flat[index], []
    for item in plan.instructions:
        expression = expressions.of[item.out]
        if expression is not None and not np.shape(expression) and symbol in expression.item().free_symbols:
            one = expression.item()
            slope = expressions.slope_of(plan.names[item.out], one, symbol)
            sizes.append(
                NodeSizes(
                    plan.names[item.out],
                    expressions.graph_size(item.out),
                    expressions.size(one)[0],
                    expressions.size(slope)[0],
                )
            )
    return sizes
