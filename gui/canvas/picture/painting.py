"""The painting of a scene: a pure function used by the canvas and by every export."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPointF, QRectF, QTimer
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from cadena.core.methods.reverse.activity import moment
from cadena.gui.canvas.picture import gesture_marks, still, tokens
from cadena.gui.canvas.picture.camera import Camera
from cadena.gui.canvas.picture.contents import Contents
from cadena.gui.canvas.picture.damage import areas_of, damage
from cadena.gui.canvas.picture.geometry import Same
from cadena.gui.canvas.picture.scene import Scene
from cadena.gui.canvas.picture.sprites import Sprites

MANY = 600  # nodes: the pictures of smaller graphs are painted anew for each place of the camera
REST = 120  # milliseconds without a move of the camera, after which such a picture is painted sharp


class Layers:
    """A cache of everything that stays while only tokens move; keep one per widget and pass it to `paint`.

    With a `widget`, of a large graph only the parts are painted again that differ from what was painted last. While the
    camera moves, the picture is moved and scaled with it, and only what comes into view is painted; as soon as the
    camera rests, all is painted anew. So a hundred thousand nodes follow the hand.
    """

    def __init__(self, widget: QWidget | None = None) -> None:
        self._key: tuple[object, ...] = ()
        self._camera = Camera()
        self._still: QPixmap | None = None
        self._contents: Contents | None = None  # of a large graph: its wires and cards, and the picture of these alone
        self._graph: QPixmap | None = None
        self._ratio = 1.0
        self._moving: QPixmap | None = None  # while the camera moves: the picture as it sees it, without the corners
        self._spare: list[QPixmap] = []  # painted on again, as the system is slow to hand out new ones
        self._sprites = Sprites()
        self._widget = widget
        if widget is not None:
            self._rest = QTimer(widget, interval=REST, singleShot=True)
            self._rest.timeout.connect(self._sharpen)

    def forget(self) -> None:
        """Paint everything anew the next time."""
        self._sprites = Sprites()
        self._drop()

    def _drop(self) -> None:
        self._spare += [one for one in (self._still, self._graph, self._moving) if one is not None]
        self._contents = self._still = self._graph = self._moving = None

    def _sharpen(self) -> None:
        self._drop()
        if self._widget is not None:
            self._widget.update()

    def still(self, scene: Scene, ratio: float) -> QPixmap:
        """The picture without moving parts, for a screen with `ratio` device pixels per pixel."""
        key = _still_key(scene, ratio)
        if self._still is not None and key == self._key and scene.camera == self._camera:
            return self._still
        if self._widget is None or len(scene.document.nodes) < MANY:
            self._drop()
            self._still = self._painted(scene, ratio, partial(still.paint, scene=scene, sprites=self._sprites))
        elif self._contents is not None and key == self._key:
            self._rest.start()
            self._still = self._on_the_way(self._contents, scene, ratio)
        else:
            self._rest.stop()
            self._still = self._at_rest(scene, ratio)
        self._key, self._camera = key, scene.camera
        return self._still

    def _at_rest(self, scene: Scene, ratio: float) -> QPixmap:
        """The picture of a large graph, of which only what has changed is painted if its camera is where it was."""
        contents, graph, before = Contents(scene, comes_in=self._jumps(scene)), self._graph, self._contents
        in_whole_pixels = self._ratio == ratio and float(ratio).is_integer()
        changed = damage(before, contents) if before is not None and in_whole_pixels else None
        if graph is None or changed is None:
            self._drop()
            graph = self._painted(scene, ratio, partial(still.paint_graph, contents=contents, sprites=self._sprites))
        elif not changed.isEmpty():
            with QPainter(graph) as painter:
                painter.setClipRegion(changed)
                still.paint_graph(painter, contents, self._sprites, areas_of(changed, scene))
        self._contents, self._graph, self._moving, self._ratio = contents, graph, None, ratio
        if contents.rough:
            self._rest.start()

        def paint_above(painter: QPainter) -> None:
            _copy(painter, graph)
            still.paint_words(painter, contents, self._sprites)
            still.paint_corners(painter, scene)

        return self._painted(scene, ratio, paint_above, self._still)

    def _jumps(self, scene: Scene) -> bool:
        """Whether most of what the camera sees was not in view before, as after no step of a motion."""
        now, before = scene.camera.visible(scene.view), self._camera.visible(scene.view)
        known = now.intersected(before)
        return known.width() * known.height() < 0.5 * now.width() * now.height()

    def _on_the_way(self, contents: Contents, scene: Scene, ratio: float) -> QPixmap:
        """The picture of a large graph as a camera sees it that alone has moved."""
        assert self._graph is not None
        before, graph = self._moving, self._graph

        def paint_words(painter: QPainter) -> None:
            _copy(painter, graph)
            still.paint_words(painter, contents, self._sprites)

        if before is None:
            before = self._painted(scene, ratio, paint_words)
        self._moving = moving = self._moved(before, scene, ratio)
        self._spare.append(before)

        def paint_corners(painter: QPainter) -> None:
            _copy(painter, moving)
            still.paint_corners(painter, scene)

        return self._painted(scene, ratio, paint_corners, self._still)

    def _painted(
        self, scene: Scene, ratio: float, paint_it: Callable[[QPainter], None], onto: QPixmap | None = None
    ) -> QPixmap:
        """What is painted, `onto` a picture that is no longer needed if it fits, or onto a spare one."""
        size = (scene.view * ratio).toSize()
        spare = self._spare if onto is None else [onto, *self._spare]
        fitting = [one for one in spare if one.size() == size and one.devicePixelRatio() == ratio]
        self._spare = fitting[1:]
        pixmap = fitting[0] if fitting else QPixmap(size)
        pixmap.setDevicePixelRatio(ratio)
        with QPainter(pixmap) as painter:
            paint_it(painter)
        return pixmap

    def _moved(self, graph: QPixmap, scene: Scene, ratio: float) -> QPixmap:
        """The picture that was last painted as another camera sees it, with what has come into view."""
        view = QRectF(QPointF(), scene.view)
        back, _ = self._camera.transform.inverted()
        onto = back * scene.camera.transform
        known = onto.mapRect(view).intersected(view)

        def paint_moved(painter: QPainter) -> None:
            painter.save()
            painter.setTransform(onto, True)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, onto.isScaling())
            painter.drawPixmap(QPointF(0.0, 0.0), graph)
            painter.restore()
            for part in _around(known, view):
                painter.save()
                painter.setClipRect(part)
                still.paint_graph(painter, Contents(scene, part, comes_in=True), self._sprites)
                painter.restore()

        return self._painted(scene, ratio, paint_moved)


def _copy(painter: QPainter, pixmap: QPixmap) -> None:
    """Put a picture in the place of what a painter has painted."""
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
    painter.drawPixmap(QPointF(0.0, 0.0), pixmap)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)


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
