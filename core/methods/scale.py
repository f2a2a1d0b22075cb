"""The size of gradients if nothing cancelled, to which disagreements are compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from cadena.core.methods.answer import output_number, wanted_leaves
from cadena.core.ops.walk import Instruction, pull
from cadena.core.run.program import Run

MAX_ONE_BY_ONE = 64  # elements of a result: so many are carried back one by one


def magnitudes(run: Run) -> dict[str, np.ndarray]:
    """For each wanted leaf the sum over all paths of the product's magnitude, float64, of the leaf's shape.

    The reverse pass on magnitudes: each contribution is made positive before it is added. Rounding errors of a gradient
    are of this size times eps, also where its contributions cancel.
    """
    values, sizes = run.arrays, [None] * len(run.plan.names)  # type: list[Any], list[Any]
    sizes[output_number(run)] = np.abs(run.seed)
    with np.errstate(all="ignore"):
        pull(run.plan.instructions, values, sizes, _carried)
    plan = run.plan
    return {name: _finite(sizes[plan.index[name]], np.asarray(run.gradient(name))) for name in wanted_leaves(run)}


def _carried(step: Instruction, size: Any, y: Any, operands: list[Any]) -> Iterator[tuple[int, Any]]:
    """The share of `size` that each wire carries back: |local derivative| times size, summed over the result."""
    for slot in step.active:
        if step.primitive.elementwise or size.size > MAX_ONE_BY_ONE:  # many: as if they did not cancel each other
            yield slot, np.abs(step.primitive.vjp(slot, size, y, operands, step.attributes))
            continue
        total = np.zeros(operands[slot].shape)
        for index in range(size.size):
            one = np.zeros_like(size)
            one.flat[index] = size.flat[index]
            total = total + np.abs(step.primitive.vjp(slot, one, y, operands, step.attributes))
        yield slot, total.astype(size.dtype)


def _finite(size: Any, gradient: np.ndarray) -> np.ndarray:
    """At least the gradient's own magnitude; 0 where neither is finite."""
    both = [np.nan_to_num(np.abs(np.asarray(item, dtype=np.float64)), nan=0.0, posinf=0.0) for item in (size, gradient)]
    return np.asarray(np.maximum(*both))
