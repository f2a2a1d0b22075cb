"""Placing small labels so that they cover as little as possible.

Places are arrays, in canvas units: a point is x and y, an area left, top, right and bottom.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF

from cadena.gui.canvas.rendering.geometry import Geometry

MAX_WIRES = 12  # of a node that a label keeps clear of, into it and out of it
SHARES = tuple(index / 12 for index in range(13))  # of a wire's length
NEAR = 260.0  # around the view: obstacles further away are ignored
FARTHEST = 600.0  # from the first choice: the same
FIRST = 13  # choices that are looked at before all the others: one of them is nearly always free
HARD = 4.0  # what a card counts, and a place out of sight, where the way of a token counts 1
STEP = 3.0  # canvas units squared: what a choice may cover more than the one after it
INSIDE = 3.0  # from the edge of a card to what it shows
NONE = np.empty((0, 4))


class Obstacles:
    """The areas that labels avoid: the cards, and each label that was placed before."""

    def __init__(self, geometry: Geometry, view: QRectF) -> None:
        self._geometry, self._view = geometry, view
        self._labels: list[list[float]] = []

    @cached_property
    def _sides(self) -> np.ndarray:
        """Left, top, right and bottom of the cards in view or near it: 4 x cards."""
        around = self._view.adjusted(-NEAR, -NEAR, NEAR, NEAR)
        return self._geometry.boxes.T.take(self._geometry.cards_in(around), axis=1)

    @property
    def taken(self) -> np.ndarray:
        """The view, and then the areas that are kept clear apart from the cards: areas x 4."""
        return np.array([_edges(self._view), *self._labels])

    def block(self, area: QRectF, times: int = 1) -> None:
        """Keep this area clear as well, as if it were so many cards."""
        self._labels += times * [_edges(area)]

    def place(self, size: QSizeF, centers: Sequence[Sequence[float]] | np.ndarray, weak: np.ndarray = NONE) -> QRectF:
        """The rectangle of this size around one of `centers` (points, best first), or moved from there into sight, that
        covers least.

        `weak` are areas that had better stay free, but may be covered sooner than a card.
        """
        (placed,) = self.place_all(np.array([size.toTuple()]), np.asarray(centers, dtype=float)[None], weak[None])
        return placed

    def place_all(self, sizes: np.ndarray, centers: np.ndarray, weak: np.ndarray) -> list[QRectF]:
        """Place several labels as `place` does one, in this order: sizes labels x 2, centers labels x choices x 2, weak
        areas labels x areas x 4, of which empty ones count nothing."""
        half = sizes[:, None] / 2
        tried = np.concatenate([centers - half, centers + half], axis=-1)
        best = _best(tried, _near(self._sides, tried), weak, self.taken)
        self._labels += best
        return [QRectF(QPointF(*one[:2]), QPointF(*one[2:])) for one in best]

    def covers_cards(self, areas: Sequence[QRectF]) -> np.ndarray:
        """Which of these areas lie on what a card shows: a mark for each."""
        left, top, right, bottom = self._sides
        inner = np.array([left + INSIDE, top + INSIDE, right - INSIDE, bottom - INSIDE])
        edges = np.array([_edges(area) for area in areas])
        return np.asarray(_meets(inner, edges[:, :2], edges[:, 2:]).any(axis=1))


def _best(tried: np.ndarray, near: np.ndarray, weak: np.ndarray, taken: np.ndarray) -> list[list[float]]:
    """For each label which of the rectangles tried covers least: of what is not in view, of the cards near it, of its
    weak areas, of what is taken, and of the labels before it. What is taken are the view and then blocked areas."""
    view, *blocked = taken
    areas = np.concatenate([np.broadcast_to(view, (len(tried), 1, 4)), near, weak], axis=1)
    # What is seen counts against what is not.
    weights = np.repeat([-HARD, HARD, 1.0], [1, near.shape[1], weak.shape[1]])
    firsts = _overlap(tried[:, :FIRST], areas) @ weights + _lateness(min(FIRST, tried.shape[1]))
    placed = np.array(blocked).reshape(-1, 4)
    for own, around, first in zip(tried, areas, firsts, strict=True):
        cost = first + HARD * _overlap(own[:FIRST], placed).sum(axis=-1)
        free = STEP * len(cost) - HARD * np.prod(own[0, 2:] - own[0, :2])
        if cost.min() > free:  # else all others cost more, be they ever so free
            own = np.concatenate([own, _into_sight(own, view)])
            cost = _overlap(own, around) @ weights + _lateness(len(own)) + HARD * _overlap(own, placed).sum(axis=-1)
        placed = np.concatenate([placed, own[None, cost.argmin()]])
    return placed[len(blocked) :].tolist()


def _near(sides: np.ndarray, tried: np.ndarray) -> np.ndarray:
    """The cards near the choices of each label: labels x cards x 4, filled up with empty ones."""
    first = (tried[:, 0, :2] + tried[:, 0, 2:]) / 2
    low = np.maximum(tried[..., :2].min(axis=1), first - FARTHEST)
    high = np.minimum(tried[..., 2:].max(axis=1), first + FARTHEST)
    sides = sides[:, _meets(sides, low.min(axis=0), high.max(axis=0))]  # few, as a rule
    is_near = _meets(sides, low, high)
    which, cards = np.nonzero(is_near)
    counts = np.bincount(which, minlength=len(tried))
    near = np.zeros((len(tried), int(counts.max()), 4))
    near[which, np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)] = sides.T[cards]
    return near


def _into_sight(tried: np.ndarray, view: np.ndarray) -> np.ndarray:
    """The tried rectangles with a visible middle that have to be moved to be entirely in sight, where they are then."""
    low, high = view[:2], view[2:]
    middles = (tried[:, :2] + tried[:, 2:]) / 2
    tried = tried[((middles >= low) & (middles <= high)).all(axis=1)]
    moves = np.maximum(low - tried[:, :2], 0.0)
    moves += np.minimum(high - (tried[:, 2:] + moves), 0.0)
    is_moved = moves.any(axis=1)
    return tried[is_moved] + moves[is_moved][:, [0, 1, 0, 1]]


@lru_cache(maxsize=256)
def _lateness(count: int) -> np.ndarray:
    """What each choice costs for those that come before it."""
    return np.arange(count) * STEP


def squares(points: np.ndarray, half: float) -> np.ndarray:
    """A square around each of these points, ... x 2, as areas: ... x 4."""
    return np.concatenate([points - half, points + half], axis=-1)


def wires_into(geometry: Geometry, name: str) -> range:
    """The rows of the first wires into a node."""
    return geometry.rows_into(name)[:MAX_WIRES]


def wires_out_of(geometry: Geometry, name: str) -> list[int]:
    """The rows of the first wires out of a node."""
    return geometry.rows_out_of(name)[:MAX_WIRES]


def _meets(sides: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Which cards reach between the corners `low` and `high`, or between those of each label: a mark for each card."""
    left, top, right, bottom = sides
    (x1, y1), (x2, y2) = low.T[..., None], high.T[..., None]
    marks: np.ndarray = (left < x2) & (right > x1) & (top < y2) & (bottom > y1)
    return marks


def _edges(rect: QRectF) -> list[float]:
    return [rect.left(), rect.top(), rect.right(), rect.bottom()]


def _overlap(tried: np.ndarray, occupied: np.ndarray) -> np.ndarray:
    """The area that each tried rectangle shares with each occupied one: ... x tried x occupied."""
    tried, occupied = tried[..., :, None, :], occupied[..., None, :, :]
    across = np.minimum(tried[..., 2], occupied[..., 2]) - np.maximum(tried[..., 0], occupied[..., 0])
    down = np.minimum(tried[..., 3], occupied[..., 3]) - np.maximum(tried[..., 1], occupied[..., 1])
    shared: np.ndarray = np.maximum(across, 0.0) * np.maximum(down, 0.0)
    return shared
