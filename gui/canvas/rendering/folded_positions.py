"""The places in a picture in which blocks or frames are folded, each to one card, and those on the way to another one.

Frames leave all other cards where they are in the document, and the room that becomes free is closed up. A picture with
blocks is arranged by itself. The places of the document stay what they are: `home` leads back to them.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF

from cadena.core.graph.blocks import Block, own_leaves
from cadena.core.graph.columns import table
from cadena.core.graph.frames import CollapsedFrame, Folded, collapsed_frames
from cadena.core.layout import routing
from cadena.core.layout.arrange import INSET, tensor_card
from cadena.core.layout.nested import Edges, NestedLayout, NestedPlaces
from cadena.core.text.numbers import number_of
from cadena.gui.canvas.rendering.geometry import Geometry, OpenBlock, Port
from cadena.gui.canvas.rendering.text_fitting import width
from cadena.gui.look.theme import CAPTION, CARD_NAME, GAP

NUMBER_FOLD = (208.0, 88.0)  # the card of what is folded where a number comes out
TITLE_AIR, MOST_TITLE = 2.0 * INSET + 2.5 * GAP, 360.0  # beside the title and the count; the widest card for a title
CLOSED = (56.0, 36.0)  # what is left, across and down, of the room that a folded frame leaves free
LEAF_ROW = 24.0  # canvas units: the row of a leaf below the card of its operation
MOST_ROWS = 4  # leaves in the card of one operation
BELOW_ROWS = 8.0  # canvas units that stay free below a card that has grown by its rows


class Closing(NamedTuple):
    """How far places along one axis have moved together: by `moved` at the places `at`, between them by parts."""

    at: np.ndarray
    moved: np.ndarray

    def picture(self, places: np.ndarray) -> np.ndarray:
        """The places in the picture of places in the document."""
        return places - np.interp(places, self.at, self.moved)

    def shown(self, place: float) -> float:
        """The place in the picture of a place in the document."""
        return float(self.picture(np.array(place)))

    def home(self, place: float) -> float:
        """The place in the document of a place in the picture."""
        return place + float(np.interp(place, self.at - self.moved, self.moved))


Closings = tuple[Closing, Closing]


class Moving(NamedTuple):
    """What a picture shows that is on its way to another: the cards and the wires of both."""

    shown: np.ndarray
    inner: np.ndarray  # the wires that neither has
    resized: frozenset[str]  # the cards that are larger in one of them


class FoldedPlaces(Geometry):
    """Places that are no longer those of the document: nodes that are not `shown` stand in the card of another one."""

    def __init__(
        self, flat: Geometry, boxes: np.ndarray, shares: np.ndarray, starts: np.ndarray, stands: np.ndarray,
        folds: Mapping[str, Folded], closings: Closings | None, moving: Moving | None = None,
        open_blocks: tuple[OpenBlock, ...] = (), inside: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        """How far down its card the wires of each node begin (`starts`), and the number of the card it `stands` in.

        Without `closings` the picture is arranged by itself.
        """
        super().__init__(flat.document, flat.shapes, flat.wired)
        self.names, self.numbers, self.wires = flat.names, flat.numbers, flat.wires
        self.boxes, self.port_shares, self.folds, self.closings = boxes, shares, folds, closings
        self.starts, self.stands, self.open_blocks, self.inside = starts, stands, open_blocks, inside
        self.is_arranged = closings is None
        self.moving, self.is_moving = moving, moving is not None
        source, target, _ = self.wires.T
        self.shown = moving.shown if moving else stands == np.arange(len(stands))
        self.inner = moving.inner if moving else stands[source] == stands[target]

    def stands_in(self, name: str) -> str:
        return self.names[self.stands[self.numbers[name]]]

    def together(self, names: Collection[str]) -> frozenset[str]:
        cards = {card for name in names if (card := self.stands_in(name)) in self.inside}
        return frozenset(names) | cards | {leaf for card in cards for leaf in self.inside[card]}

    def is_shown(self, name: str) -> bool:
        return bool(self.shown[self.numbers[name]])

    @property
    def shown_numbers(self) -> np.ndarray:
        return np.flatnonzero(self.shown)

    def is_resized(self, name: str) -> bool:
        return self.moving is not None and name in self.moving.resized

    def home(self, place: QPointF) -> QPointF:
        if self.closings is not None:
            return QPointF(*(closing.home(at) for closing, at in zip(self.closings, place.toTuple(), strict=True)))
        shown = self.shown_numbers
        left, top, right, bottom = self.boxes[shown].T
        away = np.maximum(left - place.x(), place.x() - right).clip(0) + np.maximum(
            top - place.y(), place.y() - bottom
        ).clip(0)
        nearest = shown[np.argmin(away)]
        return place + QPointF(*(self.corners[nearest] - self.boxes[nearest, :2]).tolist())

    def face(self, name: str) -> QRectF:
        return self.card(name).adjusted(0.0, 0.0, 0.0, -LEAF_ROW * len(self.inside.get(name, ())))

    def name_area(self, name: str) -> QRectF:
        return self._half_of_row(name, 0) or super().name_area(name)

    def value_area(self, name: str) -> QRectF:
        return self._half_of_row(name, 1) or super().value_area(name)

    def _half_of_row(self, name: str, half: int) -> QRectF | None:
        """The left or the right half of the row of a leaf in the card of its operation."""
        if name not in self.inside.get(self.stands_in(name), ()):
            return None
        row = self.card(name)
        return QRectF(row.left() + half * row.width() / 2, row.top(), row.width() / 2, row.height())

    @cached_property
    def wire_ends(self) -> np.ndarray:
        ends, source = routing.wire_ends(self.boxes, self.wires, self.port_shares), self.wires[:, 0]
        top, bottom = self.boxes.T[1].take(source), self.boxes.T[3].take(source)
        ends[:, 1] = top + (bottom - top) * self.starts[source]
        return ends

    def output_port(self, name: str) -> QPointF:
        card = self.card(name)
        return QPointF(card.right(), card.top() + card.height() * float(self.starts[self.numbers[name]]))

    def input_port(self, name: str, slot: int) -> QPointF:
        row = self.row(name, slot)
        return super().input_port(name, slot) if row is None else QPointF(*self.wire_ends[row, 2:].tolist())

    def ports_of(self, name: str) -> list[Port]:
        if (fold := self.folds.get(name)) is None:
            return [port for port in super().ports_of(name) if port[1] is None or self.has_port(name, port[1])]
        return [*((result, None) for result in fold.results), *self._entering[name]]

    def has_port(self, name: str, slot: int) -> bool:
        row = self.row(name, slot) if self.is_arranged else None
        return row is None or not self.inner[row]

    def port_key(self, name: str) -> Hashable:
        fold = self.folds.get(name)
        rows = self.rows_into(name) if fold is None else self._entering_rows[name]
        results = [self.numbers[result] for result in (fold.results if fold is not None else (name,))]
        return self.starts[results].tobytes(), self.port_shares[rows].tobytes(), self.inner[rows].tobytes()

    @cached_property
    def _entering(self) -> dict[str, list[Port]]:
        """The ends of the wires into each fold."""
        ends = {name: self.wires[rows, 1:].tolist() for name, rows in self._entering_rows.items()}
        return {name: [(self.names[target], slot) for target, slot in own] for name, own in ends.items()}

    @cached_property
    def _entering_rows(self) -> dict[str, np.ndarray]:
        """The rows of the wires into each fold."""
        return {name: entering(self, self.stands, self.numbers[name]) for name in self.folds}

    @cached_property
    def reroutes(self) -> dict[int, list[QPointF]]:
        """None where cards have moved up, and points would lie anywhere."""
        if self.folds or self.is_moving or self.closings is None:
            return {}
        across, down = self.closings
        led = super().reroutes.items()
        return {row: [QPointF(across.shown(at.x()), down.shown(at.y())) for at in points] for row, points in led}

    def shows_wire(self, target: str, slot: int) -> bool:
        row = self.row(target, slot)
        return row is not None and not self.inner[row]

    def cards_in(self, area: QRectF) -> np.ndarray:
        """Folds come last, and lie above what comes out of them."""
        numbers = super().cards_in(area)
        numbers = numbers[self.shown[numbers]]
        above = self._is_fold[numbers]
        return np.concatenate([numbers[~above], numbers[above]])

    @cached_property
    def is_inside(self) -> np.ndarray:
        """For each node whether it is a leaf in the card of its operation."""
        marks = np.zeros(len(self.names), dtype=bool)
        marks[[self.numbers[leaf] for leaves in self.inside.values() for leaf in leaves]] = True
        return marks

    @cached_property
    def _is_fold(self) -> np.ndarray:
        """For each node whether its card is that of a fold."""
        marks = np.zeros(len(self.names), dtype=bool)
        marks[[self.numbers[name] for name in self.folds]] = True
        return marks

    def wires_in(self, area: QRectF) -> np.ndarray:
        return self.shown_rows(super().wires_in(area))

    def shown_rows(self, rows: np.ndarray) -> np.ndarray:
        return rows[~self.inner[rows]]

    @cached_property
    def _between(self) -> np.ndarray:
        numbers = np.cumsum(self.shown) - 1
        wires: np.ndarray = self.wires.copy()
        wires[:, :2] = numbers[self.stands[wires[:, :2]]]
        return wires

    @cached_property
    def _cards(self) -> np.ndarray:
        return self.boxes[self.shown]

    @property
    def _drawn(self) -> np.ndarray:
        return np.flatnonzero(~self.inner)


def leaves_in_cards(flat: Geometry) -> np.ndarray:
    """For each node whether it is a leaf that can stand in the card of its operation, which alone uses it."""
    source, target, _ = flat.wires.T
    inside = own_leaves(flat.wired) & ~flat.wired.is_of("input")
    if (output := flat.numbers.get(flat.document.output or "")) is not None:
        inside[output] = False
    rows = np.bincount(target[inside[source]], minlength=len(flat.names))
    inside[source[rows[target] > MOST_ROWS]] = False
    return inside


def fold(
    flat: Geometry, folds: Sequence[CollapsedFrame], inside: np.ndarray, like: FoldedPlaces | None = None
) -> FoldedPlaces:
    """The geometry with these frames folded, and the leaves that are `inside` in the cards of their operations, where
    there is room for these to grow. It keeps the gaps and the rows of an earlier one that it is `like`."""
    boxes = flat.boxes.copy("K")
    stands, hidden = np.arange(len(boxes)), np.zeros(len(boxes), dtype=bool)
    for one in folds:
        members = [flat.numbers[name] for name in one.members]
        stands[members] = flat.numbers[one.last]
        hidden[members] = True
        boxes[members] = _card(flat, one, boxes, members)
    leaf, card = _leaves_within(flat, inside if like is None else like.is_inside, stands)
    if like is None:
        has_room = _with_room(boxes, ~hidden, leaf, card)
        leaf, card = leaf[has_room], card[has_room]
    np.add.at(boxes[:, 3], card, LEAF_ROW)
    closings = like.closings if like is not None else None
    closings = closings or _closings(boxes, flat.boxes[hidden])  # where leaves stood, notes and points of wires may lie
    left, top, right, bottom = boxes.T
    x, y = (closing.picture(low) for closing, low in zip(closings, (left, top), strict=True))
    boxes = table(x, y, x + right - left, y + bottom - top)
    shares, starts = flat.port_shares.copy(), np.full(len(boxes), 0.5)
    for one in folds:
        rows, results = entering(flat, stands, flat.numbers[one.last]), [flat.numbers[name] for name in one.results]
        starts[results] = _spread(np.array(results), flat.boxes)
        shares[rows] = _spread(flat.wires[rows, 0], flat.boxes)
    leaves = _put_in_rows(flat, leaf, card, boxes, stands, starts, shares)
    folded = {one.last: one for one in folds}
    return FoldedPlaces(flat, boxes, shares, starts, stands, folded, closings, inside=leaves)


def _with_room(boxes: np.ndarray, shown: np.ndarray, leaf: np.ndarray, card: np.ndarray) -> np.ndarray:
    """Which of these leaves go into their cards: all where these can grow by their rows without covering a card that
    is shown, such as a leaf that does not go."""
    goes, before = np.ones(len(leaf), dtype=bool), -1
    while before != (before := int(goes.sum())):
        others = shown.copy()
        others[leaf[goes]] = False
        goes &= ~_in_the_way(boxes, np.flatnonzero(others), card)[card]
    return goes


def _in_the_way(boxes: np.ndarray, others: np.ndarray, card: np.ndarray) -> np.ndarray:
    """For each card whether one of the `others`, grown too, stands where it grows by a row for each time in `card`."""
    rows = np.bincount(card, minlength=len(boxes))
    left, top, right, bottom = boxes.T
    grown, growing, others = bottom + LEAF_ROW * rows, np.flatnonzero(rows), others[np.argsort(top[others])]
    tallest = float((grown - top)[others].max(initial=0.0))
    first = np.searchsorted(top[others], bottom[growing] - tallest)
    counts = np.searchsorted(top[others], grown[growing] + BELOW_ROWS) - first  # whose tops are near enough
    one = np.repeat(growing, counts)
    other = others[np.arange(len(one)) - np.repeat(np.cumsum(counts) - counts - first, counts)]
    covers = (left[one] < right[other]) & (right[one] > left[other]) & (bottom[one] < grown[other]) & (one != other)
    is_blocked = np.zeros(len(boxes), dtype=bool)
    is_blocked[one[covers]] = True
    return is_blocked


def _leaves_within(flat: Geometry, inside: np.ndarray, stands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The leaves in the cards of operations that are not folded, and these operations."""
    source, target, _ = flat.wires.T
    within = inside[source] & (stands[source] == source) & (stands[target] == target)
    return source[within], target[within]


def _put_in_rows(
    flat: Geometry, leaf: np.ndarray, card: np.ndarray,
    boxes: np.ndarray, stands: np.ndarray, starts: np.ndarray, shares: np.ndarray,
) -> dict[str, tuple[str, ...]]:  # fmt: skip
    """Put leaves into rows of cards that have the room for them. Returns the leaves of each card."""
    rows = np.bincount(card, minlength=len(boxes)) * LEAF_ROW
    face = 1.0 - rows / (boxes[:, 3] - boxes[:, 1])  # the part of a card above its rows
    starts *= face
    shares *= face[flat.wires[:, 1]]
    stands[leaf], boxes[leaf] = card, boxes[card]
    boxes[leaf, 1] += boxes[leaf, 3] - boxes[leaf, 1] - rows[card] + LEAF_ROW * _places_among(card)
    boxes[leaf, 3] = boxes[leaf, 1] + LEAF_ROW
    leaves = dict[str, tuple[str, ...]]()
    for one, number in zip(leaf.tolist(), card.tolist(), strict=True):
        leaves[flat.names[number]] = (*leaves.get(flat.names[number], ()), flat.names[one])
    return leaves


def _places_among(cards: np.ndarray) -> np.ndarray:
    """Of sorted numbers how many equal ones come before each."""
    places: np.ndarray = np.arange(len(cards)) - np.searchsorted(cards, cards)
    return places


def nested(flat: Geometry, layout: NestedLayout, places: NestedPlaces) -> FoldedPlaces:
    """The geometry with blocks closed or open as in a nested layout."""
    boxes, stands, folds = flat.boxes.copy("K"), np.arange(len(flat.names)), dict[str, Folded]()
    shares, starts = flat.port_shares.copy(), np.full(len(boxes), 0.5)
    shown = np.zeros(len(boxes), dtype=bool)
    for placed in places.cards:
        if placed.node is not None:
            boxes[placed.node], shown[placed.node] = placed.edges, True
        elif placed.block is not None:
            closed = layout.blocks.closed(placed.block, flat.document, placed.opens or layout.blocks.key(placed.block))
            members, last = [flat.numbers[name] for name in closed.members], flat.numbers[closed.last]
            stands[members], boxes[members], folds[closed.last], shown[last] = last, placed.edges, closed, True
            for at, name in enumerate(closed.results):
                starts[flat.numbers[name]] = (at + 1) / (len(closed.results) + 1)
    leaf, card = _leaves_within(flat, layout.inside, stands)
    leaves = _put_in_rows(flat, leaf, card, boxes, stands, starts, shares)
    for name in folds:
        entered = entering(flat, stands, flat.numbers[name])
        shares[entered] = _spread(flat.wires[entered, 0], boxes)
    blocks = (OpenBlock(layout.blocks.key(one.block), _words(one.block), one.edges) for one in places.frames)
    return FoldedPlaces(flat, boxes, shares, starts, stands, folds, None, None, tuple(blocks), leaves)


def _words(block: Block) -> str:
    return f"{block.title} × {block.count}" if block.count > 1 else block.title


def entering(flat: Geometry, stands: np.ndarray, card: int) -> np.ndarray:
    """The rows of the wires into a card that stands for several nodes."""
    source, target, _ = flat.wires.T
    rows: np.ndarray = np.flatnonzero((stands[target] == card) & (stands[source] != card))
    return rows


def with_frames(flat: Geometry) -> Geometry:
    """Places with the collapsed frames of the document folded, as a picture that nobody works on has them."""
    frames = collapsed_frames(flat.document, flat.wired)
    return fold(flat, frames, np.zeros(len(flat.names), dtype=bool)) if frames else flat


def _spread(numbers: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """A share of an edge for each of these nodes, in the order of their heights; one node has one share."""
    own = sorted(set(numbers.tolist()), key=lambda number: float(boxes[number, 1]))
    places = {number: (place + 1) / (len(own) + 1) for place, number in enumerate(own)}
    return np.array([places[number] for number in numbers.tolist()])


CardSides = tuple[float, float, float, float]


def _card(flat: Geometry, fold: CollapsedFrame, boxes: np.ndarray, members: list[int]) -> CardSides:
    """The card of a frame in the document: about where the middle of its `members` stands, clear of all other
    `boxes`."""
    size = fold_size(flat, fold.results)
    count = number_of(len(fold.members), "node")
    words = width(f"▸ {fold.title}", round(CARD_NAME), True) + width(count, round(CAPTION))
    size.setWidth(max(size.width(), min(words + TITLE_AIR, MOST_TITLE)))
    middle = flat.bounds(fold.members).center()
    places = [middle, *(flat.card(name).center() for name in fold.members)]
    tried = [_around(place, size) for place in sorted(places, key=lambda at: (at - middle).manhattanLength())]
    others = np.delete(boxes, members, axis=0)
    return next((box for box in tried if not _covers(box, others)), tried[0])


def fold_size(flat: Geometry, results: Sequence[str]) -> QSizeF:
    """The size of the card of what is folded and has these results."""
    shape = flat.shapes.get(results[0]) if len(results) == 1 else None
    return QSizeF(*(tensor_card(shape) if shape else NUMBER_FOLD))


def _around(at: QPointF, size: QSizeF) -> CardSides:
    wide, high = size.width() / 2, size.height() / 2
    return at.x() - wide, at.y() - high, at.x() + wide, at.y() + high


def _covers(box: CardSides, others: np.ndarray) -> bool:
    left, top, right, bottom = others.T
    return bool(((left < box[2]) & (right > box[0]) & (top < box[3]) & (bottom > box[1])).any())


def _closings(boxes: np.ndarray, hidden: np.ndarray) -> Closings:
    """How the cards `boxes` move together where only cards stood that are hidden now, in the places `hidden`."""
    across, down = (
        _closing(boxes[:, axis], boxes[:, axis + 2], hidden[:, axis], hidden[:, axis + 2], CLOSED[axis])
        for axis in (0, 1)
    )
    return across, down


def _closing(low: np.ndarray, high: np.ndarray, lows: np.ndarray, highs: np.ndarray, left: float) -> Closing:
    """Close the gaps between the intervals from `low` to `high` up to a rest, where intervals (lows, highs) were."""
    order = np.argsort(low, kind="stable")
    begin, end = np.maximum.accumulate(high[order])[:-1], low[order][1:]
    were = np.searchsorted(np.sort(lows), end) > np.searchsorted(np.sort(highs), begin, side="right")
    begin, end = (side[(end - begin > left) & were] for side in (begin, end))
    moved = np.cumsum(end - begin - left)
    before = moved - (end - begin - left)
    at, moved = (np.column_stack(pair).ravel() for pair in ((begin, end), (before, moved)))
    return Closing(at, moved) if len(at) else OPEN


OPEN = Closing(np.zeros(1), np.zeros(1))


def between(before: Geometry, after: Geometry, share: float) -> FoldedPlaces:
    """Places on the way from one picture to another: what was hidden comes out of its fold's card, or goes in."""
    numbers = np.array([before.numbers.get(name, -1) for name in after.names], dtype=int)
    known = numbers >= 0
    boxes, shares, starts = after.boxes.copy("K"), after.port_shares.copy(), _starts(after)
    boxes[known] += (before.boxes[numbers[known]] - after.boxes[known]) * (1.0 - share)
    starts[known] += (_starts(before)[numbers[known]] - starts[known]) * (1.0 - share)
    if before.wires is after.wires:
        shares += (before.port_shares - shares) * (1.0 - share)
    stands, shown, inner_after = _standing(after)
    stood, was_shown, _ = _standing(before)
    to_after = np.array([after.numbers.get(name, -1) for name in before.names], dtype=int)
    stood_then, shown_then = np.arange(len(boxes)), np.ones(len(boxes), dtype=bool)
    stood_then[known], shown_then[known] = to_after[stood[numbers[known]]], was_shown[numbers[known]]
    source, target, _ = after.wires.T
    inner_before = stood_then[source] == stood_then[target]
    runs_back = boxes[source, 2] >= boxes[target, 0]  # of cards that are still in each other's way
    inner = np.where(runs_back, inner_before | inner_after, inner_before & inner_after)
    is_late = share >= 0.5
    folds = {name: fold for name, fold in before.folds.items() if all(one in after.numbers for one in fold.members)}
    way = boxes - after.boxes
    resized = np.abs(way[:, 2:] - way[:, :2]).max(axis=1, initial=0.0) > 0.01
    return FoldedPlaces(
        after, boxes, shares, starts, stands if is_late else stood_then, after.folds if is_late else folds,
        after.closings if isinstance(after, FoldedPlaces) else (OPEN, OPEN),
        Moving(shown | shown_then, inner, frozenset(after.names[number] for number in np.flatnonzero(resized))),
        _open_between(before, after, share), after.inside if is_late else _still_inside(before, after),
    )  # fmt: skip


def _still_inside(before: Geometry, after: Geometry) -> dict[str, tuple[str, ...]]:
    """The leaves in cards of a picture that are in the next one too."""
    known = after.numbers
    rows = ((card, tuple(leaf for leaf in leaves if leaf in known)) for card, leaves in before.inside.items())
    return {card: leaves for card, leaves in rows if card in known and leaves}


def _open_between(before: Geometry, after: Geometry, share: float) -> tuple[OpenBlock, ...]:
    """The frames of open blocks: one that has just been opened comes out of its card."""
    known = {one.key: one.edges for one in before.open_blocks}

    def begin(one: OpenBlock) -> Edges:
        number = before.numbers.get(one.key[1])
        return known.get(one.key) or (one.edges if number is None else tuple(before.boxes[number].tolist()))

    def part(one: OpenBlock) -> Edges:
        left, top, right, bottom = (old + (new - old) * share for old, new in zip(begin(one), one.edges, strict=True))
        return left, top, right, bottom

    return tuple(one._replace(edges=part(one)) for one in after.open_blocks)


def _starts(geometry: Geometry) -> np.ndarray:
    return geometry.starts.copy() if isinstance(geometry, FoldedPlaces) else np.full(len(geometry.names), 0.5)


def _standing(geometry: Geometry) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The card in which each node stands, whether it is shown, and which wires are not."""
    if isinstance(geometry, FoldedPlaces):
        return geometry.stands, geometry.shown, geometry.inner
    count = len(geometry.names)
    return np.arange(count), np.ones(count, dtype=bool), np.zeros(len(geometry.wires), dtype=bool)
