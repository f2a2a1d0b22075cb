"""Waiting in tests: for a condition, however long it takes, and never for a length of time.

This is the only place with a clock: it ends a test that would wait for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, sleep

SECONDS = 120.0  # several times what any test takes on a busy machine
MILLISECONDS = 120_000


def until(condition: Callable[[], bool], message: str, meanwhile: Callable[[], object] = int) -> None:
    """Wait until the condition is true, calling `meanwhile` in between; fail with `message` if it never is."""
    end = monotonic() + SECONDS
    while not condition():
        assert monotonic() < end, message
        meanwhile()
        sleep(0.001)  # for other threads
