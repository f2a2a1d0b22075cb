"""The whole picture as one frozen value, and its painting: a pure function used by the canvas and by every export."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainter, QPixmap

from core import Document, Fault
from core.edits import slot_count
from core.timeline import Frame
from gui.canvas import cards, faults, gesture_marks, ground, labels, minimap, overview, ports, tokens, wires
from gui.canvas.activity import Activity, activity, faults_by_now, moment
from gui.canvas.camera import Camera
from gui.canvas.clearance import Obstacles
from gui.canvas.geometry import Geometry, Same
from gui.canvas.sprites import Sprites
from gui.theme import Theme

HINTS = QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing
AROUND = 150.0  # canvas units that a card's flag, label or badge may reach beyond it
EDGE = 14.0  # what its ports and its outline reach beyond it
MOST_CARDS, MOST_CURVES, MOST_BADGES = 600, 900, 24  # beyond these, simpler forms
LEAST_ANNOTATION = 0.8  # tokens and labels are never smaller on the screen than at this zoom

Port = tuple[str, int | None]  # a node and one of its slots; None for its output


@dataclass(frozen=True)
class Decorations:
    """What the gesture in hand adds to the picture; all places in canvas units."""

    lit_ports: tuple[Port, ...] | None = None  # while connecting: the ports that fit; None when nothing is connected
    snap: Port | None = None  # the port that would be taken if the button were released now
    loose_wire: tuple[QPointF, QPointF, bool] | None = None  # from the output side to the input side; accepted here?
    lifted_wire: tuple[str, int] | None = None  # (target, slot) of the wire that is being moved: not painted
    rubber_band: QRectF | None = None
    ghost: tuple[str, QPointF] | None = None  # operation being dropped and the top left corner of its card
    guides: tuple[QLineF, ...] = ()  # lines along which a moved card is aligned
    hovered_wire: tuple[str, int] | None = None  # (target, slot)
    selected_wire: tuple[str, int] | None = None


@dataclass(frozen=True)
class Scene:
    """All that the picture depends on. `view` is its size in pixels; `live` is build mode."""

    document: Document
    geometry: Geometry
    frame: Frame
    faults: tuple[Fault, ...]
    theme: Theme
    camera: Camera
    view: QSizeF
    selection: frozenset[str] = frozenset()
    hovered: str | None = None
    live: bool = False
    decorations: Decorations = field(default_factory=Decorations)


class Layers:
    """What need not be painted anew while only tokens move; keep one per widget and hand it to `paint`."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._still: QPixmap | None = None
        self._sprites = Sprites()

    def still(self, scene: Scene, ratio: float) -> QPixmap:
        """Everything but what moves, for a screen with `ratio` device pixels per pixel."""
        key = _still_key(scene, ratio)
        if self._still is None or key != self._key:
            self._key, self._still = key, QPixmap((scene.view * ratio).toSize())
            self._still.setDevicePixelRatio(ratio)
            painter = QPainter(self._still)
            _paint_still(painter, scene, self._sprites)
            painter.end()
        return self._still


def _still_key(scene: Scene, ratio: float) -> tuple[object, ...]:
    """Equal for scenes that differ only in what moves. Large things count as equal when they are the same object."""
    same = (Same(scene.document), Same(scene.geometry), Same(scene.frame.run), Same(scene.faults))
    still = replace(scene.decorations, loose_wire=None, rubber_band=None, ghost=None, guides=())
    seen = (scene.theme, scene.camera, scene.view.width(), scene.view.height(), scene.live, ratio)
    return (*same, *seen, scene.selection, scene.hovered, still, moment(scene.frame, scene.live))


def paint(painter: QPainter, scene: Scene, layers: Layers | None = None) -> None:
    """Paint the scene, in pixels of the view. With `layers`, what has not changed since the last call is reused."""
    painter.setRenderHints(HINTS)
    if layers is None:
        _paint_still(painter, scene, None)
    else:
        painter.drawPixmap(QPointF(0.0, 0.0), layers.still(scene, painter.device().devicePixelRatioF()))
    painter.save()
    painter.setTransform(scene.camera.transform, True)
    tokens.paint(painter, scene, annotation_scale(scene))
    gesture_marks.paint(painter, scene)
    painter.restore()


def annotation_scale(scene: Scene) -> float:
    """How much larger than life tokens, labels and badges are, so that they can be read from afar."""
    return max(1.0, LEAST_ANNOTATION / (scene.camera.zoom * scene.theme.type**0.5))


def _paint_still(painter: QPainter, scene: Scene, sprites: Sprites | None) -> None:
    painter.setRenderHints(HINTS)
    ground.paint(painter, scene)
    if not scene.document.nodes:
        ground.paint_beginning(painter, scene)
    painter.save()
    painter.setTransform(scene.camera.transform, True)
    lit = activity(scene.frame, scene.live)
    seen = scene.camera.seen(scene.view)
    numbers = scene.geometry.cards_in(seen.adjusted(-AROUND, -AROUND, AROUND, AROUND))
    if scene.camera.zoom * scene.theme.type < cards.COMPACT or len(numbers) > MOST_CARDS:
        overview.paint_wires(painter, scene, scene.geometry.wires_in(seen))
        _paint_lit_wires(painter, scene, lit)
        overview.paint_cards(painter, scene, numbers, lit)
    else:
        _paint_wires(painter, scene, scene.geometry.wires_in(seen), lit)
        _paint_cards(painter, scene, numbers, lit, sprites)
    _paint_notes(painter, scene, lit)
    painter.restore()
    minimap.paint(painter, scene)


def _paint_wires(painter: QPainter, scene: Scene, rows: np.ndarray, lit: Activity) -> None:
    if len(rows) > MOST_CURVES:
        overview.paint_wires(painter, scene, rows)
        _paint_lit_wires(painter, scene, lit)
        return
    geometry, zoom, looks = scene.geometry, scene.camera.zoom, wires.Looks(scene, lit)
    names, seen = geometry.names, scene.camera.seen(scene.view)
    found = []
    for row, (source, target, slot) in zip(rows.tolist(), geometry.wires[rows].tolist()):
        wire = (names[target], slot)
        if wire != scene.decorations.lifted_wire:
            found.append((row, looks.of(names[source], wire)))
    for row, look in sorted(found, key=lambda item: item[1].rank):
        path = geometry.path(row)
        if not (seen.contains(path.currentPosition()) or seen.contains(path.pointAtPercent(0.0))) and look.rank < 2:
            look = look._replace(width=0.0)  # it only passes by; a hairline is painted four times as fast
        wires.paint(painter, path, look, zoom, with_arrow=seen.contains(path.currentPosition()))


def _paint_lit_wires(painter: QPainter, scene: Scene, lit: Activity) -> None:
    """The wires of the step as curves, where all others are lines."""
    looks, pixel = wires.Looks(scene, lit), 1.0 / scene.camera.zoom
    for target, slot in lit.wires:
        source = str(scene.document.nodes[target].inputs[slot])
        look = looks.of(source, (target, slot))
        path = scene.geometry.wire(source, target, slot)
        wires.paint(painter, path, look._replace(width=max(look.width, 2.5 * pixel)), scene.camera.zoom)


def _paint_cards(painter: QPainter, scene: Scene, numbers: np.ndarray, lit: Activity, sprites: Sprites | None) -> None:
    """The cards with their ports, as kept sprites if there are any."""
    faulty = frozenset(fault.node for fault in faults_by_now(scene.frame, scene.faults))
    connecting = scene.decorations.lit_ports is not None
    with_ports = connecting or scene.camera.zoom * scene.theme.type >= cards.PLAIN
    base = painter.transform()
    for name in [scene.geometry.names[number] for number in numbers.tolist()]:
        card = cards.card_of(scene, name, lit, faulty)
        draw = partial(_paint_card, scene=scene, card=card, with_ports=with_ports)
        if sprites is None or connecting:
            draw(painter)
            continue
        painter.resetTransform()
        key = (card.key, scene.theme.name, ports.key(scene, name) if with_ports else ())
        sprites.paint(painter, key, _reach(scene, card), scene.camera, draw)
        painter.setTransform(base)


def _reach(scene: Scene, card: cards.Card) -> QRectF:
    """What a card takes with its outline, its flag and the labels of its open slots."""
    sources = card.node.inputs
    is_open = len(sources) < slot_count(card.node) or any(source not in scene.document.nodes for source in sources)
    left, right = AROUND if is_open else EDGE, AROUND if card.output else EDGE
    return card.box.adjusted(-left, -2.0 * EDGE if card.output else -EDGE, right, EDGE)


def _paint_card(painter: QPainter, scene: Scene, card: cards.Card, with_ports: bool) -> None:
    cards.paint(painter, card, scene.theme, scene.camera.zoom)
    if with_ports:
        ports.paint(painter, scene, card.node.name)


def _paint_notes(painter: QPainter, scene: Scene, lit: Activity) -> None:
    """The words beside cards and wires: local derivatives and faults."""
    seen, scale = scene.camera.seen(scene.view), annotation_scale(scene)
    obstacles = Obstacles(scene.geometry, seen)
    for wire in labels.wires_to_label(scene, lit.label):
        labels.paint(painter, scene, wire, obstacles, scale)
    shown = [fault for fault in faults_by_now(scene.frame, scene.faults) if fault.node in scene.document.nodes]
    for fault in [fault for fault in shown if seen.intersects(scene.geometry.card(fault.node))][:MOST_BADGES]:
        faults.paint(painter, scene, fault, obstacles, scale)
