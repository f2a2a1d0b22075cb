"""The paths of wires, in canvas units: curves, ways around cards, and through reroute points."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath

from cadena.core.graph.document import Document, Position
from cadena.core.graph.reroutes import KEY, reroutes
from cadena.core.layout import routing
from cadena.core.layout.routing import Detour, bend

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
    is_even = (np.abs(across[1:3] - (across[0] + across[3]) / 2.0) < TINY).all(axis=0)
    is_level = (np.abs(down[1:3] - down[::3]) < TINY).all(axis=0)
    in_width = _times_between(across, is_even, OVER, area.left(), area.right())
    in_height = _times_between(down, is_level, DOWN, area.top(), area.bottom())
    first, last = np.maximum(in_width[0], in_height[0]), np.minimum(in_width[1], in_height[1])
    return first, last, in_width[2] & in_height[2] & (first <= last)


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


def around(end: Sequence[float], detour: Detour) -> QPainterPath:
    """From port to port (x, y, x, y) on a detour."""
    path = QPainterPath(QPointF(*end[:2]))
    for points in detour.curves:
        path.cubicTo(*points)
    return path
