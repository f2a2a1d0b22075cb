"""Routes around cards: a wire that would pass behind a card makes a detour over a level lane beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain, groupby, pairwise
from typing import Any, NamedTuple

import numpy as np

from cadena.core.graph.columns import table

SWING = 40.0  # a wire leaves its port and enters the next at least this far straight on
SAMPLES = 33  # points of a curve
MOST_REACH, MOST_SAG = 4.0 * SWING, 3.0 * SWING  # of a curve beyond its ends, and below the lower one
RAMP = 52.0  # how much of the way a wire takes to climb to its lane: less than the gap between two columns
CLEAR = 12.0  # between a card and a lane
OWN = 1.0  # within the edge of its own cards, where a wire begins and ends
NEAR = 3.0  # a wire that comes nearer to a card seems to pass behind it
LANE = 10.0  # between two lanes
MAX_BACK = 300  # wires that run back further than LONG; where there are more, they are not from row to row
MAX_PAIRS = 2_000  # wires times cards: in larger graphs lanes are found by themselves, each when it is asked for
TRIED = 12, 48, 144  # levels, the nearest ones; where all of these hide the wire, more of them
LONG = 3_000.0  # across or down: wires of a larger graph that nobody sees from end to end stay as they are
FAR = 240.0  # above and below its ends: how far a wire of a larger graph goes to get around a card
APART, TRACKS, GRID = 5.0, 3, 8.0  # between the lanes there, their number, and the step of places
MOST_KNOWN = 2_000  # wires whose ways are kept, the last ones
CROWDED = 150  # cards in the way: among more of them no way of several lanes is looked for
ASIDE = MOST_REACH + CLEAR  # beside its ends: how far a wire goes
CORNER = 14.0  # the radius at which a way of several lanes turns
BEND, TIGHT = 30.0, 15.0  # the cost of a turn there, and of one that is not halfway between two columns
ROUNDS = 8  # pairs of turns
HIDDEN, SHARED = 40.0, 100.0  # the cost of a point behind a card, and of another wire's lane, in canvas units of way


def _weights(samples: int) -> np.ndarray:
    """What the control points of a curve count at even times: samples x 4."""
    times = np.linspace(0.0, 1.0, samples)[:, None]
    return np.hstack([(1 - times) ** 3, 3 * times * (1 - times) ** 2, 3 * times**2 * (1 - times), times**3])


WEIGHTS, OF_TURN, FINE = _weights(SAMPLES), _weights(65), _weights(97)
TURN = RAMP / 2  # how far before and behind a turn its curve begins and ends, at most


Curve = tuple[float, float, float, float, float, float]  # the control points at its start and at its end, and its end


Extent = tuple[float, float, float, float]  # left, top, right, bottom


class LaneSpan(NamedTuple):
    """A level part of a wire on a detour."""

    level: float
    begin: float
    end: float


class Detour(NamedTuple):
    """The way of a wire around cards, and the area that it goes through."""

    curves: tuple[Curve, ...]
    lanes: tuple[LaneSpan, ...]
    area: Extent


def bend(dx: Any, dy: Any) -> tuple[Any, Any]:
    """How far the control points of a curve lie right of its start (left of its end), and how far below (arrays too).

    A wire that runs back swings out to both sides, and below the cards if it would hide behind them.
    """
    reach = np.maximum(dx * 0.5, SWING + np.clip(-dx * 0.25, 0.0, MOST_REACH - SWING))
    return reach, np.clip((SWING - dx) / (2.0 * SWING), 0.0, 1.0) * np.maximum(MOST_SAG - np.abs(dy) * 0.5, 0.0)


def through(stops: Sequence[tuple[float, float]]) -> Iterator[Curve]:
    """The curves from the first stop, a port, to the last one, another, through those between: level at each."""
    last = len(stops) - 2
    for place, ((x1, y1), (x2, y2)) in enumerate(pairwise(stops)):
        swing = min(SWING, math.hypot(x2 - x1, y2 - y1) / 2)
        at_point = (x2 - x1) / 2 if x2 > x1 else swing
        at_port = max(at_point, swing)
        yield (
            x1 + (at_port if place == 0 else at_point), y1, x2 - (at_port if place == last else at_point), y2, x2, y2,
        )  # fmt: skip


def _over_a_lane(end: Sequence[float], out: float, level: float, into: float) -> Detour:
    """A way that leaves the height of its port at `out`, runs along `level`, and comes to that of its end at `into`."""
    x1, y1, x2, y2 = end
    half = min(TURN, abs(into - out) / 2) * (1.0 if into >= out else -1.0)
    before, behind = out - min(TURN, out - x1), into + min(TURN, x2 - into)
    curves = (
        *_straight(x1, y1, before, y1),
        (out, y1, out, level, out + half, level),
        *_straight(out + half, level, into - half, level),
        (into, level, into, y2, behind, y2),
        *_straight(behind, y2, x2, y2),
    )
    return _detour(end[:2], curves, (LaneSpan(level, *sorted((out - TURN, into + TURN))),))


def _around_corners(corners: Sequence[tuple[float, float]]) -> Detour:
    """A way of level and upright lines, with round corners."""
    curves, (x, y) = list[Curve](), corners[0]
    for (x1, y1), (x2, y2), (x3, y3) in zip(corners, corners[1:], corners[2:], strict=False):
        before, behind = math.hypot(x2 - x1, y2 - y1), math.hypot(x3 - x2, y3 - y2)
        radius = min(CORNER, before / 2, behind / 2)
        begin = x2 + (x1 - x2) / before * radius, y2 + (y1 - y2) / before * radius
        last = x2 + (x3 - x2) / behind * radius, y2 + (y3 - y2) / behind * radius
        curves += [*_straight(x, y, *begin), (x2, y2, x2, y2, *last)]
        x, y = last
    curves += _straight(x, y, *corners[-1])
    lanes = [LaneSpan(y, *sorted((x1, x2))) for (x1, y), (x2, y2) in pairwise(corners) if y == y2]
    return _detour(corners[0], tuple(curves), tuple(lanes[1:-1]))


def _detour(begin: Sequence[float], curves: tuple[Curve, ...], lanes: tuple[LaneSpan, ...]) -> Detour:
    x, y = np.array([*begin, *chain.from_iterable(curves)]).reshape(-1, 2).T
    return Detour(curves, lanes, (float(x.min()), float(y.min()), float(x.max()), float(y.max())))


def _straight(x1: float, y1: float, x2: float, y2: float) -> Iterator[Curve]:
    if (x1, y1) != (x2, y2):
        x, y = (x2 - x1) / 3, (y2 - y1) / 3
        yield x1 + x, y1 + y, x2 - x, y2 - y, x2, y2


def port_shares(target: np.ndarray, slot: np.ndarray, slots: np.ndarray) -> np.ndarray:
    """How far down its card each wire ends, as a part of the height. `slots` has the number of slots of each card."""
    return np.asarray((slot + 1) / (slots[target] + 1))


def wire_ends(boxes: np.ndarray, wires: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Where each wire begins and ends, x, y, x, y: wires x 4. `shares` are the `port_shares` of the wires."""
    source, target, _ = wires.T
    left, top, right, bottom = boxes.T
    ends = top[target] + (bottom - top)[target] * shares
    return table(right[source], (top + bottom)[source] / 2, left[target], ends)


def is_large(wires: np.ndarray, boxes: np.ndarray) -> bool:
    """Whether the graph is too large for all lanes to be found together."""
    return len(wires) * len(boxes) > MAX_PAIRS


def detours(ends: np.ndarray, controls: np.ndarray, wires: np.ndarray, boxes: np.ndarray) -> dict[int, Detour]:
    """The detour of each wire, by row, that needs one; lanes of different nodes keep apart."""
    if not len(wires) or is_large(wires, boxes):
        return {}
    curves = control_points(ends, controls)
    is_hidden, points = _hidden(curves, boxes, wires), points_on(curves)
    ways: dict[int, Detour] = {}
    occupied: list[tuple[LaneSpan, int]] = []  # with the source
    for row in np.flatnonzero(is_hidden).tolist():
        others = [lane for lane, source in occupied if source != wires[row, 0]]
        plain = points[~is_hidden & (wires[:, 0] != wires[row, 0])]
        ways[row] = _best(ends[row], wires[row, :2], boxes, others, plain)
        occupied += [(lane, int(wires[row, 0])) for lane in ways[row].lanes]
    return ways


class Detours:
    """The detours of wires of a large graph: each is found when it is asked for, and kept while the cards near it stay.

    A wire is known by its ends: it is led around the cards near it, whatever other wires do. Its height decides how far
    from cards its lane lies, so that neighbours seldom share one.
    """

    def __init__(self, boxes: np.ndarray, in_drag: bool = False) -> None:
        self.boxes, self.in_drag = boxes, in_drag
        self._known: dict[tuple[float, ...], tuple[Detour | None, Extent]] = {}  # by its ends, with where a wire goes

    def of(self, ends: np.ndarray, controls: np.ndarray, wires: np.ndarray) -> list[Detour | None]:
        """For each of these wires its detour, None where it needs none."""
        keys = [*map(tuple, ends.tolist())]
        if new := [place for place, key in enumerate(keys) if key not in self._known]:
            curves = control_points(ends[new], controls[new])
            is_short = (np.abs(ends[new, 2:] - ends[new, :2]) <= LONG).all(axis=1)
            hides = np.zeros(len(new), dtype=bool)
            hides[is_short] = _hidden(curves[is_short], self.boxes, wires[new][is_short])
            areas = np.hstack([curves.min(axis=1) - NEAR, curves.max(axis=1) + NEAR]).tolist()
            for place, hidden, area in zip(new, hides.tolist(), areas, strict=True):
                way = self._searched(ends[place], wires[place, :2]) if hidden else None
                self._known[keys[place]] = way, way.area if way else tuple(area)
        return [self._known[key][0] for key in keys]

    def _searched(self, end: np.ndarray, own: np.ndarray) -> Detour:
        """The detour of a wire, found among the cards near it."""
        near = np.flatnonzero(_overlaps(self.boxes, _windows(end[None]))[:, 0])
        offset = CLEAR + APART * (int(end[1] / GRID) % TRACKS)
        return _best(end, np.searchsorted(near, own), self.boxes[near], [], np.empty((0, 1, 2)), FAR, (offset,))

    def after(self, boxes: np.ndarray, in_drag: bool = False) -> Detours:
        """The detours among other cards: those are kept near which no card has come, gone or moved.

        In a drag all are kept that no card has come upon.
        """
        if boxes is self.boxes and in_drag >= self.in_drag:
            return self
        twin = Detours(boxes, in_drag)
        if self.in_drag and not in_drag:
            return twin
        changed = np.concatenate([_without(boxes, self.boxes), _without(self.boxes, boxes)])
        if self._known and len(changed) <= len(boxes) // 10:
            known = dict([*self._known.items()][-MOST_KNOWN:])
            areas = np.array([area for _, area in known.values()]) if in_drag else _windows(np.array([*known]))
            near = {*np.nonzero(_overlaps(areas, changed))[0].tolist()}
            twin._known = {key: way for place, (key, way) in enumerate(known.items()) if place not in near}
        return twin


def _windows(ends: np.ndarray) -> np.ndarray:
    """The areas in which cards matter to wires with these ends."""
    low, high = np.minimum(ends[:, :2], ends[:, 2:]), np.maximum(ends[:, :2], ends[:, 2:])
    return np.hstack([low - (ASIDE, FAR), high + (ASIDE, FAR)])


def _without(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """The boxes of `some` that `others` lack."""
    if len(some) == len(others):
        is_new = (some != others).any(axis=1)
    else:
        known = {*map(tuple, others.tolist())}
        is_new = np.array([tuple(box) not in known for box in some.tolist()], dtype=bool)
    lacking: np.ndarray = some[is_new]
    return lacking


def _overlaps(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Which areas of `some` meet which of `others`: some x others."""
    left, top, right, bottom = some.T[:, :, None]
    marks: np.ndarray = (left < others[:, 2]) & (right > others[:, 0]) & (top < others[:, 3]) & (bottom > others[:, 1])
    return marks


def ways_back(ends: np.ndarray, wires: np.ndarray, boxes: np.ndarray) -> dict[int, Detour]:
    """The way of each wire, by row, that runs back a LONG way, from the end of a row of cards to the begin of another:
    between the rows, where there is room."""
    rows = np.flatnonzero(ends[:, 0] - ends[:, 2] > LONG)
    if len(rows) > MAX_BACK:
        return {}
    ways, taken = dict[int, Detour](), dict[float, list[int]]()
    left, top, right, bottom = boxes.T
    for row in rows.tolist():
        x1, y1, x2, y2 = ends[row].tolist()
        low, high = min(y1, y2), max(y1, y2)
        between = (right > x2 - SWING) & (left < x1 + SWING) & (bottom > low) & (top < high)
        order = np.argsort(top[between])
        begins = np.maximum.accumulate(bottom[between][order])[:-1]
        rooms = top[between][order][1:] - begins
        if not len(rooms) or rooms.max() < 2.0 * CLEAR:
            continue
        widest = int(rooms.argmax())
        middle = float(begins[widest] + rooms[widest] / 2.0)
        sources = taken.setdefault(round(middle), [])
        sources += [] if (source := int(wires[row, 0])) in sources else [source]
        level, half = middle + APART * (sources.index(source) % TRACKS - TRACKS // 2), SWING / 2
        corners = [(x1, y1), (x1 + half, y1), (x1 + half, level), (x2 - half, level), (x2 - half, y2), (x2, y2)]
        ways[row] = _around_corners(corners)
    return ways


def control_points(ends: np.ndarray, controls: np.ndarray) -> np.ndarray:
    """The plain curves between these ends (wires x 4), with what `bend` says of each (wires x 2): wires x 4 x 2."""
    begin, end, back = ends[:, :2], ends[:, 2:], controls * (1.0, -1.0)
    return np.stack([begin, begin + controls, end - back, end], axis=1)


def points_on(curves: np.ndarray) -> np.ndarray:
    """Points of curves, given by their control points (curves x 4 x 2), at even times: curves x samples x 2."""
    points: np.ndarray = WEIGHTS @ curves
    return points


def _hidden(curves: np.ndarray, boxes: np.ndarray, wires: np.ndarray) -> np.ndarray:
    """Which of the wires, plain curves by their control points (wires x 4 x 2), pass behind a card; behind their own
    they may begin and end."""
    low, high = curves.min(axis=1) - NEAR, curves.max(axis=1) + NEAR
    wire, card = np.nonzero(_overlaps(np.hstack([low, high]), boxes))
    room = np.where((wires[wire, :2] == card[:, None]).any(axis=1), -OWN, NEAR)[:, None]
    left, top, right, bottom = boxes[card].T[:, :, None]
    x, y = (FINE @ curves[wire]).transpose(2, 0, 1)
    inside = (left - room < x) & (x < right + room) & (top - room < y) & (y < bottom + room)
    hidden = np.zeros(len(wires), dtype=bool)
    hidden[wire[inside.any(axis=1)]] = True
    return hidden


def _best(
    end: np.ndarray, own: np.ndarray, boxes: np.ndarray, others: Sequence[LaneSpan], plain: np.ndarray,
    far: float = np.inf, clear: Sequence[float] = (CLEAR, CLEAR + LANE, CLEAR - LANE),
) -> Detour:  # fmt: skip
    """The detour of a wire that is seen best, then the shortest; `own` are the numbers of its cards.

    It keeps apart from `others`, lanes, and does not run along the points of `plain` wires. `clear` are the distances
    of lanes from cards.
    """
    x1, y1, x2, y2 = end.tolist()
    out, into = x1 + TURN, x2 - TURN
    room = np.full(len(boxes), NEAR)
    room[own] = -OWN
    across = (boxes[:, 0] < max(x1, x2) + ASIDE) & (boxes[:, 2] > min(x1, x2) - ASIDE)
    boxes, room = boxes[across], room[across, None]
    areas = boxes + room * (-1.0, -1.0, 1.0, 1.0)
    levels = _levels(boxes, end.tolist(), others, far, clear)
    shared = _shared(levels, min(out, into), max(out, into), others, plain)
    costs = np.abs(levels - y1) + np.abs(levels - y2) + shared
    for most in TRIED:
        hidden = _behind(end, out, levels[:most], into, areas)
        place = int((HIDDEN * hidden + costs[:most]).argmin())
        if not hidden[place] and not shared[place]:
            break
    corners = None
    if hidden[place] and len(boxes) <= CROWDED:
        corners = _search(end.tolist(), boxes, areas, levels, shared)
    return _around_corners(corners) if corners else _over_a_lane(end.tolist(), out, float(levels[place]), into)


def _levels(
    boxes: np.ndarray, end: Sequence[float], others: Sequence[LaneSpan], far: float, clear: Sequence[float]
) -> np.ndarray:
    """The levels that a wire could take, the nearest first."""
    _, y1, _, y2 = end
    beside = [edge for room in clear for edge in (*(boxes[:, 1] - room).tolist(), *(boxes[:, 3] + room).tolist())]
    shared = [other.level + shift for other in others for shift in (0.0, LANE, -LANE)]
    levels = np.unique(np.round([*beside, *shared, y1, y2]))
    levels = levels[(levels >= min(y1, y2) - far) & (levels <= max(y1, y2) + far)]
    return levels[np.argsort(np.abs(levels - y1) + np.abs(levels - y2), kind="stable")]


def _behind(end: np.ndarray, out: float, level: np.ndarray, into: float, areas: np.ndarray) -> np.ndarray:
    """How much of a way over each level lies within one of the areas, in points of a curve."""
    x1, y1, x2, y2 = end
    half = min(TURN, abs(into - out) / 2) * (1.0 if into >= out else -1.0)
    before, behind = out - min(TURN, out - x1), into + min(TURN, x2 - into)
    count = SAMPLES * _crossed(out + half, into - half, level, areas)
    for across, down in (
        ((before, out, out, out + half), (y1, y1, level, level)),
        ((into - half, into, into, behind), (level, level, y2, y2)),
    ):
        near = areas[(areas[:, 0] < max(across)) & (areas[:, 2] > min(across))]
        x, y = OF_TURN @ np.array(across), np.stack(np.broadcast_arrays(*down, level)[:4], axis=-1) @ OF_TURN.T
        left, top, right, bottom = near.T
        inside = (left < x[:, None]) & (x[:, None] < right) & (top < y[..., None]) & (y[..., None] < bottom)
        count += inside.any(axis=2).sum(axis=1)
    return count


def _search(
    end: Sequence[float], boxes: np.ndarray, areas: np.ndarray, levels: np.ndarray, costs: np.ndarray
) -> list[tuple[float, float]] | None:
    """The corners of the cheapest way of level and upright lines that meets no area; None where there is none.

    The lines are those beside the cards and the levels, each with what it costs to come to it. `level[i, j]` is the
    least cost of coming to a crossing along its level, `upright[i, j]` along its upright line, and `by_level`,
    `by_upright` are those of turning there.
    """
    x1, y1, x2, y2 = end
    edges = [x1, x1 + TURN, x2 - TURN, x2, *(boxes[:, 0] - CLEAR).tolist(), *(boxes[:, 2] + CLEAR).tolist()]
    xs = np.unique([x for x in edges if min(x1, x2) - ASIDE < x < max(x1, x2) + ASIDE])
    ys, places = np.unique([*levels.tolist(), y1, y2], return_index=True)
    to_level = np.array([*costs.tolist(), 0.0, 0.0])[places] + BEND
    to_upright = np.where((xs == x1 + TURN) | (xs == x2 - TURN), 0.0, TIGHT) + BEND
    to_upright[(np.abs(xs - x1) < CLEAR) | (np.abs(xs - x2) < CLEAR)] = np.inf  # it leaves and enters ports level
    left, top, right, bottom = areas.T
    along, across = (
        _runs((first < at[:, None]) & (at[:, None] < last), begin, ends, on)
        for first, last, at, begin, ends, on in ((top, bottom, ys, left, right, xs), (left, right, xs, top, bottom, ys))
    )
    by_level, by_upright = np.full((len(ys), len(xs)), np.inf), np.full((len(xs), len(ys)), np.inf)
    begin, goal = ((int(np.searchsorted(ys, y)), int(np.searchsorted(xs, x))) for x, y in ((x1, y1), (x2, y2)))
    by_level[begin] = 0.0
    for _ in range(ROUNDS):
        level = _spread(by_level, xs, along)
        by_upright = level.T + to_upright[:, None]
        upright = _spread(by_upright, ys, across)
        turned = np.minimum(by_level, upright.T + to_level[:, None])
        if np.array_equal(turned, by_level):
            break
        by_level = turned
    if not np.isfinite(level[goal]):
        return None
    corners, (i, j) = [(x2, y2)], goal
    while (i, j) != begin:
        j = int(np.argmin(np.where(along[i] == along[i, j], by_level[i] + np.abs(xs - xs[j]), np.inf)))
        corners.append((float(xs[j]), float(ys[i])))
        if (i, j) == begin:
            break
        i = int(np.argmin(np.where(across[j] == across[j, i], by_upright[j] + np.abs(ys - ys[i]), np.inf)))
        corners.append((float(xs[j]), float(ys[i])))
    return [corner for corner, _ in groupby(reversed(corners))]


def _runs(meets: np.ndarray, begin: np.ndarray, end: np.ndarray, at: np.ndarray) -> np.ndarray:
    """For each line (`meets`: lines x areas that it meets) the number of the stretch free of areas at each place `at`;
    the areas lie from `begin` to `end` along the line."""
    first, last = np.searchsorted(at, begin, side="right"), np.searchsorted(at, end, side="left")
    cuts = np.zeros((len(meets), len(at) + 1), dtype=int)
    line, area = np.nonzero(meets)
    np.add.at(cuts, (line, first[area]), 1)  # a new stretch begins behind the area's first edge
    np.add.at(cuts, (line, last[area]), 1)  # and another behind its last one
    runs: np.ndarray = np.cumsum(cuts, axis=1)[:, :-1]
    return runs


def _spread(costs: np.ndarray, at: np.ndarray, runs: np.ndarray) -> np.ndarray:
    """The costs after going along lines (lines x places `at`) as far as the stretch of a place reaches."""
    far = 64.0 * (at[-1] - at[0]) + 1e6  # more than any way costs, so that no stretch is reached from another
    offset, at = far * runs, at - at[0]
    on = np.minimum.accumulate(costs - at - offset, axis=1) + at + offset
    back = np.minimum.accumulate((costs + at + offset)[:, ::-1], axis=1)[:, ::-1] - at - offset
    spread: np.ndarray = np.minimum(on, back)
    spread[spread > far / 2] = np.inf
    return spread


def _crossed(begin: Any, end: Any, level: Any, areas: np.ndarray) -> np.ndarray:
    """The number of areas that each level line crosses."""
    left, top, right, bottom = areas.T
    begin, end, level = np.broadcast_arrays(begin, end, level)
    low, high = np.minimum(begin, end)[:, None], np.maximum(begin, end)[:, None]
    crossed = (left < high) & (low < right) & (top < level[:, None]) & (level[:, None] < bottom)
    return np.asarray(crossed.sum(axis=1))


def _shared(levels: np.ndarray, begin: float, end: float, others: Sequence[LaneSpan], plain: np.ndarray) -> np.ndarray:
    """The cost on each level, between two places, of running on another wire's lane or along plain curves."""
    x, y = plain.reshape(-1, 2).T
    heights = np.sort(y[(x > begin + TURN) & (x < end - TURN)])
    near = np.searchsorted(heights, levels + LANE - 1.0) - np.searchsorted(heights, levels - LANE + 1.0)
    costs = SHARED * near / (SAMPLES / 4)
    for other in others:
        if other.begin < end + TURN and begin - TURN < other.end:
            costs += SHARED * (np.abs(levels - other.level) < LANE - 1.0)
    return np.asarray(costs)
