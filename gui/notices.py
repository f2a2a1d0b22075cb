"""How the window speaks: a banner for what must not be missed, and one line at the foot for everything else."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from gui import theme as look
from gui.session import Session

Choice = tuple[str, Callable[[], object]]


class Banner(QFrame):
    """A sentence above the canvas with what can be done about it; it stays until it is answered."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("banner")
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


class MessageLine(QFrame):
    """The last thing the program said, and how many faults the graph has."""

    def __init__(self, session: Session, show_problems: Callable[[], object]) -> None:
        super().__init__()
        self.setObjectName("messageLine")
        self._session = session
        self.text = QLabel()
        self.text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.faults = QPushButton()
        self.faults.setToolTip("What is wrong, and what to do (F8)")
        self.faults.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.faults.clicked.connect(lambda: show_problems())
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * look.GAP, 2, look.GAP, 2)
        row.addWidget(self.text, 1)
        row.addWidget(self.faults)
        session.message.connect(self.say)
        session.documentChanged.connect(lambda _: self.say(""))
        session.runChanged.connect(self._count)
        self._count()

    def say(self, sentence: str) -> None:
        """Show one sentence until the next, or until the graph changes."""
        self.text.setText(sentence)
        self.text.setToolTip(sentence)

    def _count(self) -> None:
        count = len(self._session.faults)
        self.faults.setText(f"⚠ {count} problem{'' if count == 1 else 's'}" if count else "No problems")
        self.faults.setProperty("fault", bool(count))
        restyle(self.faults)


def restyle(widget: QWidget) -> None:
    """Let the style sheet see a property that has changed."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)
