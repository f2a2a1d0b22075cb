"""The painting of a scene: a pure function used by the canvas and by every export."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, QTimer
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from cadena.core.methods.reverse.activity import moment
from cadena.gui.canvas.picture import gesture_marks, still, tokens
from cadena.gui.canvas.picture.camera import Camera
from cadena.gui.canvas.picture.geometry import Same
from cadena.gui.canvas.picture.scene import Scene
from cadena.gui.canvas.picture.sprites import Sprites

MANY = 600  # nodes: the pictures of smaller graphs are painted anew for each place of the camera
REST = 120  # milliseconds without a move of the camera, after which such a picture is painted sharp


class Layers:
    """A cache of everything that stays while only tokens move; keep one per widget and pass it to `paint`.

    With a `widget`, the picture of a large graph is moved and scaled with the camera, and only what comes into view is
    painted; as soon as the camera rests, all is painted anew. So a hundred thousand nodes follow the hand.
    """

    def __init__(self, widget: QWidget | None = None) -> None:
        self._key: tuple[object, ...] = ()
        self._camera = Camera()
        self._graph: QPixmap | None = None  # without the corners
        self._still: QPixmap | None = None
        self._spare: list[QPixmap] = []  # painted on again, as the system is slow to hand out new ones
        self._sprites = Sprites()
        self._widget = widget
        if widget is not None:
            self._rest = QTimer(widget, interval=REST, singleShot=True)
            self._rest.timeout.connect(self._sharpen)

    def forget(self) -> None:
        """Paint everything anew the next time."""
        self._drop()
        self._sprites = Sprites()

    def _drop(self) -> None:
        self._spare += [pixmap for pixmap in (self._still, self._graph) if pixmap is not None]
        self._still = self._graph = None

    def _sharpen(self) -> None:
        self._drop()
        if self._widget is not None:
            self._widget.update()

    def still(self, scene: Scene, ratio: float) -> QPixmap:
        """The picture without moving parts, for a screen with `ratio` device pixels per pixel."""
        key = _still_key(scene, ratio)
        if self._still is None or key != self._key or scene.camera != self._camera:
            is_large = self._widget is not None and len(scene.document.nodes) >= MANY
            if self._still is not None:
                self._spare.append(self._still)
            self._still = self._of_many(scene, ratio, key) if is_large else self._painted(scene, ratio, still.paint)
            self._key, self._camera = key, scene.camera
        return self._still

    def _of_many(self, scene: Scene, ratio: float, key: tuple[object, ...]) -> QPixmap:
        """The picture of a large graph: moved from the last one, where the camera alone has moved since."""
        before = self._graph
        if before is not None and key == self._key:
            self._graph = graph = self._moved(before, scene, ratio)
            self._rest.start()
        else:
            self._graph = graph = self._painted(scene, ratio, still.paint_graph)
            self._rest.stop()
        if before is not None:
            self._spare.append(before)

        def paint_corners(painter: QPainter, scene: Scene, _: Sprites) -> None:
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)  # a plain copy
            painter.drawPixmap(QPointF(0.0, 0.0), graph)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
            still.paint_corners(painter, scene)

        return self._painted(scene, ratio, paint_corners)

    def _painted(self, scene: Scene, ratio: float, paint_it: Callable[..., None]) -> QPixmap:
        size = (scene.view * ratio).toSize()
        fitting = [one for one in self._spare if one.size() == size and one.devicePixelRatio() == ratio]
        self._spare = fitting[1:]
        pixmap = fitting[0] if fitting else QPixmap(size)
        pixmap.setDevicePixelRatio(ratio)
        with QPainter(pixmap) as painter:
            paint_it(painter, scene, self._sprites)
        return pixmap

    def _moved(self, graph: QPixmap, scene: Scene, ratio: float) -> QPixmap:
        """The picture that was last painted as another camera sees it, with what has come into view."""
        view = QRectF(QPointF(), scene.view)
        back, _ = self._camera.transform.inverted()
        onto = back * scene.camera.transform
        known = onto.mapRect(view).intersected(view)

        def paint_moved(painter: QPainter, scene: Scene, sprites: Sprites) -> None:
            painter.save()
            painter.setTransform(onto, True)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, onto.isScaling())
            painter.drawPixmap(QPointF(0.0, 0.0), graph)
            painter.restore()
            for part in _around(known, view):
                painter.save()
                painter.setClipRect(part)
                still.paint_graph(painter, scene, sprites, part)
                painter.restore()

        return self._painted(scene, ratio, paint_moved)


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


def _still_key(scene: Scene, ratio: float) -> tuple[object, ...]:
    """A key that is equal for scenes that differ only in the camera and in moving parts. Large objects are compared by
    identity."""
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
