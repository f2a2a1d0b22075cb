"""The shared state of the interface: the shown document, and what plays, asks, tells and trains with it.

Parts of the window read the state here, request changes here, and learn of changes from here alone.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from cadena.core.doctor.findings.causes import FaultChain
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Fault
from cadena.gui.background.tasks import Tasks
from cadena.gui.session.asking import Asking
from cadena.gui.session.playback import Playback
from cadena.gui.session.predictions import Predicting
from cadena.gui.session.shown_document import ShownDocument
from cadena.gui.session.story_progress import Telling

if TYPE_CHECKING:  # what training needs is imported when it begins
    from cadena.gui.session.training import Learning


class Session(ShownDocument):
    """The state of one window."""

    predictChanged = Signal()  # predicting: the open question, its verdict, the score
    storyChanged = Signal()  # telling: the step of the lesson's story, its question, what was answered
    askingChanged = Signal()  # asking: whether a question is open, and what it keeps from being shown
    playbackChanged = Signal()  # playback: playing, speed, loop; breakpoints
    learningChanged = Signal()  # learning: whether it runs, its steps, its settings, why it stopped

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(document, parent)
        self.tasks = Tasks(self, (self.documentChanged, self.opened), self.message)
        self.playback = Playback(self, self.next_pause)
        self.predicting = Predicting(self)
        self.telling = Telling(self, self.playback)
        self.asking = Asking(self, self.telling, self.predicting)
        self._learning: Learning | None = None
        self.playback.changed.connect(self.playbackChanged)
        self.predicting.changed.connect(self.predictChanged)
        self.telling.changed.connect(self.storyChanged)
        self.asking.changed.connect(self.askingChanged)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults of the run that may be known by now."""
        return self.asking.faults(super().faults)

    @property
    def causes(self) -> tuple[FaultChain, ...]:
        """The faults that may be known by now, grouped by cause."""
        return self.asking.causes(super().causes)

    def next_pause(self, begin: float, end: float) -> float | None:
        """The first moment after `begin`, up to `end`, to pause at: a breakpoint, a question or a text of the story."""
        timeline, of_story = self.timeline, self.telling.next_pause(begin, end)
        end = end if of_story is None else of_story
        for step in range(math.floor(begin), min(math.floor(end) + 1, len(timeline))):
            at = timeline[step] if self.breakpoints and begin < step else None
            if at is not None and (at.operand or at.node) in self.breakpoints:
                return float(step)
            moment = self.predicting.next_moment(step, begin)
            if moment is not None and moment <= end:
                return moment
        return of_story

    def set_time(self, time: float) -> None:
        """Show a moment of the steps; a training stops for them, and its numbers are theirs."""
        self._settle_training()
        super().set_time(time)

    def undo(self) -> None:
        """Take the last edit back: where a training runs, all its steps."""
        self._settle_training()
        super().undo()

    def _settle_training(self) -> None:
        if self._learning is not None:
            self._learning.settle()

    def step(self, by: int) -> None:
        """Turn to the next text of the story at this moment, else move on to the next step; or back."""
        if not self.telling.turn(by):
            self.playback.step(by)

    def play_or_pause(self) -> None:
        """Play on after what is left to read at this moment, or pause."""
        if self.playback.plays_on or not self.telling.turn(1):
            self.playback.toggle()

    def toggle_breakpoint(self, name: str) -> None:
        """Set a breakpoint on a node, or take it away."""
        self.state = replace(self.state, breakpoints=self.breakpoints ^ {name})
        self.playbackChanged.emit()

    @property
    def learning(self) -> Learning:
        """The training of the document."""
        if self._learning is None:
            from cadena.gui.session.training import Learning

            self._learning = Learning(self, self.tasks)
            self._learning.changed.connect(self.learningChanged)
        return self._learning

    @property
    def learns(self) -> bool:
        """Whether a training changes the numbers that are shown."""
        return self._learning is not None and self._learning.running

    @property
    def learnt(self) -> Document:
        """The document with the numbers that are shown: those of a training while it runs."""
        return self.run.program.document if self.learns else self.document

    @property
    def learning_stopped(self) -> str:
        """Why a training has stopped by itself; "" where none has."""
        return self._learning.stopped if self._learning is not None else ""
