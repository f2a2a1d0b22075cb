"""The legend of what colours say, at an edge of the view."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen

from cadena.gui.canvas.rendering import minimap
from cadena.gui.canvas.rendering.scales import Tints, colours_of
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.canvas.rendering.text_fitting import CENTER, RIGHT, width, write
from cadena.gui.look.theme import CAPTION, GAP, LABEL, RADIUS

SIZE = (230.0, 42.0)  # pixels at `type` 1
STOPS = 9  # colours along its bar


def paint(painter: QPainter, scene: Scene) -> None:
    """The scale with its ends, in pixels of the view, if it is shown."""
    place = area(scene)
    if place is None:
        return
    theme, scale, kind = scene.theme, Tints(scene).scale, _size_of_type(scene)
    painter.setPen(QPen(theme.color("border"), theme.line))
    painter.setBrush(theme.color("window", 0.94))
    painter.drawRoundedRect(place, RADIUS, RADIUS)
    inner = place.adjusted(GAP, GAP / 2, -GAP, -GAP / 2)
    half, size = inner.height() / 2, CAPTION * kind
    title, row = QRectF(inner), inner.adjusted(0.0, half, 0.0, 0.0)
    title.setHeight(half)
    write(painter, f"Colour: {scale.title}", title, LABEL * kind, theme.color("text"), align=CENTER)
    beside = [width(end, round(size)) + GAP / 2 for end in scale.ends]
    bar = row.adjusted(beside[0], 0.2 * half, -beside[1], -0.2 * half)
    parts = np.linspace(scale.begin, 1.0, STOPS)
    sweep = QLinearGradient(bar.topLeft(), QPointF(bar.right(), bar.top()))
    for part, rgb in zip(np.linspace(0.0, 1.0, STOPS).tolist(), colours_of(parts, scale, theme).tolist(), strict=True):
        sweep.setColorAt(part, QColor(*rgb))
    painter.fillRect(bar, sweep)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(bar)
    write(painter, scale.ends[0], row, size, theme.color("text"))
    write(painter, scale.ends[1], row, size, theme.color("text"), align=RIGHT)


def area(scene: Scene) -> QRectF | None:
    """Where the legend lies, in pixels of the view; None when colours say nothing.

    That is the edge of the view where it covers the fewest cards, below before above.
    """
    if not scene.shown.by or not scene.document.nodes:
        return None
    size, edge = QSizeF(*SIZE) * _size_of_type(scene), 2.0 * GAP
    right, bottom = scene.view.width() - size.width() - edge, scene.view.height() - size.height() - edge
    middle = (edge + right) / 2
    corners = [QPointF(x, y) for y in (bottom, edge) for x in (edge, middle, right)]
    there = minimap.area(scene) or QRectF()
    to_canvas, _ = scene.camera.transform.inverted()

    def covered(corner: QPointF) -> tuple[bool, int]:
        place = QRectF(corner, size)
        return place.intersects(there), len(scene.geometry.cards_in(to_canvas.mapRect(place)))

    return QRectF(min(corners, key=covered), size)


def _size_of_type(scene: Scene) -> float:
    return min(scene.theme.type, 1.25) * scene.enlarged
