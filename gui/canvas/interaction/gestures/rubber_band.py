"""Selecting the cards that a rectangle touches, by dragging on the empty canvas."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt

from cadena.gui.canvas.interaction.commands import Commands
from cadena.gui.canvas.interaction.gestures.base import Gesture, Modifiers
from cadena.gui.canvas.rendering.scene import Decorations

ADDS = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier


class RubberBand(Gesture):
    """The selection follows the rectangle; with Shift or Ctrl it is added to what was selected before."""

    pans_at_edges = True

    def __init__(self, commands: Commands, at: QPointF, modifiers: Modifiers) -> None:
        super().__init__(commands, at, modifiers)
        self._corner = self.view.camera.to_world(at)
        self._before = self.session.selection
        self._band: QRectF | None = None

    def drag(self, at: QPointF, modifiers: Modifiers) -> None:
        self._band = QRectF(self._corner, self.view.camera.to_world(at)).normalized()
        base = self._before if self.modifiers & ADDS else frozenset()
        self.session.select(base | self.view.hits.cards_in(self._band))

    def click(self) -> None:
        if not self.modifiers & ADDS:
            self.commands.clear_selection()

    def cancel(self) -> None:
        self.session.select(self._before)

    @property
    def decorations(self) -> Decorations:
        return Decorations(rubber_band=self._band)
