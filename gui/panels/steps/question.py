"""A question with two answers, asked in place."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel


class Question(QWidget):
    """Asks before something from elsewhere is run or read; hidden until `ask`."""

    agreed = Signal()

    def __init__(self, yes: str, tip: str, tip_of_no: str) -> None:
        super().__init__()
        self.text = PlainLabel(wordWrap=True)
        self.yes, self.no = QPushButton(yes), QPushButton("Not now")
        row = QHBoxLayout()
        row.addStretch(1)
        for button in (self.no, self.yes):
            row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(look.GAP, look.GAP // 2, look.GAP, look.GAP)
        column.addWidget(self.text)
        column.addLayout(row)
        self.yes.setToolTip(tip)
        self.no.setToolTip(tip_of_no)
        self.yes.clicked.connect(self.agreed)
        self.no.clicked.connect(self.hide)
        self.hide()

    def ask(self, text: str) -> None:
        """Show the question."""
        self.text.setText(text)
        self.show()
        self.yes.setFocus()
