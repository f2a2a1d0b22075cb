"""Python's garbage collector, run by a timer in the interface's thread alone.

By itself it starts in whichever thread allocates, and would delete Qt objects there. As
`pyqtgraph.util.garbage_collector`, which cannot be imported without all of pyqtgraph (0.7 s).
"""

from __future__ import annotations

import gc
from time import perf_counter

from PySide6.QtCore import QObject, QTimer

INTERVAL = 1000  # milliseconds
SHARE = 50  # the next collection waits so many times as long as the last one took: large documents take 0.3 s


def collect_due() -> None:
    """Collect the oldest generation that is due."""
    due = [count > limit for count, limit in zip(gc.get_count(), gc.get_threshold(), strict=True)]
    if any(due):
        gc.collect(max(generation for generation in range(3) if due[generation]))


class Collector(QObject):
    """Collects what is due, now and then."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.collect)
        self._timer.start(INTERVAL)

    def collect(self) -> None:
        begin = perf_counter()
        collect_due()
        self._timer.start(max(INTERVAL, round(1000 * SHARE * (perf_counter() - begin))))
