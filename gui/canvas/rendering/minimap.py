"""A map of the graph in a corner, with the visible part: shown when the graph does not fit into the view."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QTransform

from cadena.core.graph.columns import picked
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.geometry import NUMBER_CARD
from cadena.gui.canvas.rendering.overview import state_colours, states
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.canvas.rendering.sprites import Sprites, paint_each
from cadena.gui.canvas.rendering.wires import blend
from cadena.gui.look.batches import draw_boxes
from cadena.gui.look.theme import GAP, RADIUS, Theme

SIZE = QSizeF(172.0, 112.0)  # at most, with its edge
MIN_VIEW = QSizeF(480.0, 320.0)  # in a smaller view it would be in the way
MIN_DOT = 2.0  # pixels
AROUND = 2.0  # pixels beside the plate, for its edge
PIXELS = Camera()  # of the view
MapAxis = tuple[float, float, float]  # pixels for a canvas unit, and where 0 lies and the map begins in the view
MANY, VERY_MANY = 300, 1500  # cards; more are painted in whole pixels, all at once, and very many as one pixel each
AROUND_CARD = QSizeF(150.0, 60.0)  # canvas units at each side of a card that are its ground: those of near cards meet
LEAST_GROUND = 3  # pixels, across and down


def area(scene: Scene) -> QRectF | None:
    """Where the map lies, in pixels of the view; None when it is not shown."""
    bounds, visible = scene.geometry.bounds(), scene.camera.visible(scene.view)
    roomy = scene.view.width() >= MIN_VIEW.width() and scene.view.height() >= MIN_VIEW.height()
    if not scene.shown.has_map or bounds.isNull() or not roomy or visible.contains(_without_margin(bounds)):
        return None
    size = SIZE * min(scene.theme.type, 1.25)
    left, top = scene.view.width() - size.width() - 2 * GAP, scene.view.height() - size.height() - 2 * GAP
    return QRectF(QPointF(math.floor(left), math.floor(top)), size)


def _without_margin(bounds: QRectF) -> QRectF:
    return bounds.adjusted(30.0, 30.0, -30.0, -30.0)


def transform(scene: Scene, place: QRectF) -> QTransform:
    """From canvas units to pixels of the map at `place`."""
    bounds, room = scene.geometry.bounds(), place.adjusted(GAP, GAP, -GAP, -GAP)
    scale = min(room.width() / bounds.width(), room.height() / bounds.height())
    middle = bounds.center()
    to_map = QTransform.fromTranslate(room.center().x(), room.center().y())
    return to_map.scale(scale, scale).translate(-middle.x(), -middle.y())


def to_world(scene: Scene, pixel: QPointF) -> QPointF | None:
    """The canvas point under a pixel of the map; None outside the map."""
    place = area(scene)
    if place is None or not place.contains(pixel):
        return None
    back, _ = transform(scene, place).inverted()
    return back.map(pixel)


def cleared(scene: Scene, cards: QRectF) -> Camera:
    """The scene's camera, moved so that the map does not cover this area of the canvas; as it is where neither way has
    the room."""
    place, shown = area(scene), scene.camera.transform.mapRect(cards)
    if place is None or not place.adjusted(-GAP, -GAP, GAP, GAP).intersects(shown):
        return scene.camera
    left, up = shown.right() - place.left() + GAP, shown.bottom() - place.top() + GAP
    moves = [(left, -left, 0.0)] if shown.left() - left >= GAP else []
    moves += [(up, 0.0, -up)] if shown.top() - up >= GAP else []
    return scene.camera.panned(*min(moves)[1:]) if moves else scene.camera


def paint(painter: QPainter, scene: Scene, sprites: Sprites | None) -> None:
    """The map, in pixels of the view, if it is shown."""
    place = area(scene)
    if place is None:
        return
    theme, to_map = scene.theme, transform(scene, place)
    plate = ("map", theme.name, theme.type, theme.line), partial(_paint_plate, place=place, theme=theme)
    paint_each(painter, [(plate, place.adjusted(-AROUND, -AROUND, AROUND, AROUND))], PIXELS, sprites)
    painter.save()
    painter.setClipRect(place)
    _dots(painter, scene, place, to_map)
    painter.restore()
    visible = to_map.mapRect(scene.camera.visible(scene.view)).intersected(place.adjusted(2.0, 2.0, -2.0, -2.0))
    if not visible.isEmpty():
        part = QRectF(visible.toAlignedRect())
        frame = (
            ("map part", *part.size().toTuple(), theme.name, theme.line),
            partial(_paint_part, part=part, theme=theme),
        )
        paint_each(painter, [(frame, part.adjusted(-AROUND, -AROUND, AROUND, AROUND))], PIXELS, sprites)


def _paint_plate(painter: QPainter, place: QRectF, theme: Theme) -> None:
    painter.setPen(QPen(theme.color("border"), theme.line))
    painter.setBrush(theme.color("card"))
    painter.drawRoundedRect(place, RADIUS, RADIUS)


def _paint_part(painter: QPainter, part: QRectF, theme: Theme) -> None:
    painter.setPen(QPen(theme.color("text"), 1.5 * theme.line))
    painter.setBrush(theme.color("text", 0.06))
    painter.drawRect(part)


def _colours(theme: Theme) -> tuple[QColor, ...]:
    """The ground on which cards stand, which shows the shape of the graph, and the cards in each of their states."""
    return blend(theme.color("card"), theme.color("wire"), 0.3), theme.color("wire"), *state_colours(theme)[1:]


def _dots(painter: QPainter, scene: Scene, place: QRectF, to_map: QTransform) -> None:
    ground, *colours = _colours(scene.theme)
    painter.setPen(QPen(scene.theme.color("border"), 1.0))
    painter.setBrush(ground)
    for one in scene.geometry.open_blocks:
        left, top, right, bottom = one.edges
        painter.drawRect(QRectF(to_map.mapRect(QRectF(left, top, right - left, bottom - top)).toAlignedRect()))
    if len(scene.geometry.names) > MANY:
        _pixels(painter, scene, place, to_map)
        return
    shown = scene.geometry.shown_numbers
    boxes, states_ = scene.geometry.boxes[shown], states(scene)[shown]
    grown = max(MIN_DOT / to_map.m11() - 72.0, 0.0) / 2
    boxes = (boxes + (0.0, -grown, 0.0, grown)) * to_map.m11() + 2 * (to_map.dx(), to_map.dy())
    painter.setPen(Qt.PenStyle.NoPen)
    x, y = (side * to_map.m11() for side in AROUND_CARD.toTuple())
    draw_boxes(painter, boxes + (-x, -y, x, y))
    for state, color in enumerate(colours):
        painter.setBrush(color)
        draw_boxes(painter, boxes[states_ == state])


def _pixels(painter: QPainter, scene: Scene, place: QRectF, to_map: QTransform) -> None:
    """Many cards, each in whole pixels; what matters most lies above."""
    cards = (scene.geometry.boxes, scene.geometry.shown_numbers, states(scene))
    across, down = (to_map.m11(), to_map.dx(), place.left()), (to_map.m22(), to_map.dy(), place.top())
    colors = tuple(color.rgba() for color in _colours(scene.theme))
    picture = _picture(*cards, across, down, (int(place.width()), int(place.height())), colors)
    painter.drawImage(place.topLeft(), picture)


def _picture(
    boxes: np.ndarray,
    shown: np.ndarray,
    states_: np.ndarray,
    across: MapAxis,
    down: MapAxis,
    size: tuple[int, int],
    colors: tuple[int, ...],
) -> QImage:
    """A picture of this size with a dot for each card that is shown on its ground, the highest state above."""
    (wide, tall), (cells, right, below) = size, _cells(boxes, shown, across, down, size)
    levels = (states_[shown] + 2).astype(np.uint8)
    dots = np.zeros((tall + below, wide + right), dtype=np.uint8)  # the highest state that has a card there
    np.maximum.at(dots.ravel(), cells, levels)  # numpy is slow with two indices or two types
    ground = np.minimum(dots, 1)
    dots = _grown(_grown(dots, right, 1), below, 0)[:tall, :wide]
    rooms = [NUMBER_CARD[1] + 2.0 * AROUND_CARD.height(), NUMBER_CARD[0] + 2.0 * AROUND_CARD.width()]
    for axis, (room, dot, scale) in enumerate(zip(rooms, (below, right), (down[0], across[0]), strict=True)):
        cells_ = max(round(room * scale), LEAST_GROUND)
        ground = np.roll(_grown(ground, cells_, axis), -((cells_ - dot) // 2), axis)
    picture = np.array([0, *colors], dtype=np.uint32)[np.maximum(dots, ground[:tall, :wide])]
    return QImage(picture.tobytes(), wide, tall, 4 * wide, QImage.Format.Format_ARGB32_Premultiplied).copy()


def _grown(cells: np.ndarray, by: int, axis: int) -> np.ndarray:
    """The cells, each grown to so many along an axis, to the right or downwards."""
    grown = cells.copy()
    for shift in range(1, by):
        before, after = (slice(None, -shift), slice(shift, None))
        index, source = ((slice(None), part) if axis else (part,) for part in (after, before))
        np.maximum(grown[index], cells[source], out=grown[index])
    return grown


def _cells(
    boxes: np.ndarray, shown: np.ndarray, across: MapAxis, down: MapAxis, size: tuple[int, int]
) -> tuple[np.ndarray, int, int]:
    """The cell of each card that is shown, row by row, and the size of a dot, which has room beyond the map."""
    (wide, tall), boxes = size, picked(boxes, shown)
    columns, rows = (
        ((boxes[:, side] + boxes[:, side + 2]) / 2 * scale + zero - begin).astype(int)
        for side, (scale, zero, begin) in enumerate((across, down))
    )
    right, below = 1, 1
    if len(boxes) <= VERY_MANY:
        right, below = max(round(NUMBER_CARD[0] * across[0]), 1), round(MIN_DOT)
    cells = rows.clip(0, tall - 1) * (wide + right) + (columns - right // 2).clip(0, wide - 1)
    return cells, right, below
