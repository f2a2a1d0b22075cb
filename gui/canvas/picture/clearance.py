"""Placing small labels so that they cover as little as possible.

Places are arrays, in canvas units: a point is x and y, an area left, top, right and bottom.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF

from cadena.gui.canvas.picture.geometry import Geometry

MAX_WIRES = 12  # of a node that a label keeps clear of, into it and out of it
SHARES = tuple(index / 12 for index in range(13))  # of a wire's length
NEAR = 260.0  # obstacles further away than this from the first choice are ignored
FIRST = 13  # choices that are looked at before all the others: one of them is nearly always free
HARD = 4.0  # what a card counts, and a place out of sight, where the way of a token counts 1
STEP = 4.0  # canvas units squared: what a choice may cover more than the one after it
NONE = np.empty((0, 4))


class Obstacles:
    """The areas that labels avoid: the cards, and each label that was placed before."""

    def __init__(self, geometry: Geometry, view: QRectF) -> None:
        around = view.adjusted(-NEAR, -NEAR, NEAR, NEAR)
        self._cards, self._view = geometry.boxes[geometry.cards_in(around)], np.array([_edges(view)])
        self._sides = np.ascontiguousarray(self._cards.T)  # left, top, right, bottom
        self._labels: list[list[float]] = []

    def block(self, area: QRectF) -> None:
        """Keep this area clear as well."""
        self._labels.append(_edges(area))

    def place(self, size: QSizeF, centers: Sequence[Sequence[float]] | np.ndarray, weak: np.ndarray = NONE) -> QRectF:
        """The rectangle of this size around one of `centers` (points, best first), or moved from there into sight, that
        covers least.

        `weak` are areas that had better stay free, but may be covered sooner than a card.
        """
        wide, tall = size.toTuple()
        middles = np.asarray(centers, dtype=float)
        tried = middles[:, [0, 1, 0, 1]] + np.array([-wide, -tall, wide, tall]) / 2
        hard = np.vstack([self._near(*middles[0].tolist()), *self._labels])
        areas = np.vstack([self._view, hard, weak])
        weights = np.array([-HARD] + [HARD] * len(hard) + [1.0] * len(weak))  # what is seen counts against what is not
        cost = _overlap(tried[:FIRST], areas) @ weights + _lateness(len(tried[:FIRST]))
        if cost.min() > STEP * len(cost) - HARD * wide * tall:  # else all others cost more, be they ever so free
            tried = np.vstack([tried, self._into_sight(tried)])
            cost = _overlap(tried, areas) @ weights + _lateness(len(tried))
        best = tried[cost.argmin()].tolist()
        self._labels.append(best)
        return QRectF(QPointF(*best[:2]), QPointF(*best[2:]))

    def _into_sight(self, tried: np.ndarray) -> np.ndarray:
        """Select the tried rectangles with a visible middle, moved entirely into sight."""
        low, high = self._view[0, :2], self._view[0, 2:]
        middles = (tried[:, :2] + tried[:, 2:]) / 2
        tried = tried[((middles >= low) & (middles <= high)).all(axis=1)]
        moves = np.maximum(low - tried[:, :2], 0.0)
        moves += np.minimum(high - (tried[:, 2:] + moves), 0.0)
        return tried + np.hstack([moves, moves])

    def _near(self, x: float, y: float) -> np.ndarray:
        left, top, right, bottom = self._sides
        return self._cards[(left < x + NEAR) & (right > x - NEAR) & (top < y + NEAR) & (bottom > y - NEAR)]


@lru_cache(maxsize=256)
def _lateness(count: int) -> np.ndarray:
    """What each choice costs for those that come before it."""
    return np.arange(count) * STEP


def squares(points: np.ndarray, half: float) -> np.ndarray:
    """A square around each of these points, ... x 2, as areas in a row."""
    middles = points.reshape(-1, 2)
    return np.hstack([middles - half, middles + half])


def wires_into(geometry: Geometry, name: str) -> range:
    """The rows of the first wires into a node."""
    return geometry.rows_into(name)[:MAX_WIRES]


def wires_out_of(geometry: Geometry, name: str) -> list[int]:
    """The rows of the first wires out of a node."""
    return geometry.rows_out_of(name)[:MAX_WIRES]


def _edges(rect: QRectF) -> list[float]:
    return [rect.left(), rect.top(), rect.right(), rect.bottom()]


def _overlap(tried: np.ndarray, occupied: np.ndarray) -> np.ndarray:
    """The area that each tried rectangle shares with each occupied one: tried x occupied."""
    left, top, right, bottom = tried.T[:, :, None]
    across = np.minimum(right, occupied[:, 2]) - np.maximum(left, occupied[:, 0])
    down = np.minimum(bottom, occupied[:, 3]) - np.maximum(top, occupied[:, 1])
    shared: np.ndarray = np.maximum(across, 0.0) * np.maximum(down, 0.0)
    return shared
