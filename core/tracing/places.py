"""Where the user's code is while a tape records: the line, and the expression that is computed there."""

from __future__ import annotations

import linecache
import re
import sys
from functools import lru_cache
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType

import numpy as np

from cadena.core.text.plain_text import elided

OURS = (str(Path(__file__).parent.parent), str(Path(np.__file__).parent))  # of which no frame is the user's
FRAMEWORKS = ("torch", "jax", "functorch")
LIBRARIES = (*FRAMEWORKS, "torchvision")  # whose own code asks for conditions on behalf of the user's
PACKAGES = re.compile(r".*[/\\](?:site|dist)-packages[/\\]")
MOST_LETTERS = 60


def read_at() -> tuple[str, int]:
    """The expression that the user's code computes now, and its line; ("", 0) where that is not known."""
    frame = _users_frame(LIBRARIES)
    return ("", 0) if frame is None else expression_at(frame.f_code, frame.f_lasti)


def code_line() -> str:
    """Where the user's code is now, "model.py:12"; "" where that is not known. Models of packages count as the
    user's."""
    frame = _users_frame(FRAMEWORKS)
    return "" if frame is None else file_line(frame.f_code.co_filename, frame.f_lineno)


def file_line(path: str, number: int) -> str:
    """A line as captures note it, "model.py:12"."""
    return f"{_shown(path)}:{number}"


def _users_frame(libraries: tuple[str, ...]) -> FrameType | None:
    """The innermost frame that is neither ours, nor of Python's own library, nor of one of these libraries."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and not _is_users(frame.f_code.co_filename, frame.f_globals.get("__name__"), libraries):
        frame = frame.f_back
    return frame


def is_users_frame(frame: FrameType) -> bool:
    """Whether a frame is of the user's code."""
    return _is_users(frame.f_code.co_filename, frame.f_globals.get("__name__"), LIBRARIES)


@lru_cache(maxsize=4096)
def _is_users(path: str, module: str | None, libraries: tuple[str, ...]) -> bool:
    root = str(module).partition(".")[0]  # code that a library has written has none
    return module is not None and not path.startswith(OURS) and root not in {*libraries, *sys.stdlib_module_names}


@lru_cache(maxsize=4096)
def _shown(path: str) -> str:
    """A file as people know it: within its package, else from the folder where the program runs, else its name."""
    if in_package := PACKAGES.match(path):
        return path[in_package.end() :].replace("\\", "/")
    file = Path(path)
    try:
        return file.relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):  # it stands elsewhere; the folder is gone
        return file.name


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
