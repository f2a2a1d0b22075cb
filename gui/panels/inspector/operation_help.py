"""What an operation is: its title, its formula, its local derivatives and a sentence or two of help."""

from __future__ import annotations

from itertools import chain, repeat

from PySide6.QtWidgets import QWidget

from cadena.core.notation.definition import definition, derivatives
from cadena.core.ops.primitive import REGISTRY
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import Theme
from cadena.gui.panels.parts.common import column_in, heading
from cadena.gui.panels.parts.formula_view import FormulaView
from cadena.gui.search.catalogue import LEAF_DOCS


class OperationHelp(QWidget):
    """Rebuilt only when another operation is shown."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._op = theme, ""
        self._recorded = ""
        self.title = heading("")
        self.title.setWordWrap(True)
        self.doc = PlainLabel(wordWrap=True)
        self._formula = FormulaView(theme, look.NUMBER, look.NUMBER)
        most_operands = max(len(record.slots) for record in REGISTRY.values())
        self._derivatives = [FormulaView(theme, look.NUMBER, look.NUMBER) for _ in range(most_operands)]
        column = column_in(self, 6)
        for widget in (self.title, self.doc, self._formula, *self._derivatives):
            column.addWidget(widget)

    def set_theme(self, theme: Theme) -> None:
        for view in (self._formula, *self._derivatives):
            view.set_theme(theme)

    def show_operation(self, op: str, recorded: str = "") -> None:
        """Show the help of an operation or a leaf; an unknown operation says so.

        For a value that a capture has recorded, `recorded` says why, and stands in place of the help.
        """
        if (op, recorded) == (self._op, self._recorded):
            return
        self._op, self._recorded = op, recorded
        record = REGISTRY.get(op)
        self.title.setText((record.title if record else op).capitalize())
        known = record.doc if record else LEAF_DOCS.get(op, "This version does not know the operation.")
        self.doc.setText(recorded or known)
        self._formula.show_latex(definition(op), definition(op, latex=False))
        lines = list(zip(derivatives(op), derivatives(op, latex=False)))
        for view, (latex, spoken) in zip(self._derivatives, chain(lines, repeat(("", "")))):
            view.show_latex(latex, spoken)
            view.setVisible(bool(latex))
        self._formula.setVisible(record is not None)
        self.updateGeometry()  # the page around keeps the height of the help before
