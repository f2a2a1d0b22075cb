"""Text that fits its place: set smaller where necessary, shortened only as a last resort, never cut off."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPaintEngine, QPainter, QPainterPath

from cadena.core.text.plain_text import cleaned, elided
from cadena.gui.look.theme import LIGHT, font

MIN_TYPE = 7  # canvas units; smaller type cannot be read, so longer text is shortened
MAX_LETTERS = 300  # letters that are measured: more have no room anywhere
LEFT, CENTER, RIGHT = 0.0, 0.5, 1.0


@lru_cache(maxsize=256)
def face(pixels: int, bold: int = False) -> QFont:
    """The interface's font at this height, bold or with a weight such as 700; without hinting, so that it keeps its
    proportions at every zoom."""
    font_ = font(LIGHT, pixels, bool(bold), weight=bold if bold > True else 0)  # the family is the same in all themes
    font_.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font_


@lru_cache(maxsize=256)
def metrics(pixels: int, bold: int = False) -> QFontMetricsF:
    """The measures of a face."""
    return QFontMetricsF(face(pixels, bold))


@lru_cache(maxsize=32768)
def width(text: str, pixels: int, bold: int = False) -> float:
    """How wide a text is, in canvas units."""
    return metrics(pixels, bold).horizontalAdvance(cleaned(elided(text, MAX_LETTERS)))


@lru_cache(maxsize=32768)
def fitted(text: str, pixels: int, bold: int, room: float, least: int = MIN_TYPE) -> tuple[str, int]:
    """The text and the height, at most `pixels`, at which it is no wider than `room`; shortened below `least`."""
    text = cleaned(elided(text, MAX_LETTERS))
    if (wide := width(text, pixels, bold)) <= room:
        return text, pixels
    size = max(min(int(pixels * room / wide) + 1, pixels), min(least, pixels))
    while size > least and width(text, size, bold) > room:
        size -= 1
    shown, narrow = text, room
    while narrow > 0.0 and width(shown, size, bold) > room:
        shown = metrics(size, bold).elidedText(text, Qt.TextElideMode.ElideMiddle, narrow)
        narrow -= 1.0  # where Qt finds what is left wider than it had thought: signs of another font
    return shown, size


@lru_cache(maxsize=32768)
def _set(text: str, pixels: int, bold: int, room: float, least: int) -> tuple[str, QFont, float, float]:
    """What to write in a room of this width: text, face, its width, and how far its baseline lies below the middle."""
    text, size = fitted(text, pixels, bold, room, least)
    return text, face(size, bold), width(text, size, bold), metrics(size, bold).capHeight() / 2


def write(
    painter: QPainter,
    text: str,
    place: QRectF,
    pixels: float,
    color: QColor,
    bold: int = False,
    align: float = LEFT,
    least: float = MIN_TYPE,
) -> None:
    """One line of text in `place`: capitals centred in its height, `align` (0 left to 1 right) in its width.

    Where it is too wide it is set smaller, but not below `least`, and then shortened in the middle.
    """
    room = place.width()
    shown, letters, wide, drop = _set(text, min(round(pixels), round(place.height() * 0.96)), bold, room, round(least))
    at = QPointF(place.x() + (room - wide) * align, place.y() + place.height() / 2 + drop)
    if painter.paintEngine().type() == QPaintEngine.Type.SVG:  # outlines look the same without our font
        outline = QPainterPath()
        outline.addText(at, letters, shown)
        painter.fillPath(outline, color)
        return
    painter.setFont(letters)
    painter.setPen(color)
    painter.drawText(at, shown)
