"""A strip of the window with a line along one side; painted, since a style sheet of its own would reset its type."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame

from cadena.gui.look.theme import Theme


class Strip(QFrame):
    """Ground and line take the colours of the theme; `fault` makes it a strip that warns."""

    def __init__(self, side: Literal["top", "bottom"], theme: Theme, fault: bool = False) -> None:
        super().__init__()
        self._side, self._fault, self._theme = side, fault, theme

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, area = self._theme, QRectF(self.rect())
        width = theme.line
        line = QRectF(0.0, 0.0 if self._side == "top" else area.height() - width, area.width(), width)
        painter = QPainter(self)
        painter.fillRect(area, theme.color("fault_ground" if self._fault else "window"))
        painter.fillRect(line, theme.color("hairline"))
        painter.end()
