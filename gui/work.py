"""Work away from the interface: one call in a thread of its own, which can be cancelled and says how far it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QCoreApplication, QThread, Signal

from core import Refused
from core.methods.answer import Cancel, Cancelled

running: set[Work] = set()  # Qt must not lose a thread before it has ended


class Work(QThread):
    """Calls `job(cancelled)`; `found(work, result)` or `refused(work, sentence)`, unless it is cancelled before.

    The job asks `cancelled()` as often as it can and raises Cancelled when that is true. Connect the signals to methods
    of a QObject: those are called in its own thread, other callables in this one.
    """

    found = Signal(object, object)
    refused = Signal(object, str)

    def __init__(self, job: Callable[[Cancel], Any]) -> None:
        super().__init__()
        self._job = job
        self.passes = 0  # how often the job has asked
        self._cancelled = False
        self.finished.connect(self._forget)

    def begin(self) -> None:
        """Start; the thread lives until it is done, whoever forgets it."""
        application = QCoreApplication.instance()
        if not running and application is not None:
            application.aboutToQuit.connect(end_all)
        running.add(self)
        self.start()

    def cancel(self) -> None:
        """End as soon as the job asks, and say nothing more."""
        self._cancelled = True

    def _is_cancelled(self) -> bool:
        self.passes += 1
        return self._cancelled

    def run(self) -> None:
        try:
            made = self._job(self._is_cancelled)
        except Cancelled:
            return
        except Refused as refusal:
            if not self._cancelled:
                self.refused.emit(self, str(refusal))
            return
        if not self._cancelled:
            self.found.emit(self, made)

    def _forget(self) -> None:
        running.discard(self)


def end_all() -> None:
    """The program ends: no thread outlives it."""
    for thread in tuple(running):
        thread.cancel()
        thread.wait()
