"""Messages of the window: a banner for important ones, and one line at the foot for all others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QMenuBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from cadena.core.text.numbers import number_of
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import MAX_IN_TITLE, PlainLabel, menu_text
from cadena.gui.look.theme import Theme
from cadena.gui.session.session import Session
from cadena.gui.widgets.mnemonics import mnemonic, underline
from cadena.gui.widgets.strip import Strip

NoticeAction = tuple[str, Callable[[], object]]
CLOSE: NoticeAction = ("Close", lambda: None)
READING = 8000  # milliseconds that a message lies over the graph
FOLDING = "folding"  # the subject of what is said of folded panels
LIST_HEIGHT = 132  # pixels for a list in the banner, in whole rows; more is scrolled, since the graph needs the room


@dataclass(frozen=True)
class NoticeItem:
    """One of the items of a notice: texts side by side, and its actions."""

    name: str
    facts: tuple[str, ...]
    choices: tuple[NoticeAction, ...]


@dataclass(eq=False)
class Notice:
    """A sentence of the banner, with its actions."""

    sentence: str
    choices: tuple[NoticeAction, ...]
    items: tuple[NoticeItem, ...] = ()


class Banner(Strip):
    """A sentence above the canvas with its actions; it stays until it is answered.

    The latest notice is in front, since it may be about the user's last action; earlier ones reappear after it.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__("bottom", theme, fault=True)
        self.text = PlainLabel(name=MAX_IN_TITLE)
        self.text.setWordWrap(True)
        self.more = PlainLabel()
        self.buttons: list[QPushButton] = []
        self._notices: list[Notice] = []  # the last one is shown
        self._list: _ItemList | None = None
        self._row = QHBoxLayout()
        self._row.setSpacing(look.GAP)
        self._row.addWidget(self.text, 1)
        self._row.addWidget(self.more)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(2 * look.GAP, look.GAP, 2 * look.GAP, look.GAP)
        self._column.setSpacing(look.GAP // 2)
        self._column.addLayout(self._row)
        self.hide()

    @property
    def rows(self) -> list[list[QPushButton]]:
        """The buttons of each item that is listed."""
        return self._list.rows if self._list else []

    def ask(
        self, sentence: str, *choices: NoticeAction, items: tuple[NoticeItem, ...] = (), closing: NoticeAction = CLOSE
    ) -> Notice:
        """Show `sentence` with a button for each choice, the last for none of them; any button answers it.

        The same sentence is not asked twice. The notice can be withdrawn, when there is no more to ask.
        """
        notice = Notice(sentence, (*choices, closing), items)
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

    def _show(self) -> None:
        """Show the notice in front, if there is one."""
        for part in (*self.buttons, *([self._list] if self._list else [])):
            part.hide()  # Qt deletes it later, and lays out what is still there
            part.deleteLater()
        self.buttons, self._list = [], None
        self.setHidden(not self._notices)
        if not self._notices:
            return
        front, hidden = self._notices[-1], len(self._notices) - 1
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
        if self._list:
            self._list.fit()

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
            for column, text in enumerate((item.name, *item.facts)):
                grid.addWidget(_Elided(text, bold=column == 0), number, column)
                grid.setColumnStretch(column, 2 if column == 1 else 1)
            self.rows.append([_button(choice, first) for choice in item.choices])
            box = QHBoxLayout()
            box.setSpacing(look.GAP // 2)
            for button in self.rows[-1]:
                button.setAccessibleName(f"{button.text()}: {item.name}")
                box.addWidget(button)
            grid.addLayout(box, number, 1 + len(item.facts))
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


class MessageLine(Strip):
    """The last message of the program, and the number of faults and hints."""

    def __init__(self, session: Session, show_problems: Callable[[], object], theme: Theme) -> None:
        super().__init__("top", theme)
        self._session, self._hints, self._brief, self._subject = session, 0, False, ""
        self._counted_in: tuple[Theme, bool] | None = None  # the look of the count
        self._graph: QWidget | None = None
        self._foot: QLayout | None = None
        self.fading = QTimer(self, interval=READING)
        self.fading.timeout.connect(lambda: self.say(""))
        self.text = _Elided(at=Qt.TextElideMode.ElideRight, named=session.named)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.faults = QToolButton()
        self.faults.setProperty("quiet", True)
        self.faults.setToolTip("What is wrong, and what to do (F8)")
        self.faults.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.faults.clicked.connect(lambda: show_problems())
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * look.GAP, 2, look.GAP, 2)
        row.addWidget(self.text, 1)
        row.addWidget(self.faults)
        self.set_theme(theme)
        session.message.connect(self.say)
        session.documentChanged.connect(lambda _: self.say(""))
        session.runChanged.connect(self._count)
        session.timeChanged.connect(lambda: self.take_back(FOLDING))  # which lies over cards that one now looks at

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._count()

    def lie_over(self, graph: QWidget, foot: QLayout | None) -> None:
        """Lie over the foot of the graph while brief, so that no message moves it; else at the end of `foot`."""
        self._graph, self._foot = graph, foot
        graph.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and self._brief:
            self._place()
        return False

    def _place(self) -> None:
        if self._graph is not None:
            height = self.sizeHint().height()
            self.setGeometry(0, self._graph.height() - height, self._graph.width(), height)

    def say(self, sentence: str, subject: str = "") -> None:
        """Show one sentence until the next, or until the graph changes; over the graph until it is read."""
        self._subject = subject
        if sentence or self.text.whole:  # else there is nothing, as after most edits
            self.text.setText(sentence)
            self.text.setToolTip(self._session.named(sentence))
        self.setHidden(self._brief and not sentence)
        if self._brief and sentence:
            self.fading.start()
        else:
            self.fading.stop()

    def take_back(self, subject: str) -> None:
        """Show the sentence about this no longer, which does not hold any more."""
        if subject == self._subject:
            self.say("")

    def set_brief(self, brief: bool) -> None:
        """Stay away while there is nothing to say: the graph needs the room."""
        if brief and self._graph is not None:
            self.setParent(self._graph)
        elif self._brief and self._foot is not None:
            self._foot.addWidget(self)
        self._brief = brief
        if brief:
            self._place()
        self.say(self.text.whole, self._subject)

    def count(self, faults: int, hints: int) -> None:
        """Show the number of hints too."""
        self._hints = hints
        self._count()

    def _count(self) -> None:
        count, theme = len(self._session.causes), self._theme
        counts = [f"⚠ {number_of(count, 'problem')}" if count else "no problems"]
        counts += [number_of(self._hints, "hint")] if self._hints else []
        self.faults.setText(", ".join(counts))
        if self._counted_in != (theme, bool(count)):  # Qt would work the same style out again
            self._counted_in = theme, bool(count)
            self.faults.setFont(look.font(theme, bold=bool(count)))
            colors = f"color: {theme.fault if count else theme.muted};"
            self.faults.setStyleSheet(f"QToolButton {{ {colors} padding: 2px 8px; }}")
