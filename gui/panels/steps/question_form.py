"""The form of a story's question: what is asked, how it is answered, and why."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPlainTextEdit, QWidget

from cadena.core.graph.fault import Refused
from cadena.core.teaching.story import Choices, StoryQuestion, as_text
from cadena.gui.look import theme as look
from cadena.gui.look.theme import LIGHT, Theme
from cadena.gui.look.wording import worded
from cadena.gui.panels.parts.common import Sentence, caption, column_in
from cadena.gui.widgets.chooser import Chooser

NONE, NUMBER, CHOICE, OPEN = "no question", "a number", "a choice", "only opened"
KINDS = (NONE, NUMBER, CHOICE, OPEN)
RIGHT = "*"  # begins the line of the right choice
FIRST = Choices(("yes", "no"), 0)
ROWS = 4
NO_RIGHT = "Put * before the right choice."


class QuestionForm(QWidget):
    """`change(question)` is called with each change that gives a whole question, or None for no question."""

    def __init__(self, change: Callable[[StoryQuestion | None], None]) -> None:
        super().__init__()
        self._change = change
        self._question: StoryQuestion | None = None
        self.kind, self.ask, self.answer, self.because = Chooser(), QLineEdit(), QLineEdit(), QLineEdit()
        self.choices, self.trouble = QPlainTextEdit(), Sentence(LIGHT)
        for widget, name in ((self.kind, "Kind of question"), (self.ask, "Question"), (self.answer, "Right answer"),
                             (self.choices, "Choices"), (self.because, "Reason")):  # fmt: skip
            widget.setAccessibleName(name)
        self.kind.setToolTip("How the question is answered: by a number or by a choice")
        self.choices.setToolTip("A choice a line, * before the right one")
        self.ask.setPlaceholderText("question")
        self.answer.setPlaceholderText("answer: −28, 1/3, 7·4")
        self.because.setPlaceholderText("reason, shown with the answer")
        self.choices.setPlaceholderText("A choice a line, * before the right one")
        self.choices.setTabChangesFocus(True)
        self.kind.chosen.connect(self._choose_kind)
        for field in (self.ask, self.answer, self.because):
            field.textEdited.connect(self._read)
        self.choices.textChanged.connect(self._read)
        row, column = QHBoxLayout(), column_in(self)
        row.addWidget(caption("question"))
        row.addWidget(self.kind)
        row.addStretch(1)
        column.addLayout(row)
        for part in (self.ask, self.answer, self.choices, self.trouble, self.because):
            column.addWidget(part)

    def set_theme(self, theme: Theme) -> None:
        self.trouble.set_theme(theme)
        self.choices.setFixedHeight(round((ROWS + 0.6) * self.choices.fontMetrics().lineSpacing()) + look.GAP)

    def show_question(self, question: StoryQuestion | None) -> None:
        """Show a question of the document; the one that is being typed is the same already."""
        is_typed = question == self._question
        self._question = question
        kind = kind_of(question)
        self.kind.show_only(list(KINDS), kind)
        for widget, kinds in ((self.ask, KINDS[1:]), (self.answer, (NUMBER,)), (self.choices, (CHOICE,)),
                              (self.because, KINDS[1:])):  # fmt: skip
            widget.setVisible(kind in kinds)
        if is_typed:
            return
        self.trouble.say("")
        with QSignalBlocker(self.choices):
            answer = question.answer if question else None
            self.ask.setText(question.ask if question else "")
            self.because.setText(question.because if question else "")
            self.answer.setText("" if answer is None or isinstance(answer, Choices) else as_text(answer))
            for field in (self.ask, self.because):
                field.setCursorPosition(0)
            self.choices.setPlainText(as_lines(answer) if isinstance(answer, Choices) else "")

    def _choose_kind(self, kind: str) -> None:
        before = self._question or StoryQuestion("")
        if kind == kind_of(self._question):
            return
        answers: dict[str, str | Choices | None] = {NUMBER: "0", CHOICE: FIRST, OPEN: None}
        new = None if kind == NONE else StoryQuestion(before.ask, answers[kind], before.because)
        self._change(new)

    def _read(self) -> None:
        """Take over what is typed, where it is a question."""
        if self._question is None:
            return
        kind = kind_of(self._question)
        answer: str | Choices | None = None
        if kind == NUMBER:
            answer = self.answer.text()
        elif kind == CHOICE:
            answer = read_choices(self.choices.toPlainText())
        question = StoryQuestion(self.ask.text(), answer, self.because.text())
        trouble = NO_RIGHT if kind == CHOICE and answer is None else ""
        if kind == NUMBER:
            try:
                question.is_right(question.solution)
            except Refused as refusal:
                trouble = f"{worded(refusal)}."
        self.trouble.say(trouble)
        if not trouble:
            self._question = question  # what is typed stays as it is
            self._change(question)


def kind_of(question: StoryQuestion | None) -> str:
    """The way in which a question is answered."""
    if question is None:
        return NONE
    return OPEN if question.answer is None else CHOICE if isinstance(question.answer, Choices) else NUMBER


def as_lines(answer: Choices) -> str:
    """Choices as they are typed."""
    return "\n".join(
        f"{RIGHT} {text}" if number == answer.right else text for number, text in enumerate(answer.choices)
    )


def read_choices(text: str) -> Choices | None:
    """Choices from lines; None where not exactly one of several is marked as right."""
    lines = [line.strip() for line in text.splitlines() if line.strip(" *")]
    right = [number for number, line in enumerate(lines) if line.startswith(RIGHT)]
    if len(right) != 1 or len(lines) < 2:
        return None
    return Choices(tuple(line.removeprefix(RIGHT).strip() for line in lines), right[0])
