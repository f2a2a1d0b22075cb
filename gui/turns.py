"""Python lets one thread compute at a time. The interface comes first: threads let it pass, up to their patience."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter, sleep

TURN = 0.0001  # seconds that the interface waits for its turn while a thread computes; Python's own 0.005 are felt
AFTER = 0.004  # seconds in which more follows what the interface has done: other widgets are painted, a hand moves on
PATIENCE = 0.25  # seconds that a thread lets the interface pass, all in all; from then on they take turns
LOOK = 0.001  # seconds after which it looks again

_busy, _until = 0, 0.0  # how deep the interface is in what comes first, and until when more may follow
_own = threading.local()  # `patience`: what a thread has left of it; the interface's own thread has none


@contextmanager
def first() -> Iterator[None]:
    """What the interface does in here, or in a function marked with it, comes before what threads do."""
    global _busy, _until
    _busy += 1
    try:
        yield
    finally:
        _busy -= 1
        _until = perf_counter() + AFTER


@contextmanager
def waiting_for_a_thread() -> Iterator[None]:
    """In here the interface itself waits for a thread, which then need not let it pass."""
    global _busy, _until
    if hasattr(_own, "patience"):
        yield
        return
    busy, _busy, _until = _busy, 0, 0.0
    try:
        yield
    finally:
        _busy = busy


@contextmanager
def patient() -> Iterator[None]:
    """In here this thread gives way to the interface."""
    _own.patience = PATIENCE
    try:
        yield
    finally:
        del _own.patience


def give_way() -> None:
    """Let the interface pass, in a thread that is patient: to be called often, as some ten times in what a frame takes.

    Else they would take turns at each call of Qt that lets others compute, a hundred in a frame: it took four times as
    long.
    """
    while getattr(_own, "patience", 0.0) > 0.0 and (_busy or perf_counter() < _until):
        begin = perf_counter()
        sleep(LOOK)
        _own.patience -= perf_counter() - begin
