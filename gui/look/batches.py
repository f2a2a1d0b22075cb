"""Many lines or rectangles in one call: Qt reads them where numpy keeps them, and none becomes an object of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QPainter
from shiboken6 import Shiboken


def draw_lines(painter: QPainter, ends: np.ndarray) -> None:
    """Draw lines, each from x, y to x, y: lines x 4."""
    lines = np.ascontiguousarray(ends, dtype=np.float64)  # as a QLineF lies in memory
    if len(lines):
        first: Any = Shiboken.wrapInstance(lines.ctypes.data, QLineF)
        painter.drawLines(first, len(lines))


def draw_boxes(painter: QPainter, boxes: np.ndarray) -> None:
    """Draw rectangles, each with left, top, right and bottom: rectangles x 4."""
    places = np.hstack([boxes[:, :2], boxes[:, 2:] - boxes[:, :2]]).astype(np.float64)  # as a QRectF lies in memory
    if len(places):
        first: Any = Shiboken.wrapInstance(places.ctypes.data, QRectF)
        painter.drawRects(first, len(places))
