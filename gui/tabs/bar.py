"""The tab bar: a tab for each open document. What the user asks of it, it asks of others."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QTabBar, QToolButton

from cadena.gui.frame.documents import DocumentLabel
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import tip, title
from cadena.gui.look.theme import Theme
from cadena.gui.widgets.quiet_button import quiet_button
from cadena.gui.widgets.strip import Strip

DRAGGED_OUT = 50  # pixels beside the bar at which a dragged tab leaves it
LEAST_LETTERS, MOST_LETTERS = 22, 36  # that a tab has room for
PLACES = {  # by whether there is a file, and changes
    (True, False): "{}",
    (True, True): "{}, with changes that are not saved",
    (False, False): "{}, which is in no file",
    (False, True): "{}, with changes, which is in no file yet",
}
SIDE = QTabBar.ButtonPosition.RightSide


class TabBar(Strip):
    """Tabs with a button to close each, and one for a new graph. The numbers are indices of tabs."""

    chosen, closeAsked, othersAsked, draggedOut = Signal(int), Signal(int), Signal(int), Signal(int)
    moved = Signal(int, int)
    newAsked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__("bottom", theme)
        self.tabs = _Tabs()
        self.new_button = quiet_button("+", "New graph", "New (Ctrl+N)", Qt.FocusPolicy.NoFocus)
        self.new_button.clicked.connect(self.newAsked)
        row = QHBoxLayout(self)
        row.setContentsMargins(look.GAP, look.GAP // 2, look.GAP, 0)
        row.setSpacing(look.GAP // 2)
        row.addWidget(self.tabs)
        row.addWidget(self.new_button)
        row.addStretch(1)
        self.tabs.currentChanged.connect(self._choose)
        self.tabs.tabMoved.connect(self.moved)
        self.tabs.middleClicked.connect(self.closeAsked)
        self.tabs.draggedOut.connect(self.draggedOut)
        self.tabs.menuAsked.connect(self._open_menu)
        self._follows = False  # whether the tabs are being brought up to date

    def show_labels(self, labels: Sequence[DocumentLabel], index: int) -> None:
        """Show these documents, and which of them is shown."""
        self._follows = True
        tabs = self.tabs
        while tabs.count() > len(labels):
            tabs.removeTab(tabs.count() - 1)
        while tabs.count() < len(labels):
            tabs.setTabButton(tabs.addTab(""), SIDE, self._close_button())
        for at, label in enumerate(labels):
            _show(tabs, at, label)
        tabs.setCurrentIndex(index)
        self._follows = False

    def _choose(self, index: int) -> None:
        if not self._follows:
            self.chosen.emit(index)

    def _close_button(self) -> QToolButton:
        button = quiet_button("×", "Close", "Close (Ctrl+W)", Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda: self.closeAsked.emit(self._place_of(button)))
        return button

    def _place_of(self, button: QToolButton) -> int:
        return next(at for at in range(self.tabs.count()) if self.tabs.tabButton(at, SIDE) is button)

    def _open_menu(self, index: int, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Close", lambda: self.closeAsked.emit(index))
        menu.addAction("Close the others", lambda: self.othersAsked.emit(index))
        menu.addAction("Move to a new window", lambda: self.draggedOut.emit(index))
        menu.popup(at)


def _show(tabs: QTabBar, at: int, label: DocumentLabel) -> None:
    name = title(label.name)
    text = f"● {name}" if label.modified else name
    if tabs.tabText(at) != text.replace("&", "&&"):
        tabs.setTabText(at, text.replace("&", "&&"))
    where = str(label.path) if label.path else name
    tabs.setTabToolTip(at, tip(PLACES[label.path is not None, label.modified].format(where)))
    tabs.setAccessibleTabName(at, f"{name}, not saved" if label.modified else name)
    button = tabs.tabButton(at, SIDE)
    if button is not None:
        button.setAccessibleName(f"Close {name}")


class _Tabs(QTabBar):
    """Tabs that can be dragged to another place, or out of the bar; the middle button closes one."""

    middleClicked, draggedOut = Signal(int), Signal(int)
    menuAsked = Signal(int, QPoint)

    def __init__(self) -> None:
        super().__init__()
        self.setMovable(True)
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Ctrl+Tab goes through them, and the canvas keeps the keys
        self.setAccessibleName("Open documents")

    def tabSizeHint(self, index: int) -> QSize:
        hint = super().tabSizeHint(index)
        return QSize(min(hint.width(), self._letters(MOST_LETTERS)), hint.height())

    def minimumTabSizeHint(self, index: int) -> QSize:
        hint = self.tabSizeHint(index)
        return QSize(min(hint.width(), self._letters(LEAST_LETTERS)), hint.height())

    def _letters(self, count: int) -> int:
        return self.fontMetrics().averageCharWidth() * count

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        at = event.position().toPoint()
        if event.button() == Qt.MouseButton.MiddleButton and (index := self.tabAt(at)) >= 0:
            self.middleClicked.emit(index)
        beside = max(-at.y(), at.y() - self.height())
        if event.button() == Qt.MouseButton.LeftButton and beside > DRAGGED_OUT:
            self.draggedOut.emit(self.currentIndex())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if (index := self.tabAt(event.pos())) >= 0:
            self.menuAsked.emit(index, event.globalPos())
