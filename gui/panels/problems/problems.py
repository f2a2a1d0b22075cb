"""The list of faults and hints: sentences, ways to the node, fixes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from cadena.core.doctor.findings.causes import FaultChain
from cadena.core.graph.fault import BAD_GRADIENTS, BAD_NUMBERS, BY_LAYER, LOST_GRADIENTS, Fault, Kind
from cadena.core.graph.order import ancestors
from cadena.core.methods.reverse.timeline import Timeline
from cadena.core.notation.in_script import code_line_of_fault, short_line
from cadena.core.scripts.attached import script_of
from cadena.core.text.causes import Cause
from cadena.core.text.numbers import number_of
from cadena.core.text.wording import Listing
from cadena.gui.look.theme import Theme
from cadena.gui.panels.parts.common import column_in, scrolled
from cadena.gui.panels.problems.doctor import Doctor
from cadena.gui.panels.problems.problem_entry import WORDS, FixAction, ProblemEntry, word
from cadena.gui.session import graph_edits
from cadena.gui.session.session import Session

if TYPE_CHECKING:
    from cadena.core.doctor.fixes.fix import Fix

__all__ = ["WORDS", "Problems", "word"]
MAX_ROWS = 60  # faults listed, and as many hints; more would only repeat them
ENTER_TIP = "Show what is inside, with the values of this call"
GRADIENT_TIP = "Show the graph of the function's reverse pass, with the numbers of this call"
UNFIXED = "No fix is known."
OUTSIDE = "No rewriting helps, as the input is outside the domain of {op}: change {leaves}."
OUTSIDE_DOMAIN = {
    *(Cause.LOG_AT_POLE, Cause.LOG_OF_NEGATIVE, Cause.LOG_BELOW_POLE, Cause.POWER_OF_NEGATIVE),
    *(Cause.OUTSIDE_DOMAIN, Cause.DIVISION_BY_ZERO, Cause.ZERO_BY_ZERO),
}
MAX_LEAVES = 3  # that are named as those to change
RUN_AGAIN, RUN_TIP = "Run the script again", "Make the graph of the branches that the script takes with these numbers"
GRADIENTS = LOST_GRADIENTS | set(BAD_GRADIENTS.values())


class Problems(QWidget):
    """Lists `session.faults`, then the doctor's hints, each with its fixes.

    `pointedAt(fault)` when one is chosen, which also selects its node and, while steps are shown, goes to the step at
    which it first occurs; `nodeActivated(name)` when its node is to be brought into view.
    """

    nodeActivated = Signal(str)
    enterAsked = Signal(str)  # the call in which a number went bad
    gradientAsked = Signal(str)  # the call whose custom gradient made one bad
    runScriptAsked = Signal()  # the document's code, which would take another branch now
    pointedAt = Signal(object)
    grew = Signal(object)  # the document before a fix
    countChanged = Signal(int, int)  # of causes and of hints
    panelAsked = Signal(str)  # the plot of gradients by layer

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session, self._theme = session, theme
        self.doctor = Doctor(session, self)
        self.entries: list[ProblemEntry] = []
        self._chosen: Fault | None = None
        self._stale = True  # the list is outdated
        self._counts = (0, 0)
        self._put_together()
        session.runChanged.connect(self.follow)
        session.askingChanged.connect(self.follow)
        session.selectionChanged.connect(self._forget_chosen)
        self.doctor.news.connect(self.follow)
        self.set_theme(theme)

    def _put_together(self) -> None:
        self.setAccessibleName("Problems")
        self._inside = QWidget()
        self._rows = QVBoxLayout(self._inside)
        self._rows.setContentsMargins(2, 2, 2, 2)
        self._rows.setSpacing(0)
        self._rows.addStretch(1)
        self._scroll = scrolled(self._inside)
        column_in(self).addWidget(self._scroll)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for entry in self.entries:
            entry.set_theme(theme)
        self.follow()

    def sizeHint(self) -> QSize:
        return QSize(600, round(150 * self._theme.type))

    def minimumSizeHint(self) -> QSize:
        return QSize(240, round(90 * self._theme.type))

    @property
    def summary(self) -> str:
        """ "No problems", "1 problem", "2 problems, 1 hint"."""
        faults, hints = len(self.session.causes), len(self._hints)
        summary_ = number_of(faults, "problem") if faults else "No problems"
        return f"{summary_}, {number_of(hints, 'hint')}" if hints else summary_

    # --- the list

    @property
    def _hints(self) -> Sequence[Fault]:
        """The doctor's hints, which are about the whole run."""
        return () if self.session.asking.limits_faults else self.doctor.hints

    def follow(self) -> None:
        """List the faults and hints of the latest run; while the list is hidden, count them only."""
        counts = len(self.session.causes), len(self._hints)
        if counts != self._counts:
            self._counts = counts
            self.countChanged.emit(*counts)
        self._stale = True
        if self.isVisible():
            self._list()

    def showEvent(self, event) -> None:
        super().showEvent(event)
        if self._stale:
            self._list()

    def _list(self) -> None:
        self._stale = False
        rows = [
            (fault, fault is not chain.fault, self._unfixed(chain) if fault is chain.fault else "")
            for chain in self.session.causes
            for fault in (chain.fault, *chain.results)
        ]
        hints = [(hint, False, "") for hint in self._hints]
        shown, left = [*rows[:MAX_ROWS], *hints[:MAX_ROWS]], [*rows[MAX_ROWS:], *hints[MAX_ROWS:]]
        more = sum(not follows for _, follows, _ in left)
        sentence = f"{more} more problems of these kinds." if more else "" if shown else "No problems."
        self._make_entries(len(shown) + bool(sentence))
        offered: set[tuple[str, str]] = set()
        for entry, (fault, follows, note) in zip(self.entries, shown):
            document = self.session.run.program.document
            line = short_line(document, code_line_of_fault(document, fault))
            entry.show_fault(fault, self._choices(fault, offered), follows, line, note)
        if sentence:
            self.entries[-1].say(sentence, "hint" if more else "good")
        self._mark_chosen()
        self._order_keys()

    def _unfixed(self, chain: FaultChain) -> str:
        """What to do about a fault without a fix, in a sentence."""
        if not self.doctor.has_no_fix(chain):
            return ""
        document, fault = self.session.run.program.document, chain.fault
        if fault.cause not in OUTSIDE_DOMAIN or fault.kind.about != "value":
            return UNFIXED
        above = ancestors(document, fault.node)
        leaves = [node for node in document.nodes.values() if node.is_leaf and node.name in above]
        names = tuple(node.name for node in leaves if node.op != "constant") or tuple(node.name for node in leaves)
        few = Listing(names, "or").worded() if len(names) <= MAX_LEAVES else "one of the leaves that it comes from"
        return OUTSIDE.format(op=document.nodes[fault.node].op, leaves=few)

    def _order_keys(self) -> None:
        """Tab goes from an entry to its buttons, then to the next entry, in whatever order they were made."""
        before: QWidget = self._scroll
        for entry in self.entries:
            for widget in (entry, *entry.buttons):
                QWidget.setTabOrder(before, widget)
                before = widget

    def _make_entries(self, count: int) -> None:
        """Reuse the entries: a list that follows a number being dragged must be quick."""
        while len(self.entries) < count:
            entry = ProblemEntry(self._theme, self.session.named)
            entry.activated.connect(partial(self._lead_to, entry))
            entry.stepped.connect(partial(self._step, entry))
            entry.reached.connect(partial(self._bring_into_view, entry))
            self._rows.insertWidget(len(self.entries), entry)
            entry.show()  # at once, not in the next turn of the event loop: it may be given the focus before that
            self.entries.append(entry)
        for entry in self.entries[count:]:
            self._rows.removeWidget(entry)
            entry.blockSignals(True)  # a key may reach it before it is gone
            entry.hide()
            entry.deleteLater()
        del self.entries[count:]

    def _choices(self, fault: Fault, offered: set[tuple[str, str]]) -> list[FixAction]:
        """The buttons of an entry; a fix that an entry above has `offered` is not offered again."""
        fixes = {(fix.title, fix.sentence): fix for fix in self.doctor.fixes(fault)}
        new = [
            (title, f"{why}.", partial(self._fix, fixes[title, why]))
            for title, why in fixes
            if (title, why) not in offered
        ]
        offered.update(fixes)
        choices_: list[FixAction] = list(new)
        if inner := self._way_in(fault):
            choices_.append(inner)
        if fault.kind is Kind.VIOLATED_GUARD and script_of(self.session.document) and not self.session.levels:
            choices_.append((RUN_AGAIN, RUN_TIP, self.runScriptAsked.emit))
        if fault.kind in BY_LAYER:
            choices_.append(("Show gradients by layer", "The size of the gradient at each layer", self._show_layers))
        return choices_

    def _way_in(self, fault: Fault) -> FixAction | None:
        """The choice that leads to the node inside a call at which a number went bad, where it is listed again."""
        document = self.session.document
        function = document.functions.get(document.nodes[fault.node].op) if fault.node in document.nodes else None
        if function is None or fault.kind not in BAD_NUMBERS | LOST_GRADIENTS:
            return None
        if fault.kind in GRADIENTS and function.gradient is not None and function.gradient.used:
            return "Show its custom gradient", GRADIENT_TIP, partial(self.gradientAsked.emit, fault.node)
        return f"Enter {fault.node}", ENTER_TIP, partial(self.enterAsked.emit, fault.node)

    def _bring_into_view(self, entry: ProblemEntry) -> None:
        """An entry, or the beginning of one that is higher than the list."""
        if entry.height() > self._scroll.viewport().height():
            self._scroll.verticalScrollBar().setValue(entry.y())
        else:
            self._scroll.ensureWidgetVisible(entry, 0, 4)

    # --- actions

    def _fix(self, fix: Fix) -> None:
        """Apply a fix as one undo step, and report the change."""
        before = self.session.document
        if self.session.edit(*graph_edits.repair(fix.apply, fix.title)):
            self.grew.emit(before)
            self.session.done.emit(f"{fix.title}: {fix.sentence}.", None)
            self.focus_first()

    def focus_first(self) -> None:
        """Focus the first entry; the pressed buttons may not exist any more."""
        first = next((entry for entry in self.entries if entry.fault), None)
        (first or self).setFocus(Qt.FocusReason.OtherFocusReason)

    def show_problem(self, fault: Fault) -> None:
        """Lead to a fault as a click on its entry does; the entry has the keys then."""
        self._list()
        entry = next((entry for entry in self.entries if entry.fault == fault), None)
        if entry is not None:
            self._lead_to(entry)
            entry.setFocus(Qt.FocusReason.OtherFocusReason)

    def _lead_to(self, entry: ProblemEntry) -> None:
        fault = entry.fault
        if fault is None or fault.node not in self.session.document.nodes:
            return
        moment = None if self.session.live else origin_time(self.session.timeline, fault)
        if moment is not None:
            self.session.playback.pause()
            self.session.set_time(moment)
        self._choose([fault.node])
        self._chosen = fault
        self._mark_chosen()
        self.pointedAt.emit(fault)

    def _choose(self, names: list[str]) -> None:
        self.session.select(names)
        if names:
            self.nodeActivated.emit(names[0])

    def _forget_chosen(self) -> None:
        self._chosen = None
        self._mark_chosen()

    def _mark_chosen(self) -> None:
        for entry in self.entries:
            entry.set_lit(entry.fault is not None and entry.fault == self._chosen)

    def _step(self, entry: ProblemEntry, by: int) -> None:
        place = self.entries.index(entry) + by
        if 0 <= place < len(self.entries) and self.entries[place].fault:
            self.entries[place].setFocus(Qt.FocusReason.TabFocusReason)

    def _show_layers(self) -> None:
        self.panelAsked.emit("layers")


def origin_time(timeline: Timeline, fault: Fault) -> float | None:
    """The moment after the step in which a number went bad; None where there is no such step."""
    index = timeline.run.plan.index
    if type(timeline) is not Timeline or fault.node not in index:  # other methods have other steps
        return None
    if fault.slot is not None:
        step = timeline.wire_steps.get((fault.node, fault.slot), -1)
    elif fault.kind in GRADIENTS | BY_LAYER and timeline.arrivals.get(fault.node):
        step = timeline.arrivals[fault.node][-1][0]
    else:
        step = int(timeline.value_steps[index[fault.node]])
    return float(step + 1) if step >= 0 else None
