"""Work in the background: one call in a thread of its own, or pieces between the events; it can be cancelled."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator
from time import perf_counter
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, QThread, QTimer, Signal

from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import Cancel, Cancelled

# Seconds until a thread yields the GIL: beside a busy thread a frame of 1,000 nodes takes 22 ms, with the default 385.
SWITCH = 0.0001

running: set[Work] = set()  # Qt must not lose a thread before it has ended


class Work(QThread):
    """Calls `job(cancelled)`; `succeeded(work, result)` or `refused(work, refusal)`, unless it is cancelled before.

    The job asks `cancelled()` as often as it can and raises Cancelled when that is true. Both signals come in the
    interface's own thread. An error of the job is raised there too, cancelled or not, after `refused`.
    """

    succeeded = Signal(object, object)
    refused = Signal(object, object)

    def __init__(self, job: Callable[[Cancel], Any]) -> None:
        super().__init__()
        self._job = job
        self.passes = 0  # the number of times that the job has asked
        self._cancelled = self._announced = False
        self._result: Any = None
        self._error: Exception | None = None
        self.finished.connect(self._end)

    def begin(self) -> None:
        """Start; the thread lives until it is done, even without a reference to it."""
        application = QCoreApplication.instance()
        if not running and application is not None:
            application.aboutToQuit.connect(end_all)
        running.add(self)
        sys.setswitchinterval(SWITCH)
        self.start()

    def cancel(self) -> None:
        """End as soon as the job asks, without another signal."""
        self._cancelled = True

    def finish(self, milliseconds: int | None = None) -> bool:
        """Wait for the end, at most this long. Returns whether it has come; then the signals have been emitted."""
        ended = self.wait() if milliseconds is None else self.wait(milliseconds)
        if ended:
            self._announce()
        return ended

    def _is_cancelled(self) -> bool:
        self.passes += 1
        return self._cancelled

    def run(self) -> None:
        try:
            self._result = self._job(self._is_cancelled)
        except Cancelled:
            self._cancelled = True
        except Refused as refusal:
            self._error = refusal.with_traceback(None)  # whose frames hold this work, and all that the job has made
        except Exception as error:  # told in the interface's thread, where somebody hears of it
            self._error = error

    def _announce(self) -> None:
        if self._announced or self._cancelled:
            return
        self._announced = True
        if self._error is None:
            self.succeeded.emit(self, self._result)
        elif isinstance(self._error, Refused):
            self.refused.emit(self, self._error)
        else:
            self.refused.emit(self, inside(self._error))

    def _end(self) -> None:
        running.discard(self)
        self._announce()
        if self._error is not None and not isinstance(self._error, Refused):
            raise self._error


class Pieces(QObject):
    """The same for what must be done in the interface's own thread, as painting: a piece, then events, and so on.

    `report` is called with what each piece yields. What was begun is closed with its iterator.
    """

    succeeded = Signal(object, object)
    refused = Signal(object, object)

    def __init__(self, pieces: Iterator[int], report: Callable[[int], object]) -> None:
        super().__init__()
        self._pieces: Iterator[int] | None = pieces
        self._report = report
        self._clock = QTimer(self, interval=0)
        self._clock.timeout.connect(self._go_on)

    def begin(self) -> None:
        self._clock.start()

    def cancel(self) -> None:
        """Close what was begun, without another signal."""
        self._clock.stop()
        pieces, self._pieces = self._pieces, None
        if isinstance(pieces, Generator):
            pieces.close()

    def finish(self, milliseconds: int | None = None) -> bool:
        """Work without a pause, at most about this long. Returns whether the end has come, with its signal."""
        begin = perf_counter()
        while self._pieces is not None and (milliseconds is None or 1000 * (perf_counter() - begin) < milliseconds):
            self._go_on()
        return self._pieces is None

    def _go_on(self) -> None:
        if self._pieces is None:
            return
        try:
            done = next(self._pieces, None)
        except Exception as error:
            self.cancel()
            self.refused.emit(self, error if isinstance(error, Refused) else inside(error))
            if not isinstance(error, Refused):
                raise
            return
        if done is not None:
            self._report(done)
            return
        self.cancel()
        self.succeeded.emit(self, None)


def inside(error: Exception) -> Refused:
    """What is said of an error of ours."""
    what = "something went wrong inside Cadena ({kind}: {error})"
    return Refused(what, kind=type(error).__name__, error=error)


def end_all() -> None:
    """End all work, as the program ends: no thread outlives it."""
    for thread in running:
        thread.cancel()
    for thread in tuple(running):
        thread.wait()
        thread._end()
