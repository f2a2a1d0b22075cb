"""One copy, written in a thread of its own, which never blocks the interface for long."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Condition, Thread
from typing import IO

from cadena.core.storage.files import reason
from cadena.core.storage.replacing import sync_folder
from cadena.gui.files.recovery.copies import UnsavedWork
from cadena.gui.files.recovery.left_behind import LeftBehind, lock_of

REST = 0.2  # seconds at least from one copy to the next, plus the time to write them
PAUSE, LATEST = 0.15, 0.4  # seconds without an edit before a copy is begun, while the window shows it; at most
RETRY = 2.0  # seconds after one that failed
PATIENCE = 10.0  # seconds for which the program waits for the last copy


@dataclass(eq=False)
class _Job:
    work: UnsavedWork | None  # None: nothing is unsaved
    instead_of: tuple[LeftBehind, ...] = ()  # copies that this one replaces


class CopyWriter:
    """Writes the latest request. Each copy replaces the one before when it is complete.

    `report` is called in the thread: with the reason why nothing can be written, and with "" when that is over.
    """

    def __init__(self, path: Path, report: Callable[[str], object]) -> None:
        self.path = path
        self._report, self._trouble = report, ""
        self._lock = lock_of(path)
        self._turn = Condition()
        self._requested = self._done = _Job(None)
        self._written: UnsavedWork | None = None
        self._thread: Thread | None = None
        self._started = self._finished = self._asked = 0  # attempts, by their number; the last requested one
        self._latest_edit = 0.0  # when it came
        self._ended = self._sleeps = False  # until something is requested

    def request(self, work: UnsavedWork | None, instead_of: tuple[LeftBehind, ...] = ()) -> None:
        """Let the copy be `work` soon, None for no copy; those in `instead_of` go when it is."""
        with self._turn:
            before = () if self._requested is self._done else self._requested.instead_of
            self._requested, self._latest_edit = _Job(work, (*before, *instead_of)), time.monotonic()
            if self._thread is None:
                self._thread = Thread(target=self._work, name="recovery", daemon=True)
                self._thread.start()
            if self._sleeps:  # else it would only be disturbed, and have Python from the interface for that
                self._turn.notify_all()

    def flush(self) -> bool:
        """Wait until the request is written, or an attempt after this call has failed. Returns which."""
        with self._turn:
            requested, self._asked = self._requested, self._started + 1
            self._turn.notify_all()
            self._turn.wait_for(lambda: self._done is requested or self._finished >= self._asked, PATIENCE)
            return self._done is requested

    def end(self) -> None:
        """End: remove the copy, and those that it was to replace."""
        with self._turn:
            self._ended = True
            self._turn.notify_all()
        if self._thread is not None:
            self._thread.join(PATIENCE)
        with suppress(OSError):  # a copy that cannot be removed is offered again, which is better than an error now
            for copy in self._requested.instead_of:
                copy.throw_away()
            self.path.unlink(missing_ok=True)
        self._lock.unlock()

    # --- in the thread

    def _work(self) -> None:
        while (job := self._next()) is not None:
            trouble = self._try(job)
            if job.work is not None and trouble != self._trouble:
                self._trouble = trouble
                self._report(trouble)
            with self._turn:
                if not trouble:
                    self._done = job
                self._finished = self._started
                self._turn.notify_all()
                rest = RETRY if trouble else REST
                self._turn.wait_for(lambda: self._ended or self._finished < self._asked, rest)

    def _next(self) -> _Job | None:
        with self._turn:
            self._sleeps = True
            self._turn.wait_for(lambda: self._ended or self._requested is not self._done)
            self._sleeps, latest = False, time.monotonic() + LATEST
            while not self._ended and self._asked <= self._started:
                pause = min(self._latest_edit + PAUSE, latest) - time.monotonic()
                if pause <= 0.0:
                    break
                self._turn.wait(pause)
            self._started += 1
            return None if self._ended else self._requested

    def _try(self, job: _Job) -> str:
        """Do a job; returns the reason of a failure, or ""."""
        try:
            if job.work is None:
                self.path.unlink(missing_ok=True)
            elif job.work != self._written:
                self._write(job.work)
            self._written = job.work
            for copy in job.instead_of:
                copy.throw_away()
        except OSError as error:
            return reason(error)
        except MemoryError:
            return "there is not enough memory; close other programs"
        except Exception as error:  # the thread goes on: the next attempt may succeed
            return f"something went wrong inside Cadena ({type(error).__name__}: {error})"
        return ""

    def _write(self, work: UnsavedWork) -> None:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not self._lock.isLocked():
            self._lock.tryLock(0)  # there before the copy is
        part = self.path.with_suffix(".part")
        try:
            with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:  # noqa: PTH123
                _write(work, file)
            part.replace(self.path)
            sync_folder(self.path.parent)
        except BaseException:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise


def _write(work: UnsavedWork, file: IO[bytes]) -> None:
    file.writelines(work.file())
    file.flush()
    os.fsync(file.fileno())
