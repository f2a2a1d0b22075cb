"""Going to another part of the graph by pressing, or dragging, on the map in the corner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt

from cadena.gui.canvas.hand.gestures.base import Gesture, Modifiers
from cadena.gui.canvas.picture.camera import Camera

if TYPE_CHECKING:
    from cadena.gui.canvas.hand.canvas import Canvas


class Navigate(Gesture):
    """The middle of the view follows the pointer on the map."""

    cursor = Qt.CursorShape.SizeAllCursor

    def __init__(self, canvas: Canvas, at: QPointF, modifiers: Modifiers) -> None:
        super().__init__(canvas, at, modifiers)
        self._before = canvas.camera
        self._go(at)

    def drag(self, at: QPointF, modifiers: Modifiers) -> None:
        self._go(at)

    def _go(self, at: QPointF) -> None:
        place, camera = self.canvas.place_on_map(at), self.canvas.camera
        if place is not None:
            middle = QPointF(self.canvas.width(), self.canvas.height()) / (2 * camera.zoom)
            self.canvas.move_camera(Camera(place.x() - middle.x(), place.y() - middle.y(), camera.zoom))

    def cancel(self) -> None:
        self.canvas.move_camera(self._before)
