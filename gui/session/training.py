"""The training of the session's document: slices of it in a thread, each shown, and one undo step for a run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from cadena.core.graph.document import Changes, Value
from cadena.core.graph.fault import Refused
from cadena.core.training.batches import with_values
from cadena.core.training.data import CSV, DataTable, read_csv
from cadena.core.training.settings import DEFAULTS, TrainingSettings, settings_of, with_settings
from cadena.core.training.trainer import Trainer
from cadena.gui.background.tasks import Order, Tasks
from cadena.gui.background.worker import Work
from cadena.gui.look.wording import worded
from cadena.gui.session.shown_document import ShownDocument

SLICE, LONG_SLICE = 0.012, 0.2  # seconds of steps between two pictures: of some, of as many as fit
PACES = {1: "each step", 10: "every 10th", 100: "every 100th", 0: "seldom"}  # what is drawn
ALL = 1_000_000_000  # steps
OF_THE_PACE = ("rate",)  # settings that take effect while a training goes on


class TrainingMoment(NamedTuple):
    """A training as it is shown, with the numbers that the graph shows; the trainer may have gone on."""

    steps: int
    loss: float | None
    values: Mapping[str, Value]
    gradients: Mapping[str, np.ndarray]


class Learning(QObject):
    """Runs, pauses, steps and resets a `trainer`; `refusal` is the reason, in one sentence, why there is none.

    `asks_for` is a file that the document names: the user is asked before it is read (`allow`).
    """

    changed = Signal()  # whether it runs, its steps, its settings, why it stopped

    def __init__(self, session: ShownDocument, tasks: Tasks) -> None:
        super().__init__(session)
        self._session, self._tasks = session, tasks
        self.trainer: Trainer | None = None
        self.moment: TrainingMoment | None = None  # None: nothing has been trained
        self.running = False
        self.refusal = ""
        self.asks_for = ""  # the file that came with the document, and that the user is asked about
        self._waiting: Callable[[Trainer], object] | None = None  # what goes on once it may be read
        self._allowed = set[Path]()
        self.pace = 1
        self._work: Work | None = None
        self._committed = 0  # steps of the trainer that the document has
        self._commits = False
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self._begin_slice)
        session.documentChanged.connect(self._follow)
        session.opened.connect(self._forget)
        session.settling.connect(self.settle)

    # --- settings

    @property
    def settings(self) -> TrainingSettings:
        """The document's settings; the defaults, with a `refusal`, where they mean nothing."""
        try:
            return settings_of(self._session.document)
        except Refused as refusal:
            self.refusal = f"{worded(refusal)}."
            return DEFAULTS

    def change(self, **changes: Any) -> None:
        """Change settings, as an edit; several changes of one setting in a row are one undo step."""
        settings = msgspec.structs.replace(self.settings, **changes)
        label = f"Set the training's {next(iter(changes))}"
        self._session.edit(lambda document: with_settings(document, settings), label, f"training {sorted(changes)}")

    def restarts_with(self, setting: str) -> bool:
        """Whether another value of a setting gives up the steps that were taken."""
        return setting not in OF_THE_PACE and self.trainer is not None and self.trainer.steps > 0

    @property
    def losses(self) -> list[float]:
        """The losses up to the moment that is shown, from that before the first step on."""
        if self.trainer is None or self.moment is None:
            return []
        return self.trainer.losses[: self.moment.steps + 1]

    @property
    def stopped(self) -> str:
        """Why the training has stopped by itself, in a sentence; "" where it has not."""
        trainer = self.trainer
        if trainer is None or self.running:
            return ""
        if trainer.failure is not None:
            return f"{trainer.failure.sentence[:1].upper()}{trainer.failure.sentence[1:]}."
        return trainer.runaway.sentence if trainer.runaway is not None and trainer.ran_away else ""

    def set_pace(self, pace: int) -> None:
        """Draw after so many steps; 0: after as many as fit between two pictures."""
        self.pace = pace
        self.changed.emit()

    # --- what the user does

    def toggle(self) -> None:
        """Run, or pause."""
        if self.running:
            self.pause()
        else:
            self._with_trainer(self._run)

    def _run(self, trainer: Trainer) -> None:
        """Go on; from the start where it had failed."""
        if trainer.failure is not None:
            self._start_again(trainer)
        self.running = True
        self._session.show_live()
        self._begin_slice()
        self.changed.emit()

    def pause(self) -> None:
        """Stop after the step under way; the run becomes one undo step."""
        if self.running:
            self.running = False
            self._soon.stop()
            if self._work is None:
                self._commit()
            else:
                self._work.cancel()
            self.changed.emit()

    def settle(self, but: Collection[str] = ()) -> None:
        """Stop at once, and put what was learnt into the document, but for these nodes."""
        if not self.running and self._work is None:
            return
        self.running = False
        self._soon.stop()
        if (work := self._work) is not None:
            work.cancel()
            work.wait()
            self._work = None
        self._commit(but=but)
        self.changed.emit()

    def step(self) -> None:
        """Take one step; several in a row are one undo step."""
        if not self.running and self._work is None:
            self._with_trainer(self._step)

    def _step(self, trainer: Trainer) -> None:
        if trainer.failure is None:
            self._session.show_live()
            trainer.step()
            self._show(trainer)
            self._commit("training steps")
            self.changed.emit()

    def reset(self) -> None:
        """Go back to the start, where the same seed repeats every step."""
        self.settle()
        self._with_trainer(self._start_again)

    def _start_again(self, trainer: Trainer) -> None:
        trainer.reset()
        self._committed, self.moment = 0, None
        start = {one.name: trainer.original.nodes.get(one.name) for one in trainer.inputs}
        data = {name: node.value for name, node in start.items() if node is not None and node.value is not None}
        self._write(data | trainer.values, "Reset the training")
        self.changed.emit()

    def allow(self, file: str) -> None:
        """Read this file from now on without a question, and go on with what has waited for it."""
        self._allowed.add(self._path_of(file))
        if self.asks_for and (then := self._waiting):
            self.asks_for, self._waiting = "", None
            self._with_trainer(then)

    def decline(self) -> None:
        """Leave the file that was asked about alone."""
        self.asks_for, self._waiting = "", None
        self.changed.emit()

    # --- slices

    def _with_trainer(self, then: Callable[[Trainer], object]) -> None:
        """Call `then` with the trainer of the document: at once, or when its CSV file has been read.

        A file that the document names, and that the user has not typed, is read only when the user agrees.
        """
        if self.trainer is not None:
            then(self.trainer)
            return
        self.refusal = self.asks_for = ""
        settings = self.settings
        if self.refusal:
            self.changed.emit()
        elif settings.data != CSV or not settings.file:
            self._make(None, then)
        elif (path := self._path_of(settings.file)) in self._allowed:
            order = Order(
                f"Reading {path.name}",
                lambda rows: self._make(rows, then),
                self._refuse,
                lambda: self.trainer is None and self.settings == settings,
            )
            self._tasks.in_thread(order, lambda _: read_csv(path))
        else:
            self.asks_for, self._waiting = settings.file, then
            self.changed.emit()

    def _make(self, rows: DataTable | None, then: Callable[[Trainer], object]) -> None:
        try:
            self.trainer = Trainer(self._session.document, self.settings, rows)
        except Refused as refusal:
            self._refuse(refusal)
            return
        self._committed = 0
        then(self.trainer)

    def _refuse(self, refusal: Refused) -> None:
        self.refusal = f"{worded(refusal)}."
        self.changed.emit()

    def _path_of(self, file: str) -> Path:
        """The whole path of a file that the settings name; beside that of the document where it says no folder."""
        beside = self._session.path.parent if self._session.path is not None else Path()
        return (beside / file).absolute()

    def _begin_slice(self) -> None:
        trainer = self.trainer
        if trainer is None or self._work is not None or not self.running:
            return
        seconds, most = (SLICE, self.pace) if self.pace else (LONG_SLICE, ALL)
        self._work = Work(lambda cancelled: trainer.advance(seconds, most, cancelled))
        self._work.finished.connect(self._end_slice)
        self._work.begin()

    def _end_slice(self) -> None:
        if self.sender() is not self._work:
            return
        self._work = None
        trainer = self.trainer
        if trainer is None:
            return
        if trainer.failure is not None or trainer.ran_away:
            self.running = False
        self._show(trainer)
        if self.running:
            self._soon.start()
        else:
            self._commit()
        self.changed.emit()

    def _note(self, trainer: Trainer) -> None:
        """Note the moment that is shown; no thread trains meanwhile."""
        self.moment = TrainingMoment(trainer.steps, trainer.loss, trainer.values, trainer.gradients)

    def _show(self, trainer: Trainer) -> None:
        self._note(trainer)
        if self._has_place(values := trainer.shown_values()):
            self._session.show_values(values)

    def _has_place(self, values: Mapping[str, Value]) -> bool:
        nodes = self._session.document.nodes
        return all(name in nodes and nodes[name].is_leaf for name in values)

    # --- the document

    def _commit(self, merge: str | None = None, but: Collection[str] = ()) -> None:
        """Put what was learnt into the document; with the example at which it went nan, which the doctor explains."""
        trainer = self.trainer
        if trainer is None or (trainer.steps == self._committed and trainer.failure is None):
            return
        count = trainer.steps - self._committed
        self._committed = trainer.steps
        self._note(trainer)
        values = trainer.shown_values() if trainer.failure is None else trainer.failing_values()
        learnt = {name: value for name, value in values.items() if name not in but}
        self._write(learnt, "Train 1 step" if count == 1 else f"Train {count} steps", merge)

    def _write(self, values: Mapping[str, Value], label: str, merge: str | None = None) -> None:
        if self._has_place(values):
            self._commits = True
            self._session.edit(lambda document: with_values(document, values), label, merge)
            self._commits = False

    def _follow(self, changes: Changes) -> None:
        """Another edit: a training goes on only with another rate; what it has learnt stays beside what was edited,
        unless that was undone."""
        trainer = self.trainer
        if self._commits or trainer is None:
            return
        settings = self.settings
        calm = {name: getattr(settings, name) for name in OF_THE_PACE}
        if not changes.anything_runs and msgspec.structs.replace(trainer.settings, **calm) == settings:
            trainer.settings = settings
            return
        is_under_way = self.running or self._work is not None
        if is_under_way and not self._session.history.future and not changes.structural:
            self.settle(but=changes.valued)
        self._forget()

    def _forget(self) -> None:
        self.running, self.trainer, self.moment, self.refusal, self.asks_for = False, None, None, "", ""
        self._soon.stop()
        if self._work is not None:
            self._work.cancel()
            self._work = None
        self.changed.emit()
