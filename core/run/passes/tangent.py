"""Forward mode: value and derivative carried together through the graph, one direction at a time (dual numbers).

`cadena.core.run.passes.vectors` carries several directions at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cadena.core.graph.fault import Refused
from cadena.core.run.plan import Plan
from cadena.core.run.program import Run


def tangents(run: Run, directions: Mapping[str, Any]) -> list[Any]:
    """The tangent of each node by its number when the leaves move along `directions`; None where nothing moves.

    A direction has its leaf's shape (or broadcasts to it); leaves without one stay where they are. Tangents have the
    shape of their node and the dtype of the run. Raises Refused for a name that is no leaf or another shape.
    """
    moved: list[Any] = [None] * len(run.plan.names)
    for name, direction in directions.items():
        leaf = leaf_of(run, name)
        moved[leaf] = direction_of(run, leaf, direction)
    push(run.plan, run.arrays, moved)
    return moved


def push(plan: Plan, values: list[Any], moved: list[Any]) -> None:
    """Fill in the tangent of every operation; `moved` holds those of the leaves, None for zero.

    The tangent of a result is the sum of the contributions of its operands' tangents: the chain rule, read forward.
    """
    with np.errstate(all="ignore"):
        for out, primitive, operands, attributes, _ in plan.instructions:
            tangents = {
                slot: moved[operand]
                for slot, operand in enumerate(operands)
                if moved[operand] is not None and primitive.slot(slot).differentiable
            }
            if tangents:
                moved[out] = primitive.jvps(
                    tangents, values[out], [values[operand] for operand in operands], attributes
                )


def leaf_of(run: Run, name: str) -> int:
    number = run.plan.index.get(name)
    if number is None or number not in run.plan.leaves:
        raise Refused("{name} is not a leaf with a value", "give directions for parameters and inputs", name=name)
    return number


def direction_of(run: Run, leaf: int, direction: Any) -> Any:
    shape = run.plan.shapes[leaf]
    try:
        return np.broadcast_to(np.asarray(direction, dtype=run.dtype), shape or ())
    except (TypeError, ValueError):
        raise Refused(
            "the direction of {node} has shape {direction_shape}",
            "give one of its shape {shape}",
            node=run.plan.names[leaf],
            direction_shape=np.shape(direction),
            shape=shape,
        ) from None
