"""The painting of a scene: a pure function used by the canvas and by every export.

A frame has three layers: the static layer (all that does not change while the camera rests), which is composed of the
sprites of cards, numbers and labels, and above it what moves.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial, reduce

from PySide6.QtCore import QPointF, QRectF, QTimer
from PySide6.QtGui import QPainter, QPixmap, QRegion
from PySide6.QtWidgets import QWidget

from cadena.core.graph.fault import Fault
from cadena.core.methods.reverse.activity import moment
from cadena.gui.canvas.rendering import gesture_marks, static_layer, tokens
from cadena.gui.canvas.rendering.cache_keys import Same
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.contents import Contents
from cadena.gui.canvas.rendering.faults import Badge
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.canvas.rendering.sprites import Sprites

MANY = 600  # nodes: the static layer of such a graph moves with the camera
REST = 120  # milliseconds without a move of the camera, after which it is painted sharp


class Layers:
    """The static layer that was painted last, and the sprites; keep one per widget and pass it to `paint`.

    It is painted again in whole whenever anything in it changes. Only while the camera alone moves, on a `widget` with
    a large graph, it is moved and scaled with the camera, and what comes into view is painted roughly, until the camera
    rests: so a hundred thousand nodes follow the hand.
    """

    def __init__(self, widget: QWidget | None = None) -> None:
        self._sprites = Sprites()
        self._key: tuple[object, ...] = ()
        self._camera = Camera()
        self._static: QPixmap | None = None
        self._spare: QPixmap | None = None  # painted on again, as the system is slow to hand out new ones
        self.badges: list[Badge] = []
        self._moves = False  # with the camera; then it lacks the corners, which stay where they are
        self._widget = widget
        if widget is not None:
            self._rest = QTimer(widget, interval=REST, singleShot=True)
            self._rest.timeout.connect(self._sharpen)

    def repaint(self) -> None:
        """Compose the static layer again the next time."""
        self._key = ()

    def fault_at(self, place: QPointF) -> Fault | None:
        """The fault whose badge is at a point of the canvas, the topmost one."""
        return next((badge.fault for badge in reversed(self.badges) if badge.place.contains(place)), None)

    def forget(self) -> None:
        """Paint everything anew the next time."""
        self._sprites, self._key = Sprites(), ()

    def _sharpen(self) -> None:
        if self._widget is not None and self._moves:
            self._key = ()
            self._widget.update()

    def paint(self, painter: QPainter, scene: Scene) -> None:
        """Paint all but what moves."""
        painter.drawPixmap(QPointF(0.0, 0.0), self.static(scene, painter.device().devicePixelRatioF()))
        if self._moves:
            static_layer.paint_corners(painter, scene, self._sprites)

    def static(self, scene: Scene, ratio: float) -> QPixmap:
        """The static layer, for a screen with `ratio` device pixels per pixel."""
        key, before = _static_key(scene, ratio), self._static
        is_known = before is not None and key == self._key
        if before is not None and is_known and scene.camera == self._camera:
            return before
        was_moving = self._moves
        self._moves = is_known and self._widget is not None and len(scene.document.nodes) >= MANY
        if self._moves:
            self._rest.start()
        if before is not None and self._moves and was_moving:
            paint_it = partial(self._paint_moved, scene=scene, before=before)
        else:
            paint_it = partial(static_layer.paint, scene=scene, sprites=self._sprites, with_corners=not self._moves)
        self._static, self._spare = self._painted(scene, ratio, paint_it), before
        self._key, self._camera = key, scene.camera
        return self._static

    def _painted(self, scene: Scene, ratio: float, paint_it: Callable[[QPainter], list[Badge]]) -> QPixmap:
        size, pixmap = (scene.view * ratio).toSize(), self._spare
        if pixmap is None or pixmap.size() != size:
            pixmap = QPixmap(size)
        pixmap.setDevicePixelRatio(ratio)
        if size.toSizeF() != scene.view * ratio:  # it covers its last pixels in part, and this shows through
            pixmap.fill(scene.theme.color("canvas"))
        with QPainter(pixmap) as painter:
            self.badges = paint_it(painter)
        return pixmap

    def _paint_moved(self, painter: QPainter, scene: Scene, before: QPixmap) -> list[Badge]:
        """Paint what was painted before as another camera sees it, and roughly what has come into view."""
        view = QRectF(QPointF(), scene.view)
        back, _ = self._camera.transform.inverted()
        onto = back * scene.camera.transform
        painter.save()
        painter.setTransform(onto, True)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, onto.isScaling())
        painter.drawPixmap(QPointF(0.0, 0.0), before)
        painter.restore()
        if parts := _around(onto.mapRect(view).intersected(view), view):
            painter.setClipRegion(reduce(QRegion.united, (part.toAlignedRect() for part in parts), QRegion()))
            static_layer.paint_graph(painter, Contents(scene, parts), self._sprites)
        return self.badges


def _around(known: QRectF, view: QRectF) -> list[QRectF]:
    """What of the view lies around a part that is known, in whole pixels."""
    inner = QRectF(
        QPointF(math.ceil(known.left()), math.ceil(known.top())),
        QPointF(math.floor(known.right()), math.floor(known.bottom())),
    )
    if inner.width() <= 0 or inner.height() <= 0:
        return [view]
    parts = (
        QRectF(view.topLeft(), QPointF(view.right(), inner.top())),
        QRectF(QPointF(view.left(), inner.bottom()), view.bottomRight()),
        QRectF(QPointF(view.left(), inner.top()), inner.bottomLeft()),
        QRectF(inner.topRight(), QPointF(view.right(), inner.bottom())),
    )
    return [part for part in parts if part.width() > 0 and part.height() > 0]


def _static_key(scene: Scene, ratio: float) -> tuple[object, ...]:
    """A key that is equal for scenes that differ only in the camera and in moving parts. Large objects are compared by
    identity."""
    same = (
        Same(scene.document),
        Same(scene.geometry),
        Same(scene.frame.timeline),
        Same(scene.accumulated),
        Same(scene.elements),
    )
    visible_part = (
        scene.theme,
        scene.view.width(),
        scene.view.height(),
        scene.live,
        ratio,
        scene.enlarged,
        scene.labelled,
        scene.editable,
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
        scene.decorations.still,
        scene.faults,
        scene.pointed,
        scene.remarks,
        scene.remarked_wire,
        scene.covered and scene.covered.getRect(),
        moment(scene.frame, scene.live),
    )


def paint(painter: QPainter, scene: Scene, layers: Layers | None = None) -> None:
    """Paint the scene, in pixels of the view. With `layers`, what has not changed since the last call is reused."""
    if scene.view.isEmpty():
        return
    painter.setRenderHints(static_layer.HINTS)
    if layers is None:
        static_layer.paint(painter, scene, None)
    else:
        layers.paint(painter, scene)
    painter.save()
    painter.setTransform(scene.camera.transform, True)
    tokens.paint(painter, scene, static_layer.annotation_scale(scene))
    gesture_marks.paint(painter, scene)
    painter.restore()
