"""What a click alone does something with was pressed: the title of an open block, the badge of a fault."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF

from cadena.gui.canvas.interaction.commands import Commands
from cadena.gui.canvas.interaction.gestures.base import Gesture, Modifiers


class Click(Gesture):
    """A drag does nothing: what was pressed goes with its cards."""

    def __init__(self, commands: Commands, at: QPointF, modifiers: Modifiers, act: Callable[[], object]) -> None:
        super().__init__(commands, at, modifiers)
        self._act = act

    def click(self) -> None:
        self._act()
