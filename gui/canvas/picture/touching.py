"""Which of many boxes or lines touch some areas, and the areas along lines, by arrays.

A box or an area is left, top, right and bottom.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from PySide6.QtCore import QRectF

from cadena.core.graph.columns import picked

MOST_PAIRS = 20_000  # boxes and areas that are compared one by one
CELLS = 64  # of a grid, across and down, where there are more
OUTWARDS = np.array([-1.0, -1.0, 1.0, 1.0])  # the way of the sides of a rectangle that grows
PIECES = 12  # of a wire: the rectangle around the whole of a long one would hold half the graph
PARTS = np.linspace(0.0, 1.0, PIECES + 1)


def boxes_of(areas: Iterable[QRectF]) -> np.ndarray:
    """Areas as left, top, right and bottom: areas x 4."""
    return np.array([area.getCoords() for area in areas], dtype=float).reshape(-1, 4)


def along_points(points: np.ndarray, aside: np.ndarray) -> np.ndarray:
    """Areas around lines from point to point (lines x points x 2) that reach so far aside: lines x pieces x 4."""
    begin, end, reach = points[:, :-1], points[:, 1:], aside[:, None, None]
    return np.concatenate([np.minimum(begin, end) - reach, np.maximum(begin, end) + reach], axis=-1)


def along_lines(ends: np.ndarray, aside: np.ndarray) -> np.ndarray:
    """Areas along straight lines (lines x 4), piece by piece, that reach so far to all sides: lines x pieces x 4."""
    begin, end = ends[:, None, :2], ends[:, None, 2:]
    return along_points(begin + (end - begin) * PARTS[:, None], aside)


def touching(boxes: np.ndarray, areas: np.ndarray) -> np.ndarray:
    """Which of these boxes touch one of the areas, each left, top, right and bottom: a mark for each box.

    Of many boxes and areas those count, too, that touch a cell of a grid that an area touches.
    """
    touches = np.zeros(len(boxes), dtype=bool)
    if not len(areas):
        return touches
    around = np.concatenate([areas[:, :2].min(axis=0), areas[:, 2:].max(axis=0)])
    near = np.flatnonzero(overlaps(boxes, around[None]).ravel())  # few, as a rule
    if len(areas) == 1:
        touches[near] = True
    elif len(near) * len(areas) <= MOST_PAIRS:
        touches[near] = overlaps(picked(boxes, near), areas).any(axis=1)
    else:
        touches[near] = _touching_cells(picked(boxes, near), areas, around)
    return touches


def near_lines(ends: Sequence[np.ndarray], lines: np.ndarray, reach: float) -> np.ndarray:
    """Which straight wires, by the columns of their `ends`, may come so near to one of these lines (lines x 4): a mark
    for each. None that does is missed."""
    near = np.zeros(len(ends[0]), dtype=bool)
    parts = math.ceil(len(lines) * len(near) / MOST_PAIRS)
    for some in np.array_split(lines, parts) if parts else ():
        near |= _are_near(ends, some.T[..., None], reach).any(axis=0)
    return near


def _are_near(ends: Sequence[np.ndarray], lines: np.ndarray, reach: float) -> np.ndarray:
    """The same for each line (4 x lines x 1) and wire, in a picture that is turned so that the line is level."""
    left, top, right, bottom = lines
    long = np.hypot(right - left, bottom - top)
    whole = np.where(long, long, 1.0)
    over, down = np.where(long, (right - left) / whole, 1.0), (bottom - top) / whole
    begin, level = left * over + top * down, top * over - left * down
    turned = np.stack([np.hstack([-down, over]), np.hstack([over, down])]) @ np.reshape(ends, (2, 1, 2, -1))
    (aside1, along1), (aside2, along2) = turned
    near = (np.minimum(aside1, aside2) <= level + reach) & (np.maximum(aside1, aside2) >= level - reach)
    near &= (np.minimum(along1, along2) <= begin + long + reach) & (np.maximum(along1, along2) >= begin - reach)
    return np.asarray(near)


def _touching_cells(boxes: np.ndarray, areas: np.ndarray, around: np.ndarray) -> np.ndarray:
    """Which boxes touch a cell that an area touches, on a grid over the rectangle `around` all areas.

    Sums over the grid say how many cells are taken up to each place, and before these how many areas take each cell.
    """
    wide = CELLS + 2
    left, top, right, bottom = _cells(areas, around)
    left, right, top, bottom = (left + 1) * wide, (right + 2) * wide, top + 1, bottom + 2
    begins, ends = [left + top, right + bottom], [left + bottom, right + top]
    changes, back = (np.bincount(np.concatenate(corners), minlength=wide * wide) for corners in (begins, ends))
    taken = (changes - back).reshape(wide, wide).cumsum(axis=0).cumsum(axis=1) > 0
    before = taken.cumsum(axis=0).cumsum(axis=1).ravel()
    left, top, right, bottom = _cells(boxes, around)
    left, right, bottom = left * wide, (right + 1) * wide, bottom + 1
    through, aside = before.take(right + bottom) - before.take(left + bottom), before.take(right + top)
    inside: np.ndarray = through - aside + before.take(left + top) > 0
    return inside


def _cells(boxes: np.ndarray, around: np.ndarray) -> np.ndarray:
    """The cells of the sides of boxes, those outside taken to the edge of the grid: 4 x boxes, for numpy is slow to go
    through a table across."""
    size = np.maximum(around[2:] - around[:2], 1e-9) / CELLS
    cells = np.ascontiguousarray(boxes.T) - np.tile(around[:2], 2)[:, None]
    cells /= np.tile(size, 2)[:, None]
    np.clip(cells, 0, CELLS - 1, out=cells)
    return cells.astype(np.intp)


def overlaps(boxes: np.ndarray, areas: np.ndarray) -> np.ndarray:
    """Which of these boxes touch which areas: boxes x areas."""
    left, top, right, bottom = boxes.T[:, :, None]
    inside: np.ndarray = (left <= areas[:, 2]) & (right >= areas[:, 0]) & (top <= areas[:, 3]) & (bottom >= areas[:, 1])
    return inside
