"""The height of each card in its column: the second half of the automatic layout.

Each card wants to be level with the ports that it is wired to, each bend to lie on the curve of its wire. Column by
column, back and forth, they take the places nearest to that which keep the order of the cards and the gaps.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from cadena.core.layout.columns import Columns
from cadena.core.text.progress import Report, one_by_one, unreported

CARD_GAP = 32.0  # between two cards of a column, and between a card and a wire that passes
WIRE_GAP = 8.0  # between two wires that pass
SWEEPS = range(2, 7)  # from left to right and back: fewer for large graphs, for the sake of time
SWEPT_ITEMS = 6000
CONSUMER_PULL = 0.2  # a card is centred on its operands first of all, then drawn to its consumers
BEND_PULL = 2.0  # a wire in the way of cards draws its ends after itself
BEND_WEIGHT, LEAF_WEIGHT = 4.0, 0.25  # who gives way: leaves first, passing wires last, other cards (1) between
TALLEST_BEND = 60.0  # else steep wires would drive cards apart, become steeper by it, and so on
CURVED_PART = 0.75  # of the distance between columns that a card covers, while a wire rises or falls beside it


@dataclass(slots=True)
class _Bend:
    """The point where a wire passes a column: at `part` of its rise, with a slope of `slope` times its rise."""

    source: int
    target: int
    below: float  # from the middle of the target's card down to the port
    part: float
    slope: float


def make_levels(columns: Columns, heights: list[float], report: Report = unreported) -> list[float]:
    """The y of the middle of each node's card, from the cards' heights."""
    levels = _Levels(columns, heights)
    there = range(len(columns.members))
    sweeps = min(max(SWEPT_ITEMS // (len(columns.column) + 1), SWEEPS[0]), SWEEPS[-1])
    for column in one_by_one([*there, *reversed(there)] * sweeps, report):
        levels.settle(column)
    return levels.level[: len(heights)]


class _Levels:
    def __init__(self, columns: Columns, heights: list[float]) -> None:
        self.count, wires = columns.wires.count, columns.wires
        column = columns.column.tolist()
        ends = list(zip(wires.source.tolist(), wires.target.tolist(), wires.offset.tolist()))
        self.bends = [
            _bend(column[item], column, heights, *ends[wire])
            for item, wire in enumerate(columns.bend_wire.tolist(), self.count)
        ]
        self.pulls = self._pulls(ends, heights)
        self.weights = [LEAF_WEIGHT] * self.count + [BEND_WEIGHT] * len(self.bends)
        for _, target, _ in ends:
            self.weights[target] = 1.0
        self.members = [items.tolist() for items in columns.members]
        self.tall = heights + [0.0] * len(self.bends)
        self.level = [0.0] * len(self.tall)
        for items in self.members:
            gaps = self._gaps(items)
            for item, y in zip(items, _spread([0.0] * len(items), [1.0] * len(items), gaps)):
                self.level[item] = y

    def _pulls(self, ends: list[tuple[int, int, float]], heights: list[float]) -> list[list[tuple[int, float, float]]]:
        """The pulls on each item: (other item, ideal distance below it, strength)."""
        pulls: list[list[tuple[int, float, float]]] = [[] for _ in range(self.count + len(self.bends))]
        for source, target, offset in ends:
            pulls[source].append((target, offset * heights[target], CONSUMER_PULL))
            pulls[target].append((source, -offset * heights[target], 1.0))
        for item, bend in enumerate(self.bends, self.count):
            pulls[item] = [(bend.source, 0.0, 1.0 - bend.part), (bend.target, bend.below, bend.part)]
            pulls[bend.source].append((item, 0.0, BEND_PULL * (1.0 - bend.part)))
            pulls[bend.target].append((item, -bend.below, BEND_PULL * bend.part))
        return pulls

    def settle(self, column: int) -> None:
        """Move the items of a column to the best places, given the other columns."""
        ideal = {item: self._ideal(item) for item in self.members[column]}
        if len(ideal) == 1:
            self.level.__setitem__(*ideal.popitem())
            return
        for item in ideal:
            if item >= self.count:
                bend = self.bends[item - self.count]
                rise = self.level[bend.target] + bend.below - self.level[bend.source]
                self.tall[item] = min(abs(rise * bend.slope), TALLEST_BEND)
        items = self.members[column] = self._merged(ideal)
        places = _spread([ideal[item] for item in items], [self.weights[item] for item in items], self._gaps(items))
        for item, y in zip(items, places):
            self.level[item] = y

    def _ideal(self, item: int) -> float:
        pull = weight = 0.0
        for other, below, strength in self.pulls[item]:
            pull += strength * (self.level[other] + below)
            weight += strength
        return pull / weight if weight else self.level[item]

    def _merged(self, ideal: dict[int, float]) -> list[int]:
        """The column's cards in their order, and its bends on the side of them where their wires pass."""
        cards = [item for item in ideal if item < self.count]
        merged: list[int] = []
        for bend in sorted((item for item in ideal if item >= self.count), key=ideal.__getitem__, reverse=True):
            while cards and ideal[cards[-1]] > ideal[bend]:
                merged.append(cards.pop())
            merged.append(bend)
        return (merged + cards[::-1])[::-1]

    def _gaps(self, items: list[int]) -> list[float]:
        """The distances to keep between the middles of neighbours in a column."""
        count, tall = self.count, self.tall
        return [
            (tall[a] + tall[b]) / 2 + (WIRE_GAP if a >= count and b >= count else CARD_GAP) for a, b in pairwise(items)
        ]


def _bend(here: int, column: list[int], heights: list[float], source: int, target: int, offset: float) -> _Bend:
    span = column[target] - column[source]
    part = (here - column[source]) / span
    slope = 6.0 * part * (1.0 - part) / span * CURVED_PART  # of the curve 3 t^2 - 2 t^3, nearly that of the wire
    return _Bend(source, target, offset * heights[target], part * part * (3.0 - 2.0 * part), slope)


def _spread(ideal: list[float], weights: list[float], gaps: list[float]) -> list[float]:
    """The places nearest to `ideal` (least squares, weighted) that keep the order and these distances at least.

    Isotonic regression by pooling adjacent violators; linear time.
    """
    blocks: list[tuple[float, float, int]] = []  # (weighted sum, weight, items)
    shift, shifts = 0.0, []
    for place, weight, gap in zip(ideal, weights, [0.0, *gaps]):
        shift += gap
        shifts.append(shift)
        total, heavy, items = weight * (place - shift), weight, 1
        while blocks and blocks[-1][0] * heavy >= total * blocks[-1][1]:
            before = blocks.pop()
            total, heavy, items = total + before[0], heavy + before[1], items + before[2]
        blocks.append((total, heavy, items))
    levels = [total / heavy for total, heavy, items in blocks for _ in range(items)]
    return [level + shift for level, shift in zip(levels, shifts)]
