"""Small pictures kept for repeated use: a card that shows the same as before is copied, not painted anew."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from typing import Any

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPixmap, QRegion, QTransform

from cadena.gui.canvas.picture.camera import Camera
from cadena.gui.canvas.picture.keys import Recent

MAX_PIXELS = 16_000_000  # kept at once: 64 megabytes


MOST_GROUPS = 4  # kept at once
PaintedLayer = tuple[Hashable, Callable[[QPainter], None]]  # equal keys for what looks the same, and how it is painted
Pictures = Iterable[tuple[PaintedLayer, QRectF]]  # each in its area
PlacedSprite = tuple[QPointF, QPixmap]  # and the pixel of the view where it begins


class Sprites:
    """A cache of pictures by content. They are placed at whole pixels, so that text stays sharp."""

    def __init__(self) -> None:
        self._sprites: dict[Hashable, QPixmap] = {}
        self._pixels = 0
        self._groups = Recent[list[PlacedSprite]](MOST_GROUPS)

    def paint(
        self,
        painter: QPainter,
        layers: tuple[PaintedLayer, ...],
        area: QRectF,
        camera: Camera,
        within: QRegion | None = None,
    ) -> None:
        """Paint `layers` one on the other in `area` (canvas units), on a painter in pixels of the view; only `within` a
        region in pixels of the screen, if one is given.

        What lies below the last layer is kept, too: where numbers alone change, they alone are painted anew.
        """
        ratio = painter.device().devicePixelRatioF()
        corner, sprite = _corner(area, camera, ratio), self.sprite(layers, area, camera.zoom, ratio, painter)
        if within is None:
            painter.drawPixmap(corner, sprite)
        else:
            _paint_within(painter, corner, sprite, within, ratio)

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

    def placed(self, pictures: Pictures, camera: Camera, like: QPainter) -> list[PlacedSprite]:
        """Pictures of one layer each, and where they lie in the view."""
        ratio = like.device().devicePixelRatioF()
        return [
            (_corner(area, camera, ratio), self.sprite((layer,), area, camera.zoom, ratio, like))
            for layer, area in pictures
        ]

    def group(self, key: Hashable, make: Callable[[], Pictures], camera: Camera, like: QPainter) -> list[PlacedSprite]:
        """Pictures that are kept all together: where none of them moves, none is looked up."""
        key = (key, camera, like.device().devicePixelRatioF())
        return self._groups.get(key, lambda: self.placed(make(), camera, like))

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
        _paint_sprites(painter, sprites.placed(pictures, camera, painter))
        return
    for (_, draw), area in pictures:
        painter.translate(camera.to_world(_corner(area, camera, ratio)) - area.topLeft())
        draw(painter)
        painter.setTransform(base)


def paint_group(
    painter: QPainter, key: Hashable, make: Callable[[], Pictures], camera: Camera, sprites: Sprites | None
) -> None:
    """The same of pictures that are made only where they are not kept, all together, under an equal key."""
    if sprites is None:
        paint_each(painter, make(), camera, None)
    else:
        _paint_sprites(painter, sprites.group(key, make, camera, painter))


def _paint_sprites(painter: QPainter, placed: list[PlacedSprite]) -> None:
    base = painter.transform()
    painter.resetTransform()
    for corner, sprite in placed:
        painter.drawPixmap(corner, sprite)
    painter.setTransform(base)


def _paint_within(painter: QPainter, corner: QPointF, sprite: QPixmap, region: QRegion, ratio: float) -> None:
    """Paint what lies in a region, by rectangles: under a clip of several Qt takes ten times as long."""
    left, top = round(corner.x() * ratio), round(corner.y() * ratio)
    painter.setClipping(False)
    parts: Any = region.intersected(QRect(left, top, sprite.width(), sprite.height()))  # PySide hides that it iterates
    for part in parts:
        onto = QRectF(part.x() / ratio, part.y() / ratio, part.width() / ratio, part.height() / ratio)
        painter.drawPixmap(onto, sprite, QRectF(part.translated(-left, -top)))
    painter.setClipping(True)


def clip_of(painter: QPainter) -> QRegion:
    """The clip of a painter, in pixels of the screen."""
    base, ratio = painter.transform(), painter.device().devicePixelRatioF()
    painter.setTransform(QTransform.fromScale(1.0 / ratio, 1.0 / ratio))
    region = painter.clipRegion()
    painter.setTransform(base)
    return region


def _corner(area: QRectF, camera: Camera, ratio: float) -> QPointF:
    """The corner of an area in pixels of the view, a whole number of those of the screen."""
    scale = camera.zoom * ratio
    return QPointF(round((area.x() - camera.x) * scale) / ratio, round((area.y() - camera.y) * scale) / ratio)


def _clear(size: QSizeF, ratio: float) -> QPixmap:
    pixmap = QPixmap(math.ceil(size.width()) + 1, math.ceil(size.height()) + 1)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    return pixmap
