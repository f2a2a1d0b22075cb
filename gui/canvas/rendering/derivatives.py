"""Derivative vectors as heat maps: for a number a row of cells, for an array a block of its shape each."""

from __future__ import annotations

import math
from typing import TypeGuard

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPen

from cadena.gui.canvas.rendering import heatmap
from cadena.gui.look.heat_colors import colours
from cadena.gui.look.theme import Theme

BLOCK_GAP = 3.0  # between two blocks
TALLEST = 14.0  # a cell of a block; wider ones would not look like an array


def is_vector(derivatives: np.ndarray | None, shape: tuple[int, ...]) -> TypeGuard[np.ndarray]:
    """Whether these are several derivatives of a node of this shape."""
    return derivatives is not None and derivatives.ndim > len(shape)


def paint(painter: QPainter, vector: np.ndarray, room: QRectF, theme: Theme, role: str, zoom: float = 1.0) -> None:
    """The derivatives of a node along each direction, (directions, *node shape); every block has a scale of its own."""
    if vector.ndim == 1:
        heatmap.paint(painter, vector, room, theme, role, zoom)
        return
    blocks = np.stack([heatmap.thinned(heatmap.as_matrix(derivative)) for derivative in vector])
    if not blocks.size:
        return
    rgb = [colours(block, theme) for block in blocks]
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color(role), min(1.0, theme.line)))
    for block, place in zip(rgb, places(blocks.shape, room), strict=True):
        rows, columns = block.shape[:2]
        image = QImage(block.tobytes(), columns, rows, 3 * columns, QImage.Format.Format_RGB888)
        painter.drawImage(place, image.scaled(columns * 8, rows * 8))  # exports may smooth images
        painter.drawRect(place)


def places(shape: tuple[int, ...], room: QRectF) -> list[QRectF]:
    """Where the blocks of (count, rows, columns) lie, in as many lines as make their cells largest."""
    count, rows, columns = shape
    lines = max(range(1, count + 1), key=lambda lines: _cell(count, rows, columns, lines, room))
    per_line, cell = math.ceil(count / lines), _cell(count, rows, columns, lines, room)
    wide = min((room.width() - (per_line - 1) * BLOCK_GAP) / per_line, 2.0 * cell * columns)
    tall = min((room.height() - (lines - 1) * BLOCK_GAP) / lines, 2.0 * cell * rows)
    left = room.center().x() - (per_line * wide + (per_line - 1) * BLOCK_GAP) / 2
    top = room.center().y() - (lines * tall + (lines - 1) * BLOCK_GAP) / 2
    corners = (divmod(number, per_line) for number in range(count))
    return [QRectF(left + x * (wide + BLOCK_GAP), top + y * (tall + BLOCK_GAP), wide, tall) for y, x in corners]


def _cell(count: int, rows: int, columns: int, lines: int, room: QRectF) -> float:
    """The lesser side of a cell when the blocks lie in so many lines."""
    per_line = math.ceil(count / lines)
    wide = (room.width() - (per_line - 1) * BLOCK_GAP) / per_line / columns
    tall = (room.height() - (lines - 1) * BLOCK_GAP) / lines / rows
    return min(wide, tall, TALLEST)
