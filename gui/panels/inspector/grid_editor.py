"""The editor of an array: a table of its numbers, to type into and to paste blocks into."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QTableView, QVBoxLayout, QWidget

from cadena.core.graph.document import as_value
from cadena.core.graph.fault import Refused
from cadena.core.notation.reading import read_value
from cadena.core.text.numbers import full, short
from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme
from cadena.gui.panels.parts.common import Sentence
from cadena.gui.panels.parts.shapes import read_block
from cadena.gui.widgets.decimals import DecimalCells

ItemRole = Qt.ItemDataRole
Index = QModelIndex | QPersistentModelIndex
ROWS_SHOWN = 8


class ArrayModel(QAbstractTableModel):
    """A numpy array as a table: a vector is one row, leading axes become rows. Never changes the array itself."""

    typed = Signal(int, int, str)

    def __init__(self) -> None:
        super().__init__()
        self.array = np.zeros((1, 1))
        self.shape: tuple[int, ...] = (1, 1)
        self.color = QColor()

    def show(self, array: np.ndarray) -> None:
        """Show `array`, of one axis or more."""
        same = array.shape == self.shape
        if not same:
            self.beginResetModel()
        self.shape, self.array = array.shape, array.reshape(-1, array.shape[-1])
        if same:
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))
        else:
            self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        return len(self.array)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return self.array.shape[1]

    def data(self, index: Index, role: int = ItemRole.DisplayRole):
        number = self.array[index.row(), index.column()]
        if role == ItemRole.DisplayRole:
            return short(number)
        if role in (ItemRole.EditRole, ItemRole.ToolTipRole):
            return full(number)
        if role == ItemRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return self.color if role == ItemRole.ForegroundRole else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = ItemRole.DisplayRole):
        if role != ItemRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Horizontal or len(self.shape) <= 2:
            return str(section)
        return ", ".join(str(place) for place in np.unravel_index(section, self.shape[:-1]))

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    def setData(self, index: Index, value, role: int = ItemRole.EditRole) -> bool:
        self.typed.emit(index.row(), index.column(), str(value))
        return False  # the new array comes back through the session


class GridEditor(QWidget):
    """Emits `edited(value)` with the whole new array."""

    edited = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.model = ArrayModel()
        self.model.typed.connect(self._typed)
        self.table = _Table(self)
        self.table.setModel(self.model)
        self.table.setItemDelegate(DecimalCells(self.table))
        self.sentence = Sentence(theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table)
        column.addWidget(self.sentence)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.model.color = theme.color("value")
        self.table.setFont(look.font(theme))
        self.sentence.set_theme(theme)
        self._fit()

    def show_array(self, array: np.ndarray) -> None:
        """Show an array of one axis or more."""
        another = array.shape != self.model.shape
        self.model.show(array)
        if another:
            self.sentence.say("")
        self._fit()

    def _fit(self) -> None:
        """Make the table as high as its rows, up to a limit."""
        row = self.table.fontMetrics().height() + round(8 * self._theme.type)
        self.table.verticalHeader().setDefaultSectionSize(row)
        self.table.verticalHeader().setMinimumSectionSize(row)
        self.table.horizontalHeader().setMinimumSectionSize(round(56 * self._theme.type))
        self.table.resizeColumnsToContents()
        rows = min(self.model.rowCount(), ROWS_SHOWN)
        header = self.table.horizontalHeader().sizeHint().height()
        wide = self.table.horizontalHeader().length() > self.table.viewport().width() > 0
        bar = self.table.horizontalScrollBar().sizeHint().height() if wide else 0
        self.table.setFixedHeight(header + rows * row + bar + round(4 * self._theme.line))

    def resizeEvent(self, event) -> None:
        self._fit()

    # --- editing

    def _typed(self, row: int, column: int, text: str) -> None:
        try:
            number = read_value(text)
            if not isinstance(number, float):
                raise Refused(
                    "{text!r} is more than one number", "to put in a block of numbers, paste it", text=text[:40]
                )
        except Refused as refusal:
            self.sentence.say(f"Row {row}, column {column}: {refusal}.")
            return
        self.sentence.say("")
        array = np.array(self.model.array)
        array[row, column] = number
        self.edited.emit(as_value(array.reshape(self.model.shape)))

    def paste(self, text: str) -> None:
        """Put a block of numbers in from the current cell on; at the first cell a larger block replaces the array."""
        try:
            array = self._with_block(read_block(text))
        except Refused as refusal:
            self.sentence.say(f"{refusal}.")
            return
        self.sentence.say("")
        self.edited.emit(as_value(array))

    def _with_block(self, block: np.ndarray) -> np.ndarray:
        array, at = np.array(self.model.array), self.table.currentIndex()
        row, column = max(at.row(), 0), max(at.column(), 0)
        bottom, right = row + block.shape[0], column + block.shape[1]
        if bottom <= array.shape[0] and right <= array.shape[1]:
            array[row:bottom, column:right] = block
            return array.reshape(self.model.shape)
        if row == column == 0 and len(self.model.shape) <= 2:
            return block[0] if len(block) == 1 and len(self.model.shape) == 1 else block
        raise Refused(
            "the {shape} × {shape2} numbers do not fit from row {row}, column {column} on",
            "paste them at the first cell or change the shape",
            shape=block.shape[0],
            shape2=block.shape[1],
            row=row,
            column=column,
        )

    def copied(self) -> str:
        """The selected cells as text that a spreadsheet takes, with all digits."""
        chosen = self.table.selectionModel().selectedIndexes()
        rows = sorted({index.row() for index in chosen})
        columns = sorted({index.column() for index in chosen})
        return "\n".join("\t".join(repr(float(self.model.array[row, column])) for column in columns) for row in rows)


class _Table(QTableView):
    """A table in which copy and paste apply to its cells, not to the graph's nodes."""

    def __init__(self, editor: GridEditor) -> None:
        super().__init__()
        self._editor = editor
        self.setAccessibleName("Values")
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setCornerButtonEnabled(False)
        self.setToolTip("Type a number, or paste a block of numbers")

    def event(self, event) -> bool:
        own_keys = (QKeySequence.StandardKey.Paste, QKeySequence.StandardKey.Copy)
        if event.type() is QEvent.Type.ShortcutOverride and any(event.matches(key) for key in own_keys):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event) -> None:
        clipboard = QGuiApplication.clipboard()
        if event.matches(QKeySequence.StandardKey.Paste):
            self._editor.paste(clipboard.text())
        elif event.matches(QKeySequence.StandardKey.Copy):
            clipboard.setText(self._editor.copied())
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._may_edit():
            self.edit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _may_edit(self) -> bool:
        """Whether Enter opens the current cell; the Enter that has just closed one must not open it again."""
        return self.currentIndex().isValid() and self.state() != QTableView.State.EditingState
