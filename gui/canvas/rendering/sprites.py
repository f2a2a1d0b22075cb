"""Small pictures kept for repeated use: a card that shows the same as before is copied, not painted anew."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPixmap

from cadena.gui.canvas.rendering.camera import Camera

MAX_PIXELS = 16_000_000  # kept at once: 64 megabytes

PaintedLayer = tuple[Hashable, Callable[[QPainter], None]]  # equal keys for what looks the same, and how it is painted
Pictures = Iterable[tuple[PaintedLayer, QRectF]]  # each in its area


class Sprites:
    """A cache of pictures by content. They are placed at whole pixels, so that text stays sharp."""

    def __init__(self) -> None:
        self._sprites: dict[Hashable, QPixmap] = {}
        self._pixels = 0

    def paint(self, painter: QPainter, layers: tuple[PaintedLayer, ...], area: QRectF, camera: Camera) -> None:
        """Paint `layers` one on the other in `area` (canvas units), on a painter in pixels of the view.

        What lies below the last layer is kept, too: where numbers alone change, they alone are painted anew.
        """
        ratio = painter.device().devicePixelRatioF()
        painter.drawPixmap(_corner(area, camera, ratio), self.sprite(layers, area, camera.zoom, ratio, painter))

    def sprite(
        self, layers: tuple[PaintedLayer, ...], area: QRectF, zoom: float, ratio: float, like: QPainter
    ) -> QPixmap:
        """The kept picture of these layers, with the render hints of a painter; a clear one for none."""
        if not layers:
            return _clear(area.size() * zoom * ratio, ratio)
        key = (tuple(key for key, _ in layers), zoom, ratio)
        sprite = self._sprites.get(key)
        if sprite is None:
            sprite = QPixmap(self.sprite(layers[:-1], area, zoom, ratio, like))
            with QPainter(sprite) as painter:
                painter.setRenderHints(like.renderHints())
                painter.scale(zoom, zoom)
                painter.translate(-area.topLeft())
                layers[-1][1](painter)
            self._keep(key, sprite)
        return sprite

    def _keep(self, key: Hashable, sprite: QPixmap) -> None:
        self._sprites[key] = sprite
        self._pixels += sprite.width() * sprite.height()
        while self._pixels > MAX_PIXELS and len(self._sprites) > 1:
            oldest = self._sprites.pop(next(iter(self._sprites)))
            self._pixels -= oldest.width() * oldest.height()


def paint_each(painter: QPainter, pictures: Pictures, camera: Camera, sprites: Sprites | None) -> None:
    """Paint each picture in its area, on a painter in canvas units: from what is kept or, without `sprites`, anew, but
    at the same whole pixels."""
    base, ratio = painter.transform(), painter.device().devicePixelRatioF()
    if sprites is not None:
        painter.resetTransform()
        for layer, area in pictures:
            sprites.paint(painter, (layer,), area, camera)
        painter.setTransform(base)
        return
    for (_, draw), area in pictures:
        painter.translate(camera.to_world(_corner(area, camera, ratio)) - area.topLeft())
        draw(painter)
        painter.setTransform(base)


def _corner(area: QRectF, camera: Camera, ratio: float) -> QPointF:
    """The corner of an area in pixels of the view, a whole number of those of the screen."""
    scale = camera.zoom * ratio
    return QPointF(round((area.x() - camera.x) * scale) / ratio, round((area.y() - camera.y) * scale) / ratio)


def _clear(size: QSizeF, ratio: float) -> QPixmap:
    pixmap = QPixmap(math.ceil(size.width()) + 1, math.ceil(size.height()) + 1)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    return pixmap
