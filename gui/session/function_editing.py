"""Inside a function: the session shows its subgraph, or its custom gradient; edits there are written back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from cadena.core.front import compile
from cadena.core.graph.document import Changes, Document
from cadena.core.graph.fault import Fault, Kind, Refused
from cadena.core.graph.history import History
from cadena.core.graph.subgraphs import used_functions
from cadena.core.rewriting.custom_gradients import begin_gradient
from cadena.core.rewriting.function_edits import call_of
from cadena.core.rewriting.opening import choose_output, opened, opened_gradient, outputs_of
from cadena.gui.look.wording import worded
from cadena.gui.session.shown_document import ShownDocument
from cadena.gui.session.state import DocumentState, OpenedLevel


class Inside(QObject):
    """The levels from the graph to the shown function. Leaving makes one undo step of all edits inside."""

    changed = Signal()  # levels
    cameraChanged = Signal(object)  # the camera that shows a level as it was left; None: all of a level is shown

    def __init__(self, session: ShownDocument, camera: Callable[[], Any]) -> None:
        """`camera()` is the present one, to return to."""
        super().__init__(session)
        self._session, self._camera = session, camera
        self._announced: tuple[OpenedLevel, ...] = ()  # the levels at the last `changed`
        self._walks = False  # while going from one level to another, changes are no edits
        session.documentChanged.connect(self._follow)
        session.opened.connect(self._announce)

    @property
    def levels(self) -> tuple[OpenedLevel, ...]:
        """The levels around the shown document, from the graph inwards."""
        return self._session.levels

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
        level = OpenedLevel(session.state, name, call.op, function.inputs, base, body, self._camera())
        has_upstream = not level.is_gradient and name in session.run.plan.index
        self._show(
            replace(
                session.state,
                levels=(*self.levels, level),
                history=History(body),
                seed=session.run.gradient(name) if has_upstream else None,
                target=session.run.target if has_upstream else None,
                accumulated=None,
                selection=frozenset(),
                live=True,
                time=0.0,
            )
        )
        self.cameraChanged.emit(None)

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
            self._come_out(level, level.around.history.present)

    def leave_all(self) -> None:
        """Go back to the graph, with the edits as far as they are valid."""
        while self.levels:
            try:
                self.leave()
            except Refused:
                self.give_up()

    def _come_out(self, level: OpenedLevel, document: Document) -> None:
        around = level.around
        around.history.commit(document, f"Edit {'the gradient of ' if level.is_gradient else ''}{level.op}")
        self._show(
            replace(
                self._session.state,
                levels=self.levels[:-1],
                history=around.history,
                seed=around.seed,
                target=around.target,
                accumulated=around.accumulated,
                selection=around.selection,
                live=around.live,
                time=around.time,
            )
        )
        self.cameraChanged.emit(level.camera)

    def _show(self, state: DocumentState) -> None:
        self._walks = True
        self._session.show(replace(state, outer_faults=()))
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
        faults = tuple(self._calls_back())
        session.state = replace(session.state, outer_faults=faults)
        if faults or session.program.faults:
            return
        try:
            around = compile(level.written(session.document))
            problems: list[Fault | Refused] = [fault for fault in around.faults if fault.node == level.call]
            what = "In the graph around, {problem}"
        except Refused as refusal:
            problems, what = [refusal], "{problem}"
        faults = tuple(
            Fault(self._culprit(), Kind.FUNCTION, what, operands={"problem": problem}, names_node=True)
            for problem in problems
        )
        session.state = replace(session.state, outer_faults=faults)

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
