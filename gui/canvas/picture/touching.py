"""Which of many boxes or lines touch some areas, by arrays. A box or an area is left, top, right and bottom."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from cadena.core.graph.columns import picked

MOST_PAIRS = 20_000  # boxes and areas that are compared one by one
CELLS = 64  # of a grid, across and down, where there are more


def touching(boxes: np.ndarray, areas: np.ndarray) -> np.ndarray:
    """Which of these boxes touch one of the areas, each left, top, right and bottom: a mark for each box.

    Of many boxes and areas those count, too, that touch a cell of a grid that an area touches.
    """
    touches = np.zeros(len(boxes), dtype=bool)
    if not len(areas):
        return touches
    around = np.concatenate([areas[:, :2].min(axis=0), areas[:, 2:].max(axis=0)])
    near = np.flatnonzero(_overlap(boxes, around[None]).ravel())  # few, as a rule
    if len(areas) == 1:
        touches[near] = True
    elif len(near) * len(areas) <= MOST_PAIRS:
        touches[near] = _overlap(picked(boxes, near), areas).any(axis=1)
    else:
        touches[near] = _touching_cells(picked(boxes, near), areas, around)
    return touches


def near_lines(ends: Sequence[np.ndarray], lines: np.ndarray, reach: float) -> np.ndarray:
    """Which straight wires, by the columns of their `ends`, may come so near to one of these lines (lines x 4): a mark
    for each. None that does is missed."""
    x1, y1, x2, y2 = ends
    near = np.zeros(len(x1), dtype=bool)
    for left, top, right, bottom in lines.tolist():  # in a picture that is turned so that this line is level
        long = math.hypot(right - left, bottom - top)
        over, down = ((right - left) / long, (bottom - top) / long) if long else (1.0, 0.0)
        first, level = left * over + top * down, top * over - left * down
        along, aside = (x1 * over + y1 * down, x2 * over + y2 * down), (y1 * over - x1 * down, y2 * over - x2 * down)
        beside = (np.minimum(*along) <= first + long + reach) & (np.maximum(*along) >= first - reach)
        near |= beside & (np.minimum(*aside) <= level + reach) & (np.maximum(*aside) >= level - reach)
    return near


def _touching_cells(boxes: np.ndarray, areas: np.ndarray, around: np.ndarray) -> np.ndarray:
    """Which boxes touch a cell that an area touches, on a grid over the rectangle `around` all areas."""
    taken = np.zeros((CELLS + 1, CELLS + 1), dtype=np.intp)
    for left, top, right, bottom in _cells(areas, around).T.tolist():
        taken[left + 1 : right + 2, top + 1 : bottom + 2] = 1
    before = taken.cumsum(axis=0).cumsum(axis=1).ravel()  # how many cells are taken up to each place, across and down
    left, top, right, bottom = _cells(boxes, around)
    left, right, bottom = left * (CELLS + 1), (right + 1) * (CELLS + 1), bottom + 1
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


def _overlap(boxes: np.ndarray, areas: np.ndarray) -> np.ndarray:
    left, top, right, bottom = boxes.T[:, :, None]
    inside: np.ndarray = (left <= areas[:, 2]) & (right >= areas[:, 0]) & (top <= areas[:, 3]) & (bottom >= areas[:, 1])
    return inside
