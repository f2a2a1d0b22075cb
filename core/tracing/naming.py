"""Name nodes after the Python variables that held them, read from the function's frame as it returns."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from cadena.core.graph.document import is_name
from cadena.core.tracing.recording import Tape
from cadena.core.tracing.traced import Traced, lowered
from cadena.core.tracing.views import TracedView


@contextmanager
def names_of_locals(fn: Callable[..., Any], tape: Tape) -> Iterator[None]:
    """While `fn` runs, note which of its local variables hold values of `tape`; the first name of a value stays.

    Uses the profile hook, which sees the frame when a function returns. A profiler that is already there is left alone;
    then nodes are named after their operations.
    """
    code = getattr(fn, "__code__", None)
    if code is None or sys.getprofile() is not None:
        yield
        return

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event == "return" and frame.f_code is code:
            _note(frame, tape)

    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)


def _note(frame: FrameType, tape: Tape) -> None:
    for name, value in frame.f_locals.items():
        value = lowered(value)
        if isinstance(value, TracedView) and not value.is_current():
            continue  # its value of now was never used
        if isinstance(value, Traced) and value.tape is tape and is_name(name):
            tape.names.setdefault(value.number, name)
