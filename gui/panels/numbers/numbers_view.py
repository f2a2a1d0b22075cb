"""A table of numbers that is read by mouse and keys, and whose cells can be copied."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHeaderView, QTableView

from cadena.gui.widgets.decimals import DecimalCells

MOST_COPIED = 1_000_000  # cells
WIDEST = "−8.88888e+888"  # a number as wide as they come
ItemRole = Qt.ItemDataRole


class NumbersView(QTableView):
    """`elementChosen(row, column)` when a cell becomes the current one by the user's hand."""

    elementChosen = Signal(int, int)

    def __init__(self, model: QAbstractTableModel, name: str, rows_are_named: bool = True) -> None:
        super().__init__()
        self.setModel(model)
        self.setAccessibleName(name)
        self.setAccessibleDescription("The arrow keys choose an element; Ctrl+C copies the selected cells")
        self.setWordWrap(False)
        self.setItemDelegate(DecimalCells(self))
        self.setShowGrid(False)
        self.setProperty("bare", True)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setHorizontalScrollMode(self.ScrollMode.ScrollPerPixel)
        self.verticalHeader().setVisible(rows_are_named)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)  # of a million rows none is measured
            header.setHighlightSections(True)
        self.setTabKeyNavigation(False)  # Tab leaves the table
        self._by_program = False
        self.selectionModel().currentChanged.connect(self._changed)
        self._measure()

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() in (event.Type.FontChange, event.Type.StyleChange):
            self._measure()

    def _measure(self) -> None:
        metrics = self.fontMetrics()
        self.horizontalHeader().setDefaultSectionSize(metrics.horizontalAdvance(WIDEST))
        self.verticalHeader().setDefaultSectionSize(round(1.75 * metrics.height()))

    def choose(self, row: int, column: int) -> None:
        """Make a cell the current one and scroll it into view, without `elementChosen`."""
        index = self.model().index(row, column)
        if index.isValid() and index != self.currentIndex():
            self._by_program = True
            self.setCurrentIndex(index)
            self.scrollTo(index)
            self._by_program = False

    def _changed(self, current: QModelIndex, before: QModelIndex) -> None:
        if current.isValid() and not self._by_program:
            self.elementChosen.emit(current.row(), current.column())

    def event(self, event) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and event.matches(QKeySequence.StandardKey.Copy):
            event.accept()  # else the nodes would be copied
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.selected_text())
            event.accept()
        else:
            super().keyPressEvent(event)

    def selected_text(self) -> str:
        """The selected cells with all their digits, as a spreadsheet takes them: tabs and lines."""
        selection = self.selectionModel().selection()
        if not selection.count():
            return ""
        area = selection.first()
        model, rows, columns = self.model(), range(area.top(), area.bottom() + 1), range(area.left(), area.right() + 1)
        rows = rows[: max(1, MOST_COPIED // len(columns))]

        def text(row: int, column: int) -> str:
            index = model.index(row, column)
            return str(model.data(index, ItemRole.ToolTipRole) or model.data(index) or "").replace("−", "-")

        return "\n".join("\t".join(text(row, column) for column in columns) for row in rows)
