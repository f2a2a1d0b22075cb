"""Shapes as people type them, and values changed to another shape."""

from __future__ import annotations

import math
import re

import numpy as np

from cadena.core.graph.document import Value, as_array, as_value
from cadena.core.graph.fault import Refused
from cadena.core.ops.primitive import Shape

LARGEST = 1_000_000  # elements that may be made by typing a shape
NUMBER_WORDS = ("", "number", "()", "[]", "scalar")
SUGGESTED = ("number", "2", "3", "4", "2 × 2", "2 × 3", "3 × 2", "3 × 3", "4 × 4")


def shape_field(shape: Shape) -> str:
    """Write a shape as the field shows and reads it: "number", "3", "3 × 2"."""
    return " × ".join(map(str, shape)) if shape else "number"


def read_shape(text: str) -> Shape:
    """Parse a shape: "number", "3", "3 × 2", "3, 2" or "(3, 2)". Raises Refused with one sentence for other text."""
    plain = text.strip().lower().removeprefix("vector of").strip()
    if plain in NUMBER_WORDS:
        return ()
    sizes = re.split(r"\s*[×x*,]\s*|\s+", plain.strip("()[] ,"))
    if not all(size.isdecimal() and int(size) > 0 for size in sizes):
        raise Refused(
            "{text!r} is not a shape", "type rows × columns such as 3 × 2, or nothing for a number", text=text.strip()
        )
    shape = tuple(int(size) for size in sizes)
    if math.prod(shape) > LARGEST:
        raise Refused(
            "shape {text} has {size:,} elements",
            "type one with at most {largest:,}",
            text=text.strip(),
            size=math.prod(shape),
            largest=LARGEST,
        )
    return shape


def reshaped(value: Value, shape: Shape) -> Value:
    """Change the shape of `value`: the same elements where their number fits, else the common part and zeros."""
    old = as_array(value)
    if not shape:
        return as_value(float(old.flat[0]) if old.size else 0.0)
    if old.ndim == 0:
        return as_value(np.full(shape, float(old)))
    if old.size == math.prod(shape):
        return as_value(old.reshape(shape))
    new = np.zeros(shape, dtype=old.dtype)
    if old.ndim == new.ndim:
        common = tuple(slice(0, min(pair)) for pair in zip(old.shape, new.shape))
        new[common] = old[common]
    else:
        count = min(old.size, new.size)
        new.reshape(-1)[:count] = old.reshape(-1)[:count]
    return as_value(new)


def read_block(text: str) -> np.ndarray:
    """Parse numbers from a spreadsheet or a text: a row a line, columns by tab, semicolon, comma or blank."""
    rows = [_row(line) for line in text.strip("\r\n").splitlines() if line.strip(" []")]
    if not rows:
        raise Refused("there are no numbers to paste", "copy a row, a column or a block of numbers first")
    if len({len(row) for row in rows}) > 1:
        raise Refused("the pasted rows differ in length", "copy a block in which every row has as many numbers")
    return np.array(rows)


def _row(line: str) -> list[float]:
    from cadena.core.notation.reading import read_value

    plain = line.strip().strip("[],")
    mark = next((mark for mark in ("\t", ";", ",") if mark in plain), None)
    cells = [cell for cell in plain.split(mark) if mark != "," or cell.strip()]
    numbers = [read_value(cell.strip(" []")) for cell in cells]
    if not all(isinstance(number, float) for number in numbers):
        raise Refused("{line!r} holds more than numbers", "copy a block of plain numbers", line=line.strip()[:40])
    return numbers  # type: ignore[return-value]
