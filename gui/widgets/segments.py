"""A switch of segments: buttons in a trough, of which at most one is chosen."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QPushButton

from cadena.gui.widgets.elevation import RAISED, paint_shadow

PADDING, CORNER = 3, 6.0


class Segments(QFrame):
    """A click chooses a button and leaves the keys to the canvas; Tab still reaches it."""

    def __init__(self, *buttons: QPushButton) -> None:
        super().__init__()
        self.setProperty("trough", True)
        self._group = QButtonGroup(self)
        self._group.buttonToggled.connect(self.update)  # the shadow goes with the choice
        row = QHBoxLayout(self)
        row.setContentsMargins(PADDING, PADDING, PADDING, PADDING)
        row.setSpacing(2)
        for button in buttons:
            button.setProperty("segment", True)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self._group.addButton(button)
            row.addWidget(button, 1)

    def choose(self, chosen: QPushButton | None) -> None:
        """Show this button as the chosen one, or none."""
        self._group.setExclusive(False)
        for button in self._group.buttons():
            button.setChecked(button is chosen)
        self._group.setExclusive(True)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if (chosen := self._group.checkedButton()) is not None:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_shadow(painter, QRectF(chosen.geometry()), CORNER, self.palette(), RAISED)
            painter.end()
