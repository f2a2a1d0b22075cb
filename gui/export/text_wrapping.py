"""The words of a page: lines of text that are broken where they are too long."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from cadena.gui.canvas.rendering.text_fitting import width, write
from cadena.gui.look.theme import Theme

TextLine = tuple[str, float, bool]  # text, size on the theme's scale, bold


def height(size: float, unit: float) -> float:
    return math.ceil(size * unit * 1.5)


def wrapped(line: TextLine, unit: float, room: float) -> list[str]:
    """Break the text into lines no wider than `room`."""
    text, size, bold = line
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width(longer, round(size * unit), bold) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def paint_lines(
    painter: QPainter, corner: QPointF, room: float, lines: list[TextLine], unit: float, theme: Theme
) -> float:
    """Write these lines from `corner` downwards. Returns where they end."""
    top = corner.y()
    for line in lines:
        _, size, bold = line
        for part in wrapped(line, unit, room):
            place = QRectF(corner.x(), top, room, height(size, unit))
            write(painter, part, place, size * unit, theme.color("text"), bold=bold)
            top += place.height()
    return top
