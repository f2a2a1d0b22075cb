"""The palette: all operations by category, found by typing, put onto the canvas by dragging, double click or Enter."""

from __future__ import annotations

from itertools import groupby

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from gui import theme as look
from gui.panels import icons
from gui.panels.chips import Chip
from gui.panels.common import clear, heading, panel_width
from gui.panels.flow_layout import FlowLayout
from gui.panels.operations import Operation, catalogue, find
from gui.session import Session
from gui.theme import Theme

WIDTH, LEAST_WIDTH = 212, 150
ARROWS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}


class Palette(QWidget):
    """Emits operationActivated(name) when an operation is to be put onto the canvas."""

    operationActivated = Signal(str)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session, self._theme = session, theme
        self._operations = catalogue()
        self.search = QLineEdit(placeholderText="find an operation", clearButtonEnabled=True)
        self.search.setAccessibleName("Find an operation")
        self.search.setToolTip("Find an operation by name, symbol or what it does (Ctrl+F)")
        self._glass = QAction(self)
        self.search.addAction(self._glass, QLineEdit.ActionPosition.LeadingPosition)
        self.search.textChanged.connect(self._show)
        self.search.returnPressed.connect(self._take_first)
        self.search.installEventFilter(self)
        self._inside = QWidget()
        self._rows = QVBoxLayout(self._inside)
        self._scroll = QScrollArea(widgetResizable=True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._inside)
        column = QVBoxLayout(self)
        column.setContentsMargins(look.GAP, look.GAP, look.GAP // 2, 0)
        column.addWidget(self.search)
        column.addWidget(self._scroll, 1)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setMinimumWidth(panel_width(theme, LEAST_WIDTH))
        self._glass.setIcon(icons.icon("search", theme, "muted"))
        self._rows.setContentsMargins(1, 2, look.GAP // 2, look.GAP)
        self._show(self.search.text())

    def sizeHint(self) -> QSize:
        return QSize(panel_width(self._theme, WIDTH), 600)

    def focus_search(self) -> None:
        """Put the cursor into the search field, its text selected."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    @property
    def chips(self) -> list[Chip]:
        """The chips to be seen now, in reading order."""
        return self._chips

    # --- what is shown

    def _show(self, text: str) -> None:
        """All operations, or those that the search means."""
        clear(self._rows)
        self._chips: list[Chip] = []
        if text.strip():
            self._show_found(find(text, self._operations), text.strip())
        else:
            for category, operations in groupby(self._operations, key=lambda operation: operation.category):
                self._show_category(category, list(operations))
        self._rows.addStretch(1)
        self._scroll.verticalScrollBar().setValue(0)

    def _show_category(self, category: str, operations: list[Operation]) -> None:
        if self._chips:
            self._rows.addSpacing(round(4 * self._theme.type))
        self._rows.addWidget(heading(category))
        box = QWidget()
        flow = FlowLayout(box, round(6 * self._theme.type))
        for operation in operations:
            flow.addWidget(self._chip(operation))
        self._rows.addWidget(box)

    def _show_found(self, found: list[Operation], text: str) -> None:
        for operation in found:
            self._rows.addWidget(self._chip(operation, as_row=True))
        if found:
            self._chips[0].set_best(True)
        else:
            self._nothing = QLabel(f"No operation matches “{text}”.", wordWrap=True, textFormat=Qt.TextFormat.PlainText)
            self._rows.addWidget(self._nothing)

    def _chip(self, operation: Operation, as_row: bool = False) -> Chip:
        chip = Chip(operation, self._theme, as_row)
        if self._chips:  # one stop for the tab key; from there the arrows go on
            chip.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        chip.activated.connect(self.operationActivated)
        chip.installEventFilter(self)
        self._chips.append(chip)
        return chip

    # --- keys

    def _take_first(self) -> None:
        if self.search.text().strip() and self._chips:
            self.operationActivated.emit(self._chips[0].operation.name)

    def eventFilter(self, watched, event) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(watched, Chip) and event.key() in ARROWS:
            event.accept()  # the arrows move among the chips; the window's shortcuts must not take them
            return True
        if event.type() is QEvent.Type.KeyPress:
            return self._key(watched, event)
        if event.type() is QEvent.Type.FocusIn and isinstance(watched, Chip):
            self._scroll.ensureWidgetVisible(watched, 0, 20)
        return False

    def _key(self, watched: QWidget, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape and self.search.text():
            self.search.clear()
            self.search.setFocus()
            return True
        if watched is self.search:
            if event.key() == Qt.Key.Key_Down and self._chips:
                self._chips[0].setFocus(Qt.FocusReason.TabFocusReason)
                return True
            return False
        if event.key() in ARROWS and isinstance(watched, Chip):
            self._move(watched, *ARROWS[Qt.Key(event.key())])
            return True
        return False

    def _move(self, chip: Chip, across: int, down: int) -> None:
        """The focus to the chip beside, above or below; from the first row up into the search field."""
        target: QWidget | None
        if across:
            place = self._chips.index(chip) + across
            target = self._chips[place] if 0 <= place < len(self._chips) else None
        else:
            target = self._below(chip, down) or (self.search if down < 0 else None)
        if target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason)

    def _below(self, chip: Chip, down: int) -> Chip | None:
        """The chip in the next row (down 1) or the row before (-1) whose middle is nearest."""
        middle = {item: item.mapTo(self._inside, item.rect().center()) for item in self._chips}
        here = middle[chip]
        ahead = [item for item in self._chips if (middle[item].y() - here.y()) * down > chip.height() / 2]
        return min(ahead, default=None, key=lambda i: (abs(middle[i].y() - here.y()), abs(middle[i].x() - here.x())))
