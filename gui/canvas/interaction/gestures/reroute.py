"""Dragging a wire to where it is to go through."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt

from cadena.core.graph.document import Document, Position
from cadena.core.graph.reroutes import place_for, points_of, with_points
from cadena.gui.canvas.interaction.commands import Commands
from cadena.gui.canvas.interaction.gestures.base import Gesture, Modifiers
from cadena.gui.canvas.rendering.hit_boxes import Hit
from cadena.gui.session import graph_edits


class Reroute(Gesture):
    """A point of a wire follows the pointer: the one that was pressed, else a new one. A click selects the wire."""

    cursor = Qt.CursorShape.SizeAllCursor
    pans_at_edges = True

    def __init__(self, commands: Commands, at: QPointF, modifiers: Modifiers, hit: Hit) -> None:
        super().__init__(commands, at, modifiers)
        assert hit.wire is not None
        self._wire, self._point = hit.wire, hit.point
        self._before, self._shown = self.session.document, None  # type: Document, Document | None
        commands.select_wire(hit.wire)

    def drag(self, at: QPointF, modifiers: Modifiers) -> None:
        self._shown = with_points(self._before, self._wire, self._points(at))

    def drop(self, at: QPointF, modifiers: Modifiers) -> None:
        self.session.edit(*graph_edits.reroute(self._wire, self._points(at)))

    def _points(self, at: QPointF) -> list[Position]:
        """The points of the wire with the dragged one at a pixel of the view."""
        places, (target, slot) = self.view.places, self._wire
        new, points = places.home(self.view.camera.to_world(at)), list(points_of(self._before, self._wire))
        place = new.x(), new.y()
        if self._point is not None:
            points[self._point] = place
            return points
        source = str(self._before.source_of(target, slot))
        begin, end = (
            places.home(port).toTuple() for port in (places.output_port(source), places.input_port(target, slot))
        )
        points.insert(place_for(points, place, begin, end), place)
        return points

    @property
    def document(self) -> Document | None:
        return self._shown
