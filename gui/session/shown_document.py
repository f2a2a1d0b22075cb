"""The document that a window shows: its state, edits of it, its run and its steps, with their signals.

Edits commit to the history; runs happen at most once per turn of the event loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from cadena.core.doctor.findings.causes import FaultChain
from cadena.core.front import Program, Run, compile
from cadena.core.graph.document import Document, Value, changes
from cadena.core.graph.fault import Fault, Refused
from cadena.core.graph.history import History
from cadena.core.methods.answer import differs_in_h
from cadena.core.methods.names import Method
from cadena.core.methods.reverse.repeated import RepeatedTimeline
from cadena.core.methods.reverse.timeline import Frame, Timeline
from cadena.core.notation.in_script import with_shown_names
from cadena.core.run.accumulation import Accumulated, renamed, under_way
from cadena.core.teaching.hiding import Hidden
from cadena.gui.look.wording import worded
from cadena.gui.session.graph_edits import DocumentChange, changed
from cadena.gui.session.highlighting import ALL_SHOWN, Shown
from cadena.gui.session.run_steps import Steps
from cadena.gui.session.state import DocumentState, OpenedLevel, OwnResult


class EditChoice(NamedTuple):
    """Another way in which an edit can be made, offered after it."""

    text: str
    tip: str
    act: Callable[[], object]


class ShownDocument(QObject):
    """`state` is replaced at each change. Signals carry the details needed to update only changed parts."""

    opened = Signal()  # another document is shown, from its first step; comes after all other signals
    settling = Signal()  # the document is about to be saved or left: commit what is still being typed
    edited = Signal()  # the document has changed; comes first, before anything that may fail is compiled or run
    documentChanged = Signal(object)  # core.document.Changes; the layout alone may have changed
    runChanged = Signal()  # new values or gradients: run, timeline, faults
    timeChanged = Signal()  # time, live, frame
    interrupted = Signal()  # the moment is about to change, but not by playing
    methodChanged = Signal()  # method and its steps, also when they come late: timeline, method_fault
    selectionChanged = Signal()
    hiddenChanged = Signal()  # hidden, shown
    fileChanged = Signal()  # path, modified
    accumulatedChanged = Signal()
    done = Signal(str, object)  # an edit in one sentence, for it may not be what was meant; and an EditChoice or None
    message = Signal(str)  # one sentence in reply to the user, e.g. why an edit was refused
    news = Signal(str)  # one sentence that nobody waits for; it comes after a presentation

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._chosen = Method()  # by the user; a lesson may have its own
        self.state = replace(DocumentState.opening(document, None, document, self._chosen), method=self._chosen)
        self.shown = ALL_SHOWN
        self.reduce_motion = self.name_patterns = False  # as the user has set it, like what follows
        self.has_played = True  # whether the user knows how steps are played
        self.follow_steps = True  # whether the canvas moves along with what is played
        self.comes_back = False  # whether the document that is about to be shown was open before
        self._last_pass: tuple[Accumulated, Run] | None = None  # what the last backward pass was added to, and its run
        self._steps = Steps(self)
        self._steps.ready.connect(self._show_steps)
        self._to_end = False  # the end was requested before the steps were ready
        self.program: Program = compile(document)
        self.run: Run = self.program.run()
        self._pending = QTimer(self, interval=0, singleShot=True)
        self._pending.timeout.connect(self.run_now)

    # --- the state ----------------------------------------------------------------------------------------------

    @property
    def history(self) -> History:
        return self.state.history

    @property
    def document(self) -> Document:
        return self.state.history.present

    @property
    def graph(self) -> Document:
        """The open document itself, also while a function in it is shown."""
        return self.state.graph

    @property
    def levels(self) -> tuple[OpenedLevel, ...]:
        """The levels around the shown document, from the graph inwards."""
        return self.state.levels

    @property
    def path(self) -> Path | None:
        return self.state.path

    @property
    def method(self) -> Method:
        return self.state.method

    @property
    def selection(self) -> frozenset[str]:
        return self.state.selection

    @property
    def breakpoints(self) -> frozenset[str]:
        return self.state.breakpoints

    @property
    def accumulated(self) -> Accumulated | None:
        return self.state.accumulated

    @property
    def live(self) -> bool:
        """Build mode: everything is shown as it is at the end; else the frame at `time`."""
        return self.state.live

    @property
    def time(self) -> float:
        return self.state.time

    @property
    def hidden(self) -> Hidden:
        return self.state.hidden

    @property
    def whole(self) -> Document:
        """The document with the edits inside a function. Raises Refused where these are not valid."""
        return reduce(lambda document, level: level.written(document), reversed(self.levels), self.document)

    @property
    def modified(self) -> bool:
        """Whether the document differs from what was last opened or saved, or is no longer in its file."""
        try:
            return self.state.file_lost or self.whole != self.state.saved
        except Refused:
            return True

    def named(self, text: str) -> str:
        """A text about the document, with names as people read them: w[3] for w_3, an element in its script."""
        return with_shown_names(self.document, text)

    # --- edits --------------------------------------------------------------------------------------------------

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
        self.state = replace(self.state, history=history)
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
            self.program = Program(self.document, before=self.program.plan.wired)
            self._run()
        is_renamed = len(difference.added) == len(difference.removed) == 1
        if difference.removed:
            renamed_too = difference.added if is_renamed and difference.removed <= self.selection else frozenset()
            self.select((self.selection - difference.removed) | renamed_too)
            self.set_shown(self.shown.within(self.document))
        self.documentChanged.emit(difference)
        if is_renamed:
            (old,), (new,) = difference.removed, difference.added
            breakpoints = frozenset(new if name == old else name for name in self.breakpoints)
            self.state = replace(self.state, breakpoints=breakpoints)
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

    # --- other documents ----------------------------------------------------------------------------------------

    def open(self, document: Document, path: Path | None, modified: bool = False, live: bool = False) -> None:
        """Show another document from its first step, or `live`, with a history of its own; `modified` when no file
        holds it."""
        state = DocumentState.opening(document, path, None if modified else document, self._chosen)
        self._open(replace(state, live=live))

    def open_again(self, state: DocumentState) -> None:
        """Show a document as it was left."""
        self.comes_back = True
        self._open(state)
        self.comes_back = False

    def _open(self, state: DocumentState) -> None:
        before = self.method
        self.show(state)
        if self.method != before:
            self.methodChanged.emit()
        self.set_shown(self.shown.without_lit())
        self.opened.emit()

    def show(self, state: DocumentState) -> None:
        """Show another state: of another document, or of another level of this one, a function or what is around it."""
        self.interrupted.emit()
        before, hidden, self._last_pass = self.document, self.hidden, None
        nodes = state.history.present.nodes.keys()
        self.state = replace(state, selection=state.selection & nodes)
        self.program = compile(self.document)
        self._run()
        self.set_shown(self.shown.within(self.document))
        self.documentChanged.emit(changes(before, self.document))
        self.runChanged.emit()
        self.selectionChanged.emit()
        if self.hidden != hidden:
            self.hiddenChanged.emit()
        self.accumulatedChanged.emit()
        self.timeChanged.emit()
        self.fileChanged.emit()

    def mark_saved(self, path: Path, document: Document | None = None) -> None:
        """Note that `path` holds the whole document as it was when it was written, by default as it is now."""
        self.state = replace(self.state, saved=document or self.whole, path=path, file_lost=False)
        self.fileChanged.emit()

    def mark_lost(self, lost: bool) -> None:
        """Note whether the file no longer holds what was saved."""
        self.state = replace(self.state, file_lost=lost)
        self.fileChanged.emit()

    # --- run ----------------------------------------------------------------------------------------------------

    def show_values(self, values: Mapping[str, Value]) -> None:
        """Run with other values of leaves than the document's, of equal shapes, as a training does: that is no edit."""
        from cadena.core.training.batches import with_values

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
        plan, seed = self.program.plan, self.state.seed
        fits = seed is not None and plan.output is not None and plan.shapes[plan.output] == seed.shape
        self.run = self.program.run(seed=seed, target=self.state.target) if fits else self.program.run()
        if not self.working:  # the moment stays for the steps that are being computed
            self.state = replace(self.state, time=min(self.time, float(len(self.timeline))))

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
        self.state = replace(self.state, time=end if self._to_end else min(self.time, end))
        self._to_end = False
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
        time = self.time
        if not differs_in_h(self.run, method, self.method):
            self.interrupted.emit()
            time = 0.0
        self.state = replace(self.state, method=method, time=time)
        if self.state.taught is None:
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
        return tuple(fault for fault in (*self.run.faults, *self.state.outer_faults) if fault.severity == "fault")

    @property
    def causes(self) -> tuple[FaultChain, ...]:
        """The faults, grouped by cause."""
        return (*self.run.causes, *map(FaultChain, self.state.outer_faults))

    def set_accumulated(self, accumulated: Accumulated | None, before: Accumulated | None = None) -> None:
        """Show gradients that were summed up over several backward passes, the last one added to `before`."""
        self.state = replace(self.state, accumulated=accumulated)
        self._last_pass = None if before is None else (before, self.run)
        self.accumulatedChanged.emit()

    @property
    def held(self) -> Accumulated | None:
        """The sums at the moment that is shown: in the midst of the last pass with what has arrived by then."""
        timeline = self.timeline
        if self.accumulated is None and isinstance(timeline, RepeatedTimeline):
            return timeline.held(self.moment)
        if self.accumulated is None or self._last_pass is None or self.live or self._last_pass[1] is not self.run:
            return self.accumulated
        return under_way(self._last_pass[0], self.accumulated, self.frame.gradient)

    # --- what is shown ------------------------------------------------------------------------------------------

    @property
    def frame(self) -> Frame:
        """The frame of the moment that is shown."""
        return self._by_method().frame(self.moment)

    @property
    def moment(self) -> float:
        """The moment that is shown, in steps: in build mode the end of the run, else `time`."""
        end = float(len(self.timeline))
        return end if self.live else min(self.time, end)

    def set_time(self, time: float) -> None:
        """Show the moment `time` (in steps); leaves build mode."""
        end = float(len(self.timeline))
        self._to_end = time > end and self.working
        self.state = replace(self.state, time=min(max(time, 0.0), end), live=False)
        self.timeChanged.emit()

    def show_live(self) -> None:
        """Switch to build mode: all values and gradients of the run, following every edit."""
        self.interrupted.emit()
        self.state = replace(self.state, live=True)
        self.timeChanged.emit()

    def select(self, names: Iterable[str]) -> None:
        """Select exactly these nodes."""
        chosen = frozenset(name for name in names if name in self.document.nodes)
        if chosen != self.selection:
            self.state = replace(self.state, selection=chosen)
            self.selectionChanged.emit()

    def keep_result(self, name: str, result: OwnResult) -> None:
        """Keep a learner's own result for the gradient of a node with the document."""
        self.state = replace(self.state, own_results={**self.state.own_results, name: result})

    def set_hidden(self, hidden: Hidden) -> None:
        """Choose which values, gradients and names are not shown until someone asks."""
        if hidden != self.hidden:
            self.state = replace(self.state, hidden=hidden)
            self.hiddenChanged.emit()

    def set_shown(self, shown: Shown) -> None:
        """Choose what colours say, which nodes are dimmed, and whether there is a map."""
        if shown != self.shown:
            self.shown = shown
            self.hiddenChanged.emit()
