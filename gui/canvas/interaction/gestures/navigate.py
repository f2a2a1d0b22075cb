"""Going to another part of the graph by pressing, or dragging, on the map in the corner."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt

from cadena.gui.canvas.interaction.commands import Commands
from cadena.gui.canvas.interaction.gestures.base import Gesture, Modifiers
from cadena.gui.canvas.rendering.camera import Camera


class Navigate(Gesture):
    """The middle of the view follows the pointer on the map."""

    cursor = Qt.CursorShape.SizeAllCursor

    def __init__(self, commands: Commands, at: QPointF, modifiers: Modifiers) -> None:
        super().__init__(commands, at, modifiers)
        self._before = self.view.camera
        self._go(at)

    def drag(self, at: QPointF, modifiers: Modifiers) -> None:
        self._go(at)

    def _go(self, at: QPointF) -> None:
        place, camera = self.view.place_on_map(at), self.view.camera
        if place is not None:
            middle = QPointF(self.view.width(), self.view.height()) / (2 * camera.zoom)
            self.view.move_camera(Camera(place.x() - middle.x(), place.y() - middle.y(), camera.zoom))

    def cancel(self) -> None:
        self.view.move_camera(self._before)
