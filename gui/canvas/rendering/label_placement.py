"""The local derivative at a wire, symbol then number, placed beside the token's path and clear of the cards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import chain, compress

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainter, QPen

from cadena.core.methods.reverse.activity import Wire
from cadena.core.methods.reverse.step_text import local_label, local_latex
from cadena.core.notation.names import set_plainly
from cadena.gui.canvas.rendering.clearance import SHARES, Obstacles, squares, wires_into
from cadena.gui.canvas.rendering.overlaps import boxes_of
from cadena.gui.canvas.rendering.overview import carried
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.canvas.rendering.sprites import Pictures, Sprites, paint_each
from cadena.gui.canvas.rendering.text_fitting import CENTER, width, write
from cadena.gui.canvas.rendering.wire_paths import along
from cadena.gui.formulas import pictures
from cadena.gui.formulas.typesetter import weight
from cadena.gui.look.text_cleaning import shown
from cadena.gui.look.theme import RADIUS, WIRE_LABEL, Theme

MAX_LABELS = 12  # labels at once
BESIDE = 12.0  # between a label and another wire of its node, whose label it would seem to be
TOKEN = 20.0  # half the height of a token on the wire
MIDDLES = (0.5, 0.4, 0.6, 0.25, 0.75)  # of the wire's length: where its label may stand, best first
FINE = tuple(np.linspace(0.0, 1.0, 241).tolist())  # of the length of one that is looked for in view
EDGE, AROUND_EDGE = 1.5, 2.0  # the line around a label, and the room for it, in which it lies on whole pixels
# Where it may stand beside such a point: so many times as far off, across and down, as it has to be to be clear of it.
AROUND = np.array(
    [(0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)]
    + [(x, y) for y in (1.0, -1.0, 0.0) for x in (0.6, -0.6)]
    + [(0.0, side * far) for far in (1.5, 2.0, 2.6) for side in (1.0, -1.0)]
)
FAR = np.array(  # the last ones, of the first point
    [(0.0, side * far) for far in (3.5, 5.0, 6.5, 8.0) for side in (1.0, -1.0)]
    + [(x, side * far) for far in (1.2, 1.7, 3.0) for x in (0.8, -0.8, 1.4, -1.4) for side in (1.0, -1.0)]
    + [(x, side * far) for far in (2.0, 3.5) for x in (1.0, -1.0) for side in (1.0, -1.0)]
)
ROOM = 16.0  # a label has room for so much more, or a part of it: as its number changes, it mostly stays where it is
HIGH, AS_TEXT = 1.7, 0.7  # of the type: how high a label is, and the type of one that is no formula
LED_TO = slice(6, 11)  # the points of a wire, of SHARES, to which a leader may lead: a token rests before them
AIR = 12.0  # beside the words of a label
HEAVIEST = 400  # of a formula: a heavier one is too long for a label
LONGEST = 46  # characters
MAX_IN_NAME = 9  # letters: the number after the names matters more
LabelPlaces = tuple[list[QRectF | None], list[QLineF]]  # rooms for labels, and lines that lead to those far off


def wires_to_label(scene: Scene, current: Wire | None) -> list[Wire]:
    """The wires of the lit path; else that of the step, and the hovered and the selected one where they carry."""
    if scene.path:
        return [wire for wire in scene.path if scene.geometry.shows_wire(*wire)][:MAX_LABELS]
    marks, geometry = scene.decorations, scene.geometry
    wires = [current] if current and not scene.live else []
    for wire in filter(None, (marks.hovered_wire, marks.selected_wire)):
        row = geometry.row(*wire) if wire[0] in geometry.numbers and geometry.shows_wire(*wire) else None
        if row is not None and wire not in wires and carried(scene.frame, geometry, np.array([row])).all():
            wires.append(wire)
    return wires


def paint(
    painter: QPainter, scene: Scene, wires: list[Wire], obstacles: Obstacles, scale: float, sprites: Sprites | None
) -> None:
    """The labels of wires, `scale` times their usual size."""
    geometry, theme = scene.geometry, scene.theme
    _prepare(scene)
    known = {wire: row for wire in wires if (row := geometry.row(*wire)) is not None}
    if not known:
        return
    contents, size = [_content(scene, wire) for wire in known], _size(theme, scale)
    needed = [_room(content, size, scale) for content in contents]
    rooms = [QSizeF(math.ceil(one.width() / (ROOM * scale)) * ROOM * scale, one.height()) for one in needed]
    into = [wires_into(geometry, target) for target, _ in known]
    rows = [*known.values(), *chain.from_iterable(into)]
    points = _in_view(scene, geometry.along(rows, (*SHARES, *MIDDLES)), list(known.values()))
    places, leads = _place(points, rooms, list(map(len, into)), obstacles, theme, scale)
    paint_each(painter, _leading_lines(leads, theme), scene.camera, None)  # as sprites they would fill the cache
    paint_each(painter, _cards(contents, needed, places, theme, scale), scene.camera, sprites)


def _size(theme: Theme, scale: float) -> int:
    return round(WIRE_LABEL * theme.type**0.5 * scale)


def _prepare(scene: Scene) -> None:
    """Have the label of the step set as a formula before it appears."""
    step = scene.frame.step
    if step is not None and step.phase == "reverse" and step.slot is not None and not scene.live:
        _content(scene, (step.node, step.slot))


def _content(scene: Scene, wire: Wire) -> tuple[str, str]:
    """The label of a wire as LaTeX, if it is set, and as text."""
    target, slot = wire
    if scene.hidden:
        return "", _text(scene, wire)
    latex = local_latex(scene.frame.run, target, slot, pictures.colored(scene.theme))
    known = latex and weight(latex) <= HEAVIEST and pictures.cached(latex) is not None
    return latex if known else "", _text(scene, wire)


def _room(content: tuple[str, str], size: int, scale: float) -> QSizeF:
    """What a label takes, with the air around it."""
    latex, text = content
    formula = pictures.size(latex, size) if latex else QSizeF(width(text, round(size * AS_TEXT)), 0.0)
    return QSizeF(formula.width() + 2.0 * AIR * scale, max(HIGH * size, formula.height() + AIR * scale))


def _in_view(scene: Scene, points: np.ndarray, rows: list[int]) -> np.ndarray:
    """The points, with those of the part in view in the place of MIDDLES for labels of wires whose own are out of
    view."""
    (view,) = boxes_of([scene.camera.visible(scene.view)])

    def is_seen(places: np.ndarray) -> np.ndarray:
        seen: np.ndarray = ((places >= view[:2]) & (places <= view[2:])).all(axis=-1)
        return seen

    away = np.flatnonzero(~is_seen(points[: len(rows), len(SHARES) :]).any(axis=1)).tolist()
    if not away:
        return points
    points = points.copy()
    for place, way in zip(away, scene.geometry.along([rows[place] for place in away], FINE), strict=True):
        part = way[is_seen(way)]
        if len(part) > 1:
            points[place, len(SHARES) :] = along(part[None], MIDDLES)[0]
    return points


def _place(
    points: np.ndarray,
    rooms: Sequence[QSizeF],
    counts: Sequence[int],
    obstacles: Obstacles,
    theme: Theme,
    scale: float,
) -> LabelPlaces:
    """Find places for labels that are so large by the points of their wires and of those into their nodes: None where
    there is no room but on cards."""
    far = TOKEN * scale
    sizes = np.array([room.toTuple() for room in rooms])
    pills = obstacles.place_all(sizes, *_choices(sizes, points, counts, far, far * theme.type**0.5))
    is_clear = ~obstacles.covers_cards(pills)
    shown = list(compress(pills, is_clear))
    leads = _leads(points[: len(rooms), LED_TO][is_clear], shown, far) if shown else []
    return [pill if clear else None for pill, clear in zip(pills, is_clear.tolist(), strict=True)], leads


def _leading_lines(leads: list[QLineF], theme: Theme) -> Pictures:
    """The lines that lead to labels."""
    out = AROUND_EDGE * theme.line
    for lead in leads:
        around = QRectF(lead.p1(), lead.p2()).normalized()
        yield ((), partial(_paint_lead, lead=lead, theme=theme)), around.adjusted(-out, -out, out, out)


def _cards(
    contents: Sequence[tuple[str, str]],
    needed: Sequence[QSizeF],
    rooms: list[QRectF | None],
    theme: Theme,
    scale: float,
) -> Pictures:
    """The labels, each in the middle of its room."""
    size, out, look = _size(theme, scale), AROUND_EDGE * theme.line, (scale, theme.name, theme.type, theme.line)
    for content, taken, room in zip(contents, needed, rooms, strict=True):
        if room is None:
            continue
        aside = (room.width() - taken.width()) / 2
        card = room.adjusted(aside, 0.0, -aside, 0.0)
        draw = partial(_paint_card, content=content, card=card, size=size, theme=theme)
        yield (("label", content, *look), draw), card.adjusted(-out, -out, out, out)


def _paint_lead(painter: QPainter, lead: QLineF, theme: Theme) -> None:
    painter.setPen(QPen(theme.color("gradient_strong"), EDGE * theme.line))
    painter.drawLine(lead)


def _paint_card(painter: QPainter, content: tuple[str, str], card: QRectF, size: int, theme: Theme) -> None:
    painter.setPen(QPen(theme.color("gradient_strong"), EDGE * theme.line))
    painter.setBrush(theme.color("card"))
    painter.drawRoundedRect(card, RADIUS, RADIUS)
    latex, text = content
    if not latex:
        write(painter, text, card, round(size * AS_TEXT), theme.color("text"), align=CENTER)
        return
    formula, scale = pictures.setting(latex), size / pictures.REFERENCE
    drop = (formula.ascent - formula.descent) * scale / 2
    left = card.center().x() - formula.width * scale / 2
    pictures.paint(painter, latex, size, theme.text, QPointF(left, card.center().y() + drop))


def _text(scene: Scene, wire: Wire) -> str:
    target, slot = wire
    source = str(scene.document.nodes[target].inputs[slot])
    text = set_plainly(scene.hidden.in_text(local_label(scene.frame.run, target, slot), target, source))
    text = text if len(text) <= LONGEST else shown(text, MAX_IN_NAME)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _choices(
    sizes: np.ndarray, points: np.ndarray, counts: Sequence[int], far: float, clear: float
) -> tuple[np.ndarray, np.ndarray]:
    """Where labels of these sizes may stand, and the weak areas of each, by the points of their wires and then of the
    `counts` wires into the node of each. Labels stay `clear` of their wires, and tokens `far`."""
    lines, others = points[: len(sizes), : len(SHARES)], points[len(sizes) :, : len(SHARES)]
    weak = np.concatenate([squares(lines, far), _beside(others, counts)], axis=1)
    return _centers(points[: len(sizes), len(SHARES) :], sizes, clear), weak


def _beside(points: np.ndarray, counts: Sequence[int]) -> np.ndarray:
    """Areas along the `counts` wires into the node of each label: labels x areas x 4, filled up with empty ones."""
    areas = np.zeros((len(counts), max(counts), len(SHARES), 4))
    areas[np.arange(max(counts)) < np.array(counts)[:, None]] = squares(points, BESIDE)
    return areas.reshape(len(counts), -1, 4)


def _leads(lines: np.ndarray, pills: list[QRectF], far: float) -> list[QLineF]:
    """Lines from labels to their wires, but for labels that touch them."""
    areas = np.array([pill.getCoords() for pill in pills])
    low, high = areas[:, :2], areas[:, 2:]
    ways = lines - ((low + high) / 2)[:, None]
    ends = lines[np.arange(len(lines)), np.hypot(ways[..., 0], ways[..., 1]).argmin(axis=1)]
    starts = np.minimum(np.maximum(ends, low + (far / 2, 0.0)), high - (far / 2, 0.0))
    strays = np.hypot(*(ends - starts).T) > far / 2
    return [QLineF(*start, *end) for start, end in zip(starts[strays].tolist(), ends[strays].tolist(), strict=True)]


def _centers(points: np.ndarray, sizes: np.ndarray, clear: float) -> np.ndarray:
    """Places below, above and beside points of wires, the first one first: wires x places x 2."""
    steps = (clear + sizes / 2 + 2.0)[:, None]
    around = (points[:, :, None] + AROUND * steps[:, None]).reshape(len(points), -1, 2)
    return np.concatenate([around, points[:, :1] + FAR * steps], axis=1)
