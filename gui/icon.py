"""The program's picture, in pixels."""

from __future__ import annotations

from importlib.resources import files

from PySide6.QtCore import QBuffer, QByteArray, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer


def icon_png(size: int) -> bytes:
    """The picture as PNG, so many pixels wide and high."""
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(files("cadena.resources").joinpath("icons", "cadena.svg").read_bytes())).render(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # a device is fine, whatever the stubs say
    return bytes(buffer.data().data())
