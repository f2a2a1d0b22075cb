"""Sliders for the numbers of a graph: a name, a slider and the value, in two columns."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QSizePolicy, QWidget

from cadena.core.expressions.graph_text import MAX_NODES
from cadena.core.graph.document import Document
from cadena.core.text.numbers import DIGITS, short
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import tip
from cadena.gui.look.theme import Theme
from cadena.gui.session import graph_edits
from cadena.gui.session.session import Session
from cadena.gui.widgets.number_slider import NumberSlider, Range, sensible_range, widened

ROW, NAME, VALUE = 28, 44, 72  # pixels at `type` 1
COLUMNS, ROWS = 2, 3  # that are seen without scrolling
MOST = 60
LOST = 50.0  # times the range that a number needs: a wider one is given up


def shown_leaves(document: Document) -> list[str]:
    """The leaves that have a slider: single numbers that are no constants, parameters first."""
    leaves = [node for node in document.nodes.values() if node.op in ("parameter", "input")]
    numbers = [node for node in leaves if isinstance(node.value, float)]
    return [node.name for node in sorted(numbers, key=lambda node: node.op != "parameter")]


class LeafSliders(QScrollArea):
    """Follows the document; a drag is one step that can be undone."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(widgetResizable=True)
        self.session, self.theme = session, theme
        self.rows: dict[str, LeafRow] = {}
        self._ranges: dict[str, Range] = {}  # by name, for as long as the document is shown
        self._follows_training = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._inside = QWidget()
        self._grid = QGridLayout(self._inside)
        self._grid.setSpacing(0)
        self.setWidget(self._inside)
        session.opened.connect(self._ranges.clear)
        session.runChanged.connect(self._follow_training)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self._grid.setContentsMargins(round(16 * theme.type), 0, round(16 * theme.type), 0)
        self._grid.setHorizontalSpacing(round(24 * theme.type))
        for row in self.rows.values():
            row.set_theme(theme)

    def follow(self) -> None:
        """Show the leaves of the document with their values."""
        document = self.session.document
        names = shown_leaves(document) if len(document.nodes) <= MAX_NODES else []
        names = names if len(names) <= MOST else []
        if names != list(self.rows):
            self._make(names)
        self.show_numbers(self.rows)

    def show_numbers(self, names: Iterable[str]) -> None:
        """Show the numbers of these leaves, as far as they have sliders."""
        document = self.session.learnt
        for name in names:
            row = self.rows.get(name)
            if row is None:
                continue
            value = document.nodes[name].value
            assert isinstance(value, float)
            low, high = sensible_range(value)
            if not row.slider.isSliderDown():  # it grows between two drags
                before = self._ranges.get(name, (low, high))
                is_lost = before[1] > LOST * high  # the knob in the middle of what a training had run through
                self._ranges[name] = (low, high) if is_lost else widened(widened(before, low), high)
            row.show_number(value, self._ranges[name])

    def _follow_training(self) -> None:
        """Move along with each picture of a training, which is no edit."""
        if (self.session.learns or self._follows_training) and self.isVisible():
            self._follows_training = self.session.learns
            self.show_numbers(self.rows)

    def _make(self, names: list[str]) -> None:
        for row in self.rows.values():
            self._grid.removeWidget(row)
            row.deleteLater()
        self.rows = {name: LeafRow(name, self.theme) for name in names}
        page = COLUMNS * ROWS
        for number, (name, row) in enumerate(self.rows.items()):
            row.slider.numberMoved.connect(lambda value, name=name: self._move(name, value))
            row.slider.released.connect(self.session.seal)
            place = number % page  # a page is read column by column
            self._grid.addWidget(row, number // page * ROWS + place % ROWS, place // ROWS)
        for column in range(COLUMNS):
            self._grid.setColumnStretch(column, 1)
        self._grid.setRowStretch(self._grid.rowCount(), 1)

    def _move(self, name: str, value: float) -> None:
        self.session.edit(*graph_edits.set_value(name, value), merge=f"slider {name}")


class LeafRow(QWidget):
    """The name of a leaf, its slider and its value."""

    def __init__(self, name: str, theme: Theme) -> None:
        super().__init__()
        self.name, self._value = name, 0.0
        self.slider = NumberSlider()
        self.slider.setAccessibleName(f"Value of {name}")
        self.setToolTip(tip(name))
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.slider)
        self.slider.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self._row.setContentsMargins(round(NAME * theme.type), 0, round(VALUE * theme.type), 0)
        self.setFixedHeight(round(ROW * theme.type))
        self.update()

    def show_number(self, value: float, range_: Range) -> None:
        if (value, range_) == (self._value, self.slider.shown_range):
            return
        self._value = value
        self.slider.show_number(value, range_)
        self.update()

    @property
    def text(self) -> str:
        """The value as cards show it, with fewer digits where they have no room."""
        metrics, room = QFontMetricsF(look.font(self.theme, look.CAPTION, bold=True)), self._room
        shown = (short(self._value, digits) for digits in range(DIGITS, 0, -1))
        return next((text for text in shown if metrics.horizontalAdvance(text) <= room), short(self._value, 1))

    @property
    def _room(self) -> float:
        return (VALUE - 8) * self.theme.type

    @property
    def _fitting_font(self) -> QFont:
        fonts = [look.font(self.theme, size, bold=True) for size in (look.SCRIPT, look.LABEL, look.CAPTION)]
        return next((one for one in fonts if QFontMetricsF(one).horizontalAdvance(self.text) <= self._room), fonts[-1])

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, area = QPainter(self), self.theme, QRectF(self.rect())
        font = look.font(theme, look.SCRIPT, bold=True)
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        room = area.adjusted(0, 0, -area.width() + (NAME - 8) * theme.type, 0)
        name = QFontMetricsF(font).elidedText(self.name, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)
        painter.setPen(theme.color("value"))
        painter.setFont(self._fitting_font)
        painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self.text)
        painter.end()
