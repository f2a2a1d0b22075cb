"""Fair times on a busy machine: the ways to do one thing take turns in one process, and the median counts."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np


class After(NamedTuple):
    """An action on what `before` gives, which is made anew for each repetition and does not count."""

    before: Callable[[], Any]
    action: Callable[[Any], object]

    def __call__(self) -> object:
        return self.action(self.before())


Action = Callable[[], object]
MIN_SECONDS = 5e-2  # a turn: what is faster is repeated, so that neither the clock nor caches left cold count
ROUNDS, MAX_SECONDS = 15, 5.0


def medians(actions: Mapping[str, Action]) -> dict[str, float]:
    """Seconds that each action takes: the median of up to 15 rounds, in which the actions take turns."""
    repeats = {label: _repeats(action) for label, action in actions.items()}
    taken: dict[str, list[float]] = {label: [] for label in actions}
    started = perf_counter()
    for number in range(ROUNDS):
        for label, action in actions.items():
            taken[label].append(_seconds(action, repeats[label]))
        if perf_counter() - started > MAX_SECONDS and number >= 4:
            break
    return {label: median(seconds) for label, seconds in taken.items()}


def _seconds(action: Action, repeats: int) -> float:
    if isinstance(action, After):
        return sum(_seconds(partial(action.action, action.before()), 1) for _ in range(repeats)) / repeats
    started = perf_counter()
    for _ in range(repeats):
        action()
    return (perf_counter() - started) / repeats


def _repeats(action: Action) -> int:
    action()  # caches and lazy imports
    started = perf_counter()
    action()  # with what comes before it
    return max(1, round(MIN_SECONDS / max(perf_counter() - started, 1e-7)))


def additions(count: int = 100_000) -> float:
    """Seconds for so many additions in Python now: by these the times of busy and of quiet minutes are compared."""
    started = perf_counter()
    sum(range(count))
    return perf_counter() - started


def machine() -> str:
    """What the times were taken on, in one line."""
    threads = os.environ.get("OMP_NUM_THREADS", "as many as numpy likes")
    python = f"Python {platform.python_version()}, numpy {np.__version__}"
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()}; {python}; BLAS threads: {threads}"


def _processor() -> str:
    if sys.platform == "linux":
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(": ")[2].strip()
    return platform.processor() or platform.machine()


def shown(seconds: float | None) -> str:
    """Three figures with the unit that fits: "4.13 us", "19.2 ms"."""
    if seconds is None:
        return ""
    unit, scale = next((pair for pair in (("us", 1e6), ("ms", 1e3)) if seconds * pair[1] < 1000), ("s", 1.0))
    return f"{seconds * scale:.3g} {unit}"
