"""Two sessions played together: one playback leads both, and the time of the second follows from that of the first."""

from __future__ import annotations

import math
from dataclasses import replace

from PySide6.QtCore import QObject

from cadena.core.graph.document import changes
from cadena.core.graph.history import History
from cadena.core.methods.names import Method
from cadena.gui.session.graph_edits import DocumentChange
from cadena.gui.session.session import Session

BY_SHARE = "Played together by share of the way: both begin and end at the same time ({first} and {second} steps)."
BY_STEP = "Played together step by step: both have {first} steps."
SECOND_WAITS = "Played together step by step: after step {second} the right side waits at its end."
SECOND_CATCHES_UP = "Played together step by step: in the last one, step {first}, the right side plays its rest."


def whole_steps(step: int, first: int, second: int, by_step: bool) -> int:
    """How many of `second` steps are done when `step` of `first` are. Both begin, and both end, at the same time."""
    if step >= first:
        return second
    return min(step, second) if by_step else step * second // first


def led_time(time: float, first: int, second: int, by_step: bool) -> float:
    """The moment of the second for a moment of the first: at rest both are between two steps."""
    done = min(math.floor(time), first)
    before, after = (whole_steps(step, first, second, by_step) for step in (done, done + 1))
    return before + (time - done) * (after - before)


class MirrorSession(Session):
    """Has the document and the run of another session, by its own method; what is edited here is edited there."""

    def __init__(self, first: Session) -> None:
        super().__init__(first.document)
        self._first = first

    def edit(self, change: DocumentChange, label: str, merge: str | None = None) -> bool:
        return self._first.edit(change, label, merge)


class Together(QObject):
    """Leads the `second` session."""

    def __init__(self, first: Session, second: Session, parent: QObject) -> None:
        super().__init__(parent)
        self.first, self.second, self.mirrors = first, second, isinstance(second, MirrorSession)
        self.by_step = False
        self._own_playback = second.playback
        second.playback = first.playback  # so that whatever plays the second plays both
        second.interrupted.connect(first.playback.pause)
        for signal in (first.timeChanged, first.methodChanged, second.methodChanged):
            signal.connect(self.follow)
        first.runChanged.connect(self._follow_run)
        first.selectionChanged.connect(self._follow_selection)
        first.playbackChanged.connect(self._follow_playback)
        if self.mirrors:
            first.documentChanged.connect(self._follow_document)
            self._follow_document()
        self._follow_run()

    def align(self, by_step: bool) -> None:
        """Go together step by step, or by share of the way."""
        self.by_step = by_step
        self.follow()

    @property
    def steps(self) -> tuple[int, int]:
        """The numbers of steps of both."""
        return len(self.first.timeline), len(self.second.timeline)

    @property
    def sentence(self) -> str:
        """How the two go together."""
        first, second = self.steps
        template = BY_SHARE
        if self.by_step:
            template = BY_STEP if first == second else SECOND_WAITS if second < first else SECOND_CATCHES_UP
        return template.format(first=first, second=second)

    def follow(self) -> None:
        """Show the moment of the second that goes with that of the first."""
        first, second = self.first, self.second
        for setting in ("reduce_motion", "follow_steps", "name_patterns"):
            setattr(second, setting, getattr(first, setting))
        time = led_time(first.time, *self.steps, self.by_step)
        if (time, first.live) != (second.time, second.live):
            second.state = replace(second.state, time=time, live=first.live)
            second.timeChanged.emit()

    def end(self) -> None:
        """Let the second go; steps of it that are being computed are called off."""
        first = self.first
        for signal in (first.timeChanged, first.methodChanged):
            signal.disconnect(self.follow)
        first.runChanged.disconnect(self._follow_run)
        first.selectionChanged.disconnect(self._follow_selection)
        first.playbackChanged.disconnect(self._follow_playback)
        if self.mirrors:
            first.documentChanged.disconnect(self._follow_document)
        self.second.methodChanged.disconnect(self.follow)
        self.second.interrupted.disconnect(first.playback.pause)
        self.second.playback = self._own_playback
        self.second.set_method(Method())

    def _follow_selection(self) -> None:
        self.second.select(self.first.selection)

    def _follow_playback(self) -> None:
        if self.mirrors:
            self.second.state = replace(self.second.state, breakpoints=self.first.breakpoints)
        self.second.playbackChanged.emit()

    def _follow_document(self, *_: object) -> None:
        first, second = self.first, self.second
        before = second.document
        history, seed, target = History(first.document), first.state.seed, first.state.target
        second.state = replace(second.state, history=history, seed=seed, target=target)
        second.program, second.run = first.program, first.run
        second.documentChanged.emit(changes(before, first.document))

    def _follow_run(self) -> None:
        if self.mirrors:
            self.second.program, self.second.run = self.first.program, self.first.run
            self.second.runChanged.emit()
        self.follow()
