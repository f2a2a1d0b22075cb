"""What a panel around the canvas is: ONE record, which the View menu, the keys, the settings and the window read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

from PySide6.QtWidgets import QWidget

from cadena.gui.session import Session
from cadena.gui.theme import Theme


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
    gradient, from within; `operationActivated(name)`, add the operation; `exportAsked(name, extension, write)`, save
    a plot; `graphReplaced()`, show the whole of another graph; `pathShown(wires)`, light a path;
    `elementsMarked(elements)`, mark elements on cards; `panelAsked(name)`, open or close a panel; `focusReturned()`,
    give the keys to the canvas.
    """

    name: str  # in the View menu, which capitalizes it, and in the settings
    make: Callable[[Session, Theme], Any]
    side: Side
    key: str
    tip: str
    shown_at_first: bool = True


class OpenPanels(Protocol):
    """Which panels the user has open."""

    def panel_shown(self, panel: PanelRecord) -> bool: ...
    def set_panel_shown(self, panel: PanelRecord, shown: bool) -> None: ...


class Panels(dict[str, Any]):
    """The panels of a window by name. Those on one side of the graph take turns, so that it keeps its room."""

    def __init__(self, records: Sequence[PanelRecord], session: Session, theme: Theme, settings: OpenPanels) -> None:
        super().__init__({record.name: record.make(session, theme) for record in records})
        self._records, self._settings = records, settings
        self._folded: list[PanelRecord] = []  # those on the right that gave way to one on the left
        self._wanted: list[PanelRecord] = []  # of the folded ones those that were shown by hand
        self._all_folded: tuple[PanelRecord, ...] = ()  # those on both sides that gave way to the graph

    def on(self, side: Side) -> list[QWidget]:
        """The panels on a side."""
        return [self[record.name] for record in self._records if record.side is side]

    def show_open(self, only: Collection[str] | None = None) -> None:
        """Show the panels that are open and not folded; of them those alone that are named in `only`, if given."""
        folded = [record for record in (*self._all_folded, *self._folded) if record not in self._wanted]
        for record in self._records:
            is_wanted = record not in folded and (only is None or record.name in only)
            self[record.name].setVisible(is_wanted and self._settings.panel_shown(record))

    def toggle(self, name: str) -> None:
        """Open or close a panel; beside the graph it takes the place of the other there."""
        record = next(record for record in self._records if record.name == name)
        shown = self[name].isHidden()
        is_folded = record in self._all_folded or record in self._folded
        self._wanted = [one for one in self._wanted if one is not record] + [record] * (shown and is_folded)
        for other in self._records if shown and record.side is not Side.BELOW else ():
            if other.side is record.side and other is not record:
                self._set(other, False)
        self._set(record, shown)
        if shown and getattr(self[name], "waits_for_text", False):
            self[name].setFocus()

    def fold_all(self, folds: bool) -> tuple[PanelRecord, ...]:
        """Fold what stands beside the graph, or unfold it again. Returns the panels that were folded now."""
        shown = (*self._shown(Side.LEFT), *self._shown(Side.RIGHT)) if folds else ()
        for record in shown or (() if folds else self._all_folded):
            self[record.name].setVisible(not folds)  # and no setting: nobody has chosen so
        self._all_folded = (shown or self._all_folded) if folds else ()
        self._wanted = [record for record in self._wanted if record not in shown]
        return shown

    def fold(self, width: int) -> tuple[PanelRecord, ...]:
        """Fold what stands on the right where it leaves the graph less than half of this width; else unfold it.

        Without a panel on the left it is unfolded. Returns the panels that were folded now.
        """
        left, right = self._shown(Side.LEFT), self._shown(Side.RIGHT)
        beside = {*left, *(right or self._folded)}
        is_narrow = bool(left) and 2 * sum(self[record.name].sizeHint().width() for record in beside) > width
        for record in right if is_narrow else [] if right else self._folded:
            self[record.name].setVisible(not is_narrow)
        self._folded = (right or self._folded) if is_narrow else []
        return tuple(right) if is_narrow else ()

    def _shown(self, side: Side) -> list[PanelRecord]:
        return [record for record in self._records if record.side is side and not self[record.name].isHidden()]

    def _set(self, record: PanelRecord, shown: bool) -> None:
        self._settings.set_panel_shown(record, shown)
        self[record.name].setVisible(shown)


def connect(panels: Iterable[QWidget], slots: Mapping[str, Callable[..., Any]]) -> None:
    """Connect those of the named signals that each panel has."""
    for panel in panels:
        if later := getattr(panel, "connect_signals", None):
            later(slots)
        for name, slot in slots.items():
            if signal := getattr(panel, name, None):
                signal.connect(slot)
