"""The reverse pass without an order, visit by visit, together with the one in order, step by step."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QListWidget,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from cadena.core.graph.fault import Refused
from cadena.core.teaching.hiding import MARK
from cadena.core.text import numbers
from cadena.core.text.wording import Listing
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel, shown
from cadena.gui.look.theme import Theme
from cadena.gui.panels.parts.common import Sentence, leave_keys, row_of
from cadena.gui.session.session import Session

if TYPE_CHECKING:
    from cadena.core.run.passes.naive import Naive, Visit

COLUMNS = ("node", "no order", "in order", "")
TOGETHER = "Both passes go back together: the canvas in the right order, the recursion visit by visit."
NOTHING = "There is no gradient to compute: the output depends on no parameter and no input with a gradient."
NOT_YET = "{number}.  ·"
VISIT = "{node} → {operand}: pushes {pushed}, adds {added}; {operand} has {has}"


class OrderPanel(QWidget):
    """Follows the run while it is open. The chosen visit's operand is asked for by `nodeActivated`.

    With each visit that is asked for here the canvas goes as many steps back in order; where these are at their end,
    the visits go on alone. While the steps lead, all visits are spread over them, so that both passes end together.
    """

    nodeActivated = Signal(str)
    remarksShown = Signal(tuple, object)  # at the nodes, (name, text), and the visited wire, (target, slot)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session = session
        self.naive: Naive | None = None
        self._run: object = None
        self._conclusion = ""
        self._written = -1  # the number of the last visit that is written out
        self._landed = -1  # the steps that had landed when the table was filled
        self._leads = self._follows = False  # the steps go with the visits, or the visits with the steps
        self.verdict, self.refusal = PlainLabel(named=session.named, wordWrap=True), Sentence(theme, session.named)
        self.visits, self.table = QListWidget(), QTableWidget(0, len(COLUMNS))
        self.before, self.after = QPushButton("‹ Visit"), QPushButton("Visit ›")
        self.place = PlainLabel()
        self.before.clicked.connect(lambda: self._go(-1))
        self.after.clicked.connect(lambda: self._go(1))
        self.before.setToolTip("Back to the visit before")
        self.after.setToolTip("On to the next visit of the recursion")
        leave_keys(self.before, self.after)
        self.visits.currentRowChanged.connect(self._show_visit)
        self.visits.itemClicked.connect(lambda _: self._go(0))
        self.visits.setAccessibleName("Visits")
        self.visits.setAccessibleDescription("Each visit of a node by the recursion without an order")
        self.table.setAccessibleName("Gradients without and with an order")
        self._dress_table()
        self._lay_out()
        session.runChanged.connect(self.follow)
        session.timeChanged.connect(self._follow_steps)
        session.askingChanged.connect(self._follow_question)
        self.set_theme(theme)

    def _dress_table(self) -> None:
        self.table.setHorizontalHeaderLabels(COLUMNS)
        self.table.verticalHeader().hide()
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        for words in (0, len(COLUMNS) - 1):
            header.setSectionResizeMode(words, QHeaderView.ResizeMode.ResizeToContents)
        self.visits.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.visits.setWordWrap(True)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * look.GAP, look.GAP, 2 * look.GAP, look.GAP)
        column.setSpacing(look.GAP)
        column.addLayout(row_of(self.place, self.before, self.after, stretch=0))
        column.addWidget(self.verdict)
        column.addWidget(self.refusal)
        column.addWidget(self.visits, 1)
        column.addWidget(self.table, 2)

    def set_theme(self, theme: Theme) -> None:
        self._theme, self._run = theme, None
        self.refusal.set_theme(theme)
        self.table.verticalHeader().setDefaultSectionSize(round(24 * theme.type))
        self.follow()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.follow()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._run = None
        self.remarksShown.emit((), None)

    # --- following

    def follow(self) -> None:
        """Run the recursion without an order on the latest run."""
        run = self.session.run
        if not self.isVisible() or run is self._run:
            return
        from cadena.core.run.passes.naive import naive

        self._run = run
        try:
            self.naive = naive(run)
        except Refused as refusal:
            self.naive = None
            self.refusal.say(f"{refusal}.")
        else:
            self.refusal.say("")
        self._fill()

    def _fill(self) -> None:
        self.visits.blockSignals(True)
        self.visits.clear()
        count = len(self.naive.visits) if self.naive else 0
        self.visits.addItems([NOT_YET.format(number=number) for number in range(1, count + 1)])
        self._written = self._landed = -1
        self.visits.blockSignals(False)
        for widget in (self.visits, self.table, self.before, self.after):
            widget.setVisible(self.naive is not None)
        wrong = self._wrong()
        visited = self.naive is not None and self.naive.visits
        self._conclusion = verdict(wrong) if visited else NOTHING if self.naive else ""
        wires, session = self._wires(), self.session
        is_led = session.asking.is_open or (wires and session.time >= wires[0])  # an open question holds the steps
        if is_led and not session.live:
            self._show_following(self._row_at(session.time))
        else:
            self.visits.setCurrentRow(0)
            self._show_visit(self.visits.currentRow())

    def _wrong(self) -> list[str]:
        """The nodes whose gradient is wrong."""
        if self.naive is None:
            return []
        run = self.session.run
        return [name for name, gradient in self.naive.gradients.items() if not _equal(gradient, run.gradient(name))]

    def step(self, by: int) -> None:
        """Go so many visits on, or back; nothing is selected, so that the arrow keys keep stepping."""
        self.visits.setCurrentRow(min(max(self.visits.currentRow() + by, 0), max(self.visits.count() - 1, 0)))

    def _go(self, by: int) -> None:
        self.step(by)
        if self.naive and self.naive.visits:
            self.nodeActivated.emit(self.naive.visits[self.visits.currentRow()].operand)

    def _show_visit(self, row: int) -> None:
        """Show the gradients after the visits up to this one."""
        count = self.visits.count()
        self.place.setText(f"visit {row + 1} of {count}" if count else "no visits")
        self.before.setEnabled(row > 0)
        self.after.setEnabled(row < count - 1)
        if self.naive is None or self._run is not self.session.run:  # another run, which is followed in a moment
            self.remarksShown.emit((), None)
            return
        self._write_visits(row)
        if not self._follows:
            self._go_back_in_order(row + 1)
        so_far = {visit.operand: visit.accumulated for visit in self.naive.visits[: row + 1]}
        is_asked, frame, run = self.session.asking.is_open, self.session.frame, self.session.run
        at_end = row == count - 1 and not is_asked
        self._landed = frame.landed
        wrong = set(self._wrong()) if at_end else set[str]()
        self.verdict.setText(self._conclusion if at_end else TOGETHER)
        self.table.setRowCount(len(self.naive.gradients))
        for place, (name, gradient) in enumerate(self.naive.gradients.items()):
            present = so_far.get(name, gradient if name == run.program.output else None)
            judged = ("⚠ wrong" if name in wrong else "right") if at_end else ""
            without = MARK if is_asked and present is not None else _number(present)
            words = (name, without, _number(frame.gradient(name)), judged)
            for column, word in enumerate(words):
                self.table.setItem(place, column, self._item(self.session.named(word), column, name in wrong))
        visit = self.naive.visits[row] if 0 <= row < count else None
        shown_ = {} if is_asked else so_far
        remarks = tuple((name, f"no order: {_number(gradient)}") for name, gradient in shown_.items())
        self.remarksShown.emit(remarks, None if visit is None else (visit.node, visit.slot))

    def _write_visits(self, row: int) -> None:
        """Write the visits up to this one; those to come have only their number."""
        assert self.naive is not None
        for place in range(min(self._written, row) + 1, max(self._written, row) + 1):
            words = self._words_of(self.naive.visits[place]) if place <= row else ""
            item = self.visits.item(place)
            item.setText(
                shown(self.session.named(f"{place + 1}.  {words}")) if words else NOT_YET.format(number=place + 1)
            )
        self._written = row

    def _words_of(self, visit: Visit) -> str:
        """A visit in words; an open question hides what it leads to, and before the last step what it brings, too."""
        asking = self.session.asking
        pushed, added = (
            MARK if asking.holds_steps else _number(number) for number in (visit.pushed, visit.contribution)
        )
        has = MARK if asking.is_open else _number(visit.accumulated)
        return VISIT.format(node=visit.node, operand=visit.operand, pushed=pushed, added=added, has=has)

    def _follow_question(self) -> None:
        """Rewrite the table and the visits, without the answer to an open question."""
        if self.isVisible() and self.naive is not None and self._run is self.session.run:
            row, self._follows = self.visits.currentRow(), True
            self._write_visits(-1)
            self._show_visit(row)
            self._follows = False

    def _go_back_in_order(self, steps: int) -> None:
        """Show the moment at which so many steps of the reverse pass in order are done, or its end."""
        if self.session.playback.playing:  # the steps lead, and the visits follow
            return
        wires, self._leads = self._wires(), True
        if wires:
            self.session.playback.show(wires[min(max(steps, 1), len(wires)) - 1] + 1.0)
        else:
            self.session.show_live()
        self._leads = False

    def _wires(self) -> range:
        """The steps of the reverse pass in order, which come after the seed."""
        steps = self.session.timeline
        return range(steps.forward_length + 1, len(steps))

    def _row_at(self, time: float) -> int:
        """The last visit at a moment of the pass in order, over which the visits are spread; -1 before the first."""
        wires, count = self._wires(), self.visits.count()
        share = (time - wires[0]) / len(wires) if wires else 0.0
        return min(max(math.ceil(share * count), 0), count) - 1

    def _follow_steps(self) -> None:
        """Go on with the visits as the pass in order goes on."""
        if self.isVisible() and not self._leads and self._run is self.session.run and not self.session.live:
            self._show_following(self._row_at(self.session.time))

    def _show_following(self, row: int) -> None:
        self._follows = True
        if row != self.visits.currentRow():
            self.visits.setCurrentRow(row)
        elif self.session.frame.landed != self._landed:
            self._show_visit(row)
        self._follows = False

    def _item(self, word: str, column: int, wrong: bool) -> QTableWidgetItem:
        item = QTableWidgetItem(word)
        theme = self._theme
        role = "fault" if wrong and column in (1, 3) else "gradient" if column in (1, 2) else "text"
        item.setForeground(QColor(getattr(theme, role)))
        item.setFont(look.font(theme, bold=column in (1, 2)))
        if column in (1, 2):
            item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return item


def verdict(wrong: list[str]) -> str:
    """Explain the result of the recursion."""
    if not wrong:
        return "All gradients come out right here: no node that is used twice has operands of its own."
    named = Listing(tuple(wrong), "", most=8).worded()
    return (
        f"Wrong for {named}: a node that is used twice is gone through twice, the second time with what it already "
        f"passed on still in its gradient. In order, it waits until its gradient is complete."
    )


def _number(array: np.ndarray | None) -> str:
    return "–" if array is None else numbers.short(array)


def _equal(gradient: np.ndarray, right: np.ndarray | None) -> bool:
    return right is not None and bool(np.allclose(gradient, right, rtol=1e-6, equal_nan=True))
