"""One path to the output: its nodes, its product with numbers, and a frame that says whether it is lit."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout

from cadena.core.methods.reverse.paths import Path, PathSum
from cadena.core.notation.parts import parts_of
from cadena.core.teaching.calculation import path_title
from cadena.core.teaching.withheld import Withheld
from cadena.gui.formulas import pictures
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import Theme
from cadena.gui.panels.parts.formula_view import FormulaView


class PathCard(QFrame):
    """A press, or Enter, lights the path on the canvas; a second one takes the light away."""

    pressed = Signal()

    def __init__(self, number: int, paths: PathSum, path: Path, theme: Theme, withheld: Withheld) -> None:
        super().__init__()
        self.path, self._spoken = path, path_title(paths, path.nodes)
        self.setProperty("choice", True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(f"Path {number}: {self._spoken}")
        self.setAccessibleDescription("Enter lights the path on the canvas")
        self.title = PlainLabel(f"{number}   {self._spoken}", wordWrap=True)
        self.formula = FormulaView(theme, look.NUMBER, look.NUMBER)
        parts = parts_of(paths.path_formula(path, latex=True, paint=pictures.colored(theme)))
        self.formula.show_parts(withheld.parts(parts), withheld.words(paths.path_formula(path, latex=False)))
        column = QVBoxLayout(self)
        column.setContentsMargins(look.GAP, look.GAP, look.GAP, look.GAP)
        column.setSpacing(4)
        for widget in (self.title, self.formula):
            column.addWidget(widget)

    def set_lit(self, lit: bool) -> None:
        """Show whether the path is lit on the canvas."""
        self.setProperty("chosen", lit)
        self.style().unpolish(self)
        self.style().polish(self)

    def mousePressEvent(self, event) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.pressed.emit()

    def keyPressEvent(self, event) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.pressed.emit()
        else:
            super().keyPressEvent(event)
