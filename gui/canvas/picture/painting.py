"""The painting of a scene: a pure function used by the canvas and by every export."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial, reduce
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRect, QRectF, QTimer
from PySide6.QtGui import QPainter, QPixmap, QRegion
from PySide6.QtWidgets import QWidget

from cadena.core.methods.reverse.activity import moment
from cadena.gui.canvas.picture import gesture_marks, still, tokens
from cadena.gui.canvas.picture.camera import Camera
from cadena.gui.canvas.picture.contents import Contents
from cadena.gui.canvas.picture.damage import damage, region_of
from cadena.gui.canvas.picture.keys import Same
from cadena.gui.canvas.picture.scene import Scene
from cadena.gui.canvas.picture.sprites import Sprites

MANY = 600  # nodes: the pictures of smaller graphs are painted anew for each place of the camera
REST = 120  # milliseconds without a move of the camera, after which such a picture is painted sharp


class Kept(NamedTuple):
    """A picture without moving parts. Of a large graph also its wires and cards, and the picture of these alone."""

    key: tuple[object, ...] = ()
    camera: Camera = Camera()
    ratio: float = 1.0
    still: QPixmap | None = None
    contents: Contents | None = None
    graph: QPixmap | None = None
    moving: QPixmap | None = None  # while the camera moves: the picture as it sees it, without the corners
    words_of: Contents | None = None  # until the next picture: the contents before, whose words are shown

    @property
    def ground(self) -> QPixmap | None:
        """The picture of a large graph on which the rest is painted."""
        return self.graph if self.moving is None else self.moving

    @property
    def pictures(self) -> list[QPixmap]:
        """All of them."""
        return [one for one in (self.still, self.graph, self.moving) if one is not None]

    def is_of(self, key: tuple[object, ...], camera: Camera) -> bool:
        """Whether a scene with this key and camera looks so."""
        return bool(self.pictures) and self.key == key and self.camera == camera


class Layers:
    """A cache of everything that stays while only tokens move; keep one per widget and pass it to `paint`.

    With a `widget`, of a large graph only the parts are painted again that differ from what was painted last. While the
    camera moves, the picture is moved and scaled with it, and only what comes into view is painted; as soon as the
    camera rests, all is painted anew. So a hundred thousand nodes follow the hand. After an edit of the graph its words
    (labels at wires, names from afar) follow a picture later, as it takes time to find places for them.
    """

    def __init__(self, widget: QWidget | None = None) -> None:
        self._now = Kept()
        self._spare: list[QPixmap] = []  # painted on again, as the system is slow to hand out new ones
        self._sprites = Sprites()
        self._widget = widget
        if widget is not None:
            self._rest = QTimer(widget, interval=REST, singleShot=True)
            self._rest.timeout.connect(self._sharpen)
            self._words = QTimer(widget, interval=0, singleShot=True)
            self._words.timeout.connect(self._write)

    def forget(self) -> None:
        """Paint everything anew the next time."""
        self._sprites = Sprites()
        self._drop()

    def _drop(self) -> None:
        self._spare += self._now.pictures
        self._now = Kept(self._now.key, self._now.camera)

    def _sharpen(self) -> None:
        self._drop()
        if self._widget is not None:
            self._widget.update()

    def _write(self) -> None:
        """Paint the words of what is shown."""
        if self._widget is not None and self._now.words_of is not None:
            self._now = self._now._replace(words_of=None)
            self._drop_still()
            self._widget.update()

    def _drop_still(self) -> None:
        if self._now.still is not None:
            self._spare.append(self._now.still)
            self._now = self._now._replace(still=None)

    def paint(self, painter: QPainter, scene: Scene) -> None:
        """Paint the picture without moving parts. That of a large graph is put together on the painter: it is kept only
        when it is seen once more, as most are seen but once."""
        ratio = painter.device().devicePixelRatioF()
        was_known, ground = self._find(scene, ratio), self._now.ground
        if was_known or self._now.still is not None or ground is None:
            painter.drawPixmap(QPointF(0.0, 0.0), self._put_together(scene, ratio))
        else:
            painter.drawPixmap(QPointF(0.0, 0.0), ground)
            self._paint_above(painter, scene)

    def still(self, scene: Scene, ratio: float) -> QPixmap:
        """The picture without moving parts, for a screen with `ratio` device pixels per pixel."""
        self._find(scene, ratio)
        return self._put_together(scene, ratio)

    def _put_together(self, scene: Scene, ratio: float) -> QPixmap:
        if self._now.still is not None:
            return self._now.still
        ground = self._now.ground
        assert ground is not None

        def paint_it(painter: QPainter) -> None:
            _copy(painter, ground)
            self._paint_above(painter, scene)

        whole = self._painted(scene, ratio, paint_it)
        self._now = self._now._replace(still=whole)
        return whole

    def _paint_above(self, painter: QPainter, scene: Scene) -> None:
        """Paint what lies above the graph: the words, which move with the camera, and the corners, which do not."""
        contents = self._now.words_of or self._now.contents
        if self._now.moving is None and contents is not None:
            still.paint_words(painter, contents, self._sprites)
        still.paint_corners(painter, scene, self._sprites)

    def _find(self, scene: Scene, ratio: float) -> bool:
        """Bring what is kept up to date with a scene, its words apart; whether it was so before."""
        key = _still_key(scene, ratio)
        if self._now.is_of(key, scene.camera):
            return True
        if self._widget is None or not _is_large(scene):
            self._drop()
            still_ = self._painted(scene, ratio, partial(still.paint, scene=scene, sprites=self._sprites))
            self._now = Kept(key, scene.camera, ratio, still_)
        else:
            self._follow(key, scene, ratio)
        return False

    def _follow(self, key: tuple[object, ...], scene: Scene, ratio: float) -> None:
        """Bring the picture of a large graph up to date: moved with the camera, or painted again where it differs."""
        self._drop_still()
        if self._now.contents is not None and key == self._now.key:
            self._rest.start()
            self._now = self._on_the_way(self._now.contents, scene, ratio)
            return
        self._rest.stop()
        before = self._now
        self._now = self._at_rest(key, scene, ratio, comes_in=self._jumps(scene))
        if before.words_of is None and before.contents is not None and _is_edited(before.contents.scene, scene):
            self._now = self._now._replace(words_of=before.contents)
            self._words.start()
        if self._now.contents is not None and self._now.contents.rough:
            self._rest.start()

    def _at_rest(self, key: tuple[object, ...], scene: Scene, ratio: float, comes_in: bool = False) -> Kept:
        """The picture of a large graph, of which only what has changed is painted if its camera is where it was."""
        contents, graph, before = self._contents(scene, comes_in), self._now.graph, self._now.contents
        in_whole_pixels = self._now.ratio == ratio and float(ratio).is_integer()
        changed = damage(before, contents) if before is not None and in_whole_pixels else None
        if graph is None or changed is None:
            self._drop()
            graph = self._painted(scene, ratio, partial(still.paint_graph, contents=contents, sprites=self._sprites))
        elif changed:
            paint_it = partial(still.paint_graph, contents=contents, sprites=self._sprites, damage=changed)
            if not (region := region_of(changed, contents, ratio)).isEmpty():
                _repaint(graph, region, paint_it, in_whole=not contents.in_full)
            with QPainter(graph) as painter:
                painter.setRenderHints(still.HINTS)
                for card in changed.renumbered:
                    contents.paint_inside(painter, card, self._sprites)
        return Kept(key, scene.camera, ratio, None, contents, graph)

    def _contents(self, scene: Scene, comes_in: bool) -> Contents:
        """What is in view: as far as it is known if something else is under the mouse, and nothing else differs."""
        before = self._now.contents
        if before is not None and not before.rough and _only_hovers(before.scene, scene):
            return before.hovering(scene)
        leaps = before is not None and abs(scene.frame.time - before.scene.frame.time) > 1.0  # steps come one by one
        return Contents(scene, comes_in=comes_in, in_haste=comes_in and leaps)

    def _jumps(self, scene: Scene) -> bool:
        """Whether most of what the camera sees was not in view before, as after no step of a motion."""
        now, before = scene.camera.visible(scene.view), self._now.camera.visible(scene.view)
        known = now.intersected(before)
        return known.width() * known.height() < 0.5 * now.width() * now.height()

    def _on_the_way(self, contents: Contents, scene: Scene, ratio: float) -> Kept:
        """The picture of a large graph as a camera sees it that alone has moved."""
        assert self._now.graph is not None
        before, graph = self._now.moving, self._now.graph

        def paint_words(painter: QPainter) -> None:
            _copy(painter, graph)
            still.paint_words(painter, contents, self._sprites)

        if before is None:
            before = self._painted(scene, ratio, paint_words)
        moving = self._moved(before, scene, ratio)
        self._spare.append(before)
        return self._now._replace(camera=scene.camera, moving=moving)

    def _painted(self, scene: Scene, ratio: float, paint_it: Callable[[QPainter], None]) -> QPixmap:
        """What is painted, onto a spare picture if one fits."""
        size = (scene.view * ratio).toSize()
        fitting = [one for one in self._spare if one.size() == size and one.devicePixelRatio() == ratio]
        self._spare = fitting[1:]
        pixmap = fitting[0] if fitting else QPixmap(size)
        pixmap.setDevicePixelRatio(ratio)
        if size.toSizeF() != scene.view * ratio:  # it covers its last pixels in part, and this shows through
            pixmap.fill(scene.theme.color("canvas"))
        with QPainter(pixmap) as painter:
            paint_it(painter)
        return pixmap

    def _moved(self, graph: QPixmap, scene: Scene, ratio: float) -> QPixmap:
        """The picture that was last painted as another camera sees it, with what has come into view."""
        view = QRectF(QPointF(), scene.view)
        back, _ = self._now.camera.transform.inverted()
        onto = back * scene.camera.transform
        known = onto.mapRect(view).intersected(view)

        def paint_moved(painter: QPainter) -> None:
            painter.save()
            painter.setTransform(onto, True)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, onto.isScaling())
            painter.drawPixmap(QPointF(0.0, 0.0), graph)
            painter.restore()
            if parts := _around(known, view):
                painter.setClipRegion(reduce(QRegion.united, (part.toAlignedRect() for part in parts), QRegion()))
                still.paint_graph(painter, Contents(scene, parts, comes_in=True, in_haste=True), self._sprites)

        return self._painted(scene, ratio, paint_moved)


def _is_large(scene: Scene) -> bool:
    return len(scene.document.nodes) >= MANY


def _copy(painter: QPainter, pixmap: QPixmap) -> None:
    """Put a picture in the place of what a painter has painted."""
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
    painter.drawPixmap(QPointF(0.0, 0.0), pixmap)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)


def _repaint(graph: QPixmap, region: QRegion, paint_it: Callable[[QPainter], None], in_whole: bool) -> None:
    """Paint a region of a picture again, which is given in pixels of the screen.

    Qt cuts thin lines at the rectangle around a clip, and what is left of one may have other pixels. So for the time of
    the painting this is the rectangle `in_whole`: two of its corners are in the clip, and afterwards as they were.
    """
    ratio, wide, high = graph.devicePixelRatio(), graph.width(), graph.height()
    corners = [QRect(0, 0, 1, 1), QRect(wide - 1, high - 1, 1, 1)] if in_whole else []
    kept = [(corner, graph.copy(corner)) for corner in corners if not region.contains(corner)]
    with QPainter(graph) as painter:
        painter.scale(1.0 / ratio, 1.0 / ratio)
        to_screen = painter.transform()
        painter.setClipRegion(reduce(QRegion.united, corners, region))
        painter.resetTransform()
        paint_it(painter)
        painter.setTransform(to_screen)
        for corner, pixel in kept:
            painter.drawPixmap(corner, pixel)


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
        scene.decorations.still,
        scene.pointed,
        scene.remarks,
        scene.remarked_wire,
        moment(scene.frame, scene.live),
    )


def _is_edited(before: Scene, after: Scene) -> bool:
    """Whether a graph was edited between two scenes that show the same part of it; build mode follows each edit."""
    is_another = after.live and before.frame.run.plan is not after.frame.run.plan
    return is_another and before.camera == after.camera and before.view == after.view


def _only_hovers(before: Scene, after: Scene) -> bool:
    """Whether two scenes differ, of what is still, in what is under the mouse alone, or its wire snaps to."""
    if before.camera != after.camera or before.document is not after.document:  # as most
        return False
    marks = replace(before.decorations, hovered_wire=after.decorations.hovered_wire, snap=after.decorations.snap)
    as_after = replace(before, hovered=after.hovered, decorations=marks)
    return _still_key(as_after, 1.0) == _still_key(after, 1.0)


def paint(painter: QPainter, scene: Scene, layers: Layers | None = None) -> None:
    """Paint the scene, in pixels of the view. With `layers`, what has not changed since the last call is reused."""
    if scene.view.isEmpty():
        return
    painter.setRenderHints(still.HINTS)
    if layers is None:
        still.paint(painter, scene, None)
    else:
        layers.paint(painter, scene)
    painter.save()
    painter.setTransform(scene.camera.transform, True)
    tokens.paint(painter, scene, still.annotation_scale(scene))
    gesture_marks.paint(painter, scene)
    painter.restore()
