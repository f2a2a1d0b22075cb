"""The open document's file on disk, where other programs and other windows may change it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from cadena.core.graph.fault import Refused
from cadena.core.storage.files import contents, is_gone
from cadena.gui.look.wording import worded

PAUSE_MILLISECONDS = 200  # from the first sign of a change to reading: another program may still be writing
SETTLED_NANOSECONDS = 3 * 10**9  # a younger file may change without a new time stamp; FAT counts in two seconds

Stamp = tuple[int, ...]


@dataclass(frozen=True)
class DiskState:
    """The state of a path on disk. Equal when the contents are, whenever they were written."""

    digest: str = ""
    trouble: str = ""  # why it cannot be read
    stamp: Stamp | None = field(default=None, compare=False)  # as long as this stays, the contents do; None: unknown

    @property
    def is_gone(self) -> bool:
        return not self.digest and not self.trouble


GONE = DiskState()


class OnDisk(QObject):
    """The file of the open document, with what was last read from it or written to it."""

    touched = Signal()  # something happened to the file: check it

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.path: Path | None = None
        self.known = self._state = GONE
        self._watcher: QFileSystemWatcher | None = None
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MILLISECONDS)
        self._pause.timeout.connect(self._announce)
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        application.focusWindowChanged.connect(self._announce)  # the user returns, perhaps from another program

    def follow(self, path: Path | None, digest: str | None = None) -> None:
        """Watch `path`, whose known content has this digest: "" for no file, None for the present content."""
        self._pause.stop()
        self.path, self._state = path, GONE
        self.known = self.look() if digest is None else DiskState(digest)
        self._watcher = None if path is None else QFileSystemWatcher()
        if self._watcher:
            for signal in (self._watcher.fileChanged, self._watcher.directoryChanged):
                signal.connect(self._wait)
            self._watch()

    def is_at(self, path: Path) -> bool:
        """Whether `path` is the file, by whatever name."""
        try:
            return self.path is not None and (path.absolute() == self.path or path.samefile(self.path))
        except OSError:
            return False

    def look(self) -> DiskState:
        """The present state of the file. It is read only where it may have changed since the last call."""
        if self.path is None:
            return GONE
        try:
            stamp = _stamp(self.path)
            if stamp is None or stamp != self._state.stamp:
                self._state = DiskState(digest_of(contents(self.path)), stamp=stamp)
        except (FileNotFoundError, NotADirectoryError):
            self._state = GONE
        except Refused as refusal:
            self._state = DiskState(trouble=worded(refusal))
        return self._state

    def _watch(self) -> None:
        """Watch the folder too: a file that is deleted or replaced is no longer watched, nor would a new one be."""
        if self._watcher and self.path:
            watched = self._watcher.files() + self._watcher.directories()
            for path in (self.path, self.path.parent):
                if str(path) not in watched and not is_gone(path):
                    self._watcher.addPath(str(path))

    def _wait(self) -> None:
        if not self._pause.isActive():
            self._pause.start()

    def _announce(self) -> None:
        self._watch()
        self.touched.emit()


def digest_of(data: bytes) -> str:
    import hashlib

    return hashlib.blake2b(data, digest_size=32).hexdigest()


def _stamp(path: Path) -> Stamp | None:
    """A stamp that changes with the contents of the file; None where it was changed too recently for that."""
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        raise
    except OSError:  # which reading it will tell
        return None
    if time.time_ns() - max(status.st_mtime_ns, status.st_ctime_ns) < SETTLED_NANOSECONDS:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
