"""Cutting wires by a line drawn across them, with Ctrl and the right button."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QLineF, QPointF, Qt

from cadena.gui.canvas.interaction.commands import Commands
from cadena.gui.canvas.interaction.gestures.base import Gesture, Modifiers
from cadena.gui.canvas.rendering.scene import Decorations


class Cut(Gesture):
    """A line follows the pointer; the wires that it has crossed are marked, and go at the release."""

    cursor = Qt.CursorShape.CrossCursor
    keeps_hover = False

    def __init__(
        self, commands: Commands, at: QPointF, modifiers: Modifiers, ask_menu: Callable[[QPointF], None]
    ) -> None:
        super().__init__(commands, at, modifiers)
        self._ask_menu = ask_menu
        self._line = [self.view.camera.to_world(at)]
        self._crossed: dict[tuple[str, int], None] = {}  # a set that keeps the order

    def drag(self, at: QPointF, modifiers: Modifiers) -> None:
        place = self.view.camera.to_world(at)
        if place != self._line[-1]:
            self._crossed.update(dict.fromkeys(self.view.hits.wires_across(QLineF(self._line[-1], place))))
            self._line.append(place)

    def drop(self, at: QPointF, modifiers: Modifiers) -> None:
        self.commands.wiring.cut(list(self._crossed))

    def click(self) -> None:
        self._ask_menu(self.start)

    @property
    def decorations(self) -> Decorations:
        return Decorations(cut=tuple(self._line), crossed=tuple(self._crossed))
