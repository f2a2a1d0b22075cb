"""Faults on the canvas: an icon and a word at the card of origin, and both shapes where they do not fit.

Cards that only inherited a bad number have a faint ring; the wire that brought it about is lit. The hint that the list
of problems points to is shown in the same way, in calmer colours.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from cadena.core.graph.fault import BAD_NUMBERS, Fault, Kind
from cadena.core.methods.reverse.activity import Wire, faults_by_now
from cadena.core.text.causes import Cause
from cadena.core.text.wording import Listing
from cadena.gui.canvas.rendering.clearance import SHARES, Obstacles, squares, wires_into, wires_out_of
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.canvas.rendering.text_fitting import CENTER, LEFT, width, write
from cadena.gui.look.theme import CAPTION, GAP, LABEL, RADIUS, Theme

WORDS = {
    Kind.CYCLE: "cycle",
    Kind.OPEN_SLOT: "open slot",
    Kind.MISSING_INPUT: "missing operand",
    Kind.TOO_MANY_INPUTS: "too many operands",
    Kind.UNKNOWN_OPERATION: "unknown operation",
    Kind.ATTRIBUTE: "check its settings",
    Kind.NO_VALUE: "no value",
    Kind.INF_VALUE: "inf starts here",
    Kind.NAN_VALUE: "nan starts here",
    Kind.INF_GRADIENT: "gradient turns inf",
    Kind.NAN_GRADIENT: "gradient turns nan",
    Kind.VANISHED_GRADIENT: "gradient silently 0",
    Kind.SUBNORMAL_GRADIENT: "gradient loses digits",
    Kind.DEAD_RELU: "dead",  # its rule says what
    Kind.VANISHING_BY_LAYER: "vanishes by layer",
    Kind.EXPLODING_BY_LAYER: "explodes by layer",
    Kind.LOST_DIGITS: "loses its digits",
    Kind.RECORDED_VALUE: "stops gradients",
    Kind.VIOLATED_GUARD: "other branch",
}
WITHOUT_RULE = (Cause.UNKNOWN, Cause.GIVEN, Cause.OWN)  # they say no more than the word
MAX_RINGS = 600
PaintCall = Callable[[QPainter], None]


class Badge(NamedTuple):
    """The badge of a fault, with the place that it has on the canvas."""

    fault: Fault
    place: QRectF
    calls: list[PaintCall]


ARROW = 7.0  # half of what one takes
PLATE, ICON = 2.1, 1.1  # the height of a badge, of its type's; how far its words begin, of its own


def word(scene: Scene, fault: Fault) -> str:
    """The text at the card: a word or two; for shapes, the shapes."""
    if fault.kind is Kind.SHAPE:
        shapes = [str(shape) for shape in operand_shapes(scene, fault.node) if shape is not None]
        if scene.document.nodes[fault.node].op in scene.document.functions:
            return "shapes do not fit"  # within the function, or those of its gradient
        listed = Listing(tuple(shapes)).worded()
        return f"shapes {listed} do not fit" if len(shapes) > 1 else f"shape {listed} does not fit"
    text = WORDS.get(fault.kind, fault.kind)
    if fault.cause in WITHOUT_RULE:
        return text
    return fault.rule if fault.kind is Kind.DEAD_RELU else f"{text}: {fault.rule}"


def shown(scene: Scene) -> list[Fault]:
    """The faults with a badge at this moment: those that have appeared, and the one that the list points to."""
    listed = loud(scene)
    if scene.pointed is not None and scene.pointed not in listed:
        listed.append(scene.pointed)
    return [fault for fault in listed if fault.node in scene.document.nodes]


def loud(scene: Scene) -> list[Fault]:
    """The faults that have appeared. A node that lacks an operand is unfinished, and its card says so itself."""
    return [fault for fault in faults_by_now(scene.frame, scene.faults) if fault.kind is not Kind.OPEN_SLOT]


def wires_concerned(scene: Scene) -> dict[Wire, str]:
    """The wires along which a number went bad, with the role of their colour; of the selected fault, all operands."""
    roles = dict[Wire, str]()
    for fault in shown(scene):
        pointed, is_hint = fault == scene.pointed, fault.severity == "hint"
        inputs = scene.document.nodes[fault.node].inputs
        slots = [fault.slot] if fault.slot is not None else range(len(inputs)) if pointed else []
        if fault.kind in BAD_NUMBERS or (pointed and is_hint):
            roles.update({(fault.node, slot): "text" if is_hint else "fault" for slot in slots})
    return roles


def paint_rings(painter: QPainter, scene: Scene, seen: QRectF) -> None:
    """Paint a broad ring around the selected fault, and a faint one around each card that inherited a bad number."""
    theme, geometry = scene.theme, scene.geometry
    born = {fault.node for fault in shown(scene)}
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if any(fault.kind in BAD_NUMBERS for fault in scene.faults):
        pen = QPen(theme.color("fault", 0.75), 1.2 * theme.line)
        pen.setDashPattern([3.0, 3.0])
        painter.setPen(pen)
        numbers = geometry.cards_in(seen)
        names = [geometry.names[number] for number in numbers.tolist()] if len(numbers) <= MAX_RINGS else []
        for name in names:
            if name not in born and inherits(scene, name):
                _ring(painter, geometry.card(name), 3.0)
    if scene.pointed is not None and scene.pointed.node in born:
        role = "text" if scene.pointed.severity == "hint" else "fault"
        painter.setPen(QPen(theme.color(role, 0.35), 6.0 * theme.line))
        _ring(painter, geometry.card(scene.pointed.node), 9.0 + 2.0 * theme.line)


def inherits(scene: Scene, name: str) -> bool:
    """Whether a card shows an inf or a nan, in the lines of whichever method is chosen."""
    numbers = (line.number for line in scene.frame.lines(name))
    return any(number is not None and not np.isfinite(number).all() for number in numbers)


def _ring(painter: QPainter, card: QRectF, out: float) -> None:
    painter.drawRoundedRect(card.adjusted(-out, -out, out, out), RADIUS + out, RADIUS + out)


def operand_shapes(scene: Scene, name: str) -> list[tuple[int, ...] | None]:
    """The shape at each slot of a node; None where nothing arrives."""
    shapes = scene.geometry.shapes
    return [shapes.get(source) if source else None for source in scene.document.nodes[name].inputs]


def placed(scene: Scene, fault: Fault, obstacles: Obstacles, scale: float) -> Badge:
    """Place the badge of a fault near its card, `scale` times its usual size, to be painted later."""
    shapes = _shapes_at_wires(scene, fault.node, obstacles, scale) if fault.kind is Kind.SHAPE else []
    card = scene.geometry.card(fault.node)
    text, size = word(scene, fault), round(LABEL * scene.theme.type * scale)
    tall = size * PLATE
    room = QSizeF(ICON * tall + width(text, size, True) + 1.5 * GAP * scale, tall)
    place = obstacles.place(room, _badge_places(card, room), _wires_at(scene, fault.node))
    is_hint = fault.severity == "hint"
    face = partial(badge, place=place, text=text, size=size, theme=scene.theme, hint=is_hint)
    return Badge(fault, place, [*shapes, face])


def _wires_at(scene: Scene, name: str) -> np.ndarray:
    """Where the wires of a node run, with their arrows: the first ones, as a badge covers few."""
    rows = [*wires_into(scene.geometry, name), *wires_out_of(scene.geometry, name)]
    return squares(scene.geometry.along(rows, SHARES), ARROW).reshape(-1, 4)


def _badge_places(card: QRectF, room: QSizeF) -> list[tuple[float, float]]:
    """The centers of a badge at a card, best first: below, above, at the right, further off, on the lower edge."""
    half, middle = room.height() / 2, card.center()
    aside = (card.width() + room.width()) / 2
    near, far = half + 7.0, half + 18.0
    below = [(middle.x() + shift * aside, card.bottom() + near) for shift in (0.0, 0.4, -0.4)]
    above = [(middle.x() + shift * aside, card.top() - near) for shift in (0.0, 0.4, -0.4)]
    right = [(middle.x() + aside + 10.0, y) for y in (card.bottom() - half, card.top() + half)]
    shift = (room.width() - card.width()) / 2
    flush = [(middle.x() + way * shift, y) for y in (card.bottom() + near, card.top() - near) for way in (1.0, -1.0)]
    further = [(middle.x(), card.bottom() + far), (middle.x(), card.top() - far)]
    further += [(x, y + math.copysign(room.height(), y - middle.y())) for x, y in flush]
    beside = [flush[0], below[0], above[0], *flush[1:], *below[1:], *above[1:], *right]
    return [*beside, *further, (middle.x(), card.bottom())]


def badge(painter: QPainter, place: QRectF, text: str, size: int, theme: Theme, hint: bool = False) -> None:
    """A plate in the fault's colour: icon and word; for a hint in the colour of text, only outlined."""
    ink = theme.color("text" if hint else "on_strong")
    painter.setPen(QPen(theme.color("text"), theme.line) if hint else Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("card" if hint else "fault"))
    painter.drawRoundedRect(place, RADIUS, RADIUS)
    tall = place.height()
    icon = QRectF(place.left() + 0.38 * tall, place.top() + 0.24 * tall, 0.56 * tall, 0.52 * tall)
    (notice if hint else warning)(painter, icon, ink, theme)
    write(painter, text, place.adjusted(ICON * tall, 0.0, 0.0, 0.0), size, ink, bold=True, align=LEFT)


def notice(painter: QPainter, place: QRectF, ink: QColor, theme: Theme) -> None:
    """The icon of a hint: an i in a ring."""
    _sign(painter, place.center(), place.height(), ink, theme, down=False)
    painter.drawEllipse(place.center(), place.height() / 2, place.height() / 2)


def warning(painter: QPainter, place: QRectF, ink: QColor, theme: Theme) -> None:
    """The icon of a fault: an exclamation mark in a triangle."""
    low = QPointF(place.center().x(), place.center().y() + 0.12 * place.height())
    _sign(painter, low, 0.8 * place.height(), ink, theme, down=True)
    painter.drawPolygon(QPolygonF([QPointF(place.center().x(), place.top()), place.bottomRight(), place.bottomLeft()]))


def _sign(painter: QPainter, middle: QPointF, tall: float, ink: QColor, theme: Theme, down: bool) -> None:
    """A stroke and its dot, below it or above; the pen stays as the lines around it need it."""
    way = 1.0 if down else -1.0
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    painter.drawEllipse(middle + QPointF(0.0, way * 0.27 * tall), 0.075 * tall, 0.075 * tall)
    pen = QPen(ink, max(0.11 * tall, 1.0) * theme.line**0.5)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawLine(middle - QPointF(0.0, way * 0.25 * tall), middle + QPointF(0.0, way * 0.08 * tall))


def _shapes_at_wires(scene: Scene, name: str, obstacles: Obstacles, scale: float) -> list[PaintCall]:
    """The shape of each operand at the wire that brings it."""
    size, badges = round(CAPTION * scene.theme.type * scale), list[PaintCall]()
    for slot, shape in enumerate(operand_shapes(scene, name)):
        if shape is None:
            continue
        text, row = str(shape), scene.geometry.row(name, slot)
        if row is None:
            continue
        room = QSizeF(width(text, size, True) + GAP * scale, size * 1.5)
        (points,) = scene.geometry.along([row], (0.6, 0.7, 0.5, 0.4, 0.3))
        lift = np.array([0.0, room.height() * (0.8 if slot else -0.8)])
        place = obstacles.place(room, np.vstack([points + lift, points + 2.0 * lift]))
        badges.append(partial(_shape, place=place, text=text, size=size, theme=scene.theme))
    return badges


def _shape(painter: QPainter, place: QRectF, text: str, size: int, theme: Theme) -> None:
    painter.setPen(QPen(theme.color("fault"), 1.4 * theme.line))
    painter.setBrush(theme.color("fault_ground"))
    painter.drawRoundedRect(place, RADIUS, RADIUS)
    write(painter, text, place, size, theme.color("fault"), bold=True, align=CENTER)
