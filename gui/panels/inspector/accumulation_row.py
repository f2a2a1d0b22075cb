"""The gradients that leaves accumulate over several backward passes: buttons to add and clear, and a leaf's sum."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import Theme
from cadena.gui.panels.inspector.facts import Quantity
from cadena.gui.panels.parts.common import caption, leave_keys
from cadena.gui.session.session import Session

ZERO = "zero_grad"
OFF = "A run shows the gradients of one pass. Backward goes back once more and adds to what the leaves hold."

UNDER_WAY = "Backward pass {number} is under way: what arrives is added."


def counted(passes: int) -> str:
    """The number of passes in the sum, in words."""
    return f"sum of {passes} backward pass{'' if passes == 1 else 'es'}" if passes else "cleared by zero_grad"


class AccumulationButtons(QWidget):
    """The buttons backward and zero_grad, there where gradients add up; the window carries them out."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.backward, self.zero = QPushButton("Backward"), QPushButton(ZERO)
        self.state = PlainLabel(wordWrap=True)
        self.backward.setToolTip("Go backward once more and add to the gradients that the leaves hold (Ctrl+B)")
        self.zero.setToolTip("Set the gradients that the leaves hold to 0")
        row = QHBoxLayout()
        row.setSpacing(look.GAP)
        row.addWidget(self.backward, 1)
        row.addWidget(self.zero, 1)
        leave_keys(self.backward, self.zero)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(caption("gradients that add up"))
        column.addLayout(row)
        column.addWidget(self.state)
        session.opened.connect(self._open)
        self._open()
        for signal in (session.accumulatedChanged, session.timeChanged, session.runChanged):
            signal.connect(self.follow)
        self.follow()

    def _open(self) -> None:
        """Note whether the document is a lesson on this subject."""
        self._is_subject = ZERO in str(self._session.document.extra.get("lesson", ""))

    def ask(self, backward: Callable[[], object], zero: Callable[[], object]) -> None:
        """Set the actions of the buttons."""
        self.backward.clicked.connect(lambda: backward())
        self.zero.clicked.connect(lambda: zero())

    def follow(self) -> None:
        """Show the number of accumulated passes."""
        accumulated = self._session.held
        is_subject = self._is_subject or accumulated is not None
        self.setVisible(is_subject and not self._session.levels)  # within a function no leaf holds a gradient
        self.backward.setEnabled(self._session.run.plan.output is not None)
        self.zero.setEnabled(self._session.accumulated is not None)  # not of what a lesson plays
        if accumulated is None:
            self.state.setText(OFF)
        elif accumulated.awaited:
            self.state.setText(UNDER_WAY.format(number=accumulated.passes))
        else:
            self.state.setText(accumulated.note or f"{counted(accumulated.passes).capitalize()}.")


class AccumulatedFact(QWidget):
    """The accumulated gradient of one leaf; hidden until gradients are accumulated."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session, self._name = session, ""
        self.label, self.quantity = caption(""), Quantity(theme, "gradient")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setColumnStretch(1, 1)
        grid.addWidget(caption("Σ gradient"), 0, 0)
        grid.addWidget(self.quantity, 0, 1)
        grid.addWidget(self.label, 1, 0, 1, 2)
        session.accumulatedChanged.connect(self._follow)
        session.timeChanged.connect(self._follow)

    def set_theme(self, theme: Theme) -> None:
        self.quantity.set_theme(theme)

    def show_node(self, name: str) -> None:
        """Show another node."""
        self._name = name
        self._follow()

    def _follow(self) -> None:
        accumulated = self._session.held
        own = None if accumulated is None else accumulated.gradients.get(self._name)
        self.setVisible(own is not None)
        if accumulated is not None and own is not None:
            self.quantity.show_quantity(own, "none", "")
            self.label.setText(counted(accumulated.passes_at(self._name)))
