"""The bar above two canvases: the title of each, how they go together, and what closes or changes the second."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QVBoxLayout

from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme
from cadena.gui.panels.parts.common import leave_keys
from cadena.gui.panels.parts.labels import ElidedLabel
from cadena.gui.widgets.strip import Strip


class BesideBar(Strip):
    """The halves of the bar are as wide as the canvases below."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("bottom", theme)
        self.left, self.right, self.sentence = ElidedLabel(), ElidedLabel(), ElidedLabel()
        self.change, self.close_button = QPushButton("Change"), QPushButton("Close")
        self.choices = QMenu(self.change)
        self.change.setMenu(self.choices)
        self.change.setToolTip("Another method, lesson or file on the right side")
        self.close_button.setToolTip("Show the left side alone (Esc)")
        for label, name in ((self.left, "Left side"), (self.right, "Right side"), (self.sentence, "Played together")):
            label.setAccessibleDescription(name)
        leave_keys(self.change, self.close_button)
        self._halves, halves = QHBoxLayout(), [QHBoxLayout(), QHBoxLayout()]
        self._halves.setSpacing(0)
        for half, parts in zip(halves, ((self.left,), (self.right, self.change, self.close_button)), strict=True):
            half.setContentsMargins(2 * look.GAP, 0, look.GAP, 0)
            half.setSpacing(look.GAP)
            for part in parts:
                half.addWidget(part, int(isinstance(part, ElidedLabel)))
            self._halves.addLayout(half, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, look.GAP // 2, 0, look.GAP // 2)
        column.setSpacing(2)
        column.addLayout(self._halves)
        below = QHBoxLayout()
        below.setContentsMargins(2 * look.GAP, 0, 2 * look.GAP, 0)
        below.addWidget(self.sentence, 1)
        column.addLayout(below)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        for label in (self.left, self.right):
            label.setFont(look.font(theme, look.READING, bold=True))
            label.setAlignment(Qt.AlignmentFlag.AlignLeft)
        self.sentence.setFont(look.font(theme, look.LABEL))
        for label in (self.left, self.right, self.sentence):
            label.setFixedHeight(label.fontMetrics().height() + 2)

    def set_slim(self, slim: bool) -> None:
        """Leave out the buttons: on a stage the keys do."""
        for button in (self.change, self.close_button):
            button.setHidden(slim)

    def divide(self, left: int, right: int) -> None:
        """Divide the bar like what is below it."""
        self._halves.setStretch(0, left)
        self._halves.setStretch(1, right)

    def show_words(self, left: str, right: str, sentence: str) -> None:
        """Show the titles and how the sides go together."""
        for label, text in ((self.left, left), (self.right, right), (self.sentence, sentence)):
            if label.text() != text:
                label.setText(text)
