"""The ground of the canvas: its colour, its grid of dots, and instructions on an empty one."""

from __future__ import annotations

import math
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.canvas.rendering.text_fitting import CENTER, write
from cadena.gui.look.theme import LABEL, SENTENCE

PITCH = 24.0  # canvas units between dots
DOT = 2.0  # pixels
CLOSEST = 16.0  # pixels between dots; closer, every other row is left out
BEGIN = "An empty canvas"
HOW = (
    "Drag an operation here from the left, or double-click or press A to search for one.",
    "Then drag from a port on the right of a card to a port on the left of another.",
    "Or double-click and write it all: y = w*x + b",
    "Or open a lesson: Ctrl+Shift+L shows all of them.",
)


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


def paint_beginning(painter: QPainter, scene: Scene) -> None:
    """The words on an empty canvas, in pixels of the view."""
    theme, middle = scene.theme, QRectF(QPointF(0.0, 0.0), scene.view).center()
    lines = ((BEGIN, SENTENCE, "text", True), *((line, LABEL, "muted", False) for line in HOW))
    top = middle.y() - 40.0 * theme.type
    for text, size, role, bold in lines:
        tall = size * theme.type * 1.9
        place = QRectF(20.0, top, scene.view.width() - 40.0, tall)
        write(painter, text, place, size * theme.type, theme.color(role), bold=bold, align=CENTER)
        top += tall
