"""The curtain: a black or a white screen, while the audience is to look elsewhere."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from cadena.gui.look.theme import BLACK, WHITE

COLORS = {"black": BLACK, "white": WHITE}


class Curtain(QWidget):
    """A cover for the whole window, which takes the mouse."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.color = "black"
        self.setCursor(Qt.CursorShape.BlankCursor)
        self.hide()

    def toggle(self, color: str) -> None:
        """Cover everything in this colour, one of COLORS; where it is covered so already, uncover it."""
        shows = self.isHidden() or color != self.color
        self.color = color
        self.setVisible(shows)
        self.fit()

    def fit(self) -> None:
        self.setGeometry(self._window.rect())
        self.raise_()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(COLORS[self.color]))
        painter.end()
