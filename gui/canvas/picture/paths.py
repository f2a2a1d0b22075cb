"""The paths of wires, in canvas units: curves, ways around cards, and through reroute points."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath

from cadena.core.graph.document import Document, Position
from cadena.core.graph.reroutes import KEY, reroutes
from cadena.core.layout import routing
from cadena.core.layout.routing import bend


def along(corners: np.ndarray, parts: Sequence[float]) -> np.ndarray:
    """The points of lines from corner to corner (lines x corners x 2) at these shares of their lengths: lines x parts x
    2. `pointAtPercent` would measure a whole path for each."""
    steps = np.hypot(*np.moveaxis(np.diff(corners, axis=1), -1, 0))
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


@lru_cache(maxsize=4096)
def direct(x1: float, y1: float, x2: float, y2: float, reach: float, sag: float) -> QPainterPath:
    """The curve between these ends, with control points `reach` aside and `sag` below; kept, so do not change it."""
    path = QPainterPath(QPointF(x1, y1))
    path.cubicTo(x1 + reach, y1 + sag, x2 - reach, y2 + sag, x2, y2)
    return path


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
