"""The open document's file as it lies on disk, where other programs and other windows may change it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from cadena.core.graph.fault import Refused
from cadena.core.storage.files import contents
from cadena.gui.wording import said

PAUSE_MILLISECONDS = 200  # from the first sign of a change to a look: whoever writes may be in the middle of it
SETTLED_NANOSECONDS = 3 * 10**9  # a file that is younger may change without another time; FAT counts in two seconds

Stamp = tuple[int, ...]


@dataclass(frozen=True)
class Found:
    """What lies at a path. Equal when the contents are, whenever they were written."""

    digest: str = ""
    trouble: str = ""  # why it cannot be read
    stamp: Stamp | None = field(default=None, compare=False)  # as long as this stays, the contents do; None: unknown

    @property
    def is_gone(self) -> bool:
        return not self.digest and not self.trouble


GONE = Found()


class OnDisk(QObject):
    """The file of the open document, with what was last read from it or written to it."""

    stirred = Signal()  # something happened to the file: look at it

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.path: Path | None = None
        self.known = self._found = GONE
        self._watcher: QFileSystemWatcher | None = None
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MILLISECONDS)
        self._pause.timeout.connect(self._tell)
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        application.focusWindowChanged.connect(self._tell)  # the user comes back, perhaps from another program

    def follow(self, path: Path | None, digest: str | None = None) -> None:
        """Watch `path` from now on, known to hold what has this digest, "" for no file; None: what is there now."""
        self._pause.stop()
        self.path, self._found = path, GONE
        self.known = self.look() if digest is None else Found(digest)
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

    def look(self) -> Found:
        """What the file holds now. It is read only where it may be another than at the last look."""
        if self.path is None:
            return GONE
        try:
            stamp = _stamp(self.path)
            if stamp is None or stamp != self._found.stamp:
                self._found = Found(digest_of(contents(self.path)), stamp=stamp)
        except (FileNotFoundError, NotADirectoryError):
            self._found = GONE
        except Refused as refusal:
            self._found = Found(trouble=said(refusal))
        return self._found

    def _watch(self) -> None:
        """The folder too: a file that is deleted or replaced is watched no more, and a new one would not be noticed."""
        if self._watcher and self.path:
            watched = self._watcher.files() + self._watcher.directories()
            for path in (self.path, self.path.parent):
                if str(path) not in watched and path.exists():
                    self._watcher.addPath(str(path))

    def _wait(self) -> None:
        if not self._pause.isActive():
            self._pause.start()

    def _tell(self) -> None:
        self._watch()
        self.stirred.emit()


def digest_of(data: bytes) -> str:
    import hashlib

    return hashlib.blake2b(data, digest_size=32).hexdigest()


def _stamp(path: Path) -> Stamp | None:
    """What changes with the contents of the file; None where it was changed so lately that it may not."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        raise
    except OSError:  # which reading it will tell
        return None
    if time.time_ns() - max(found.st_mtime_ns, found.st_ctime_ns) < SETTLED_NANOSECONDS:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
