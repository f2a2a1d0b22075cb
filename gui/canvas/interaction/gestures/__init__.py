"""Mouse gestures, one class each, and which of them a press begins."""

from __future__ import annotations

import math
from functools import partial

from PySide6.QtCore import QPointF

from cadena.core.graph.frames import frames
from cadena.gui.canvas.interaction.commands import Commands
from cadena.gui.canvas.interaction.gestures.base import Gesture, Modifiers
from cadena.gui.canvas.interaction.gestures.click import Click
from cadena.gui.canvas.interaction.gestures.connect import Connect
from cadena.gui.canvas.interaction.gestures.cut import Cut
from cadena.gui.canvas.interaction.gestures.move import Move, MoveFrame
from cadena.gui.canvas.interaction.gestures.move_memo import MoveMemo
from cadena.gui.canvas.interaction.gestures.navigate import Navigate
from cadena.gui.canvas.interaction.gestures.pan import Pan, RightButton
from cadena.gui.canvas.interaction.gestures.reroute import Reroute
from cadena.gui.canvas.interaction.gestures.rubber_band import ADDS, RubberBand
from cadena.gui.canvas.interaction.gestures.scrub import Scrub
from cadena.gui.canvas.rendering import scrub_mark
from cadena.gui.canvas.rendering.hit_boxes import Hit
from cadena.gui.canvas.rendering.view import CanvasView

__all__ = [
    "Click", "Connect", "Cut", "Gesture", "Move", "MoveFrame", "MoveMemo", "Navigate", "Pan", "Reroute",
    "RightButton", "RubberBand", "Scrub", "begin", "scrubbable",
]  # fmt: skip


def begin(commands: Commands, at: QPointF, modifiers: Modifiers) -> Gesture | None:
    """The gesture that a press of the left button at the pixel `at` begins."""
    hit = commands.view.hit(at)
    if hit.kind == "map":
        return Navigate(commands, at, modifiers)
    if hit.port:
        return Connect(commands, at, modifiers, hit.port)
    if hit.wire:
        return Reroute(commands, at, modifiers, hit)
    if hit.memo is not None:
        return MoveMemo(commands, at, modifiers, hit.memo)
    if hit.block is not None:
        return Click(commands, at, modifiers, partial(commands.view.toggle_block, hit.block))
    if hit.frame:
        return MoveFrame(commands, at, modifiers, hit, frames(commands.session.document)[hit.frame])
    value = scrubbable(commands.view, hit)
    if hit.card and value is not None and not modifiers & ADDS:
        return Scrub(commands, at, modifiers, hit.card, value)
    return Move(commands, at, modifiers, hit.card) if hit.card else RubberBand(commands, at, modifiers)


def scrubbable(view: CanvasView, hit: Hit) -> float | None:
    """The number under the pointer, when it is a leaf's and can be changed by dragging on it."""
    node = view.session.document.nodes.get(hit.node or "")
    if hit.kind != "value" or node is None or not node.is_leaf or view.camera.zoom < scrub_mark.MIN_ZOOM:
        return None
    return node.value if isinstance(node.value, float) and math.isfinite(node.value) else None
