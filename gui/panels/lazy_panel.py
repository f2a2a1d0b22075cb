"""A panel whose widget is imported and made when it is first shown, so that a start does not wait for it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QWidget

from cadena.gui.panels.common import column_in, panel_width
from cadena.gui.session import Session
from cadena.gui.theme import Theme

WIDTH, HEIGHT = 400, 600


class LazyPanel(QWidget):
    """Stands for the class `name` of `module`, whose signals it passes on; `content` is None until it is shown."""

    exportAsked = Signal(str, str, object)
    nodeActivated = Signal(str)

    def __init__(self, module: str, name: str, session: Session, theme: Theme) -> None:
        super().__init__()
        self._module, self._name = module, name
        self.session, self._theme = session, theme
        self.content: Any = None
        self._column = column_in(self)

    def open(self) -> Any:
        """The widget, made now if it has not been."""
        if self.content is None:
            self.content = getattr(import_module(self._module), self._name)(self.session, self._theme)
            for signal in ("exportAsked", "nodeActivated"):
                if hasattr(self.content, signal):
                    getattr(self.content, signal).connect(getattr(self, signal))
            self._column.addWidget(self.content)
        return self.content

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self.open().show()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()
        if self.content is not None:
            self.content.set_theme(theme)

    def sizeHint(self) -> QSize:
        return QSize(panel_width(self._theme, WIDTH), HEIGHT)
