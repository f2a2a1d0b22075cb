"""Drops on the canvas: an operation of the palette, onto a place or into a wire."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QPointF, QRectF, QSizeF

from cadena.core.graph import edits
from cadena.gui.canvas.interaction import placement
from cadena.gui.canvas.interaction.commands import Commands
from cadena.gui.canvas.interaction.splicing import Splice, splice_at
from cadena.gui.canvas.rendering.geometry import NUMBER_CARD
from cadena.gui.canvas.rendering.scene import Decorations
from cadena.gui.session import graph_edits
from cadena.gui.session.graph_edits import Edit

OPERATION_TYPE = "application/x-cadena-operation"


def operation_of(data: QMimeData) -> str | None:
    """The operation that is dragged from the palette."""
    return bytes(data.data(OPERATION_TYPE).data()).decode() if data.hasFormat(OPERATION_TYPE) else None


class PaletteDrag:
    """An operation of the palette over the canvas: the card that it would be, and the wire that it would come into."""

    def __init__(self, commands: Commands) -> None:
        self._commands, self._view, self._session = commands, commands.view, commands.session
        self._ghost: tuple[str, QPointF] | None = None
        self._splice: Splice | None = None

    def move(self, op: str, at: QPointF) -> None:
        """The operation is over the pixel `at` now."""
        corner = placement.centred(self._view.camera.to_world(at))
        self._ghost = (op, corner)
        self._splice = self._splice_at(op, corner)
        self._view.update()

    def leave(self) -> None:
        """The operation is no longer over the canvas."""
        self._ghost = self._splice = None
        self._view.update()

    def drop(self, op: str, at: QPointF) -> None:
        """A new node comes to the pixel `at`, into the wire that is there."""
        self.move(op, at)
        splice, corner = self._splice, placement.centred(self._view.camera.to_world(at))
        self.leave()
        if splice is None:
            self._commands.add(op, corner)
            return
        name = edits.name_for(self._session.document, op)
        if self._commands.wiring.put_into(self._adding(op, corner, name), name, splice):
            self._session.select([name])

    def _splice_at(self, op: str, corner: QPointF) -> Splice | None:
        card = QRectF(corner, QSizeF(*NUMBER_CARD))
        if self._view.hits.wire_at(card.center(), card.height()) is None:  # in large graphs nothing is added to look
            return None
        name = edits.name_for(self._session.document, op)
        return splice_at(self._view, self._adding(op, corner, name).change(self._session.document), name, card)

    def _adding(self, op: str, corner: QPointF, name: str) -> Edit:
        home = self._view.places.home(corner).toTuple()
        return graph_edits.add(op, home, name)

    @property
    def decorations(self) -> Decorations | None:
        """What is shown of the drag; None when there is none."""
        if self._ghost is None:
            return None
        return Decorations(ghost=self._ghost, split_wire=self._splice.mark if self._splice else None)
