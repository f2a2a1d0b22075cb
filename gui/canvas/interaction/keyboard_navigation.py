"""Going from card to card and from wire to wire by keys, and the order in which nodes were selected."""

from __future__ import annotations

from collections.abc import Sequence

from cadena.gui.canvas.interaction.commands import Commands
from cadena.gui.canvas.interaction.placement import GRID
from cadena.gui.canvas.rendering.geometry import Geometry

Wire = tuple[str, int]  # target and slot
MARKED = "Marked {}: it stays selected as you go on"
SEVERAL_MARKED = "Marked {}: they stay selected as you go on"


class KeyWalk:
    """Where the keyboard is among the nodes. `here` is the node that was selected last.

    Nodes that are marked stay selected while the walk goes on, so that several can be gathered without a mouse.
    """

    def __init__(self, commands: Commands) -> None:
        self._commands, self._view, self._session = commands, commands.view, commands.session
        self._marked: frozenset[str] = frozenset()
        self._from: tuple[str, bool] | None = None  # the node the last wire was followed from, and whether forwards
        self._around: str | None = None  # the node whose wires are selected in turn
        self._going = False
        self._session.selectionChanged.connect(self._selection_changed)

    @property
    def here(self) -> str | None:
        """The node to go on from."""
        return next(reversed(self._commands.picked.names), None)

    def go(self, name: str) -> None:
        """Select a node, beside those that are marked, and bring it into view."""
        self._going = True
        self._session.select(self._marked | {name})
        self._commands.picked.put_last(name)
        self._going = False
        self._view.show_node(name)

    def mark(self) -> None:
        """Let the selected nodes stay selected while the walk goes on; once more to let go of the one it is at."""
        here, chosen = self.here, self._session.selection
        if here is not None and chosen <= self._marked:
            self._marked -= {here}
            self._session.message.emit(f"{here} is no longer marked")
        elif here is not None:
            self._marked = chosen
            names = self._commands.picked.names
            self._session.message.emit((MARKED if len(names) == 1 else SEVERAL_MARKED).format(", ".join(names)))

    def across(self, x: int, y: int) -> None:
        """Go to the nearest card in a direction; from nowhere to the first node."""
        places, here = self._view.places, self.here
        self._from = None
        if here is None:
            self._go_if_any(tuple(self._session.document.nodes)[:1])
        elif name := neighbour(places, here, x, y):
            self.go(name)

    def along(self, forwards: bool) -> None:
        """Follow a wire to what the node feeds, or back to its first operand."""
        if (here := self.here) is not None and (ends := self._ends(here, forwards)):
            self._from = here, forwards
            self.go(ends[0])

    def beside(self, by: int) -> None:
        """Go to the other end of the next wire at the node that the walk came from."""
        if (here := self.here) is None:
            return
        start, forwards = self._from or self._fork(here) or (here, True)
        ends = self._ends(start, forwards)
        if here in ends:
            self._from = start, forwards
            self.go(ends[(ends.index(here) + by) % len(ends)])

    def next_wire(self) -> None:
        """Select the next wire of the node, so that Del deletes it."""
        wire = self._view.selected_wire
        node = self._around if wire else self.here
        if node is None or not (wires := self._wires(node)):
            return
        self._around = node
        place = wires.index(wire) + 1 if wire in wires else 0
        self._commands.select_wire(wires[place % len(wires)])

    def leave_wire(self) -> bool:
        """Go from a point back to its wire, from a wire to the node whose it is; False where neither was reached so."""
        if self._commands.wiring.leave_point():
            return True
        if self._view.selected_wire is None or self._around not in self._session.document.nodes:
            return False
        self._commands.select_wire(None)
        self.go(str(self._around))
        return True

    def _go_if_any(self, names: Sequence[str]) -> None:
        if names:
            self.go(names[0])

    def _ends(self, name: str, forwards: bool) -> list[str]:
        """What a node feeds, from top to bottom, or its operands in the order of their slots; each once."""
        document, places = self._session.document, self._view.places
        if forwards:
            targets = {target for target, _ in document.consumers[name]}
            return sorted(targets, key=lambda target: places.card(target).top())
        return list(dict.fromkeys(str(source) for source in document.nodes[name].inputs if source in document.nodes))

    def _fork(self, here: str) -> tuple[str, bool] | None:
        """A node that `here` hangs on beside others: what it feeds, else what it is fed by."""
        for forwards in (True, False):
            for start in self._ends(here, forwards):
                if len(self._ends(start, not forwards)) > 1:
                    return start, not forwards
        return None

    def _wires(self, name: str) -> list[Wire]:
        document = self._session.document
        own = [(name, slot) for slot in range(len(document.nodes[name].inputs)) if document.source_of(name, slot)]
        return [*own, *document.consumers[name]]

    def _selection_changed(self) -> None:
        chosen = self._session.selection
        if not self._going and not self._marked <= chosen:
            self._marked = frozenset()
        if chosen and not self._going:
            self._from = self._around = None


def neighbour(places: Geometry, here: str, x: int, y: int) -> str | None:
    """The nearest card from another in the direction (x, y); sideways distance counts twice."""
    best, nearest, start = float("inf"), None, places.card(here).center()
    for name, (left, top, right, bottom) in zip(places.names, places.boxes.tolist()):
        way_x, way_y = (left + right) / 2 - start.x(), (top + bottom) / 2 - start.y()
        ahead, aside = way_x * x + way_y * y, abs(way_x * y) + abs(way_y * x)
        if ahead > GRID and aside <= 2 * ahead and ahead + 2 * aside < best:
            best, nearest = ahead + 2 * aside, name
    return nearest
