"""Numbers and tables in plain characters, as terminals show them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.numbers import unsigned_zeros

FEW = 12  # elements: arrays up to this size are written out
NARROW = 14  # characters: columns up to this width line up on the right, as numbers do


def number_text(array: np.ndarray | None) -> str:
    """A value in plain characters; a large array by how many numbers it holds, and their range."""
    if array is None:
        return "-"
    if array.ndim == 0:
        number = float(array)
        return f"{number:.7g}" if abs(number) >= 1 else f"{number:.6g}"  # to the sixth decimal, as far as float32 goes
    if array.size > FEW:
        return f"{array.size} numbers, {float(array.min()):.4g} to {float(array.max()):.4g}"
    return f"[{', '.join(map(number_text, unsigned_zeros(array)))}]"


def ascii_minus(text: str) -> str:
    """Sentences with the minus sign that terminals, searches and spreadsheets know."""
    return text.replace("−", "-")


def aligned(heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[str] = ()) -> str:
    """Columns side by side, a line a row; those named in `numbers` line up on the right while they are narrow."""
    widths = [max(map(len, column)) for column in zip(heads, *rows)]
    to_right = [head in numbers and width <= NARROW for head, width in zip(heads, widths)]
    lines = []
    for row in (heads, *rows):
        cells = (cell.rjust(w) if right else cell.ljust(w) for cell, w, right in zip(row, widths, to_right))
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
