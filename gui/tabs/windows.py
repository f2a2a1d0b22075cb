"""The windows of the program: each has its own documents, and a document is open in one of them."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, QTimer

from cadena.gui.frame.frame import WindowFrame

BESIDE = QPoint(32, 32)  # pixels from one window to the next


Beside = Callable[
    [WindowFrame, "Windows"], WindowFrame
]  # makes a window with an empty graph, with the settings of the given one


def _collect_soon(*_: object) -> None:
    """Collect what is left of a window in the interface's own thread: parts of Qt must not go in another."""
    QTimer.singleShot(0, gc.collect)


class Windows:
    """All windows, in the order in which they were opened."""

    def __init__(self, beside: Beside) -> None:
        self._beside = beside
        self._quits = False  # while all windows are being closed
        self.all: list[WindowFrame] = []

    def join(self, window: WindowFrame) -> None:
        """Note one window more."""
        self.all.append(window)

    def leave(self, window: WindowFrame) -> None:
        """Note that a window is closed."""
        if self.all == [window]:
            self.note()
        self.all.remove(window)

    def note(self) -> None:
        """Note what is open, for the next start, if the user wants that."""
        if self.all and self.all[0].settings.reopens and not self._quits:
            from cadena.gui.tabs.restored_tabs import noted

            self.all[0].settings.open_documents = noted([window.documents for window in self.all])

    def restore(self) -> None:
        """Open what was open: in the first window, and in others beside it."""
        first = self.all[0]
        from cadena.gui.tabs.restored_tabs import read_notes, restore

        for number, window in enumerate(read_notes(first.settings.open_documents)):
            target = first if number == 0 else self.open_beside(first)
            restore(target.session, target.documents, window)

    def shows_elsewhere(self, window: WindowFrame, path: Path) -> bool:
        """Bring the document of this file into view where another window has it."""
        for other in self.all:
            index = None if other is window else other.documents.index_of(path)
            if index is not None:
                other.documents.show(index)
                other.raise_()
                other.activateWindow()
                return True
        return False

    def open_beside(self, other: WindowFrame) -> WindowFrame:
        """Open a window with an empty graph, of the size of another one and a little off it."""
        window = self._beside(other, self)
        window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        window.destroyed.connect(_collect_soon)
        place = other.geometry()
        window.resize(place.width(), place.height())
        window.move(place.topLeft() + BESIDE)
        window.show()
        window.activateWindow()
        return window

    def close_all(self) -> bool:
        """Close all windows, until the user wants to keep one. Returns whether all are closed."""
        self.note()
        self._quits = True
        closed = all(window.close() for window in tuple(reversed(self.all)))
        self._quits = False
        return closed

    def try_to_write(self) -> bool:
        """Wait until the recovery copies of all windows are up to date. Returns whether they are."""
        return not [window for window in self.all if not window.recovery.try_to_write()]
