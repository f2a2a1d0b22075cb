"""Text, numbers and tables in plain characters, as terminals show them; what comes from files is cleaned here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from unicodedata import category

import numpy as np

from cadena.core.text.numbers import unsigned_zeros

MAX_WRITTEN_OUT = 12  # elements: arrays up to this size are written out
NARROW = 14  # characters: columns up to this width line up on the right, as numbers do
MAX_IN_NAME, MAX_IN_CELL = 200, 300  # letters of a name in a sentence, of anything in a table, that are shown
CONTROLS = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))  # categories: controls, formats, halves of pairs, line separators
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def cleaned(text: str, keep: str = "") -> str:
    """Return `text` on one line, without characters that mislead a terminal or a reader, except those in `keep`.

    Line breaks and tabs become spaces; escape codes, marks that reverse the order of letters and letters that are not
    seen become �.
    """
    if text.isprintable():
        return text
    return "".join(
        sign if sign in keep or category(sign) not in CONTROLS else " " if sign.isspace() else REPLACEMENT
        for sign in text
    )


def elided(text: str, limit: int) -> str:
    """`text` with … in its middle where it is longer than `limit` letters."""
    head = limit // 2
    return text if len(text) <= limit else f"{text[:head]}…{text[len(text) - (limit - 1 - head) :]}"


def with_short_names(text: str, limit: int = MAX_IN_NAME) -> str:
    """A sentence with … in the middle of each name, or other word, of more than `limit` letters."""
    return text if len(text) <= limit else re.sub(rf"\w{{{limit + 1},}}", lambda name: elided(name[0], limit), text)


def number_text(array: np.ndarray | None) -> str:
    """A value in plain characters; a large array as its size and range."""
    if array is None:
        return "-"
    if array.ndim == 0:
        number = float(array) + 0.0  # which makes 0 of -0
        return f"{number:.7g}" if abs(number) >= 1 else f"{number:.6g}"  # to the sixth decimal, as far as float32 goes
    if array.size > MAX_WRITTEN_OUT:
        least, most = (float(unsigned_zeros(end)) for end in (array.min(), array.max()))
        return f"{array.size} numbers, {least:.4g} to {most:.4g}"
    return f"[{', '.join(map(number_text, array))}]"


def ascii_minus(text: str) -> str:
    """Sentences with the minus sign that terminals, searches and spreadsheets know."""
    return text.replace("−", "-")


def aligned(heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[str] = ()) -> str:
    """Columns side by side, a line a row; those named in `numbers` line up on the right while they are narrow."""
    rows = [[elided(cleaned(cell), MAX_IN_CELL) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(heads, *rows)]
    to_right = [head in numbers and width <= NARROW for head, width in zip(heads, widths)]
    lines = []
    for row in (heads, *rows):
        cells = (cell.rjust(w) if right else cell.ljust(w) for cell, w, right in zip(row, widths, to_right))
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
