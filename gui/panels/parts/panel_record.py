"""What a panel around the canvas is: ONE record, which the View menu, the keys, the settings and the window read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from PySide6.QtWidgets import QWidget

from cadena.gui.files.settings import Settings
from cadena.gui.look.theme import Theme
from cadena.gui.session.session import Session


class Side(Enum):
    """Where a panel stands, seen from the canvas."""

    LEFT = "left"
    RIGHT = "right"
    BELOW = "below"


@dataclass(frozen=True)
class PanelRecord:
    """A panel: a widget made from session and theme, with `set_theme(theme)`. Opened while it `waits_for_text`, it gets
    the keys.

    The window connects the signals that it has of these: `nodeActivated(name)`, bring the node into view;
    `pointedAt(fault)`, show where it is; `enterAsked(name)` and `gradientAsked(name)`, show a call, or its custom
    gradient, from within; `operationActivated(name)`, add the operation; `runScriptAsked()`, run the script again;
    `exportAsked(name, extension, write)`, save a plot; `graphReplaced()`, show the whole of another graph;
    `pathShown(wires)`, light a path; `elementsMarked(elements)`, mark elements on cards; `panelAsked(name)`, open
    or close a panel; `focusReturned()`, give the keys to the canvas.
    """

    name: str  # in the View menu, which capitalizes it, and in the settings
    make: Callable[[Session, Theme], Any]
    side: Side
    tip: str
    shown_at_first: bool = True
    in_watch: bool = True  # whether it stands while steps are watched, too
    title: str = ""  # of its tab in the dock, which panels can share
    part: str = ""  # what it is called among those of its title
    applies: Callable[[Session], bool] = lambda session: False  # whether its tab is there before it is opened


class Panels(dict[str, Any]):
    """The panels of a window by name. Those on one side of the graph take turns, so that it keeps its room.

    One that is shown at first stays open behind the one that the user has opened there, and comes back after it.
    """

    def __init__(self, records: Sequence[PanelRecord], session: Session, theme: Theme, settings: Settings) -> None:
        super().__init__({record.name: record.make(session, theme) for record in records})
        self.records, self._session, self._settings = records, session, settings
        self.changed: Callable[[], object] = lambda: None  # called when panels were shown or hidden
        self._folded: list[PanelRecord] = []  # those on the right that gave way to one on the left
        self._wanted: list[PanelRecord] = []  # of the folded ones those that were shown by hand
        self._all_folded: tuple[PanelRecord, ...] = ()  # those on both sides that gave way to the graph

    def on(self, side: Side) -> list[QWidget]:
        """The panels on a side."""
        return [self[record.name] for record in self.records if record.side is side]

    def _is_open(self, record: PanelRecord) -> bool:
        return self._settings.panel_shown(record.name, record.shown_at_first)

    def stands(self, record: PanelRecord) -> bool:
        """Whether a panel is open, and none before it."""
        others = (other for other in self._beside(record) if not other.shown_at_first)
        is_behind = record.shown_at_first and any(map(self._is_open, others))
        return self._is_open(record) and not is_behind

    def show_open(self, only: Collection[str] | None = None) -> None:
        """Show the panels that stand and are not folded; of them those alone that are named in `only`, if given."""
        for record in self.records:
            self[record.name].setVisible(self._has_room(record) and (only is None or record.name in only))
        self.changed()

    def toggle(self, name: str) -> None:
        """Open or close a panel; beside the graph it takes the place of the other there."""
        record = next(record for record in self.records if record.name == name)
        shown = self[name].isHidden()
        is_folded = record in self._all_folded or record in self._folded
        self._wanted = [one for one in self._wanted if one is not record] + [record] * (shown and is_folded)
        self._settings.set_panel_shown(record.name, shown)
        for other in self._beside(record):
            if shown and not other.shown_at_first:
                self._settings.set_panel_shown(other.name, False)
            self[other.name].setVisible(not shown and self._has_room(other))
        self[name].setVisible(shown)
        self.changed()
        if shown and getattr(self[name], "waits_for_text", False):
            self[name].setFocus()

    def fold_all(self, folds: bool) -> tuple[PanelRecord, ...]:
        """Fold what stands beside the graph, or unfold it again. Returns the panels that were folded now."""
        shown = (*self._shown(Side.LEFT), *self._shown(Side.RIGHT)) if folds else ()
        if shown or not folds:
            folding = (
                [one for one in self.records if one.side is not Side.BELOW and self._is_open(one)] if folds else ()
            )
            for record in folding or self._all_folded:
                self[record.name].setVisible(not folds and self.stands(record))  # and no setting: nobody has chosen so
            self._all_folded = tuple(folding)
        self._wanted = [record for record in self._wanted if record not in shown]
        self.changed()
        return shown

    def fold(self, width: int) -> tuple[PanelRecord, ...]:
        """Fold what stands on the right where it leaves the graph less than half of this width; else unfold it.

        Without a panel on the left it is unfolded, and what the user opened gives no way to what is there at first.
        Returns the panels that were folded now.
        """
        left, right = self._shown(Side.LEFT), self._shown(Side.RIGHT)
        beside = {*left, *(right or self._folded)}
        is_opened = {side: any(not one.shown_at_first for one in beside if one.side is side) for side in Side}
        gives_way = bool(left) and (is_opened[Side.LEFT] or not is_opened[Side.RIGHT])
        is_narrow = gives_way and 2 * sum(self[record.name].sizeHint().width() for record in beside) > width
        for record in right if is_narrow else [] if right else self._folded:
            self[record.name].setVisible(not is_narrow)
        self._folded = (right or self._folded) if is_narrow else []
        self.changed()
        return tuple(right) if is_narrow else ()

    @property
    def keeps_folded(self) -> bool:
        """Whether a panel is away that gave way to others or to the graph."""
        return any(self[record.name].isHidden() for record in (*self._all_folded, *self._folded))

    def _shown(self, side: Side) -> list[PanelRecord]:
        return [record for record in self.records if record.side is side and not self[record.name].isHidden()]

    def _has_room(self, record: PanelRecord) -> bool:
        is_folded = record in (*self._all_folded, *self._folded) and record not in self._wanted
        return self.stands(record) and not is_folded and (record.in_watch or self._session.live)

    def _beside(self, record: PanelRecord) -> list[PanelRecord]:
        """The others with which a panel takes turns."""
        same_side = (other for other in self.records if other.side is record.side and other is not record)
        return list(same_side) if record.side is not Side.BELOW else []


def connect(panels: Iterable[QWidget], slots: Mapping[str, Callable[..., Any]]) -> None:
    """Connect those of the named signals that each panel has."""
    for panel in panels:
        if later := getattr(panel, "connect_signals", None):
            later(slots)
        for name, slot in slots.items():
            if signal := getattr(panel, name, None):
                signal.connect(slot)
