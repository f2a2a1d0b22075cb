"""The painting of a scene: a pure function used by the canvas and by every export."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPixmap

from cadena.core.methods.reverse.activity import moment
from cadena.gui.canvas.picture import gesture_marks, still, tokens
from cadena.gui.canvas.picture.geometry import Same
from cadena.gui.canvas.picture.scene import Scene
from cadena.gui.canvas.picture.sprites import Sprites


class Layers:
    """A cache of everything that stays while only tokens move; keep one per widget and pass it to `paint`."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._still: QPixmap | None = None
        self._sprites = Sprites()

    def forget(self) -> None:
        """Paint everything anew the next time."""
        self._still, self._sprites = None, Sprites()

    def still(self, scene: Scene, ratio: float) -> QPixmap:
        """The picture without moving parts, for a screen with `ratio` device pixels per pixel."""
        key = _still_key(scene, ratio)
        if self._still is None or key != self._key:
            self._key, self._still = key, QPixmap((scene.view * ratio).toSize())
            self._still.setDevicePixelRatio(ratio)
            with QPainter(self._still) as painter:
                still.paint(painter, scene, self._sprites)
        return self._still


def _still_key(scene: Scene, ratio: float) -> tuple[object, ...]:
    """A key that is equal for scenes that differ only in moving parts. Large objects are compared by identity."""
    same = (
        Same(scene.document),
        Same(scene.geometry),
        Same(scene.frame.timeline),
        Same(scene.faults),
        Same(scene.accumulated),
        Same(scene.elements),
    )
    marks = replace(
        scene.decorations, loose_wire=None, rubber_band=None, ghost=None, guides=(), split_wire=None, cut=(), crossed=()
    )
    visible_part = (
        scene.theme,
        scene.camera,
        scene.view.width(),
        scene.view.height(),
        scene.live,
        ratio,
        scene.enlarged,
    )
    return (
        *same,
        *visible_part,
        scene.selection,
        scene.hidden,
        scene.shown,
        scene.breakpoints,
        scene.path,
        scene.hovered,
        marks,
        scene.pointed,
        scene.remarks,
        scene.remarked_wire,
        moment(scene.frame, scene.live),
    )


def paint(painter: QPainter, scene: Scene, layers: Layers | None = None) -> None:
    """Paint the scene, in pixels of the view. With `layers`, what has not changed since the last call is reused."""
    if scene.view.isEmpty():
        return
    painter.setRenderHints(still.HINTS)
    if layers is None:
        still.paint(painter, scene, None)
    else:
        painter.drawPixmap(QPointF(0.0, 0.0), layers.still(scene, painter.device().devicePixelRatioF()))
    painter.save()
    painter.setTransform(scene.camera.transform, True)
    tokens.paint(painter, scene, still.annotation_scale(scene))
    gesture_marks.paint(painter, scene)
    painter.restore()
