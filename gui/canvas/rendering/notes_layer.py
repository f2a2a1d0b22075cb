"""Notes on the canvas, below the wires and the cards."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from cadena.core.graph.memos import memos
from cadena.gui.canvas.rendering.note_lines import LARGER, known_formulas, set_out
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.canvas.rendering.text_fitting import face
from cadena.gui.formulas import pictures
from cadena.gui.look.theme import GAP, RADIUS, READING


def paint(painter: QPainter, scene: Scene) -> None:
    """All notes, below the wires and the cards."""
    theme = scene.theme
    for note in memos(scene.document).values():
        pieces, wide, tall = set_out(note.text, known_formulas(note.text))
        painter.setPen(QPen(theme.color("border", 0.6), theme.line))
        painter.setBrush(theme.color("window"))
        painter.drawRoundedRect(QRectF(*note.at, wide + 2 * GAP, tall + 2 * GAP), RADIUS / 2, RADIUS / 2)
        for piece in pieces:
            place = QPointF(note.at[0] + GAP + piece.x, note.at[1] + GAP + piece.baseline)
            if piece.is_formula:
                pictures.paint(painter, piece.text, piece.size * LARGER, theme.text, place)
            else:
                painter.setPen(theme.color("text"))
                painter.setFont(face(piece.size, piece.size > READING))
                painter.drawText(place, piece.text)
