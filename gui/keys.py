"""Keys without Ctrl belong to whoever has the focus and can use them; only then are they shortcuts of the window."""

from __future__ import annotations

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

Key = Qt.Key
ARROWS = {Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down}
PLACES = {Key.Key_Home, Key.Key_End, Key.Key_PageUp, Key.Key_PageDown}
PRESS = {Key.Key_Space, Key.Key_Return, Key.Key_Enter}
WRITERS = (QLineEdit, QTextEdit, QPlainTextEdit, QAbstractSpinBox, QAbstractItemView)  # use every plain key
OWN_KEYS: tuple[tuple[type[QWidget], set[Qt.Key]], ...] = (
    (QAbstractButton, PRESS),
    (QAbstractSlider, ARROWS | PLACES),
    (QComboBox, ARROWS | PLACES | PRESS),
    (QMenuBar, ARROWS | PRESS),
)
PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.KeypadModifier)


def wants(widget: QWidget | None, key: int, modifiers: Qt.KeyboardModifier) -> bool:
    """Whether this widget uses that key itself, so that no shortcut may take it away."""
    if widget is None or modifiers not in PLAIN:
        return False
    if isinstance(widget, WRITERS):
        return True
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
