"""The title of an open block was pressed: a click closes it."""

from __future__ import annotations

from PySide6.QtCore import QPointF

from cadena.core.graph.blocks import BlockKey
from cadena.gui.canvas.interaction.commands import Commands
from cadena.gui.canvas.interaction.gestures.base import Gesture, Modifiers


class CloseBlock(Gesture):
    """A drag does nothing: the frame of a block goes with its cards."""

    def __init__(self, commands: Commands, at: QPointF, modifiers: Modifiers, block: BlockKey) -> None:
        super().__init__(commands, at, modifiers)
        self._block = block

    def click(self) -> None:
        self.view.toggle_block(self._block)
