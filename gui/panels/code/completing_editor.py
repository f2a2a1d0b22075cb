"""What editors of code and of expressions have in common: keys of their own, completion, and the way out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QMimeData, Qt
from PySide6.QtGui import QKeyEvent

from cadena.gui.panels.code.completion import Completion

Key, CONTROL = Qt.Key, Qt.KeyboardModifier.ControlModifier
TextEdit: Any = object  # QTextEdit or QPlainTextEdit, of which the other bases are one


class CompletingEditor(TextEdit):
    """Stands before one of Qt's text editors among the bases. Its keys are no shortcuts while it has the focus.

    Enter and Tab that are among `taking` insert the name that is chosen, while names are offered.
    """

    completion: Completion
    taking: tuple[Qt.Key, ...] = (Key.Key_Tab,)
    in_names = "_"  # signs after which names are offered, beside letters and digits

    def own(self, event: QKeyEvent) -> Callable[[], object] | None:
        """What a key does here that is more than a letter."""
        if event.modifiers() & CONTROL and event.key() == Key.Key_Space:
            return self._complete
        return None

    def types(self, event: QKeyEvent) -> None:
        """Handle a key that is typed."""
        super().keyPressEvent(event)

    def leave(self) -> None:
        """Handle Esc where no names are offered."""

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Texts, not files: a dropped file is the window's."""
        return not source.hasUrls() and bool(super().canInsertFromMimeData(source))

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self.own(event):
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in self.taking and not event.modifiers() and self.completion.is_open:
            self.completion.insert()
        elif own := self.own(event):
            own()
        elif event.key() != Key.Key_Escape:
            self.types(event)
        elif self.completion.is_open:
            self.completion.close_menu()
        else:
            self.leave()

    def offer(self, event: QKeyEvent) -> None:
        """Offer names while a word is being typed."""
        if not self.isReadOnly() and event.text() and (event.text().isalnum() or event.text() in self.in_names):
            self.completion.offer()
        elif event.text():
            self.completion.close_menu()

    def _complete(self) -> None:
        if not self.isReadOnly():
            self.completion.offer(1)
