"""Elevation: the soft shadow below what lies above its surroundings."""

from __future__ import annotations

from math import erfc, sqrt
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from cadena.gui.look import theme as look


class Elevation(NamedTuple):
    """How far a shadow falls, how wide its edge is, and how dark it is in light and dark themes."""

    drop: float
    blur: float
    opacity: float
    opacity_in_dark: float


RAISED = Elevation(1.0, 2.0, 0.12, 0.36)  # a control on the canvas, the selected segment
FLOATING = Elevation(8.0, 24.0, 0.16, 0.48)  # what comes and goes: the search, a tooltip, a toast


def paint_shadow(painter: QPainter, area: QRectF, radius: float, palette: QPalette, level: Elevation) -> None:
    """Paint what is seen of the shadow of a rounded rectangle: rings that fade as a Gaussian does."""
    is_dark = palette.window().color().lightness() < palette.windowText().color().lightness()
    strength = level.opacity_in_dark if is_dark else level.opacity
    deviation, fallen = level.blur / 2, area.translated(0.0, level.drop)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for out in range(-round(level.drop), round(level.blur) + 1):
        color = QColor(look.BLACK)
        color.setAlphaF(strength * erfc(out / deviation / sqrt(2.0)) / 2.0)
        painter.setPen(QPen(color, 1.0))
        ring = fallen.adjusted(-out, -out, out, out)
        painter.drawRoundedRect(ring, max(radius + out, 0.0), max(radius + out, 0.0))


class Shadow(QWidget):
    """The shadow of a child widget: a sibling below it, which goes where it goes."""

    def __init__(self, above: QWidget, level: Elevation, radius: float = look.RADIUS) -> None:
        super().__init__(above.parentWidget())
        self._above, self._level, self._radius = above, level, radius
        self._kept: tuple[tuple[object, ...], QPixmap] | None = None  # what is below is painted in each frame
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        above.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show):
            room = round(self._level.blur + self._level.drop)
            self.setGeometry(self._above.geometry().adjusted(-room, -room, room, room))
        if kind in (QEvent.Type.Show, QEvent.Type.ZOrderChange):
            self.setVisible(True)
            self.stackUnder(self._above)
        elif kind is QEvent.Type.Hide:
            self.hide()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        key = self.size(), self.palette().cacheKey(), self.devicePixelRatioF()
        if self._kept is None or self._kept[0] != key:
            self._kept = key, self._painted()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._kept[1])
        painter.end()

    def _painted(self) -> QPixmap:
        room, ratio = self._level.blur + self._level.drop, self.devicePixelRatioF()
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(room, room, -room, -room)
        paint_shadow(painter, area, self._radius, self.palette(), self._level)
        painter.end()
        return picture
