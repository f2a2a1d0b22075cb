"""The dock beside the graph: tabs of the panels that apply, the one that is open, and the lesson at its foot."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QTabBar, QToolButton, QVBoxLayout, QWidget

from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme
from cadena.gui.panels.parts import icons
from cadena.gui.panels.parts.panel_record import PanelRecord, Panels, Side
from cadena.gui.session.session import Session

TABS, PARTS = 46, 34  # pixels at `type` 1: the height of the row of tabs, and of that of a panel's parts


class Dock(QWidget):
    """Follows which panels are open on the right. Panels of one title share a tab, and a row to choose among them."""

    asked = Signal(str)  # the panel to open
    closeAsked = Signal(str)  # the panel to close
    shown = Signal()  # or hidden

    def __init__(self, session: Session, panels: Panels, theme: Theme) -> None:
        super().__init__()
        self._session, self._panels, self._theme = session, panels, theme
        self._records = [record for record in panels.records if record.side is Side.RIGHT]
        self._last = dict[str, PanelRecord]()  # of the panels of a title, the one that was open last
        self._listed: list[list[PanelRecord]] = [[], []]
        self._width = 0
        self.tabs, self.parts = _bar("Panels"), _bar("Parts of the panel")
        self.close_button = QToolButton()
        self.close_button.setProperty("quiet", True)
        self.close_button.setToolTip("Close the panel (Esc)")
        self.close_button.setAccessibleName("Close the panel")
        self.close_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.close_button.clicked.connect(self.close_open)
        for bar, listed in zip((self.tabs, self.parts), (0, 1), strict=True):
            bar.tabBarClicked.connect(lambda place, listed=listed: self._choose(listed, place))
        row = QHBoxLayout()
        row.setContentsMargins(look.GAP, 0, look.GAP, 0)
        row.addWidget(self.tabs, 1)
        row.addWidget(self.close_button)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        self.column.addLayout(row)
        self.column.addWidget(self.parts)
        for panel in panels.on(Side.RIGHT):
            panel.hide()  # until the window shows what is open
            self.column.addWidget(panel, 1)
        panels.changed = self.follow
        for signal in (session.selectionChanged, session.opened, session.runChanged):
            signal.connect(self.follow)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.close_button.setIcon(icons.icon("close", theme))
        for bar, height in ((self.tabs, TABS), (self.parts, PARTS)):
            bar.setFont(look.font(theme))
            bar.set_height(round(height * theme.type))
        self.fit(self._width)
        self.follow()

    def fit(self, width: int) -> None:
        """Take one width for every panel, in pixels at `type` 1."""
        self._width = width
        if width:
            self.setFixedWidth(round(width * self._theme.type))

    @property
    def open_record(self) -> PanelRecord | None:
        return next((record for record in self._records if not self._panels[record.name].isHidden()), None)

    def close_open(self) -> None:
        """Close the panel that is open, and so the dock."""
        if (record := self.open_record) is not None:
            self.closeAsked.emit(record.name)

    def follow(self) -> None:
        """Show the tabs of the panels that apply, and of the one that is open."""
        shown = self.open_record
        if self.isHidden() is not (shown is None):
            self.setVisible(shown is not None)
            self.shown.emit()
        if shown is None:
            return
        self._last[shown.title] = shown
        titles = {one.title: one for one in self._records if one is shown or one.applies(self._session)}
        firsts = [self._last.get(title, next(one for one in self._records if one.title == title)) for title in titles]
        parts = [one for one in self._records if one.title == shown.title]
        self._list(
            0, self.tabs, firsts, [one.title for one in firsts], [one.title for one in firsts].index(shown.title)
        )
        self._list(1, self.parts, parts, [one.part for one in parts], parts.index(shown))
        self.parts.setVisible(len(parts) > 1)

    def _list(self, place: int, bar: QTabBar, records: list[PanelRecord], texts: list[str], current: int) -> None:
        if [bar.tabText(at) for at in range(bar.count())] != texts:
            while bar.count():
                bar.removeTab(0)
            for text in texts:
                bar.addTab(text)
        for at, record in enumerate(records):
            bar.setTabToolTip(at, record.tip)
        self._listed[place] = records
        bar.setCurrentIndex(current)

    def _choose(self, listed: int, place: int) -> None:
        records = self._listed[listed]
        if 0 <= place < len(records) and records[place] is not self.open_record:
            self.asked.emit(records[place].name)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.fillRect(self.rect(), theme.color("window"))
        painter.fillRect(0, 0, max(1, round(theme.line)), self.height(), theme.color("hairline"))
        painter.fillRect(0, round(TABS * theme.type), self.width(), max(1, round(theme.line)), theme.color("hairline"))
        painter.end()


class DockTabs(QTabBar):
    """Tabs as high as their row."""

    def __init__(self) -> None:
        super().__init__()
        self._height = TABS

    def set_height(self, height: int) -> None:
        self._height = height
        self.setFixedHeight(height)

    def tabSizeHint(self, index: int) -> QSize:
        return QSize(super().tabSizeHint(index).width(), self._height)


def _bar(name: str) -> DockTabs:
    bar = DockTabs()
    bar.setDrawBase(False)
    bar.setExpanding(False)
    bar.setProperty("panel", True)
    bar.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # each panel has its key, and the canvas keeps the others
    bar.setAccessibleName(name)
    return bar
