"""The cost of a call in lines of Python instead of seconds: the same number on any machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def effort(do: Callable[[], object]) -> int:
    """Count the lines of Python that run, in any file; a line in a loop counts each time."""
    lines = 0

    def count(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        do()
    finally:
        sys.settrace(before)
    return lines
