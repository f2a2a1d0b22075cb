"""Keys as they are shown beside what they do: each in a hairline box."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme

PADDING, BETWEEN, CORNER = 6.0, 6.0, 4.0


def keys_width(keys: str, theme: Theme) -> float:
    """The room that keys take, which stand apart by spaces; 0 for none."""
    widths = [width for _, width in _boxes(keys, theme)]
    return sum(widths) + BETWEEN * (len(widths) - 1) if widths else 0.0


def paint_keys(painter: QPainter, keys: str, right: float, middle: float, theme: Theme) -> None:
    """Paint the boxes of keys, which end at `right`, around the line `middle`."""
    font = look.font(theme, look.CAPTION)
    height = round(QFontMetricsF(font).height()) + 2.0
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(font)
    for key, width in reversed(_boxes(keys, theme)):
        box = QRectF(round(right - width) + 0.5, round(middle - height / 2) + 0.5, round(width), height)
        painter.setPen(QPen(theme.color("hairline"), 1.0))
        painter.setBrush(theme.color("card"))
        painter.drawRoundedRect(box, CORNER, CORNER)
        painter.setPen(theme.color("text"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, key)
        right -= width + BETWEEN
    painter.restore()


def _boxes(keys: str, theme: Theme) -> list[tuple[str, float]]:
    metrics = QFontMetricsF(look.font(theme, look.CAPTION))
    return [(key, metrics.horizontalAdvance(key) + 2 * PADDING) for key in keys.split(" ") if key]
