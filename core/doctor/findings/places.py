"""Places in arrays and the numbers there, and an operation's own complaints about its operands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import replace

from cadena.core.graph.document import as_array
from cadena.core.ops.walk import Instruction
from cadena.core.text.wording import Clause

if TYPE_CHECKING:
    from cadena.core.run.program import Run


def known_values(run: Run) -> list[bool]:
    """Mark the nodes that have a value: those that no fault keeps from running."""
    return [shape is not None for shape in run.plan.shapes]


def original_numbers(run: Run, leaf: int) -> np.ndarray:
    """The numbers of a leaf in float64, as they are in the run; those of the document where the run's number type made
    0 or inf of them."""
    value, original = (np.asarray(one) for one in (run.values[leaf], as_array(run.program.defaults[leaf])))
    wide = value.astype(np.float64)
    if run.dtype == "float64" or original.shape != value.shape:
        return wide
    with np.errstate(all="ignore"):
        gone = ((value == 0.0) & (original != 0.0)) | (np.isinf(value) & np.isfinite(original))
        return np.where(gone & (original.astype(run.dtype) == value), original, wide)


def first(mask: Any) -> tuple[int, ...] | None:
    """The index of the first place that is true; () for a single number, None where there is none."""
    mask = np.asarray(mask)
    if not mask.any():
        return None
    return tuple(int(index) for index in np.unravel_index(int(np.argmax(mask)), mask.shape))


def number_at(array: Any, at: tuple[int, ...], shape: tuple[int, ...] | None) -> float | None:
    """The number of an operand at place `at` of a result of `shape`; None where there is none."""
    if np.ndim(array) == 0:
        return float(array)
    return None if shape is None else float(np.broadcast_to(array, shape)[at])


def trouble(run: Run, item: Instruction) -> Clause | None:
    """The record's own clause about invalid operand values: an index out of range, a singular matrix."""
    with np.errstate(all="ignore"):
        diagnose = item.primitive.trouble
        value = np.asarray(run.values[item.out])
        clause = diagnose(value, *run.operands(item), **item.attributes) if diagnose else None
    if clause is None:
        return None
    numbers = dict.fromkeys(item.operands)
    shapes = ", ".join(f"{run.plan.names[operand]} has shape {run.plan.shapes[operand]}" for operand in numbers)
    places = {
        **clause.operands,
        "trouble": replace(clause, remedy=""),
        "remedy": Clause(clause.remedy, operands=clause.operands),
        "shapes": shapes,
    }
    return Clause("{trouble}", "{remedy} ({shapes})", places)
