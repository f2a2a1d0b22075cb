"""All ways to differentiate for one leaf: method, gradient, how far from reverse mode, cost; worked out on demand."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from core.methods import Answer, Comparison
from core.methods.compare import Row
from core.numbers import full, short
from gui import theme as look
from gui.panels.common import caption, clear, dress_number, heading, number_label
from gui.panels.comparing import Comparing
from gui.session import Session
from gui.theme import Theme

NOTE_EVERY = 100  # milliseconds
DIGITS = 7


class MethodsTable(QWidget):
    """Belongs to the leaf `name`; what it shows goes when the document changes, for it is true no longer."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session, self._theme, self.name = session, theme, ""
        self.thread_: Comparing | None = None
        self.comparison: Comparison | None = None
        self.start, self.cancel = QPushButton("Compare methods"), QPushButton("Cancel")
        self.start.setToolTip("The gradient of this leaf by every method, with what each costs")
        self.start.clicked.connect(self.compare)
        self.cancel.clicked.connect(self.stop)
        self.note = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.verdict = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._clock = QTimer(self, interval=NOTE_EVERY)
        self._clock.timeout.connect(self._tell_progress)
        session.documentChanged.connect(self._forget)
        session.runChanged.connect(self._forget)
        self._lay_out()
        self._show(None)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.start)
        head.addWidget(self.cancel)
        head.addStretch(1)
        self.grid = QGridLayout()
        self.grid.setHorizontalSpacing(look.GAP)
        self.grid.setVerticalSpacing(0)
        self.grid.setColumnStretch(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(look.GAP)
        column.addWidget(heading("Ways to differentiate"))
        column.addLayout(head)
        column.addWidget(self.note)
        column.addLayout(self.grid)
        column.addWidget(self.verdict)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._show(self.comparison)

    def show_leaf(self, name: str) -> None:
        """Offer the comparison for another leaf."""
        if name != self.name:
            self._forget()
            self.name = name

    # --- comparing

    def compare(self) -> None:
        """Begin; the interface goes on."""
        self._forget()
        seed = self.session.run.seed if self.session.output_shape else self.session.seed
        self.thread_ = thread = Comparing(self.session.document, self.name, seed)
        thread.found.connect(self._found)
        thread.refused.connect(self._refused)
        self._set_running(True)
        self._tell_progress()
        thread.begin()

    def stop(self) -> None:
        """Cancel what is under way."""
        self._forget()
        self.note.setText("Cancelled.")
        self.note.show()

    def _forget(self) -> None:
        if self.thread_ is not None:
            self.thread_.cancel()
            self.thread_ = None
            self._set_running(False)
        if self.comparison is not None or self.note.text():
            self._show(None)

    def _set_running(self, runs: bool) -> None:
        self.start.setVisible(not runs)
        self.cancel.setVisible(runs)
        self.note.setVisible(runs)
        (self._clock.start if runs else self._clock.stop)()

    def _tell_progress(self) -> None:
        if self.thread_ is not None:
            passes = self.thread_.passes
            self.note.setText(f"Comparing: {passes} pass{'' if passes == 1 else 'es'} so far …")

    def _found(self, thread: Comparing, comparison: Comparison) -> None:
        if thread is self.thread_:
            self.thread_ = None
            self._set_running(False)
            self._show(comparison)

    def _refused(self, thread: Comparing, sentence: str) -> None:
        if thread is self.thread_:
            self.thread_ = None
            self._set_running(False)
            self._show(None)
            self.note.setText(f"{sentence}.")
            self.note.show()

    # --- showing

    def _show(self, comparison: Comparison | None) -> None:
        self.comparison = comparison
        clear(self.grid)
        self.cancel.setVisible(self.thread_ is not None)
        self.verdict.setVisible(comparison is not None)
        if self.thread_ is None:
            self.note.setText("")
            self.note.hide()
        if comparison is None or not comparison.rows:
            return
        row = comparison.rows[0]
        several = "" if not self.session.output_shape else " The output's elements are weighed with the seed."
        self.verdict.setText(f"{comparison.verdict}{several}")
        if comparison.elements > 1:
            self.grid.addWidget(caption(f"at {row.element}, where they differ most"), 0, 0, 1, 2)
        for number, answer in enumerate(comparison.answers):
            self._add(2 * number + 1, answer, row)

    def _add(self, place: int, answer: Answer, row: Row) -> None:
        """Two lines: the method with its number, then how far off it is and what it costs."""
        number = row.evidence.numbers.get(answer.method)
        gradient = number_label(self._theme, "gradient")
        gradient.setText("none" if number is None else short(number, DIGITS))
        gradient.hint = answer.fault or ("" if number is None else full(number))
        dress_number(gradient, self._theme, "muted" if number is None else "gradient")
        self.grid.addWidget(QLabel(answer.method), place, 0)
        self.grid.addWidget(gradient, place, 1)
        details = QLabel(details_of(answer, row), wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        details.setProperty("label", True)
        self.grid.addWidget(details, place + 1, 0, 1, 2)


def details_of(answer: Answer, row: Row) -> str:
    """ "differs by 1.2·10⁻¹⁰, 43 runs, 2.1 ms"; for a method that cannot be used why not."""
    if answer.fault:
        return f"{answer.fault}."
    numbers = row.evidence.numbers
    gap = abs(numbers.get(answer.method, math.nan) - numbers.get("reverse", math.nan))
    apart = (
        "" if answer.method == "reverse" or math.isnan(gap) else f"differs by {short(gap, 2)}, " if gap else "equal, "
    )
    cost = f"{answer.passes} {_kind(answer)}, " if answer.passes else ""
    return f"{apart}{cost}{duration(answer.seconds)}"


def _kind(answer: Answer) -> str:
    if answer.kind == "run":
        return f"run{'' if answer.passes == 1 else 's'}"
    return f"{answer.kind} pass{'' if answer.passes == 1 else 'es'}"


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{short(seconds / size, 2)} {unit}"
    return f"{short(seconds * 1e6, 2)} µs"
