"""Text that fits its place: set smaller where it must be, shortened only as the last resort, never cut off."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPaintEngine, QPainter, QPainterPath

from gui.theme import LIGHT, font

LEAST = 7  # canvas units; smaller type cannot be read, so longer text is shortened
LEFT, CENTER, RIGHT = 0.0, 0.5, 1.0


@lru_cache(maxsize=256)
def face(pixels: int, bold: bool = False) -> QFont:
    """The interface's font at this height; without hinting, so that it keeps its proportions at every zoom."""
    made = font(LIGHT, bold=bold)  # the family is the same in all themes
    made.setPixelSize(pixels)
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return made


@lru_cache(maxsize=256)
def metrics(pixels: int, bold: bool = False) -> QFontMetricsF:
    """The measures of a face."""
    return QFontMetricsF(face(pixels, bold))


@lru_cache(maxsize=32768)
def width(text: str, pixels: int, bold: bool = False) -> float:
    """How wide a text is, in canvas units."""
    return metrics(pixels, bold).horizontalAdvance(text)


@lru_cache(maxsize=32768)
def fitted(text: str, pixels: int, bold: bool, room: float) -> tuple[str, int]:
    """The text and the height, at most `pixels`, at which it is no wider than `room`; shortened below LEAST."""
    if (wide := width(text, pixels, bold)) <= room:
        return text, pixels
    size = max(int(pixels * room / wide), LEAST)
    while size > LEAST and width(text, size, bold) > room:
        size -= 1
    if width(text, size, bold) > room:
        text = metrics(size, bold).elidedText(text, Qt.TextElideMode.ElideMiddle, room)
    return text, size


def write(
    painter: QPainter, text: str, place: QRectF, pixels: float, color: QColor, bold: bool = False, align: float = LEFT
) -> None:
    """One line of text in `place`: capitals centred in its height, `align` (0 left to 1 right) in its width."""
    text, size = fitted(text, min(round(pixels), round(place.height() * 0.96)), bold, place.width())
    left = place.left() + (place.width() - width(text, size, bold)) * align
    at = QPointF(left, place.center().y() + metrics(size, bold).capHeight() / 2)
    if painter.paintEngine().type() == QPaintEngine.Type.SVG:  # outlines look the same without our font
        outline = QPainterPath()
        outline.addText(at, face(size, bold), text)
        painter.fillPath(outline, color)
        return
    painter.setFont(face(size, bold))
    painter.setPen(color)
    painter.drawText(at, text)
