"""Small pictures kept for repeated use: a card that shows the same as before is copied, not painted anew."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from cadena.gui.canvas.picture.camera import Camera

MAX_PIXELS = 16_000_000  # kept at once: 64 megabytes


class Sprites:
    """A cache of pictures by content. They are placed at whole pixels, so that text stays sharp."""

    def __init__(self) -> None:
        self._sprites: dict[Hashable, QPixmap] = {}
        self._pixels = 0

    def paint(
        self, painter: QPainter, key: Hashable, area: QRectF, camera: Camera, draw: Callable[[QPainter], None]
    ) -> None:
        """Paint the result of `draw` in `area` (canvas units), on a painter in pixels of the view."""
        ratio = painter.device().devicePixelRatioF()
        key = (key, camera.zoom, ratio)
        sprite = self._sprites.get(key)
        if sprite is None:
            sprite = self._keep(key, _painted(area, camera.zoom, ratio, painter, draw))
        corner = camera.to_view(area.topLeft())
        painter.drawPixmap(QPointF(round(corner.x() * ratio) / ratio, round(corner.y() * ratio) / ratio), sprite)

    def _keep(self, key: Hashable, sprite: QPixmap) -> QPixmap:
        self._sprites[key] = sprite
        self._pixels += sprite.width() * sprite.height()
        while self._pixels > MAX_PIXELS and len(self._sprites) > 1:
            oldest = self._sprites.pop(next(iter(self._sprites)))
            self._pixels -= oldest.width() * oldest.height()
        return sprite


def _painted(area: QRectF, zoom: float, ratio: float, like: QPainter, draw: Callable[[QPainter], None]) -> QPixmap:
    size = area.size() * zoom * ratio
    sprite = QPixmap(math.ceil(size.width()) + 1, math.ceil(size.height()) + 1)
    sprite.setDevicePixelRatio(ratio)
    sprite.fill(Qt.GlobalColor.transparent)
    painter = QPainter(sprite)
    painter.setRenderHints(like.renderHints())
    painter.scale(zoom, zoom)
    painter.translate(-area.topLeft())
    draw(painter)
    painter.end()
    return sprite
