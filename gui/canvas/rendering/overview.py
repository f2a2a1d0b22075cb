"""The canvas from afar: thousands of cards as coloured rectangles and wires as thin lines, painted in batches."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from cadena.core.graph.columns import picked
from cadena.core.methods.reverse.activity import Activity
from cadena.core.methods.reverse.timeline import Frame, Timeline
from cadena.core.notation.in_script import shown_name
from cadena.gui.canvas.rendering import faults
from cadena.gui.canvas.rendering.cache_keys import Same
from cadena.gui.canvas.rendering.geometry import Geometry
from cadena.gui.canvas.rendering.overlaps import boxes_of
from cadena.gui.canvas.rendering.scales import Tints
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.canvas.rendering.sprites import Pictures, Sprites, paint_each
from cadena.gui.canvas.rendering.text_fitting import CENTER, width, write
from cadena.gui.canvas.rendering.wires import DIMMED, blend
from cadena.gui.look.batches import draw_boxes, draw_lines
from cadena.gui.look.theme import CAPTION, Theme

UNKNOWN, VALUE, GRADIENT, FAULT = range(4)  # the most that a card shows
NEVER = np.iinfo(int).max
PARAMETER, ELEMENT = "parameter", "getitem"
MAX_NAMES, MAX_TRIED = 40, 200  # names on one picture, and the most that are looked at for a place
CELL = (150.0, 48.0)  # pixels: of a grid over the picture, from each cell of which one name is tried
EDGE = 4.0  # pixels between a name and the edge of the view
NEARLY = 16  # levels of a colour's parts that are painted as one
LINE = 1.2  # pixels; Qt draws lines a little wider than 1 pixel twice as fast as thinner ones
FAN, FAR, FAINT = 12, 1200.0, 0.3  # wires of a card, canvas units, and the strength of those of so many that go so far


@lru_cache(maxsize=2)  # where a card moves, wires do not
def _wire_steps(timeline: Same, wires: Same) -> np.ndarray:
    """For each of these wires (source, target, slot) the step in which it carries a gradient back, or NEVER."""
    shown: Timeline = timeline.value
    _, targets, slots = wires.value.T
    return shown.steps_of_wires(targets, slots, NEVER)


@lru_cache(maxsize=2)
def gradient_steps(timeline: Same) -> np.ndarray:
    """For each node the step that brings its first gradient; NEVER for those without one."""
    shown: Timeline = timeline.value
    plan = shown.run.plan
    steps = np.full(len(plan.names), NEVER)
    numbers, first = shown.first_arrivals
    steps[numbers] = first
    if plan.output is not None and len(shown) > shown.forward_length:
        steps[plan.output] = shown.forward_length
    return steps


def carried(frame: Frame, geometry: Geometry, rows: np.ndarray) -> np.ndarray:
    """For each of these wires whether it has carried a gradient by now."""
    timeline, plan = frame.timeline, frame.run.plan
    if frame.landed <= timeline.forward_length or plan.output is None:
        return np.zeros(len(rows), dtype=bool)
    if frame.landed < len(timeline):
        return _wire_steps(Same(timeline), Same(geometry.wires)).take(rows) < frame.landed
    reached, wires = plan.reaches, picked(geometry.wires, rows)  # the whole run: no need to look at its steps
    back = reached[wires[:, 0]] & reached[wires[:, 1]]
    if plan.choosing:
        back &= np.array([(target, slot) not in plan.choosing for target, slot in wires[:, 1:].tolist()], dtype=bool)
    return back


def states(scene: Scene) -> np.ndarray:
    """UNKNOWN, VALUE, GRADIENT or FAULT for each node."""
    frame, plan = scene.frame, scene.frame.run.plan
    state = np.where(frame.shown, VALUE, UNKNOWN)
    if plan.output is not None and frame.landed > frame.timeline.forward_length:
        all_done = frame.landed == len(frame.timeline)
        state[plan.reaches if all_done else gradient_steps(Same(frame.timeline)) < frame.landed] = GRADIENT
    state[[plan.index[fault.node] for fault in faults.loud(scene) if fault.node in plan.index]] = FAULT
    return state


@lru_cache(maxsize=4)
def state_colours(theme: Theme) -> tuple[QColor, ...]:
    """The colour of a card in each state; kept, so do not change them."""
    ground = theme.color("canvas")
    unknown = blend(ground, theme.color("wire"), 0.45)
    value, gradient = blend(ground, theme.color("value"), 0.6), blend(ground, theme.color("gradient"), 0.85)
    return unknown, value, gradient, theme.color("fault")


def paint_wires(painter: QPainter, scene: Scene, rows: np.ndarray, back: np.ndarray) -> None:
    """The wires with these numbers as thin lines, those that have carried a gradient (`back`) above the others."""
    theme, geometry = scene.theme, scene.geometry
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    between_rows, fans = np.isin(rows, [*geometry.ways_back]), _in_fans(geometry, rows)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for of_fans, strength in ((fans, FAINT), (~fans, 1.0)):
        for chosen, role, share in ((of_fans & ~back, "wire", 0.55), (of_fans & back, "gradient", 0.7)):
            painter.setPen(_thin_pen(blend(theme.color("canvas"), theme.color(role), strength * share), theme))
            draw_lines(painter, picked(geometry.wire_ends, rows[chosen & ~between_rows]))
            for row in rows[chosen & between_rows].tolist():
                painter.drawPath(geometry.path(row))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def _in_fans(geometry: Geometry, rows: np.ndarray) -> np.ndarray:
    """Which wires go far from a card that feeds many, such as a learning rate: together they would hide all others."""
    uses = np.bincount(geometry.wires[:, 0], minlength=1)[geometry.wires[rows, 0]]
    ends = picked(geometry.wire_ends, rows)
    in_fans: np.ndarray = (uses >= FAN) & (np.abs(ends[:, 2:] - ends[:, :2]).sum(axis=1) > FAR)
    return in_fans


def _thin_pen(color: QColor, theme: Theme) -> QPen:
    pen = QPen(color, LINE * theme.line**0.5)
    pen.setCosmetic(True)
    return pen


def paint_cards(
    painter: QPainter, scene: Scene, numbers: np.ndarray, looks: np.ndarray, outlines: Mapping[str, np.ndarray]
) -> None:
    """The cards with these numbers as rectangles in their states, `looks`, which say too whether they are dimmed; what
    is lit or selected has an outline to be seen from afar: `outlines` are numbers by role."""
    if not len(numbers) and not outlines:  # as at reading size
        return
    boxes, states_now, dimmed = picked(scene.geometry.boxes, numbers), looks[:, 0], looks[:, 1].astype(bool)
    tints = Tints(scene) if scene.shown.by else None
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(Qt.PenStyle.NoPen)
    for state, color in enumerate(state_colours(scene.theme)):
        painter.setBrush(color)
        for opacity, chosen in ((1.0, ~dimmed), (DIMMED, dimmed)):
            painter.setOpacity(opacity)
            draw_boxes(painter, boxes[chosen & (states_now == state)])
        painter.setOpacity(1.0)
    if tints and numbers.size:
        _paint_tints(painter, scene, tints, numbers, dimmed)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    for role, chosen in outlines.items():
        _outline(painter, scene, chosen, role)


def dimmed(scene: Scene, numbers: np.ndarray) -> np.ndarray:
    """For each of these cards whether it is dimmed."""
    if not scene.shown.lit:
        return np.zeros(len(numbers), dtype=bool)
    names = scene.geometry.names
    return np.array([names[number] not in scene.shown.lit for number in numbers.tolist()], dtype=bool)


def _paint_tints(painter: QPainter, scene: Scene, tints: Tints, numbers: np.ndarray, dimmed: np.ndarray) -> None:
    """What the colours say on the user's scale, over what they say else: cards of nearly one colour together."""
    known = tints.known[numbers]
    numbers, dimmed = numbers[known], dimmed[known]
    shades = tints.rgb[numbers].astype(int) // NEARLY
    looks, of_look = np.unique(np.column_stack([shades, dimmed]), axis=0, return_inverse=True)
    for place in range(len(looks)):
        of_place = numbers[of_look.ravel() == place]
        painter.setOpacity(DIMMED if looks[place, 3] else 1.0)
        painter.setBrush(QColor(*tints.rgb[of_place[0]].tolist()))
        draw_boxes(painter, scene.geometry.boxes[of_place])
    painter.setOpacity(1.0)


def _outline(painter: QPainter, scene: Scene, numbers: np.ndarray, role: str) -> None:
    """Outline these cards in the colour of a role; all but selected ones are filled, too."""
    pixel = 1.0 / scene.zoom
    boxes = scene.geometry.boxes[numbers] + 3.0 * pixel * np.array([-1.0, -1.0, 1.0, 1.0])
    pen = QPen(scene.theme.color(role), 2.5 * pixel)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(scene.theme.color(f"{role}_ground") if role != "text" else Qt.BrushStyle.NoBrush)
    draw_boxes(painter, boxes)


def paint_names(
    painter: QPainter, scene: Scene, numbers: np.ndarray, lit: Activity, scale: float, sprites: Sprites | None
) -> None:
    """The names of the most important of these cards, on plates of their own, spread over the view: whole, as far as
    none covers another."""
    geometry, (view,) = scene.geometry, boxes_of([scene.camera.visible(scene.view)])
    middles = (geometry.boxes[numbers, :2] + geometry.boxes[numbers, 2:]) / 2
    numbers = numbers[((middles >= view[:2]) & (middles <= view[2:])).all(axis=1)]
    if not len(numbers):
        return
    size = round(CAPTION * scene.theme.type * scale)
    named = _important(scene, numbers, lit)
    if scene.hidden:
        named = [number for number in named if not scene.hidden.hides("names", geometry.names[number])]
    named = named[:MAX_TRIED]
    folds, names = geometry.folds, [geometry.names[number] for number in named]
    texts = [fold.title if (fold := folds.get(name)) else name for name in names]
    if ELEMENT in geometry.wired.kinds:
        texts = [shown_name(scene.document, text) if text in geometry.numbers else text for text in texts]
    inset = EDGE / scene.camera.zoom * np.array([1.0, 1.0, -1.0, -1.0])
    plates, look = _plates(texts, geometry.boxes[named], size, view + inset), (size, scene.theme.name, scene.theme.type)

    def pictures() -> Pictures:
        for text, plate in plates:
            draw = partial(_paint_plate, text=text, plate=plate, size=size, theme=scene.theme)
            yield (("name", text, *look), draw), plate

    paint_each(painter, pictures(), scene.camera, sprites)


def _plates(texts: list[str], boxes: np.ndarray, size: int, view: np.ndarray) -> list[tuple[str, QRectF]]:
    """The texts that have a plate, the first ones first, and where: in the middle of the card of each, or as near as it
    is whole in the view (left, top, right, bottom)."""
    high = 1.4 * size
    wide = np.array([width(text, size, True) for text in texts]) + 0.8 * size
    x, y = ((boxes[:, :2] + boxes[:, 2:]) / 2).T
    x = np.clip(x, view[0] + wide / 2, np.maximum(view[2] - wide / 2, view[0] + wide / 2))
    y = np.clip(y, view[1] + high / 2, max(view[3] - high / 2, view[1] + high / 2))
    left, top, right, bottom = x - wide / 2, y - high / 2, x + wide / 2, y + high / 2
    clear = (left[:, None] >= right) | (right[:, None] <= left) | (top[:, None] >= bottom) | (bottom[:, None] <= top)
    free, placed = np.ones(len(texts), dtype=bool), list[int]()
    for number in range(len(texts)):
        if free[number] and len(placed) < MAX_NAMES:
            placed.append(number)
            free &= clear[number]
    return [(texts[place], QRectF(left[place], top[place], wide[place], high)) for place in placed]


def _paint_plate(painter: QPainter, text: str, plate: QRectF, size: int, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("canvas"))
    painter.drawRoundedRect(plate, 0.3 * size, 0.3 * size)
    write(painter, text, plate, size, theme.color("text"), bold=True, align=CENTER)


def _important(scene: Scene, numbers: np.ndarray, lit: Activity) -> list[int]:
    """The nodes of the step, the selected ones, the output, what is folded, calls, parameters and then all: each once,
    by number."""
    document, geometry = scene.document, scene.geometry
    is_there = np.zeros(len(geometry.names), dtype=bool)
    is_there[numbers] = True
    chosen = [*lit.edges, *sorted(scene.selection), str(document.output), *geometry.folds]
    known = [geometry.numbers[name] for name in chosen if name in geometry.numbers]
    among = [number for number in known if is_there[number]]
    calls = []
    if document.functions:
        calls = [number for number in numbers.tolist() if document.function_of(geometry.names[number])]
    parameters = numbers[geometry.wired.is_of(PARAMETER)[numbers]]
    some = [*_spread(geometry.boxes, parameters, scene.zoom), *_spread(geometry.boxes, numbers, scene.zoom)]
    return list(dict.fromkeys([*among, *calls, *some]))


def _spread(boxes: np.ndarray, numbers: np.ndarray, zoom: float) -> list[int]:
    """As many of these cards as are tried, from all over the picture: of very many one from each cell of a grid."""
    if len(numbers) > MAX_NAMES:
        columns, rows = np.floor(picked(boxes, numbers)[:, :2] * zoom / CELL).astype(np.intp).T
        cells = rows * (np.ptp(columns) + 1) + columns  # one number for each: numpy is slow to sort pairs
        _, first = np.unique(cells, return_index=True)
        step = max(round(len(first) / MAX_NAMES), 1)
        numbers = numbers[np.concatenate([first[begin::step] for begin in range(step)])]
    chosen: list[int] = numbers[:MAX_TRIED].tolist()
    return chosen
