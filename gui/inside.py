"""Inside a function: the session shows its subgraph, or its custom gradient; what is edited there is written back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from PySide6.QtCore import QObject, Signal

from core import Document, Fault, Refused, compile
from core.accumulation import Accumulated
from core.document import Changes
from core.functions.beginning import begin_gradient
from core.functions.edits import call_of
from core.functions.opening import opened, opened_gradient, with_body, with_gradient
from core.history import History
from gui.session import Session, itself


class View(Protocol):
    """What looks at the session's document, from a place that is worth coming back to."""

    camera: Any

    def set_camera(self, camera: Any) -> None: ...
    def zoom_to_fit(self) -> None: ...


@dataclass
class Level:
    """What the session showed before it went into the call `call` of the function `op`, and what it found there."""

    call: str
    op: str
    history: History
    base: Document  # what the level below is written into: the history's present, or that with a gradient begun
    body: Document
    labels: tuple[str, ...]
    outputs: tuple[str | None, ...] | None  # for a custom gradient, the node that is each operand's gradient
    first_outputs: tuple[str | None, ...] | None
    seed: np.ndarray | None
    target: str | None
    selection: frozenset[str]
    camera: Any
    live: bool
    time: float
    accumulated: Accumulated | None

    @property
    def is_gradient(self) -> bool:
        return self.outputs is not None

    @property
    def told(self) -> str:
        """What this level is, for the user."""
        if self.is_gradient:
            return f"what goes back, for every call of {self.op}; the numbers are those of {self.call}"
        return f"what every call of {self.op} does; the numbers are those of {self.call}"

    def written(self, body: Document) -> Document:
        """The document around with `body` in it; the same object while nothing was changed. May raise Refused."""
        if body == self.body and self.outputs == self.first_outputs:
            return self.base
        base = replace(self.base, dtype=body.dtype)  # the number type is that of the whole graph
        if self.outputs is None:
            return with_body(base, self.op, body)
        return with_gradient(base, self.op, body, self.outputs)


class Inside(QObject):
    """The way from the graph to what is shown. Leaving makes one undo step of all that was edited inside."""

    changed = Signal()  # levels

    def __init__(self, session: Session, view: View) -> None:
        super().__init__(session)
        self._session, self._view = session, view
        self.levels: list[Level] = []
        self._walks = False  # from one level to another: what changes then is no edit
        session.documentChanged.connect(self._follow)
        session.opened.connect(self._forget)

    # --- going in

    def enter(self, name: str) -> bool:
        """Show the subgraph of a call with the values of that call."""
        session = self._session
        try:
            call_of(session.document, name)
            body = opened(session.document, name, session.run)
        except Refused as refusal:
            session.message.emit(str(refusal))
            return False
        self._go_in(name, session.document, body, None)
        return True

    def enter_gradient(self, name: str) -> bool:
        """Show the custom gradient of a call's function; where it has none, one that does what the chain rule does."""
        session = self._session
        try:
            base = begin_gradient(session.document, name, session.run)
            body = opened_gradient(base, name, session.run)
        except Refused as refusal:
            session.message.emit(str(refusal))
            return False
        gradient = call_of(base, name)[1].gradient
        assert gradient is not None
        self._go_in(name, base, body, gradient.outputs)
        return True

    def _go_in(self, name: str, base: Document, body: Document, outputs: tuple[str | None, ...] | None) -> None:
        session, (call, function) = self._session, call_of(base, name)
        level = Level(
            name, call.op, session.history, base, body, function.inputs, outputs, outputs, session.seed,
            session.target, session.selection, self._view.camera, session.live, session.time, session.accumulated,
        )  # fmt: skip
        upstream = session.run.gradient(name) if outputs is None and name in session.run.plan.index else None
        self.levels.append(level)
        session.around = self._around
        session.set_accumulated(None)
        self._show(History(body), upstream, None if upstream is None else session.run.target)
        session.show_live()
        self._view.zoom_to_fit()

    # --- coming out

    def leave(self, depth: int | None = None) -> None:
        """Go back to the level `depth` (0 is the graph), by default one up, with all edits. May raise Refused."""
        depth = len(self.levels) - 1 if depth is None else depth
        while len(self.levels) > max(depth, 0):
            level = self.levels[-1]
            self._come_out(level, level.written(self._session.document))

    @property
    def can_leave(self) -> bool:
        """Whether what was edited in this level is in order."""
        try:
            return not self.levels or self.levels[-1].written(self._session.document) is not None
        except Refused:
            return False

    def give_up(self) -> None:
        """Go one level up and let go what was edited in this one."""
        if self.levels:
            level = self.levels[-1]
            self._come_out(level, level.history.present)

    def _come_out(self, level: Level, document: Document) -> None:
        session = self._session
        self.levels.pop()
        if not self.levels:
            session.around = itself
        history = level.history
        history.commit(document, f"Edit {'the gradient of ' if level.is_gradient else ''}{level.op}")
        self._show(history, level.seed, level.target)
        session.set_accumulated(level.accumulated)
        if level.live:
            session.show_live()
        else:
            session.set_time(level.time)
        session.select(level.selection)
        self._view.set_camera(level.camera)

    def _show(self, history: History, seed: np.ndarray | None, target: str | None) -> None:
        self._session.outer_faults = ()
        self._walks = True
        self._session.show(history, seed, target)
        self._walks = False
        self.changed.emit()

    def _forget(self) -> None:
        if self.levels:
            self.levels = []
            self.changed.emit()

    # --- while inside

    def set_output(self, slot: int, name: str | None) -> None:
        """Which node is the gradient of the operand in `slot`."""
        level = self.levels[-1]
        assert level.outputs is not None
        level.outputs = tuple(name if place == slot else old for place, old in enumerate(level.outputs))
        self._check()
        self._session.runChanged.emit()
        self._session.fileChanged.emit()

    def _around(self, document: Document) -> Document:
        for level in reversed(self.levels):
            document = level.written(document)
        return document

    def _follow(self, changes: Changes) -> None:
        edited = self.levels and not self._walks and self._session.around is not itself  # itself: another is opened
        if edited and changes.structural:
            self._rename_outputs(changes)
            self._check()

    def _rename_outputs(self, changes: Changes) -> None:
        """A node that got another name stays the gradient that it was."""
        level = self.levels[-1]
        if level.outputs is not None and len(changes.added) == len(changes.removed) == 1:
            (old,), (new,) = changes.removed, changes.added
            level.outputs = tuple(new if one == old else one for one in level.outputs)

    def _check(self) -> None:
        """Tell what is wrong with the function as a part of the graph around it; what it holds itself the run tells."""
        session, level = self._session, self.levels[-1]
        place = session.document.output or next(iter(session.document.nodes), "")
        try:
            around = compile(level.written(session.document))
        except Refused as refusal:
            told = bool(session.program.faults)  # what is wrong inside is told there already
            session.outer_faults = () if told else (Fault(place, "function", str(refusal)),)
            return
        found = () if session.program.faults else around.faults  # what is wrong inside is told there already
        mine = [fault.message for fault in found if fault.node == level.call]
        session.outer_faults = tuple(Fault(place, "function", f"In the graph around, {message}") for message in mine)
