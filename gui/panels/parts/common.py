"""Helpers of all panels: sentences for refusals, headings, numbers in their colours, and edits with an answer."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Protocol, TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from cadena.core.graph.fault import Refused
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import PROJECTOR, Theme
from cadena.gui.look.wording import worded
from cadena.gui.panels.parts import icons
from cadena.gui.panels.parts.flow_layout import FlowLayout
from cadena.gui.panels.parts.labels import ElidedLabel
from cadena.gui.session.graph_edits import Edit
from cadena.gui.session.session import Session


class Themed(Protocol):
    """An object with a theme."""

    def set_theme(self, theme: Theme) -> None: ...


def column_in(widget: QWidget, spacing: int = look.GAP) -> QVBoxLayout:
    """A column that fills a part of a panel to its edges."""
    return _filled(QVBoxLayout(widget), spacing)


def row_of(*widgets: QWidget, stretch: int | None = None) -> QHBoxLayout:
    """A row of widgets. The one at the place `stretch` is as wide as can be; where none is, the rest stays free."""
    row = QHBoxLayout()
    for place, widget in enumerate(widgets):
        row.addWidget(widget, int(place == stretch))
    if stretch is None:
        row.addStretch(1)
    return row


def flow_of(*widgets: QWidget) -> QWidget:
    """Widgets set in rows like words, as many to a row as fit."""
    box = QWidget()
    flow = FlowLayout(box, look.GAP)
    for widget in widgets:
        flow.addWidget(widget)
    return box


def scrolled(inside: QWidget) -> QScrollArea:
    """A part of a panel that is as wide as the panel, and scrolled where it is higher."""
    area = QScrollArea(widgetResizable=True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(inside)
    return area


def row_in(widget: QWidget, *parts: QWidget, spacing: int = look.GAP) -> QHBoxLayout:
    """A row of parts that fills a part of a panel to its edges."""
    row = _filled(QHBoxLayout(widget), spacing)
    for part in parts:
        row.addWidget(part)
    return row


def choose_widths(theme: Theme, *chips: QPushButton) -> None:
    """Give buttons of which the chosen one is bold the width that they need then."""
    bold = QFontMetrics(look.font(theme, bold=True))
    for chip in chips:
        chip.setMinimumWidth(bold.horizontalAdvance(chip.text()) + round(20 * theme.type))


AnyBox = TypeVar("AnyBox", bound=QBoxLayout)


def _filled(box: AnyBox, spacing: int) -> AnyBox:
    box.setContentsMargins(0, 0, 0, 0)
    box.setSpacing(spacing)
    return box


def leave_keys(*buttons: QWidget) -> None:
    """A click on these leaves the keys to the canvas, where Space plays; Tab still reaches them."""
    for button in buttons:
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)


def in_tab_order(before: QWidget, late: QWidget) -> None:
    """Put the widgets in `late` after `before` in the order of the Tab key; Qt puts new widgets at the end."""
    for first, second in pairwise([*_stops(before)[-1:], *_stops(late)]):
        QWidget.setTabOrder(first, second)


def _stops(widget: QWidget) -> list[QWidget]:
    inside = (
        part for part in widget.findChildren(QWidget) if part.window() is widget.window()
    )  # lists that open are not
    return [part for part in inside if part.focusPolicy() != Qt.FocusPolicy.NoFocus]


class Sentence(QWidget):
    """One sentence about a problem, led by the fault icon; takes no room while it is empty."""

    def __init__(self, theme: Theme, named: Callable[[str], str] = str) -> None:
        super().__init__()
        self._label = PlainLabel(named=named, wordWrap=True)
        self._label.setProperty("fault", True)
        self._box = QVBoxLayout(self)
        self._box.addWidget(self._label)
        self.set_theme(theme)
        self.say("")

    def set_theme(self, theme: Theme) -> None:
        self._theme, self._icon = theme, round(16 * theme.type)
        self._box.setContentsMargins(self._icon + 6, 2, 0, 2)
        self.update()

    def say(self, text: str, capital: bool = True) -> None:
        """Show a sentence, or nothing for ""; without a capital where it begins with the name of a node."""
        self._label.setText(text[:1].upper() + text[1:] if capital else text)
        self.setAccessibleName(text)
        self.setVisible(bool(text))

    @property
    def text(self) -> str:
        return self._label.text()

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        room = self.rect().adjusted(0, 2, 0, 0)
        room.setSize(QSize(self._icon, self._icon))
        icons.draw(painter, "fault", room.toRectF(), self._theme.color("fault"))


class PageStack(QStackedWidget):
    """Pages of which the one that is shown has the height that the panel leaves, whatever it would like."""

    def __init__(self, height: int) -> None:
        super().__init__()
        self._height = height  # the least that it is good to read in

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._height)

    def hasHeightForWidth(self) -> bool:
        return False


class Divider(QFrame):
    """A thin line between two sections."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.set_theme(theme)

    def set_theme(self, theme: Theme, role: str = "hairline") -> None:
        self.setFixedHeight(round(theme.line))
        self.setStyleSheet(f"background: {getattr(theme, role)};")


def heading(text: str, named: Callable[[str], str] = str) -> QLabel:
    """The bold title of a section."""
    label = PlainLabel(text, named=named)
    label.setProperty("heading", True)
    return label


def caption(text: str, named: Callable[[str], str] = str) -> QLabel:
    """The small muted word beside or above a field."""
    label = PlainLabel(text, named=named)
    label.setProperty("label", True)
    return label


def panel_width(theme: Theme, width: float) -> int:
    """The width of a side panel: in a projector's type it grows less than that, so that the canvas keeps its room.

    On a larger screen, where the type is larger still, it takes the same share of it.
    """
    usual = min(theme.type, PROJECTOR.type)
    return round(width * (1.0 + 0.4 * (usual - 1.0)) * theme.type / usual)


def number_label(theme: Theme, role: str, size: float = look.NUMBER) -> ElidedLabel:
    """A number in its role's colour, to the right of its caption."""
    label = ElidedLabel()
    label.setAlignment(Qt.AlignmentFlag.AlignRight)
    dress_number(label, theme, role, size)
    return label


def dress_number(label: QLabel, theme: Theme, role: str, size: float = look.NUMBER) -> None:
    """Give a number label the type and colour of its role in this theme; other text is muted and not bold."""
    number = role != "muted"
    size = size if number else look.LABEL
    label.setFont(look.font(theme, size, bold=number))
    weight = "bold" if number else "normal"
    sheet = f"color: {getattr(theme, role)}; font-size: {round(size * theme.type)}px; font-weight: {weight};"
    if label.styleSheet() != sheet:  # setting one costs Qt a walk through the style sheet
        label.setStyleSheet(sheet)


def attempt(session: Session, edit: Edit, merge: str | None = None) -> str:
    """Edit the document; returns the refusal's sentence when that is impossible, else ""."""
    try:
        edit.change(session.document)
    except Refused as refusal:
        return worded(refusal)
    session.edit(*edit, merge)
    return ""


def clear(layout) -> None:
    """Remove all widgets from a layout and delete them."""
    while (item := layout.takeAt(0)) is not None:
        if item.widget() is not None:
            item.widget().hide()
            item.widget().deleteLater()
