"""A dock beside or below the graph: tabs of the panels that apply, the one that is open, and a cross to close it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QTabBar, QVBoxLayout, QWidget

from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme
from cadena.gui.panels.parts import icons
from cadena.gui.panels.parts.panel_layout import Side
from cadena.gui.panels.parts.panel_record import PanelRecord, Panels
from cadena.gui.session.session import Session
from cadena.gui.widgets.quiet_button import quiet_button

FIRST = 2  # the place of the panels in the column: below both rows of tabs
TABS, PARTS = 46, 34  # pixels at `type` 1: the height of the row of tabs, and of that of a panel's parts
EDGE = 2 * look.GAP - 10  # the words of the first tabs stand above what the panels hold
AIR, LEAST_AIR = 10, 3  # the same: beside the word on a tab, and where the row is full


class Dock(QWidget):
    """Shows the part that stands on its side of the graph, below the tabs of its panel's neighbours and of its parts.

    Whoever shows it calls `follow` when the layout changes.
    """

    asked = Signal(str)  # the part to open
    closeAsked = Signal(str)  # the part to close
    moveAsked = Signal(str)  # the part whose panel is to stand on another side

    def __init__(self, side: Side, session: Session, panels: Panels, theme: Theme) -> None:
        super().__init__()
        self.side, self._session, self._panels, self._theme = side, session, panels, theme
        self._listed: list[list[PanelRecord]] = [[], []]
        self._width, self._is_bare = 0, False
        self.tabs, self.parts = DockTabs("Panels"), DockTabs("Parts of the panel")
        self.close_button = quiet_button("", "Close the panel", "Close the panel (Esc)")
        self.close_button.clicked.connect(self.close_open)
        where = "beside" if side is Side.BELOW else "below"
        move = f"Move the panel {where} the graph"
        self.move_button = quiet_button("", move, move)
        self.move_button.clicked.connect(self._move_open)
        for bar, listed in zip((self.tabs, self.parts), (0, 1), strict=True):
            bar.tabBarClicked.connect(lambda place, listed=listed: self._choose(listed, place))
        row = QHBoxLayout()
        row.setContentsMargins(EDGE, 0, look.GAP, 0)
        row.addWidget(self.tabs, 1)
        row.addWidget(self.move_button)
        row.addWidget(self.close_button)
        below = QHBoxLayout()
        below.setContentsMargins(EDGE, 0, 0, 0)
        below.addWidget(self.parts)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        self.column.addLayout(row)
        self.column.addLayout(below)
        self._take_in()
        for signal in (session.selectionChanged, session.opened, session.runChanged):
            signal.connect(self._list_all)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.close_button.setIcon(icons.icon("close", theme))
        self.move_button.setIcon(icons.icon("beside" if self.side is Side.BELOW else "below", theme))
        for bar, height in ((self.tabs, TABS), (self.parts, PARTS)):
            bar.set_look(theme, round(height * theme.type))
        self.fit(self._width)

    def fit(self, width: int) -> None:
        """Take one width for every panel, in pixels at `type` 1."""
        self._width = width
        if width:
            self.setFixedWidth(round(width * self._theme.type))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._list_all()

    def set_bare(self, bare: bool) -> None:
        """Show the panel alone, without its tabs and buttons."""
        self._is_bare = bare
        for part in (self.tabs, self.move_button, self.close_button):
            part.setHidden(bare)
        self._list_all()

    @property
    def open_record(self) -> PanelRecord | None:
        return self._panels.records.get(self._panels.standing.get(self.side, ""))

    def close_open(self) -> None:
        """Close the panel that is open, and so the dock."""
        if (record := self.open_record) is not None:
            self.closeAsked.emit(record.name)

    def _move_open(self) -> None:
        if (record := self.open_record) is not None:
            self.moveAsked.emit(record.name)

    @property
    def _records(self) -> list[PanelRecord]:
        """What stands on this side while it is open."""
        panels = self._panels
        return [record for record in panels.records.values() if panels.side_of(record) is self.side]

    def _take_in(self) -> None:
        """Take the panels that have come to this side."""
        for record in self._records:
            panel = self._panels[record.name]
            if panel.parentWidget() is not self:
                panel.hide()  # until it is open
                self.column.insertWidget(FIRST, panel, 1)

    def follow(self) -> None:
        """Show what stands here, or nothing."""
        self._take_in()
        shown = self.open_record
        for record in self._records:
            if record is not shown:
                self._panels[record.name].hide()
        if shown is not None:
            self._panels[shown.name].show()
        self.setVisible(shown is not None)
        self._list_all()

    def _list_all(self) -> None:
        """List the panels that apply, and the parts of the one that is open."""
        shown, panels = self.open_record, self._panels
        if shown is None:
            return
        applying = [one for one in self._records if one.applies is not None and one.applies(self._session)]
        titles = [title for title in panels.titles if title in {one.panel for one in (shown, *applying)}]
        while not self.tabs.have_room(titles):
            titles.remove([title for title in titles if title != shown.panel][-1])
        firsts = [shown if title == shown.panel else panels.part_to_open(title) for title in titles]
        parts = [one for one in panels.parts_of(shown.panel) if one is shown or not one.is_folded]
        self._list(0, self.tabs, firsts, [one.panel for one in firsts], firsts.index(shown))
        self._list(1, self.parts, parts, [one.part for one in parts], parts.index(shown))
        self.parts.setVisible(len(parts) > 1 and not self._is_bare)
        self.move_button.setVisible(shown.moves and not self._is_bare)

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
        painter, theme, line = QPainter(self), self._theme, max(1, round(self._theme.line))
        painter.fillRect(self.rect(), theme.color("window"))
        if not self._is_bare:
            painter.fillRect(0, round(TABS * theme.type), self.width(), line, theme.color("hairline"))
        edge = {
            Side.LEFT: (self.width() - line, 0, line, self.height()),
            Side.RIGHT: (0, 0, line, self.height()),
            Side.BELOW: (0, 0, self.width(), line),
        }
        painter.fillRect(*edge[self.side], theme.color("hairline"))
        painter.end()


class DockTabs(QTabBar):
    """Tabs as high as their row, closer together where there are many."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setProperty("panel", True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # F6 leads to the panels, and the canvas keeps its keys
        self.setAccessibleName(name)

    def set_look(self, theme: Theme, height: int) -> None:
        self._theme = theme
        self.setFont(look.font(theme))
        self.setFixedHeight(height)

    def have_room(self, texts: Sequence[str]) -> bool:
        """Whether tabs with these words, if there are several, have room side by side."""
        needed = sum(self._width_of(text) + 2 * LEAST_AIR * self._theme.type for text in texts)
        return len(texts) < 2 or needed <= self.width()

    def tabSizeHint(self, index: int) -> QSize:
        words, scale = [self._width_of(self.tabText(at)) for at in range(self.count())], self._theme.type
        air = (self.width() - sum(words)) / (2 * len(words))
        return QSize(words[index] + 2 * round(min(max(air, LEAST_AIR * scale), AIR * scale)), self.height())

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)

    def _width_of(self, text: str) -> int:
        """The width of a word in bold, as it is when its tab is chosen."""
        return QFontMetrics(look.font(self._theme, bold=True)).horizontalAdvance(text)
