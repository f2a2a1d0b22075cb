"""The small search field on the canvas that asks which node shall come to a place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from cadena.core.graph.document import LEAVES, Function, Value
from cadena.core.graph.fault import Refused
from cadena.core.notation.reading import read_value, write_value
from cadena.core.ops.primitive import REGISTRY
from cadena.gui import theme as look
from cadena.gui.plain import title
from cadena.gui.theme import Theme

WIDTH, ROWS = 300, 9
LEAF_TITLES = {
    "parameter": "its gradient is wanted",
    "input": "data",
    "constant": "a fixed number",
}


@dataclass(frozen=True)
class Choice:
    """A node that can be added: its operation, how it is shown, and the words by which it is found."""

    op: str
    title: str
    words: tuple[str, ...] = ()
    value: Value | None = None


def choices(
    leaves: bool = True, operations: bool = True, functions: Mapping[str, Function] | None = None
) -> list[Choice]:
    """What can be added; the document's own functions come first."""
    found = [Choice(op, f"{op}: {LEAF_TITLES[op]}", (op, *LEAF_TITLES[op].split())) for op in LEAVES if leaves]
    for op, function in (functions or {}).items():
        found.append(Choice(op, f"ƒ {op}   function of {', '.join(function.inputs)}", (op, "function")))
    for op, primitive in REGISTRY.items():
        if operations:
            words = (op, primitive.symbol, *primitive.title.split(), *primitive.phrase.replace("{0}", "").split())
            found.append(Choice(op, f"{primitive.symbol}   {primitive.title}", words))
    return found


def matching(query: str, offered: Iterable[Choice]) -> list[Choice]:
    """The choices that a query means, best first. A number means a leaf of that value."""
    wanted, offered = query.strip().casefold(), list(offered)
    if not wanted:
        return offered
    ranked = [(rank, place) for place, item in enumerate(offered) if (rank := _rank(wanted, item)) is not None]
    return _leaves_of_value(query, offered) + [offered[place] for _, place in sorted(ranked)]


def _rank(wanted: str, item: Choice) -> int | None:
    words = [word.casefold() for word in item.words]
    if wanted in words[:2]:
        return 0
    if words[0].startswith(wanted):
        return 1
    if any(word.startswith(wanted) for word in words):
        return 2
    return 3 if any(wanted in word for word in (*words, item.title.casefold())) else None


def _leaves_of_value(query: str, offered: list[Choice]) -> list[Choice]:
    leaves = [item.op for item in offered if item.op in ("constant", "parameter", "input")]
    if not leaves or not any(letter.isdigit() for letter in query):
        return []
    try:
        value = read_value(query)
    except Refused:
        return []
    return [Choice(op, f"{op} {write_value(value)}", (op,), value) for op in reversed(leaves)]


class NodeSearch(QFrame):
    """Type, choose with the arrow keys or the mouse, Enter; Esc or a click elsewhere closes."""

    closed = Signal()

    def __init__(self, parent: QWidget, theme: Theme, offered: list[Choice], prompt: str) -> None:
        super().__init__(parent)
        self._frame = parent
        self._offered = offered
        self._take: Callable[[Choice], object] = lambda choice: None
        self._is_open = True
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(prompt)
        self.field.setAccessibleName(prompt)
        self.list = QListWidget(self)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(look.GAP, look.GAP, look.GAP, look.GAP)
        layout.addWidget(self.field)
        layout.addWidget(self.list)
        self._style(theme)
        self.field.textChanged.connect(self._fill)
        self.field.installEventFilter(self)
        self.list.itemClicked.connect(lambda _: self._accept())
        self._fill("")

    def _style(self, theme: Theme) -> None:
        font = look.font(theme)
        self.field.setFont(font)
        self.list.setFont(font)
        self.setFixedWidth(round(WIDTH * theme.type))
        self.setStyleSheet(
            f"NodeSearch {{ background: {theme.window}; border: 1px solid {theme.border}; border-radius: 8px; }}"
            f"QLineEdit {{ background: {theme.field}; color: {theme.text}; border: 1px solid {theme.border};"
            f" border-radius: 4px; padding: 4px 8px; }}"
            f"QListWidget {{ background: {theme.window}; color: {theme.text}; border: none; }}"
            f"QListWidget::item {{ padding: 3px 6px; }}"
            f"QListWidget::item:selected {{ background: {theme.value}; color: {theme.on_strong}; border-radius: 4px; }}"
        )

    def open(self, at: QPoint, take: Callable[[Choice], object]) -> None:
        """Appear at a place of the parent; `take` is called with what is chosen."""
        self._take = take
        self.adjustSize()
        frame = self._frame.rect()
        x = max(min(at.x(), frame.right() - self.width()), 0)
        y = max(min(at.y(), frame.bottom() - self.height()), 0)
        self.move(x, y)
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def _fill(self, query: str) -> None:
        self.list.clear()
        for choice in matching(query, self._offered):
            item = QListWidgetItem(title(choice.title))
            item.setData(Qt.ItemDataRole.UserRole, choice)
            if choice.op in REGISTRY:
                item.setToolTip(REGISTRY[choice.op].doc)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        row = self.list.sizeHintForRow(0) if self.list.count() else 0
        self.list.setFixedHeight(max(min(self.list.count(), ROWS), 1) * max(row, 1) + 4)
        self.adjustSize()

    def _accept(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.close_search()
            self._take(item.data(Qt.ItemDataRole.UserRole))

    def close_search(self) -> None:
        """Go away."""
        if self._is_open:
            self._is_open = False
            self.field.removeEventFilter(self)
            if self.field.hasFocus():
                self._frame.setFocus(Qt.FocusReason.OtherFocusReason)
            self.hide()
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
