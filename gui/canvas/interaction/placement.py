"""Places of cards: the grid, a free place near an ideal one, and alignment of a moved card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF

from cadena.core.graph.columns import picked
from cadena.gui.canvas.rendering.geometry import NUMBER_CARD, Geometry

GRID = 8.0
GAP = 16.0  # between a new card and those that are there
BEHIND = 56.0  # from an operand to the card of a new operation on it: its wire shall be seen
IN_LINE = 0.5
NEAR = 1000.0  # canvas units: further away nobody sees that two cards are in line
PARTS = (0.0, 0.5, 1.0)  # of a card: left or top, middle, right or bottom
MANY = 60  # cards that are pasted one by one; more come as one block
RINGS = 60  # how far out a free place is searched
STEP = np.array(NUMBER_CARD) / 2 + GRID / 2  # from ring to ring


def snapped(point: QPointF) -> QPointF:
    """The nearest point of the grid."""
    return QPointF(round(point.x() / GRID) * GRID, round(point.y() / GRID) * GRID)


def centred(middle: QPointF) -> QPointF:
    """The top left corner, on the grid, of a new card with its middle near `middle`."""
    return snapped(middle - QPointF(NUMBER_CARD[0] / 2, NUMBER_CARD[1] / 2))


def free_place(geometry: Geometry, ideal: QPointF, size: tuple[float, float] = NUMBER_CARD) -> QPointF:
    """The top left corner nearest to `ideal` at which a new card, or a note of this size, covers no card."""
    for corner in _spiral(ideal):
        area = QRectF(corner.x(), corner.y(), *size).adjusted(-GAP, -GAP, GAP, GAP)
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
    step_x, step_y = STEP.tolist()
    yield middle
    for ring in range(1, RINGS):
        side = range(-ring, ring + 1)
        places = [(x * step_x, y * step_y) for x in side for y in side if max(abs(x), abs(y)) == ring]
        for x, y in sorted(places, key=lambda place: place[0] ** 2 + place[1] ** 2):
            yield middle + QPointF(x, y)


def free_offset(geometry: Geometry, part: Geometry, ideal: QPointF, onwards: bool = False) -> QPointF:
    """The way nearest to `ideal` by which the cards of another graph come here without covering any.

    With `onwards` they come to the right or below, where a copy does not stand before what feeds it.
    """
    here, boxes = geometry.boxes, part.boxes
    if not len(here) or not len(boxes):
        return ideal
    if len(boxes) > MANY:  # they come as one block
        boxes = np.array([[*boxes[:, :2].min(axis=0), *boxes[:, 2:].max(axis=0)]])
        if _always_covers(boxes[0] + np.array([*ideal.toTuple()] * 2), here):
            return _below(geometry, part, ideal)
    for offset in _spiral(ideal):
        if onwards and (offset.x() < ideal.x() or offset.y() < ideal.y()):
            continue
        left, top, right, bottom = (boxes + np.array([offset.x(), offset.y()] * 2)).T
        across = (left[:, None] < here[:, 2] + GRID) & (right[:, None] > here[:, 0] - GRID)
        if not (across & (top[:, None] < here[:, 3] + GRID) & (bottom[:, None] > here[:, 1] - GRID)).any():
            return offset
    return _below(geometry, part, ideal)


def _always_covers(block: np.ndarray, here: np.ndarray) -> bool:
    """Whether a block is so large that it covers a card wherever it comes to within the rings: its core does."""
    reach = RINGS * STEP
    left, top, right, bottom = *(block[:2] + reach), *(block[2:] - reach)
    if left >= right or top >= bottom:
        return False
    across = (here[:, 0] < right) & (here[:, 2] > left)
    return bool((across & (here[:, 1] < bottom) & (here[:, 3] > top)).any())


def _below(geometry: Geometry, part: Geometry, ideal: QPointF) -> QPointF:
    """The way to below everything."""
    return QPointF(ideal.x(), geometry.bounds().bottom() - part.bounds().top())


@dataclass
class Snapping:
    """What a moved card is drawn to: the grid, and lines with other cards."""

    grid: bool = True
    cards: bool = True

    def placed(self, geometry: Geometry, moving: frozenset[str], card: QRectF, reach: float) -> QPointF:
        """The top left corner for a moved card: in line with another within `reach`, else on the grid."""
        corner = card.topLeft()
        on_grid = snapped(corner) if self.grid else corner
        x, y = _attraction(geometry, moving, card, reach) if self.cards else (None, None)
        return QPointF(on_grid.x() if x is None else corner.x() + x, on_grid.y() if y is None else corner.y() + y)


def _attraction(
    geometry: Geometry, moving: frozenset[str], card: QRectF, reach: float
) -> tuple[float | None, float | None]:
    """How far a card is from being in line with a near one, across and down; None where none is within reach."""
    own, others = np.array(card.getCoords()), _staying(geometry, moving)
    near = others[(np.abs(others[:, :2] - own[:2]) < NEAR).all(axis=1)]
    ways = []
    for axis in (0, 1):
        parts = [(near[:, axis] * (1 - part) + near[:, axis + 2] * part) for part in PARTS]
        mine = [own[axis] * (1 - part) + own[axis + 2] * part for part in PARTS]
        away = np.concatenate([part - at for part, at in zip(parts, mine, strict=True)])
        best = float(away[np.argmin(np.abs(away))]) if len(away) else np.inf
        ways.append(best if abs(best) <= reach else None)
    return ways[0], ways[1]


def _staying(geometry: Geometry, moving: frozenset[str]) -> np.ndarray:
    """The boxes of the cards that do not move."""
    stays = np.ones(len(geometry.names), dtype=bool)
    stays[[geometry.numbers[name] for name in moving if name in geometry.numbers]] = False
    return picked(geometry.boxes, np.flatnonzero(stays))


def guides(geometry: Geometry, moving: frozenset[str], card: QRectF) -> tuple[QLineF, ...]:
    """Lines along which a moved `card` is in line with the nearest card that stays: edges, and middles."""
    left, top, right, bottom = _staying(geometry, moving).T
    middle_x, middle_y, center = (left + right) / 2, (top + bottom) / 2, card.center()
    lines = []
    for theirs, x in ((left, card.left()), (middle_x, center.x()), (right, card.right())):
        if (at := _nearest(np.abs(theirs - x), np.abs(middle_y - center.y()))) is not None:
            lines.append(QLineF(x, min(top[at], card.top()), x, max(bottom[at], card.bottom())))
            break
    for theirs, y in ((middle_y, center.y()), (top, card.top()), (bottom, card.bottom())):
        if (at := _nearest(np.abs(theirs - y), np.abs(middle_x - center.x()))) is not None:
            lines.append(QLineF(min(left[at], card.left()), y, max(right[at], card.right()), y))
            break
    return tuple(lines)


def _nearest(off_line: np.ndarray, away: np.ndarray) -> int | None:
    """The place of the nearest card of those that are in line."""
    in_line = np.flatnonzero(off_line < IN_LINE)
    return int(in_line[np.argmin(away[in_line])]) if len(in_line) else None
