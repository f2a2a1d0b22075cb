"""The page of recent files: a card each, the pinned ones first."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent, QPixmap
from PySide6.QtWidgets import QMenu

from cadena.gui.files.recovery.offer import shown_path
from cadena.gui.files.settings import Settings
from cadena.gui.look.theme import Theme
from cadena.gui.tabs.thumbnails import picture_of_file
from cadena.gui.widgets.page_cards import CARD, CardPage, PageCard

HINT = "Enter opens a file, P pins it, Del takes it off the list, Esc leads back to the graph."
PINNED = "Pinned, in {folder}"


class RecentPage(CardPage):
    """`chosen(path)` when a file is to be opened, `closeAsked` when none is."""

    def __init__(self, settings: Settings, theme: Theme) -> None:
        super().__init__(theme, "Recent files", HINT)
        self._settings = settings
        self._pictures: dict[str, QPixmap | None] = {}
        self.picturesAsked.connect(self._ask_for_pictures)
        self.list.installEventFilter(self)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._open_menu)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._pictures.clear()
        super().set_theme(theme)

    def list_files(self) -> None:
        """List the files as the settings have them now."""
        row = self.list.currentRow()
        self._pictures.clear()
        pinned = self._settings.pinned_files
        self.show_cards(_card(path, path in pinned) for path in self._settings.recent_files)
        self.list.setCurrentRow(min(max(row, 0), self.list.count() - 1))

    def picture(self, name: str) -> QPixmap | None:
        return self._pictures.get(name)

    def _ask_for_pictures(self, names: list[str]) -> None:
        for name in names:
            if name not in self._pictures:
                self._pictures[name] = picture_of_file(Path(name), self.theme)

    # --- what is done to an entry

    def _current(self) -> Path | None:
        item = self.list.currentItem()
        return Path(item.data(CARD).name) if item is not None else None

    def pin(self) -> None:
        """Pin the current file, or pin it no longer."""
        if (path := self._current()) is not None:
            self._settings.set_pinned(path, path not in self._settings.pinned_files)
            self.list_files()
            rows = [self.list.item(row).data(CARD).name for row in range(self.list.count())]
            if str(path) in rows:
                self.list.setCurrentRow(rows.index(str(path)))

    def remove(self) -> None:
        """Take the current file off the list."""
        if (path := self._current()) is not None:
            self._settings.forget_file(path)
            self.list_files()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and not event.modifiers():
            act = {Qt.Key.Key_P: self.pin, Qt.Key.Key_Delete: self.remove}.get(Qt.Key(event.key()))
            if act is not None:
                act()
                return True
        return False

    def _open_menu(self, at: QPoint) -> None:
        item = self.list.itemAt(at)
        if item is None:
            return
        self.list.setCurrentItem(item)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Unpin" if self._current() in self._settings.pinned_files else "Pin", self.pin)
        menu.addAction("Take off the list", self.remove)
        menu.popup(self.list.viewport().mapToGlobal(at))


def _card(path: Path, is_pinned: bool) -> PageCard:
    folder = shown_path(path.parent)
    return PageCard(str(path), path.stem, PINNED.format(folder=folder) if is_pinned else folder)
