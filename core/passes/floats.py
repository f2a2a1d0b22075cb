"""Forward and reverse pass over Python floats: on single numbers several times faster than numpy calls.

Where IEEE arithmetic gives inf or nan, Python raises instead; the caller then takes a pass with numpy, which gives the
same numbers otherwise.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from core.plan import Instruction
from core.primitive import Primitive, float_partial, float_value, simple_partial

Function = Callable[..., float]


class FloatPlan(NamedTuple):
    """Operations as (function, result, left, right) and wires as (result, operand, partial, left, right).

    A missing right operand is -1. Where the partial is None, it is 1 if `left` is -1, else the value number `left`:
    sums and products need no call. Wires are in the order of the reverse pass.
    """

    operations: list[tuple[Function, int, int, int]]
    wires: list[tuple[int, int, Function | None, int, int]]


def has_form(primitive: Primitive) -> bool:
    """Whether an operation can run on Python floats."""
    slots = range(len(primitive.slots))
    return (
        len(slots) <= 2 and bool(float_value(primitive.name)) and all(float_partial(primitive.name, i) for i in slots)
    )


def make_plan(items: Iterable[Instruction], number: Callable[[int], int] = int) -> FloatPlan:
    """The plan of these instructions, all of which have the form; `number` gives each node its local number."""
    operations: list[tuple[Function, int, int, int]] = []
    wires: list[tuple[int, int, Function | None, int, int]] = []
    for out, primitive, operands, attributes, wanted in items:
        local = [number(operand) for operand in operands]
        result, left, right = number(out), local[0], local[1] if len(local) == 2 else -1
        function = float_value(primitive.name)
        assert function is not None
        operations.append((_bound(function, attributes), result, left, right))
        for slot in reversed(wanted):
            simple = simple_partial(primitive.name, slot)
            if simple == 1.0:
                wires.append((result, local[slot], None, -1, -1))
            elif isinstance(simple, str):
                factor = result if simple == "y" else local[int(simple[1:])]
                wires.append((result, local[slot], None, factor, -1))
            else:
                partial = float_partial(primitive.name, slot)
                assert partial is not None
                wires.append((result, local[slot], _bound(partial, attributes), left, right))
    wires.reverse()
    return FloatPlan(operations, wires)


def _bound(function: Function, attributes: dict[str, Any]) -> Function:
    return functools.partial(function, **attributes) if attributes else function


def forward(plan: FloatPlan, values: list[float]) -> None:
    """Fill in the value of every operation. Raises ArithmeticError or ValueError where numpy would give inf or nan."""
    for function, out, left, right in plan.operations:
        values[out] = function(values[left]) if right < 0 else function(values[left], values[right])


def reverse(plan: FloatPlan, values: list[float], gradients: list[float]) -> None:
    """Add each wire's contribution to the gradient of its operand. Raises as `forward` does.

    Gradients start at -0.0, the one number that leaves every summand as it is, so that a gradient of -0.0 stays -0.0.
    """
    for out, operand, partial, left, right in plan.wires:
        if partial is None:
            gradients[operand] += gradients[out] if left < 0 else gradients[out] * values[left]
        elif right < 0:
            gradients[operand] += gradients[out] * partial(values[out], values[left])
        else:
            gradients[operand] += gradients[out] * partial(values[out], values[left], values[right])
