"""The layout of a graph with blocks: a closed one is one card, an open one a frame around a layout of its own."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

import numpy as np

from cadena.core.graph.blocks import Block, BlockKey, Blocks, title_of
from cadena.core.layout.arrange import CardSize, arranged

PADDING = 20.0  # canvas units between a frame and its cards
TITLE = 28.0  # the row above them
Edges = tuple[float, float, float, float]  # left, top, right, bottom


class PlacedCard(NamedTuple):
    """A card: that of a node, or of a closed block, which `opens` with the block of this key."""

    node: int | None
    block: Block | None
    edges: Edges
    opens: BlockKey | None = None


class PlacedFrame(NamedTuple):
    """An open block."""

    block: Block
    edges: Edges


class NestedPlaces(NamedTuple):
    """Everything in its place, with the top left corner at (0, 0). Frames come before those within them."""

    size: CardSize
    cards: tuple[PlacedCard, ...]
    frames: tuple[PlacedFrame, ...]


InLevel = int | Block  # what stands in a level: the place of an operation, or a block
LevelPart = tuple[InLevel, BlockKey | None]  # with the key that opens it


class _Open(NamedTuple):
    """What is open: blocks by hand, and those around places of operations."""

    by_hand: frozenset[BlockKey]
    kept: list[int]
    chosen: list[int]

    def holds(self, part: InLevel) -> bool:
        """Whether a part is open, or is shown, for the sake of an operation in it; asked of thousands in each step."""
        start, stop = (part, part + 1) if isinstance(part, int) else part.span
        kept, chosen = (bisect_left(some, stop) - bisect_left(some, start) for some in (self.kept, self.chosen))
        return kept > 0 or 0 < chosen < stop - start or (isinstance(part, int) and chosen > 0)


class NestedLayout:
    """Layouts of one graph by what is open. Each level is arranged once for the sizes of what stands in it.

    sizes: the width and height of each node's card
    inside: for each node whether it is a leaf that stands inside the card of its operation
    closed_size: the size of the card of a closed block
    """

    def __init__(
        self, blocks: Blocks, sizes: np.ndarray, inside: np.ndarray, closed_size: Callable[[Block], CardSize]
    ) -> None:
        self.blocks, self.sizes, self.inside, self._closed_size = blocks, sizes, inside, closed_size
        source, target, slot = blocks.wired.wires.T
        ordered = np.argsort(blocks.place[target], kind="stable")
        self._source, self._target = source[ordered], blocks.place[target[ordered]]
        self._share = (slot + 1.0) / (blocks.wired.arity[target] + 1.0) - 0.5
        self._share = self._share[ordered]
        self._levels = dict[tuple[object, ...], list[tuple[float, float]]]()

    def places(
        self, opened: Collection[BlockKey], kept: Collection[int] = (), chosen: Collection[int] = ()
    ) -> NestedPlaces:
        """The layout in which these blocks are open, and those around the operations at the places `kept`; a block with
        `chosen` ones too, unless it is chosen as a whole."""
        kept_, chosen_ = (sorted(set(map(int, some))) for some in (kept, chosen))
        return self._level(self.blocks.root, _Open(frozenset(opened), kept_, chosen_))

    def _level(self, block: Block, open_: _Open) -> NestedPlaces:
        parts = list(self._parts(block, open_))
        inner = {
            number: self._level(part, open_)
            for number, (part, _) in enumerate(parts)
            if isinstance(part, Block) and self._is_open(part, open_)
        }
        leaves = self._leaves(block, [part for part, _ in parts])
        sizes = [self._size(leaf) for leaf in leaves]
        for number, (part, _) in enumerate(parts):
            if number in inner:
                wide, high = inner[number].size
                sizes.append((wide + 2 * PADDING, high + 2 * PADDING + TITLE))
            else:
                sizes.append(
                    self._size(int(self.blocks.order[part])) if isinstance(part, int) else self._closed_size(part)
                )
        key = (
            block.span,
            tuple(leaves),
            tuple(part if isinstance(part, int) else part.span for part, _ in parts),
            *sizes,
        )
        if key not in self._levels:
            wires = self._wires(block, [part for part, _ in parts], leaves)
            self._levels[key] = arranged(sizes, wires, range(len(sizes)))
        places = self._levels[key]
        cards, frames = list[PlacedCard](), list[PlacedFrame]()
        for leaf, place, size in zip(leaves, places, sizes, strict=False):
            cards.append(PlacedCard(leaf, None, _box(place, size)))
        for number, ((part, opens), place, size) in enumerate(
            zip(parts, places[len(leaves) :], sizes[len(leaves) :], strict=True)
        ):
            if isinstance(part, int):
                cards.append(PlacedCard(int(self.blocks.order[part]), None, _box(place, size)))
            elif number in inner:
                shift = place[0] + PADDING, place[1] + PADDING + TITLE
                frames.append(PlacedFrame(part, _box(place, size)))
                frames += [one._replace(edges=_moved(one.edges, shift)) for one in inner[number].frames]
                cards += [one._replace(edges=_moved(one.edges, shift)) for one in inner[number].cards]
            else:
                cards.append(PlacedCard(None, part, _box(place, size), opens))
        right, bottom = np.max([(x + wide, y + high) for (x, y), (wide, high) in zip(places, sizes)], axis=0).tolist()
        return NestedPlaces((right, bottom), tuple(cards), tuple(frames))

    def _size(self, node: int) -> CardSize:
        wide, high = self.sizes[node].tolist()
        return wide, high

    def _parts(self, block: Block, open_: _Open) -> Iterator[tuple[InLevel, BlockKey | None]]:
        """What stands in an open block: places of operations and blocks, each with the key that opens it. A repeat that
        is open for the sake of a few turns is cut into these and the runs between them."""
        for part in block.parts:
            if isinstance(part, int):
                yield part, None
            elif part.count == 1 or self.blocks.key(part) in open_.by_hand or not open_.holds(part):
                yield part, self.blocks.key(part)
            else:
                for is_kept, run in groupby(part.parts, lambda turn: open_.holds(turn)):
                    turns = tuple(run)
                    if is_kept or len(turns) == 1:
                        yield from (
                            (turn, self.blocks.key(turn) if isinstance(turn, Block) else None) for turn in turns
                        )
                    else:
                        yield self._run(part, turns), self.blocks.key(part)

    def _run(self, repeat: Block, turns: tuple[InLevel, ...]) -> Block:
        titles = [turn.title for turn in turns if isinstance(turn, Block)]
        first, last = turns[0], turns[-1]
        start = first if isinstance(first, int) else first.start
        stop = last + 1 if isinstance(last, int) else last.stop
        is_series = repeat.title == title_of([turn.title for turn in repeat.parts if isinstance(turn, Block)])
        return replace(
            repeat, title=title_of(titles) if is_series else repeat.title, start=start, stop=stop, parts=turns,
            count=len(turns),
        )  # fmt: skip

    def _is_open(self, part: Block, open_: _Open) -> bool:
        return self.blocks.key(part) in open_.by_hand or (part.count == 1 and open_.holds(part))

    def _leaves(self, block: Block, parts: list[InLevel]) -> list[int]:
        """The leaves that stand in a level beside its parts: those that several of them use, or an operation."""
        blocks, (first, last) = self.blocks, self._rows(block)
        leaves = np.unique(self._source[first:last])
        leaves = leaves[blocks.wired.leaves[leaves] & ~self.inside[leaves]]
        leaves = leaves[(blocks.first[leaves] >= block.start) & (blocks.last[leaves] < block.stop)]
        begins, is_block = _begins(parts), np.array([isinstance(part, Block) for part in parts], dtype=bool)
        from_, to = (np.searchsorted(begins, side[leaves], "right") - 1 for side in (blocks.first, blocks.last))
        own: list[int] = leaves[(from_ != to) | ~is_block[from_]].tolist()
        if block is blocks.root:
            own += np.flatnonzero(blocks.wired.leaves & (blocks.last < 0)).tolist()
        return own

    def _wires(self, block: Block, parts: list[InLevel], leaves: list[int]) -> list[tuple[int, int, float]]:
        """The wires between what stands in a level, by number: its leaves, then its parts."""
        blocks, (first, last) = self.blocks, self._rows(block)
        source, target, share = (side[first:last] for side in (self._source, self._target, self._share))
        begins = _begins(parts)
        item = np.full(len(blocks.wired.names), -1)
        inside = blocks.order[block.start : block.stop]
        item[inside] = np.searchsorted(begins, blocks.place[inside], "right") - 1 + len(leaves)
        item[leaves] = np.arange(len(leaves))
        begin, end = item[source], np.searchsorted(begins, target, "right") - 1 + len(leaves)
        between = (begin >= 0) & (begin != end)
        is_card = np.array([isinstance(part, int) for part in parts], dtype=bool)
        share = np.where(is_card[end - len(leaves)], share, 0.0)[between]
        pairs, at = np.unique(np.column_stack([begin[between], end[between]]), axis=0, return_index=True)
        return list(zip(*pairs.T.tolist(), share[at].tolist(), strict=True))

    def _rows(self, block: Block) -> tuple[int, int]:
        """From where to where the wires into the operations of a block are."""
        first, last = np.searchsorted(self._target, block.span).tolist()
        return first, last


def _begins(parts: list[InLevel]) -> np.ndarray:
    return np.array([part if isinstance(part, int) else part.start for part in parts], dtype=np.intp)


def _box(place: tuple[float, float], size: CardSize) -> Edges:
    return place[0], place[1], place[0] + size[0], place[1] + size[1]


def _moved(box: Edges, way: tuple[float, float]) -> Edges:
    return box[0] + way[0], box[1] + way[1], box[2] + way[0], box[3] + way[1]
