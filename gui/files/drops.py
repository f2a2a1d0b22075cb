"""Files that are dropped on a window, wherever on it: each opens."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QTimer
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget


class FileDrops(QObject):
    """Filter for a window, which calls `open_path` for each file."""

    def __init__(self, window: QWidget, open_path: Callable[[Path], object]) -> None:
        super().__init__(window)
        self._open_path = open_path
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDragEnterEvent) and event.mimeData().hasUrls():
            event.acceptProposedAction()
            return True
        if isinstance(event, QDropEvent) and event.type() is QEvent.Type.Drop and (paths := files_of(event.mimeData())):
            event.acceptProposedAction()
            for path in paths:  # when the drag has ended: a question may be asked then
                QTimer.singleShot(0, self, partial(self._open_path, path))
            return True
        return False


def files_of(data: QMimeData) -> list[Path]:
    """The files that are dragged."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
