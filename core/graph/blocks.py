"""The blocks of a graph: repeated structure, such as layers and the turns of a loop, and modules that names tell.

A block is a stretch of the operations in order, so that no wire leads out of it and back in. Repeats need no names;
names of leaves such as `conv2_1_x1_weight` say which module an operation belongs to.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from cadena.core.graph.document import Document, Function
from cadena.core.graph.order import order
from cadena.core.graph.wiring import Wiring, wiring
from cadena.core.ops.primitive import REGISTRY

LEAST = 3  # equal parts in a row; fewer are shown one by one
WORTH = 6  # operations in a row: a repeat of fewer is not worth a card
LONGEST = 512  # parts of one repeat: a longer one is not looked for
MOST_OPERANDS = 6  # that are compared; of a sum of a hundred the first ones
IN_TITLE = 3  # operations
FEW = 24  # cards at first sight
SERIES = re.compile(r"(\d+|(?<=\d)[a-z])$")  # the end of a name that is one of several: 3 or 3a

ModulePath = tuple[str, ...]
PlaceRange = tuple[int, int]
BlockKey = tuple[str, str]


@dataclass(frozen=True)
class Block:
    """The operations from the place `start` to before `stop`. `parts` are smaller blocks, and places of operations."""

    title: str
    start: int
    stop: int
    parts: tuple[Block | int, ...]
    count: int = 1  # of equal parts

    @property
    def span(self) -> PlaceRange:
        return self.start, self.stop


@dataclass(frozen=True)
class ClosedBlock:
    """A block that is shown as one card, in the name of its last result.

    results: the operations in it whose values are used outside, or nowhere; the output comes last
    opens: the key of the block that is open after a click
    """

    title: str
    count: int
    members: tuple[str, ...]
    results: tuple[str, ...]
    opens: BlockKey

    @property
    def last(self) -> str:
        return self.results[-1]

    @property
    def size(self) -> str:
        """How much it stands for, in words."""
        return f"× {self.count}" if self.count > 1 else f"{len(self.members)} nodes"


class Blocks:
    """The blocks of one document. `order` has the numbers of its operations, operands before consumers.

    root: the whole graph
    place: of each node in `order`; -1 for leaves
    first, last: for each node the places of the first and the last operation that needs it; an operation needs itself.
        Inputs are those of the whole graph, and have -1, as leaves do that nothing needs.
    """

    def __init__(self, document: Document, wired: Wiring | None = None) -> None:
        """`wired` is the wiring of the document, where it is known."""
        self.wired = wired or wiring(document.nodes)
        self.order = _operations(document, self.wired)
        self.place = np.full(len(self.wired.names), -1)
        self.place[self.order] = np.arange(len(self.order))
        source, target, _ = self.wired.wires.T
        self.first, self.last = self.place.copy(), self.place.copy()
        leaf = self.wired.leaves[source]
        self.first[self.wired.leaves] = len(self.order)
        np.minimum.at(self.first, source[leaf], self.place[target[leaf]])
        np.maximum.at(self.last, source[leaf], self.place[target[leaf]])
        self.last[self.wired.is_of("input")] = -1
        self.first[self.last < 0] = -1
        structures = _Likeness(document.functions, self.wired, self.order, self.place)
        parts = _Finder(self, structures, _paths(self)).parts()
        self.root = Block(document.title, 0, len(self.order), parts)

    def name(self, place: int) -> str:
        """The name of the operation at a place."""
        return self.wired.names[int(self.order[place])]

    def key(self, block: Block) -> BlockKey:
        """What a block is known by after an edit elsewhere: its first and its last operation."""
        return self.name(block.start), self.name(block.stop - 1)

    def closed(self, block: Block, document: Document, opens: BlockKey) -> ClosedBlock:
        """A block as one card of the document."""
        inside = (self.first >= block.start) & (self.last < block.stop)
        names = tuple(self.wired.names[number] for number in np.flatnonzero(inside).tolist())
        return ClosedBlock(block.title, block.count, names, results(document, self.wired, inside), opens)

    @property
    def at_first(self) -> frozenset[BlockKey]:
        """The blocks that are open at first sight: level by level, as long as few cards are shown."""
        return self._at_first[0]

    @property
    def shown_at_first(self) -> int:
        """How many operations and closed blocks are shown at first sight."""
        return self._at_first[1]

    @cached_property
    def _at_first(self) -> tuple[frozenset[BlockKey], int]:
        opened, shown = set[BlockKey](), list(self.root.parts)
        while closed := [part for part in shown if isinstance(part, Block) and part.count == 1]:
            there = [
                inner
                for part in shown
                for inner in (part.parts if isinstance(part, Block) and part.count == 1 else (part,))
            ]
            if len(there) > FEW:
                break
            opened |= {self.key(part) for part in closed}
            shown = there
        return frozenset(opened), len(shown)


def own_leaves(wired: Wiring) -> np.ndarray:
    """For each node whether it is a leaf that one operation uses, once."""
    once = np.bincount(wired.wires[:, 0], minlength=len(wired.names)) == 1
    own: np.ndarray = wired.leaves & once
    return own


def results(document: Document, wired: Wiring, inside: np.ndarray) -> tuple[str, ...]:
    """The nodes of those `inside` whose values are used outside, or nowhere; the output comes last."""
    source, target, _ = wired.wires.T
    used, leaves = np.zeros_like(inside), np.zeros_like(inside)
    used[source], leaves[source[~inside[target]]] = True, True
    output = wired.numbers.get(document.output or "", -1)
    known = [number for number in np.flatnonzero(inside & (leaves | ~used)).tolist() if number != output]
    known += [output] if output >= 0 and inside[output] else []
    return tuple(wired.names[number] for number in known or np.flatnonzero(inside)[-1:].tolist())


def _operations(document: Document, wired: Wiring) -> np.ndarray:
    """The numbers of the operations, operands before their consumers, in document order where possible."""
    source, target, _ = wired.wires.T
    if (source < target).all():
        return np.flatnonzero(~wired.leaves)
    ordered = np.fromiter(map(wired.numbers.__getitem__, order(document)[0]), np.intp)
    operations: np.ndarray = ordered[~wired.leaves[ordered]]
    return operations


class _Likeness:
    """What operations in a row have in common with others: their kinds, and the wires between them."""

    def __init__(self, functions: Mapping[str, Function], wired: Wiring, order_: np.ndarray, place: np.ndarray) -> None:
        known = dict[object, int]()
        kinds = [known.setdefault(_kind(functions, kind), len(known)) for kind in wired.kinds]
        self._codes = np.array(kinds)[wired.columns.codes[order_]]
        self._back = np.zeros((len(order_), MOST_OPERANDS), dtype=np.intp)  # places back to each operand; 0 for leaves
        source, target, slot = wired.wires.T
        inner = (place[source] >= 0) & (slot < MOST_OPERANDS)
        ends = place[target[inner]]
        self._back[ends, slot[inner]] = ends - place[source[inner]]
        self._known = dict[tuple[bytes, bytes], int]()
        self.crossing = np.cumsum(_crossing(place[source[inner]], ends, len(order_)))

    def of(self, start: int, stop: int) -> int:
        """A number for the structure of a stretch: equal for those that are built alike."""
        if stop == start + 1:
            return -1 - int(self._codes[start])
        back = self._back[start:stop]
        inside = np.where(back <= np.arange(stop - start)[:, None], back, 0)
        key = self._codes[start:stop].tobytes(), inside.tobytes()
        return self._known.setdefault(key, len(self._known))


def _kind(functions: Mapping[str, Function], kind: str) -> object:
    """What operations of a kind have in common: functions of the same operations are alike."""
    function = functions.get(kind)
    return kind if function is None else tuple(_kind(functions, node.op) for node in function.nodes.values())


def _crossing(source: np.ndarray, target: np.ndarray, count: int) -> np.ndarray:
    """How many more values pass the border before each place than the one before it."""
    until = np.zeros(count, dtype=np.intp)
    np.maximum.at(until, source, target)
    begin = np.flatnonzero(until)
    return np.bincount(begin + 1, minlength=count + 2) - np.bincount(until[begin] + 1, minlength=count + 2)


class _Finder:
    """The blocks in stretches of operations."""

    def __init__(self, blocks: Blocks, structures: _Likeness, paths: Sequence[ModulePath]) -> None:
        self._blocks, self._paths = blocks, paths
        self._of, self._crossing = structures.of, structures.crossing

    def parts(self) -> tuple[Block | int, ...]:
        """The parts of the whole graph."""
        return self._within(self._named((0, len(self._paths)), 0), 0, "")

    def _named(self, span: PlaceRange, depth: int) -> list[PlaceRange]:
        """The stretches with one name at a depth. What comes after the end of a series of equal ones is not the last
        one's: a loss is no part of the last layer."""
        spans = list[PlaceRange]()
        for start, stop in _with_one_name(self._paths, *span, depth):
            long = spans[-1][1] - spans[-1][0] if spans else 0
            if 1 < long < stop - start and self._of(start, start + long) == self._of(*spans[-1]):
                spans += [(start, start + long), *((place, place + 1) for place in range(start + long, stop))]
            else:
                spans.append((start, stop))
        return spans

    def _within(self, spans: Sequence[PlaceRange], depth: int, around: str) -> tuple[Block | int, ...]:
        """The parts that lie in these spans, which follow each other: repeats of several become one."""
        is_named = any(stop > start + 1 and len(self._paths[start]) > depth for start, stop in spans)
        if len(spans) < (LEAST if is_named else WORTH):  # as in most turns of a loop
            return tuple(self._part(span, depth, around) for span in spans)
        kinds, named = self._kinds(spans, depth)
        parts, at = list[Block | int](), 0
        for begin, end, period in _repeats(kinds, named, lambda place: self._cost(spans, place)):
            turns = [spans[turn : turn + period] for turn in range(begin, end, period)]
            count = _alike([self._of(turn[0][0], turn[-1][1]) for turn in turns])
            for first, many in count:
                if many < LEAST:
                    continue
                here = begin + first * period
                parts += [self._part(span, depth, around) for span in spans[at:here]]
                parts.append(self._repeat(turns[first : first + many], depth, around))
                at = here + many * period
        return (*parts, *(self._part(span, depth, around) for span in spans[at:]))

    def _kinds(self, spans: Sequence[PlaceRange], depth: int) -> tuple[np.ndarray, np.ndarray]:
        """A number for the kind of each span, and whether it has a name. Of those with names a series such as fire6,
        fire7 is of one kind, and others are not, however alike they are."""
        named = np.array([stop > start + 1 and len(self._paths[start]) > depth for start, stop in spans], dtype=bool)
        known = dict[tuple[int, str], int]()
        kinds = []
        for span, has_name in zip(spans, named.tolist(), strict=True):
            series = SERIES.sub("", self._paths[span[0]][depth]) if has_name else ""
            kinds.append(known.setdefault((self._of(*span), series), len(known)))
        return np.array(kinds, dtype=np.intp), named

    def _cost(self, spans: Sequence[PlaceRange], place: int) -> int:
        """How many values pass the border before a span."""
        return int(self._crossing[spans[place][0]]) if place < len(spans) else 0

    def _repeat(self, turns: Sequence[Sequence[PlaceRange]], depth: int, around: str) -> Block:
        parts = tuple(self._turn(turn, depth, around) for turn in turns)
        title = title_of([part.title for part in parts if isinstance(part, Block) and part.title])
        kinds = [self._kind(place) for place in range(turns[0][0][0], turns[0][-1][1])]
        is_named = any(len(self._paths[place]) > depth for place in range(*turns[0][0]))
        title = title if is_named and title else _of_operations(kinds)
        return Block(title, turns[0][0][0], turns[-1][-1][1], parts, len(parts))

    def _turn(self, turn: Sequence[PlaceRange], depth: int, around: str) -> Block | int:
        if len(turn) == 1:
            return self._part(turn[0], depth, around)
        start, stop = turn[0][0], turn[-1][1]
        title = next(
            (_title(self._paths[a], depth, around) for a, b in turn if b > a + 1 and len(self._paths[a]) > depth), ""
        )
        return Block(title or self._blocks.name(stop - 1), start, stop, self._within(turn, depth, around))

    def _part(self, span: PlaceRange, depth: int, around: str) -> Block | int:
        """The block that names hold together; one operation is none, and of blocks in each other the largest is one."""
        start, stop = span
        if stop == start + 1:
            return start
        title = _title(self._paths[start], depth, around)
        parts = self._within(self._named(span, depth + 1), depth + 1, title)
        if len(parts) == 1 and isinstance(parts[0], Block):
            one = parts[0]
            return Block(title, start, stop, one.parts, one.count) if one.count > 1 else one
        return Block(title, start, stop, parts)

    def _kind(self, place: int) -> str:
        wired = self._blocks.wired
        return wired.kinds[int(wired.columns.codes[self._blocks.order[place]])]


def _repeats(kinds: np.ndarray, named: np.ndarray, cost: Callable[[int], int]) -> list[tuple[int, int, int]]:
    """The repeats in a row of kinds, each from where to where and how long one turn is: the longest first of all, then
    those with the shortest turns; in order, and none over another. A turn has at most one part with a name."""
    waiting, names = list[tuple[int, int, int]](), np.cumsum([0, *named])
    for period in range(1, min(len(kinds) // LEAST, LONGEST) + 1):
        differs = np.flatnonzero(kinds[period:] != kinds[:-period])
        edges = np.concatenate([[-1], differs, [len(kinds) - period]])
        for run in np.flatnonzero(np.diff(edges) > (LEAST - 1) * period).tolist():
            begin, end = int(edges[run]) + 1, int(edges[run + 1]) + period
            named_parts = names[begin + period] - names[begin]
            if named_parts == 1 or (not named_parts and end - begin >= WORTH):
                waiting.append((begin - end, period, begin))
    heapq.heapify(waiting)
    free = np.ones(len(kinds), dtype=bool)
    repeats = list[tuple[int, int, int]]()
    while waiting:
        length, period, begin = heapq.heappop(waiting)
        end = begin - length
        if not free[begin:end].all():
            for start, stop in _free(free, begin, end):
                if stop - start >= max(LEAST * period, WORTH * (names[stop] == names[start])):
                    heapq.heappush(waiting, (start - stop, period, start))
            continue
        turns = (end - begin) // period
        begin = min(range(begin, end - turns * period + 1), key=lambda place: (cost(place), place))
        repeats.append((begin, begin + turns * period, period))
        free[begin : begin + turns * period] = False
    return sorted(repeats)


def _free(free: np.ndarray, begin: int, end: int) -> Iterator[PlaceRange]:
    """The stretches that are free between two places."""
    edges = np.flatnonzero(np.diff(free[begin:end].astype(np.int8), prepend=0, append=0)) + begin
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def _alike(structures: Sequence[int]) -> list[PlaceRange]:
    """Where turns are built alike, and how many: (first, count)."""
    edges = [0, *(at + 1 for at, (one, other) in enumerate(pairwise(structures)) if one != other), len(structures)]
    return [(begin, end - begin) for begin, end in pairwise(edges)]


# --- names


def _with_one_name(paths: Sequence[ModulePath], start: int, stop: int, depth: int) -> Iterator[PlaceRange]:
    """The stretches of operations with one name at a depth; those without are alone."""
    begin = start
    for place in range(start + 1, stop + 1):
        here = paths[begin][: depth + 1]
        if place == stop or len(here) <= depth or paths[place][: depth + 1] != here:
            yield begin, place
            begin = place


def _paths(blocks: Blocks) -> list[ModulePath]:
    """The path of each operation: that of its own leaves, else what its operands and neighbours share."""
    wired, order_ = blocks.wired, blocks.order
    own, paths = own_leaves(wired), list[ModulePath]([()] * len(order_))
    if not any("_" in wired.names[number] for number in np.flatnonzero(own).tolist()):
        return paths
    first, counts = wired.entries
    named = np.zeros(
        len(wired.names), dtype=int
    )  # the leaves with a module that a node is made of, as far as these are all
    is_named, operands, is_input = np.zeros(len(order_), dtype=bool), list[list[int]](), wired.is_of("input")
    for place, number in enumerate(order_.tolist()):
        sources = wired.wires[first[number] : first[number] + counts[number], 0].tolist()
        known = [path for source in sources if own[source] and (path := module_of(wired.names[source]))]
        inner = [int(blocks.place[source]) for source in sources if blocks.place[source] >= 0]
        is_prepared = [named[order_[one]] == 1 for one in inner]
        known = known or [paths[one] for one, alone in zip(inner, is_prepared) if alone]
        named[number] = len(known) if all(is_prepared) and not is_input[sources].any() else 0
        is_named[place], paths[place] = bool(known), _shared(known)
        operands.append([one for one, alone in zip(inner, is_prepared) if not alone])
    _fill(paths, is_named.tolist(), operands, [_joins(wired, number) for number in order_.tolist()])
    return paths


def _fill(
    paths: list[ModulePath], is_named: Sequence[bool], operands: Sequence[Sequence[int]], joins: Sequence[bool]
) -> None:
    """Give paths to the operations without leaves of their own."""
    after, coming = list[ModulePath]([()] * len(paths)), ModulePath()
    for place in reversed(range(len(paths))):
        after[place] = coming
        coming = paths[place] if is_named[place] else coming
    before: ModulePath = ()
    for place in range(len(paths)):
        if is_named[place]:
            before = paths[place]
        else:
            shared = _shared([paths[one] for one in operands[place]]) if joins[place] else ()
            paths[place] = max(shared, _shared([before, after[place]]), key=len)


def _joins(wired: Wiring, number: int) -> bool:
    """Whether an operation belongs to what it is done to: it acts on each element, or puts parts together."""
    primitive = REGISTRY.get(wired.kinds[int(wired.columns.codes[number])])
    return primitive is not None and (primitive.elementwise or primitive.variadic)


def module_of(name: str) -> ModulePath:
    """The module that a leaf belongs to by its name: (layers, 0) for layers_0_weight and for layers_0_weight_0."""
    words = [word for word in name.split("_") if word]
    while len(words) > 1 and words[-1].isdigit():
        words.pop()
    return tuple(words[:-1])


def _shared(paths: Sequence[ModulePath]) -> ModulePath:
    """What paths have in common from their begin on."""
    if not paths:
        return ()
    low, high = min(paths), max(paths)
    same = next((at for at, (a, b) in enumerate(zip(low, high)) if a != b), min(len(low), len(high)))
    return low[:same]


def _title(path: ModulePath, depth: int, around: str) -> str:
    """The last word of a path up to a depth; a number alone comes with the title around it."""
    word = path[depth]
    return word if not word.isdigit() or not around else f"{around}_{word}"


def title_of(titles: Sequence[str]) -> str:
    """One title for several: conv2_1–6 for conv2_1 to conv2_6."""
    if not titles or len({SERIES.sub("", title) for title in titles}) > 1:
        return ""
    end = SERIES.search(titles[-1])
    return f"{titles[0]}–{end[0]}" if end and titles[0] != titles[-1] else titles[0]


def _of_operations(kinds: Sequence[str]) -> str:
    """A title by what is done: conv2d + add + relu."""
    known = list(dict.fromkeys(kinds))
    return " + ".join(known[:IN_TITLE]) + (" …" if len(known) > IN_TITLE else "")
