"""The search for hints and fixes while the interface rests, in a thread of its own that the next run cancels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from cadena.core.doctor.findings.causes import FaultChain
from cadena.core.front import Run
from cadena.core.graph.fault import Fault
from cadena.core.methods.answer import Cancel, stop_if
from cadena.gui.background.worker import Work
from cadena.gui.session.session import Session

if TYPE_CHECKING:
    from cadena.core.doctor.fixes.fix import Fix

REST, POLL = 300, 30  # milliseconds: of rest before an examination, and between two checks of its progress
AT_ONCE, MAX_NUMBERS = 500, 1_000_000  # nodes and numbers up to which the quick hints follow a run without delay
MAX_NODES = 20_000  # in larger graphs neither digits are compared nor fixes tried
MAX_FIXED = 12  # faults and hints for which fixes are tried


class Examination:
    """An examination of a run. `hints` and `fixes` grow, stage by stage, while `work` goes on in another thread."""

    def __init__(self, run: Run) -> None:
        self.run, self.stages = run, 0
        self.hints: tuple[Fault, ...] | None = None
        self.fixes: dict[Fault, tuple[Fix, ...]] = {}
        _ = run.gradients, run.faults  # computed here, so that two threads need not do it at once

    def work(self, cancelled: Cancel) -> None:
        """Run all stages. Raises Cancelled."""
        from cadena.core.doctor.fixes.offers import fixes

        run = self.run
        small = len(run.plan.names) <= MAX_NODES
        self.hints, self.stages = _hints(run, digits=small), 1
        faults = [fault for fault in run.faults if fault.severity == "fault"]
        for fault in [*faults, *self.hints][:MAX_FIXED] if small else ():
            stop_if(cancelled)
            self.fixes[fault] = fixes(run.program.document, run, fault)
            self.stages += 1


class Doctor(QObject):
    """Hints at the session's run and fixes for what is wrong with it; `news` when there is any of either."""

    news = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.hints: tuple[Fault, ...] = ()
        self._look: Examination | None = None
        self._work: Work | None = None  # the last one; it may be cancelled and not finished yet
        self._stages_shown = 0
        self._rest = QTimer(self, interval=REST, singleShot=True)
        self._rest.timeout.connect(self._begin)
        self._poll = QTimer(self, interval=POLL)
        self._poll.timeout.connect(self._hear)
        session.runChanged.connect(self.follow)
        self._rest.start()  # the first graph is a lesson, whose hints can wait
        QTimer.singleShot(0, self, self._rest_on)  # the rest begins with the events, not while the window is made

    def _rest_on(self) -> None:
        if self._rest.isActive():  # else the examination has begun, or was stopped
            self._rest.start()

    def fixes(self, fault: Fault) -> tuple[Fix, ...]:
        """The fixes of a fault or hint that are known by now."""
        return self._look.fixes.get(fault, ()) if self._look else ()

    def has_no_fix(self, chain: FaultChain) -> bool:
        """Whether fixes were looked for, and none was found, for a fault and its consequences."""
        known = self._look.fixes if self._look else {}
        return bool(chain.fault.rule) and all(known.get(fault) == () for fault in (chain.fault, *chain.results))

    @property
    def busy(self) -> bool:
        """Whether more news may come."""
        return self._rest.isActive() or self._poll.isActive()

    def follow(self) -> None:
        """Examine another run; results for the one before are obsolete."""
        self.stop()
        run = self.session.run
        self.hints = _hints(run) if _is_quick(run) else ()
        self._rest.start()
        self.news.emit()

    def stop(self) -> None:
        """Cancel the examination under way."""
        self._rest.stop()
        self._poll.stop()
        if self._look is not None and self._work is not None:
            self._work.cancel()
        self._look = None

    def _begin(self) -> None:
        if self._work is not None and self._work.isRunning():  # one at a time; it ends after the fix that it tries
            self._rest.start()
            return
        self._look, self._stages_shown = Examination(self.session.run), 0
        self._work = work = Work(self._look.work)
        work.succeeded.connect(self._end)
        work.refused.connect(self._end)
        work.begin()
        self._poll.start()

    def _hear(self) -> None:
        look = self._look
        assert look is not None
        if look.stages > self._stages_shown:
            self._stages_shown, self.hints = look.stages, look.hints or ()
            self.news.emit()

    def _end(self, work: Work, _: object) -> None:
        if work is self._work and self._look is not None:
            self._poll.stop()
            self._hear()


def _hints(run: Run, digits: bool = False) -> tuple[Fault, ...]:
    """The hints at a run, those at inf that harms nothing first."""
    from cadena.core.doctor.findings.hints import hints

    return (*(fault for fault in run.faults if fault.severity == "hint"), *hints(run, digits))


def _is_quick(run: Run) -> bool:
    """Whether hints take less than the next frame."""
    shapes = run.plan.shapes
    if len(shapes) > AT_ONCE:
        return False
    return sum(math.prod(shape) for shape in shapes if shape is not None) <= MAX_NUMBERS
