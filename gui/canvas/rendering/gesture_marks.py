"""The marks of the active gesture: the loose wire, the rubber band, the dropped card, the lines of alignment."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from cadena.core.graph.document import LEAVES, Node
from cadena.gui.canvas.rendering.card import LEAF_RADIUS, symbol
from cadena.gui.canvas.rendering.geometry import NUMBER_CARD
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.canvas.rendering.text_fitting import CENTER, write
from cadena.gui.canvas.rendering.wire_paths import curve
from cadena.gui.canvas.rendering.wires import ARROW, WireLook, arrow
from cadena.gui.canvas.rendering.wires import paint as paint_wire
from cadena.gui.look.theme import RADIUS, READING

MARKED = 9.0  # canvas units: the radius of the ring around a reroute point that keys move


def paint(painter: QPainter, scene: Scene) -> None:
    """All decorations, in canvas units."""
    marks = scene.decorations
    for line in marks.guides:
        painter.setPen(QPen(scene.theme.color("text", 0.5), 1.0 / scene.zoom, Qt.PenStyle.DashLine))
        painter.drawLine(line)
    if marks.split_wire:
        wire, fits = marks.split_wire
        _marked_wire(painter, scene, wire, "text" if fits else "fault", dashed=not fits)
    for wire in marks.crossed:
        _marked_wire(painter, scene, wire, "fault", dashed=True)
    if marks.cut:
        painter.setPen(QPen(scene.theme.color("fault"), 2.0 * scene.theme.line / scene.zoom))
        painter.drawPolyline(QPolygonF(marks.cut))
    if marks.point is not None:
        painter.setPen(QPen(scene.theme.color("text"), 2.0 * scene.theme.line / scene.zoom**0.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(marks.point, MARKED, MARKED)
    if marks.loose_wire:
        _loose_wire(painter, scene, *marks.loose_wire)
    if marks.ghost:
        _ghost(painter, scene, *marks.ghost)
    if marks.rubber_band:
        _rubber_band(painter, scene, marks.rubber_band)


def _marked_wire(painter: QPainter, scene: Scene, wire: tuple[str, int], role: str, dashed: bool) -> None:
    """A wire that the gesture changes, over all others."""
    if source := scene.document.source_of(*wire):
        look = WireLook(scene.theme.color(role), 4.0 * scene.theme.line, dashed=dashed)
        paint_wire(painter, scene.geometry.wire(source, *wire), look, scene.zoom)


def _loose_wire(painter: QPainter, scene: Scene, start: QPointF, end: QPointF, accepted: bool) -> None:
    theme = scene.theme
    color = theme.color("text" if accepted else "muted")
    look = WireLook(color, 2.4 * theme.line, dashed=not accepted)
    paint_wire(painter, curve(start, end), look, scene.zoom)
    if scene.zoom * ARROW <= 4.0:  # far away the end still says which way it goes
        arrow(painter, end, color, ARROW)


def _ghost(painter: QPainter, scene: Scene, op: str, corner: QPointF) -> None:
    theme, card = scene.theme, QRectF(corner.x(), corner.y(), *NUMBER_CARD)
    radius = LEAF_RADIUS if op in LEAVES else RADIUS
    painter.setPen(QPen(theme.color("text"), 1.6 * theme.line, Qt.PenStyle.DashLine))
    painter.setBrush(theme.color("card", 0.8))
    painter.drawRoundedRect(card, radius, radius)
    text = op if op in LEAVES else symbol(Node(op, op))
    write(
        painter, text, card.adjusted(6, 6, -6, -6), READING * theme.type, theme.color("text"), bold=True, align=CENTER
    )


def _rubber_band(painter: QPainter, scene: Scene, band: QRectF) -> None:
    painter.setPen(QPen(scene.theme.color("text"), scene.theme.line / scene.zoom, Qt.PenStyle.DashLine))
    painter.setBrush(scene.theme.color("text", 0.07))
    painter.drawRect(band)
