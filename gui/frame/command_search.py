"""The command search (Ctrl+K): commands, nodes, operations and lessons, found by a few of their letters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from cadena.gui.look.text_cleaning import PlainLabel, title
from cadena.gui.search.catalogue import Entry, nothing, search
from cadena.gui.search.typed_expression import Typed, nothing_typed

MAX_IN_DETAIL = 50  # letters of what stands beside an entry
MAX_SHOWN = 60
ROWS = 14
WIDTH, ROW = 560, 32  # pixels of type 1
ROW_PADDING, BORDER, GAP = 10, 2, 6


AnyIndex = QModelIndex | QPersistentModelIndex
EntrySource = Callable[[], Iterable[Entry]]


class CommandSearch(QLineEdit):
    """The field in the header, with the list of results below it while it has the focus."""

    closed = Signal()  # the focus is elsewhere
    left = Signal()  # the search is over: the focus may go to where the work is

    def __init__(
        self, source: EntrySource, parent: QWidget | None = None, typed: Callable[[str], Typed | None] = nothing_typed
    ) -> None:
        super().__init__(parent)
        self.source, self._typed = source, typed
        self._entries: list[Entry] = []
        self._other: Callable[[], Iterable[Entry]] | None = None  # in the place of the source, until it is left
        self._matches: list[Entry] = []
        self._popup: Popup | None = None
        self.setClearButtonEnabled(True)
        self.setPlaceholderText("Find anything  Ctrl+K")
        self.setProperty("search", True)
        self.setAccessibleName("Find a command or a node")
        self.setAccessibleDescription("Type, choose with the arrow keys, and press Enter (Ctrl+K)")
        self.textEdited.connect(self._update)

    def open(self, source: Callable[[], Iterable[Entry]] | None = None) -> None:
        """Take the focus and list all entries, or those of another source."""
        self.clear()
        self._other = source
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._gather()

    def close_list(self) -> None:
        """Close the list and clear the field."""
        self.clear()
        if self._popup:
            self._popup.hide()

    @property
    def shown(self) -> list[Entry]:
        """The entries that the list shows now."""
        return self._matches if self._popup and self._popup.isVisible() else []

    def _gather(self) -> None:
        self._entries = list((self._other or self.source)())
        self._update()

    def _update(self) -> None:
        matches, expression = search(self.text(), self._entries), None if self._other else self._typed(self.text())
        shown = islice(expression.among(matches) if expression else matches, MAX_SHOWN)
        self._matches = [entry for _, entries in in_groups(shown) for entry in entries]
        if self._popup is None:
            self._popup = Popup(self.window())
            self._popup.list.itemClicked.connect(lambda _: self._run())
        preview = expression.preview if expression else ""
        self._popup.show_entries(self._matches, self, preview or ("" if self._matches else nothing(self.text())))

    def _run(self) -> None:
        row = self._popup.row if self._popup else -1
        chosen = self._matches[row] if 0 <= row < len(self._matches) else None
        if chosen and chosen.run:
            self._leave()
            chosen.run()

    def _leave(self) -> None:
        self.close_list()
        self.clearFocus()
        self.left.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() is not Qt.FocusReason.ShortcutFocusReason:
            self._other = None
            self._gather()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.close_list()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: ROWS, Qt.Key.Key_PageUp: -ROWS}
        key = Qt.Key(event.key())
        if key in steps and self._popup:
            self._popup.move_row(steps[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run()
        elif key is Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)


def in_groups(entries: Iterable[Entry]) -> list[tuple[str, list[Entry]]]:
    """The entries by their groups; the group of the best one comes first."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.group, []).append(entry)
    return list(groups.items())


class KeyBoxes(QStyledItemDelegate):
    """Paints keys at the right of their row, each in a hairline box."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().paint(painter, option, index)
        right, metrics = option.rect.right() - ROW_PADDING, QFontMetrics(option.font)
        height = metrics.height() + 2
        top = option.rect.center().y() - height / 2 + 0.5
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(option.font)
        for key in reversed(_keys_of(index)):
            width = metrics.horizontalAdvance(key) + 2 * GAP
            box = QRectF(right - width + 0.5, top, width, height)
            painter.setPen(QPen(option.palette.mid().color(), 1.0))
            painter.drawRoundedRect(box, 4, 4)
            painter.setPen(option.palette.text().color())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, key)
            right -= width + GAP
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        metrics, keys = QFontMetrics(option.font), _keys_of(index)
        width = sum(metrics.horizontalAdvance(key) + 3 * GAP for key in keys)
        return QSize(width + 2 * ROW_PADDING if keys else 0, super().sizeHint(option, index).height())

    def displayText(self, value: object, locale: object) -> str:
        return ""  # the boxes have it


def _keys_of(index: AnyIndex) -> list[str]:
    return [key for key in str(index.data() or "").split(" ") if key]


class Popup(QFrame):
    """The list below the header: a child of the window, so that the field keeps the focus."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window, self._rows = window, list[QTreeWidgetItem]()
        self.list = QTreeWidget(self)
        self.list.setColumnCount(3)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setAllColumnsShowFocus(True)
        self.list.setIndentation(0)
        self.list.setItemDelegateForColumn(2, KeyBoxes(self.list))
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # long names differ at their ends
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(ROW_PADDING, 0, ROW_PADDING, 0)
        layout.addWidget(self.list)
        layout.setSpacing(0)
        self.remark = PlainLabel(wordWrap=True, margin=ROW_PADDING)
        self.remark.setProperty("remark", True)
        layout.addWidget(self.remark)
        window.installEventFilter(self)

    @property
    def row(self) -> int:
        current = self.list.currentItem()
        return self._rows.index(current) if current in self._rows else -1

    def move_row(self, by: int) -> None:
        if self._rows:
            self.list.setCurrentItem(self._rows[min(max(self.row + by, 0), len(self._rows) - 1)])

    def show_entries(self, entries: Sequence[Entry], field: QWidget, remark: str) -> None:
        """List `entries` below `field`, under them a `remark`: that nothing matches, or what would be made."""
        self.list.clear()
        self.remark.setText(remark)
        self.remark.setVisible(bool(remark))
        rows = self._rows = [
            QTreeWidgetItem([title(entry.name), title(entry.detail, MAX_IN_DETAIL), entry.keys]) for entry in entries
        ]
        height = max(self.list.fontMetrics().height() + ROW_PADDING, ROW)
        group, lines = "", 0
        for row, entry in zip(rows, entries, strict=True):
            if entry.group != group:
                group, lines = entry.group, lines + 1
                self.list.addTopLevelItem(self._heading(group, height))
            row.setSizeHint(0, QSize(0, height))
            for column in (1,) if entry.usable else (0, 1, 2):
                row.setForeground(column, self.palette().placeholderText())
            self.list.addTopLevelItem(row)
        if rows:
            self.list.setCurrentItem(rows[0])
            self.list.scrollToTop()  # the first heading too
        self.list.setHidden(not rows)
        self.list.setFixedHeight(height * min(max(len(rows) + lines, 1), ROWS) + 2 * BORDER)
        self._place(field, 0 if self.list.isHidden() else self.list.height())
        self.show()
        self.raise_()

    def _heading(self, group: str, height: int) -> QTreeWidgetItem:
        heading = QTreeWidgetItem([group])
        heading.setFlags(Qt.ItemFlag.NoItemFlags)
        heading.setForeground(0, self.palette().placeholderText())
        heading.setSizeHint(0, QSize(0, height))
        return heading

    def _place(self, field: QWidget, height: int) -> None:
        """Centred in the window, right below the row of the field."""
        window = self._window
        others = self.list.sizeHintForColumn(1) + self.list.sizeHintForColumn(2)
        needed = self._name_width() + others + 2 * ROW_PADDING + self.list.verticalScrollBar().sizeHint().width()
        width = min(max(WIDTH, needed), window.width())
        height += 0 if self.remark.isHidden() else self.remark.heightForWidth(width)
        top = field.mapTo(window, QPoint(0, field.height() + 2)).y()
        self.setGeometry((window.width() - width) // 2, top, width, min(height, window.height() - top))

    def _name_width(self) -> int:
        """The width of the longest name, but not so much that a list covers the window."""
        measure = self.list.fontMetrics().horizontalAdvance
        longest = max((measure(item.text(0)) for item in self._rows), default=0)
        return min(longest + 2 * ROW_PADDING, WIDTH)

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, 300)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self.hide()
        return False
