"""Mouse gestures, one class each, and which of them a press begins."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt

from cadena.gui.canvas.hand.gestures.base import Gesture, Modifiers
from cadena.gui.canvas.hand.gestures.connect import Connect
from cadena.gui.canvas.hand.gestures.move import Move
from cadena.gui.canvas.hand.gestures.navigate import Navigate
from cadena.gui.canvas.hand.gestures.pan import Pan, RightButton
from cadena.gui.canvas.hand.gestures.rubber_band import ADDS, RubberBand
from cadena.gui.canvas.hand.gestures.scrub import Scrub
from cadena.gui.canvas.hand.hit import Hit
from cadena.gui.canvas.picture import scrub_mark

if TYPE_CHECKING:
    from cadena.gui.canvas.hand.canvas import Canvas

__all__ = ["Connect", "Gesture", "Move", "Navigate", "Pan", "RightButton", "RubberBand", "Scrub", "begin", "scrubbable"]

Button = Qt.MouseButton


def begin(canvas: Canvas, button: Button, at: QPointF, modifiers: Modifiers) -> Gesture | None:
    """The gesture that a press of `button` at the pixel `at` begins; None for one that does nothing here."""
    if button == Button.MiddleButton or (button == Button.LeftButton and canvas.space_is_down):
        return Pan(canvas, at, modifiers)
    if button == Button.RightButton:
        return RightButton(canvas, at, modifiers)
    return _left(canvas, at, modifiers) if button == Button.LeftButton else None


def _left(canvas: Canvas, at: QPointF, modifiers: Modifiers) -> Gesture | None:
    hit = canvas.hit(at)
    if hit.kind == "map":
        return Navigate(canvas, at, modifiers)
    if hit.port:
        return Connect(canvas, at, modifiers, hit.port)
    if hit.wire:
        canvas.select_wire(hit.wire)
        return None
    value = scrubbable(canvas, hit)
    if hit.card and value is not None and not modifiers & ADDS:
        return Scrub(canvas, at, modifiers, hit.card, value)
    return Move(canvas, at, modifiers, hit.card) if hit.card else RubberBand(canvas, at, modifiers)


def scrubbable(canvas: Canvas, hit: Hit) -> float | None:
    """The number under the pointer, when it is a leaf's and can be changed by dragging on it."""
    node = canvas.session.document.nodes.get(hit.node or "")
    if hit.kind != "value" or node is None or not node.is_leaf or canvas.camera.zoom < scrub_mark.LEAST_ZOOM:
        return None
    return node.value if isinstance(node.value, float) and math.isfinite(node.value) else None
