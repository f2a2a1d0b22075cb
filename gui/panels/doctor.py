"""Looks for hints and mends while the interface rests, in a thread of its own that is called off by the next run."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from core import Fault, Run, compile
from core.diagnosis import hints
from core.mends import Mend, mends
from gui.session import Session

REST, POLL = 300, 30  # milliseconds: of calm before a look, and between two questions how far it has come
AT_ONCE = 2_000  # nodes up to which the quick hints follow every run without delay
MOST_NODES = 20_000  # in larger graphs neither digits are compared nor mends tried
MOST_MENDED = 12  # faults and hints for which mends are tried


class Examination:
    """One look at a run. `hints` and `mends` fill up while `work` goes on in another thread, until `cancelled`."""

    def __init__(self, run: Run) -> None:
        self.run, self.cancelled, self.stages = run, False, 0
        self.hints: tuple[Fault, ...] | None = None
        self.mends: dict[Fault, tuple[Mend, ...]] = {}

    def work(self) -> None:
        """All of it, stage by stage."""
        if len(self.run.plan.names) > MOST_NODES:
            self.hints, self.stages = hints(self.run), 1
            return
        document = self.run.program.document
        # A program of its own: passes keep scratch memory, which two threads must not share.
        twin = compile(document).run(dtype=self.run.dtype, seed=self.run.seed)
        self.hints, self.stages = () if self.cancelled else hints(twin, digits=True), 1
        for fault in [*twin.faults, *self.hints][:MOST_MENDED]:
            if self.cancelled:
                return
            self.mends[fault] = mends(document, twin, fault)
            self.stages += 1


class Doctor(QObject):
    """Hints at the session's run and mends for what is wrong with it; `found` when there is news of either."""

    found = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.hints: tuple[Fault, ...] = ()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="doctor")
        self._look: Examination | None = None
        self._future: Future[None] | None = None
        self._heard = 0
        self._rest = QTimer(self, interval=REST, singleShot=True)
        self._rest.timeout.connect(self._begin)
        self._poll = QTimer(self, interval=POLL)
        self._poll.timeout.connect(self._hear)
        session.runChanged.connect(self.follow)
        if (application := QCoreApplication.instance()) is not None:
            application.aboutToQuit.connect(self.stop)  # Python waits for its threads when it ends
        self.follow()

    def mends(self, fault: Fault) -> tuple[Mend, ...]:
        """What mends a fault or hint, as far as it is known by now."""
        return self._look.mends.get(fault, ()) if self._look else ()

    @property
    def busy(self) -> bool:
        """Whether there may be news."""
        return self._rest.isActive() or self._poll.isActive()

    def follow(self) -> None:
        """Another run: what was found out about the one before is of no use."""
        self.stop()
        run = self.session.run
        self.hints = hints(run) if len(run.plan.names) <= AT_ONCE else ()
        self._rest.start()
        self.found.emit()

    def stop(self) -> None:
        """Call off the look under way."""
        self._rest.stop()
        self._poll.stop()
        if self._look:
            self._look.cancelled = True
        self._look = None

    def _begin(self) -> None:
        self._look, self._heard = Examination(self.session.run), 0
        self._future = self._pool.submit(self._look.work)
        self._poll.start()

    def _hear(self) -> None:
        look, future = self._look, self._future
        assert look is not None and future is not None
        if future.done():
            self._poll.stop()
        if look.stages > self._heard:
            self._heard, self.hints = look.stages, look.hints or ()
            self.found.emit()
        if future.done():
            future.result()  # an error in the thread is raised here, where it is reported
