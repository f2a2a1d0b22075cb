"""Placing small labels so that they cover as little as possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainterPath

from cadena.core.graph.document import Document
from cadena.gui.canvas.picture.geometry import Geometry
from cadena.gui.canvas.picture.paths import along

MAX_WIRES = 12  # of a node that a label keeps clear of, into it and out of it
SHARES = tuple(index / 12 for index in range(13))  # of a wire's length
NEAR = 260.0  # obstacles further away than this from the first choice are ignored


class Obstacles:
    """The areas that labels avoid: the cards, and each label that was placed before."""

    def __init__(self, geometry: Geometry, view: QRectF) -> None:
        around = view.adjusted(-NEAR, -NEAR, NEAR, NEAR)
        self._cards, self._view = geometry.boxes[geometry.cards_in(around)], view
        self._labels: list[list[float]] = []

    def block(self, area: QRectF) -> None:
        """Keep this area clear as well."""
        self._labels.append(_edges(area))

    def place(self, size: QSizeF, centers: Sequence[QPointF], weak: Iterable[QRectF] = ()) -> QRectF:
        """The rectangle of this size around one of `centers`, best first, or moved from there into sight, that covers
        least.

        `weak` are places that had better stay free, but may be covered sooner than a card.
        """
        half = np.array([size.width() / 2, size.height() / 2])
        middles = np.array([[center.x(), center.y()] for center in centers])
        tried = np.hstack([middles - half, middles + half])
        tried = np.vstack([tried, self._into_sight(tried)])
        hard = np.vstack([self._near(middles[0]), np.array(self._labels).reshape(-1, 4)])
        soft = np.array([_edges(rect) for rect in weak]).reshape(-1, 4)
        cost = 4.0 * _overlap(tried, hard) + _overlap(tried, soft) + 4.0 * _outside(tried, self._view)
        best = tried[np.argmin(cost + np.arange(len(tried)) * 4.0)].tolist()
        self._labels.append(best)
        return QRectF(QPointF(*best[:2]), QPointF(*best[2:]))

    def _into_sight(self, tried: np.ndarray) -> np.ndarray:
        """Select the tried rectangles with a visible middle, moved entirely into sight."""
        left, top, right, bottom = _edges(self._view)
        middles = (tried[:, :2] + tried[:, 2:]) / 2
        tried = tried[((middles >= (left, top)) & (middles <= (right, bottom))).all(axis=1)]
        moves = np.maximum(np.array([left, top]) - tried[:, :2], 0.0)
        moves += np.minimum(np.array([right, bottom]) - (tried[:, 2:] + moves), 0.0)
        return tried + np.hstack([moves, moves])

    def _near(self, middle: np.ndarray) -> np.ndarray:
        cards = self._cards
        near = (cards[:, :2] < middle + NEAR).all(axis=1) & (cards[:, 2:] > middle - NEAR).all(axis=1)
        return cards[near]


def squares_along(path: QPainterPath, half: float) -> list[QRectF]:
    """Squares along a wire that should stay free for its tokens."""
    return squares(along(path, SHARES), half)


def squares(points: Iterable[QPointF], half: float) -> list[QRectF]:
    """A square around each of these points."""
    return [QRectF(point.x() - half, point.y() - half, 2 * half, 2 * half) for point in points]


def wires_into(document: Document, geometry: Geometry, name: str, half: float) -> list[QRectF]:
    """Squares along the first wires into a node."""
    inputs = enumerate(document.nodes[name].inputs[:MAX_WIRES])
    paths = [geometry.wire(source, name, slot) for slot, source in inputs if source and source in document.nodes]
    return [square for path in paths for square in squares_along(path, half)]


def _edges(rect: QRectF) -> list[float]:
    return [rect.left(), rect.top(), rect.right(), rect.bottom()]


def _overlap(tried: np.ndarray, occupied: np.ndarray) -> np.ndarray:
    """The area that each tried rectangle shares with all occupied ones."""
    low = np.maximum(tried[:, None, :2], occupied[None, :, :2])
    high = np.minimum(tried[:, None, 2:], occupied[None, :, 2:])
    return np.prod(np.clip(high - low, 0.0, None), axis=2).sum(axis=1)


def _outside(tried: np.ndarray, view: QRectF) -> np.ndarray:
    area = np.prod(tried[:, 2:] - tried[:, :2], axis=1)
    return area - _overlap(tried, np.array([_edges(view)]))
