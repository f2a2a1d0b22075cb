"""The page of recent files over the graph, and the pictures on it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject

from cadena.gui.background.worker import Work
from cadena.gui.frame.documents import Documents
from cadena.gui.frame.frame import WindowFrame
from cadena.gui.look.theme import Theme

if TYPE_CHECKING:  # imported when first shown
    from cadena.gui.tabs.recent_page import RecentPage


class Recents(QObject):
    """Shows the recent files, and keeps their pictures: when a file is saved or left, and when they are shown."""

    def __init__(self, window: WindowFrame, documents: Documents) -> None:
        super().__init__(documents)
        self._window = window
        self.page: RecentPage | None = None
        documents.leaving.connect(self.keep_picture)
        window.files.saved.connect(self.keep_picture)

    def keep_picture(self) -> Work | None:
        """Keep a picture of the shown document, if it is one of a file; the work of writing it, where there is some."""
        if self._window.session.path is None:
            return None
        from cadena.gui.tabs.thumbnails import keep_picture

        return keep_picture(self._window.session, self._window.theme)

    @property
    def shown(self) -> bool:
        return self.page is not None and self.page.isVisible()

    def toggle(self) -> None:
        """Show the recent files over the graph, or the graph again."""
        if self.shown:
            self._leave()
            return
        page = self.page or self._make_page()
        self._window.session.playback.pause()
        if (writing := self.keep_picture()) is not None:
            writing.succeeded.connect(lambda *_: page.list_files())
        page.list_files()
        page.list.setCurrentRow(0)  # the row of last time is another file's now
        self._cover()
        page.show()
        page.raise_()

    def set_theme(self, theme: Theme) -> None:
        if self.page is not None:
            self.page.set_theme(theme)

    def _make_page(self) -> RecentPage:
        from cadena.gui.tabs.recent_page import RecentPage

        window, whole = self._window, self._window.centralWidget()
        assert whole is not None
        page = self.page = RecentPage(window.settings, window.theme)
        page.setParent(whole)
        page.chosen.connect(self._open)
        page.closeAsked.connect(self._leave)
        window.session.opened.connect(page.hide)
        whole.installEventFilter(self)
        return page

    def _open(self, name: str) -> None:
        self._leave()
        self._window.files.open_recent(Path(name))

    def _leave(self) -> None:
        if self.page is not None:
            self.page.hide()
        self._window.canvas.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and self.shown:
            self._cover()
        return False

    def _cover(self) -> None:
        """Lay the page over all that is below the header."""
        whole, above = self._window.centralWidget(), self._window.header
        if self.page is not None and whole is not None:
            top = 0 if above.isHidden() else above.geometry().bottom() + 1
            self.page.setGeometry(whole.rect().adjusted(0, top, 0, 0))
