"""Which of many boxes touch some areas. A box or an area is left, top, right and bottom."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QRectF


def boxes_of(areas: Iterable[QRectF]) -> np.ndarray:
    """Areas as left, top, right and bottom: areas x 4."""
    return np.array([area.getCoords() for area in areas], dtype=float).reshape(-1, 4)


def touching(boxes: np.ndarray, areas: np.ndarray) -> np.ndarray:
    """Which of these boxes touch one of a few areas: a mark for each box."""
    left, top, right, bottom = boxes.T
    touches = np.zeros(len(boxes), dtype=bool)
    for x1, y1, x2, y2 in areas.tolist():
        touches |= (left <= x2) & (right >= x1) & (top <= y2) & (bottom >= y1)
    return touches
