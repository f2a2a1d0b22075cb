"""Offer keys without Ctrl to the widget with the focus first, and to the window's shortcuts afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QMenuBar,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

if TYPE_CHECKING:
    from cadena.gui.canvas.interaction.canvas import Canvas

Key = Qt.Key
ARROWS = {Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down}
PLACES = {Key.Key_Home, Key.Key_End, Key.Key_PageUp, Key.Key_PageDown}
PRESS = {Key.Key_Space, Key.Key_Return, Key.Key_Enter}
LETTERS = {Key(code) for code in (*range(Key.Key_0, Key.Key_9 + 1), *range(Key.Key_A, Key.Key_Z + 1))}
WRITERS = (QLineEdit, QTextEdit, QPlainTextEdit, QAbstractSpinBox, QAbstractItemView)  # use every plain key
OWN_KEYS: tuple[tuple[type[QWidget], set[Qt.Key]], ...] = (
    (QAbstractButton, PRESS),
    (QAbstractSlider, ARROWS | PLACES),
    (QComboBox, ARROWS | PLACES | PRESS | LETTERS),  # letters go to the entry that begins with them
    (QMenuBar, ARROWS | PRESS),
)
PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.KeypadModifier)


def wants(widget: QWidget | None, key: int, modifiers: Qt.KeyboardModifier) -> bool:
    """Whether this widget uses that key itself, so that no shortcut may take it."""
    if widget is None or modifiers not in PLAIN:
        return False
    if isinstance(widget, WRITERS):  # of the function keys tables use F2
        is_function_key = Key.Key_F1 <= key <= Key.Key_F35
        return not is_function_key or (key == Key.Key_F2 and isinstance(widget, QAbstractItemView))
    return any(isinstance(widget, kind) and key in keys for kind, keys in OWN_KEYS)


class KeyGuard(QObject):
    """Filter for the window, which hears of a key press before its shortcuts do."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        if wants(QApplication.focusWidget(), event.key(), event.modifiers()):
            event.accept()
            return True
        return False


class SpaceBar(QObject):
    """Filter for the window: the space bar pans the canvas when held and plays when tapped, wherever the focus is.

    As a shortcut it would play at the press, before it is known whether a drag follows. A button that has the focus
    keeps the tap, but not a drag on the canvas; a text field keeps both.
    """

    def __init__(self, window: QWidget, canvas: Canvas) -> None:
        super().__init__(window)
        self._canvas = canvas
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.FocusOut and watched is not self.parent():
            self._let_go(watched)
        focused = QApplication.focusWidget()
        if not isinstance(event, QKeyEvent) or event.key() != Key.Key_Space or isinstance(focused, WRITERS):
            return False
        if event.type() is not QEvent.Type.KeyRelease and event.modifiers():
            return False
        if focused is not None and wants(focused, Key.Key_Space, Qt.KeyboardModifier.NoModifier):
            return self._beside(focused, event)
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
        elif event.type() is QEvent.Type.KeyPress and not event.isAutoRepeat():
            self._canvas.press_space()
        elif event.type() is QEvent.Type.KeyRelease and not event.isAutoRepeat():
            self._canvas.release_space()
        return True

    def _beside(self, button: QWidget, event: QKeyEvent) -> bool:
        """The bar is pressed or released on a button, which acts on it too; True where it is to hear no more of it."""
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            if not event.isAutoRepeat():
                button.installEventFilter(self)  # its key events do not come to the window
                self._canvas.press_space(tap_plays=False)
            return True
        if event.type() is QEvent.Type.KeyRelease and not event.isAutoRepeat():
            self._let_go(button)
        return False

    def _let_go(self, button: QObject) -> None:
        button.removeEventFilter(self)
        if not self._canvas.hasFocus():
            self._canvas.drop_space()
