"""The steps of a run by the chosen method, computed in a thread where that takes long."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from cadena.core.front import Run
from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import Cancel, stop_if
from cadena.core.methods.choosing import computed_timeline, timeline_of
from cadena.core.methods.names import Method
from cadena.core.methods.reverse.timeline import Frame, Timeline
from cadena.core.methods.walk import ValuesTimeline
from cadena.gui.background.worker import Work
from cadena.gui.formulas import pictures
from cadena.gui.look.wording import worded

PATIENCE = 15  # milliseconds that the interface waits, so that quick steps are there at once and nothing blinks


class Steps(QObject):
    """`timeline` holds the values alone while the steps are `under_way`, and where the method has a `fault`.

    One thread works at a time. Steps that take longer than the interface waits come later, with `ready`.
    """

    ready = Signal()
    patience = PATIENCE

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._requested: tuple[Run, Method] | None = None
        self._work: Work | None = None  # at most one; it may be cancelled and not at its end yet
        self._waits = False  # the interface, for the thread
        self.under_way, self.fault = False, ""

    def _show(self, timeline: Timeline, fault: str, under_way: bool) -> None:
        self.timeline, self.fault, self.under_way = timeline, fault, under_way
        self._frame: tuple[float, Frame] | None = None

    def frame(self, time: float) -> Frame:
        """The frame at `time` in steps; the last one is kept, since all that is shown asks for it."""
        if self._frame is None or self._frame[0] != time:
            self._frame = time, self.timeline.frame(time)
        return self._frame[1]

    def follow(self, run: Run, method: Method) -> None:
        """Compute the steps of this run by this method, unless they are ready or under way."""
        if self._requested is not None and run is self._requested[0] and method == self._requested[1]:
            return
        if self._work is not None and self.under_way:
            self._work.cancel()
        if self._requested is not None and run is not self._requested[0]:
            self._requested[0].forget_steps()
        self._requested = run, method
        if method.is_built_in:
            self._show(run.timeline if method.passes == 1 else timeline_of(run, method), "", False)
            return
        self._show(ValuesTimeline(run), "", True)
        _ = run.gradients  # computed here, so that two threads need not do it at once
        if self._work is None or self._work.isFinished():
            self._begin()

    def _begin(self) -> None:
        assert self._requested is not None
        run, method = self._requested
        self._work = work = Work(lambda cancelled: _compute(run, method, cancelled))
        work.succeeded.connect(self._succeeded)
        work.refused.connect(self._refused)
        work.finished.connect(self._ended)
        work.begin()
        self._wait(self.patience)

    def _wait(self, milliseconds: int | None) -> None:
        assert self._work is not None
        self._waits = True
        self._work.finish(milliseconds)
        self._waits = False

    def finish(self) -> None:
        """Wait until nothing is under way."""
        while self.under_way:
            self._wait(None)
            if self.under_way:  # that one was cancelled
                self._begin()

    def _succeeded(self, work: Work, timeline: Timeline) -> None:
        self._arrive(work, timeline, "")

    def _refused(self, work: Work, refusal: Refused) -> None:
        self._arrive(work, self.timeline, worded(refusal))

    def _arrive(self, work: Work, timeline: Timeline, fault: str) -> None:
        if work is self._work:
            self._show(timeline, fault, False)
            if not self._waits:
                self.ready.emit()

    def _ended(self) -> None:
        """Handle the end of a thread; if it was cancelled, the latest request is next."""
        if self.sender() is self._work:
            self._work = None
            if self.under_way:
                self._begin()
                if not self.under_way:
                    self.ready.emit()


def _compute(run: Run, method: Method, cancelled: Cancel) -> Timeline:
    """Compute the steps, and the pictures of expressions, which take longer than everything else."""
    timeline = computed_timeline(run, method, cancelled)
    for latex in timeline.formulas:
        stop_if(cancelled)
        pictures.setting(latex)
    return timeline
