"""Places of cards: the grid, a free place near an ideal one, and alignment of a moved card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF

from cadena.core.graph.document import Position
from cadena.gui.canvas.picture.geometry import NUMBER_CARD, Geometry

GRID = 8.0
GAP = 16.0  # between a new card and those that are there
BEHIND = 56.0  # from an operand to the card of a new operation on it: its wire shall be seen
IN_LINE = 0.5
RINGS = 60  # how far out a free place is searched


def snapped(point: QPointF) -> QPointF:
    """The nearest point of the grid."""
    return QPointF(round(point.x() / GRID) * GRID, round(point.y() / GRID) * GRID)


def centred(middle: QPointF) -> QPointF:
    """The top left corner, on the grid, of a new card with its middle near `middle`."""
    return snapped(middle - QPointF(NUMBER_CARD[0] / 2, NUMBER_CARD[1] / 2))


def free_place(geometry: Geometry, ideal: QPointF) -> QPointF:
    """The top left corner nearest to `ideal` at which a new card covers no other."""
    for corner in _spiral(ideal):
        area = QRectF(corner.x(), corner.y(), *NUMBER_CARD).adjusted(-GAP, -GAP, GAP, GAP)
        if not len(geometry.cards_in(area)):
            return corner
    return ideal


def behind(geometry: Geometry, operands: Iterable[str]) -> QPointF:
    """The top left corner of a new card to the right of its operands, at their height, where it covers no other."""
    cards = [geometry.card(name) for name in operands]
    height = sum(card.center().y() for card in cards) / len(cards) - NUMBER_CARD[1] / 2
    return free_place(geometry, snapped(QPointF(max(card.right() for card in cards) + BEHIND, height)))


def _spiral(middle: QPointF) -> Iterator[QPointF]:
    """`middle`, then the points of ring after ring around it, half a card apart, the nearest of each ring first."""
    step_x, step_y = NUMBER_CARD[0] / 2 + GRID / 2, NUMBER_CARD[1] / 2 + GRID / 2
    yield middle
    for ring in range(1, RINGS):
        side = range(-ring, ring + 1)
        places = [(x * step_x, y * step_y) for x in side for y in side if max(abs(x), abs(y)) == ring]
        for x, y in sorted(places, key=lambda place: place[0] ** 2 + place[1] ** 2):
            yield middle + QPointF(x, y)


def cascade(layout: Mapping[str, Position], offset: QPointF, corner: Position) -> QPointF:
    """`offset`, pushed down and right until a card pasted at `corner` + offset does not lie exactly on another."""
    occupied = set(layout.values())
    while (corner[0] + offset.x(), corner[1] + offset.y()) in occupied:
        offset += QPointF(3 * GRID, 3 * GRID)
    return offset


def guides(geometry: Geometry, moving: frozenset[str], card: QRectF) -> tuple[QLineF, ...]:
    """Lines along which a moved `card` is in line with the nearest card that stays: left edges, and middles."""
    staying = np.array([name not in moving for name in geometry.names], dtype=bool)
    left, top, right, bottom = geometry.boxes[staying].T
    middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
    lines = []
    if (at := _nearest(np.abs(left - card.left()), np.abs(middle_y - card.center().y()))) is not None:
        lines.append(QLineF(card.left(), min(top[at], card.top()), card.left(), max(bottom[at], card.bottom())))
    y = card.center().y()
    if (at := _nearest(np.abs(middle_y - y), np.abs(middle_x - card.center().x()))) is not None:
        lines.append(QLineF(min(left[at], card.left()), y, max(right[at], card.right()), y))
    return tuple(lines)


def _nearest(off_line: np.ndarray, away: np.ndarray) -> int | None:
    """The place of the nearest card of those that are in line."""
    in_line = np.flatnonzero(off_line < IN_LINE)
    return int(in_line[np.argmin(away[in_line])]) if len(in_line) else None
