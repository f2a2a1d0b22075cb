"""The panel of predicting: the question, the learner's answer, hints, what was right and which mistakes were made."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QPushButton, QVBoxLayout, QWidget

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.storage.files import write
from cadena.core.teaching.asking import QUANTITIES, AskedQuantity
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import Theme
from cadena.gui.look.wording import worded
from cadena.gui.panels.parts.common import (
    caption,
    choose_widths,
    column_in,
    leave_keys,
    row_of,
    scrolled,
)
from cadena.gui.panels.parts.fields import Field
from cadena.gui.panels.parts.flow_layout import FlowLayout
from cadena.gui.session.session import Session

MAX_LISTED = 12  # answers that are listed; the score file holds all
WAITING = "Play or step: before each result the steps pause, and ask for it here."
NO_STEPS = (
    "Choose reverse or forward mode and an output: in differences and symbols no number follows by one rule from the "
    "cards beside it."
)


class PredictPanel(QWidget):
    """Questions are asked while it is open. `exportAsked(name, extension, write)` when the score is to be saved."""

    exportAsked = Signal(str, str, object)
    focusReturned = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session, self._theme, self._seed = session, theme, 0
        self._build()
        self._lay_out()
        session.predictChanged.connect(self.follow)
        session.methodChanged.connect(self.follow)
        session.runChanged.connect(self.follow)
        self.set_theme(theme)

    def _build(self) -> None:
        self.question = PlainLabel(named=self.session.named, wordWrap=True)
        self.question.setProperty("heading", True)
        self.chips: dict[AskedQuantity, QPushButton] = {}
        for quantity in QUANTITIES:
            chip = self.chips[quantity] = QPushButton(f"{quantity}s")
            chip.setCheckable(True)
            chip.setToolTip(f"Whether you are asked for {quantity}s")
            chip.clicked.connect(self._choose)
        self.by_level = QCheckBox("by difficulty")
        self.by_level.setToolTip("Begin with values; right answers lead on to gradients that add up")
        self.by_level.clicked.connect(self._choose)
        self.answer, self.verdict = Field(), PlainLabel(named=self.session.named, wordWrap=True)
        self.answer.setAccessibleName("Your answer")
        self.answer.setPlaceholderText("such as −27 − 14, or 1/3")
        self.answer.setToolTip("A number, a fraction or arithmetic; Enter checks it")
        self.answer.returnPressed.connect(self._judge)
        self.hint, self.reveal = QPushButton("Hint"), QPushButton("Show me")
        self.hint.setToolTip("Where to look, then the rule, then the rule with its numbers")
        self.hint.clicked.connect(lambda: self.session.predicting.give_hint())
        self.reveal.setToolTip("Show the result; the question counts as not answered")
        self.reveal.clicked.connect(self._reveal)
        self.hints, self.score, self.answers = (PlainLabel(named=self.session.named, wordWrap=True) for _ in range(3))
        self.anew, self.save = QPushButton("New numbers"), QPushButton("Save score…")
        self.anew.setToolTip("The same graph with other small numbers, as an edit that can be undone")
        self.anew.clicked.connect(self._begin_anew)
        self.save.setToolTip("All answers as a table (CSV)")
        self.save.clicked.connect(lambda: self.exportAsked.emit("score", ".csv", self._write))
        leave_keys(*self.chips.values(), self.by_level, self.hint, self.reveal, self.anew, self.save)

    def _lay_out(self) -> None:
        chips, inside = QWidget(), QWidget()
        flow = FlowLayout(chips, 6)
        for chip in self.chips.values():
            flow.addWidget(chip)
        column = QVBoxLayout(inside)
        column.setContentsMargins(2 * look.GAP, look.GAP, 2 * look.GAP, look.GAP)
        column.setSpacing(look.GAP)
        asking: tuple[QWidget, ...] = (caption("ask for"), chips, self.by_level, self.question, self.answer)
        for widget in (*asking, self.verdict):
            column.addWidget(widget)
        column.addLayout(row_of(self.hint, self.reveal))
        for widget in (self.hints, caption("score"), self.score, self.answers):
            column.addWidget(widget)
        column.addStretch(1)
        column.addLayout(row_of(self.anew, self.save))
        column_in(self).addWidget(scrolled(inside))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        choose_widths(theme, *self.chips.values())
        self.follow()

    def showEvent(self, event) -> None:
        self.session.predicting.set_on(True)

    def hideEvent(self, event) -> None:
        self.session.predicting.set_on(False)

    # --- following

    def follow(self) -> None:
        """Show the open question, its hints and verdict, and the score."""
        if not self.isVisible():
            return
        predicting, question = self.session.predicting, self.session.predicting.open
        from cadena.core.teaching.questions import has_questions

        for quantity, chip in self.chips.items():
            chip.setChecked(quantity in predicting.quantities)
            chip.setEnabled(not predicting.by_level)
        self.by_level.setChecked(predicting.by_level)
        timeline = self.session.timeline
        may_ask = not self.session.method_fault and has_questions(timeline)
        self.chips["gradient"].setText("gradients" if timeline.goes_back else "tangents")
        self.question.setText(question.sentence if question else WAITING if may_ask else NO_STEPS)
        self.verdict.setText(predicting.verdict)
        for widget in (self.answer, self.verdict, self.hint, self.reveal):
            widget.setVisible(question is not None)
        self.hint.setEnabled(question is not None and predicting.hints < len(question.hints))
        shown = question.hints[: predicting.hints] if question else ()
        self.hints.setText("\n".join(shown))
        self._show_score()
        if question is not None and not predicting.tries and not predicting.hints:
            self.answer.clear()
            self.answer.setFocus()

    def _show_score(self) -> None:
        from cadena.core.teaching.score import summary

        attempts = self.session.predicting.attempts
        self.score.setText(summary(attempts) if attempts else "No question was answered yet.")
        marks = {True: "✓", False: "–"}
        listed = [f"{marks[attempt.right]} {attempt.subject} = {attempt.answer or '…'}" for attempt in attempts]
        self.answers.setText("\n".join(listed[-MAX_LISTED:]))
        self.save.setEnabled(bool(attempts))

    # --- what the user does

    def _choose(self) -> None:
        chosen = [quantity for quantity, chip in self.chips.items() if chip.isChecked()]
        self.session.predicting.ask_for(chosen, self.by_level.isChecked())

    def _judge(self) -> None:
        try:
            is_right = self.session.predicting.open is not None and self.session.predicting.answer(self.answer.text())
        except Refused as refusal:
            self.verdict.setText(f"{worded(refusal)}.")
            return
        if is_right:
            self._go_on()
        else:
            self.answer.selectAll()

    def _reveal(self) -> None:
        self.session.predicting.show_answer()
        self._go_on()

    def _go_on(self) -> None:
        self.focusReturned.emit()
        self.session.playback.resume()

    def _begin_anew(self) -> None:
        """Set other numbers as one edit, and begin with the first step."""
        from cadena.core.teaching.exercises import with_new_numbers

        self._seed += 1
        seed = self._seed

        def change(document: Document) -> Document:
            return with_new_numbers(document, seed)

        if self.session.edit(change, "Set new numbers"):
            self.session.run_now()
            self.session.set_time(0.0)

    def _write(self, path: Path) -> None:
        """Write the score to a file. Raises Refused where that is impossible."""
        from cadena.core.teaching.score import as_csv

        write(as_csv(self.session.predicting.attempts).encode(), path)
