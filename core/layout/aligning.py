"""Places for chosen cards: in line, evenly spread, with straight wires; and room where a card comes, grows or goes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from cadena.core.graph import order as graph
from cadena.core.graph.document import Document, Position
from cadena.core.graph.edits import fragment, slot_count
from cadena.core.layout.arrange import COLUMN_GAP, CardSize, arrange, free_place
from cadena.core.layout.heights import CARD_GAP
from cadena.core.text.progress import Report, one_by_one, unreported

MOST_CLOSED = 100  # gaps that are closed: of more cards nobody knows the places
ROOM = 16.0  # the least gap between cards that are spread evenly


class Alignment(NamedTuple):
    """What of several cards comes into line: the axis (0 across, 1 down), and which part of a card (0, 0.5, 1)."""

    axis: int
    part: float


SIDES = {
    "left": Alignment(0, 0.0), "centre": Alignment(0, 0.5), "right": Alignment(0, 1.0),
    "top": Alignment(1, 0.0), "middle": Alignment(1, 0.5), "bottom": Alignment(1, 1.0),
}  # fmt: skip
CardSizes = Mapping[str, CardSize]


def align(document: Document, names: Collection[str], side: str, sizes: CardSizes) -> Document:
    """Bring a side of some cards into line: the outermost one stays, of middles their mean."""
    axis, part = SIDES[side]
    at = {name: document.layout[name][axis] + part * sizes[name][axis] for name in names}
    line = min(at.values()) if part == 0.0 else max(at.values()) if part == 1.0 else sum(at.values()) / len(at)
    return _moved(document, {name: (axis, line - part * sizes[name][axis]) for name in names})


def distribute(document: Document, names: Collection[str], axis: int, sizes: CardSizes) -> Document:
    """Make the gaps between some cards equal; the first and the last one stay where there is room for it."""
    centers = {name: tuple(document.layout[name][a] + sizes[name][a] / 2 for a in (axis, 1 - axis)) for name in names}
    ordered = sorted(names, key=lambda name: (centers[name], name))
    first, last = ordered[0], ordered[-1]
    whole = document.layout[last][axis] + sizes[last][axis] - document.layout[first][axis]
    gap = max((whole - sum(sizes[name][axis] for name in ordered)) / max(len(ordered) - 1, 1), ROOM)
    at, places = document.layout[first][axis], {}
    for name in ordered:
        places[name] = (axis, at)
        at += sizes[name][axis] + gap
    return _moved(document, places)


def straighten(document: Document, names: Collection[str], sizes: CardSizes, report: Report = unreported) -> Document:
    """Move some cards up or down so that a wire into each runs level, the flattest one; nothing is covered by that."""
    places = dict(document.layout)

    def level(name: str, source: str, slot: int) -> float:
        """The top of a card at which the wire into a slot is level."""
        port = sizes[name][1] * (slot + 1) / (slot_count(document.nodes[name], document.functions) + 1)
        return places[source][1] + sizes[source][1] / 2 - port

    for name in one_by_one(graph.order(document)[0], report):
        wires = [(source, slot) for slot, source in enumerate(document.nodes[name].inputs) if source in places]
        if name not in names or not wires:
            continue
        tops = sorted(
            (level(name, str(source), slot) for source, slot in wires), key=lambda y: abs(y - places[name][1])
        )
        free = [y for y in tops if not _covered(places, sizes, name, (places[name][0], y))]
        if free:
            places[name] = (places[name][0], free[0])
    return replace(document, layout=places)


def arrange_part(document: Document, names: Collection[str], sizes: CardSizes, report: Report = unreported) -> Document:
    """Arrange some nodes as a graph of their own, with its middle where theirs was, where it covers no other card."""
    part = arrange(fragment(document, names), sizes, report).layout
    left, top, right, bottom = _around(document.layout, names, sizes)
    _, _, width, height = _around(part, names, sizes)
    wanted = (round((left + right - width) / 2), round((top + bottom - height) / 2))
    others = _boxes(document.layout, [name for name in document.layout if name not in names], sizes)
    corner = free_place(wanted, (width, height), others) if len(others) else wanted
    placed = {name: (x + corner[0], y + corner[1]) for name, (x, y) in part.items()}
    return replace(document, layout={**document.layout, **placed})


def make_room(document: Document, before: CardSizes, after: CardSizes) -> Document:
    """Push aside what would lie under cards that have grown from one size to another.

    All that stands to the right of such a card moves as one, so that columns stay columns; what stands below moves
    down. Gaps stay as they were, as far as cards need them.
    """
    placed = [name for name in document.layout if name in after]
    waiting = [name for name in placed if name in before and _has_grown(before[name], after[name])]
    if not waiting:
        return document
    old = {name: _box(document.layout[name], before.get(name, after[name])) for name in placed}
    places = dict(document.layout)

    def lack(name: str, other: str, axis: int, gap: float) -> float:
        """How much further another card must go so that there is a gap behind this one."""
        box, beside = _box(places[name], after[name]), _box(places[other], after[other])
        across = 1 - axis
        if box[across] >= beside[across + 2] or beside[across] >= box[across + 2]:
            return 0.0
        return box[axis + 2] + min(gap, old[other][axis] - old[name][axis + 2]) - beside[axis]

    while waiting:
        name = waiting.pop(0)
        ahead = [other for other in placed if old[other][0] >= old[name][2]]
        way = max((lack(name, other, 0, COLUMN_GAP) for other in ahead), default=0.0)
        if way > 0.0:
            places |= {other: (places[other][0] + way, places[other][1]) for other in ahead}
        for other in placed:
            if old[other][1] >= old[name][3] and (way := lack(name, other, 1, CARD_GAP)) > 0.0:
                places[other] = (places[other][0], places[other][1] + way)
                waiting.append(other)
    return replace(document, layout=places)


def make_room_between(document: Document, name: str, source: str, target: str, sizes: CardSizes) -> Document:
    """Room on both sides of a card that has come between two others.

    It goes to the right until it is clear of the source and of what else stands there. The target, and all that stands
    to the right of where it stood, then moves to the right as one, so that columns stay columns.
    """
    layout = document.layout
    if not {name, source, target} <= layout.keys() or layout[target][0] <= layout[source][0]:
        return document  # the wire runs back, and so does the eye
    others = {one: _box(layout[one], sizes[one]) for one in layout if one in sizes and one not in (name, target)}
    box, behind = _box(layout[name], sizes[name]), {target}
    before = {one for one in others if one == source or (_meet(box, others[one]) and others[one][0] < box[0])}
    x = max([box[0], *(others[one][2] + COLUMN_GAP for one in before)])
    box = _box((x, box[1]), sizes[name])
    behind |= {one for one in others.keys() - before if _meet(box, others[one])}
    first = min(layout[one][0] for one in behind)
    way = max(x + sizes[name][0] + COLUMN_GAP - first, 0.0)
    moved = {one: (at[0] + way, at[1]) for one, at in layout.items() if at[0] >= first and one not in (name, source)}
    return replace(document, layout={**layout, **moved, name: (x, layout[name][1])})


def close_gaps(document: Document, before: Document, sizes: CardSizes) -> Document:
    """Close the gap that each card left that is gone.

    Where it had a column to itself, all to the right of it moves up, as far as it took room. `sizes` are those before.
    """
    places = {name: at for name, at in before.layout.items() if name in sizes}
    gone = sorted(places.keys() - document.nodes.keys(), key=lambda name: -places[name][0])
    for name in gone[:MOST_CLOSED]:
        left, _, right, _ = _box(places.pop(name), sizes[name])
        boxes = np.array([_box(at, sizes[one]) for one, at in places.items()]).reshape(-1, 4)
        is_behind = boxes[:, 0] + boxes[:, 2] > left + right
        begin, end = boxes[~is_behind, 2].max(initial=-np.inf), boxes[is_behind, 0].min(initial=np.inf)
        way = float(right - left + min(left - begin, end - right))
        if 0.0 < way < np.inf and begin <= left and right <= end:
            places = {
                one: (x - way * bool(back), y) for (one, (x, y)), back in zip(places.items(), is_behind, strict=True)
            }
    return replace(
        document, layout={**document.layout, **{one: places[one] for one in document.layout if one in places}}
    )


CardBox = tuple[float, float, float, float]  # left, top, right, bottom


def _box(place: Position, size: CardSize) -> CardBox:
    return (place[0], place[1], place[0] + size[0], place[1] + size[1])


def _meet(one: CardBox, other: CardBox) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _has_grown(before: CardSize, after: CardSize) -> bool:
    return after[0] > before[0] or after[1] > before[1]


def _covered(places: Mapping[str, Position], sizes: CardSizes, name: str, place: Position) -> bool:
    box = _box(place, sizes[name])
    return any(_meet(box, _box(places[other], sizes[other])) for other in places if other != name and other in sizes)


def _around(places: Mapping[str, Position], names: Collection[str], sizes: CardSizes) -> CardBox:
    boxes = [_box(places[name], sizes[name]) for name in names]
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def _boxes(places: Mapping[str, Position], names: Collection[str], sizes: CardSizes) -> np.ndarray[Any, Any]:
    """Left, top, width and height of cards."""
    return np.array([(*places[name], *sizes[name]) for name in names if name in sizes])


def _moved(document: Document, places: Mapping[str, tuple[int, float]]) -> Document:
    """The document with cards at other coordinates of one axis."""
    layout = dict(document.layout)
    for name, (axis, at) in places.items():
        x, y = layout[name]
        layout[name] = (at, y) if axis == 0 else (x, at)
    return replace(document, layout=layout)
