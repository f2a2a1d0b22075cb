"""The lines of a graph: numbered, edited in place, each with its value and its gradient at the right."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QSyntaxHighlighter,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QTextEdit

from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme
from cadena.gui.panels.code.completing_editor import CompletingEditor
from cadena.gui.panels.code.completion import Completion, NameSource

ROW = 28  # pixels at `type` 1
NUMBERS = 44  # the column of line numbers
RESULT = 112  # each of the two columns of results
EDGE = 16
BAR = 3
NAME = re.compile(r"\b[^\W\d]\w*")
Key = Qt.Key
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class Result(NamedTuple):
    """A number beside a line, in the colour of a role."""

    text: str
    role: str


class ExpressionEditor(CompletingEditor, QTextEdit):
    """`typed` comes with each change by the user, `committed` with Enter, `cancelled` with Esc."""

    typed = Signal()
    committed = Signal()
    cancelled = Signal()
    finished = Signal()
    undoAsked = Signal()
    redoAsked = Signal()
    focusTaken = Signal()
    focusLeft = Signal()

    def __init__(self, theme: Theme, words: NameSource) -> None:
        super().__init__()
        self.results: Mapping[int, tuple[Result, Result]] = {}  # by the row of the text, from 0
        self.now: tuple[int, str] = (-1, "value")  # the row of the step, and the role of its colour
        self.note = ""  # stands below the lines
        self._mistake: tuple[int, int, int] | None = None
        self._last = ""  # the text before a change: colours and heights of lines change, too
        self.setProperty("plain", True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAcceptRichText(False)
        self.setUndoRedoEnabled(False)  # the graph is undone, and its text with it
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Expressions")
        self.setAccessibleDescription("The graph as text, a line for each result; Enter takes over what is typed")
        self.parameters = Parameters(self)
        self.completion = Completion(self, words, is_python=False)
        self.textChanged.connect(self._changed)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self.setFont(look.code_font(theme, look.CODE))
        self._lay_out()
        self.show_mistake(self._mistake)

    @property
    def row_height(self) -> int:
        return round(ROW * self.theme.type)

    @property
    def rows(self) -> int:
        """The rows that the text takes on the screen, with the note below it."""
        height = self.document().documentLayout().documentSize().height() - 2 * self.document().documentMargin()
        return max(1, round(height / self.row_height)) + bool(self.note)

    def _lay_out(self) -> None:
        """Give each line its height, and leave the columns at both sides free."""
        self.document().setDocumentMargin(0)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        line = QTextBlockFormat()
        line.setLineHeight(self.row_height, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        cursor.mergeBlockFormat(line)
        frame = self.document().rootFrame().frameFormat()
        frame.setLeftMargin(round(NUMBERS * self.theme.type))
        frame.setRightMargin(round((2 * RESULT + 2 * EDGE) * self.theme.type))
        self.document().rootFrame().setFrameFormat(frame)
        self.viewport().update()

    # --- text

    def show_text(self, text: str) -> None:
        """Show a text of the graph; the cursor stays on its row."""
        if text == self.toPlainText():
            return
        row, column = self.textCursor().blockNumber(), self.textCursor().positionInBlock()
        self._last = text
        self.setPlainText(text)
        self._lay_out()
        block = self.document().findBlockByNumber(min(row, self.document().blockCount() - 1))
        cursor = QTextCursor(block)
        cursor.setPosition(block.position() + min(column, block.length() - 1))
        self.setTextCursor(cursor)

    def _changed(self) -> None:
        if (text := self.toPlainText()) != self._last:
            self._last = text
            if self.document().firstBlock().blockFormat().lineHeight() != self.row_height:
                self._lay_out()
            self.typed.emit()

    def show_mistake(self, place: tuple[int, int, int] | None) -> None:
        """Underline (row, column, length), both from 0; None for nothing."""
        self._mistake = place
        selections = []
        if place is not None:
            row, column, length = place
            block = self.document().findBlockByNumber(row)
            begin = min(column, max(0, len(block.text()) - 1))
            selection = QTextEdit.ExtraSelection()
            selection.cursor = QTextCursor(self.document())
            selection.cursor.setPosition(block.position() + begin)
            end = min(begin + max(length, 1), len(block.text()))
            selection.cursor.setPosition(block.position() + end, QTextCursor.MoveMode.KeepAnchor)
            selection.format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            selection.format.setUnderlineColor(self.theme.color("fault"))
            selection.format.setBackground(self.theme.color("fault_ground"))
            selections.append(selection)
        self.setExtraSelections(selections)

    def reveal(self, row: int) -> None:
        """Scroll to a row unless it is seen; the cursor stays."""
        area, bar = self._area(self.document().findBlockByNumber(row)), self.verticalScrollBar()
        if area.top() < 0:
            bar.setValue(round(bar.value() + area.top()))
        elif area.bottom() > self.viewport().height():
            bar.setValue(round(bar.value() + area.bottom() - self.viewport().height()))

    # --- keys

    def own(self, event: QKeyEvent) -> Callable[[], object] | None:
        if event.matches(QKeySequence.StandardKey.Undo):
            return self.undoAsked.emit
        if event.matches(QKeySequence.StandardKey.Redo):
            return self.redoAsked.emit
        if event.key() in (Key.Key_Return, Key.Key_Enter) and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return self.finished.emit
        return super().own(event)

    def types(self, event: QKeyEvent) -> None:
        """Tab leaves the bar; Enter takes what was typed, were it the beginning of another name or not."""
        if event.key() in (Key.Key_Tab, Key.Key_Backtab):
            self.focusNextPrevChild(event.key() == Key.Key_Tab)
            return
        super().types(event)
        self.offer(event)
        if event.key() in (Key.Key_Return, Key.Key_Enter):
            self.committed.emit()

    def leave(self) -> None:
        self.cancelled.emit()

    def focusInEvent(self, event) -> None:
        super().focusInEvent(event)
        self.viewport().update()
        self.focusTaken.emit()

    def focusOutEvent(self, event) -> None:
        super().focusOutEvent(event)
        self.viewport().update()
        if not self.completion.is_open:
            self.focusLeft.emit()

    # --- painting

    def _area(self, block: QTextBlock) -> QRectF:
        """The rows of a block in the viewport, from edge to edge, around the middle of its letters."""
        layout, height = block.layout(), self.row_height
        first = layout.lineAt(0).naturalTextRect() if layout.lineCount() else QRectF(0.0, 0.0, 0.0, height)
        top = layout.position().y() + first.center().y() - height / 2 - self.verticalScrollBar().value()
        return QRectF(0.0, top, self.viewport().width(), max(1, layout.lineCount()) * height)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        theme, (row, role) = self.theme, self.now
        block = self.document().findBlockByNumber(row) if row >= 0 else QTextBlock()
        if block.isValid():
            area = self._area(block)
            painter.fillRect(area, theme.color(f"{role}_ground"))
            painter.fillRect(QRectF(0.0, area.top(), BAR * theme.type, area.height()), theme.color(role))
        painter.end()
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        self._paint_columns(painter)
        if self.hasFocus():
            room, line = self.viewport().rect(), 2.0 * theme.line
            painter.fillRect(QRectF(0.0, room.height() - line, room.width(), line), theme.color("ink"))
        painter.end()

    def _paint_columns(self, painter: QPainter) -> None:
        theme, height = self.theme, self.row_height
        numbers, results = look.font(theme, look.CAPTION), look.font(theme, look.NUMBER, bold=True)
        right = self.viewport().width() - EDGE * theme.type
        column = RESULT * theme.type
        block, end = self.document().firstBlock(), 0.0
        while block.isValid():
            area = self._area(block)
            end = area.bottom()
            if area.bottom() > 0 and area.top() < self.viewport().height():
                painter.setFont(numbers)
                painter.setPen(theme.color("muted"))
                place = QRectF(0.0, area.top(), (NUMBERS - 20) * theme.type, height)
                painter.drawText(place, RIGHT, str(block.blockNumber() + 1))
                painter.setFont(results)
                for at, result in enumerate(self.results.get(block.blockNumber(), ())):
                    painter.setPen(theme.color(result.role))
                    place = QRectF(right - (2 - at) * column, area.bottom() - height, column, height)
                    painter.drawText(place, RIGHT, result.text)
            block = block.next()
        self._paint_note(painter, end)

    def _paint_note(self, painter: QPainter, top: float) -> None:
        is_empty = not self.toPlainText()
        if self.note:
            top = 0.0 if is_empty else top
            place = QRectF(NUMBERS * self.theme.type, top, self.viewport().width(), self.row_height)
            painter.setFont(self.font() if is_empty and not self.isReadOnly() else look.font(self.theme, look.LABEL))
            painter.setPen(self.theme.color("muted"))
            painter.drawText(place, LEFT, self.note)

    def result_fits(self, text: str) -> bool:
        """Whether a number fits into its column."""
        font = look.font(self.theme, look.NUMBER, bold=True)
        return QFontMetricsF(font).horizontalAdvance(text) <= (RESULT - 16) * self.theme.type


class Parameters(QSyntaxHighlighter):
    """Sets the names of parameters in bold."""

    def __init__(self, editor: ExpressionEditor) -> None:
        super().__init__(editor.document())
        self._names: Collection[str] = ()

    def show_names(self, names: Collection[str]) -> None:
        """Set these names in bold."""
        if names != self._names:
            self._names = names
            self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        bold = QTextCharFormat()
        bold.setFontWeight(QFont.Weight.DemiBold)
        for match in NAME.finditer(text.partition("#")[0]):
            if match[0] in self._names:
                self.setFormat(match.start(), len(match[0]), bold)
