"""A copy of unsaved work beside the user's files, so that a crash costs at most half a minute."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from uuid import uuid4

from PySide6.QtCore import QLockFile, QObject, QStandardPaths, Qt, QTimer
from PySide6.QtGui import QGuiApplication

import core
from core import Document, Refused
from gui.files import SUFFIX
from gui.session import Session

INTERVAL_SECONDS = 30.0
BUSY_SECONDS = 2.0
ORIGINAL = "recovered-from"  # the key under which a copy names the file it belongs to


def user_folder() -> Path:
    """Where the copies of the present user are kept."""
    data = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericDataLocation)
    return Path(data, "cadena", "recovery")


class Recovery(QObject):
    """Keeps the copy of one session. A lock beside each copy tells those of running programs from those left behind."""

    def __init__(self, session: Session, folder: Path) -> None:
        super().__init__(session)
        self._session, self._folder = session, folder
        self.path = folder / f"{uuid4().hex}{SUFFIX}"
        self._lock = _lock(self.path)
        self._written: Document | None = None
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._write_when_idle)
        self._timer.start(round(INTERVAL_SECONDS * 1000))

    def _write_when_idle(self) -> None:
        busy = self._session.playing or QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton
        self._timer.start(round((BUSY_SECONDS if busy else INTERVAL_SECONDS) * 1000))
        if not busy:
            self.try_to_write()

    def try_to_write(self) -> bool:
        """Bring the copy up to date, or say why not, and then try no more by itself."""
        try:
            self._write()
        except (OSError, Refused) as error:
            self._timer.stop()
            self._session.message.emit(f"No recovery copy could be written, so save often: {error}")
            return False
        return True

    def _write(self) -> None:
        session = self._session
        try:
            document = session.whole
        except Refused:  # a function that is being edited is not in order yet: the copy before that stays
            return
        if not session.modified:
            self.path.unlink(missing_ok=True)
            self._written = None
        elif document is not self._written:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._lock.tryLock(0)
            named = {ORIGINAL: str(session.path)} if session.path else {}
            core.save(replace(document, extra={**document.extra, **named}), self.path)
            self._written = document

    def left_behind(self) -> list[Path]:
        """Copies of programs that ended without saying good-bye, newest first."""
        copies = [path for path in self._folder.glob(f"*{SUFFIX}") if path != self.path and _is_orphan(path)]
        return sorted(copies, key=lambda path: path.stat().st_mtime, reverse=True)

    def take_over(self, copy: Path) -> None:
        """Open a copy that was left behind, as unsaved work of this session. Raises Refused when it cannot be read."""
        document = core.load(copy)
        extra = dict(document.extra)
        original = extra.pop(ORIGINAL, None)
        path = Path(original) if isinstance(original, str) else None
        self._session.open(replace(document, extra=extra), path, modified=True)
        if self.try_to_write():
            copy.unlink(missing_ok=True)

    def close(self) -> None:
        """The program ends as it should: nothing is left to be recovered."""
        self._timer.stop()
        self.path.unlink(missing_ok=True)
        self._lock.unlock()


def _lock(copy: Path) -> QLockFile:
    lock = QLockFile(str(copy.with_suffix(".lock")))
    lock.setStaleLockTime(0)  # never by age: a window may stay open for days
    return lock


def _is_orphan(copy: Path) -> bool:
    lock = _lock(copy)
    if not lock.tryLock(0):
        return False
    lock.unlock()
    return True
