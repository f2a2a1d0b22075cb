"""How tall a text really is on the screen: by the pixels that it colours, measured finer than the screen has them."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QColor, QImage, QRegion
from PySide6.QtWidgets import QWidget

NEAR = 60  # differences of a colour, summed over red, green and blue, that antialiasing makes at the core of a letter


def height(widget: QWidget, area: QRectF, color: str, finer: float) -> float:
    """The height of what has this colour in an area of the widget, in its pixels, measured so much finer."""
    place = area.toAlignedRect()
    image = QImage(math.ceil(place.width() * finer), math.ceil(place.height() * finer), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(finer)
    image.fill(widget.palette().window().color())
    widget.render(image, QPoint(), QRegion(place))
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    pixels = rows[:, : 4 * image.width()].reshape(image.height(), image.width(), 4).astype(np.int16)
    wanted = QColor(color)
    far = np.abs(pixels[:, :, :3] - [wanted.blue(), wanted.green(), wanted.red()]).sum(axis=2)
    found = np.flatnonzero((far < NEAR).any(axis=1))
    return float(found[-1] - found[0] + 1) / finer if len(found) else 0.0
