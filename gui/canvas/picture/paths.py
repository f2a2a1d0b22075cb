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
from cadena.core.layout.routing import bend
from cadena.gui.canvas.picture.keys import Alike

PIECES = routing.SAMPLES - 1  # of a curve, between its points


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


@lru_cache(maxsize=16)  # most of what is painted again has moved no wire
def along_curves(curves_: Alike, parts: tuple[float, ...]) -> np.ndarray:
    """The points of curves, given by their control points (curves x 4 x 2), at these shares of their lengths: curves x
    parts x 2; kept, and so not to be written to."""
    points = along(routing.points_on(curves_.array), parts)
    points.setflags(write=False)
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
    curves have one. A part goes from the first piece that touches the area to the last one."""
    corners = routing.points_on(curves)
    bulge = 0.75 / PIECES**2 * np.abs(np.diff(curves, n=2, axis=1)).max(axis=1)  # how far a piece is from its chord
    low = np.minimum(corners[:, :-1], corners[:, 1:]) - bulge[:, None]
    high = np.maximum(corners[:, :-1], corners[:, 1:]) + bulge[:, None]
    begin, end = area.topLeft().toTuple(), area.bottomRight().toTuple()
    meets = ((low <= end) & (high >= begin)).all(axis=-1)
    first, last = meets.argmax(axis=1) / PIECES, 1.0 - meets[:, ::-1].argmax(axis=1) / PIECES
    first, last = first[:, None, None], last[:, None, None]
    ways = [(first,) * 3, (first, first, last), (first, last, last), (last,) * 3]
    return np.concatenate([_blossom(curves, *way) for way in ways], axis=1), meets.any(axis=1)


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
