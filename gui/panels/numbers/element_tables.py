"""The tables of an array's elements: a matrix as rows and columns, or a list with value and gradient of each element.

Qt asks for the cells that are seen, so that a million elements take no longer than ten.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from cadena.core.text.numbers import full, short
from cadena.gui.look.theme import Theme

ItemRole = Qt.ItemDataRole
Index = QModelIndex | QPersistentModelIndex
DIGITS = 5
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class Column(NamedTuple):
    """Numbers of one role, "value" or "gradient", flat."""

    title: str
    numbers: np.ndarray
    role: str


class _NumbersModel(QAbstractTableModel):
    """Cells with numbers in the colour of their role; those that are not finite in the fault's."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.layoutChanged.emit()

    def number(self, row: int, column: int) -> tuple[np.generic, str] | None:
        """The number of a cell and its role; None for a cell without one, as all are here."""
        return None

    def text(self, row: int, column: int) -> str:
        """The text of a cell without a number."""
        return ""

    def data(self, index: Index, role: int = ItemRole.DisplayRole):
        if role == ItemRole.TextAlignmentRole:
            return RIGHT
        if role not in (ItemRole.DisplayRole, ItemRole.ToolTipRole, ItemRole.ForegroundRole):
            return None
        cell = self.number(index.row(), index.column())
        if cell is None:
            return (
                QColor(self._theme.muted) if role == ItemRole.ForegroundRole else self.text(index.row(), index.column())
            )
        number, kind = cell
        if role == ItemRole.ForegroundRole:
            return self._theme.color(kind if np.isfinite(number) else "fault")
        return short(number, DIGITS) if role == ItemRole.DisplayRole else full(number)


class MatrixModel(_NumbersModel):
    """A matrix of one role."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.matrix, self.role = np.zeros((0, 0)), "value"

    def show_matrix(self, matrix: np.ndarray, role: str) -> None:
        """Show another matrix."""
        same = matrix.shape == self.matrix.shape
        if not same:
            self.beginResetModel()
        self.matrix, self.role = matrix, role
        if not same:
            self.endResetModel()
        elif matrix.size:
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        return 0 if parent.isValid() else self.matrix.shape[0]

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self.matrix.shape[1]

    def number(self, row: int, column: int) -> tuple[np.generic, str]:
        return self.matrix[row, column], self.role

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = ItemRole.DisplayRole):
        return str(section) if role == ItemRole.DisplayRole else None  # indices as in code, from 0


class ListModel(_NumbersModel):
    """All elements, one a row: its place, then its number in each column."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.shape: tuple[int, ...] = (0,)
        self.columns: Sequence[Column] = ()

    def show_columns(self, shape: tuple[int, ...], columns: Sequence[Column]) -> None:
        """Show arrays of this shape beside each other."""
        titles = [column.title for column in columns]
        same = shape == self.shape and titles == [column.title for column in self.columns]
        if not same:
            self.beginResetModel()
        self.shape, self.columns = shape, columns
        if not same:
            self.endResetModel()
        elif self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() or not self.columns else len(self.columns[0].numbers)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 1 + len(self.columns)

    def number(self, row: int, column: int) -> tuple[np.generic, str] | None:
        if column == 0:
            return None
        shown = self.columns[column - 1]
        return shown.numbers[row], shown.role

    def text(self, row: int, column: int) -> str:
        return place_text(row, self.shape)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = ItemRole.DisplayRole):
        if role != ItemRole.DisplayRole or orientation is Qt.Orientation.Vertical:
            return None
        return self.columns[section - 1].title if section else "index"


def place_text(element: int, shape: tuple[int, ...]) -> str:
    """The place of an element (flat) as in code: "[2, 0]"; "" for a number."""
    return f"[{', '.join(str(int(index)) for index in np.unravel_index(element, shape))}]" if shape else ""
