"""Numbers in a column: right-aligned, with their decimal points below each other."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

AnyIndex = QModelIndex | QPersistentModelIndex
CELL = 6.0  # pixels between a number and the edge of its cell
MEASURED = 200  # rows: no screen shows more
FAR = 12  # letters behind the point, beyond which a column keeps no more room for shorter numbers


def split(number: str) -> tuple[str, str]:
    """What stands before the point, and the rest, with the point."""
    whole, point, rest = number.partition(".")
    return whole, point + rest


def room_behind(numbers: Iterable[str], metrics: QFontMetricsF) -> float:
    """The room that a column needs from the point on."""
    rests = {rest for number in numbers if len(rest := split(number)[1]) <= FAR}
    return max(map(metrics.horizontalAdvance, rests), default=0.0)


def column_width(numbers: Iterable[str], metrics: QFontMetricsF) -> float:
    """The width of numbers whose points stand below each other."""
    parts = [split(number) for number in numbers]
    behind = room_behind(map("".join, parts), metrics)
    widths = [metrics.horizontalAdvance(whole) + max(metrics.horizontalAdvance(rest), behind) for whole, rest in parts]
    return max(widths, default=0.0)


def write(painter: QPainter, number: str, room: QRectF, behind: float) -> None:
    """Write a number in the painter's font and pen, its point `behind` the right edge; a longer one at that edge."""
    metrics = QFontMetricsF(painter.font())
    whole, rest = split(number)
    left = room.right() - max(metrics.horizontalAdvance(rest), behind) - metrics.horizontalAdvance(whole)
    middle = room.center().y() + metrics.capHeight() / 2
    painter.drawText(QPointF(left, middle), number)


class DecimalCells(QStyledItemDelegate):
    """Cells of a table: right-aligned numbers have their points below each other, as far as the rows seen need it.

    The role BAR of a row's first cell holds the colour of a bar at its left, the mark of the current row.
    """

    BAR = Qt.ItemDataRole.UserRole + 1

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self._table = table
        self._behind: dict[int, float] = {}  # by column, for the rows that are seen
        table.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint:
            self._behind.clear()
        return super().eventFilter(watched, event)

    def _behind_in(self, column: int, metrics: QFontMetricsF) -> float:
        if column not in self._behind:
            table, model = self._table, self._table.model()
            first, last = table.rowAt(0), table.rowAt(table.viewport().height() - 1)
            rows = range(max(first, 0), min(last if last >= 0 else model.rowCount() - 1, max(first, 0) + MEASURED) + 1)
            self._behind[column] = room_behind((str(model.index(row, column).data()) for row in rows), metrics)
        return self._behind[column]

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        hint, metrics = super().sizeHint(option, index), QFontMetricsF(option.font)
        rest = split(str(index.data() or ""))[1]
        missing = self._behind_in(index.column(), metrics) - metrics.horizontalAdvance(rest)
        return QSize(hint.width() + max(round(missing), 0) + round(CELL), hint.height())

    def initStyleOption(self, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().initStyleOption(option, index)
        color = option.palette.color(QPalette.ColorRole.Text)  # of the number, in a chosen row, too
        option.palette.setColor(QPalette.ColorRole.HighlightedText, color)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        self.initStyleOption(option, index)
        number, metrics = option.text, QFontMetricsF(option.font)
        room = QRectF(option.rect).adjusted(CELL, 0.0, -CELL, 0.0)
        is_number = bool(option.displayAlignment & Qt.AlignmentFlag.AlignRight)
        behind = self._behind_in(index.column(), metrics) if is_number else 0.0
        whole, rest = split(number)
        needed = metrics.horizontalAdvance(whole) + max(metrics.horizontalAdvance(rest), behind)
        is_aligned = is_number and needed <= room.width()
        if is_aligned:
            option.text = ""
        style = option.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        if is_aligned:
            painter.save()
            painter.setFont(option.font)
            painter.setPen(option.palette.color(QPalette.ColorRole.Text))
            write(painter, number, room, behind)
            painter.restore()
        line = style.styleHint(QStyle.StyleHint.SH_Table_GridLineColor, option, option.widget) & 0xFFFFFFFF
        below = QRectF(option.rect.left(), option.rect.bottom(), option.rect.width(), 1.0)
        painter.fillRect(below, QColor.fromRgba(line))
        if (bar := index.data(self.BAR)) is not None:
            painter.fillRect(QRectF(option.rect.left(), option.rect.top(), 3.0, option.rect.height()), bar)
