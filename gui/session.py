"""The shared state of the interface: document, history, run, timeline, clock and selection, with their signals.

Parts of the window read the state here, request changes here, and learn of changes from here alone. Edits commit to
the history; runs happen at most once per turn of the event loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property, reduce
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from cadena.core.doctor.findings.causes import FaultChain
from cadena.core.front import Program, Run, compile
from cadena.core.graph.document import Document, Value, changes
from cadena.core.graph.fault import Fault, Refused
from cadena.core.graph.history import History
from cadena.core.lessons import opening_method
from cadena.core.methods.answer import differs_in_h
from cadena.core.methods.names import Method
from cadena.core.methods.reverse.timeline import Frame, Timeline
from cadena.core.notation.in_script import with_shown_names
from cadena.core.run.accumulation import Accumulated, renamed, under_way
from cadena.gui.document_state import Around, DocumentState
from cadena.gui.graph_edits import DocumentChange, changed
from cadena.gui.hiding import Hiding
from cadena.gui.pauses import next_pause
from cadena.gui.playback import Playback
from cadena.gui.predicting import Predicting
from cadena.gui.showing import Showing
from cadena.gui.steps import Steps
from cadena.gui.tasks import Tasks
from cadena.gui.telling import Telling
from cadena.gui.wording import worded

if TYPE_CHECKING:  # what training needs is imported when it begins
    from cadena.gui.learning import Learning


class Session(QObject):
    """The state of one window. Signals carry the details needed to update only changed parts."""

    opened = Signal()  # another document is shown, from its first step; comes after all other signals
    settling = Signal()  # the document is about to be saved or left: commit what is still being typed
    edited = Signal()  # the document has changed; comes first, before anything that may fail is compiled or run
    documentChanged = Signal(object)  # core.document.Changes; the layout alone may have changed
    runChanged = Signal()  # new values or gradients: session.run, session.timeline, session.faults
    timeChanged = Signal()  # session.time, session.live, session.frame
    methodChanged = Signal()  # session.method and its steps, also when they come late: session.timeline, .method_fault
    predictChanged = Signal()  # session.predicting: the open question, its verdict, the score
    storyChanged = Signal()  # session.telling: the step of the lesson's story, its question, what was answered
    playbackChanged = Signal()  # session.playback: playing, speed, loop
    selectionChanged = Signal()  # session.selection
    hiddenChanged = Signal()  # session.hiding.hidden, session.showing.shown
    fileChanged = Signal()  # session.path, session.modified
    accumulatedChanged = Signal()  # session.accumulated
    learningChanged = Signal()  # session.learning: whether it runs, its steps, its settings, why it stopped
    message = Signal(str)  # one sentence for the status line, e.g. why an edit was refused

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.history = History(document)
        self.path: Path | None = None
        self.selection: frozenset[str] = frozenset()
        self.playback = Playback(self, self)
        self.reduce_motion = self.name_patterns = False  # as the user has set it, like what follows
        self.follow_steps = True  # whether the canvas moves along with what is played
        self.method = self._chosen = Method()
        self._taught = opening_method(document)  # the lesson's own method; None: the user's choice, kept in `_chosen`
        self._steps = Steps(self)
        self._steps.ready.connect(self._show_steps)
        self.levels: tuple[Around, ...] = ()  # the levels around the shown document, from the graph inwards
        self.seed: np.ndarray | None = None  # the start of the reverse pass; None: ones
        self.target: str | None = None  # the quantity whose gradient the seed is; None: the output itself
        self.outer_faults: tuple[Fault, ...] = ()  # faults of the shown function as a part of the graph
        self._last_pass: tuple[Accumulated, Run] | None = None  # what the last backward pass was added to, and its run
        self.accumulated: Accumulated | None = None  # gradients of several passes; None until they are accumulated
        self.predicting = Predicting(self)
        self.telling, self.hiding, self.showing = Telling(self), Hiding(self), Showing(self)
        self.breakpoints: frozenset[str] = frozenset()  # nodes before whose steps playing pauses
        self.comes_back = False  # whether the document that is about to be shown was open before
        self.live, self.time = False, 0.0  # live: everything is shown as it is at the end; else the frame at `time`
        self._saved: Document | None = document  # None: the document comes from no file
        self.file_lost = False  # the file no longer holds what was saved
        self.program: Program = compile(document)
        self.run: Run = self.program.run()
        self.timeChanged.connect(self.predicting.follow)
        self.runChanged.connect(self.predicting.begin_anew)
        for signal in (self.timeChanged, self.methodChanged, self.documentChanged):
            signal.connect(self.telling.follow)
        self._pending = QTimer(self, interval=0, singleShot=True)
        self._pending.timeout.connect(self.run_now)
        self.tasks = Tasks(self, (self.documentChanged, self.opened), self.message)
        self._to_end = False  # the end was requested before the steps were ready

    # --- document -----------------------------------------------------------------------------------------------

    def named(self, text: str) -> str:
        """A text about the document, with names as people read them: w[3] for w_3, an element in its script."""
        return with_shown_names(self.document, text)

    @property
    def document(self) -> Document:
        return self.history.present

    @property
    def graph(self) -> Document:
        """The open document itself, also while a function in it is shown."""
        return self.levels[0].history.present if self.levels else self.document

    @property
    def whole(self) -> Document:
        """The document with the edits inside a function. Raises Refused where these are not valid."""
        return reduce(lambda document, level: level.written(document), reversed(self.levels), self.document)

    @property
    def modified(self) -> bool:
        """Whether the document differs from what was last opened or saved, or is no longer in its file."""
        try:
            return self.file_lost or self.whole != self._saved
        except Refused:
            return True

    def edit(self, change: DocumentChange, label: str, merge: str | None = None) -> bool:
        """Commit `change(document)` as an undo step `label` (same `merge` key in a row: one), or say why not."""
        before = self.document
        try:
            after = changed(self.program.plan, before, change, merge is not None)
        except Refused as refusal:
            self.message.emit(worded(refusal))
            return False
        self.history.commit(after, label, merge)
        self._follow(before)
        return True

    def seal(self) -> None:
        """End a drag: the next edit is an undo step of its own."""
        self.history.seal()

    def restore(self, history: History) -> None:
        """Return to an earlier copy of the history: the drag was cancelled and leaves no trace."""
        before = self.document
        self.history = history
        self._follow(before)

    def undo(self) -> None:
        self._travel(self.history.undo)

    def redo(self) -> None:
        self._travel(self.history.redo)

    def _travel(self, move: Callable[[], str | None]) -> None:
        before = self.document
        if move() is not None:
            self._follow(before)

    def _follow(self, before: Document) -> None:
        """Emit the differences between the document and `before`; run soon if numbers may differ."""
        self.edited.emit()
        difference = changes(before, self.document)
        if difference.structural:  # at once: no view may meet a node that the run does not know
            self.program = compile(self.document)
            self._run()
        if difference.removed:
            self.select(self.selection - difference.removed)
        self.documentChanged.emit(difference)
        if len(difference.added) == len(difference.removed) == 1:
            (old,), (new,) = difference.removed, difference.added
            self.breakpoints = frozenset(new if name == old else name for name in self.breakpoints)
            if self.accumulated is not None:
                self.set_accumulated(renamed(self.accumulated, before.nodes[old], self.document.nodes[new]))
        if difference.anything_runs:
            if not self.live:
                self.show_live()
            if difference.structural:
                self.runChanged.emit()
            else:
                self._pending.start()
        self.fileChanged.emit()

    def open(self, document: Document, path: Path | None, modified: bool = False) -> None:
        """Show another document from its first step, with a history of its own; `modified` when no file holds it."""
        taught = opening_method(document)
        method = taught or self._chosen
        self._show_state(DocumentState(History(document), None if modified else document, path, method, taught))

    @property
    def state(self) -> DocumentState:
        """The document with all that is shown of it, for `open_again`."""
        return DocumentState(
            self.history, self._saved, self.path, self.method, self._taught, self.file_lost, self.levels, self.seed,
            self.target, self.selection, self.breakpoints, self.accumulated, self.playback.section, self.live,
            self.time, self.telling.progress, self.predicting.progress,
        )  # fmt: skip

    def open_again(self, state: DocumentState) -> None:
        """Show a document as it was left."""
        self.comes_back = True
        self._show_state(state)
        self.comes_back = False

    def _show_state(self, state: DocumentState) -> None:
        self._saved, self.path, self.file_lost = state.saved, state.path, state.file_lost
        self.levels, self.outer_faults, self.breakpoints = state.levels, (), state.breakpoints
        self.set_accumulated(state.accumulated)
        self.playback.set_loop(self.playback.loop, state.section)
        self._taught, self.method = state.taught, state.method
        self.methodChanged.emit()
        self.show(state.history, state.seed, state.target, state.live, state.time)
        self.select(state.selection)
        self.predicting.begin_with(state.predictions)
        self.telling.begin_with(state.story)
        self.opened.emit()

    def show(
        self,
        history: History,
        seed: np.ndarray | None = None,
        target: str | None = None,
        live: bool = False,
        time: float = 0.0,
    ) -> None:
        """Show another level of the open document from its first step: a function in it, or the graph around that."""
        self.playback.pause()
        before = self.document
        self.history, self.seed, self.target = history, seed, target
        self.program = compile(self.document)
        self.selection = frozenset()
        self.live, self.time = live, time
        self._run()
        self.documentChanged.emit(changes(before, self.document))
        self.runChanged.emit()
        self.selectionChanged.emit()
        self.timeChanged.emit()
        self.fileChanged.emit()

    def mark_saved(self, path: Path, document: Document | None = None) -> None:
        """Note that `path` holds the whole document as it was when it was written, by default as it is now."""
        self._saved, self.path, self.file_lost = document or self.whole, path, False
        self.fileChanged.emit()

    # --- run ----------------------------------------------------------------------------------------------------

    @cached_property
    def learning(self) -> Learning:
        """The training of the document."""
        from cadena.gui.learning import Learning

        return Learning(self, self)

    @property
    def learns(self) -> bool:
        """Whether a training changes the numbers that are shown."""
        return "learning" in self.__dict__ and self.learning.running

    def show_values(self, values: Mapping[str, Value]) -> None:
        """Run with other values of leaves than the document's, of equal shapes, as a training does: that is no edit."""
        from cadena.core.learning.batches import with_values

        self._pending.stop()
        self.run = self.program.with_values(with_values(self.document, values)).run()
        self.runChanged.emit()

    def run_now(self) -> None:
        """Run the program without waiting for the event loop."""
        self._run()
        self.runChanged.emit()

    def _run(self) -> None:
        self._pending.stop()
        if self.program.document is not self.document:
            self.program = self.program.with_values(self.document)
        plan, seed = self.program.plan, self.seed
        fits = seed is not None and plan.output is not None and plan.shapes[plan.output] == seed.shape
        self.run = self.program.run(seed=seed, target=self.target) if fits else self.program.run()
        if not self.working:  # the moment stays for the steps that are being computed
            self.time = min(self.time, float(len(self.timeline)))

    @property
    def timeline(self) -> Timeline:
        """The steps of the run by the chosen method; its values alone while `working`, and with a `method_fault`."""
        return self._by_method().timeline

    @property
    def method_fault(self) -> str:
        """The reason why the chosen method cannot be used here, in one sentence; "" where it can."""
        return self._by_method().fault

    @property
    def working(self) -> bool:
        """Whether the steps are still being computed; `methodChanged` follows when they are ready."""
        return self._by_method().under_way

    def finish_steps(self) -> None:
        """Wait for steps that are still being computed."""
        self._by_method().finish()

    def _by_method(self) -> Steps:
        self._steps.follow(self.run, self.method)
        return self._steps

    def _show_steps(self) -> None:
        end = float(len(self.timeline))
        self.time, self._to_end = end if self._to_end else min(self.time, end), False
        self.methodChanged.emit()
        self.timeChanged.emit()

    @property
    def output_shape(self) -> tuple[int, ...]:
        """The shape of the output; () for a single number and where there is none that runs."""
        plan = self.run.plan
        return (plan.shapes[plan.output] or ()) if plan.output is not None else ()

    def set_method(self, method: Method) -> None:
        """Differentiate by another method; its steps start again, unless only h differs, which is one motion."""
        if method == self.method:
            return
        if not differs_in_h(self.run, method, self.method):
            self.playback.pause()
            self.time = 0.0
        self.method = method
        if self._taught is None:
            self._chosen = replace(method, leaf=None, index=0, step=None)
        self._by_method()  # begins with the steps, and leaves those of the method before
        self.methodChanged.emit()
        self.timeChanged.emit()

    def choose_method(self, name: str) -> None:
        """Choose the method of this name, with its last settings."""
        self.set_method(replace(self.method, name=name))

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults of the run; an inf that harms nothing is a hint, and not among them."""
        return tuple(fault for fault in (*self.run.faults, *self.outer_faults) if fault.severity == "fault")

    @property
    def causes(self) -> tuple[FaultChain, ...]:
        """The faults, grouped by cause."""
        return (*self.run.causes, *map(FaultChain, self.outer_faults))

    def set_accumulated(self, accumulated: Accumulated | None, before: Accumulated | None = None) -> None:
        """Show gradients that were summed up over several backward passes, the last one added to `before`."""
        self.accumulated, self._last_pass = accumulated, None if before is None else (before, self.run)
        self.accumulatedChanged.emit()

    @property
    def held(self) -> Accumulated | None:
        """The sums at the moment that is shown: in the midst of the last pass with what has arrived by then."""
        if self.accumulated is None or self._last_pass is None or self.live or self._last_pass[1] is not self.run:
            return self.accumulated
        return under_way(self._last_pass[0], self.accumulated, self.frame.gradient)

    @property
    def frame(self) -> Frame:
        """The frame to show: in build mode the end of the run, else the moment `time`."""
        return self._by_method().frame(len(self.timeline) if self.live else self.time)

    # --- time ---------------------------------------------------------------------------------------------------

    def set_time(self, time: float) -> None:
        """Show the moment `time` (in steps); leaves build mode."""
        end = float(len(self.timeline))
        self.time, self._to_end = min(max(time, 0.0), end), time > end and self.working
        self.live = False
        self.timeChanged.emit()

    def next_pause(self, begin: float, end: float) -> float | None:
        """The first moment after `begin`, up to `end`, to pause at: a breakpoint, a question or a text of the story."""
        return next_pause(self, begin, end)

    def toggle_breakpoint(self, name: str) -> None:
        """Set a breakpoint on a node, or take it away."""
        self.breakpoints ^= {name}
        self.playbackChanged.emit()

    def show_live(self) -> None:
        """Switch to build mode: all values and gradients of the run, following every edit."""
        self.playback.pause()
        self.live = True
        self.timeChanged.emit()

    def select(self, names: Iterable[str]) -> None:
        """Select exactly these nodes."""
        chosen = frozenset(name for name in names if name in self.document.nodes)
        if chosen != self.selection:
            self.selection = chosen
            self.selectionChanged.emit()
