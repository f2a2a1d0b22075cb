"""Where the user's code is while a tape records: the line, and the expression that is computed there."""

from __future__ import annotations

import linecache
import sys
from functools import lru_cache
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType

import numpy as np

from cadena.core.text.plain_text import elided

OURS = (str(Path(__file__).parent.parent), str(Path(np.__file__).parent))  # of which no frame is the user's
LIBRARIES = ("torch", "torchvision", "jax")  # whose own code asks for conditions on behalf of the user's
MOST_LETTERS = 60


def read_at() -> tuple[str, int]:
    """The expression that the user's code computes now, and its line; ("", 0) where that is not known."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        library = str(frame.f_globals.get("__name__")).partition(".")[0]
        if not frame.f_code.co_filename.startswith(OURS) and library not in LIBRARIES:
            return expression_at(frame.f_code, frame.f_lasti)
        frame = frame.f_back
    return "", 0


@lru_cache(maxsize=1024)
def expression_at(code: CodeType, instruction: int) -> tuple[str, int]:
    """The text of the expression that an instruction computes, and its line."""
    line, end_line, column, end_column = next(islice(code.co_positions(), instruction // 2, None), (None,) * 4)
    if line is None or end_line is None or column is None or end_column is None:
        return "", line or 0
    lines = [linecache.getline(code.co_filename, one).encode() for one in range(line, end_line + 1)]
    if not any(lines):
        return "", line
    lines[-1] = lines[-1][:end_column]
    lines[0] = lines[0][column:]
    text = " ".join(b" ".join(lines).decode(errors="replace").split())
    return elided(text.removeprefix("if ").removeprefix("while "), MOST_LETTERS), line
