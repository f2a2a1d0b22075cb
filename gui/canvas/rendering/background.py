"""The ground of the canvas: its colour and its grid of dots."""

from __future__ import annotations

import math
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

from cadena.gui.canvas.rendering.scene import Scene

PITCH = 24.0  # canvas units between dots
DOT = 2.0  # pixels
CLOSEST = 16.0  # pixels between dots; closer, every other row is left out


def paint(painter: QPainter, scene: Scene) -> None:
    """Ground, and in Build its grid, in pixels of the view."""
    place = QRectF(QPointF(0.0, 0.0), scene.view)
    painter.fillRect(place, scene.theme.color("canvas"))
    if scene.live and scene.theme.grid != scene.theme.canvas:
        _dots(painter, scene, place)


def _dots(painter: QPainter, scene: Scene, place: QRectF) -> None:
    pitch = PITCH * scene.camera.zoom
    while pitch < CLOSEST:
        pitch *= 2.0
    left, top = -scene.camera.x * scene.camera.zoom % pitch, -scene.camera.y * scene.camera.zoom % pitch
    row = _row(place.width(), left, pitch, scene.theme.grid)
    for number in range(int((place.height() - top) / pitch) + 1):
        painter.drawPixmap(QPointF(0.0, top + number * pitch - DOT / 2), row)


@lru_cache(maxsize=4)
def _row(wide: float, left: float, pitch: float, color: str) -> QPixmap:
    """A row of dots, which is painted once, then repeated."""
    row = QPixmap(math.ceil(wide), int(DOT))
    row.fill(Qt.GlobalColor.transparent)
    with QPainter(row) as painter:
        for column in range(int((wide - left) / pitch) + 1):
            painter.fillRect(QRectF(left + column * pitch - DOT / 2, 0.0, DOT, DOT), QColor(color))
    return row
