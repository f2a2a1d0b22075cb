"""How the graph is shown: what colours say, which nodes are lit while all others are dimmed, whether there is a map."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from PySide6.QtCore import SignalInstance

from cadena.core.graph.document import Document


class Shows(Protocol):
    """The session, as showing needs it."""

    hiddenChanged: SignalInstance
    opened: SignalInstance
    documentChanged: SignalInstance

    @property
    def document(self) -> Document: ...


@dataclass(frozen=True)
class Shown:
    """The user's choices, which a picture of the graph follows too."""

    by: str = ""  # what the ground of cards says: one of the canvas's scales; "" for nothing
    lit: frozenset[str] = frozenset()  # the nodes that are shown in full, all others dimmed; none: all are in full
    has_map: bool = True

    def dims(self, *nodes: str) -> bool:
        """Whether one of these nodes is dimmed."""
        return bool(self.lit) and any(node not in self.lit for node in nodes)


ALL_SHOWN = Shown()


class Showing:
    """What is chosen now; another document is shown in full, with the same colours."""

    def __init__(self, session: Shows) -> None:
        self._session, self.shown = session, ALL_SHOWN
        session.opened.connect(self.light_all)
        session.documentChanged.connect(lambda _: self._keep())

    def _set(self, shown: Shown) -> None:
        if shown != self.shown:
            self.shown = shown
            self._session.hiddenChanged.emit()

    def color_by(self, by: str) -> None:
        """Let the ground of cards say this, or nothing where it says this already."""
        self._set(replace(self.shown, by="" if by == self.shown.by else by))

    def light(self, nodes: Iterable[str]) -> None:
        """Dim all but these nodes; show all in full where nothing else was lit."""
        chosen = frozenset(nodes)
        self._set(replace(self.shown, lit=frozenset() if chosen == self.shown.lit else chosen))

    def light_all(self) -> None:
        """Dim nothing any more."""
        self._set(replace(self.shown, lit=frozenset()))

    def _keep(self) -> None:
        """Forget nodes that are gone."""
        if self.shown.lit:
            self._set(replace(self.shown, lit=self.shown.lit & self._session.document.nodes.keys()))

    def show_map(self, there: bool) -> None:
        """Show the map of a graph that is larger than the view, or leave it away."""
        self._set(replace(self.shown, has_map=there))
