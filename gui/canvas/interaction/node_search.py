"""The small search field on the canvas that asks which node shall come to a place."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel, tip, title
from cadena.gui.look.theme import Theme
from cadena.gui.search.catalogue import Entry, leaves_of, nothing, search
from cadena.gui.search.typed_expression import Typed, nothing_typed
from cadena.gui.widgets.elevation import FLOATING, Shadow

WIDTH, MOST, ROWS = 300, 450, 9  # pixels at `type` 1, usual and for long entries; entries at once
LISTED = 500  # entries to scroll through: nobody reads on, and Qt measures each


class NodeSearch(QFrame):
    """Type, choose with the arrow keys or the mouse, Enter; Esc or a click elsewhere closes."""

    closed = Signal()

    def __init__(
        self, parent: QWidget, theme: Theme, offered: Sequence[Entry], prompt: str,
        typed: Callable[[str], Typed | None] = nothing_typed,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._frame = parent
        self.setProperty("floating", True)
        self._shadow = Shadow(self, FLOATING)
        self._offered, self._typed = offered, typed
        self._take: Callable[[Entry], object] = lambda entry: None
        self._is_open = True
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(prompt)
        self.field.setAccessibleName(prompt)
        self.remark = PlainLabel(wordWrap=True)
        self.list = QListWidget(self)
        self.list.setProperty("bare", True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # or a press on the list would give the focus to the canvas
        self.setFocusProxy(self.field)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(look.GAP, look.GAP, look.GAP, look.GAP)
        self.field.setProperty("bare", True)
        line = QFrame()
        line.setProperty("hairline", True)
        line.setFixedHeight(1)
        for part in (self.field, line):
            layout.addWidget(part)
        layout.addWidget(self.list)
        layout.addWidget(self.remark)
        self._style(theme)
        self._type = theme.type
        self.field.textChanged.connect(self._fill)
        self.field.installEventFilter(self)
        self.list.itemClicked.connect(lambda _: self._accept())
        self._fill("")

    def _style(self, theme: Theme) -> None:
        font = look.font(theme)
        self.field.setFont(font)
        self.list.setFont(font)
        self.remark.setFont(font)

    def open(self, at: QPoint, take: Callable[[Entry], object]) -> None:
        """Appear at a place of the parent; `take` is called with what is chosen."""
        self._take = take
        frame = self._frame.rect()
        beside = self.list.verticalScrollBar().sizeHint().width() + 2 * look.GAP
        needed = max(self.list.sizeHintForColumn(0) + beside, round(WIDTH * self._type))
        self.setFixedWidth(min(needed, round(MOST * self._type), frame.width()))
        self._fit()
        x = max(min(at.x(), frame.right() - self.width()), 0)
        y = max(min(at.y(), frame.bottom() - self.height()), 0)
        self.move(x, y)
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def matches(self, query: str) -> list[Entry]:
        """What a query means; a number means a leaf of that value, where leaves are offered."""
        leaves = leaves_of(query) if any(entry.is_leaf for entry in self._offered) else []
        return leaves + search(query, self._offered)

    def _fill(self, query: str) -> None:
        self.list.clear()
        matches, expression = self.matches(query), self._typed(query)
        matches = expression.among(matches) if expression else matches
        for entry in matches[:LISTED]:
            item = QListWidgetItem(title(_shown(entry)))
            item.setData(Qt.ItemDataRole.UserRole, entry)
            item.setToolTip(tip(entry.doc))
            self.list.addItem(item)
        self.list.setVisible(bool(matches))
        more = f"{len(matches) - LISTED:,} more: type a part of a name." if len(matches) > LISTED else ""
        remark = expression.preview if expression else more if matches else nothing(query)
        self.remark.setVisible(bool(remark))
        self.remark.setText(remark)
        self.list.setCurrentRow(0)
        self._fit()

    def _fit(self) -> None:
        """Show as many rows as there is room for in the parent."""
        row, rows = self.list.sizeHintForRow(0), min(self.list.count(), ROWS)
        self.list.setFixedHeight(rows * row + 4)
        self.adjustSize()
        if rows and (over := self.height() - self._frame.height()) > 0:
            self.list.setFixedHeight(max(rows - math.ceil(over / row), 1) * row + 4)
            self.adjustSize()

    @property
    def current(self) -> Entry | None:
        """What Enter would take."""
        item = self.list.currentItem()
        return item.data(Qt.ItemDataRole.UserRole) if item is not None else None

    def _accept(self) -> None:
        if (entry := self.current) is not None:
            self.close_search()
            self._take(entry)

    def close_search(self) -> None:
        """Go away."""
        if self._is_open:
            self._is_open = False
            self.field.removeEventFilter(self)
            if self.field.hasFocus():
                self._frame.setFocus(Qt.FocusReason.OtherFocusReason)
            self.hide()
            self._shadow.deleteLater()
            self.deleteLater()
            self.closed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The keys of the list work while the field has the focus."""
        if watched is self.field and isinstance(event, QFocusEvent) and event.lostFocus():
            if event.reason() != Qt.FocusReason.ActiveWindowFocusReason:
                self.close_search()
            return False
        return isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and self._key(event)

    def _key(self, event: QKeyEvent) -> bool:
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: ROWS, Qt.Key.Key_PageUp: -ROWS}
        if event.key() == Qt.Key.Key_Escape:
            self.close_search()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._accept()
        elif event.key() in steps:
            self._go(steps[Qt.Key(event.key())])
        else:
            return False
        return True

    def _go(self, rows: int) -> None:
        if self.list.count():
            self.list.setCurrentRow(min(max(self.list.currentRow() + rows, 0), self.list.count() - 1))

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab stays here and goes through the list."""
        self._go(1 if forward else -1)
        return True


def _shown(entry: Entry) -> str:
    """A line of the list, each name once: "sin   sine: 1 operand", "mean", "parameter: its gradient is wanted"."""
    says_more = entry.title.lower() not in ("", entry.symbol.lower()) and not entry.is_function
    names = f"{entry.symbol}   {entry.title}" if says_more else entry.symbol
    return f"{names}: {entry.detail}" if entry.detail else names
