"""Predicting: questions that pause the steps before each result, their answers, and the score."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from cadena.core.methods.reverse.timeline import Timeline
from cadena.gui.session.shown_document import ShownDocument
from cadena.gui.session.state import Predictions

if TYPE_CHECKING:  # what predicting needs is imported when it begins
    from cadena.core.teaching.asking import AskedQuantity, StepQuestion
    from cadena.core.teaching.score import Attempt

HINTS = 3
NOT_YET = "Not yet: try again, or ask for a hint."


class Predicting(QObject):
    """Whether questions are asked, and for which quantities; the open one with its hints and verdict; all answers.

    Questions are of reverse and of forward mode: other methods play without.
    """

    changed = Signal()  # the open question, its verdict, the score

    def __init__(self, played: ShownDocument) -> None:
        super().__init__(played)
        self._played = played
        self.on, self.by_level = False, False
        self.asked: frozenset[AskedQuantity] = frozenset(("gradient",))
        self._questions: tuple[int, Collection[AskedQuantity], Timeline, tuple[StepQuestion, ...]] | None = None
        self.open: StepQuestion | None = None
        self._clear()
        played.timeChanged.connect(self.follow)
        played.runChanged.connect(self._ask_again)
        played.opened.connect(self._begin)

    def _clear(self) -> None:
        self.tries = self.hints = 0
        self.verdict = ""
        self._mistakes: list[str] = []

    # --- what is asked

    @property
    def quantities(self) -> frozenset[AskedQuantity]:
        """The quantities that are asked for now: those chosen, or the one of the learner's level."""
        from cadena.core.teaching.score import quantity_by_level

        return frozenset((quantity_by_level(self.attempts),)) if self.by_level else self.asked

    def set_on(self, on: bool) -> None:
        """Ask questions from now on, or no longer."""
        self.on = on
        self.follow()
        self.changed.emit()

    def ask_for(self, quantities: Collection[AskedQuantity], by_level: bool) -> None:
        """Ask for these quantities, or for one that follows the answers in difficulty."""
        self.asked, self.by_level = frozenset(quantities), by_level
        self.follow()
        self.changed.emit()

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """All answers in the open document."""
        return self._played.state.predictions.attempts

    def _keep(self, predictions: Predictions) -> None:
        self._played.state = replace(self._played.state, predictions=predictions)

    def _ask_again(self) -> None:
        """Ask everything again: the numbers are others."""
        self._keep(Predictions(self.attempts))
        self.follow()

    def _begin(self) -> None:
        """Another document is open, with another score."""
        self.follow()
        self.changed.emit()

    def _waiting(self, step: int) -> list[StepQuestion]:
        """The questions of a step that were not answered yet."""
        timeline = self._played.timeline
        if not self.on or not 0 <= step < len(timeline):
            return []
        key = step, self.quantities, timeline
        if self._questions is None or self._questions[:2] != key[:2] or self._questions[2] is not timeline:
            from cadena.core.teaching.questions import questions

            self._questions = (*key, questions(timeline, step, self.quantities))
        answered = self._played.state.predictions.answered
        return [item for item in self._questions[3] if (item.quantity, item.subject, step) not in answered]

    def next_moment(self, step: int, begin: float) -> float | None:
        """The moment of the next question of a step, after `begin`."""
        return next((item.moment for item in self._waiting(step) if item.moment > begin), None)

    def follow(self) -> None:
        """Open the question of the present moment, if there is one that was not answered."""
        step, time = int(self._played.time), self._played.time
        waiting = [] if self._played.live else [item for item in self._waiting(step) if item.moment == time]
        question = waiting[0] if waiting else None
        if (question and question[:4]) == (self.open and self.open[:4]):
            return
        self.open = question
        self._clear()
        self.changed.emit()

    # --- what is answered

    def answer(self, text: str) -> bool:
        """Judge an answer to the open question; whether it is right. Raises Refused for a text that is no number."""
        from cadena.core.teaching.answers import is_right, mistake_of, read_answer

        assert self.open is not None
        typed = read_answer(text)
        self.tries += 1
        right = is_right(typed, self.open.expected)
        mistake = None if right else mistake_of(typed, self.open.expected, self.open.mistakes)
        self.verdict = mistake.sentence if mistake else NOT_YET
        if mistake is not None and mistake.name not in self._mistakes:
            self._mistakes.append(mistake.name)
        if right:
            self._close(text, right=True)
        self.changed.emit()
        return right

    def give_hint(self) -> None:
        """Show one hint more: where to look, the rule, the rule with numbers."""
        self.hints = min(self.hints + 1, HINTS)
        self.changed.emit()

    def show_answer(self) -> None:
        """Give the question up; its result is shown next."""
        self._close("", right=False)
        self.changed.emit()

    def _close(self, text: str, right: bool) -> None:
        from cadena.core.teaching.score import Attempt

        question = self.open
        assert question is not None
        attempt = Attempt(
            question.quantity, question.subject, text, self.tries, self.hints, right, tuple(self._mistakes)
        )
        answered = (question.quantity, question.subject, int(self._played.time))
        self._keep(Predictions((*self.attempts, attempt), self._played.state.predictions.answered | {answered}))
        self.open = None
        self._clear()
