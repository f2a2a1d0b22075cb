"""What takes a while: it goes on beside the window, says how much is done, and can be cancelled. One way for all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance
from PySide6.QtWidgets import QApplication

from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import Cancel, stop_if
from cadena.core.text.progress import Report
from cadena.gui.background.worker import Pieces, Work

PATIENCE = 30  # milliseconds that the interface waits: what is quick is done at once, and nothing blinks
UNSEEN = 300  # milliseconds before a task is shown
HELD = 50  # milliseconds until a result asks again whether it may come


def always() -> bool:
    return True


@dataclass(frozen=True, eq=False)
class Order:
    """What is to be done, in the words that are shown, and what comes of it."""

    text: str
    then: Callable[[Any], object]
    refused: Callable[[Refused], object]
    fits: Callable[[], bool] = always  # whether the result is still wanted, asked at each change of the document
    unfit: str = ""  # the sentence where it is not
    left: Callable[[float], str] | None = None  # the sentence where it leaves something, cancelled at this share
    writes: str = ""  # the file that would not be written if the window was closed


class Task(QObject):
    """An order under way. Its end comes once: `then` or `refused`, or neither where it is cancelled."""

    ended = Signal(object)

    def __init__(self, order: Order, work: Work | Pieces, is_held: Callable[[], bool], parent: QObject) -> None:
        super().__init__(parent)
        self.order, self._work, self._is_held = order, work, is_held
        self.share: float | None = None  # how much of it is done; None where nobody knows
        self.is_shown = self.is_over = self.is_final = self._is_waited_for = False  # final: it is being written
        self._outcome: Callable[[], object] | None = None  # known, and not yet carried out
        work.succeeded.connect(lambda _, result: self._hold(partial(order.then, result)))
        work.refused.connect(lambda _, refusal: self._hold(partial(order.refused, refusal)))

    def begin(self, patience: int) -> None:
        """Begin, and wait a moment for what is quick."""
        self._work.begin()
        self.finish(patience)

    def finish(self, milliseconds: int | None = None) -> None:
        """Wait for the end, at most this long."""
        self._is_waited_for = True
        if not self.is_over and self._outcome is None:
            self._work.finish(milliseconds)
        self._come()
        self._is_waited_for = False

    def cancel(self) -> None:
        """Give it up, unless it is too late for that; nothing comes of it."""
        if not self.is_over and not self.is_final:
            self._work.cancel()
            self._end()

    def when_over(self, then: Callable[[], object]) -> None:
        """Call something after the end, before its outcome where that is still to come."""
        if self.is_over:
            then()
        else:
            self.ended.connect(lambda _: then())

    def _hold(self, outcome: Callable[[], object]) -> None:
        self._outcome = outcome
        self._come()

    def _come(self) -> None:
        """Let the outcome come, but not while that is held."""
        if self.is_over or self._outcome is None:
            return
        if not self._is_waited_for and self._is_held():
            QTimer.singleShot(HELD, self, self._come)
            return
        self._end()
        self._outcome()

    def _end(self) -> None:
        self.is_over = True
        self.ended.emit(self)


class Tasks(QObject):
    """All that is under way in a window, in the order in which it began."""

    changed = Signal()  # which tasks are shown
    patience, unseen = PATIENCE, UNSEEN

    def __init__(self, parent: QObject, changes: Iterable[SignalInstance], message: SignalInstance) -> None:
        """At each of the `changes` all are asked whether their results still fit; `message` says where one does not."""
        super().__init__(parent)
        self.under_way: list[Task] = []
        self._message = message
        self.is_dragging: Callable[[], bool] = lambda: False  # the window knows
        for change in changes:
            change.connect(self._check)

    def in_thread(self, order: Order, job: Callable[[Report], Any]) -> Task:
        """Call `job` in a thread; it reports how much is done as often as it can."""
        task = self._add(order, Work(lambda cancelled: job(_report(task, cancelled))))
        task.begin(self.patience)
        return task

    def in_pieces(self, order: Order, pieces: Iterator[int], amount: int) -> Task:
        """Work in the interface's own thread, for what paints; each piece yields how much is done of `amount`."""

        def report(done: int) -> None:
            task.share = done / max(amount, 1)

        task = self._add(order, Pieces(pieces, report))
        task.begin(self.patience)
        return task

    def _add(self, order: Order, work: Work | Pieces) -> Task:
        task = Task(order, work, self._is_held, self)
        self.under_way.append(task)
        task.ended.connect(self._end)
        QTimer.singleShot(self.unseen, task, partial(self._show, task))
        return task

    def _is_held(self) -> bool:
        """Whether nothing may change: under a question, an open menu or a drag, which are about what is there now."""
        asks = QApplication.activeModalWidget() or QApplication.activePopupWidget()
        return asks is not None or self.is_dragging()

    def _show(self, task: Task) -> None:
        if not task.is_over:
            task.is_shown = True
            self.changed.emit()

    def _end(self, task: Task) -> None:
        self.under_way.remove(task)
        if task.is_shown:
            self.changed.emit()
        task.deleteLater()

    @property
    def shown(self) -> list[Task]:
        """The tasks that have taken so long that they are shown."""
        return [task for task in self.under_way if task.is_shown]

    @property
    def writing(self) -> list[str]:
        """The files that are being written."""
        return [task.order.writes for task in self.under_way if task.order.writes]

    def cancel_last(self) -> None:
        """Cancel the shown task that began last."""
        if self.shown:
            self.cancel(self.shown[-1])

    def cancel(self, task: Task) -> None:
        """Cancel a task as the user wants it, and say so."""
        task.cancel()
        if task.is_over:
            left, share = task.order.left, task.share or 0.0
            self._message.emit(left(share) if left and share else f"{task.order.text}: cancelled")

    def cancel_all(self) -> None:
        for task in tuple(self.under_way):
            task.cancel()

    def _check(self) -> None:
        """Cancel the tasks whose results no longer fit, and say so."""
        for task in [task for task in self.under_way if not task.order.fits()]:
            task.cancel()
            QTimer.singleShot(0, self, partial(self._message.emit, task.order.unfit))  # the change clears the line


def _report(task: Task, cancelled: Cancel) -> Report:
    """The report of a thread, which may be stopped there."""

    def report(share: float) -> None:
        task.is_final = share >= 1.0
        stop_if(cancelled)
        task.share = share

    return report
