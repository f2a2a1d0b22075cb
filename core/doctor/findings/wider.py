"""A test whether a result is bad itself or only an intermediate value: the operation again, in a wider type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cadena.core.ops.walk import Instruction

if TYPE_CHECKING:
    from cadena.core.run.program import Run

MAX_NUMBERS = 100_000  # numbers that go in and come out of an operation that is computed in longdouble, which is slow


def true_value(run: Run, item: Instruction, at: tuple[int, ...]) -> Any:
    """The result at place `at` in a wider number type; None where there is none for this operation."""
    operands, value = _operands(run, item), np.asarray(run.values[item.out])
    wide: Any = np.dtype(np.float64 if value.dtype.itemsize < 8 else np.longdouble)
    if np.finfo(wide).max <= np.finfo(value.dtype).max:
        return None
    if wide == np.longdouble and sum(operand.size for operand in operands) + value.size > MAX_NUMBERS:
        return None
    try:
        with np.errstate(all="ignore"):
            made = item.primitive.value(*[operand.astype(wide) for operand in operands], **item.attributes)
    except (TypeError, ValueError):  # LAPACK, for one, has no longdouble
        return None
    made = np.asarray(made)
    return made[at] if made.dtype == wide and made.shape == value.shape else None


def overflows_within(run: Run, item: Instruction) -> bool:
    """Whether numpy reports an overflow while it computes the operation in the type of the run."""
    try:
        with np.errstate(all="ignore", over="raise"):
            item.primitive.value(*_operands(run, item), **item.attributes)
    except FloatingPointError:
        return True
    return False


def _operands(run: Run, item: Instruction) -> list[np.ndarray]:
    return [np.asarray(run.values[operand]) for operand in item.operands]
