"""Arrays as heat maps: diverging colours centred on 0, cool for values and warm for gradients; numbers in the cells."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter, QPainterPath, QPen

from cadena.core.text.numbers import DIGITS, short
from cadena.gui.canvas.rendering.text_fitting import CENTER, fitted, width, write
from cadena.gui.look.heat_colors import colours, ink
from cadena.gui.look.theme import LABEL, Theme

SMOOTH = QPainter.RenderHint.SmoothPixmapTransform
MAX_CELLS = 48  # rows or columns that are painted; of larger arrays an even choice
WIDEST, TALLEST = 112.0, 26.0  # of one cell: "−0.01103" on a stage
SEPARATED = 7.0  # the least side of a cell that has a line around it
MEASURED = 16  # canvas units: the height of the type in which widths are compared
READABLE = 9.0  # pixels on the screen, below which numbers in cells are left out


def as_matrix(array: np.ndarray) -> np.ndarray:
    """Any array in two dimensions: a vector as one row, leading axes of more dimensions as rows."""
    columns = array.shape[-1] if array.ndim > 1 else array.size
    return array.reshape(array.size // max(columns, 1) if array.ndim > 1 else 1, columns)


def thinned(matrix: np.ndarray) -> np.ndarray:
    """An even choice of rows and columns, at most MAX_CELLS of each."""
    picks = [np.linspace(0, size - 1, min(size, MAX_CELLS)).astype(int) for size in matrix.shape]
    return matrix[np.ix_(*picks)]


def area(shape: tuple[int, int], room: QRectF) -> QRectF:
    """Where the map of a matrix of this shape lies in its room: cells neither too wide nor too tall, in the middle."""
    rows, columns = (max(size, 1) for size in shape)
    wide, tall = min(room.width(), columns * WIDEST), min(room.height(), rows * TALLEST)
    middle = room.center()
    return QRectF(middle.x() - wide / 2, middle.y() - tall / 2, wide, tall)


def paint(
    painter: QPainter,
    array: np.ndarray,
    room: QRectF,
    theme: Theme,
    role: str,
    zoom: float = 1.0,
    kind: str = "",
    marked: np.ndarray | None = None,
) -> None:
    """The map of an array in `room`, framed in the colour of `role`; `kind`, else `role`, chooses its colours.

    A line surrounds the elements (flat) that are `marked`.
    """
    matrix, kind = thinned(as_matrix(array)), kind or role
    place = area(matrix.shape, room)
    if matrix.size:
        _cells(painter, colours(matrix, theme, kind), place, theme)
        if matrix.size == array.size:
            _numbers(painter, matrix, place, theme, zoom, kind)
        if marked is not None:
            _mark(painter, as_matrix(array).shape, marked, place, theme)
    painter.setPen(QPen(theme.color(role), 1.4 * theme.line))
    painter.setBrush(QColor(0, 0, 0, 0))
    painter.drawRect(place)


def _mark(painter: QPainter, shape: tuple[int, int], marked: np.ndarray, place: QRectF, theme: Theme) -> None:
    """Surround elements of a matrix of this shape; those that are left out mark the ones next to them."""
    shown = [min(size, MAX_CELLS) for size in shape]
    picks = [np.linspace(0, size - 1, count).astype(int) for size, count in zip(shape, shown, strict=True)]
    near = [np.searchsorted(pick, at) for pick, at in zip(picks, np.divmod(marked, shape[1]), strict=True)]
    wide, tall, outline = place.width() / shown[1], place.height() / shown[0], QPainterPath()
    for row, column in sorted(set(zip(near[0].tolist(), near[1].tolist(), strict=True))):
        outline.addRect(QRectF(place.left() + column * wide, place.top() + row * tall, wide, tall))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for color, thickness in (("card", 5.0), ("text", 2.6)):
        painter.setPen(QPen(theme.color(color), thickness * theme.line**0.5))
        painter.drawPath(outline.simplified())


def _cells(painter: QPainter, rgb: np.ndarray, place: QRectF, theme: Theme) -> None:
    rows, columns = rgb.shape[:2]
    if painter.paintEngine().type() != QPaintEngine.Type.Raster:  # what reads an export may smooth images
        wide, tall = max(1, 96 // columns), max(1, 96 // rows)
        rgb = rgb.repeat(tall, axis=0).repeat(wide, axis=1)
    tall, wide = rgb.shape[:2]
    image = QImage(rgb.tobytes(), wide, tall, 3 * wide, QImage.Format.Format_RGB888)
    is_smooth = painter.testRenderHint(SMOOTH)
    painter.setRenderHint(SMOOTH, False)
    painter.drawImage(place, image)
    painter.setRenderHint(SMOOTH, is_smooth)
    if min(place.width() / columns, place.height() / rows) >= SEPARATED:
        _separators(painter, rows, columns, place, theme)


def _separators(painter: QPainter, rows: int, columns: int, place: QRectF, theme: Theme) -> None:
    wide, tall, color = place.width() / columns, place.height() / rows, theme.color("card", 0.7)
    for column in range(1, columns):  # as areas: lines take ten times as long
        painter.fillRect(QRectF(place.left() + column * wide - 0.5, place.top(), 1.0, place.height()), color)
    for row in range(1, rows):
        painter.fillRect(QRectF(place.left(), place.top() + row * tall - 0.5, place.width(), 1.0), color)


def _numbers(painter: QPainter, matrix: np.ndarray, place: QRectF, theme: Theme, zoom: float, kind: str) -> None:
    """The number in each cell, all in one size: with the digits that cards and formulas have, or marked as cut."""
    rows, columns = matrix.shape
    wide, tall = place.width() / columns, place.height() / rows
    least = READABLE * theme.type**0.5 / zoom
    tallest = min(max(LABEL * theme.type, math.ceil(least)), tall * 0.86)  # larger from afar, where the cell has room
    lettering = _lettering(tuple(matrix.ravel().tolist()), round(tallest), wide - 4.0) if columns <= 8 else None
    if lettering is None or lettering[1] < least:
        return
    texts, size = lettering
    rgb = colours(matrix, theme, kind).reshape(-1, 3).tolist()
    for index, text in enumerate(texts):
        row, column = divmod(index, columns)
        cell = QRectF(place.left() + column * wide, place.top() + row * tall, wide, tall)
        write(painter, text, cell, size, ink(rgb[index]), align=CENTER)


@lru_cache(maxsize=512)
def _lettering(numbers: tuple[float, ...], tallest: int, room: float) -> tuple[list[str], int] | None:
    """The texts of the cells and their common height; cut numbers rather than type that nobody can read."""
    best: tuple[list[str], int] | None = None
    for digits in range(DIGITS, 0, -1):
        lettering = _in_digits(numbers, digits, tallest, room)
        if lettering is None:
            continue
        if best is None or lettering[1] > best[1]:
            best = lettering
        if lettering[1] >= min(READABLE, tallest):
            break
    return best


def _in_digits(numbers: tuple[float, ...], digits: int, tallest: int, room: float) -> tuple[list[str], int] | None:
    """The texts with so many digits, and their common height; None where one has no room."""
    texts = [short(number, digits, marked=digits < DIGITS) for number in numbers]
    widest = max(texts, key=_width)
    shown, size = fitted(widest, tallest, False, room)
    return (texts, size) if shown == widest else None


def _width(text: str) -> float:
    """How wide a number is, letter by letter: measured as a whole, each new one would take five times as long."""
    return sum(width(letter, MEASURED) for letter in text)
