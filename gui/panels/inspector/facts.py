"""The facts of a node at a moment: value, gradient, shape and number type, in the colours of their roles."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QStackedWidget, QWidget

from cadena.core.graph.order import ancestors
from cadena.core.methods.reverse.timeline import Frame
from cadena.core.notation.in_script import with_shown_names
from cadena.core.notation.names import set_plainly
from cadena.core.run.program import Run
from cadena.core.teaching.hiding import NOTHING_HIDDEN, Hidden
from cadena.core.text import numbers
from cadena.core.text.array_summary import summary_text
from cadena.core.text.numbers import fits
from cadena.gui.formulas import pictures
from cadena.gui.formulas.typesetter import typesetter
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel, shown
from cadena.gui.look.theme import Theme
from cadena.gui.panels.inspector.derivation_view import complete
from cadena.gui.panels.parts.common import caption, dress_number, leave_keys, number_label
from cadena.gui.panels.parts.formula_view import FormulaView

SHORT = 9  # letters of a name before its gradient: the number needs the room
REVEAL = "A click on the card reveals it."
OTHER_WAYS = "This method gives the gradients of leaves, at the end of its steps."
FAULTY = "A problem keeps this node from running."
NO_OUTPUT = "There is no output yet whose gradients could be computed."
NO_GRADIENT = "No gradient is computed here, the output does not depend on this node, or it only selects."
OFF_THE_WAY = "{name} does not lead to the output, so it has no gradient."


class Facts(QWidget):
    """The facts follow the frame: numbers that the canvas does not show yet are not shown here either.

    `panelAsked(name)` for the panel with all elements.
    """

    panelAsked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.value, self.gradient = Quantity(theme, "value"), Quantity(theme, "gradient")
        self.shape = PlainLabel(wordWrap=True, alignment=Qt.AlignmentFlag.AlignRight)
        self._gradient_caption = caption("gradient")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setColumnStretch(1, 1)
        self._value_caption = caption("value")
        for row, label in enumerate((self._value_caption, self._gradient_caption, caption("shape"))):
            grid.addWidget(label, row, 0)
        for row, quantity in enumerate((self.value, self.gradient, self.shape)):
            grid.addWidget(quantity, row, 1)
        self.elements = QPushButton("All elements")
        self.elements.setToolTip("Read and copy every element")
        self.elements.clicked.connect(lambda: self.panelAsked.emit("tensor"))
        leave_keys(self.elements)
        grid.addWidget(self.elements, 3, 1, Qt.AlignmentFlag.AlignRight)

    def set_theme(self, theme: Theme) -> None:
        self.value.set_theme(theme)
        self.gradient.set_theme(theme)

    def show_value(self, shown: bool) -> None:
        """Show or hide the value's row, which is needless where an editor shows all of it."""
        self.value.setVisible(shown)
        self._value_caption.setVisible(shown)

    def follow(self, frame: Frame, name: str, hidden: Hidden = NOTHING_HIDDEN) -> None:
        """Show a node as it is at this moment."""
        run, output = frame.run, frame.run.program.output
        if hidden.hides_at(name):
            self._follow_hidden(hidden, frame, name)
            return
        self.value.show_quantity(frame.value(name), *_why_no_value(frame, name))
        if not frame.timeline.goes_back:
            self._follow_other(frame, name)
            return
        self.gradient.show_quantity(frame.gradient(name), *_why_no_gradient(frame, name))
        so_far = frame.gradient(name) is not None and name != output and not complete(frame, name)
        document = run.program.document
        top, bottom = (shown(with_shown_names(document, one), SHORT) for one in (str(run.target), name))
        ratio = set_plainly(f" ∂{top}/∂{bottom}")
        symbol = ratio if output and run.gradient(name) is not None else ""
        self._gradient_caption.setWordWrap(len(symbol) > SHORT + len(" ∂/∂"))  # it would make the panel wider
        self._gradient_caption.setText(f"gradient{symbol}{' so far' if so_far else ''}")
        self._show_shape(run, name)

    def _follow_hidden(self, hidden: Hidden, frame: Frame, name: str) -> None:
        """Show what is not hidden, and how the rest is revealed."""
        shown = {
            self.value: (frame.value(name), hidden.hides("values", name)),
            self.gradient: (frame.gradient(name), hidden.hides("gradients", name)),
        }
        self._gradient_caption.setText("gradient")
        for quantity, (number, is_hidden) in shown.items():
            quantity.show_quantity(None if is_hidden else number, "hidden" if is_hidden else "none", REVEAL)
        self._show_shape(frame.run, name)
        self.elements.hide()

    def _follow_other(self, frame: Frame, name: str) -> None:
        """Show another method's result: a tangent where it carries one, else the gradient where that is known."""
        line = frame.lines(name)[1]
        if line.role == "tangent":
            self._gradient_caption.setText(line.label)
            self.gradient.show_quantity(line.number, "not yet", "The pass has not come here yet.", "tangent")
        else:
            self._gradient_caption.setText("gradient")
            may_come = frame.run.program.document.nodes[name].is_leaf and frame.landed < len(frame.timeline)
            self.gradient.show_quantity(frame.gradient(name), "not yet" if may_come else "none", OTHER_WAYS)
        self._show_shape(frame.run, name)

    def _show_shape(self, run: Run, name: str) -> None:
        shape = run.plan.shapes[run.plan.index[name]]
        self.elements.setVisible(bool(shape))
        self.shape.setText("none" if shape is None else f"{numbers.shape_text(shape)} · {run.dtype}")


def why_none(run: Run, name: str, role: str) -> str:
    """Why a node gets no value, or no gradient, in this run: a sentence, or "" where it gets one."""
    if name not in run.plan.index or (run.value(name) if role == "value" else run.gradient(name)) is not None:
        return ""
    if run.value(name) is None:
        return FAULTY
    document = run.program.document
    if document.output is None:
        return NO_OUTPUT
    return NO_GRADIENT if name in ancestors(document, document.output) else OFF_THE_WAY.format(name=name)


def _why_no_value(frame: Frame, name: str) -> tuple[str, str]:
    if frame.run.value(name) is None:
        return "none", FAULTY
    return "not yet", "The forward pass has not come here yet."


def _why_no_gradient(frame: Frame, name: str) -> tuple[str, str]:
    run = frame.run
    if run.program.output is None:
        return "none", NO_OUTPUT
    if run.gradient(name) is None:
        return "none", NO_GRADIENT
    return "not yet", "The reverse pass has not come here yet."


class Quantity(QStackedWidget):
    """A number in large type, a small array as a matrix, a large one by its shape with statistics on hover."""

    def __init__(self, theme: Theme, role: str) -> None:
        super().__init__()
        self._role = role
        self.number = number_label(theme, role, look.CARD_NUMBER)
        self.matrix = FormulaView(theme, look.NUMBER, look.CAPTION, role=role, right=True)
        self.addWidget(self.number)
        self.addWidget(self.matrix)
        typesetter.formulas_set.connect(self._fit)  # else a matrix that was set late would stay cut
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        dress_number(self.number, theme, self._role, look.CARD_NUMBER)
        self.matrix.set_theme(theme)

    def show_quantity(self, quantity: np.ndarray | None, word: str, why: str, role: str = "") -> None:
        """Show a value or a gradient, or the word for there being none and, on hover, why."""
        self.matrix.set_role(role or self._role)
        as_matrix = quantity is not None and quantity.ndim > 0 and fits(quantity)
        self.number.setText(word if quantity is None else "" if as_matrix else numbers.short(quantity))
        self.number.hint = why if quantity is None else _all_of(quantity)
        self.number.update()
        ink = "muted" if quantity is None else "fault" if numbers.is_bad(quantity) else role or self._role
        dress_number(self.number, self._theme, ink, look.CARD_NUMBER)
        latex = pictures.with_faults(numbers.latex_number(quantity), self._theme) if as_matrix else ""
        self.matrix.show_latex(latex, numbers.short(quantity))
        self.matrix.setToolTip(_all_of(quantity) if as_matrix else "")
        self.setCurrentWidget(self.matrix if as_matrix else self.number)
        self.setFixedHeight(self._height(as_matrix))

    def _height(self, as_matrix: bool) -> int:
        if not as_matrix:
            return self.number.sizeHint().height()
        return self.matrix.heightForWidth(max(self.width(), 80)) + 4

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(self._height(self.currentWidget() is self.matrix))


def _all_of(quantity: Any) -> str:
    """The full number; for a large array its statistics."""
    return numbers.full(quantity) if np.size(quantity) <= 200 else summary_text(np.asarray(quantity))
