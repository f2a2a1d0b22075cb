"""All methods of differentiation for one node: gradient, deviation from reverse mode, cost, and which to believe."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from cadena.core.graph.document import Changes
from cadena.core.graph.fault import Refused
from cadena.core.run.plan import Plan
from cadena.gui.background.worker import Work
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import Theme
from cadena.gui.look.wording import capitalized
from cadena.gui.panels.methods.methods_lines import MethodsLines
from cadena.gui.panels.parts.common import caption, column_in, leave_keys
from cadena.gui.session.session import Session

if TYPE_CHECKING:
    from cadena.core.methods.comparison import Comparison

AT_ONCE = 20_000  # numbers in a pass over all elements: cheaper comparisons start by themselves
REST, HOLD = (
    120,
    250,
)  # milliseconds of calm before that begins; how long old numbers stay while new ones are on the way
NOTE_EVERY = 100  # milliseconds


class MethodsTable(QWidget):
    """The comparison at the node `name`. Cheap ones follow the session by themselves, costly ones start at a press, and
    so do those that would show a gradient before the steps do.

    A comparison in a thread is cancelled when the node or the document changes. While a value is dragged the lines
    stay where they are, without numbers.
    """

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session, self.name = session, ""
        self.work: Work | None = None
        self.comparison: Comparison | None = None
        self._before: Work | None = None  # cancelled, but perhaps not finished yet
        self._effort: tuple[Plan, str, int] | None = None
        self.start, self.cancel = QPushButton("Compare methods"), QPushButton("Cancel")
        self.start.setToolTip("The gradient of this node by every method, with what each costs")
        self.start.clicked.connect(self.compare)
        self.cancel.clicked.connect(self.stop)
        self.start.setToolTip("The gradient of this node by every method, with its cost")
        self.cancel.setToolTip("Stop comparing")
        leave_keys(self.start, self.cancel)
        self.note = PlainLabel(named=session.named, wordWrap=True)
        self.place = caption("", session.named)
        self.lines = MethodsLines(theme)
        self.verdict = PlainLabel(named=session.named, wordWrap=True)
        self._clock = QTimer(self, interval=NOTE_EVERY)
        self._clock.timeout.connect(self._show_progress)
        self._rest = QTimer(self, interval=REST, singleShot=True)
        self._rest.timeout.connect(self.compare)
        self._hold = QTimer(self, interval=HOLD, singleShot=True)
        self._hold.timeout.connect(self._blank)
        session.documentChanged.connect(self._follow_document)
        session.runChanged.connect(self._follow_run)
        session.timeChanged.connect(self._follow_time)
        self._lay_out()

    def _lay_out(self) -> None:
        self._buttons = QWidget()
        row = QHBoxLayout(self._buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.start)
        row.addWidget(self.cancel)
        row.addStretch(1)
        column = column_in(self)
        for widget in (
            self._buttons,
            self.note,
            self.place,
            self.lines,
            self.verdict,
        ):
            column.addWidget(widget)
        self.cancel.hide()

    def set_theme(self, theme: Theme) -> None:
        self.lines.set_theme(theme)

    # --- following the session

    def show_node(self, name: str) -> None:
        """Compare at another node, or offer it."""
        if name != self.name:
            self._call_off()
            self.name = name
            self._show_nothing()
            self._begin_soon()

    def showEvent(self, event) -> None:
        if self.work is None and self.comparison is None and not self.note.text():
            self._begin_soon()

    def hideEvent(self, event) -> None:
        self._call_off()

    def _follow_document(self, changes: Changes) -> None:
        if changes.anything_runs:
            self._call_off()
            self._outdate()

    def _follow_run(self) -> None:
        self._call_off()
        self._outdate()
        self._begin_soon()

    def _follow_time(self) -> None:
        if self.comparison is None and self.work is None and not self._rest.isActive() and not self.note.text():
            self._begin_soon()

    @property
    def _may_show(self) -> bool:
        """Whether gradients may be shown: not before the last step."""
        return self.session.live or self.session.time >= len(self.session.timeline)

    @property
    def is_cheap(self) -> bool:
        """Whether the comparison starts by itself."""
        run = self.session.run
        if self.name not in run.plan.index:  # it was removed, and so will be the page
            return False
        from cadena.core.methods.cutting import effort

        if self._effort is None or self._effort[:2] != (run.plan, self.name):
            self._effort = (run.plan, self.name, effort(run, self.name))
        return self._effort[2] <= AT_ONCE

    def _begin_soon(self) -> None:
        if not self.isVisible() or self.name not in self.session.run.plan.index:
            return
        by_itself = self.is_cheap and self._may_show
        self._buttons.setVisible(not by_itself)
        if by_itself:
            self._rest.start()

    # --- comparing

    def compare(self) -> None:
        """Start in a thread; the interface goes on."""
        self._call_off()
        if self._before is not None and self._before.isRunning():  # one at a time; it ends at the next pass
            self._show_note("The comparison before is coming to its end …")
            self._rest.start()
            return
        from cadena.core.methods.cutting import compare_node

        run = self.session.run
        _ = run.gradients  # computed here, so that two threads need not do it at once
        self.work = work = Work(partial(compare_node, run, self.name))
        work.succeeded.connect(self._succeeded)
        work.refused.connect(self._refused)
        if not self._buttons.isHidden():
            self._show_nothing()
            self._set_running(True)
        work.begin()

    def stop(self) -> None:
        """Cancel the comparison under way."""
        self._call_off()
        self._show_note("Cancelled.")

    def _call_off(self) -> None:
        self._rest.stop()
        if self.work is not None:
            self.work.cancel()
            self._before, self.work = self.work, None
            self._set_running(False)

    def _set_running(self, runs: bool) -> None:
        shown, hidden = (self.cancel, self.start) if runs else (self.start, self.cancel)
        shown.show()
        if hidden.hasFocus():  # else the keys would go to whatever comes next
            shown.setFocus()
        hidden.hide()
        (self._clock.start if runs else self._clock.stop)()
        self._show_note("")
        self._show_progress()

    def _show_progress(self) -> None:
        if self.work is not None and self._clock.isActive():
            passes = self.work.passes
            self._show_note(f"Comparing: {passes} pass{'' if passes == 1 else 'es'} so far …")

    def _succeeded(self, work: Work, comparison: Comparison) -> None:
        if work is self.work:
            self._end()
            self._show(comparison)

    def _refused(self, work: Work, refusal: Refused) -> None:
        if work is self.work:
            self._end()
            self._show_nothing()
            self._show_note(f"{capitalized(refusal)}.")

    def _end(self) -> None:
        self.work = None
        self._hold.stop()
        self._set_running(False)

    # --- showing

    def _show_note(self, text: str) -> None:
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def _show_nothing(self) -> None:
        """Show the lines of a comparison that will start by itself, still without numbers."""
        self._hold.stop()
        self.comparison = None
        self._show_note("")
        self.place.hide()
        self.lines.hide()
        self.verdict.hide()

    def _outdate(self) -> None:
        """Mark the shown numbers as outdated; where new ones will come soon, they may stay until then."""
        if self.lines.isHidden() or not self.is_cheap or not self.isVisible():
            self._show_nothing()
        elif self.comparison is not None and not self._hold.isActive():
            self._hold.start()

    def _blank(self) -> None:
        self.comparison = None
        self.lines.blank()
        self.verdict.setMinimumHeight(self.verdict.height())
        self.verdict.setText("…")

    def _show(self, comparison: Comparison) -> None:
        self.comparison = comparison
        row = comparison.rows[0]
        self.place.setText(f"at {row.element}, where they differ most")
        self.place.setVisible(comparison.elements > 1)
        self.lines.show_lines(comparison)
        self.lines.show()
        self.verdict.setText(verdict(comparison, bool(self.session.output_shape)))
        self.verdict.setMinimumHeight(0)
        self.verdict.show()


def verdict(comparison: Comparison, several: bool) -> str:
    """Which method to believe and why, in sentences; `several`: the output has elements, weighted with the seed."""
    row = comparison.rows[0]
    sentences = [row.judgement.sentence or row.agreement(comparison.run.dtype)]
    if comparison.compared < comparison.elements:
        sentences.append(f"Of {comparison.elements} elements {comparison.compared} were compared, spread evenly")
    if several:
        sentences.append("The output's elements are weighted with the seed")
    return " ".join(f"{sentence}." for sentence in sentences)
