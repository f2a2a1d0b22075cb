"""The fields that open on the canvas to be typed into: one over a card, one that searches for a node."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF

from cadena.core.graph.document import Changes
from cadena.gui.canvas.interaction.editors import InPlaceEditor
from cadena.gui.canvas.interaction.node_search import NodeSearch
from cadena.gui.canvas.rendering.geometry import Port
from cadena.gui.canvas.rendering.view import CanvasView
from cadena.gui.search.catalogue import Entry
from cadena.gui.search.typed_expression import Typed, nothing_typed


class Fields:
    """At most one of each is open."""

    def __init__(self, view: CanvasView) -> None:
        self._view = view
        self.editor: InPlaceEditor | None = None
        self.search: NodeSearch | None = None
        self.asked_wire: tuple[Port, QPointF] | None = None  # the wire that waits for a new node, and where it ends

    def edit_with(self, editor: InPlaceEditor) -> None:
        """Let `editor` take the place of the one that is open."""
        if self.editor and self.editor is not editor:
            self.editor.close_editor()
        self.editor = editor
        editor.closed.connect(lambda: self._editor_closed(editor))
        if editor.name not in self._view.session.document.nodes:  # the one before has just given it another name
            editor.close_editor()

    def _editor_closed(self, editor: InPlaceEditor) -> None:
        if self.editor is editor:
            self.editor = None

    def ask(
        self,
        at: QPointF,
        offered: Sequence[Entry],
        prompt: str,
        take: Callable[[Entry], object],
        wire: tuple[Port, QPointF] | None = None,
        typed: Callable[[str], Typed | None] = nothing_typed,
    ) -> None:
        """Open the search at a pixel of the view, for the loose end of `wire` if there is one.

        `typed` says which expression is typed, where one may be.
        """
        if self.search:
            self.search.close_search()
        self.asked_wire = wire
        self.search = NodeSearch(self._view, self._view.theme, offered, prompt, typed)
        self.search.closed.connect(self._search_closed)
        self.search.open(at.toPoint(), take)
        self._view.update()

    def _search_closed(self) -> None:
        self.search, self.asked_wire = None, None
        self._view.update()

    def follow(self, changes: Changes) -> None:
        """Close what has lost its ground by a change of the document."""
        if self.editor and self.editor.name not in self._view.session.document.nodes:
            self.editor.close_editor()
        if self.search and changes.structural:
            self.search.close_search()
