"""Faults on the canvas: an icon and a word at the card, and both shapes at the wires where they do not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from core import Fault
from gui.canvas.clearance import Obstacles
from gui.canvas.lettering import CENTER, LEFT, width, write
from gui.theme import GAP, SMALL, Theme

if TYPE_CHECKING:
    from gui.canvas.scene import Scene

WORDS = {
    "cycle": "cycle",
    "open-slot": "open slot",
    "missing-input": "missing operand",
    "too-many-inputs": "too many operands",
    "unknown-operation": "unknown operation",
    "attribute": "check its settings",
    "no-value": "no value",
    "inf-value": "inf born here",
    "nan-value": "nan born here",
    "inf-gradient": "gradient turns inf",
    "nan-gradient": "gradient turns nan",
}


def word(scene: Scene, fault: Fault) -> str:
    """What stands at the card: a word or two; for shapes, the shapes."""
    if fault.kind == "shape":
        shapes = [str(shape) for shape in operand_shapes(scene, fault.node) if shape is not None]
        return f"shapes {' and '.join(shapes)} do not fit"
    return WORDS.get(fault.kind, fault.kind)


def operand_shapes(scene: Scene, name: str) -> list[tuple[int, ...] | None]:
    """The shape at each slot of a node; None where nothing arrives."""
    shapes = scene.geometry.shapes
    return [shapes.get(source) if source else None for source in scene.document.nodes[name].inputs]


def paint(painter: QPainter, scene: Scene, fault: Fault, obstacles: Obstacles, scale: float) -> None:
    """The badge of a fault near its card, `scale` times its usual size."""
    if fault.node not in scene.document.nodes:
        return
    if fault.kind == "shape":
        _shapes_at_wires(painter, scene, fault.node, obstacles, scale)
    card = scene.geometry.card(fault.node)
    text, size = word(scene, fault), round(SMALL * scene.theme.type * scale)
    tall = size * 1.7
    room = QSizeF(tall + width(text, size, True) + GAP * scale, tall)
    badge(painter, obstacles.place(room, _beside(card, room)), text, size, scene.theme)


def _beside(card: QRectF, room: QSizeF) -> list[QPointF]:
    """The centers of a badge at a card, best first: below, above, at the right, further off, on the lower edge."""
    half, middle = room.height() / 2, card.center()
    aside = (card.width() + room.width()) / 2
    near, far = half + 3.0, half + 16.0
    below = [QPointF(middle.x() + shift * aside, card.bottom() + near) for shift in (0.0, 0.4, -0.4)]
    above = [QPointF(middle.x() + shift * aside, card.top() - near) for shift in (0.0, 0.4, -0.4)]
    right = [QPointF(middle.x() + aside + 10.0, y) for y in (card.bottom() - half, card.top() + half)]
    further = [QPointF(middle.x(), card.bottom() + far), QPointF(middle.x(), card.top() - far)]
    return [below[0], above[0], *below[1:], *above[1:], *right, *further, QPointF(middle.x(), card.bottom())]


def badge(painter: QPainter, place: QRectF, text: str, size: int, theme: Theme) -> None:
    """A pill in the fault's colour: icon and word."""
    painter.setPen(QPen(theme.color("canvas"), theme.line))
    painter.setBrush(theme.color("fault"))
    painter.drawRoundedRect(place, place.height() / 2, place.height() / 2)
    icon = QRectF(place.left() + place.height() * 0.28, place.top() + place.height() * 0.16, 0.0, 0.0)
    icon.setSize(QSizeF(place.height() * 0.68, place.height() * 0.68))
    warning(painter, icon, theme)
    words = QRectF(place).adjusted(place.height() * 1.08, 0.0, 0.0, 0.0)
    write(painter, text, words, size, theme.color("on_strong"), bold=True, align=LEFT)


def warning(painter: QPainter, place: QRectF, theme: Theme) -> None:
    """The icon of a fault: a triangle with an exclamation mark."""
    top, middle = QPointF(place.center().x(), place.top()), place.center()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("on_strong"))
    painter.drawPolygon(QPolygonF([top, place.bottomRight(), place.bottomLeft()]))
    unit = place.height() / 10.0
    painter.setBrush(theme.color("fault"))
    painter.drawRoundedRect(
        QRectF(middle.x() - 0.6 * unit, middle.y() - 1.4 * unit, 1.2 * unit, 3.4 * unit), unit, unit
    )
    painter.drawEllipse(QPointF(middle.x(), middle.y() + 3.3 * unit), 0.75 * unit, 0.75 * unit)


def _shapes_at_wires(painter: QPainter, scene: Scene, name: str, obstacles: Obstacles, scale: float) -> None:
    """The shape of each operand at the wire that brings it."""
    theme, size = scene.theme, round(SMALL * scene.theme.type * scale)
    for slot, shape in enumerate(operand_shapes(scene, name)):
        if shape is None:
            continue
        text, source = str(shape), str(scene.document.nodes[name].inputs[slot])
        room = QSizeF(width(text, size, True) + GAP * scale, size * 1.5)
        path = scene.geometry.wire(source, name, slot)
        lift = QPointF(0.0, room.height() * (0.8 if slot else -0.8))
        spots = [path.pointAtPercent(part) + lift * far for far in (1.0, 2.0) for part in (0.6, 0.7, 0.5, 0.4, 0.3)]
        place = obstacles.place(room, spots)
        painter.setPen(QPen(theme.color("fault"), 1.4 * theme.line))
        painter.setBrush(theme.color("fault_ground"))
        painter.drawRoundedRect(place, 4.0, 4.0)
        write(painter, text, place, size, theme.color("fault"), bold=True, align=CENTER)
