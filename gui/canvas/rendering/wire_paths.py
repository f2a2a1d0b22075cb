"""The paths of wires, in canvas units: curves, ways around cards, and through reroute points."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, reduce

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath

from cadena.core.graph.document import Document, Position
from cadena.core.graph.reroutes import KEY, reroutes
from cadena.core.layout import routing
from cadena.core.layout.routing import bend

MOST_PIECES = 400  # of a part of a curve
TINY = 1e-6  # canvas units
TIMES: np.ndarray = np.linspace(0.0, 1.0, 257)
# How much of its way across a curve has gone by then whose control points lie halfway, and down one with level ends.
OVER: np.ndarray = TIMES * (1.5 + TIMES * (TIMES - 1.5))
DOWN: np.ndarray = TIMES * TIMES * (3.0 - 2.0 * TIMES)


def along(corners: np.ndarray, parts: Sequence[float]) -> np.ndarray:
    """The points of lines from corner to corner (lines x corners x 2) at these shares of their lengths: lines x parts x
    2. `pointAtPercent` would measure a whole path for each."""
    steps = np.hypot(*(corners[:, 1:] - corners[:, :-1]).T).T
    lengths = np.cumsum(steps, axis=1)
    at = np.asarray(parts) * lengths[:, -1:]
    index = (lengths[:, None, :-1] < at[:, :, None]).sum(axis=2)
    which = np.arange(len(corners))[:, None]
    begin, end, step = corners[which, index], corners[which, index + 1], steps[which, index]
    share = 1.0 - (lengths[which, index] - at) / np.where(step == 0.0, 1.0, step)
    points: np.ndarray = begin + (end - begin) * share[:, :, None]
    return points


def corners_of(path: QPainterPath) -> np.ndarray:
    """The corners of a path that is set as lines: corners x 2."""
    return np.array([point.toTuple() for point in path.toSubpathPolygons()[0].toList()])


def curve(start: QPointF, end: QPointF) -> QPainterPath:
    """A smooth curve that leaves `start` to the right and enters `end` from the left."""
    reach, sag = (float(part) for part in bend(end.x() - start.x(), end.y() - start.y()))
    return direct(start.x(), start.y(), end.x(), end.y(), reach, sag)


def direct(x1: float, y1: float, x2: float, y2: float, reach: float, sag: float) -> QPainterPath:
    """The curve between these ends, with control points `reach` aside and `sag` below; kept, so do not change it."""
    return cubic(x1, y1, x1 + reach, y1 + sag, x2 - reach, y2 + sag, x2, y2)


@lru_cache(maxsize=4096)
def cubic(x1: float, y1: float, x2: float, y2: float, x3: float, y3: float, x4: float, y4: float) -> QPainterPath:
    """The curve with these control points; kept, so do not change it."""
    path = QPainterPath(QPointF(x1, y1))
    path.cubicTo(x2, y2, x3, y3, x4, y4)
    return path


def within(curves: np.ndarray, area: QRectF) -> tuple[np.ndarray, np.ndarray]:
    """The parts of curves that lie in an area, all of them given by control points (curves x 4 x 2), and which of the
    curves have one."""
    begin, end, meets = times_within(curves, area)
    first, last = begin[:, None, None], end[:, None, None]
    ways = [(first,) * 3, (first, first, last), (first, last, last), (last,) * 3]
    return np.concatenate([_blossom(curves, *way) for way in ways], axis=1), meets


def times_within(curves: np.ndarray, area: QRectF) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """From when until when curves (control points: curves x 4 x 2) lie in an area, and which of them do at all.

    Nearly all run on evenly, and of these it is known when they come across a line. Of others the bounds of their
    control points say whether they lie in it.
    """
    across, down = np.ascontiguousarray(curves.transpose(2, 1, 0))
    is_level = (np.abs(down[1:3] - down[::3]) < TINY).all(axis=0)
    in_width = _times_between(across, _are_even(curves), OVER, area.left(), area.right())
    in_height = _times_between(down, is_level, DOWN, area.top(), area.bottom())
    first, last = np.maximum(in_width[0], in_height[0]), np.minimum(in_width[1], in_height[1])
    return first, last, in_width[2] & in_height[2] & (first <= last)


def _are_even(curves: np.ndarray) -> np.ndarray:
    """Which curves have control points halfway across, as those have that do not run back."""
    begin, one, other, end = curves[..., 0].T
    half = (begin + end) / 2.0
    are_even: np.ndarray = (np.abs(one - half) < TINY) & (np.abs(other - half) < TINY)
    return are_even


def _times_between(
    places: np.ndarray, runs_so: np.ndarray, gone: np.ndarray, low: float, high: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """From when until when curves are between two places of one axis (`places` of control points: 4 x curves), and
    which are: of those that `runs_so`, their way has `gone` so far by TIMES."""
    begin, way = places[0], places[3] - places[0]
    meets = (places.min(axis=0) <= high) & (places.max(axis=0) >= low)
    is_known = runs_so & (np.abs(way) > TINY)
    whole = np.where(is_known, way, 1.0)
    one, other = np.interp([(low - begin) / whole, (high - begin) / whole], gone, TIMES)
    return np.where(is_known, np.minimum(one, other), 0.0), np.where(is_known, np.maximum(one, other), 1.0), meets


def pieces(curves: np.ndarray, between: np.ndarray, finest: float, over: float) -> tuple[np.ndarray, np.ndarray]:
    """Parts of curves (control points: curves x 4 x 2) between two times of each (2 x curves) as straight lines, lines
    x 4, and how many there are of each.

    None is further than `finest` from its curve, but for a sixth of this beside its middle; each goes on by `over` at
    both ends.

    How many it takes, says Wang's formula (G. Wang, The subdivision method for finding the intersection between two
    Bezier curves or surfaces, 1984). Curves with control points halfway and level ends, as nearly all are, bend less
    and less towards their middle, and steep ones hardly at all there: lines are longer there.
    """
    first, last = between
    across, down = (curves[:, :2] - 2.0 * curves[:, 1:3] + curves[:, 2:]).transpose(2, 0, 1)
    in_turns = _are_even(curves) & (np.abs(down.sum(axis=1)) < TINY)
    begin, end = (np.where(in_turns, _turned_by(times), times) for times in (first, last))
    bends = np.where(in_turns, _bend_aside(curves, first, last), np.hypot(across, down).max(axis=1))
    finer = np.where(in_turns, 2.0 / 3.0, 1.0) * np.sqrt(0.75 * bends / finest)
    counts = np.ceil(finer * (end - begin)).clip(1, MOST_PIECES).astype(np.intp)
    ends = np.cumsum(counts + 1)  # of the points of each curve, one more than its lines
    which = np.repeat(np.arange(len(curves)), counts + 1)
    starts, step = (ends - counts - 1).take(which), ((end - begin) / counts).take(which)
    times = begin.take(which) + (np.arange(len(which)) - starts) * step
    times = np.where(in_turns.take(which), _time_of(times), times)
    points = _sum_of_powers(times, *(power.T.take(which, axis=1) for power in _powers(curves)))
    begins_one = np.ones(len(which), dtype=bool)
    begins_one[ends - 1] = False
    starts = np.flatnonzero(begins_one)
    start, stop = points.take(starts, axis=1), points.take(starts + 1, axis=1)
    way = stop - start
    way *= over / np.maximum(np.hypot(*way), TINY)
    return np.ascontiguousarray(np.concatenate([start - way, stop + way]).T), counts


def _powers(curves: np.ndarray) -> tuple[np.ndarray, ...]:
    """What the cubes, squares and first powers of time count in curves, and where these begin: curves x 2 each."""
    p0, p1, p2, p3 = curves.swapaxes(0, 1)
    return p3 - 3.0 * (p2 - p1) - p0, 3.0 * (p2 - 2.0 * p1 + p0), 3.0 * (p1 - p0), p0


def _sum_of_powers(times: np.ndarray, *counts: np.ndarray) -> np.ndarray:
    """The sum of the powers of these times, each as often as it counts, the highest first (Horner's scheme)."""
    return reduce(lambda total, count: total * times + count, counts)


def _bend_aside(curves: np.ndarray, first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """What Wang's formula takes for how far curves bend, as far as they do so aside of their way between two times.

    With control points halfway and level ends this is 1.5 dx dy |1 - 2t| / |B'(t)|, without the |1 - 2t| here, where
    B' = (1.5 dx (1 - 2s), 6 dy s) and s = t (1 - t).
    """
    (dx, dy), s0, s1 = np.abs(curves[:, 3] - curves[:, 0]).T, first * (1.0 - first), last * (1.0 - last)
    highest = np.where((first < 0.5) & (last > 0.5), 0.25, np.maximum(s0, s1))
    slowest = (dx * dx / np.maximum(2.0 * dx * dx + 8.0 * dy * dy, TINY)).clip(np.minimum(s0, s1), highest)
    speed = np.hypot(1.5 * dx * (1.0 - 2.0 * slowest), 6.0 * dy * slowest)
    return np.asarray(1.5 * dx * dy / np.maximum(speed, TINY))


def _turned_by(times: np.ndarray) -> np.ndarray:
    """The part of its lines that a curve has used up by a time: it bends by |1 - 2t| as much as at its ends, and lines
    are as long as the root of this is small, whose integral this is."""
    left = 1.0 - 2.0 * times
    return np.asarray(0.5 - 0.5 * left * np.sqrt(np.abs(left)))


def _time_of(turned: np.ndarray) -> np.ndarray:
    """The time by which a curve has used up a part of its lines: the inverse of `_turned_by`."""
    left = 1.0 - 2.0 * turned
    return np.asarray(0.5 - 0.5 * np.sign(left) * np.cbrt(left * left))


def _blossom(curves: np.ndarray, *times: np.ndarray) -> np.ndarray:
    """The polar form of curves (control points: curves x 4 x 2) at three times, each curves x 1 x 1: a point of each
    where the three are the same, else a control point of a part (de Casteljau). Curves x 1 x 2."""
    for time in times:
        curves = curves[:, :-1] * (1.0 - time) + curves[:, 1:] * time
    return curves


def through(stops: list[QPointF]) -> QPainterPath:
    """From the first stop, a port, to the last one, another, through those between: level at each of them."""
    path = QPainterPath(stops[0])
    for points in routing.through([stop.toTuple() for stop in stops]):
        path.cubicTo(*points)
    return path


def reroutes_of(document: Document) -> dict[tuple[str, int], tuple[Position, ...]]:
    """The points of all wires that have some, by (target, slot); of many thousand nodes, too, at every drag."""
    names = [node.name for node in document.noted if KEY in node.extra]
    return {(name, slot): points for name in names for slot, points in reroutes(document, name).items()}


def detour(x1: float, y1: float, x2: float, y2: float, level: float) -> QPainterPath:
    """From port to port over a level lane."""
    path, half = QPainterPath(QPointF(x1, y1)), routing.RAMP / 2
    path.cubicTo(x1 + half, y1, x1 + half, level, x1 + 2 * half, level)
    path.lineTo(x2 - 2 * half, level)
    path.cubicTo(x2 - half, level, x2 - half, y2, x2, y2)
    return path
