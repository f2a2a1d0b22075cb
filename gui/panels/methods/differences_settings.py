"""The settings of differences: their kind, the element that is moved, and the step h, chosen or typed."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QComboBox, QWidget

from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import all_elements, element_name, element_of
from cadena.core.methods.difference import KINDS
from cadena.core.notation.reading import read_value
from cadena.core.text.numbers import MINUS, short
from cadena.gui.look.text_cleaning import MAX_IN_NAME, title
from cadena.gui.panels.parts.common import caption, row_in
from cadena.gui.panels.parts.fields import Field
from cadena.gui.session.session import Session
from cadena.gui.widgets.chooser import Chooser

if TYPE_CHECKING:
    from cadena.core.methods.difference.timeline import DifferencesTimeline

BEST = "best"
STEPS = tuple(10.0**-power for power in range(1, 17))
MAX_OFFERED = 60  # elements
LETTERS = 12  # of the broadest letter: room for "best: 2.7·10⁻⁶"
DIGITS = 6  # of a step that was typed
NAMES = {"forward": "forward", "central": "central", "complex": "complex step"}
TIPS = {
    "forward": "forward: the run as it is and the run at x + h; the error grows as h",
    "central": "central: the runs at x + h and x − h; the error grows as h²",
    "complex": "complex step: one run at x + ih; nothing is subtracted, so nothing is rounded away",
}
ASK = "type a number above 0 such as 1e-6, or best"


class DifferencesSettings(QWidget):
    """The settings; they take no room for another method."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.kind, self.element, self.step = Chooser(), Chooser(), StepBox()
        for kind in KINDS:
            self.kind.addItem(NAMES[kind], kind)
        self.kind.setToolTip("\n".join(TIPS.values()))
        self.kind.setAccessibleName("Kind of differences")
        self.element.setToolTip("The element that is moved")
        self.element.setAccessibleName("Element")
        for box in (self.kind, self.element):
            box.activated.connect(lambda: self._set(session.method.step))
        self.step.setAccessibleName("Step h")
        self.step.activated.connect(lambda index: self._set(self.step.itemData(index)))
        self.step.typedIn.connect(self._typed)
        self.words = caption("at"), caption("h")
        row_in(self, self.kind, self.words[0], self.element, self.words[1], self.step)

    def follow(self) -> bool:
        """Show the element that the session's method moves. Returns whether there is anything to show."""
        moves = self.session.method.name == "difference" and self._list_elements()
        self.setVisible(moves)
        if moves:
            self._show_step()
            kind = self.session.method.kind
            self.kind.setCurrentIndex(self.kind.findData(kind))
            self.words[1].setText("ih" if kind == "complex" else "h")
        return moves

    def _list_elements(self) -> bool:
        """Offer the elements that can be moved, including the present one. Returns whether there are any."""
        run = self.session.run
        if run.plan.output is None:
            return False
        choices_ = ((name, int(index)) for name, indices in all_elements(run).items() for index in indices)
        pairs, now = list(islice(choices_, MAX_OFFERED)), element_of(run, self.session.method)
        if pairs and now not in pairs:
            pairs.append(now)  # type: ignore[arg-type]
        with QSignalBlocker(self.element):
            self.element.clear()
            for name, index in pairs:
                shape = run.plan.shapes[run.plan.index[name]] or ()
                self.element.addItem(
                    title(self.session.named(element_name(name, index, shape)), MAX_IN_NAME), (name, index)
                )
            self.element.setCurrentIndex(pairs.index(now) if pairs else -1)  # type: ignore[arg-type]
        for widget in (self.words[0], self.element):
            widget.setVisible(len(pairs) > 1)  # a single one leaves no choice, and every step names it
        return bool(pairs)

    def _show_step(self) -> None:
        step, timeline = self.session.method.step, self.session.timeline
        best = BEST
        if timeline.method == "difference":
            best = f"{BEST}: {short(cast('DifferencesTimeline', timeline).h, 2)}"
        self.step.show_step(step, best if step is None else BEST)

    def _set(self, step: float | None) -> None:
        if self.step.is_wrong:
            self.session.message.emit("")  # the text is valid now
        name, index = self.element.currentData() or (None, 0)  # no element, while nothing runs
        kind = self.kind.currentData()
        self.session.set_method(replace(self.session.method, kind=kind, leaf=name, index=index, step=step))
        self._show_step()  # the same step again may have been written in another way

    def _typed(self, text: str) -> None:
        try:
            step = read_step(text)
        except Refused as refusal:
            self.step.set_wrong(True)
            self.session.message.emit(f"The step h of {self.element.currentText()}: {refusal}")
            return
        self.step.field.accept()
        self._set(step)


def read_step(text: str) -> float | None:
    """Parse a step; None for the best one. Raises Refused with an example."""
    if not text.strip() or text.strip().lower().startswith(BEST):
        return None
    try:
        number = read_value(text)
    except Refused:
        raise Refused("{text} is not a number", "{ask}", text=text.strip()[:40], ask=ASK) from None
    if not isinstance(number, float):
        raise Refused("{text} is a list", "{ask}", text=text.strip()[:40], ask=ASK)
    if number < 0.0 or math.isnan(number):
        raise Refused("{number} is not above 0", "{ask}", number=short(number), ask=ASK)
    return number  # the engine has its own words for 0 and for steps that are too small


class StepBox(QComboBox):
    """A box with the steps 10⁻¹ to 10⁻¹⁶ and the best one; any other can be typed."""

    typedIn = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.addItem(BEST, None)
        for step in STEPS:
            self.addItem(short(step), step)
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(LETTERS)  # always the same width, so that nothing beside it jumps
        self.field = StepField()
        self.field.setAccessibleName("Step h")
        self.field.setAccessibleDescription("The step of the differences; another can be typed")
        self.setLineEdit(self.field)
        self.field.typedIn.connect(self.typedIn)
        self.field.restored.connect(lambda: self.set_wrong(False))
        self.field.done.connect(self.clearFocus)  # keys go to the steps again; the field's focus is that of the box
        self.setCompleter(None)  # type: ignore[arg-type]
        self.setAccessibleName("Step h")
        self.setToolTip(
            "How far it is moved: large steps miss the curve, small ones drown in rounding. Choose one, or type it."
        )

    def show_step(self, step: float | None, best: str) -> None:
        """Show the chosen step, or the best one in these words; text being typed stays."""
        with QSignalBlocker(self):
            self.setItemText(0, best)
            typing = self.field.hasFocus() and self.field.typed
            if not typing:
                self.setCurrentIndex(0 if step is None else STEPS.index(step) + 1 if step in STEPS else -1)
            self.field.show_text(best if step is None else short(step, DIGITS))
        self.set_wrong(self.is_wrong and typing)

    def hidePopup(self) -> None:
        super().hidePopup()
        QTimer.singleShot(0, self, self.clearFocus)  # keys go to the steps again

    @property
    def is_wrong(self) -> bool:
        """Whether the text is marked as invalid."""
        return bool(self.property("fault"))

    def set_wrong(self, wrong: bool) -> None:
        """Mark the text as invalid or valid."""
        if self.is_wrong is not wrong:
            self.setProperty("fault", wrong)
            self.style().unpolish(self)
            self.style().polish(self)


class StepField(Field):
    """A field that emits its text on Enter or when it loses the focus; a click selects all for typing."""

    typedIn = Signal(str)
    restored = Signal()
    done = Signal()  # by Enter, with what can be read

    def __init__(self) -> None:
        super().__init__()
        self.editingFinished.connect(self._finish)

    def _finish(self) -> None:
        if self.typed:
            self.typedIn.emit(self.text().replace(MINUS, "-"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._finish()  # not by way of the box, which would choose its present entry again
            if not self.typed:
                self.done.emit()
            return
        if event.key() == Qt.Key.Key_Escape:
            self.restored.emit()
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() is Qt.FocusReason.MouseFocusReason:
            QTimer.singleShot(0, self, self.selectAll)
