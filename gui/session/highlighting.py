"""Highlighting: what colours say, which nodes are lit while all others are dimmed, whether there is a map."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from cadena.core.graph.document import Document


@dataclass(frozen=True)
class Shown:
    """The user's choices, which a picture of the graph follows too."""

    by: str = ""  # what the ground of cards says: one of the canvas's scales; "" for nothing
    lit: frozenset[str] = frozenset()  # the nodes that are shown in full, all others dimmed; none: all are in full
    has_map: bool = True

    def dims(self, *nodes: str) -> bool:
        """Whether one of these nodes is dimmed."""
        return bool(self.lit) and any(node not in self.lit for node in nodes)

    def colored_by(self, by: str) -> Shown:
        """The same with this scale, or without one where it is the present one."""
        return replace(self, by="" if by == self.by else by)

    def with_lit(self, nodes: Iterable[str]) -> Shown:
        """The same with all but these nodes dimmed; with none dimmed where these are lit already."""
        chosen = frozenset(nodes)
        return replace(self, lit=frozenset() if chosen == self.lit else chosen)

    def within(self, document: Document) -> Shown:
        """The same without the nodes that this document lacks."""
        return replace(self, lit=self.lit & document.nodes.keys())

    def without_lit(self) -> Shown:
        """The same with no node dimmed."""
        return replace(self, lit=frozenset())


ALL_SHOWN = Shown()
