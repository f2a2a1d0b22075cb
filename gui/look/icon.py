"""The program's picture, in pixels, and pictures as PNG."""

from __future__ import annotations

from importlib.resources import files

from PySide6.QtCore import QBuffer, QByteArray, Qt
from PySide6.QtGui import QImage, QPainter


def icon_png(size: int) -> bytes:
    """The picture as PNG, so many pixels wide and high."""
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(files("cadena.resources").joinpath("icons", "cadena.svg").read_bytes())).render(painter)
    painter.end()
    return png_of(image)


def png_of(image: QImage) -> bytes:
    """An image as PNG."""
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # a device is fine, whatever the stubs say
    return bytes(buffer.data().data())
