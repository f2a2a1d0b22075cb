"""Moving a note."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt

from cadena.core.graph.document import Document, Position
from cadena.core.graph.memos import memos, move_memo
from cadena.gui.canvas.interaction.commands import Commands
from cadena.gui.canvas.interaction.gestures.base import Gesture, Modifiers


class MoveMemo(Gesture):
    """The note follows the pointer."""

    cursor = Qt.CursorShape.SizeAllCursor
    pans_at_edges = True

    def __init__(self, commands: Commands, at: QPointF, modifiers: Modifiers, number: int) -> None:
        super().__init__(commands, at, modifiers)
        self._number, self._from = number, self.view.camera.to_world(at)
        self._before, self._shown = self.session.document, None  # type: Document, Document | None

    def drag(self, at: QPointF, modifiers: Modifiers) -> None:
        self._shown = move_memo(self._before, self._number, self._place(at))

    def drop(self, at: QPointF, modifiers: Modifiers) -> None:
        place = self._place(at)
        self.session.edit(lambda document: move_memo(document, self._number, place), "Move a note")

    def _place(self, at: QPointF) -> Position:
        (x, y), way = memos(self._before)[self._number].at, self.view.camera.to_world(at) - self._from
        return x + way.x(), y + way.y()

    @property
    def document(self) -> Document | None:
        return self._shown
