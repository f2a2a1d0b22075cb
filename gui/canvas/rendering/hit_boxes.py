"""Hit testing: the object under a point of the canvas. Arrays tell which of ten thousand nodes are near."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF

from cadena.core.graph.blocks import BlockKey
from cadena.core.graph.fault import Fault
from cadena.core.layout.routing import points_on
from cadena.gui.canvas.rendering import frames, leaf_rows, note_lines
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.geometry import PORT_RADIUS, Geometry, Port
from cadena.gui.canvas.rendering.wire_paths import corners_of

PORT_REACH, PORT_REACH_MOST = 11.0, 14.0  # how far from a port a press still takes it: in pixels, and in canvas units
WIRE_REACH = 6.0  # pixels from a wire
PORT_INSIDE = 8.0  # canvas units: on its own card a port takes less, for the number stands beside it
VALUE_SHARE = 0.65  # of the value line is the number's

HitPart = Literal[
    "node", "name", "value", "output_port", "input_port", "wire", "reroute", "frame", "frame_mark", "memo",
    "leaf_row", "block", "badge", "map", "empty",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Hit:
    """The object that was hit. For a wire, `node` and `slot` are its end, `point` the number of its reroute point."""

    kind: HitPart
    node: str | None = None
    slot: int | None = None
    point: int | None = None
    frame: str | None = None  # the title of the frame whose title, or mark before it, was hit
    memo: int | None = None  # the number of the note that was hit
    block: BlockKey | None = None  # the open block whose title was hit
    fault: Fault | None = None  # whose badge was hit, which stands at `node`

    @property
    def card(self) -> str | None:
        """The node whose card was hit, if it was one."""
        return self.node if self.kind in ("node", "name", "value", "leaf_row") else None

    @property
    def port(self) -> Port | None:
        """The port that was hit, if it was one."""
        return (self.node, self.slot) if self.node and self.kind in ("output_port", "input_port") else None

    @property
    def wire(self) -> tuple[str, int] | None:
        """(target, slot) of the wire that was hit, if it was one, or a point of it."""
        is_wire = self.kind in ("wire", "reroute") and self.node and self.slot is not None
        return (str(self.node), int(self.slot or 0)) if is_wire else None


EMPTY = Hit("empty")


class HitMap:
    """Hit tests for one geometry; its arrays are made when first needed."""

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry

    def place(self, port: Port) -> QPointF:
        """The middle of a port."""
        name, slot = port
        return self.geometry.output_port(name) if slot is None else self.geometry.input_port(name, slot)

    def card_at(self, point: QPointF) -> str | None:
        """The topmost card (the last in document order) under a point."""
        under = self.geometry.cards_in(QRectF(point.x(), point.y(), 0.0, 0.0))
        return self.geometry.names[under[-1]] if len(under) else None

    def cards_in(self, area: QRectF) -> frozenset[str]:
        """The nodes whose cards touch a rectangle, all those of a chain that is folded there."""
        cards = (self.geometry.names[number] for number in self.geometry.cards_in(area).tolist())
        return frozenset(chain.from_iterable(map(self.geometry.standing_in, cards)))

    def nearest_port(
        self, point: QPointF, reach: float, fits: Callable[[Port], bool] = lambda port: True
    ) -> Port | None:
        """The port nearest to a point, not further than `reach` canvas units, of those that fit."""
        cards = [self.geometry.names[number] for number in self.geometry.cards_in(_around(point, reach)).tolist()]
        near = [port for name in cards for port in self.geometry.ports_of(name) if fits(port)]
        distances = ((QLineF(self.place(port), point).length(), place) for place, port in enumerate(near))
        distance, place = min(distances, default=(math.inf, 0))
        return near[place] if distance <= reach else None

    def wire_at(self, point: QPointF, reach: float) -> tuple[str, int] | None:
        """(target, slot) of the wire nearest to a point, not further than `reach` canvas units."""
        around = _around(point, reach)
        rows = self.geometry.wires_in(around)
        parts, seen = self.geometry.parts_within(rows, around)  # of most wires only the bounds are near
        is_direct = self.geometry.are_direct(rows)
        distances = np.full(len(rows), math.inf)
        distances[seen & is_direct] = _distances(points_on(parts[seen & is_direct]), point)
        for place in np.flatnonzero(~is_direct).tolist():
            distances[place : place + 1] = _distances(corners_of(self.geometry.path(int(rows[place])))[None], point)
        if not (distances <= reach).any():
            return None
        _, target, slot = self.geometry.wires[rows[distances.argmin()]].tolist()
        return self.geometry.names[target], slot

    def reroute_at(self, point: QPointF, reach: float) -> Hit | None:
        """The reroute point nearest to a point, not further than `reach` canvas units."""
        distances = [
            (QLineF(place, point).length(), row, number)
            for row, places in self.geometry.reroutes.items()
            for number, place in enumerate(places)
        ]
        distance, row, number = min(distances, default=(math.inf, 0, 0))
        if distance > reach:
            return None
        _, target, slot = self.geometry.wires[row].tolist()
        return Hit("reroute", self.geometry.names[target], slot, number)

    def frame_at(self, point: QPointF) -> Hit:
        """The smallest frame whose title is under a point, or the mark before it; empty for none."""
        areas = frames.areas(self.geometry.document, self.geometry)
        under = [title for title, area in areas.items() if frames.title_area(area).contains(point)]
        title = min(under, key=lambda title: areas[title].width() * areas[title].height(), default=None)
        if title is None:
            return EMPTY
        is_mark = frames.mark_area(areas[title].topLeft()).contains(point)
        return Hit("frame_mark" if is_mark else "frame", frame=title)

    def wires_across(self, cut: QLineF) -> list[tuple[str, int]]:
        """(target, slot) of each wire that a straight line crosses."""
        around = QRectF(cut.p1(), cut.p2()).normalized()
        rows = self.geometry.wires_in(around).tolist() if cut.length() else []
        ends = [self.geometry.wires[row].tolist() for row in rows if _crosses(self._line(row), cut)]
        return [(self.geometry.names[target], slot) for _, target, slot in ends]

    def _line(self, row: int) -> np.ndarray:
        """The curve of a wire as corners, x, y: corners x 2."""
        source, target, slot = self.geometry.wires[row].tolist()
        curve = self.geometry.wire(self.geometry.names[source], self.geometry.names[target], slot)
        return corners_of(curve)

    def at(self, point: QPointF, zoom: float) -> Hit:
        """The object under a point of the canvas at `zoom`: a port, else a card's part, else a wire, else nothing."""
        card = self.card_at(point)
        port = self.nearest_port(point, min(max(PORT_REACH / zoom, PORT_RADIUS), PORT_REACH_MOST))
        if port and not self._yields(port, card, point):
            return Hit("output_port" if port[1] is None else "input_port", *port)
        if card:
            return self._part(card, point)
        if reroute := self.reroute_at(point, PORT_REACH / zoom):
            return reroute
        if wire := self.wire_at(point, WIRE_REACH / zoom):
            return Hit("wire", *wire)
        for number, area in reversed(note_lines.areas(self.geometry.document).items()):
            if area.contains(point):
                return Hit("memo", memo=number)
        if block := frames.block_at(self.geometry, point):
            return Hit("block", block=block.key)
        return self.frame_at(point)

    def _yields(self, port: Port, card: str | None, point: QPointF) -> bool:
        """Whether the card under the pointer is meant: it lies over the port's card, or is that card, less near."""
        if card is not None and port[0] in self.geometry.standing_in(card):
            return QLineF(self.place(port), point).length() > PORT_INSIDE
        return card is not None and self.geometry.numbers[card] > self.geometry.numbers[port[0]]

    def _part(self, name: str, point: QPointF) -> Hit:
        if name in self.geometry.folds:
            frame, mark = self.geometry.collapsed(name), frames.mark_area(self.geometry.card(name).topLeft())
            return Hit("frame_mark", frame=frame.title) if frame and mark.contains(point) else Hit("node", name)
        for leaf, area in leaf_rows.areas(self.geometry, name).items():
            if area.contains(point):
                return Hit("leaf_row", leaf)
        if self.geometry.name_area(name).contains(point):
            return Hit("name", name)
        return Hit("value" if number_area(self.geometry, name).contains(point) else "node", name)


def _around(point: QPointF, reach: float) -> QRectF:
    return QRectF(point.x() - reach, point.y() - reach, 2.0 * reach, 2.0 * reach)


def _distances(lines: np.ndarray, point: QPointF) -> np.ndarray:
    """How far from a point lines are, each given by its corners: lines x corners x 2."""
    start, along = lines[:, :-1], np.diff(lines, axis=1)
    to_point = (point.x(), point.y()) - start
    length = np.maximum((along**2).sum(axis=-1), 1e-12)
    fraction = np.clip((to_point * along).sum(axis=-1) / length, 0.0, 1.0)
    squares = ((to_point - fraction[..., None] * along) ** 2).sum(axis=-1)
    distances: np.ndarray = np.sqrt(squares.min(axis=1))
    return distances


def _crosses(line: np.ndarray, cut: QLineF) -> bool:
    """Whether a line of corners and a straight line cross."""
    begin, along = np.array(cut.p1().toTuple()), np.array([cut.dx(), cut.dy()])
    side = _turn(along, line - begin)
    start, way = line[:-1], np.diff(line, axis=0)
    first, last = _turn(way, begin - start), _turn(way, begin + along - start)
    return bool(np.any((side[:-1] * side[1:] <= 0.0) & (first * last <= 0.0)))


def _turn(along: np.ndarray, to: np.ndarray) -> np.ndarray:
    """On which side of a direction points lie, by sign."""
    return along[..., 0] * to[..., 1] - along[..., 1] * to[..., 0]


def number_area(geometry: Geometry, name: str) -> QRectF:
    """The area of the value itself: left of a number is its label."""
    area = geometry.value_area(name)
    if not geometry.shapes.get(name):
        area.setLeft(area.right() - VALUE_SHARE * area.width())
    return area


def hit(hits: HitMap, camera: Camera, view_point: QPointF) -> Hit:
    """The object under a pixel of the view."""
    return hits.at(camera.to_world(view_point), camera.zoom)
