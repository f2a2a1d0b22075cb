"""Python's search for garbage cycles, in the interface's thread alone.

By itself it begins in whichever thread makes an object, and would end there what belongs to Qt, while it is painted.
"""

from __future__ import annotations

import gc
from time import perf_counter

from PySide6.QtCore import QAbstractEventDispatcher, QObject

SHARE = 50.0  # a search through everything waits so many times as long as the last one took


class Collector(QObject):
    """Searches where Python would, when the interface has nothing else to do."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._rested = 0.0  # when everything may be searched again
        if (dispatcher := QAbstractEventDispatcher.instance()) is not None:
            dispatcher.aboutToBlock.connect(self.search)

    def search(self) -> None:
        """Search the oldest generation for which it is time."""
        due = [count > limit for count, limit in zip(gc.get_count(), gc.get_threshold(), strict=True)]
        if due[2] and perf_counter() >= self._rested:
            begin = perf_counter()
            gc.collect()
            self._rested = (1.0 + SHARE) * perf_counter() - SHARE * begin
        elif due[1]:
            gc.collect(1)
        elif due[0]:
            gc.collect(0)
