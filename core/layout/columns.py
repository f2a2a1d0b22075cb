"""The column of each node and the order in it from top to bottom: the first half of the automatic layout.

Columns are layers of the graph: every operand stands left of its consumers. Within the columns the order is improved by
barycenters (each node moves to the mean place of its neighbours) and then by swaps, until few wires cross (Sugiyama,
Tagawa, Toda 1981). A wire that passes through columns has a *bend* in each, which keeps a place free for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cadena.core.text.progress import Report, one_by_one, stretch, unreported

Ints = np.ndarray[Any, np.dtype[np.intp]]
Floats = np.ndarray[Any, np.dtype[np.floating[Any]]]

SWEEPS, ROUNDS = 4, 20  # from left to right and back; then with both neighbours, every second column at a time
STARTS = 5  # orders to begin with, of which the best result is taken: the graph's own, then shuffled ones
TRIED_NODES = 1000  # that many in all: a graph of 1,000 nodes has one start, one of 200 all
BENDS_PER_NODE = 4  # the longest wires get no bends beyond that many, so that time and memory stay linear


@dataclass(frozen=True)
class Wires:
    """The wires of a graph without cycles, by node number, operands numbered before their consumers.

    `offset` is how far below the middle of the target's left edge a wire ends, as a part of the card's height.
    """

    count: int
    source: Ints
    target: Ints
    offset: Floats

    @classmethod
    def of(cls, count: int, wires: Sequence[tuple[int, int, float]]) -> Wires:
        """Wires from (source, target, offset)."""
        ends: Floats = np.array(wires, dtype=np.float64).reshape(-1, 3)
        return cls(count, ends[:, 0].astype(np.intp), ends[:, 1].astype(np.intp), ends[:, 2])


@dataclass(frozen=True)
class Columns:
    """The column of each item and the items of each column from top to bottom; items from `count` on are bends.

    Bend number `count + i` keeps the place of the wires out of `bend_wire[i]`.
    """

    wires: Wires
    column: Ints
    members: list[Ints]
    bend_wire: Ints


def make_columns(wires: Wires, report: Report = unreported) -> Columns:
    """Columns for the nodes, ordered so that few wires cross. Time grows about linearly with nodes and wires."""
    layer = np.array(layers(wires), dtype=np.intp)
    column, links, bend_wire = _with_bends(wires, layer)
    settle = _Settling(column, links)
    starts = max(1, min(STARTS, TRIED_NODES // max(wires.count, 1)))
    places = [settle(start, stretch(report, start / starts, (start + 1) / starts)) for start in range(starts)]
    best = places[0] if starts == 1 else min(places, key=lambda place: _cost(wires, column, place))
    order = np.lexsort((best, column))
    cuts = np.searchsorted(column[order], np.arange(1, column.max(initial=0) + 1))
    return Columns(wires, column, np.split(order, cuts), bend_wire)


def layers(wires: Wires) -> list[int]:
    """The column of each node: right of its operands, and as far right as that makes its wires shorter."""
    operands: list[list[int]] = [[] for _ in range(wires.count)]
    consumers: list[list[int]] = [[] for _ in range(wires.count)]
    for source, target in zip(wires.source.tolist(), wires.target.tolist(), strict=True):
        operands[target].append(source)
        consumers[source].append(target)
    layer, follows = [0] * wires.count, [False] * wires.count
    for node in range(wires.count):
        layer[node] = 1 + max((layer[operand] for operand in operands[node]), default=-1)
        follows[node] = len(consumers[node]) == 1 and all(follows[operand] for operand in operands[node])
    for node in reversed(range(wires.count)):
        stretched = sum(not follows[operand] for operand in operands[node])
        if consumers[node] and stretched <= len(consumers[node]):
            layer[node] = min(layer[consumer] for consumer in consumers[node]) - 1
    return layer


def crossings(x0: Floats, y0: Floats, x1: Floats, y1: Floats) -> int:
    """The number of pairs of the straight lines (x0, y0) to (x1, y1) that cross; quadratic in time."""

    def side(px: Floats, py: Floats) -> Any:
        """The side of line i on which point j lies, at [i, j]."""
        across = np.outer(x1 - x0, py) - np.outer(y1 - y0, px) - ((x1 - x0) * y0 - (y1 - y0) * x0)[:, None]
        return np.sign(np.round(across, 6))

    parted = side(x0, y0) * side(x1, y1) < 0
    return int(np.sum(parted & parted.T)) // 2


def _cost(wires: Wires, column: Ints, place: Floats) -> int:
    ends = place[wires.target] + 0.6 * wires.offset
    return crossings(column[wires.source] + 0.0, place[wires.source], column[wires.target] + 0.0, ends)


@dataclass(frozen=True)
class _Links:
    """Parts of wires from one item to the next, bends included."""

    source: Ints
    target: Ints
    offset: Floats


def _with_bends(wires: Wires, layer: Ints) -> tuple[Ints, _Links, Ints]:
    """The columns of nodes and bends, the links between them, and the wire of each bend."""
    count, source, target = wires.count, wires.source, wires.target
    reach = layer[target] - layer[source] - 1
    budget = BENDS_PER_NODE * count
    longest = np.sort(reach)[np.cumsum(np.sort(reach)) <= budget].max(initial=0)
    reach[reach > longest] = 0
    first = count + np.cumsum(reach) - reach
    wire = np.repeat(np.arange(len(source)), reach)
    bend = count + np.arange(len(wire))
    step = bend - first[wire]
    links = _Links(
        np.concatenate([np.where(step == 0, source[wire], bend - 1), np.where(reach > 0, first + reach - 1, source)]),
        np.concatenate([bend, target]),
        np.concatenate([np.zeros(len(wire)), wires.offset]),
    )
    return np.concatenate([layer, layer[source[wire]] + 1 + step]), links, wire


class _Settling:
    """Orders the items of each column by the mean place of their neighbours, again and again."""

    def __init__(self, column: Ints, links: _Links) -> None:
        self.column, self.links = column, links
        to_left, to_right = (links.target, links.source, -links.offset), (links.source, links.target, links.offset)
        both = tuple(np.concatenate(pair) for pair in zip(to_left, to_right, strict=True))
        self.rightwards = _batches(column, column, *to_left)
        self.leftwards = _batches(column, column, *to_right)
        self.halves = _batches(column % 2, column, *both)

    def __call__(self, start: int, report: Report) -> Floats:
        """Each item's place in its column, counted from the column's middle; `start` 0 begins in the graph's order."""
        place, random = np.empty(len(self.column)), np.random.default_rng(start)
        for batch in self.rightwards:
            place[batch.items] = random.permutation(batch.slots) if start else batch.slots
        sweep = (*self.rightwards[1:], *self.leftwards[-2::-1])
        for batch in one_by_one((*sweep * SWEEPS, *self.halves * ROUNDS), report):
            batch.reorder(place)
        return _switched(self.column, self.links, place)


@dataclass(frozen=True)
class _Batch:
    """Items, sorted by column, that move at the same time to the mean place of their neighbours."""

    items: Ints
    column: Ints
    slots: Floats  # the places of the columns' items from top to bottom
    own: Ints  # per link: which of the items
    neighbour: Ints
    offset: Floats
    count: Ints  # links of each item

    def reorder(self, place: Floats) -> None:
        if len(self.items) < 2:
            return
        pull = np.bincount(self.own, place[self.neighbour] + self.offset, len(self.items))
        ideal = np.where(self.count > 0, pull / np.maximum(self.count, 1), place[self.items])
        place[self.items[np.lexsort((ideal, self.column))]] = self.slots


def _batches(group: Ints, column: Ints, own: Ints, neighbour: Ints, offset: Floats) -> list[_Batch]:
    """A batch for each group of items, with the links from them to their neighbours."""
    items, links = np.lexsort((column, group)), np.argsort(group[own], kind="stable")
    own, neighbour, offset = own[links], neighbour[links], offset[links]
    edges = np.arange(group.max(initial=0) + 2)
    of_items, of_links = np.searchsorted(group[items], edges), np.searchsorted(group[own], edges)
    batches, local = [], np.empty(len(column), dtype=np.intp)
    for part, link in zip(map(slice, of_items, of_items[1:]), map(slice, of_links, of_links[1:]), strict=True):
        some = items[part]
        local[some] = np.arange(len(some))
        count = np.bincount(local[own[link]], minlength=len(some))
        slots = _centred(column[some])
        batches.append(_Batch(some, column[some], slots, local[own[link]], neighbour[link], offset[link], count))
    return batches


def _centred(column: Ints) -> Floats:
    """For sorted columns the places 0, 1, 2 ... of each column's items, moved so that their mean is 0."""
    first, last = np.searchsorted(column, column), np.searchsorted(column, column, side="right") - 1
    return np.arange(len(column)) - (first + last) / 2


def _switched(column: Ints, links: _Links, place: Floats) -> Floats:
    """Swap neighbours in a column as long as each swap makes fewer links cross; returns the new places.

    Every second column stands still while the pairs of the others are compared, all at the same time.
    """
    order = np.lexsort((place, column))
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    own, other = np.concatenate([links.target, links.source]), np.concatenate([links.source, links.target])
    sort = np.argsort(own, kind="stable")
    offset = np.concatenate([np.zeros(len(links.target)), links.offset])[sort]
    other, is_right = other[sort], (np.arange(len(own)) >= len(links.source))[sort]
    degree = np.bincount(own, minlength=len(order))
    first = np.cumsum(degree) - degree
    top = np.flatnonzero(column[order][:-1] == column[order][1:])
    parity = 2 * (column[order][top] % 2) + top % 2
    pairs_of = [top[parity == which] for which in range(4)]
    for _ in range(10):
        if not sum([_switch(spot, order, rank, degree, first, other, offset, is_right) for spot in pairs_of]):
            break
    placed = np.empty(len(order))
    placed[order] = _centred(column[order])
    return placed


def _switch(
    spot: Ints, order: Ints, rank: Ints, degree: Ints, first: Ints, other: Ints, offset: Floats, is_right: Any
) -> int:
    """Swap the items at ranks `spot` and `spot + 1` where fewer of their links cross then; returns how many."""
    upper, lower = order[spot], order[spot + 1]
    pairs = degree[upper] * degree[lower]
    pair = np.repeat(np.arange(len(spot)), pairs)
    step = np.arange(len(pair)) - np.repeat(np.cumsum(pairs) - pairs, pairs)
    a, b = first[upper][pair] + step // degree[lower][pair], first[lower][pair] + step % degree[lower][pair]
    below = rank[other[a]] + offset[a] - rank[other[b]] - offset[b]
    crossed = np.sign(below) * (is_right[a] == is_right[b])
    better = np.bincount(pair, crossed, len(spot)) > 0
    order[spot[better]], order[spot[better] + 1] = lower[better], upper[better]
    rank[lower[better]], rank[upper[better]] = spot[better], spot[better] + 1
    return int(np.sum(better))
