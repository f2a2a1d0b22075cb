"""Reroute points: where a wire bends on its way into a slot, under the key "reroutes" of the node that it ends at.

They are kept as ways from the card's corner, so that they go along with it, into a copy too.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgspec.structs import replace as with_fields

from cadena.core.graph.document import MAX_COORDINATE, Document, Node, Position
from cadena.core.graph.edits import with_nodes

KEY = "reroutes"
MAX_POINTS = 100  # of one wire
Wire = tuple[str, int]  # its end: (target, slot)


def reroutes(document: Document, name: str) -> dict[int, tuple[Position, ...]]:
    """The places of the points of the wires into a node, by slot; what nobody can read is left out."""
    stored = document.nodes[name].extra.get(KEY)
    if not isinstance(stored, dict):
        return {}
    x, y = document.layout.get(name, (0.0, 0.0))
    listed = {slot: points for slot, points in stored.items() if slot.isdecimal() and _are_points(points)}
    return {int(slot): tuple((x + dx, y + dy) for dx, dy in points) for slot, points in listed.items()}


def _are_points(points: Any) -> bool:
    """Whether this is a list of pairs of numbers that can be drawn."""
    return isinstance(points, list) and len(points) <= MAX_POINTS and all(map(_is_point, points))


def _is_point(point: Any) -> bool:
    is_pair = isinstance(point, list | tuple) and len(point) == 2
    return is_pair and all(isinstance(part, int | float) and abs(part) <= MAX_COORDINATE for part in point)


def points_of(document: Document, wire: Wire) -> tuple[Position, ...]:
    """The points of one wire, from its beginning on."""
    return reroutes(document, wire[0]).get(wire[1], ()) if wire[0] in document.nodes else ()


def place_for(points: Sequence[Position], new: Position, begin: Position, end: Position) -> int:
    """Where among the points of a wire a new one makes the way least longer; `begin` and `end` are the wire's."""
    stops = [begin, *points, end]
    ways = [
        math.dist(stops[place], new) + math.dist(new, stops[place + 1]) - math.dist(stops[place], stops[place + 1])
        for place in range(len(stops) - 1)
    ]
    return ways.index(min(ways))


def middle_of_longest(stops: Sequence[Position]) -> tuple[int, Position]:
    """A new point for a wire with these stops, its ends among them: its place among its points, and where it lies."""
    lengths = [math.dist(stops[place], stops[place + 1]) for place in range(len(stops) - 1)]
    place = lengths.index(max(lengths))
    (x, y), (next_x, next_y) = stops[place], stops[place + 1]
    return place, ((x + next_x) / 2, (y + next_y) / 2)


def with_points(document: Document, wire: Wire, points: Sequence[Position]) -> Document:
    """Let a wire go through these points; straight on for none."""
    (target, slot), (x, y) = wire, document.layout.get(wire[0], (0.0, 0.0))
    node = document.nodes[target]
    stored = node.extra.get(KEY)
    others = {key: item for key, item in stored.items() if key != str(slot)} if isinstance(stored, dict) else {}
    own = {str(slot): [[px - x, py - y] for px, py in points[:MAX_POINTS]]} if points else {}
    return _with(document, _rerouted(node, {**others, **own}))


def without_points(document: Document, names: Collection[str]) -> Document:
    """Let all wires into these nodes go straight on."""
    changed = [_rerouted(document.nodes[name], {}) for name in names if KEY in document.nodes[name].extra]
    return _with(document, *changed) if changed else document


def _rerouted(node: Node, points: Mapping[str, Any]) -> Node:
    extra = {key: item for key, item in node.extra.items() if key != KEY}
    return with_fields(node, extra={**extra, KEY: dict(points)} if points else extra)


def _with(document: Document, *changed: Node) -> Document:
    """The document with these nodes. Its layout is a new one: wires lie elsewhere."""
    return replace(with_nodes(document, *changed), layout=dict(document.layout))
