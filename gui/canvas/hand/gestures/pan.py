"""Pushing the canvas about like paper, with the middle or the right button or with the space bar held."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt

from cadena.gui.canvas.hand.gestures.base import Gesture, Modifiers

if TYPE_CHECKING:
    from cadena.gui.canvas.hand.canvas import Canvas


class Pan(Gesture):
    """The canvas follows the pointer."""

    cursor = Qt.CursorShape.ClosedHandCursor

    def __init__(self, canvas: Canvas, at: QPointF, modifiers: Modifiers) -> None:
        super().__init__(canvas, at, modifiers)
        self._before = canvas.camera

    def drag(self, at: QPointF, modifiers: Modifiers) -> None:
        way = at - self.start
        self.canvas.move_camera(self._before.panned(way.x(), way.y()))

    @property
    def shown_cursor(self) -> Qt.CursorShape | None:
        return self.cursor

    def cancel(self) -> None:
        self.canvas.move_camera(self._before)


class RightButton(Pan):
    """A drag pans; a click opens the menu of what lies under the pointer."""

    @property
    def shown_cursor(self) -> Qt.CursorShape | None:
        return self.cursor if self.dragging else None

    def click(self) -> None:
        self.canvas.open_menu(self.start)
