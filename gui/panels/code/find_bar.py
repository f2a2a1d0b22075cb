"""A row to find a text in an editor."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPlainTextEdit, QWidget

from cadena.gui.look import theme as look
from cadena.gui.panels.parts.common import caption


class FindRow(QWidget):
    """Enter goes to the next place, Shift+Enter to the one before; Esc closes."""

    closed = Signal()

    def __init__(self, editor: QPlainTextEdit) -> None:
        super().__init__()
        self._editor = editor
        self.field = QLineEdit(placeholderText="find in the code", clearButtonEnabled=True)
        self.field.setAccessibleName("Find in the code")
        self.count = caption("")
        self.field.textChanged.connect(self._from_here)
        self.field.installEventFilter(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(look.GAP, 0, look.GAP, look.GAP // 2)
        row.addWidget(self.field, 1)
        row.addWidget(self.count)
        self.hide()

    def open(self) -> None:
        """Show the row with the text that is selected in the editor."""
        selected = self._editor.textCursor().selectedText()
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if selected and selected.isprintable():
            self.field.setText(selected)
        self.field.selectAll()

    def close_row(self) -> None:
        self.hide()
        self._editor.setFocus()

    def eventFilter(self, watched, event) -> bool:
        if event.type() is not QEvent.Type.KeyPress:
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.close_row()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.go(back=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            return False
        return True

    def _from_here(self) -> None:
        cursor = self._editor.textCursor()
        cursor.setPosition(cursor.selectionStart())
        self._editor.setTextCursor(cursor)
        self.go()

    def go(self, back: bool = False) -> None:
        """Select the next place, beyond the end that from the beginning."""
        text, editor = self.field.text(), self._editor
        count = editor.toPlainText().lower().count(text.lower()) if text else 0
        self.count.setText(str(count) if text else "")
        if not count:
            return
        flags = QTextDocument.FindFlag.FindBackward if back else QTextDocument.FindFlag(0)
        if not editor.find(text, flags):
            cursor = editor.textCursor()
            cursor.movePosition(QTextCursor.MoveOperation.End if back else QTextCursor.MoveOperation.Start)
            editor.setTextCursor(cursor)
            editor.find(text, flags)
