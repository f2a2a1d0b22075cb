"""Pushing the canvas about like paper, with the middle or the right button or with the space bar held."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, Qt

from cadena.gui.canvas.interaction.commands import Commands
from cadena.gui.canvas.interaction.gestures.base import Gesture, Modifiers


class Pan(Gesture):
    """The canvas follows the pointer."""

    cursor = Qt.CursorShape.ClosedHandCursor

    def __init__(self, commands: Commands, at: QPointF, modifiers: Modifiers) -> None:
        super().__init__(commands, at, modifiers)
        self._before = self.view.camera

    def drag(self, at: QPointF, modifiers: Modifiers) -> None:
        way = at - self.start
        self.view.move_camera(self._before.panned(way.x(), way.y()))

    @property
    def shown_cursor(self) -> Qt.CursorShape | None:
        return self.cursor

    def cancel(self) -> None:
        self.view.move_camera(self._before)


class RightButton(Pan):
    """A drag pans; a click asks for the menu of what lies under the pointer."""

    def __init__(
        self, commands: Commands, at: QPointF, modifiers: Modifiers, ask_menu: Callable[[QPointF], None]
    ) -> None:
        super().__init__(commands, at, modifiers)
        self._ask_menu = ask_menu

    @property
    def shown_cursor(self) -> Qt.CursorShape | None:
        return self.cursor if self.dragging else None

    def click(self) -> None:
        self._ask_menu(self.start)
