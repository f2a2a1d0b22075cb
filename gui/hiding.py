"""Hiding: which values, gradients and names are not shown until someone asks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from PySide6.QtCore import SignalInstance

from cadena.core.graph.document import Document
from cadena.core.teaching.hiding import NOTHING_HIDDEN, Hidden, hidden_at_first


class Hides(Protocol):
    """The session, as hiding needs it."""

    hiddenChanged: SignalInstance
    opened: SignalInstance
    selection: frozenset[str]

    @property
    def document(self) -> Document: ...


class Hiding:
    """What is hidden now; a document begins with what its lesson hides."""

    def __init__(self, session: Hides) -> None:
        self._session = session
        self.hidden = hidden_at_first(session.document)
        session.opened.connect(self._begin)

    def _begin(self) -> None:
        self._set(hidden_at_first(self._session.document))

    def _set(self, hidden: Hidden) -> None:
        if hidden != self.hidden:
            self.hidden = hidden
            self._session.hiddenChanged.emit()

    def toggle(self, kind: str) -> None:
        """Hide one of KINDS at all nodes, or show it again."""
        self._set(self.hidden.toggled(kind))

    def toggle_selected(self) -> None:
        """Hide everything at the selected nodes, or show it again."""
        self._set(self.hidden.toggled_nodes(self._session.selection))

    def reveal(self, nodes: Iterable[str]) -> None:
        """Show everything at these nodes."""
        self._set(self.hidden.with_revealed(nodes))

    def show_all(self) -> None:
        """Hide nothing any more."""
        self._set(NOTHING_HIDDEN)
