"""The leaves that stand in the card of their operation: a row each below it, with the name, and the number or shape."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen

from cadena.core.graph.blocks import module_of
from cadena.core.text.numbers import shape_text, short
from cadena.gui.canvas.rendering.folded_positions import LEAF_ROW
from cadena.gui.canvas.rendering.geometry import Geometry
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.canvas.rendering.text_fitting import RIGHT, width, write
from cadena.gui.look.theme import GAP, LABEL

UNDER = 12.0  # canvas units of the drawer that lie below the card
ROUND = 10.0
NAME_SHARE = 0.45  # of a row, at least, is the number's
LEAST_TYPE = 6.0  # pixels on the screen: smaller words are left out


def areas(geometry: Geometry, name: str) -> dict[str, QRectF]:
    """The row of each leaf in the card of an operation."""
    face = geometry.face(name)
    return {
        leaf: QRectF(face.left(), face.bottom() + at * LEAF_ROW, face.width(), LEAF_ROW)
        for at, leaf in enumerate(geometry.inside.get(name, ()))
    }


def paint(painter: QPainter, scene: Scene, name: str) -> None:
    """The rows of an operation, as a drawer out of its card, which is painted above it."""
    if not (rows := areas(scene.geometry, name)):
        return
    theme, face = scene.theme, scene.geometry.face(name)
    painter.setPen(QPen(theme.color("border"), 1.2 * theme.line))
    painter.setBrush(theme.color("value_ground"))
    drawer = QRectF(face.left() + 4.0, face.bottom() - UNDER, face.width() - 8.0, UNDER + LEAF_ROW * len(rows))
    painter.drawRoundedRect(drawer, ROUND, ROUND)
    for leaf, area in rows.items():
        row = area.adjusted(GAP + 4.0, 0.0, -GAP - 4.0, 0.0)
        if leaf in scene.selection or leaf == scene.hovered:
            painter.setPen(QPen(theme.color("text"), 2.0 * theme.line))
            painter.setBrush(theme.color("card"))
            painter.drawRoundedRect(area.adjusted(4.0, 1.0, -4.0, -1.0), ROUND / 2, ROUND / 2)
        if LABEL * theme.type * scene.zoom >= LEAST_TYPE:
            _paint_row(painter, scene, leaf, row)


def _short_name(leaf: str) -> str:
    """The name of a leaf without the module that it is drawn in: w for layers_0_w."""
    return leaf.removeprefix("_".join(module_of(leaf))).lstrip("_") or leaf


def _paint_row(painter: QPainter, scene: Scene, leaf: str, row: QRectF) -> None:
    """The name at the left; at the right the gradient of a number once it is there, before that its value; of an array
    the shape."""
    frame, size = scene.frame, round(LABEL * scene.theme.type)
    value, gradient = frame.value(leaf), frame.gradient(leaf)
    role, text = "muted", ""
    if gradient is not None and not scene.hidden.hides("gradients", leaf):
        role, text = "gradient", shape_text(gradient.shape) if gradient.ndim else short(gradient.item())
    elif value is not None and not scene.hidden.hides("values", leaf):
        role, text = ("muted", shape_text(value.shape)) if value.ndim else ("value", short(value.item()))
    wide = min(width(text, size, True), row.width() * (1.0 - NAME_SHARE))
    write(painter, text, row.adjusted(row.width() - wide, 0.0, 0.0, 0.0), size, scene.theme.color(role), True, RIGHT)
    if not scene.hidden.hides("names", leaf):
        name = row.adjusted(0.0, 0.0, -wide - GAP / 2, 0.0)
        write(painter, _short_name(leaf), name, size, scene.theme.color("text"), bold=True)
