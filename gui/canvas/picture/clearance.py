"""Placing small labels so that they cover as little as possible.

Places are arrays, in canvas units: a point is x and y, an area left, top, right and bottom.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF

from cadena.gui.canvas.picture.geometry import Geometry

MAX_WIRES = 12  # of a node that a label keeps clear of, into it and out of it
SHARES = tuple(index / 12 for index in range(13))  # of a wire's length
NEAR = 260.0  # obstacles further away than this from the first choice are ignored
FIRST = 13  # choices that are looked at before all the others: one of them is nearly always free
STEP = 4.0  # canvas units squared: what a choice may cover more than the one after it
NONE = np.empty((0, 4))


class Obstacles:
    """The areas that labels avoid: the cards, and each label that was placed before."""

    def __init__(self, geometry: Geometry, view: QRectF) -> None:
        around = view.adjusted(-NEAR, -NEAR, NEAR, NEAR)
        self._cards, self._view = geometry.boxes[geometry.cards_in(around)], np.array(_edges(view))
        self._labels: list[list[float]] = []

    def block(self, area: QRectF) -> None:
        """Keep this area clear as well."""
        self._labels.append(_edges(area))

    def place(self, size: QSizeF, centers: Sequence[Sequence[float]] | np.ndarray, weak: np.ndarray = NONE) -> QRectF:
        """The rectangle of this size around one of `centers` (points, best first), or moved from there into sight, that
        covers least.

        `weak` are areas that had better stay free, but may be covered sooner than a card.
        """
        half, middles = np.array([size.width() / 2, size.height() / 2]), np.asarray(centers, dtype=float)
        tried = np.hstack([middles - half, middles + half])
        hard = np.vstack([self._near(middles[0]), np.array(self._labels).reshape(-1, 4)])
        cost = self._cost(tried[:FIRST], hard, weak)
        if cost.min() > STEP * len(cost):  # else all others cost more, be they ever so free
            tried = np.vstack([tried, self._into_sight(tried)])
            cost = self._cost(tried, hard, weak)
        best = tried[np.argmin(cost)].tolist()
        self._labels.append(best)
        return QRectF(QPointF(*best[:2]), QPointF(*best[2:]))

    def _cost(self, tried: np.ndarray, hard: np.ndarray, weak: np.ndarray) -> np.ndarray:
        """What each choice covers, in canvas units squared, and how late a choice it is."""
        area = np.prod(tried[:, 2:] - tried[:, :2], axis=1)
        outside = area - _overlap(tried, self._view[None])
        cost: np.ndarray = 4.0 * (_overlap(tried, hard) + outside) + _overlap(tried, weak)
        return cost + np.arange(len(tried)) * STEP

    def _into_sight(self, tried: np.ndarray) -> np.ndarray:
        """Select the tried rectangles with a visible middle, moved entirely into sight."""
        low, high = self._view[:2], self._view[2:]
        middles = (tried[:, :2] + tried[:, 2:]) / 2
        tried = tried[((middles >= low) & (middles <= high)).all(axis=1)]
        moves = np.maximum(low - tried[:, :2], 0.0)
        moves += np.minimum(high - (tried[:, 2:] + moves), 0.0)
        return tried + np.hstack([moves, moves])

    def _near(self, middle: np.ndarray) -> np.ndarray:
        cards = self._cards
        near = (cards[:, :2] < middle + NEAR).all(axis=1) & (cards[:, 2:] > middle - NEAR).all(axis=1)
        return cards[near]


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
    """The area that each tried rectangle shares with all occupied ones."""
    tried = tried[:, None]
    across = np.minimum(tried[..., 2], occupied[:, 2]) - np.maximum(tried[..., 0], occupied[:, 0])
    down = np.minimum(tried[..., 3], occupied[:, 3]) - np.maximum(tried[..., 1], occupied[:, 1])
    shared: np.ndarray = (np.maximum(across, 0.0) * np.maximum(down, 0.0)).sum(axis=1)
    return shared
