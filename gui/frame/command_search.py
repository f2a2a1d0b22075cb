"""The command search (Ctrl+K): commands, nodes, operations and lessons, found by a few of their letters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from cadena.gui.look import theme as look
from cadena.gui.look.style import picked
from cadena.gui.look.text_cleaning import PlainLabel, title
from cadena.gui.look.theme import Theme
from cadena.gui.panels.parts import icons
from cadena.gui.search.catalogue import GROUPS, Entry, nothing, search
from cadena.gui.search.typed_expression import Typed, nothing_typed
from cadena.gui.widgets.elevation import FLOATING, Shadow
from cadena.gui.widgets.key_box import keys_width, paint_keys

MAX_IN_DETAIL = 50  # letters of what stands beside an entry
MAX_SHOWN = 60
ROWS = 14
WIDTH, FIELD, ROW, GLASS = 560, 56, 32, 20  # pixels at `type` 1
MOST_NAME = 0.7  # of the width of the list, for the longest name and the keys
EDGE, PADDING, ROOM = 8, 12, 36  # pixels: around the list, in a row, and what a cell needs beside its text


AnyIndex = QModelIndex | QPersistentModelIndex
EntrySource = Callable[[], Iterable[Entry]]


class CommandSearch(QLineEdit):
    """The field at the head of a card, which has the list of results; the card is there while the field has the focus.

    The card hangs below the widget `below`, in the middle of the window.
    """

    left = Signal()  # the search is over: the focus may go to where the work is

    def __init__(
        self, source: EntrySource, below: QWidget, theme: Theme, typed: Callable[[str], Typed | None] = nothing_typed
    ) -> None:
        super().__init__()
        self.source, self._typed = source, typed
        self._entries: list[Entry] = []
        self._other: Callable[[], Iterable[Entry]] | None = None  # in the place of the source, until it is left
        self._matches: list[Entry] = []
        self.setClearButtonEnabled(True)
        self.setProperty("bare", True)
        self.setAccessibleName("Find a command or a node")
        self.setAccessibleDescription("Type, choose with the arrow keys, and press Enter (Ctrl+K)")
        self.card = SearchCard(self, below, theme)
        self.card.list.itemClicked.connect(lambda _: self._run())
        self.textEdited.connect(self._update)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setFont(look.font(theme, look.READING))
        self.setTextMargins(round((GLASS + 2 * EDGE) * theme.type), 0, EDGE, 0)
        self.setFixedHeight(round(FIELD * theme.type))
        self.card.set_theme(theme)

    def open(self, source: Callable[[], Iterable[Entry]] | None = None, prompt: str = "Find anything") -> None:
        """Take the focus and list all entries, or those of another source below a prompt of its own."""
        self.clear()
        self.setPlaceholderText(prompt)
        self._other = source
        self._entries = list((source or self.source)())
        self._update()
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def close_list(self) -> None:
        """Close the card and clear the field."""
        self.clear()
        self.card.hide()

    @property
    def shown(self) -> list[Entry]:
        """The entries that the list shows now."""
        return self._matches if self.card.isVisible() else []

    def _update(self) -> None:
        matches, expression = search(self.text(), self._entries), None if self._other else self._typed(self.text())
        shown = islice(expression.among(matches) if expression else matches, MAX_SHOWN)
        self._matches = [entry for _, entries in in_groups(shown) for entry in entries]
        preview = expression.preview if expression else ""
        self.card.show_entries(self._matches, preview or ("" if self._matches else nothing(self.text())))

    def _run(self) -> None:
        row = self.card.row
        chosen = self._matches[row] if 0 <= row < len(self._matches) else None
        if chosen and chosen.run:
            self._leave()
            chosen.run()

    def _leave(self) -> None:
        self.clearFocus()
        self.close_list()
        self.left.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter, side = QPainter(self), GLASS * self._theme.type
        place = QRectF(2.0 * EDGE, (self.height() - side) / 2, side, side)
        icons.draw(painter, "search", place, self._theme.color("text"))
        painter.end()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:  # the field's own menu
            self.close_list()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: ROWS, Qt.Key.Key_PageUp: -ROWS}
        key = Qt.Key(event.key())
        if key in steps:
            self.card.move_row(steps[key])
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


class ResultList(QTreeWidget):
    """Names, what stands beside them, and keys; the ground of the current row goes through all three."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("bare", True)
        self.setColumnCount(3)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setMouseTracking(True)
        self.setItemDelegate(Rows(self))
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # long names differ at their ends
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.header().setMinimumSectionSize(0)

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme

    def divide(self, width: int, rows: Sequence[QTreeWidgetItem]) -> None:
        """Give keys all their room, names what they need of the rest, and what stands beside them what is left."""
        plain, bold = QFontMetrics(look.font(self.theme)), QFontMetrics(look.font(self.theme, bold=True))
        keys = round(max((keys_width(row.text(2), self.theme) for row in rows), default=0.0))
        keys += 2 * PADDING if keys else 0
        details = max((plain.horizontalAdvance(row.text(1)) for row in rows), default=0) + ROOM
        names = max(bold.horizontalAdvance(text) for text in (*GROUPS, *(row.text(0) for row in rows))) + ROOM
        least = min(details, round((1.0 - MOST_NAME) * width))
        name = min(names, width - keys - least)
        for column, room in enumerate((name, width - keys - name, keys)):
            self.setColumnWidth(column, room)

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        if index.flags() & Qt.ItemFlag.ItemIsSelectable:
            is_chosen = index.row() == self.currentIndex().row()
            is_below = option.rect.contains(self.viewport().mapFromGlobal(self.cursor().pos()))
            if is_chosen or is_below:
                painter.save()
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self.theme.color(picked(self.theme) if is_chosen else "hover"))
                painter.drawRoundedRect(QRectF(option.rect), look.RADIUS - 2, look.RADIUS - 2)
                painter.restore()
        super().drawRow(painter, option, index)


class Rows(QStyledItemDelegate):
    """Sets the current row in bold, and keys in boxes at the right."""

    def __init__(self, rows: ResultList) -> None:
        super().__init__(rows)
        self._list = rows

    def initStyleOption(self, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().initStyleOption(option, index)
        if option.state & QStyle.StateFlag.State_Selected and index.column() == 0:
            option.font.setWeight(QFont.Weight.DemiBold)
        if index.column() == 2:
            option.text = ""  # the boxes have it

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().paint(painter, option, index)
        if index.column() == 2:
            right, middle = option.rect.right() - PADDING, option.rect.center().y() + 0.5
            paint_keys(painter, str(index.data() or ""), right, middle, self._list.theme)


class SearchCard(QFrame):
    """The field and the list below it: a child of the window, so that the field keeps the focus."""

    def __init__(self, field: QLineEdit, below: QWidget, theme: Theme) -> None:
        super().__init__(below.window())
        self._field, self._below, self._rows = field, below, list[QTreeWidgetItem]()
        Shadow(self, FLOATING)
        self.setProperty("floating", True)
        self.line = QFrame()
        self.line.setProperty("hairline", True)
        self.line.setFixedHeight(1)
        self.list = ResultList(self)
        self.remark = PlainLabel(wordWrap=True, margin=PADDING)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(field)
        layout.addWidget(self.line)
        below_field = QVBoxLayout()
        below_field.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        below_field.setSpacing(0)
        below_field.addWidget(self.list)
        below_field.addWidget(self.remark)
        layout.addLayout(below_field)
        self.hide()
        below.window().installEventFilter(self)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.list.set_theme(theme)
        if self.isVisible():
            self._place()

    @property
    def row(self) -> int:
        current = self.list.currentItem()
        return self._rows.index(current) if current in self._rows else -1

    def move_row(self, by: int) -> None:
        if self._rows:
            self.list.setCurrentItem(self._rows[min(max(self.row + by, 0), len(self._rows) - 1)])

    def show_entries(self, entries: Sequence[Entry], remark: str) -> None:
        """List `entries`, and under them a `remark`: that nothing matches, or what would be made."""
        self.list.clear()
        self.remark.setText(remark)
        self.remark.setVisible(bool(remark))
        rows = self._rows = [
            QTreeWidgetItem([title(entry.name), title(entry.detail, MAX_IN_DETAIL), entry.keys]) for entry in entries
        ]
        height = round(ROW * self._theme.type)
        group = ""
        for row, entry in zip(rows, entries, strict=True):
            if entry.group != group:
                group = entry.group
                self.list.addTopLevelItem(self._heading(group, height))
            row.setSizeHint(0, QSize(0, height))
            for column in (1,) if entry.usable else (0, 1, 2):
                row.setForeground(column, self._theme.color("muted"))
            self.list.addTopLevelItem(row)
        self.list.setHidden(not rows)
        self._place()
        self.show()
        self.raise_()
        if rows:
            self.list.setCurrentItem(rows[0])
            self.list.scrollToTop()  # the first heading too

    def _heading(self, group: str, height: int) -> QTreeWidgetItem:
        heading = QTreeWidgetItem([group])
        heading.setFlags(Qt.ItemFlag.NoItemFlags)
        heading.setFont(0, look.font(self._theme, look.CAPTION))
        heading.setForeground(0, self._theme.color("muted"))
        heading.setSizeHint(0, QSize(0, height))
        return heading

    def _place(self) -> None:
        """In the middle of the window, right below the header, in whole rows."""
        window, below = self._below.window(), self._below
        top = (below.geometry().bottom() if below.isVisible() else 0) + look.GAP
        width = min(round(WIDTH * self._theme.type), window.width() - 2 * look.GAP)
        edge = round(self._theme.line)
        inside = width - 2 * EDGE - 2 * edge
        height = self._field.height() + 1 + 2 * EDGE + 2 * edge
        height += 0 if self.remark.isHidden() else self.remark.heightForWidth(inside)
        row = round(ROW * self._theme.type)
        room = (window.height() - top - height - 3 * look.GAP) // row
        self.list.setFixedHeight(row * max(min(self.list.topLevelItemCount(), ROWS, room), 1))
        bar = self.list.verticalScrollBar().sizeHint().width()
        self.list.divide(inside - bar, self._rows)
        height += 0 if self.list.isHidden() else self.list.height()
        self.setGeometry((window.width() - width) // 2, top, width, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and self.isVisible():
            self._place()
        return False
