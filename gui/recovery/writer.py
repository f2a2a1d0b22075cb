"""One copy, brought up to date in a thread of its own, which never holds up the interface for long."""

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
from cadena.gui.recovery.copies import Kept
from cadena.gui.recovery.left_behind import LeftBehind, lock_of

REST = 0.3  # seconds from one copy to the next; the time that both take to write comes to it
RETRY = 2.0  # seconds after one that failed
WORK = 30_000  # bytes that are made in one go, in half a millisecond or so
BREATH = 0.003  # seconds after that in which the interface has Python to itself
PATIENCE = 10.0  # seconds for which the program waits for the last copy


@dataclass(eq=False)
class _Job:
    kept: Kept | None  # None: there is nothing to be kept
    instead_of: tuple[LeftBehind, ...] = ()  # copies that are in this one too


class Writer:
    """Writes what is wanted last. Each copy takes the place of the one before when it is whole.

    `told` is called in the thread: with a sentence on why nothing can be written, and with "" when that is over.
    """

    def __init__(self, path: Path, told: Callable[[str], object]) -> None:
        self.path = path
        self._told, self._trouble = told, ""
        self._lock = lock_of(path)
        self._turn = Condition()
        self._wanted = self._done = _Job(None)
        self._written: Kept | None = None
        self._thread: Thread | None = None
        self._begun = self._finished = self._asked = 0  # tries, by their number; the last one that is asked for
        self._ended = False

    def want(self, kept: Kept | None, instead_of: tuple[LeftBehind, ...] = ()) -> None:
        """Let the copy be `kept` soon, None for no copy; those in `instead_of` go when it is."""
        with self._turn:
            before = () if self._wanted is self._done else self._wanted.instead_of
            self._wanted = _Job(kept, (*before, *instead_of))
            if self._thread is None:
                self._thread = Thread(target=self._work, name="recovery", daemon=True)
                self._thread.start()
            self._turn.notify_all()

    def flush(self) -> bool:
        """Wait until the copy is what is wanted, or a try that began after this call has failed; whether it is."""
        with self._turn:
            wanted, self._asked = self._wanted, self._begun + 1
            self._turn.notify_all()
            self._turn.wait_for(lambda: self._done is wanted or self._finished >= self._asked, PATIENCE)
            return self._done is wanted

    def end(self) -> None:
        """Nothing is to be kept any more: the copy goes, and those that were to be in it."""
        with self._turn:
            self._ended = True
            self._turn.notify_all()
        if self._thread is not None:
            self._thread.join(PATIENCE)
        with suppress(OSError):  # what cannot be removed is offered once more, which is better than an error now
            for copy in self._wanted.instead_of:
                copy.throw_away()
            self.path.unlink(missing_ok=True)
        self._lock.unlock()

    # --- in the thread

    def _work(self) -> None:
        while (job := self._next()) is not None:
            trouble = self._try(job)
            if job.kept is not None and trouble != self._trouble:
                self._trouble = trouble
                self._told(trouble)
            with self._turn:
                if not trouble:
                    self._done = job
                self._finished = self._begun
                self._turn.notify_all()
                rest = RETRY if trouble else REST
                self._turn.wait_for(lambda: self._ended or self._finished < self._asked, rest)

    def _next(self) -> _Job | None:
        with self._turn:
            self._turn.wait_for(lambda: self._ended or self._wanted is not self._done)
            self._begun += 1
            return None if self._ended else self._wanted

    def _try(self, job: _Job) -> str:
        """Do a job; why it failed, or ""."""
        try:
            if job.kept is None:
                self.path.unlink(missing_ok=True)
            elif job.kept != self._written:
                self._write(job.kept)
            self._written = job.kept
            for copy in job.instead_of:
                copy.throw_away()
        except OSError as error:
            return reason(error)
        except MemoryError:
            return "there is not enough memory; close other programs"
        except Exception as error:  # the thread goes on: what comes next may succeed
            return f"something went wrong inside Cadena ({type(error).__name__}: {error})"
        return ""

    def _write(self, kept: Kept) -> None:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not self._lock.isLocked():
            self._lock.tryLock(0)  # there before the copy is
        part = self.path.with_suffix(".part")
        try:
            with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:  # noqa: PTH123
                _write_slowly(kept, file)
            part.replace(self.path)
            sync_folder(self.path.parent)
        except BaseException:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise


def _write_slowly(kept: Kept, file: IO[bytes]) -> None:
    made = 0
    for piece in kept.file():
        file.write(piece)
        if (made := made + len(piece)) > WORK:
            time.sleep(BREATH)
            made = 0
    file.flush()
    os.fsync(file.fileno())
