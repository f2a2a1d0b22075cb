"""What an open question keeps from being shown: all that goes beyond the present step, until it has its answer."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from cadena.core.doctor.findings.causes import FaultChain
from cadena.core.graph.fault import Fault
from cadena.core.methods.reverse.activity import faults_by_now
from cadena.gui.session.predictions import HINTS, Predicting
from cadena.gui.session.shown_document import ShownDocument
from cadena.gui.session.story_progress import Telling

HELD_BACK = "A question is open: this is shown once it has its answer."
NUMBERS_HELD_BACK = "A question is open: the numbers of this plot are shown once it has its answer."
NUMBERS_TO_COME = "The lesson asks for numbers: those of this plot are shown once its questions have their answers."


class Asking(QObject):
    """Whether a question of the story or of predicting is open. Every view that knows more than the frame asks here."""

    changed = Signal()  # a question was opened or answered, its last hint was given, a step of a story made a problem

    def __init__(self, shown: ShownDocument, telling: Telling, predicting: Predicting) -> None:
        super().__init__(shown)
        self._shown, self._telling, self._predicting = shown, telling, predicting
        self._state = (False, False, False, False, -1)
        for signal in (telling.changed, telling.shownChanged, predicting.changed, shown.timeChanged, shown.runChanged):
            signal.connect(self._follow)

    def _follow(self) -> None:
        known = len(self._shown.faults) if self.limits_faults else -1
        state = self.is_open, self.holds_steps, self.holds_numbers, self.hides_factors, known
        if state != self._state:
            self._state = state
            self.changed.emit()

    @property
    def is_open(self) -> bool:
        """Whether a question waits for its answer, so that no view shows results of its own."""
        return self._predicting.open is not None or self._telling.asks

    @property
    def holds_steps(self) -> bool:
        """Whether steps are to come behind the open question, of which nothing may be seen."""
        shown = self._shown
        return self.is_open and not shown.live and shown.moment < len(shown.timeline)

    @property
    def holds_numbers(self) -> bool:
        """Whether the numbers of the whole run may be an answer, to the open question or to one that is to come."""
        return self.is_open or (not self._shown.live and self._telling.asks_for_numbers)

    @property
    def hides_factors(self) -> bool:
        """Whether the formula of the present step has no numbers: they are the last hint to a prediction."""
        return self._predicting.open is not None and self._predicting.hints < HINTS

    @property
    def limits_faults(self) -> bool:
        """Whether faults come as the steps bring them: a story says when, and a question may be about them."""
        shown, telling = self._shown, self._telling
        has_story = telling.is_shown and telling.brings_story and not shown.live
        return self.holds_steps or (has_story and shown.moment < len(shown.timeline))

    def faults(self, faults: tuple[Fault, ...]) -> tuple[Fault, ...]:
        """Of these faults the ones that may be known."""
        return tuple(faults_by_now(self._shown.frame, faults)) if faults and self.limits_faults else faults

    def causes(self, causes: tuple[FaultChain, ...]) -> tuple[FaultChain, ...]:
        """Of these causes the ones that may be known, with those of their results."""
        if not causes or not self.limits_faults:
            return causes
        known = (chain for chain in causes if self.faults((chain.fault,)))
        return tuple(chain._replace(results=self.faults(chain.results)) for chain in known)
