"""Forward and reverse pass over Python floats: for graphs of float64 numbers, several times faster than numpy calls.

Where IEEE arithmetic gives inf or nan, Python raises instead; the caller then takes the pass over arrays, which
gives the same numbers otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from core.plan import Plan
from core.primitive import float_partial, float_value


class FloatPlan(NamedTuple):
    """Operations as (function, result, left, right) and wires as (result, operand, partial, left, right).

    A missing right operand is -1; a partial that is always 1 is None.
    """

    operations: list[tuple[Callable[..., float], int, int, int]]
    wires: list[tuple[int, int, Callable[..., float] | None, int, int]]


def make_float_plan(plan: Plan) -> FloatPlan | None:
    """The plan for Python floats; None when a node is not a single number or an operation has no such form."""
    operations, wires = [], []
    if any(plan.shapes[leaf] != () for leaf in plan.leaves):
        return None
    for out, primitive, operands, _, wanted in plan.instructions:
        function = float_value(primitive.name)
        if function is None or len(operands) > 2:
            return None
        left, right = operands[0], operands[1] if len(operands) == 2 else -1
        operations.append((function, out, left, right))
        for slot in reversed(wanted):
            partial = float_partial(primitive.name, slot)
            if partial is None:
                return None
            wires.append((out, operands[slot], None if _always_one(primitive.name, slot) else partial, left, right))
    wires.reverse()
    return FloatPlan(operations, wires)


def _always_one(op: str, slot: int) -> bool:
    return (op, slot) in (("add", 0), ("add", 1), ("subtract", 0))


def forward(plan: FloatPlan, values: list[float]) -> None:
    """Fill in the value of every operation. Raises ArithmeticError or ValueError where numpy would give inf or nan."""
    for function, out, left, right in plan.operations:
        values[out] = function(values[left]) if right < 0 else function(values[left], values[right])


def reverse(plan: FloatPlan, values: list[float], output: int, seed: float) -> list[float]:
    """The gradient of the output for every node; nodes that are not reached keep -0.0. Raises as `forward` does.

    Sums start at -0.0, the one number that leaves every summand as it is, so that a gradient of -0.0 stays -0.0.
    """
    gradients = [-0.0] * len(values)
    gradients[output] = seed
    for out, operand, partial, left, right in plan.wires:
        if partial is None:
            gradients[operand] += gradients[out]
        elif right < 0:
            gradients[operand] += gradients[out] * partial(values[out], values[left])
        else:
            gradients[operand] += gradients[out] * partial(values[out], values[left], values[right])
    return gradients
