"""The words of a page: sentences with coloured numbers, broken into lines where they are too long."""

from __future__ import annotations

import math
import re

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainter

from cadena.core.text.painted_text import pieces, plain
from cadena.gui.canvas.rendering.text_fitting import width, write
from cadena.gui.look.theme import Theme

TextLine = tuple[
    str, float, bool
]  # text, whose numbers `painted_text` may have marked; size on the theme's scale; bold
HAIR = 0.01  # pixels: of the room of a piece, which rounding could leave too narrow for it
WORDS = re.compile(r"[^ ]+")


def height(size: float, unit: float) -> float:
    return math.ceil(size * unit * 1.5)


def _spans(line: TextLine, unit: float, room: float) -> list[tuple[int, int]]:
    """Where lines no wider than `room` begin and end in the plain text."""
    text, size, bold = line
    text = plain(text)
    spans: list[tuple[int, int]] = []
    for word in WORDS.finditer(text):
        if spans and width(text[spans[-1][0] : word.end()], round(size * unit), bold) <= room:
            spans[-1] = spans[-1][0], word.end()
        else:
            spans.append(word.span())
    return spans or [(0, 0)]


def wrapped(line: TextLine, unit: float, room: float) -> list[str]:
    """Break the text into lines no wider than `room`."""
    text = plain(line[0])
    return [text[begin:end] for begin, end in _spans(line, unit, room)]


def paint_lines(
    painter: QPainter, corner: QPointF, room: float, lines: list[TextLine], unit: float, theme: Theme
) -> float:
    """Write these lines from `corner` downwards. Returns where they end."""
    top = corner.y()
    for text, size, bold in lines:
        for span in _spans((text, size, bold), unit, room):
            place = QRectF(corner.x(), top, room, height(size, unit))
            for words, role in _within(text, span):
                taken = min(width(words, round(size * unit), bold), place.width())
                here = QRectF(place.topLeft(), QSizeF(taken + HAIR, place.height()))
                write(painter, words, here, size * unit, theme.color(role or "text"), bold=bold)
                place.setLeft(place.left() + taken)
            top += place.height()
    return top


def _within(marked: str, span: tuple[int, int]) -> list[tuple[str, str]]:
    """The pieces of a marked text, with their roles, between two letters of its plain form."""
    begin, parts = 0, list[tuple[str, str]]()
    for text, role in pieces(marked):
        part = text[max(span[0] - begin, 0) : max(span[1] - begin, 0)]
        begin += len(text)
        if part:
            parts.append((part, role))
    return parts
