"""Copies of programs that were killed: searched, locked, and set aside where they are damaged."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QLockFile

from cadena.core.graph.fault import Refused, TooNew
from cadena.core.storage.files import is_gone, reason
from cadena.gui.files.recovery.copies import FIRST_SUFFIX, SUFFIX, UnsavedWork, read

LOCK, PART = ".lock", ".part"
TURN = "turn"  # the name of the lock during the search for copies
PATIENCE_MILLISECONDS = 5000
YOUNG = 5.0  # seconds: the age of a lock whose holder may still be about to make it known to the system
DAMAGED = "damaged"  # the folder for copies that cannot be read


@dataclass(eq=False)
class LeftBehind:
    """A copy that can be opened. Its lock keeps other programs from offering it too."""

    path: Path
    work: UnsavedWork
    when: datetime
    lock: QLockFile

    def release(self) -> None:
        """Release the copy to the next start, or to another program."""
        self.lock.unlock()

    def throw_away(self) -> None:
        """Remove the copy, which may not exist any more. May raise OSError."""
        self.path.unlink(missing_ok=True)
        self.lock.unlock()


def lock_of(copy: Path) -> QLockFile:
    """The lock beside a copy: it distinguishes the copies of running programs from those left behind."""
    lock = QLockFile(str(copy.with_suffix(LOCK)))
    lock.setStaleLockTime(0)  # never by age: a window may stay open for days
    return lock


def look_through(folder: Path) -> tuple[list[LeftBehind], list[str]]:
    """The copies that can be opened, newest first, and a sentence on each that cannot."""
    if is_gone(folder):
        return [], []
    turn = QLockFile(str(folder / f"{TURN}{LOCK}"))  # of two programs that start at once, one waits for the other
    if not turn.tryLock(PATIENCE_MILLISECONDS):
        return [], [f"Recovered graphs in {folder} cannot be read: {_why_not(folder, turn)}."]
    copies: list[LeftBehind] = []
    remarks: list[str] = []
    try:
        for stem in sorted(
            {path.stem for path in folder.iterdir() if path.suffix in (LOCK, PART, SUFFIX, FIRST_SUFFIX)}
        ):
            _look_at(folder / stem, copies, remarks)
    except OSError as error:
        remarks.append(f"Recovered graphs in {folder} cannot be read: {reason(error)}.")
    finally:
        turn.unlock()
    return sorted(copies, key=lambda copy: copy.when, reverse=True), remarks


def _why_not(folder: Path, turn: QLockFile) -> str:
    if turn.error() == QLockFile.LockError.LockFailedError:
        return "another Cadena is looking at them; start again later"
    return "nothing can be written there; change its permissions, or free some space"


def _look_at(base: Path, opened: list[LeftBehind], remarks: list[str]) -> None:
    """Open the copy that a program left under one name, unless the program is still running."""
    if base.name == TURN or (lock := _seized(base)) is None:
        return
    copies = [path for path in (base.with_suffix(SUFFIX), base.with_suffix(FIRST_SUFFIX)) if path.is_file()]
    for copy in copies[:1]:
        if isinstance(result := _opened(copy, lock), LeftBehind):
            opened.append(result)
            return
        remarks.append(result)
    if not copies:
        base.with_suffix(PART).unlink(missing_ok=True)  # never became whole
    lock.unlock()


def _seized(base: Path) -> QLockFile | None:
    """The lock of a copy, if nobody holds it."""
    lock = lock_of(base)
    if lock.tryLock(0):
        return lock
    path = base.with_suffix(LOCK)
    # Qt asks whether there is a process of that number, which may be another one by now; the system knows who locks.
    if path.exists() and time.time() - path.stat().st_mtime > YOUNG and lock.removeStaleLockFile() and lock.tryLock(0):
        return lock
    return None


def _opened(copy: Path, lock: QLockFile) -> LeftBehind | str:
    """Open a copy; returns a sentence with the reason where that fails."""
    try:
        return LeftBehind(copy, read(copy), datetime.fromtimestamp(copy.stat().st_mtime), lock)
    except TooNew as refusal:
        return f"A recovered graph waits in {copy}: {refusal}."
    except OSError as error:
        return f"A recovered graph in {copy} cannot be read: {reason(error)}."
    except MemoryError:
        return f"A recovered graph in {copy} is larger than the free memory; close other programs and start again."
    except Refused as refusal:
        return _set_aside(copy, refusal)


def _set_aside(copy: Path, refusal: Refused) -> str:
    """Move a damaged copy to a folder of its own, where it is not searched again."""
    aside = copy.parent / DAMAGED / copy.name
    try:
        aside.parent.mkdir(exist_ok=True)
        while aside.exists():  # never in the place of another
            aside = aside.with_stem(f"{aside.stem}-2")
        copy.rename(aside)
    except OSError as error:
        return f"A recovered graph is damaged ({refusal}) and stays in {copy}: {reason(error)}."
    return f"A recovered graph is damaged ({refusal}); it was moved to {aside}."
