"""Inside a function: the session shows its subgraph, or its custom gradient; edits there are written back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol, cast

import numpy as np
from PySide6.QtCore import QObject, Signal

from cadena.core.front import compile
from cadena.core.graph.document import Changes, Document
from cadena.core.graph.fault import Fault, Kind, Refused
from cadena.core.graph.history import History
from cadena.core.graph.subgraphs import used_functions
from cadena.core.rewriting.custom_gradients import begin_gradient
from cadena.core.rewriting.functions import call_of
from cadena.core.rewriting.opening import (
    choose_output,
    opened,
    opened_gradient,
    outputs_of,
    with_body,
    with_gradient,
)
from cadena.core.run.accumulation import Accumulated
from cadena.gui.session import Session
from cadena.gui.wording import worded


class View(Protocol):
    """A view of the session's document, with a camera to return to."""

    camera: Any

    def set_camera(self, camera: Any) -> None: ...
    def zoom_to_fit(self) -> None: ...


@dataclass(eq=False)
class OpenedLevel:
    """The session's state before it entered the call `call` of the function `op`, and the function's first state."""

    call: str
    op: str
    history: History
    base: Document  # the level below is written into it: the history's present, or that with a new gradient
    body: Document
    labels: tuple[str, ...]  # the operands
    seed: np.ndarray | None
    target: str | None
    selection: frozenset[str]
    camera: Any
    live: bool
    time: float
    accumulated: Accumulated | None

    @property
    def is_gradient(self) -> bool:
        return outputs_of(self.body) is not None

    @property
    def description(self) -> str:
        """The description of this level for the user."""
        if self.is_gradient:
            return f"what goes back, for every call of {self.op}; the numbers are those of {self.call}"
        return f"what every call of {self.op} does; the numbers are those of {self.call}"

    def written(self, body: Document) -> Document:
        """Write `body` into the document around; the same object while nothing has changed. May raise Refused."""
        if body == self.body:
            return self.base
        base = replace(self.base, dtype=body.dtype)  # the number type is that of the whole graph
        return with_gradient(base, self.op, body) if self.is_gradient else with_body(base, self.op, body)


class Inside(QObject):
    """The levels from the graph to the shown function. Leaving makes one undo step of all edits inside."""

    changed = Signal()  # levels

    def __init__(self, session: Session, view: View) -> None:
        super().__init__(session)
        self._session, self._view = session, view
        self._announced: tuple[OpenedLevel, ...] = ()  # the levels at the last `changed`
        self._walks = False  # while going from one level to another, changes are no edits
        session.documentChanged.connect(self._follow)
        session.opened.connect(self._announce)

    @property
    def levels(self) -> tuple[OpenedLevel, ...]:
        """The levels around the shown document, from the graph inwards."""
        return cast(tuple[OpenedLevel, ...], self._session.levels)  # nobody else makes any

    # --- going in

    def enter(self, name: str) -> bool:
        """Show the subgraph of a call with the values of that call."""
        session = self._session
        try:
            call_of(session.document, name)
            body = opened(session.document, name, session.run)
        except Refused as refusal:
            session.message.emit(worded(refusal))
            return False
        self._go_in(name, session.document, body)
        return True

    def enter_gradient(self, name: str) -> bool:
        """Show the custom gradient of a call's function; where it has none, a new one equal to the chain rule."""
        session = self._session
        try:
            base = begin_gradient(session.document, name, session.run)
            body = opened_gradient(base, name, session.run)
        except Refused as refusal:
            session.message.emit(worded(refusal))
            return False
        self._go_in(name, base, body)
        return True

    def _go_in(self, name: str, base: Document, body: Document) -> None:
        session, (call, function) = self._session, call_of(base, name)
        level = OpenedLevel(
            name, call.op, session.history, base, body, function.inputs, session.seed, session.target,
            session.selection, self._view.camera, session.live, session.time, session.accumulated,
        )  # fmt: skip
        has_upstream = not level.is_gradient and name in session.run.plan.index
        upstream = session.run.gradient(name) if has_upstream else None
        session.levels = (*self.levels, level)
        session.set_accumulated(None)
        self._show(History(body), upstream, None if upstream is None else session.run.target)
        session.show_live()
        self._view.zoom_to_fit()

    def return_to(self, call: str, gradient: bool, body: Document) -> bool:
        """Enter again, with the edits made there before. Returns whether they are shown now."""
        entered = self.enter_gradient(call) if gradient else self.enter(call)
        return entered and self._session.edit(lambda _: body, "Recover edits")

    # --- coming out

    def leave(self, depth: int | None = None) -> None:
        """Go back to the level `depth` (0 is the graph), by default one up, with all edits. May raise Refused."""
        depth = len(self.levels) - 1 if depth is None else depth
        while len(self.levels) > max(depth, 0):
            level = self.levels[-1]
            self._come_out(level, level.written(self._session.document))

    @property
    def can_leave(self) -> bool:
        """Whether the edits of this level are valid."""
        try:
            return not self.levels or self.levels[-1].written(self._session.document) is not None
        except Refused:
            return False

    def give_up(self) -> None:
        """Go one level up and discard the edits of this one."""
        if self.levels:
            level = self.levels[-1]
            self._come_out(level, level.history.present)

    def leave_all(self) -> None:
        """Go back to the graph, with the edits as far as they are valid."""
        while self.levels:
            try:
                self.leave()
            except Refused:
                self.give_up()

    def _come_out(self, level: OpenedLevel, document: Document) -> None:
        session = self._session
        session.levels = self.levels[:-1]
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
        self._announce()

    def _announce(self) -> None:
        if self._announced != self.levels:
            self._announced = self.levels
            self.changed.emit()

    # --- while inside

    @property
    def outputs(self) -> tuple[str | None, ...] | None:
        """For a custom gradient, the node that is each operand's gradient; else None."""
        return outputs_of(self._session.document) if self.levels else None

    def set_output(self, slot: int, name: str | None) -> None:
        """Choose the node that is the gradient of the operand in `slot`, as one undo step."""
        operand = self.levels[-1].labels[slot]
        label = f"Make {name} the gradient of {operand}" if name else f"No gradient for {operand}"
        self._session.edit(lambda body: choose_output(body, slot, name), label)

    def _follow(self, changes: Changes) -> None:
        if not self.levels or self._walks:
            return
        if changes.structural:
            self._check()
        elif self.levels[-1].is_gradient and not (changes.moved or changes.anything_runs):  # other outputs
            self._check()
            self._session.runChanged.emit()

    def _check(self) -> None:
        """Report faults of the function as a part of the graph around it; the run reports those inside it."""
        session, level = self._session, self.levels[-1]
        session.outer_faults = faults = tuple(self._calls_back())
        if faults or session.program.faults:
            return
        try:
            around = compile(level.written(session.document))
            problems: list[Fault | Refused] = [fault for fault in around.faults if fault.node == level.call]
            what = "In the graph around, {problem}"
        except Refused as refusal:
            problems, what = [refusal], "{problem}"
        session.outer_faults = tuple(
            Fault(self._culprit(), Kind.FUNCTION, what, operands={"problem": problem}, names_node=True)
            for problem in problems
        )

    def _calls_back(self) -> Iterator[Fault]:
        """Faults of the calls by which the function would contain itself; here they call its earlier version."""
        op, document = self.levels[-1].op, self._session.document
        one_of_each = {node.op: node for node in document.nodes.values()}
        back = {one.op for one in one_of_each.values() if op in used_functions([one], document.functions)}
        for name, node in document.nodes.items():
            if node.op in back:
                what = "{node} calls {function}, so that {function} contains itself"
                if node.op != op:
                    what = "{node} calls {called}, which calls {function}, so that {function} contains itself"
                operands = {"function": op, "called": node.op}
                remedy = "take {node} out, or let it call another"
                yield Fault(name, Kind.FUNCTION, what, remedy, operands, names_node=True)

    def _culprit(self) -> str:
        """The node to name in a fault of the function: the gradient without its operand's shape, or the output."""
        document, plan = self._session.document, self._session.program.plan
        operands = [name for name, node in document.nodes.items() if node.op == "input"]
        for operand, output in zip(operands, self.outputs or (), strict=False):
            if output in plan.index and plan.shapes[plan.index[output]] != plan.shapes[plan.index[operand]]:
                return output
        return document.output or next(iter(document.nodes), "")
