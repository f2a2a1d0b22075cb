"""A panel whose widget is imported and made when it is first shown, so that a start does not wait for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from cadena.gui.look.theme import Theme
from cadena.gui.panels.parts.common import column_in, panel_width
from cadena.gui.panels.parts.panel_record import connect
from cadena.gui.session.session import Session

WIDTH, HEIGHT = 400, 600


class LazyPanel(QWidget):
    """Stands for the class `name` of `module`; `content` is None until it is shown."""

    def __init__(self, module: str, name: str, session: Session, theme: Theme, width: int = WIDTH) -> None:
        super().__init__()
        self._module, self._name, self._width = module, name, width
        self.session, self._theme = session, theme
        self._slots: Mapping[str, Callable[..., Any]] = {}
        self.content: Any = None
        self._is_bare = False
        self._column = column_in(self)

    def connect_signals(self, slots: Mapping[str, Callable[..., Any]]) -> None:
        """Connect those of the named signals that the widget has, once it is there."""
        self._slots = slots

    def open(self) -> Any:
        """The widget, made now if it has not been."""
        if self.content is None:
            self.content = getattr(import_module(self._module), self._name)(self.session, self._theme)
            connect([self.content], self._slots)
            self.set_bare(self._is_bare)
            self._column.addWidget(self.content)
            self.setFocusProxy(self.content)
        return self.content

    def set_bare(self, bare: bool) -> None:
        """Leave out what an audience does not need, or show it again."""
        self._is_bare = bare
        if hasattr(self.content, "set_bare"):
            self.content.set_bare(bare)

    @property
    def waits_for_text(self) -> bool:
        """Whether there is nothing in it yet but room for a text."""
        return getattr(self.content, "waits_for_text", False)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self.open().show()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()
        if self.content is not None:
            self.content.set_theme(theme)

    def sizeHint(self) -> QSize:
        return QSize(panel_width(self._theme, self._width), HEIGHT)
