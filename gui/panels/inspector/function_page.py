"""The inspector's section for a call: its function, and the custom gradient beside the automatic one."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QPushButton, QWidget

from cadena.core.graph.document import Function
from cadena.core.graph.fault import Refused
from cadena.core.methods.reverse.timeline import Frame
from cadena.core.rewriting.custom_gradients import use_gradient
from cadena.core.rewriting.function_edits import function_of
from cadena.core.rewriting.opening import Compared, compare_gradients
from cadena.core.text.numbers import number_of
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import Theme
from cadena.gui.panels.inspector.facts import Quantity
from cadena.gui.panels.parts.common import Divider, Sentence, caption, clear, column_in, heading, leave_keys
from cadena.gui.panels.parts.flow_layout import FlowLayout
from cadena.gui.session import graph_edits
from cadena.gui.session.asking import HELD_BACK
from cadena.gui.session.session import Session

WORDS = ("custom", "automatic")
GRADIENT = "Custom gradient…"
DIFFER, SAME = "The two differ.", "Both are the same."


class FunctionPage(QWidget):
    """The section of one call; hidden for other nodes."""

    enterAsked = Signal(str)
    gradientAsked = Signal(str)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session, self.name = session, ""
        self.title, self.doc = heading("", session.named), PlainLabel(named=session.named, wordWrap=True)
        self.enter, self.edit, self.remove = (
            QPushButton("Enter"),
            QPushButton(GRADIENT),
            QPushButton("Remove gradient"),
        )
        self.edit.setToolTip("A graph of its own for the reverse pass of this function")
        self.enter.setToolTip("Show what is inside, with the values of this call (Ctrl+Return, or double-click)")
        self.remove.setToolTip("Take the custom gradient away; the chain rule takes its place")
        self.use = QCheckBox("use the custom gradient")
        self.use.setToolTip("The custom gradient, or the automatic one by the chain rule")
        self.verdict, self.refusal = PlainLabel(named=session.named, wordWrap=True), Sentence(theme, session.named)
        self.rows: list[tuple[Quantity, Quantity]] = []
        self._divider = Divider(theme)
        self._compared: tuple[object, ...] = ()
        self.enter.clicked.connect(lambda: self.enterAsked.emit(self.name))
        self.edit.clicked.connect(lambda: self.gradientAsked.emit(self.name))
        self.remove.clicked.connect(self._remove)
        self.use.clicked.connect(self._use)
        leave_keys(self.enter, self.edit, self.remove, self.use)
        self._lay_out()
        self.set_theme(theme)

    def _lay_out(self) -> None:
        buttons = QWidget()
        flow = FlowLayout(buttons, gap=look.GAP)
        for button in (self.enter, self.edit, self.remove):
            flow.addWidget(button)
        self._grid = QGridLayout()
        self._grid.setColumnStretch(1, 1)
        column = column_in(self)
        column.addWidget(self._divider)
        self.title.setWordWrap(True)  # a function of many operands
        column.addWidget(self.title)
        column.addWidget(self.doc)
        column.addWidget(buttons)
        column.addWidget(self.use)
        column.addLayout(self._grid)
        column.addWidget(self.verdict)
        column.addWidget(self.refusal)

    def set_theme(self, theme: Theme) -> None:
        self._theme, self._compared = theme, ()
        self.refusal.set_theme(theme)
        self._divider.set_theme(theme)
        for pair in self.rows:
            for quantity in pair:
                quantity.set_theme(theme)

    # --- following

    def show_node(self, name: str) -> None:
        """Show the function that a node calls; nothing for a node that calls none."""
        self.name, document = name, self.session.document
        function = document.function_of(name)
        self.setVisible(function is not None)
        if function is not None:
            self._show_function(document.nodes[name].op, function)

    def _show_function(self, op: str, function: Function) -> None:
        self.title.setText(f"ƒ {op}({', '.join(function.inputs)})")
        count = sum(not node.is_leaf for node in function.nodes.values())
        self.doc.setText(function.doc or f"A function of this graph, of {number_of(count, 'operation')}.")
        has = function.gradient is not None
        self.edit.setText("Edit gradient…" if has else GRADIENT)
        for widget in (self.use, self.remove, self.verdict):
            widget.setVisible(has)
        if function.gradient is not None:
            self.use.setChecked(function.gradient.used)

    def follow(self, frame: Frame) -> None:
        """Show both gradients of each operand, as soon as the reverse pass has reached the call."""
        document = self.session.document
        function = document.function_of(self.name)
        if function is None:
            return
        is_held_back = self.session.asking.holds_steps
        arrived = frame.gradient(self.name) is not None and not is_held_back
        key = (frame.run, self.name, arrived, is_held_back, frame.timeline.method, document)
        if key == self._compared:
            return
        self._compared = key
        self.refusal.say("")
        if function.gradient is None or not arrived:
            self._show_rows(())
            why = HELD_BACK if is_held_back else _why_not(frame, self.name)
            self.verdict.setText("" if function.gradient is None else why)
            return
        try:
            used = use_gradient(document, document.nodes[self.name].op, True)
            self._show_rows(compare_gradients(used, self.name, frame.run))
        except (Refused, ValueError) as problem:  # ValueError: a custom gradient of another shape
            self._show_rows(())
            self.verdict.setText("")
            self.refusal.say(f"{problem}.")

    def _show_rows(self, compared: tuple[Compared, ...]) -> None:
        clear(self._grid)
        self.rows = []
        for place, both in enumerate(compared):
            self._grid.addWidget(
                PlainLabel(f"what {both.operand} gets back", named=self.session.named), 3 * place, 0, 1, 2
            )
            pair = Quantity(self._theme, "gradient"), Quantity(self._theme, "gradient")
            for row, (word, quantity, numbers) in enumerate(zip(WORDS, pair, (both.custom, both.automatic)), start=1):
                quantity.show_quantity(numbers, "none", "No gradient goes back to this operand.")
                quantity.setAccessibleName(f"{word} gradient of {both.operand}")
                self._grid.addWidget(caption(word), 3 * place + row, 0)
                self._grid.addWidget(quantity, 3 * place + row, 1)
            self.rows.append(pair)
        self.verdict.setText(SAME if all(map(_same, compared)) else DIFFER)

    # --- editing

    def _op(self) -> str:
        return self.session.document.nodes[self.name].op

    def _use(self, used: bool) -> None:
        op = self._op()
        self.session.edit(*graph_edits.use_gradient(op, used))
        gradient = function_of(self.session.document, op).gradient
        self.use.setChecked(gradient is not None and gradient.used)

    def _remove(self) -> None:
        self.session.edit(*graph_edits.remove_gradient(self._op()))


def _why_not(frame: Frame, name: str) -> str:
    """The reason why there is nothing to compare; "" where the node's own fault says it."""
    if frame.run.value(name) is None:
        return ""
    if frame.run.gradient(name) is None:
        return "No gradient comes to this call, so that nothing goes back."
    if not frame.timeline.goes_back:
        return "Choose reverse as the method to see both gradients."
    return "The reverse pass has not come here yet."


def _same(both: Compared) -> bool:
    if both.custom is None or both.automatic is None:
        return both.custom is both.automatic
    return bool(np.allclose(both.custom, both.automatic, rtol=1e-6, equal_nan=True))
