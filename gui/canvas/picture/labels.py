"""The local derivative at a wire, symbol then number, placed beside the token's path and clear of the cards."""

from __future__ import annotations

import math
from itertools import islice

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainter, QPen

from cadena.core.methods.reverse.activity import Wire
from cadena.core.methods.reverse.words import local_label
from cadena.gui.canvas.picture.clearance import SHARES, Obstacles, squares, wires_into
from cadena.gui.canvas.picture.lettering import CENTER, width, write
from cadena.gui.canvas.picture.scene import Scene
from cadena.gui.canvas.picture.wires import near_wires
from cadena.gui.plain import raised, shown
from cadena.gui.theme import BODY, GAP

MAX_LABELS = 12  # labels at once
BESIDE = 12.0  # between a label and another wire of its node, whose label it would seem to be
TOKEN = 20.0  # half the height of a token on the wire
MIDDLES = (0.5, 0.4, 0.6, 0.25, 0.75)  # of the wire's length: where its label may stand, best first
LONGEST = 46  # characters
MAX_IN_NAME = 9  # letters: the number after the names matters more


def wires_to_label(scene: Scene, current: Wire | None) -> list[Wire]:
    """The wire of the step, and in build mode those of the hovered and the selected nodes, as far as they carry."""
    if scene.path:
        return [wire for wire in scene.path if scene.geometry.shows_wire(*wire)][:MAX_LABELS]
    if not scene.live:
        return [current] if current else []
    near = (wire for wire in near_wires(scene) if scene.frame.contribution(*wire) is not None)
    return list(islice((wire for wire in near if scene.geometry.shows_wire(*wire)), MAX_LABELS))


def paint(painter: QPainter, scene: Scene, wires: list[Wire], obstacles: Obstacles, scale: float) -> None:
    """The labels of wires, `scale` times their usual size."""
    geometry = scene.geometry
    around = [wires_into(geometry, target) for target, _ in wires]
    own = [row for wire in wires if (row := geometry.row(*wire)) is not None]
    if not own:
        return
    points = geometry.along(own, (*SHARES, *MIDDLES))
    beside = np.split(geometry.along([row for rows in around for row in rows], SHARES), np.cumsum([*map(len, around)]))
    for wire, line, others in zip(wires, points, beside):
        _paint(painter, scene, wire, line, others, obstacles, scale)


def _paint(
    painter: QPainter,
    scene: Scene,
    wire: Wire,
    line: np.ndarray,
    others: np.ndarray,
    obstacles: Obstacles,
    scale: float,
) -> None:
    """The label of a wire with these points, clear of `others` into the same node."""
    target, slot = wire
    source = str(scene.document.nodes[target].inputs[slot])
    text = scene.hidden.in_text(raised(local_label(scene.frame.run, target, slot)), target, source)
    text = text if len(text) <= LONGEST else shown(text, MAX_IN_NAME)
    text = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    size = round(BODY * scene.theme.type * scale)
    room = QSizeF(width(text, size, True) + 2.0 * GAP * scale, size * 1.6)
    on_wire, middles = line[: len(SHARES)], line[len(SHARES) :]
    weak = np.vstack([squares(on_wire, TOKEN * scale), squares(others, BESIDE)])
    pill = obstacles.place(room, _centers(middles, room, TOKEN * scale * scene.theme.type**0.5), weak)
    painter.setPen(QPen(scene.theme.color("gradient"), 1.2 * scene.theme.line))
    _lead(painter, on_wire[1:-1], pill, TOKEN * scale)
    painter.setBrush(scene.theme.color("canvas"))
    painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
    write(painter, text, pill, size, scene.theme.color("gradient"), bold=True, align=CENTER)


def _lead(painter: QPainter, points: np.ndarray, pill: QRectF, far: float) -> None:
    """A line from a label to its wire, where it had to be put so far off that it might seem another wire's."""
    x, y = points[np.argmin(np.hypot(*(points - pill.center().toTuple()).T))].tolist()
    edge = QPointF(min(max(x, pill.left() + far / 2), pill.right() - far / 2), min(max(y, pill.top()), pill.bottom()))
    if math.hypot(edge.x() - x, edge.y() - y) > 2.2 * far:
        painter.drawLine(edge, QPointF(x, y))


def _centers(points: np.ndarray, room: QSizeF, clear: float) -> np.ndarray:
    """Places below, above and beside these points of the wire, the first one first."""
    down, aside = clear + room.height() / 2 + 2.0, clear + room.width() / 2 + 2.0
    moves = [(0.0, down), (0.0, -down), (aside, 0.0), (-aside, 0.0)]
    moves += [(x, y) for y in (down, -down, 0.0) for x in (aside * 0.6, -aside * 0.6)]
    moves += [(0.0, side * far * down) for far in (1.5, 2.0, 2.6) for side in (1.0, -1.0)]
    last = [(0.0, side * far * down) for far in (3.5, 5.0) for side in (1.0, -1.0)]
    return np.vstack([(points[:, None] + moves).reshape(-1, 2), points[0] + last])
