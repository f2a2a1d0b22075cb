"""The expression of a node by symbols in full, and its number of operations when written out."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from cadena.core.methods.reverse.timeline import Frame
from cadena.core.text.numbers import number_of
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import Theme
from cadena.gui.panels.parts.common import column_in, heading
from cadena.gui.panels.parts.formula_view import FormulaView

if TYPE_CHECKING:
    from cadena.core.methods.symbolic.timeline import SymbolsTimeline

MAX_SET = 8  # operations that are set as a formula; the rest becomes dots, and the full expression is shown as text


class ExpressionView(QWidget):
    """The expression; visible only while the method is symbols and has reached the node."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.size_, self.text = PlainLabel(wordWrap=True), PlainLabel(wordWrap=True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.formula = FormulaView(theme, look.NUMBER, look.NUMBER, role="value")
        self._column = column = column_in(self)
        for widget in (heading("Expression"), self.formula, self.text, self.size_):
            column.addWidget(widget)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self.formula.set_theme(theme)

    def follow(self, frame: Frame, name: str) -> None:
        """Show the expression if the steps have reached it."""
        is_leaf = frame.run.program.document.nodes[name].is_leaf  # its expression is its name
        there = frame.timeline.method == "symbolic" and not is_leaf and not frame.lines(name)[0].empty
        self.setVisible(there)
        if not there:
            return
        timeline = cast("SymbolsTimeline", frame.timeline)
        expression, size = timeline.expression(name), timeline.size(name)
        entries = [] if expression is None else expression.ravel().tolist()
        self.formula.setVisible(len(entries) == 1)
        self.text.setVisible(size > MAX_SET or len(entries) > 1)
        self.text.setText("\n".join(map(str, entries)))
        if len(entries) == 1:
            self.formula.show_latex(timeline.latex(entries[0], MAX_SET), str(entries[0]))
        own = timeline.expressions.graph_size(frame.run.plan.index[name])
        self.size_.setText(f"{number_of(size, 'operation')} written out; the graph has {own}.")
        self._fit()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Set the height that the text needs at this width: the page around would give less."""
        self._column.activate()
        self.setFixedHeight(self._column.heightForWidth(max(self.width(), 80)))
