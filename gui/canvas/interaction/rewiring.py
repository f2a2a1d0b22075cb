"""Commands that change wires and keep the rest: put a node into a wire, take it out, swap operands, cut and reroute."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QPointF

from cadena.core.graph import reroutes, rewiring
from cadena.core.graph.document import Document, Node, Position
from cadena.core.layout.aligning import close_gaps, make_room_between
from cadena.core.layout.arrange import card_sizes
from cadena.core.rewriting import switching
from cadena.gui.canvas.interaction.splicing import Splice
from cadena.gui.canvas.rendering.hit_boxes import Hit
from cadena.gui.canvas.rendering.view import CanvasView
from cadena.gui.session.graph_edits import Edit, named, reroute
from cadena.gui.session.shown_document import EditChoice

SWITCH_OFF = {switching.BYPASSED: "Bypass {nodes}", switching.MUTED: "Mute {nodes}"}
CARRY_OUT = "Carry out {nodes}"
OUT = "Take out reroute points"
MOST_HEALED = 100  # nodes: a click that deletes more is meant to


def _healed(document: Document, names: Collection[str]) -> Document:
    return close_gaps(rewiring.dissolve(document, names), document, card_sizes(document))


class WiringCommands:
    """Each command is one undo step."""

    def __init__(self, view: CanvasView) -> None:
        self.session, self.view = view.session, view
        self._marked: tuple[tuple[str, int], int] | None = None  # a wire, and the point that keys move

    def put_into(self, edit: Edit, name: str, splice: Splice) -> bool:
        """Make an edit that brings a node to a wire, and put it in; where it does not fit, say why."""
        source, (target, _) = self.session.document.source_of(*splice.wire), splice.wire
        if splice.slot is None:
            done = self.session.edit(*edit)
            self.session.message.emit(splice.reason)
            return done

        def change(document: Document) -> Document:
            inserted = rewiring.insert(edit.change(document), name, splice.wire, splice.slot)
            return make_room_between(inserted, name, str(source), target, card_sizes(inserted))

        return self.session.edit(change, f"Insert {name} into {source} → {target}")

    def dissolve(self) -> None:
        """Take the selected nodes out of the graph; what went into them goes on to what read them."""
        if names := self.session.selection:
            self._dissolve(names)

    def _dissolve(self, names: Collection[str]) -> None:
        label = f"Delete {named(names)} and heal the wires"
        self.session.edit(lambda document: _healed(document, names), label)

    def way_to_heal(self, before: Document, names: Collection[str]) -> EditChoice | None:
        """The way to join the wires that ended at nodes just deleted from `before`; None where there is nothing to
        join."""
        if len(names) > MOST_HEALED or not rewiring.can_heal(before, names):
            return None

        def heal() -> None:
            self.session.undo()
            self._dissolve(names)

        return EditChoice("Heal", "Lead what went into it on to what read it (Ctrl+Del deletes so at once)", heal)

    def can_swap(self, node: Node) -> bool:
        """Whether a node has two operands that can be swapped."""
        return rewiring.swappable(self.session.document, node) is not None

    def swap(self, name: str) -> None:
        """Exchange the first two operands of a node."""
        self.session.edit(lambda document: rewiring.swap(document, name), f"Swap the operands of {name}")

    def are_off(self, way: str) -> bool:
        """Whether all operations that are selected are bypassed, or muted."""
        document = self.session.document
        chosen = [name for name in self.session.selection if not document.nodes[name].is_leaf]
        return bool(chosen) and all(switching.way_off(document, name) == way for name in chosen)

    def switch(self, way: str) -> None:
        """Bypass or mute the selected nodes; carry them out again where they are so."""
        names = self.session.selection
        label = CARRY_OUT if self.are_off(way) else SWITCH_OFF[way]
        self.session.edit(lambda document: switching.switch(document, names, way), label.format(nodes=named(names)))

    def take_out(self, point: Hit) -> None:
        """Take out one reroute point."""
        if point.wire is not None:
            wire, points = point.wire, list(reroutes.points_of(self.session.document, point.wire))
            del points[point.point or 0]
            self.session.edit(lambda document: reroutes.with_points(document, wire, points), "Take out a reroute point")

    # --- reroute points by keys

    @property
    def point(self) -> int | None:
        """The point of the selected wire that keys move; None where none is marked."""
        wire, number = self._marked or (None, 0)
        is_there = wire is not None and wire == self.view.selected_wire
        return number if is_there and number < len(self.points) else None

    @property
    def marked_place(self) -> QPointF | None:
        """Where the marked point is in the picture, if it is shown there."""
        wire, number = self.view.selected_wire, self.point
        if wire is None or number is None:
            return None
        row = self.view.places.row(*wire)
        shown = [] if row is None else self.view.places.reroutes.get(row, [])
        return shown[number] if number < len(shown) else None

    @property
    def points(self) -> tuple[Position, ...]:
        """The points of the selected wire."""
        wire = self.view.selected_wire
        return reroutes.points_of(self.session.document, wire) if wire else ()

    def add_point(self) -> None:
        """Let the selected wire go through one more point, in the middle of its longest stretch, and mark it."""
        if (wire := self.view.selected_wire) is None:
            return
        places, points, source = self.view.places, list(self.points), str(self.session.document.source_of(*wire))
        begin, end = places.home(places.output_port(source)), places.home(places.input_port(*wire))
        number, place = reroutes.middle_of_longest([begin.toTuple(), *points, end.toTuple()])
        points.insert(number, place)
        if self.session.edit(*reroute(wire, points)):
            self._mark(number)

    def next_point(self) -> None:
        """Mark the next point of the selected wire."""
        here = self.point
        self._mark(0 if here is None else (here + 1) % len(self.points))

    def _mark(self, number: int) -> None:
        wire, points = self.view.selected_wire, self.points
        if wire is not None:
            self._marked = wire, number
            source = self.session.document.source_of(*wire)
            self.session.message.emit(
                f"Point {number + 1} of {len(points)} on {source} → {wire[0]}: arrows move it, Del takes it out"
            )
            self.view.update()

    def move_point(self, dx: float, dy: float) -> None:
        """Move the marked point a little; a key held down is one undo step."""
        if (wire := self.view.selected_wire) is not None and (number := self.point) is not None:
            points = list(self.points)
            points[number] = points[number][0] + dx, points[number][1] + dy
            change = lambda document: reroutes.with_points(document, wire, points)  # noqa: E731
            self.session.edit(change, "Move a reroute point", f"reroute {wire} {number}")

    def leave_point(self) -> bool:
        """Mark no point; False where none was."""
        was_marked, self._marked = self.point is not None, None
        self.view.update()
        return was_marked

    @property
    def rerouted(self) -> frozenset[str]:
        """The selected nodes, or the end of the selected wire, that wires with reroute points come into."""
        wire, document = self.view.selected_wire, self.session.document
        names = {wire[0]} if wire else self.session.selection
        return frozenset(name for name in names if name in document.nodes and reroutes.reroutes(document, name))

    def straighten_wires(self) -> None:
        """Take out the reroute points of the wires into the selected nodes, or of the selected wire."""
        wire, names = self.view.selected_wire, self.rerouted
        if wire:
            self.session.edit(lambda document: reroutes.with_points(document, wire, ()), OUT)
        else:
            self.session.edit(lambda document: reroutes.without_points(document, names), OUT)

    def cut(self, wires: Sequence[tuple[str, int]]) -> None:
        """Take wires, each (target, slot), out of the graph."""
        if wires:
            count = "1 wire" if len(wires) == 1 else f"{len(wires)} wires"
            self.session.edit(lambda document: rewiring.cut(document, wires), f"Cut through {count}")
        else:
            self.session.message.emit("the line crosses no wire; draw it across those that are to go")
