"""Python's search for garbage cycles, paused while very many small objects are made that have none."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Pause the search for cycles; each search would visit all objects made so far.

    Then the new objects count as old, as if they had been searched: else the first search after this would visit them.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():  # what a program froze for good stays so
            gc.freeze()
            gc.unfreeze()
        if enabled:
            gc.enable()
