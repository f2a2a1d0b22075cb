"""Python's search for garbage cycles, paused while very many small objects are made that have none."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """While this lasts no cycles are looked for; each search would go through all that has been made so far.

    Then what was made counts as old, as if it had been searched: else the first search after this would go through it.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            if not gc.get_freeze_count():  # what a program froze for good stays so
                gc.freeze()
                gc.unfreeze()
            gc.enable()
