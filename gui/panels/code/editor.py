"""An editor of code: line numbers, marked lines, indentation, comments, completion, and a size of type of its own."""

from __future__ import annotations

from collections.abc import Callable
from os.path import commonprefix

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import tip
from cadena.gui.look.theme import Theme
from cadena.gui.panels.code.colors import CodeColors
from cadena.gui.panels.code.completing_editor import CONTROL, CompletingEditor
from cadena.gui.panels.code.completion import Completion, NameSource

INDENT = 4
AT_ONCE = 200  # letters from outside: for more the colours do not wait for a pause
ZOOMS = (0.7, 0.8, 0.9, 1.0, 1.15, 1.3, 1.5, 1.75, 2.0)
SHIFT = Qt.KeyboardModifier.ShiftModifier
Key = Qt.Key


class LineMarks:
    """Which lines are marked, and as what."""

    def __init__(self) -> None:
        self.fault: tuple[int, str] = (0, "")  # the line, from 1, and the sentence
        self.now: tuple[int, str] = (0, "value")  # the line under way, and the role of its colour
        self.chosen: frozenset[int] = frozenset()  # the lines of the selected nodes


class CodeEditor(CompletingEditor, QPlainTextEdit):
    """`lineChosen(line)` when the cursor goes to another line; `runAsked`, `findAsked` by key.

    `undoAsked` and `redoAsked` come by key where nothing that was typed is left to be undone or redone.
    """

    lineChosen = Signal(int)
    runAsked = Signal()
    findAsked = Signal()
    undoAsked = Signal()
    redoAsked = Signal()
    leftByKey = Signal()
    focusLeft = Signal()

    taking = (Key.Key_Return, Key.Key_Enter, Key.Key_Tab)
    in_names = "._"

    def __init__(self, theme: Theme, words: NameSource = lambda owner: ()) -> None:
        super().__init__()
        self.marks, self._zoom, self._line = LineMarks(), ZOOMS.index(1.0), 1
        self.setProperty("code", True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.numbers = LineNumbers(self)
        self.colors = CodeColors(self.document(), theme)
        self.completion = Completion(self, words)
        self.blockCountChanged.connect(lambda _: self._make_room())
        self.updateRequest.connect(self._scroll_numbers)
        self.cursorPositionChanged.connect(self._follow_cursor)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self._set_font()
        self.colors.set_theme(theme)
        self.show_marks()

    def _set_font(self) -> None:
        font = look.code_font(self.theme, look.SCRIPT * ZOOMS[self._zoom])
        self.setFont(font)
        self.setTabStopDistance(INDENT * QFontMetricsF(font).horizontalAdvance(" "))
        self._make_room()

    def zoom(self, by: int) -> None:
        """The next larger or smaller type; 0 for the usual one."""
        self._zoom = min(max(self._zoom + by, 0), len(ZOOMS) - 1) if by else ZOOMS.index(1.0)
        self._set_font()

    # --- text

    def show_text(self, text: str) -> None:
        """Another text from outside: the cursor stays on its line, and what was typed before is no longer undone here.

        To undo this text, too, would take back what was undone elsewhere.
        """
        if text == self.toPlainText():
            return
        before = self.toPlainText()
        head = len(commonprefix([before, text]))  # noqa: RUF071 - letters are meant
        tail = len(commonprefix([before[head:][::-1], text[head:][::-1]]))  # noqa: RUF071 - letters are meant
        cursor, scrolled = QTextCursor(self.document()), self.verticalScrollBar().value()
        cursor.setPosition(_units(before[:head]))
        cursor.setPosition(_units(before[: len(before) - tail]), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text[head : len(text) - tail])
        self.document().clearUndoRedoStacks()
        self.verticalScrollBar().setValue(scrolled)
        if not before or len(text) - tail - head > AT_ONCE:
            self.colors.rehighlight()

    def go_to(self, line: int) -> None:
        """Put the cursor at the beginning of a line, counted from 1, and bring it into view."""
        block = self.document().findBlockByNumber(line - 1)
        if block.isValid():
            self.setTextCursor(QTextCursor(block))
            self.ensureCursorVisible()

    def reveal(self, line: int) -> None:
        """Scroll to a line unless it is seen; the cursor stays."""
        block = self.document().findBlockByNumber(line - 1)
        if not block.isValid():
            return
        top, bar = self.firstVisibleBlock().blockNumber(), self.verticalScrollBar()
        rows = max(1, self.viewport().height() // max(1, self.fontMetrics().lineSpacing()))
        if not top <= line - 1 < top + rows - 1:
            bar.setValue(max(0, line - 1 - rows // 3))

    # --- marks

    def show_marks(self) -> None:
        """Paint the marked lines anew."""
        highlights, marks, theme = [], self.marks, self.theme
        grounds = [(line, "field") for line in marks.chosen]
        if marks.now[0]:
            grounds.append((marks.now[0], f"{marks.now[1]}_ground"))
        if marks.fault[0]:
            grounds.append((marks.fault[0], "fault_ground"))
        for line, role in grounds:
            block = self.document().findBlockByNumber(line - 1)
            if block.isValid():
                selection = QTextEdit.ExtraSelection()
                selection.cursor = QTextCursor(block)
                selection.format.setBackground(theme.color(role))
                selection.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
                highlights.append(selection)
        self.setExtraSelections(highlights)
        self.setToolTip(tip(marks.fault[1]) if marks.fault[0] else "")
        self.numbers.update()

    def _follow_cursor(self) -> None:
        line = self.textCursor().blockNumber() + 1
        if line != self._line:
            self._line = line
            self.numbers.update()
            if self.hasFocus():
                self.lineChosen.emit(line)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            self.lineChosen.emit(self.textCursor().blockNumber() + 1)

    def focusOutEvent(self, event) -> None:
        super().focusOutEvent(event)
        self.focusLeft.emit()

    # --- line numbers

    def _make_room(self) -> None:
        self.setViewportMargins(self.numbers.room(), 0, 0, 0)

    def _scroll_numbers(self, area: QRect, by: int) -> None:
        if by:
            self.numbers.scroll(0, by)
        else:
            self.numbers.update(0, area.y(), self.numbers.width(), area.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        inside = self.contentsRect()
        self.numbers.setGeometry(QRect(inside.left(), inside.top(), self.numbers.room(), inside.height()))

    # --- keys

    def own(self, event: QKeyEvent) -> Callable[[], object] | None:
        """What a key with Ctrl does here."""
        if not event.modifiers() & CONTROL:
            return None
        if event.matches(QKeySequence.StandardKey.Undo):
            return self.undo if self.document().isUndoAvailable() else self.undoAsked.emit
        if event.matches(QKeySequence.StandardKey.Redo):
            return self.redo if self.document().isRedoAvailable() else self.redoAsked.emit
        return {
            Key.Key_Return: self.runAsked.emit, Key.Key_Enter: self.runAsked.emit, Key.Key_F: self.findAsked.emit,
            Key.Key_Plus: lambda: self.zoom(1), Key.Key_Equal: lambda: self.zoom(1),
            Key.Key_Minus: lambda: self.zoom(-1), Key.Key_0: lambda: self.zoom(0),
            Key.Key_Slash: self.toggle_comment,
        }.get(Key(event.key()), super().own(event))  # fmt: skip

    def types(self, event: QKeyEvent) -> None:
        if self.isReadOnly() or not self._indents(event):
            super().types(event)
            self.offer(event)

    def leave(self) -> None:
        self.leftByKey.emit()

    def _indents(self, event: QKeyEvent) -> bool:
        """Whether the key is one of indentation, which has then been done."""
        key, cursor = event.key(), self.textCursor()
        before = cursor.block().text()[: cursor.positionInBlock()]
        if key == Key.Key_Backtab or (key == Key.Key_Tab and cursor.hasSelection()):
            self._on_lines(_unindented if key == Key.Key_Backtab else _indented)
        elif key == Key.Key_Tab:
            cursor.insertText(" " * (INDENT - len(before) % INDENT))
        elif key in (Key.Key_Return, Key.Key_Enter) and not event.modifiers() & SHIFT:
            deeper = INDENT if before.rstrip().endswith((":", "(", "[", "{")) else 0
            cursor.insertText("\n" + " " * (len(before) - len(before.lstrip(" ")) + deeper))
            self.ensureCursorVisible()
        elif key == Key.Key_Backspace and not cursor.hasSelection() and before and not before.strip(" "):
            for _ in range((len(before) - 1) % INDENT + 1):
                cursor.deletePreviousChar()
        else:
            return False
        return True

    def toggle_comment(self) -> None:
        """Comment the selected lines out, or in again where all of them are comments."""
        if not self.isReadOnly():
            lines = [block.text() for block in self._selected_blocks() if block.text().strip()]
            commented = bool(lines) and all(line.lstrip().startswith("#") for line in lines)
            self._on_lines(_uncommented if commented else _commented)

    def _selected_blocks(self) -> list[QTextBlock]:
        cursor = self.textCursor()
        block = self.document().findBlock(cursor.selectionStart())
        last = self.document().findBlock(max(cursor.selectionStart(), cursor.selectionEnd() - 1))
        blocks = [block]
        while block != last:
            block = block.next()
            blocks.append(block)
        return blocks

    def _on_lines(self, change: Callable[[str], str]) -> None:
        """Change each selected line, as one step that can be undone."""
        cursor = self.textCursor()
        cursor.beginEditBlock()
        for block in self._selected_blocks():
            if block.text().strip():
                line = QTextCursor(block)
                line.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
                line.insertText(change(block.text()))
        cursor.endEditBlock()


def _units(text: str) -> int:
    """How many places of Qt's text, which counts in UTF-16, a text takes."""
    return len(text) + sum(letter > "\uffff" for letter in text)


def _indented(line: str) -> str:
    return " " * INDENT + line


def _unindented(line: str) -> str:
    return line[min(INDENT, len(line) - len(line.lstrip(" "))) :]


def _commented(line: str) -> str:
    inside = line.lstrip(" ")
    return f"{line[: len(line) - len(inside)]}# {inside}"


def _uncommented(line: str) -> str:
    head, _, rest = line.partition("#")
    return head + rest.removeprefix(" ")


class LineNumbers(QWidget):
    """The numbers beside the lines, with a bar at each marked one."""

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._editor = editor

    def room(self) -> int:
        """The width that the highest number takes, with the bar and some air."""
        digits = len(str(max(99, self._editor.blockCount())))
        return round(QFontMetricsF(self._editor.font()).horizontalAdvance("9") * digits) + 3 * look.GAP

    def sizeHint(self) -> QSize:
        return QSize(self.room(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        editor, theme = self._editor, self._editor.theme
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme.color("window"))
        painter.setFont(editor.font())
        block = editor.firstVisibleBlock()
        top = editor.blockBoundingGeometry(block).translated(editor.contentOffset()).top()
        while block.isValid() and top <= event.rect().bottom():
            height = editor.blockBoundingRect(block).height()
            self._paint_number(painter, block.blockNumber() + 1, round(top), round(height))
            top += height
            block = block.next()
        painter.end()

    def _paint_number(self, painter: QPainter, line: int, top: int, height: int) -> None:
        marks, theme = self._editor.marks, self._editor.theme
        role = (
            "fault" if line == marks.fault[0]
            else marks.now[1] if line == marks.now[0]
            else "text" if line in marks.chosen
            else ""
        )  # fmt: skip
        if role:
            ground = "field" if role == "text" else f"{role}_ground"
            painter.fillRect(0, top, self.width(), height, theme.color(ground))
            painter.fillRect(0, top, round(3 * theme.line), height, theme.color(role))
        color: QColor = theme.color("text" if role or line == self._editor._line else "muted")
        painter.setPen(color)
        text = f"⚠ {line}" if role == "fault" else str(line)
        painter.drawText(QRect(0, top, self.width() - look.GAP, height), Qt.AlignmentFlag.AlignRight, text)
