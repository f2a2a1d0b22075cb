"""What a panel around the canvas is: ONE record of each part, which menu, search, docks and lessons read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, ValuesView
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from cadena.gui.files.settings import Settings
from cadena.gui.look.theme import Theme
from cadena.gui.panels.parts.panel_layout import PanelLayout, Side, read, written
from cadena.gui.session.session import Session

CODE = 420  # pixels at `type` 1: the width of a panel on the left, unless the user has changed it
BESIDE = 0.55  # of the width of a window: the most that panels on both sides of the graph may take


@dataclass(frozen=True)
class PanelRecord:
    """A part of a panel: a widget made from session and theme, with `set_theme(theme)`. Opened while it
    `waits_for_text`, it gets the keys.

    The window connects the signals that it has of these: `nodeActivated(name)`, bring the node into view;
    `pointedAt(fault)`, show where it is; `enterAsked(name)` and `gradientAsked(name)`, show a call, or its custom
    gradient, from within; `operationActivated(name)`, add the operation; `runScriptAsked()`, run the script again;
    `exportAsked(name, extension, write)`, save a plot; `graphReplaced()`, show the whole of another graph;
    `pathShown(wires)`, light a path; `remarksShown(remarks, wire)`, write at nodes and light a wire;
    `elementsMarked(elements)`, mark elements on cards; `panelAsked(name)`, open or close a panel;
    `focusReturned()`, give the keys to the canvas.
    """

    name: str  # in lessons and in the notes of what is open
    panel: str  # its title in the menu and on its tab, which several parts can share
    make: Callable[[Session, Theme], Any]
    side: Side
    tip: str
    part: str = ""  # its tab among those of its panel
    text: str = ""  # its command, where the word on the tab does not say enough
    moves: bool = False  # whether the user can move its panel from beside the graph to below it, and back
    is_folded: bool = False  # whether its tab is there only while it is open
    applies: Callable[[Session], bool] | None = None  # whether there is a tab before it is opened; None: on request


class Panels(QObject):
    """The parts of all panels of a window by name, and the layout of the document that is shown.

    What the user opens and closes holds for this document and for those that are opened later; what a story opens,
    for its lesson alone.
    """

    changed = Signal()  # what stands around the graph

    def __init__(self, records: Sequence[PanelRecord], session: Session, theme: Theme, settings: Settings) -> None:
        super().__init__()
        self._widgets = {record.name: record.make(session, theme) for record in records}
        self.records = {record.name: record for record in records}
        self._session, self._settings = session, settings
        self._room, self._palette, self._dock = 1e6, 0, 0  # pixels at `type` 1: the window, what stands beside
        self._left_out: Callable[[PanelLayout], Collection[str]] | None = None
        self._since = set[str]()  # opened by hand since others were left out
        self.own = read(settings.panel_layout).only(self.records)  # what the next document begins with
        self.layout = self._first()
        session.opened.connect(self._begin)

    def __getitem__(self, name: str) -> Any:
        return self._widgets[name]

    def values(self) -> ValuesView[Any]:
        return self._widgets.values()

    @property
    def titles(self) -> list[str]:
        """The panels, each once, in the order of the menu."""
        return list(dict.fromkeys(record.panel for record in self.records.values()))

    def parts_of(self, panel: str) -> list[PanelRecord]:
        return [record for record in self.records.values() if record.panel == panel]

    def side_of(self, record: PanelRecord) -> Side:
        """Where a part stands around this document."""
        return self.layout.moved.get(record.panel, record.side)

    def part_to_open(self, panel: str) -> PanelRecord:
        """The part of a panel that was open last, else the first."""
        last, first = self.records.get(self.layout.last.get(panel, "")), self.parts_of(panel)[0]
        return first if last is None or last.is_folded else last

    # --- layouts of documents

    def _first(self) -> PanelLayout:
        """What a document begins with: the user's own choice, without panels that have nothing to show; an empty one
        is to be built."""
        fits = {
            name for name, record in self.records.items() if record.applies is None or record.applies(self._session)
        }
        return replace(self.own, staged=frozenset(), has_palette=not self._session.document.nodes).only(fits)

    def _begin(self) -> None:
        if not self._session.comes_back:
            self.show(None)

    def show(self, layout: PanelLayout | None) -> None:
        """Show the layout of another document; None: it has none yet."""
        self.layout = self._first() if layout is None else layout.only(self.records)
        self._since.clear()
        self.changed.emit()

    def _change(self, change: Callable[[PanelLayout], PanelLayout]) -> None:
        """Change what the user has around this document, and around those to come."""
        self.layout, self.own = change(self.layout), change(self.own)
        self._settings.panel_layout = written(self.own)
        self.changed.emit()

    # --- opening and closing

    def open(self, name: str) -> None:
        """Open a part of a panel."""
        record = self.records[name]
        self._since.add(name)
        side = self.side_of(record)
        self._change(lambda layout: layout.opened(name, record.panel, side))
        if getattr(self[name], "waits_for_text", False):
            self[name].setFocus()

    def tell(self, name: str) -> None:
        """Open the part that a story is about; documents to come begin without it."""
        if (record := self.records.get(name)) is not None and not self.stands(name):
            self.layout = self.layout.opened(name, record.panel, self.side_of(record), by_story=True)
            self.changed.emit()

    def close(self, name: str) -> None:
        self._since.discard(name)
        self._change(lambda layout: layout.closed(name))

    def toggle(self, name: str) -> None:
        """Open a part, or go back to what was there before it."""
        if self.stands(name):
            self._since.discard(name)
            self._change(lambda layout: layout.withdrawn(name))
        else:
            self.open(name)

    def show_palette(self, shown: bool) -> None:
        """Let the palette stand beside this document while it is built, or no longer."""
        if shown != self.layout.has_palette:
            self.layout = replace(self.layout, has_palette=shown)
            self.changed.emit()

    def move(self, name: str) -> None:
        """Move the panel of this part below the graph, or back beside it."""
        record = self.records[name]
        side = Side.RIGHT if self.side_of(record) is Side.BELOW else Side.BELOW
        self._change(lambda layout: layout.with_moved(name, record.panel, side))

    def toggle_palette(self) -> None:
        shown = not self.has_palette
        if shown and Side.LEFT in self.standing:
            self.close(self.standing[Side.LEFT])
        self.show_palette(shown)

    def resize(self, side: Side, pixels: int) -> None:
        """Note the size of a side, in pixels at `type` 1."""
        self.layout = replace(self.layout, sizes={**self.layout.sizes, side: pixels})
        self.own = replace(self.own, sizes=self.layout.sizes)
        self._settings.panel_layout = written(self.own)

    # --- what stands

    def fit(self, room: float, palette: int, dock: int) -> None:
        """Follow the widths of the window, of the palette and of the dock, in pixels at `type` 1."""
        before = self.standing, self.has_palette
        self._room, self._palette, self._dock = room, palette, dock
        if before != (self.standing, self.has_palette):
            self.changed.emit()

    def leave_out(self, but: Callable[[PanelLayout], Collection[str]] | None) -> None:
        """Show nothing beside the graph but these parts and what the user opens from now on; None: all again."""
        self._left_out = but
        self._since.clear()
        self.changed.emit()

    @property
    def standing(self) -> dict[Side, str]:
        """The parts that are shown, the one that was opened last at the end."""
        shown = dict(self.layout.open)
        if self._left_out is not None:
            seen = {*self._left_out(self.layout), *self._since}
            shown = {side: name for side, name in shown.items() if name in seen}
        if Side.LEFT in shown and Side.RIGHT in shown and CODE + self._dock > BESIDE * self._room:
            del shown[next(side for side in shown if side is not Side.BELOW)]
        return shown

    def stands(self, name: str) -> bool:
        return name in self.standing.values()

    @property
    def has_palette(self) -> bool:
        """Whether the palette stands: while a graph is built, where the window is wide enough."""
        standing = self.standing
        taken = self._palette + (self._dock if Side.RIGHT in standing else 0)
        has_room = Side.LEFT not in standing and self._left_out is None and taken <= BESIDE * self._room
        return has_room and self._session.live and self.layout.has_palette


def connect(panels: Iterable[QWidget], slots: Mapping[str, Callable[..., Any]]) -> None:
    """Connect those of the named signals that each panel has."""
    for panel in panels:
        if later := getattr(panel, "connect_signals", None):
            later(slots)
        for name, slot in slots.items():
            if signal := getattr(panel, name, None):
                signal.connect(slot)
