"""Sprites: painted once while they look the same, at whole pixels, within a bounded memory."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from cadena.gui.canvas.rendering import sprites
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.sprites import Sprites

pytestmark = pytest.mark.usefixtures("qapp")
AREA, SPOT = QRectF(10.0, 20.0, 30.0, 40.0), QRectF(15.0, 25.0, 5.0, 5.0)


class Counted:
    """A red rectangle that counts how often it is painted."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, painter: QPainter) -> None:
        self.times += 1
        painter.fillRect(AREA, QColor("red"))


def show(kept: Sprites, key: str, camera: Camera, draw: Counted) -> QImage:
    image = QImage(200, 200, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    kept.paint(painter, ((key, draw),), AREA, camera)
    painter.end()
    return image


def test_the_same_key_is_painted_once_and_shown_where_the_camera_says():
    kept, draw = Sprites(), Counted()
    first = show(kept, "a", Camera(), draw)
    second = show(kept, "a", Camera(-50.0, 0.0), draw)
    assert draw.times == 1
    assert first.pixelColor(20, 30) == second.pixelColor(70, 30) == QColor("red")
    assert second.pixelColor(20, 30) == QColor("white")


def test_another_key_or_another_zoom_is_painted_anew():
    kept, draw = Sprites(), Counted()
    for key, zoom in (("a", 1.0), ("b", 1.0), ("a", 2.0), ("a", 1.0)):
        show(kept, key, Camera(zoom=zoom), draw)
    assert draw.times == 3


def test_memory_is_bounded_and_the_oldest_go_first(monkeypatch):
    monkeypatch.setattr(sprites, "MAX_PIXELS", 5 * 32 * 42)
    kept, draw = Sprites(), Counted()
    for index in range(20):
        show(kept, str(index), Camera(), draw)
    assert draw.times == 20
    show(kept, "19", Camera(), draw)
    assert draw.times == 20
    show(kept, "0", Camera(), draw)
    assert draw.times == 21


def test_what_lies_below_is_kept_while_the_layer_on_it_changes():
    kept, below, image = Sprites(), Counted(), QImage(200, 200, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        for color in ("blue", "green", "blue"):
            spot = (color, lambda it, color=color: it.fillRect(SPOT, QColor(color)))
            kept.paint(painter, (("red", below), spot), AREA, Camera())
            assert image.pixelColor(17, 27) == QColor(color) and image.pixelColor(30, 50) == QColor("red")
    assert below.times == 1
