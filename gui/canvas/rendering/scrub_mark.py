"""The mark under a number that can be dragged: a line with an arrow to either side, while the pointer is on it."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from cadena.gui.canvas.rendering.hit_boxes import number_area
from cadena.gui.canvas.rendering.scene import Scene

ARROW = 4.0  # canvas units
MIN_ZOOM = 0.4  # below this a card has no place for it, and is moved instead


def paint(painter: QPainter, scene: Scene, name: str) -> None:
    """The mark of one leaf, in pixels of the view."""
    area, color = number_area(scene.geometry, name), scene.theme.color("value")
    y = area.bottom() - 1.0
    left, right = QPointF(area.left() + ARROW, y), QPointF(area.right() - 2 * ARROW, y)
    painter.save()
    painter.setTransform(scene.camera.transform, True)
    painter.setPen(QPen(color, 1.2 * scene.theme.line))
    painter.drawLine(QLineF(left, right))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    for tip, way in ((left, ARROW), (right, -ARROW)):
        painter.drawPolygon(QPolygonF([tip - QPointF(way, 0.0), tip + QPointF(way, -ARROW), tip + QPointF(way, ARROW)]))
    painter.restore()
