"""Automatic placement: cards in columns from left to right, few crossing wires, nearly straight ones, no overlaps.

`layout.columns` chooses the columns and the order in them, `layout.heights` the heights of the cards.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from cadena.core.graph import order as graph
from cadena.core.graph.document import LEAVES, Document, Node, Position, Tensor, is_within_reach
from cadena.core.graph.edits import fragment, slot_count
from cadena.core.layout.columns import Columns, Wires, layers, make_columns
from cadena.core.layout.heights import CARD_GAP, make_levels
from cadena.core.ops.primitive import REGISTRY, Shape
from cadena.core.run.plan import make_plan
from cadena.core.text.progress import Report, stretch, unreported

CardSize = tuple[float, float]
NUMBER_CARD: CardSize = (136.0, 88.0)  # the card of a single number, in canvas units
TITLE, WORD, CELL = 30.0, 20.0, 24.0  # the heights of a card's name, of the word over a map, and of one cell of it
INSET, MAP_GAP = 12.0, 8.0  # beside the maps of a tensor, and below each
MAX_ROWS = 4  # of a map whose cells are as high as that; more share the room of these
TENSOR_WIDTHS = (184.0, 232.0)  # of cards with up to WIDE columns of numbers, and of all others
WIDE = 3
SLOT_PITCH = 16.0  # the least distance of two slots; a card with many of them is higher
GRID = 8.0
PITCH = 200.0  # the least distance from column to column
COLUMN_GAP = 64.0  # between the cards of two columns
STEEPEST = 4.0  # how many times higher than wide the wires between two columns may be on average
PART_GAP = 72.0  # between parts of the graph that no wire joins
ROW_GAP = 88.0  # between rows, with room for the wires that run back from one to the next
ASPECT = 2.2  # width to height of a canvas
LINE = 2800.0  # a row at most so wide can be read in one piece
TOO_WIDE = 2.0  # times as wide as the canvas: the graph wraps
MAX_SETTLED = 10_000  # cards: in larger graphs nobody can follow a wire, and untangling them would take minutes
MAX_PLACED_SINGLY = 200  # up to so many cards without a place are put near their neighbours one by one


def arrange(document: Document, sizes: Mapping[str, CardSize] | None = None, report: Report = unreported) -> Document:
    """Give `document` a complete new layout, with the top left corner at (0, 0).

    `sizes` are the cards' widths and heights in canvas units; by default those of single numbers and of tensors.
    Wires that close a cycle and open slots are ignored. Time grows about linearly with nodes and wires.
    """
    sizes = sizes if sizes is not None else card_sizes(document)
    ordered, _ = graph.order(document)
    rank = {name: number for number, name in enumerate(ordered)}
    wires = [
        (rank[source], target, (slot + 1) / (len(document.nodes[name].inputs) + 1) - 0.5)
        for target, name in enumerate(ordered)
        for slot, source in enumerate(document.nodes[name].inputs)
        if source is not None and rank.get(source, target) < target  # neither open nor closing a cycle
    ]
    shown = [rank[name] for name in document.nodes]
    places = arranged([sizes.get(name, NUMBER_CARD) for name in ordered], wires, shown, report)
    return replace(document, layout={name: places[rank[name]] for name in document.nodes})


def arranged(
    boxes: Sequence[CardSize],
    wires: Sequence[tuple[int, int, float]],
    shown: Iterable[int],
    report: Report = unreported,
) -> list[Position]:
    """Places for cards of these sizes with these wires: source, target and offset as in `Wires`, operands before their
    consumers. Parts without a wire between them come one below the other, in the order of `shown`, then single cards.
    """
    places: list[Position] = [(0.0, 0.0)] * len(boxes)
    top, singles, done = 0.0, list[int](), 0.0
    for numbers, inside in _parts(len(boxes), wires, shown):
        begun, done = done, done + len(numbers) / len(boxes)
        report(begun)
        if len(numbers) == 1:
            singles += numbers
            continue
        own = [boxes[number] for number in numbers]
        within = stretch(report, begun, done)
        spots = _coordinates(inside, own, within) if len(numbers) <= MAX_SETTLED else _coarse(inside, own)
        for number, (x, y) in zip(numbers, spots, strict=True):
            places[number] = x, y + top
        top += max(y + height for (_, y), (_, height) in zip(spots, own, strict=True)) + PART_GAP
    for number, place in zip(singles, _rows([boxes[number] for number in singles], top), strict=True):
        places[number] = place
    return places


def card_sizes(document: Document) -> dict[str, CardSize]:
    """The size of each node's card: larger for tensors, as far as their shapes are known."""
    shapes = shapes_of(document)
    return {name: card_size(node, shapes.get(name)) for name, node in document.nodes.items()}


def shapes_of(document: Document) -> Mapping[str, Shape | None]:
    """The shape of each node that can be computed; none of single numbers."""
    if not may_hold_arrays(document.nodes.values()):
        return {}
    plan = make_plan(document, None, None)
    return dict(zip(plan.names, plan.shapes, strict=True))


def may_hold_arrays(nodes: Collection[Node]) -> bool:
    """Whether one of these nodes is an array, or may make one of single numbers: elementwise operations make none."""
    if any(isinstance(node.value, Tensor) for node in nodes):
        return True
    operations = {node.op for node in nodes} - {*LEAVES}
    return not all(op in REGISTRY and REGISTRY[op].elementwise for op in operations)


def card_size(node: Node, shape: Shape | None) -> CardSize:
    """The size of a node's card: larger for a tensor, and high enough for its slots to be distinguished."""
    width, height = tensor_card(shape) if shape else NUMBER_CARD
    return width, max(height, SLOT_PITCH * (slot_count(node) + 1))


def tensor_card(shape: tuple[int, ...]) -> CardSize:
    """The size of a card with two maps of this shape, large enough for the digits in their cells."""
    columns = shape[-1]
    rows = min(math.prod(shape[:-1]), MAX_ROWS)
    return TENSOR_WIDTHS[columns > WIDE], TITLE + 2.0 * (WORD + CELL * max(rows, 1) + MAP_GAP)


def _parts(
    count: int, wires: Sequence[tuple[int, int, float]], shown: Iterable[int]
) -> Iterator[tuple[list[int], Wires]]:
    """The connected parts of a graph, each as numbers, operands first, and the wires in it."""
    part_of = _joined(count, [(source, target) for source, target, _ in wires])
    members: dict[int, list[int]] = {part_of[number]: [] for number in shown}
    local = []
    for number, part in enumerate(part_of):
        local.append(len(members[part]))
        members[part].append(number)
    inside: dict[int, list[tuple[int, int, float]]] = {part: [] for part in members}
    for source, target, offset in wires:
        inside[part_of[target]].append((local[source], local[target], offset))
    for part, numbers in members.items():
        yield numbers, Wires.of(len(numbers), inside[part])


def _joined(count: int, pairs: Sequence[tuple[int, int]]) -> list[int]:
    """For each of `count` numbers a representative of all that the pairs join it to, directly or not."""
    root = list(range(count))

    def find(number: int) -> int:
        while root[number] != number:
            root[number] = number = root[root[number]]
        return number

    for a, b in pairs:
        root[find(a)] = find(b)
    return [find(number) for number in range(count)]


def _rows(boxes: Sequence[CardSize], top: float) -> list[Position]:
    """Places for cards without wires: rows of about equal length, below the rest."""
    width, height = (max((box[axis] for box in boxes), default=0.0) for axis in (0, 1))
    columns = max(4, round(len(boxes) ** 0.5))
    at = (divmod(number, columns) for number in range(len(boxes)))
    return [(column * max(PITCH, width + COLUMN_GAP), top + row * (height + CARD_GAP)) for row, column in at]


def _coordinates(wires: Wires, boxes: Sequence[CardSize], report: Report) -> list[Position]:
    """The top left corner of each node's card, the least x and y being 0."""
    columns = make_columns(wires, stretch(report, 0.0, 0.5))
    middle = make_levels(columns, [height for _, height in boxes], stretch(report, 0.5, 1.0))
    tops = [y - height / 2 for y, (_, height) in zip(middle, boxes)]
    highest = min(tops)
    left, lefts = 0.0, [0.0] * len(boxes)
    for members, gap in zip(columns.members, _column_gaps(columns, np.array(middle))):
        cards = [item for item in members.tolist() if item < len(boxes)]
        width = max((boxes[card][0] for card in cards), default=0.0)
        for card in cards:
            lefts[card] = left + (width - boxes[card][0]) / 2
        left += max(PITCH, width + gap)
    places = [(x, y - highest) for x, y in zip(lefts, tops)]
    return [(round(x) + 0.0, round(y) + 0.0) for x, y in _wrapped(places, boxes, columns.column[: len(boxes)], wires)]


def _wrapped(
    places: Sequence[Position], boxes: Sequence[CardSize], column: np.ndarray[Any, Any], wires: Wires
) -> Sequence[Position]:
    """The places in rows like text where one row would be a ribbon: cut where the fewest wires cross."""
    (x, y), (wide, high) = np.array(places).T, np.array(boxes).T
    width, height = float((x + wide).max()), float((y + high).max())
    if width <= max(LINE, TOO_WIDE * ASPECT * height):
        return places
    rows = max(round((width / (ASPECT * (height + ROW_GAP))) ** 0.5), 1)
    row = np.searchsorted(_cuts(x, column, wires, width / rows), column, side="right")
    top, wrapped = 0.0, np.column_stack([x, y])
    for number in range(int(row.max()) + 1):
        own = row == number
        wrapped[own] += (-x[own].min(), top - y[own].min())
        top += float((y + high)[own].max() - y[own].min()) + ROW_GAP
    return wrapped.tolist()  # type: ignore[no-any-return]


def _cuts(x: np.ndarray[Any, Any], column: np.ndarray[Any, Any], wires: Wires, line: float) -> list[int]:
    """The columns that begin a row after the first, in rows about as wide as `line`."""
    count = int(column.max()) + 1
    left = np.full(count, np.inf)
    np.minimum.at(left, column, x)
    entering = np.bincount(column[wires.source] + 1, minlength=count + 1)
    entering -= np.bincount(column[wires.target] + 1, minlength=count + 1)
    crossing = np.cumsum(entering)[:count]  # the wires over the left side of each column
    cuts, begin = list[int](), 0.0
    while left[-1] - begin > line:
        near = np.flatnonzero((left > begin + 0.75 * line) & (left <= begin + 1.1 * line))
        if not len(near):  # the end lies within a wide card, such as an open block
            later = np.flatnonzero(left > begin)
            near = later[[np.abs(left[later] - begin - line).argmin()]]
        away = np.abs(left[near] - begin - line) / line
        cut = int(near[np.argmin(crossing[near] + away)])
        cuts.append(cut)
        begin = float(left[cut])
    return cuts


def _column_gaps(columns: Columns, middle: np.ndarray[Any, Any]) -> list[float]:
    """The distance from each column to the next: more where wires are steep, so that they can be distinguished."""
    wires, count = columns.wires, len(columns.members)
    before = columns.column[wires.target] - 1
    rise = np.abs(middle[wires.target] - middle[wires.source])
    mean = np.bincount(before, rise, count) / np.maximum(np.bincount(before, minlength=count), 1)
    return np.maximum(COLUMN_GAP, mean / STEEPEST).tolist()  # type: ignore[no-any-return]


def _coarse(wires: Wires, boxes: Sequence[CardSize]) -> Sequence[Position]:
    """Columns by layer, from top to bottom as the nodes come: a graph too large to be read, in seconds."""
    width, height = (max(box[axis] for box in boxes) for axis in (0, 1))
    filled: Counter[int] = Counter()
    places, column = [], layers(wires)
    for layer in column:
        places.append((layer * max(PITCH, width + COLUMN_GAP), filled[layer] * (height + CARD_GAP)))
        filled[layer] += 1
    return _wrapped(places, boxes, np.array(column), wires)


def complete(document: Document, report: Report = unreported) -> Document:
    """Give places to the nodes that have none, or one out of reach; all others stay, and none is covered.

    A few are put near their neighbours one by one; many are arranged as a graph of their own, below the rest.
    """
    placed = {name: at for name, at in document.layout.items() if name in document.nodes and is_within_reach(at)}
    missing = [name for name in document.nodes if name not in placed]
    if not missing:
        return document
    if len(missing) == len(document.nodes):
        return arrange(document, report=report)
    sizes = card_sizes(document)
    if len(missing) > MAX_PLACED_SINGLY:
        new = arrange(fragment(document, missing), sizes, report).layout
        left = min(x for x, _ in placed.values())
        top = max(y + sizes[name][1] for name, (_, y) in placed.items()) + PART_GAP
        added = {name: (x + left, y + top) for name, (x, y) in new.items()}
    else:
        added = _near_neighbours(document, set(missing), placed, sizes)
    return replace(document, layout={**document.layout, **added})


def complete_at(document: Document, middle: Position) -> Document:
    """Give places to the nodes that have none: arranged as a graph of their own, with its middle near a place."""
    sizes = card_sizes(document)
    new = [name for name in document.nodes if name not in document.layout]
    places = arrange(fragment(document, new), sizes).layout
    if not places:
        return document
    width, height = (max(at[axis] + sizes[name][axis] for name, at in places.items()) for axis in (0, 1))
    wanted = (round((middle[0] - width / 2) / GRID) * GRID, round((middle[1] - height / 2) / GRID) * GRID)
    boxes = np.array([(*at, *sizes[name]) for name, at in document.layout.items() if name in sizes])
    left, top = free_place(wanted, (width, height), boxes) if len(boxes) else wanted
    return replace(
        document, layout=dict(document.layout) | {name: (x + left, y + top) for name, (x, y) in places.items()}
    )


def complete_before(document: Document, name: str) -> Document:
    """Give places to the nodes that have none, new operands of node `name`, in columns to the left of it.

    Where there is no room for these columns the node moves to the right, with all that stands there.
    """
    new = {one for one in document.nodes if one not in document.layout}
    if name not in document.layout or not new:
        return complete(document)
    depth: dict[str, int] = {}
    for one in graph.order(document)[0]:
        if one in new and document.nodes[one].op not in LEAVES:
            depth[one] = 1 + max((depth.get(str(source), 0) for source in document.nodes[one].inputs), default=0)
    sizes, (left, _) = card_sizes(document), document.layout[name]
    above = graph.ancestors(document, name) - {name}
    beyond = {one for one, (x, _) in document.layout.items() if x >= left and one not in above}
    widest, columns = max(sizes[one][0] for one in (*new, name)), max(depth.values(), default=0)
    outer = {str(source) for one in depth for source in document.nodes[one].inputs} & document.layout.keys() & above
    begin = max((document.layout[one][0] + sizes[one][0] + COLUMN_GAP for one in outer), default=left)
    room = columns * (widest + COLUMN_GAP) + (max(begin - left, 0.0) if columns else 0.0)
    separate = {one: (x + room, y) if one in beyond else (x, y) for one, (x, y) in document.layout.items()}
    layout = complete(replace(document, layout=separate)).layout
    operands = [str(source) for source in document.nodes[name].inputs if source in layout]
    edge = max((layout[one][0] + sizes[one][0] + COLUMN_GAP for one in operands), default=left)
    back = left + room - min(max(edge, left), left + room)
    closed = {one: (x - back, y) if one in beyond else (x, y) for one, (x, y) in layout.items()}
    return replace(document, layout=closed)


def uncovered(document: Document) -> Document:
    """Arrange `document`, whose layout is complete, anew where arrays make cards so large that they cover others."""
    if not may_hold_arrays(document.nodes.values()):
        return document
    sizes = card_sizes(document)
    if all(width <= NUMBER_CARD[0] for width, _ in sizes.values()):
        return document
    boxes = np.array([(*document.layout[name], *sizes[name]) for name in document.nodes])
    return arrange(document, sizes) if _cover(boxes) else document


def _cover(boxes: np.ndarray[Any, Any]) -> bool:
    """Whether two of the cards (left, top, width, height) overlap: each is compared with those that begin beside it."""
    left, top, width, height = boxes[np.argsort(boxes[:, 0])].T
    for shift in range(1, len(boxes)):
        overlap = left[shift:] < (left + width)[:-shift]
        if not overlap.any():
            return False
        level = (top[shift:] < (top + height)[:-shift]) & (top[:-shift] < (top + height)[shift:])
        if (overlap & level).any():
            return True
    return False


def _near_neighbours(
    document: Document, missing: set[str], placed: dict[str, Position], sizes: Mapping[str, CardSize]
) -> dict[str, Position]:
    """A free place for each missing node, those that placed ones feed first: right of its operands, else left of its
    consumers."""
    boxes = np.array([(*at, *sizes[name]) for name, at in placed.items()])
    places, added = dict(placed), {}

    def has_placed_operand(name: str) -> bool:
        return any(source in places for source in document.nodes[name].inputs)

    def has_placed_consumer(name: str) -> bool:
        return any(consumer in places for consumer, _ in document.consumers[name])

    waiting = [name for name in graph.order(document)[0] if name in missing]
    while waiting:
        name = next(chain(filter(has_placed_operand, waiting), filter(has_placed_consumer, waiting), waiting))
        waiting.remove(name)
        ideal = _ideal_place(document, name, places, sizes, missing)
        places[name] = added[name] = free_place(ideal, sizes[name], boxes)
        boxes = np.vstack([boxes, [*added[name], *sizes[name]]])
    return added


def _ideal_place(
    document: Document,
    name: str,
    places: Mapping[str, Position],
    sizes: Mapping[str, CardSize],
    missing: Collection[str],
) -> Position:
    """The best place for a node if nothing were in the way: level with the nodes that it is wired to."""
    operands = [source for source in document.nodes[name].inputs if source in places]
    consumers = [consumer for consumer, _ in document.consumers[name] if consumer in places]
    near = [str(other) for other in operands or consumers]
    height = sizes[name][1]
    if not near:
        return min(x for x, _ in places.values()), max(
            y + sizes[other][1] for other, (_, y) in places.items()
        ) + CARD_GAP
    if operands:
        levels = [places[other][1] + sizes[other][1] / 2 for other in near]
        x = max(places[other][0] + sizes[other][0] for other in near) + COLUMN_GAP
    else:
        levels = [places[near[0]][1] + sizes[near[0]][1] / 2 + _down(document, name, near[0], sizes, missing)]
        x = min(places[other][0] for other in near) - COLUMN_GAP - sizes[name][0]
    return x, round(sum(levels) / len(levels) - height / 2)


def _down(
    document: Document, name: str, consumer: str, sizes: Mapping[str, CardSize], missing: Collection[str]
) -> float:
    """The distance below the middle of a consumer, so that its operands stand in the order of its slots."""
    fresh = [
        str(source)
        for source in dict.fromkeys(document.nodes[consumer].inputs)
        if source in missing and not any(document.nodes[str(source)].inputs)
    ]
    heights = [sizes[one][1] + CARD_GAP for one in fresh]
    place = fresh.index(name) if name in fresh else 0
    return sum(heights[:place], heights[place] / 2) - sum(heights) / 2 if heights else 0.0


def free_place(ideal: Position, size: CardSize, boxes: np.ndarray[Any, Any]) -> Position:
    """The place nearest to `ideal`, straight above or below it, where the card keeps its distance from all `boxes`."""
    x, y, (width, height) = *ideal, size
    column = boxes[(boxes[:, 0] < x + width) & (x < boxes[:, 0] + boxes[:, 2])]
    tops, bottoms = column[:, 1] - CARD_GAP - height, column[:, 1] + column[:, 3] + CARD_GAP  # touching places
    candidates = np.concatenate([[y], tops, bottoms])
    covered = (candidates[:, None] > tops) & (candidates[:, None] < bottoms)
    free = candidates[~covered.any(axis=1)]
    return x, float(free[np.argmin(np.abs(free - y))])
