"""How the window speaks: a banner for what must not be missed, and one line at the foot for everything else."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton

from gui import theme as look
from gui.edged import Edged
from gui.session import Session
from gui.theme import Theme

Choice = tuple[str, Callable[[], object]]


class Banner(Edged):
    """A sentence above the canvas with what can be done about it; it stays until it is answered."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("bottom", theme, fault=True)
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.buttons: list[QPushButton] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(2 * look.GAP, look.GAP, 2 * look.GAP, look.GAP)
        self._row.setSpacing(look.GAP)
        self._row.addWidget(self.text, 1)
        self.hide()

    def ask(self, sentence: str, *choices: Choice) -> None:
        """Show `sentence` with a button for each choice; the last thing asked replaces what was asked before."""
        for button in self.buttons:
            self._row.removeWidget(button)
            button.deleteLater()
        self.buttons = [self._button(text, act) for text, act in (*choices, ("Close", lambda: None))]
        self.text.setText(sentence)
        self.text.setAccessibleName(sentence)
        self.show()

    def _button(self, text: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(self.hide)
        button.clicked.connect(lambda: act())
        self._row.addWidget(button)
        return button


class MessageLine(Edged):
    """The last thing the program said, and how many faults and hints there are."""

    def __init__(self, session: Session, show_problems: Callable[[], object], theme: Theme) -> None:
        super().__init__("top", theme)
        self._session, self._hints = session, 0
        self.text = QLabel()
        self.text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
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

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._count()

    def say(self, sentence: str) -> None:
        """Show one sentence until the next, or until the graph changes."""
        self.text.setText(sentence)
        self.text.setToolTip(sentence)

    def count(self, faults: int, hints: int) -> None:
        """Tell of hints as well from now on."""
        self._hints = hints
        self._count()

    def _count(self) -> None:
        count, theme = len(self._session.faults), self._theme
        told = f"⚠ {count} problem{'' if count == 1 else 's'}" if count else "no problems"
        self.faults.setText(f"{told}, {self._hints} hint{'' if self._hints == 1 else 's'}" if self._hints else told)
        self.faults.setFont(look.font(theme, bold=bool(count)))
        colors = f"color: {theme.fault if count else theme.muted};"
        self.faults.setStyleSheet(f"QToolButton {{ {colors} padding: 2px 8px; }}")
