"""The banner: a message that stays above the canvas until it is answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenuBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from cadena.core.text.numbers import number_of
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import MAX_IN_TITLE, PlainLabel, menu_text
from cadena.gui.look.theme import Theme
from cadena.gui.widgets.mnemonics import mnemonic, underline
from cadena.gui.widgets.strip import Strip

NoticeAction = tuple[str, Callable[[], object]]
CLOSE: NoticeAction = ("Close", lambda: None)
HEIGHT, ICON, EDGE = 40, 18, 16  # pixels at `type` 1: of a sentence of one line, its icon, and the air around that
LIST_HEIGHT = 160  # pixels for a list in the banner, in whole rows; more is scrolled, since the graph needs the room


@dataclass(frozen=True)
class NoticeItem:
    """One of the items of a notice: texts side by side, its actions, and a picture before them."""

    name: str
    facts: tuple[str, ...]
    choices: tuple[NoticeAction, ...]
    picture: QImage | None = None


@dataclass(eq=False)
class Notice:
    """A sentence of the banner, with its actions."""

    sentence: str
    choices: tuple[NoticeAction, ...]
    items: tuple[NoticeItem, ...] = ()
    is_reply: bool = False  # to what the user has just done; all else waits while an audience watches


class Banner(Strip):
    """A sentence above the canvas with its actions; it stays until it is answered.

    The latest notice is in front, since it may be about the user's last action; earlier ones reappear after it.
    `draw_icon(painter, name, area, color)` draws the sign before it.
    """

    def __init__(self, theme: Theme, draw_icon: Callable[[QPainter, str, QRectF, QColor], object]) -> None:
        super().__init__("bottom", theme, fault=True)
        self._draw_icon = draw_icon
        self.setProperty("banner", True)
        self.text = PlainLabel(name=MAX_IN_TITLE)
        self.text.setWordWrap(True)
        self.more = PlainLabel()
        self.buttons: list[QPushButton] = []
        self._notices: list[Notice] = []  # the last one is shown
        self._holds = False
        self._list: _ItemList | None = None
        self._row = QHBoxLayout()
        self._row.setSpacing(look.GAP)
        self._row.addWidget(self.text, 1)
        self._row.addWidget(self.more)
        self._column = QVBoxLayout(self)
        self._column.setSpacing(look.GAP // 2)
        self._fit()
        self._column.addLayout(self._row)
        self.hide()

    @property
    def rows(self) -> list[list[QPushButton]]:
        """The buttons of each item that is listed."""
        return self._list.rows if self._list else []

    def ask(
        self,
        sentence: str,
        *choices: NoticeAction,
        items: tuple[NoticeItem, ...] = (),
        closing: NoticeAction = CLOSE,
        is_reply: bool = False,
    ) -> Notice:
        """Show `sentence` with a button for each choice, the last for none of them; any button answers it.

        The same sentence is not asked twice. The notice can be withdrawn, when there is no more to ask.
        """
        notice = Notice(sentence, (*choices, closing), items, is_reply)
        self._notices = [notice for notice in self._notices if notice.sentence != sentence]
        self._notices.append(notice)
        self._show()
        return notice

    def withdraw(self, notice: Notice) -> None:
        """Remove a notice, unless it has been answered."""
        if notice in self._notices:
            self._notices.remove(notice)
            self._show()

    def withdraw_all(self) -> None:
        """Remove all notices."""
        self._notices.clear()
        self._show()

    def hold(self, holds: bool) -> None:
        """Keep notices back while an audience watches, all but replies to the user."""
        self._holds = holds
        self._show()

    def _show(self) -> None:
        """Show the notice in front, if there is one."""
        for part in (*self.buttons, *([self._list] if self._list else [])):
            part.hide()  # Qt deletes it later, and lays out what is still there
            part.deleteLater()
        self.buttons, self._list = [], None
        due = [notice for notice in self._notices if notice.is_reply or not self._holds]
        self.setHidden(not due)
        if not due:
            return
        front, hidden = due[-1], len(due) - 1
        self.text.setText(front.sentence)
        self.text.setAccessibleName(front.sentence)
        self.more.setText(number_of(hidden, "more message"))
        self.more.setVisible(hidden > 0)
        self.buttons = [_button(choice, self._answer(front)) for choice in front.choices]
        for button in self.buttons:
            button.setAccessibleDescription(front.sentence)
            self._row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        menus = [action.text() for bar in self.window().findChildren(QMenuBar) for action in bar.actions()]
        underline(self.buttons, taken=filter(None, map(mnemonic, menus)))
        if front.items:
            self._list = _ItemList(front.items, self._answer(front))
            self._column.addWidget(self._list)
            self._list.fit()

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._fit()
        if self._list:
            self._list.fit()

    def _fit(self) -> None:
        """Leave the room for the icon; a sentence of one line takes HEIGHT."""
        between, kind = 3, self._theme.type
        self._column.setContentsMargins(round((2 * EDGE + ICON) * kind), between, 2 * look.GAP, between)
        self._row.setContentsMargins(0, 0, 0, 0)
        self.text.setMinimumHeight(round(HEIGHT * kind) - 2 * between)
        self.text.setFont(look.font(self._theme, look.READING))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        side, edge = ICON * self._theme.type, EDGE * self._theme.type
        first = self._row.geometry().top() + HEIGHT * self._theme.type / 2 - 3
        with QPainter(self) as painter:
            place = QRectF(edge, first - side / 2, side, side)
            self._draw_icon(painter, "fault", place, self._theme.color("fault"))

    def _answer(self, notice: Notice) -> Callable[[], object]:
        return lambda: self.withdraw(notice)


def _button(choice: NoticeAction, first: Callable[[], object]) -> QPushButton:
    """A button that calls `first` and then carries out the choice."""
    text, act = choice
    button = QPushButton(menu_text(text))
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.clicked.connect(lambda: (first(), act()))
    return button


class _ItemList(QScrollArea):
    """The items of a notice, a row each; it scrolls where there are more than a few."""

    def __init__(self, items: tuple[NoticeItem, ...], first: Callable[[], object]) -> None:
        super().__init__(widgetResizable=True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(look.GAP // 2)
        grid.setHorizontalSpacing(2 * look.GAP)
        self.rows: list[list[QPushButton]] = []
        for number, item in enumerate(items):
            if item.picture is not None:
                picture = QLabel()
                picture.setPixmap(QPixmap.fromImage(item.picture))
                grid.addWidget(picture, number, 0)
            for column, text in enumerate((item.name, *item.facts), 1):
                grid.addWidget(_Elided(text, bold=column == 1), number, column)
                grid.setColumnStretch(column, 2 if column == 2 else 1)
            self.rows.append([_button(choice, first) for choice in item.choices])
            box = QHBoxLayout()
            box.setSpacing(look.GAP // 2)
            for button in self.rows[-1]:
                button.setAccessibleName(f"{button.text()}: {item.name}")
                box.addWidget(button)
            grid.addLayout(box, number, 2 + len(item.facts))
        self.setWidget(inside)

    def fit(self) -> None:
        """Set the height to that of the rows shown at once; call it when the style is known."""
        parts = [part for part in self.findChildren(QWidget) if isinstance(part, QLabel | QPushButton)]
        for part in parts:
            part.ensurePolished()
        between = look.GAP // 2
        row = max(part.sizeHint().height() for part in parts) + between
        self.setFixedHeight(row * min(len(self.rows), max(2, LIST_HEIGHT // row)) - between)


class _Elided(PlainLabel):
    """A text on one line, with … in its middle or at its end where there is no room; in full in its tooltip."""

    def __init__(
        self,
        text: str = "",
        at: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
        bold: bool = False,
        named: Callable[[str], str] = str,
    ) -> None:
        super().__init__(text, name=MAX_IN_TITLE, named=named)
        self._at = at
        self.setToolTip(text)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setProperty("heading", bold)

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.fontMetrics().elidedText(self.text(), self._at, self.width())
        if shown == self.text():
            super().paintEvent(event)  # which paints what is selected, too
            return
        painter = QPainter(self)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
        painter.end()
