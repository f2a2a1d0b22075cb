"""What the verbs print: aligned tables, numbers in plain characters, one line for each error, JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from core.fault import Fault
from core.storage.values import named

FEW = 12  # elements: arrays up to this size are written out
NARROW = 14  # characters: columns up to this width line up on the right, as numbers do


def complain(message: str) -> None:
    """One line on standard error, whatever characters the message quotes."""
    line = "".join(sign if sign.isprintable() else " " for sign in message)
    print(f"cadena: {line}", file=sys.stderr)


def complain_of_faults(faults: Iterable[Fault], file: str) -> int:
    """A line for each fault; the exit status: 1 when there is one, 0 otherwise."""
    status = 0
    for fault in faults:
        complain(f"{file}: {fault.node}: {fault.message.removeprefix(f'{fault.node}: ')}")
        status = 1
    return status


def print_json(item: Any) -> None:
    print(json.dumps(item, ensure_ascii=False, allow_nan=False))


def plain(array: np.ndarray | None) -> Any:
    """An array for JSON: a number or nested lists, with nan and inf as texts; None stays None."""
    return None if array is None else named(array.tolist())


def number_text(array: np.ndarray | None) -> str:
    """A value in plain characters; a large array by how many numbers it holds, and their range."""
    if array is None:
        return "-"
    if array.ndim == 0:
        number = float(array)
        return f"{number:.7g}" if abs(number) >= 1 else f"{number:.6g}"  # to the sixth decimal, as far as float32 goes
    if array.size > FEW:
        return f"{array.size} numbers, {float(array.min()):.4g} to {float(array.max()):.4g}"
    return f"[{', '.join(map(number_text, array))}]"


def ascii_minus(text: str) -> str:
    """Sentences with the minus sign that terminals, searches and spreadsheets know."""
    return text.replace("−", "-")


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[str] = ()) -> None:
    """Columns side by side; those named in `numbers` line up on the right while they are narrow."""
    widths = [max(map(len, column)) for column in zip(heads, *rows)]
    to_right = [head in numbers and width <= NARROW for head, width in zip(heads, widths)]
    for row in (heads, *rows):
        cells = (cell.rjust(w) if right else cell.ljust(w) for cell, w, right in zip(row, widths, to_right))
        print("  ".join(cells).rstrip())
