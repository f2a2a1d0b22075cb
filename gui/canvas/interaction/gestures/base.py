"""The base of mouse gestures: from the press of a button to its release, or to Esc."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt

from cadena.core.graph.document import Document
from cadena.gui.canvas.interaction.commands import Commands
from cadena.gui.canvas.rendering.scene import Decorations

DRAG_DISTANCE = 4.0  # pixels that the pointer may move during a click
Modifiers = Qt.KeyboardModifier


class Gesture:
    """One press, its movement and its release. Places are pixels of the view.

    The canvas calls `move` and then `end` or `cancel`. A subclass fills in `drag` (the pointer has left the place of
    the press), `drop` (released after a drag), `click` (released without one) and `cancel` (leave no trace).
    """

    cursor: Qt.CursorShape | None = None
    pans_at_edges = False  # whether the canvas moves on when the pointer is dragged to its edge
    keeps_hover = True  # whether the object under the pointer at the press stays hovered
    is_editing = False  # whether the document is being changed by the gesture itself

    def __init__(self, commands: Commands, at: QPointF, modifiers: Modifiers) -> None:
        self.commands, self.view, self.session = commands, commands.view, commands.session
        self.start, self.modifiers = at, modifiers
        self.dragging = False

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        """The pointer is at `at` now."""
        if self.dragging or (at - self.start).manhattanLength() >= DRAG_DISTANCE:
            self.dragging = True
            self.drag(at, modifiers)

    def end(self, at: QPointF, modifiers: Modifiers) -> None:
        """The button was released at `at`."""
        if self.dragging:
            self.drag(at, modifiers)
            self.drop(at, modifiers)
        else:
            self.click()

    def drag(self, at: QPointF, modifiers: Modifiers) -> None:
        """Show the effect of a release here."""

    def drop(self, at: QPointF, modifiers: Modifiers) -> None:
        """Do it, as one undo step."""

    def click(self) -> None:
        """The button was pressed and released in one place."""

    def cancel(self) -> None:
        """Restore the state at the press."""

    def abandon(self) -> None:
        """End here, as the document has changed under the gesture; nothing is restored."""

    @property
    def shown_cursor(self) -> Qt.CursorShape | None:
        """The shape of the pointer now; None for the usual one."""
        return self.cursor if self.dragging else None

    @property
    def document(self) -> Document | None:
        """The document to show instead of the session's while the gesture lasts."""
        return None

    @property
    def decorations(self) -> Decorations:
        """The decorations to show in addition."""
        return Decorations()
