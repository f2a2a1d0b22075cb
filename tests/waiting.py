"""How tests wait: for what is to happen, however long it takes, and never for a time.

This is the only place with a clock: it ends a test that would wait for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, sleep

SECONDS = 600.0  # far more than anything takes on the busiest machine
MILLISECONDS = 600_000


def until(true: Callable[[], bool], what: str, meanwhile: Callable[[], object] = int) -> None:
    """Ask again and again until it is true, and do something meanwhile; `what` is said where it never is."""
    end = monotonic() + SECONDS
    while not true():
        assert monotonic() < end, what
        meanwhile()
        sleep(0.001)  # for other threads
