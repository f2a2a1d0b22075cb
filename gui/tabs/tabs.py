"""The place of the tab bar: above everything else, once there is more than one document."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QVBoxLayout

from cadena.gui.frame.documents import Documents
from cadena.gui.frame.frame import WindowFrame
from cadena.gui.look.theme import Theme
from cadena.gui.tabs.recent_overlay import Recents
from cadena.gui.tabs.windows import Windows

if TYPE_CHECKING:  # imported when there is a second document
    from cadena.gui.tabs.bar import TabBar


class Tabs(QObject):
    """Shows the tabs of the documents, unless there is but one, or while presenting; and leads to other windows."""

    def __init__(self, window: WindowFrame, documents: Documents, windows: Windows) -> None:
        super().__init__(documents)
        self._window, self._documents, self._windows = window, documents, windows
        self.bar: TabBar | None = None
        self.recents = Recents(window, documents)
        windows.join(window)
        documents.elsewhere = partial(windows.shows_elsewhere, window)
        documents.changed.connect(self.follow)

    # --- windows

    def open_window(self) -> None:
        """Open a window with an empty graph."""
        self._windows.open_beside(self._window)

    def move_to_window(self, index: int | None = None) -> None:
        """Give a document, by default the shown one, a window of its own, unless it has one."""
        documents = self._documents
        if len(documents) > 1:
            index = documents.index if index is None else index
            documents.hand_over(index, self._windows.open_beside(self._window).documents)

    def close_document(self) -> None:
        """Close the shown document; with nothing in it that is the only one, close the window."""
        documents = self._documents
        if len(documents) == 1 and documents.is_untouched and not self._window.session.document.nodes:
            self._window.close()
        else:
            documents.close()

    @property
    def reopens(self) -> bool:
        """Whether the next start opens what is open."""
        return self._window.settings.reopens

    def toggle_reopening(self) -> None:
        """Open what was open at each start, or no longer."""
        self._window.settings.reopens = not self.reopens
        self._windows.note()

    def quit(self) -> None:
        """Close all windows, until the user wants to keep one."""
        self._windows.close_all()

    def leave(self) -> None:
        """Note that the window is closed."""
        self._window.session.tasks.cancel_all()
        self.recents.keep_picture()
        self._window.files.know(None)  # no file is watched when another thread collects the garbage
        self._windows.leave(self._window)

    # --- the bar

    def follow(self) -> None:
        """Show the documents as they are now."""
        self._windows.note()
        shown = len(self._documents) > 1 and not self._window.presenting
        if self.bar is None and shown:
            self._make_bar()
        if self.bar is not None:
            self.bar.show_labels(self._documents.labels, self._documents.index)
            self.bar.setVisible(shown)

    def set_theme(self, theme: Theme) -> None:
        self.recents.set_theme(theme)
        if self.bar is not None:
            self.bar.set_theme(theme)

    def _make_bar(self) -> None:
        from cadena.gui.tabs.bar import TabBar

        window, documents = self._window, self._documents
        self.bar = bar = TabBar(window.theme)
        bar.chosen.connect(documents.show)
        bar.closeAsked.connect(documents.close)
        bar.othersAsked.connect(documents.close_others)
        bar.newAsked.connect(window.files.new)
        bar.moved.connect(documents.move)
        bar.draggedOut.connect(self.move_to_window)
        whole = window.centralWidget()
        layout = whole.layout() if whole is not None else None
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(0, bar)
        window.room.count(bar)
