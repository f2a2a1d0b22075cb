"""What is open around the graph of a document, as a value: each document has its own."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field, replace
from enum import Enum

import msgspec

INSPECTOR = "inspector"


class Side(Enum):
    """Where a panel stands, seen from the canvas."""

    LEFT = "left"
    RIGHT = "right"
    BELOW = "below"


@dataclass(frozen=True)
class PanelLayout:
    """The parts of panels that are open, at most one on each side.

    Attributes:
        open: The part on each side, the one that was opened last at the end.
        inspects: The inspector is open, in front or behind another part, after which it comes back.
        last: The part of each panel that was open last.
        moved: Where panels stand that the user has moved from their usual side.
        sizes: Of the sides that can be resized, in pixels at `type` 1.
        staged: The parts that the story of a lesson opened; an audience sees these, too.
        has_palette: The palette stands beside the graph while it is built, since the user went to Build.
    """

    open: dict[Side, str] = field(default_factory=lambda: {Side.RIGHT: INSPECTOR})
    inspects: bool = True
    last: dict[str, str] = field(default_factory=dict)
    moved: dict[str, Side] = field(default_factory=dict)
    sizes: dict[Side, int] = field(default_factory=dict)
    staged: frozenset[str] = frozenset()
    has_palette: bool = False

    def opened(self, part: str, panel: str, side: Side, by_story: bool = False) -> PanelLayout:
        """The same with this part of a panel open, in the place of what stood there."""
        return replace(
            self,
            open={**{other: open for other, open in self.open.items() if other is not side}, side: part},
            inspects=self.inspects or part == INSPECTOR,
            last={**self.last, panel: part},
            staged=self.staged | {part} if by_story else self.staged,
        )

    def closed(self, part: str) -> PanelLayout:
        """The same without this part, and with nothing in its place."""
        if part not in self.open.values():
            return self
        still = {side: other for side, other in self.open.items() if other != part}
        return replace(self, open=still, inspects=Side.RIGHT in still and self.inspects, staged=self.staged - {part})

    def withdrawn(self, part: str) -> PanelLayout:
        """The same without this part, and with the inspector again where that had given way to it."""
        comes_back = self.inspects and part != INSPECTOR and self.open.get(Side.RIGHT) == part
        still = self.closed(part)
        return still.opened(INSPECTOR, INSPECTOR.capitalize(), Side.RIGHT) if comes_back else still

    def with_moved(self, part: str, panel: str, side: Side) -> PanelLayout:
        """The same with a panel on another side, and this part of it open there."""
        return replace(self.withdrawn(part), moved={**self.moved, panel: side}).opened(part, panel, side)

    def only(self, known: Container[str]) -> PanelLayout:
        """The same with those parts alone that are `known`."""
        still = {side: part for side, part in self.open.items() if part in known}
        if self.inspects and Side.RIGHT not in still:
            still[Side.RIGHT] = INSPECTOR
        return replace(self, open=still)


def written(layout: PanelLayout) -> str:
    """A layout as a text for the settings."""
    return msgspec.json.encode(layout).decode()


def read(text: str) -> PanelLayout:
    """Read what `written` wrote; the first layout where that is damaged."""
    try:
        return msgspec.json.decode(text, type=PanelLayout)
    except ValueError:  # ValidationError is one
        return PanelLayout()
