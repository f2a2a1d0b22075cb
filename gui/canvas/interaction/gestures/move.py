"""Moving the selected cards; a click selects."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt

from cadena.core.graph.document import Document
from cadena.core.graph.rewiring import is_wired
from cadena.gui.canvas.interaction.commands import ARRANGED, Commands
from cadena.gui.canvas.interaction.gestures.base import Gesture, Modifiers
from cadena.gui.canvas.interaction.gestures.rubber_band import ADDS
from cadena.gui.canvas.interaction.placement import guides
from cadena.gui.canvas.interaction.splicing import Splice, splice_at
from cadena.gui.canvas.rendering.hit_boxes import Hit
from cadena.gui.canvas.rendering.scene import Decorations
from cadena.gui.session import graph_edits
from cadena.gui.session.graph_edits import Edit

REACH = 5.0  # pixels within which a card comes into line with another


class Move(Gesture):
    """All selected cards follow the pointer; the pressed one snaps to the grid unless Ctrl is held.

    The cards of a picture that arranges itself stay where they are.
    """

    cursor = Qt.CursorShape.SizeAllCursor
    pans_at_edges = True

    def __init__(self, commands: Commands, at: QPointF, modifiers: Modifiers, name: str) -> None:
        super().__init__(commands, at, modifiers)
        self._name, self._from = name, self.view.camera.to_world(at)
        self._before, self._selected_before = self.session.document, self.session.selection
        self._way = QPointF()
        self._shown: Document | None = None
        self._splice: Splice | None = None
        self._places = self.view.places
        self._folded = self._places.standing_in(name) if name in self._places.folds else ()
        if not modifiers & ADDS and name not in self.session.selection and not self._folded:
            self.session.select([name])

    def drag(self, at: QPointF, modifiers: Modifiers) -> None:
        if self._places.is_arranged:
            return
        if not self._folded:
            self.session.select(self.session.selection | {self._name})
        shown = self._places.card(self._name).topLeft()
        corner, moved = self._places.home(shown), self._places.home(shown + self.view.camera.to_world(at) - self._from)
        free = modifiers & Qt.KeyboardModifier.ControlModifier
        way = (moved if free else self._snapped(moved)) - corner
        if way != self._way or self._shown is None:
            self._way = way
            self._shown = self._edit.change(self._before)
        self._splice = self._splice_here()

    def _splice_here(self) -> Splice | None:
        """The wire that a release here would put the card's node into; only one without wires comes into question."""
        if (
            self.session.selection != {self._name}
            or self._folded
            or self._way.isNull()
            or is_wired(self._before, self._name)
        ):
            return None
        return splice_at(self.view, self._before, self._name, self._places.card(self._name).translated(self._way))

    def _snapped(self, corner: QPointF) -> QPointF:
        """The place near a corner that the grid or a line with another card draws the pressed card to."""
        card, reach = QRectF(corner, self._places.card(self._name).size()), REACH / self.view.camera.zoom
        return self.commands.snapping.placed(self._places, self._names, card, reach)

    def drop(self, at: QPointF, modifiers: Modifiers) -> None:
        if self._places.is_arranged:
            self.session.message.emit(ARRANGED)
        elif self._splice is not None:
            self.commands.wiring.put_into(self._edit, self._name, self._splice)
        elif not self._way.isNull():
            self.session.edit(*self._edit)

    @property
    def _edit(self) -> Edit:
        return graph_edits.move(self._names, self._way.x(), self._way.y())

    @property
    def _names(self) -> frozenset[str]:
        """The nodes that move: those of a frame, which its card stands for, or the selected ones with what is in their
        cards."""
        return frozenset(self._folded) or self._places.together(self.session.selection)

    def click(self) -> None:
        self.commands.click_node(self._name, self.modifiers)

    def cancel(self) -> None:
        self.session.select(self._selected_before)

    @property
    def document(self) -> Document | None:
        return self._shown

    @property
    def decorations(self) -> Decorations:
        if not self.dragging:
            return Decorations()
        places = self.view.places
        lines = guides(places, self._names, places.card(self._name))
        return Decorations(guides=lines, split_wire=self._splice.mark if self._splice else None)


class MoveFrame(Move):
    """A frame's title was pressed: all its cards follow the pointer.

    A click selects them; on the mark before the title it collapses the frame, or expands it.
    """

    def __init__(self, commands: Commands, at: QPointF, modifiers: Modifiers, hit: Hit, names: tuple[str, ...]) -> None:
        self._hit = hit
        before = commands.session.selection
        self._framed = frozenset(names) | (before if modifiers & ADDS else frozenset())
        commands.session.select(self._framed)
        fold = next((fold for fold in commands.view.places.folds.values() if names[0] in fold.members), None)
        super().__init__(commands, at, modifiers, fold.last if fold else names[0])
        self._selected_before = before

    def click(self) -> None:
        if self._hit.kind == "frame_mark":
            self.commands.framing.toggle(str(self._hit.frame))
        else:
            self.session.select(self._framed)
