"""Formulas as sharp pictures, held in Qt's cache of pixmaps."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import QByteArray, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap, QPixmapCache

from cadena.gui.formulas.typeset import INK, REFERENCE
from cadena.gui.formulas.typesetter import cached, one_color, plain_font, setting
from cadena.gui.look.theme import Theme

__all__ = ["REFERENCE", "cached", "colored", "on_plate", "paint", "render", "setting", "size"]

UNLINED = '<svg stroke-width="0"'  # else QSvgGenerator writes the pen that QtSvg begins with as a black line
# Grounds of results, by role.
STRONG = {"value": "value_strong", "gradient": "gradient_strong", "tangent": "tangent", "fault": "fault"}

BAD = re.compile(r"[-−]?(\\mathrm\{nan\}|\\infty)")
LIT_BAD = re.compile(rf"\\textcolor\{{[^}}]*\}}\{{({BAD.pattern})\}}")
MATRIX, NEW_ROW = re.compile(r"\\begin\{bmatrix\}(.*?)\\end\{bmatrix\}"), r"\\"


def size(latex: str, pixel_size: float) -> QSizeF:
    """The room that a formula takes, in pixels."""
    return setting(latex).size(pixel_size)


def paint(painter: QPainter, latex: str, pixel_size: float, color: str, baseline: QPointF) -> None:
    """Draw a formula as vectors; its first glyph begins at `baseline`. One that is not set yet is requested."""
    typeset, scale = cached(latex), pixel_size / REFERENCE
    if typeset is None:
        return
    if typeset.svg is None:
        painter.setFont(plain_font(pixel_size))
        painter.setPen(QColor(color))
        painter.drawText(baseline, typeset.text)
        return
    from PySide6.QtSvg import QSvgRenderer

    drawing = typeset.svg.replace(INK, color).replace("<svg", UNLINED, 1)
    renderer = QSvgRenderer(QByteArray(drawing.encode()))
    top_left = QPointF(baseline.x(), baseline.y() - typeset.ascent * scale)
    renderer.render(painter, QRectF(top_left, typeset.size(pixel_size)))


def render(latex: str, pixel_size: float, color: str, device_ratio: float = 1.0) -> QPixmap:
    """A formula as a pixmap that is sharp at `device_ratio` device pixels to a pixel, with a pixel of air around it."""
    key = f"formula {pixel_size} {color} {device_ratio} {latex}"
    pixmap = QPixmap()
    if QPixmapCache.find(key, pixmap):
        return pixmap
    room = size(latex, pixel_size)
    pixmap = QPixmap(round((room.width() + 2) * device_ratio), round((room.height() + 2) * device_ratio))
    pixmap.setDevicePixelRatio(device_ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint(painter, latex, pixel_size, color, QPointF(1, 1 + setting(latex).ascent * pixel_size / REFERENCE))
    painter.end()
    QPixmapCache.insert(key, pixmap)
    return pixmap


def on_plate(latex: str, theme: Theme) -> tuple[str, str]:
    """A painted result as plain LaTeX, to be set in `on_strong`, and the colour of the plate that it stands on."""
    color, inner = one_color(latex) or (theme.text, latex)
    role = next((role for role in STRONG if getattr(theme, role) == color), "")
    inner = LIT_BAD.sub(r"\1", inner)  # a plate has one ink
    return inner, getattr(theme, STRONG[role]) if role else theme.ink


def with_faults(latex: str, theme: Theme) -> str:
    """A formula with its bad numbers in the colour of faults."""
    return BAD.sub(rf"\\textcolor{{{theme.fault}}}{{\g<0>}}", latex)


def colored(theme: Theme, rows: int | None = None) -> Callable[[str, str], str]:
    """The paint callback for core.notation.step_latex: values and gradients in their colours.

    A matrix of more than so many rows is written as its shape: there is no room in which it could be read.
    """

    def matrix(match: re.Match[str]) -> str:
        lines = match[1].split(NEW_ROW)
        shape = rf"\left({len(lines)} \times {lines[0].count('&') + 1}\right)"
        return shape if rows is not None and len(lines) > rows else match[0]

    def paint_part(role: str, latex: str) -> str:
        role = "fault" if BAD.fullmatch(latex) else role
        part = latex if role == "fault" else with_faults(MATRIX.sub(matrix, latex), theme)
        return rf"\textcolor{{{getattr(theme, role)}}}{{{part}}}"

    return paint_part
