"""The local derivative at a wire, symbol then number, placed beside the token's path and clear of the cards."""

from __future__ import annotations

import math
from itertools import islice

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from cadena.core.methods.reverse.activity import Wire
from cadena.core.methods.reverse.words import local_label
from cadena.core.notation.names import set_plainly
from cadena.gui.canvas.picture.clearance import SHARES, Obstacles, squares, wires_into
from cadena.gui.canvas.picture.lettering import CENTER, width, write
from cadena.gui.canvas.picture.scene import Scene
from cadena.gui.canvas.picture.wires import near_wires
from cadena.gui.plain import shown
from cadena.gui.theme import BODY, GAP

MAX_LABELS = 12  # labels at once
BESIDE = 12.0  # between a label and another wire of its node, whose label it would seem to be
TOKEN = 20.0  # half the height of a token on the wire
MIDDLES = (0.5, 0.4, 0.6, 0.25, 0.75)  # of the wire's length: where its label may stand, best first
# Where it may stand beside such a point: so many times as far off, across and down, as it has to be to be clear of it.
AROUND = np.array(
    [(0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)]
    + [(x, y) for y in (1.0, -1.0, 0.0) for x in (0.6, -0.6)]
    + [(0.0, side * far) for far in (1.5, 2.0, 2.6) for side in (1.0, -1.0)]
)
FAR = np.array(  # the last ones, of the first point
    [(0.0, side * far) for far in (3.5, 5.0) for side in (1.0, -1.0)]
    + [(x, side * far) for far in (2.0, 3.5) for x in (1.0, -1.0) for side in (1.0, -1.0)]
)
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
    known = {wire: row for wire in wires if (row := scene.geometry.row(*wire)) is not None}
    if not known:
        return
    wires, rows = list(known), list(known.values())
    size, color = round(BODY * scene.theme.type * scale), scene.theme.color("gradient")
    texts = [_text(scene, wire) for wire in wires]
    sizes = np.array([(width(text, size, True) + 2.0 * GAP * scale, size * 1.6) for text in texts])
    points = scene.geometry.along(rows, (*SHARES, *MIDDLES))
    lines, middles = points[:, : len(SHARES)], points[:, len(SHARES) :]
    centers = _centers(middles, sizes, TOKEN * scale * scene.theme.type**0.5)
    weak = np.concatenate([squares(lines, TOKEN * scale), _beside(scene, wires)], axis=1)
    pills = obstacles.place_all(sizes, centers, weak)
    edge = QPen(color, 1.2 * scene.theme.line)
    for text, line, pill in zip(texts, lines, pills, strict=True):
        painter.setPen(edge)
        _lead(painter, line[1:-1], pill, TOKEN * scale)
        painter.setBrush(scene.theme.color("canvas"))
        painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
        write(painter, text, pill, size, color, bold=True, align=CENTER)


def _text(scene: Scene, wire: Wire) -> str:
    target, slot = wire
    source = str(scene.document.nodes[target].inputs[slot])
    text = set_plainly(scene.hidden.in_text(local_label(scene.frame.run, target, slot), target, source))
    text = text if len(text) <= LONGEST else shown(text, MAX_IN_NAME)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _beside(scene: Scene, wires: list[Wire]) -> np.ndarray:
    """Areas along the wires into the node of each of these wires: wires x areas x 4, filled up with empty ones."""
    rows = [wires_into(scene.geometry, target) for target, _ in wires]
    counts = np.array([*map(len, rows)])
    points = scene.geometry.along([row for into in rows for row in into], SHARES)
    areas = np.zeros((len(wires), counts.max(), len(SHARES), 4))
    areas[np.arange(counts.max()) < counts[:, None]] = squares(points, BESIDE)
    return areas.reshape(len(wires), -1, 4)


def _lead(painter: QPainter, points: np.ndarray, pill: QRectF, far: float) -> None:
    """A line from a label to its wire, where it had to be put so far off that it might seem another wire's."""
    x, y = points[np.argmin(np.hypot(*(points - pill.center().toTuple()).T))].tolist()
    edge = QPointF(min(max(x, pill.left() + far / 2), pill.right() - far / 2), min(max(y, pill.top()), pill.bottom()))
    if math.hypot(edge.x() - x, edge.y() - y) > 2.2 * far:
        painter.drawLine(edge, QPointF(x, y))


def _centers(points: np.ndarray, sizes: np.ndarray, clear: float) -> np.ndarray:
    """Places below, above and beside points of wires, the first one first: wires x places x 2."""
    steps = (clear + sizes / 2 + 2.0)[:, None]
    around = (points[:, :, None] + AROUND * steps[:, None]).reshape(len(points), -1, 2)
    return np.concatenate([around, points[:, :1] + FAR * steps], axis=1)
