"""The panel of matrices: its content is imported when it is first open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QWidget

from cadena.gui.panels.common import column_in, panel_width
from cadena.gui.session import Session
from cadena.gui.theme import Theme

if TYPE_CHECKING:
    from cadena.gui.panels.matrices_page import MatricesPage

WIDTH, MIN_WIDTH = 400, 320


class MatricesPanel(QWidget):
    """`elementsMarked(elements)` with the elements to mark on cards, by node and role; {} for none."""

    elementsMarked = Signal(object)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session = session
        self.page: MatricesPage | None = None
        self._column = column_in(self)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setMinimumWidth(panel_width(theme, MIN_WIDTH))
        if self.page is not None:
            self.page.set_theme(theme)

    def sizeHint(self) -> QSize:
        return QSize(panel_width(self._theme, WIDTH), 600)

    def showEvent(self, event) -> None:
        if self.page is None:
            from cadena.gui.panels.matrices_page import MatricesPage

            self.page = MatricesPage(self.session, self._theme)
            self.page.elementsMarked.connect(self.elementsMarked)
            self.setFocusProxy(self.page.board)
            self._column.addWidget(self.page)
