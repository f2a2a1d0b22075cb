"""Operations in order, and the backward walk over them that all reverse passes share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from cadena.core.ops.primitive import Primitive


class Instruction(NamedTuple):
    """One operation: the number of its node, its record, its operands' numbers and its attributes."""

    out: int
    primitive: Primitive
    operands: tuple[int, ...]
    attributes: dict[str, Any]
    active: tuple[int, ...]  # the slots whose operand's gradient a reverse pass computes


# (instruction, upstream gradient, y, operands) -> (slot, contribution to its operand's gradient) for each active slot.
Contributions = Callable[[Instruction, Any, Any, list[Any]], Iterable[tuple[int, Any]]]


def vjps(instruction: Instruction, upstream: Any, y: Any, operands: list[Any]) -> Iterable[tuple[int, Any]]:
    """The contributions by the record's own rules."""
    return instruction.primitive.vjps(instruction.active, upstream, y, operands, instruction.attributes)


def pull(
    instructions: Sequence[Instruction],
    values: Sequence[Any],
    gradients: list[Any],
    contributions: Contributions = vjps,
) -> list[Any]:
    """Carry `gradients` back to the operands, in place; both lists are by node number, with None for no gradient yet.

    Walks the operations backwards; when a node's turn comes, all its consumers have contributed, so its gradient is
    complete: gradient of operand += VJP(upstream gradient).
    """
    for instruction in reversed(instructions):
        upstream = gradients[instruction.out]
        if upstream is None or not instruction.active:
            continue
        operands = [values[operand] for operand in instruction.operands]
        for slot, part in contributions(instruction, upstream, values[instruction.out], operands):
            target = instruction.operands[slot]
            before = gradients[target]
            gradients[target] = part if before is None else before + part
    return gradients
