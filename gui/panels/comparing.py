"""The comparison of methods away from the interface: a thread that can be cancelled and says how far it is."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication, QThread, Signal

from core import Document, Refused
from core.methods import Cancelled, compare

_running: set[Comparing] = set()  # Qt must not lose a thread before it has ended


class Comparing(QThread):
    """One comparison for one leaf; `found` or `refused` is emitted, with the thread, unless it is cancelled before.

    Connect them to methods of a QObject: those are called in its own thread, other callables in this one.
    """

    found = Signal(object, object)  # with core.methods.Comparison
    refused = Signal(object, str)

    def __init__(self, document: Document, leaf: str, seed: Any = None) -> None:
        super().__init__()
        self._document, self._leaf, self._seed = document, leaf, seed
        self.passes = 0  # asked for so far
        self._cancelled = False
        self.finished.connect(self._forget)

    def begin(self) -> None:
        """Start; the thread lives until it is done, whoever forgets it."""
        application = QCoreApplication.instance()
        if not _running and application is not None:
            application.aboutToQuit.connect(_end_all)
        _running.add(self)
        self.start()

    def cancel(self) -> None:
        """End as soon as the pass under way is done, and say nothing more."""
        self._cancelled = True

    def _is_cancelled(self) -> bool:
        self.passes += 1
        return self._cancelled

    def run(self) -> None:
        try:
            made = compare(self._document, wrt=[self._leaf], cancelled=self._is_cancelled, seed=self._seed)
        except Cancelled:
            return
        except Refused as refusal:
            self.refused.emit(self, str(refusal))
            return
        if not self._cancelled:
            self.found.emit(self, made)

    def _forget(self) -> None:
        _running.discard(self)


def _end_all() -> None:
    """The program ends: no thread outlives it."""
    for thread in tuple(_running):
        thread.cancel()
        thread.wait()
