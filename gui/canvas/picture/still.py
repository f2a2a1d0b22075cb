"""The part of the picture that is still while tokens travel: ground, wires, cards, and their labels."""

from __future__ import annotations

from functools import partial
from itertools import chain

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from cadena.core.graph.edits import slot_count
from cadena.core.methods.reverse.activity import Activity, activity, faults_by_now
from cadena.gui.canvas.picture import (
    cards,
    faults,
    frames,
    ground,
    labels,
    legend,
    memos,
    minimap,
    notes,
    overview,
    ports,
    wires,
)
from cadena.gui.canvas.picture.card import Card, card_of
from cadena.gui.canvas.picture.clearance import Obstacles
from cadena.gui.canvas.picture.scales import Tints
from cadena.gui.canvas.picture.scene import Scene
from cadena.gui.canvas.picture.sprites import Sprites

HINTS = QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing
AROUND = 150.0  # canvas units that a card's flag, label or badge may reach beyond it
EDGE = 14.0  # the reach of its ports and its outline
MAX_CARDS, MAX_CURVES, MAX_BADGES = 600, 900, 24  # beyond these, simpler forms
FEW_CURVES = 120  # the same for what comes into view while the camera moves
MIN_ANNOTATION = 0.7  # tokens and labels are never smaller on the screen than at this zoom


def annotation_scale(scene: Scene) -> float:
    """The factor by which tokens, labels and badges are enlarged, so that they can be read from afar."""
    return max(1.0, MIN_ANNOTATION / (scene.zoom * scene.theme.type**0.5))


def paint(painter: QPainter, scene: Scene, sprites: Sprites | None) -> None:
    paint_graph(painter, scene, sprites)
    paint_corners(painter, scene)


def paint_corners(painter: QPainter, scene: Scene) -> None:
    """What stays in the corners of the view, wherever the camera looks: the map, and what the colours say."""
    painter.setRenderHints(HINTS)
    minimap.paint(painter, scene)
    if scene.shown.by:
        legend.paint(painter, scene, Tints(scene))


def paint_graph(painter: QPainter, scene: Scene, sprites: Sprites | None, part: QRectF | None = None) -> None:
    """All but the corners; with a `part` of the view what lies there, without the words beside cards."""
    painter.setRenderHints(HINTS)
    ground.paint(painter, scene)
    if not scene.document.nodes:
        ground.paint_beginning(painter, scene)
    painter.save()
    painter.setTransform(scene.camera.transform, True)
    frames.paint(painter, scene)
    memos.paint(painter, scene)
    lit = activity(scene.frame, scene.live)
    for target, slot in scene.path:
        lit.edges |= {target: "gradient", str(scene.document.source_of(target, slot)): "gradient"}
    visible = scene.camera.visible(scene.view)
    if part is not None:
        visible = QRectF(scene.camera.to_world(part.topLeft()), scene.camera.to_world(part.bottomRight()))
    numbers = scene.geometry.cards_in(visible.adjusted(-AROUND, -AROUND, AROUND, AROUND))
    near = cards.legible(scene.geometry, numbers, scene.zoom * scene.theme.type)
    if not near.any() or len(numbers) > MAX_CARDS:
        near = np.zeros(len(numbers), dtype=bool)
        overview.paint_wires(painter, scene, scene.geometry.wires_in(visible))
        _paint_lit_wires(painter, scene, lit)
    else:
        _paint_wires(painter, scene, scene.geometry.wires_in(visible), lit, MAX_CURVES if part is None else FEW_CURVES)
    overview.paint_cards(painter, scene, numbers[~near], lit)
    _paint_cards(painter, scene, numbers[near], lit, sprites)
    if part is None:
        overview.paint_names(painter, scene, numbers[~near], lit, annotation_scale(scene), sprites)
        if scene.labelled:
            _paint_notes(painter, scene, lit)
    painter.restore()


def _paint_wires(painter: QPainter, scene: Scene, rows: np.ndarray, lit: Activity, most: int) -> None:
    if len(rows) > most:
        overview.paint_wires(painter, scene, rows, curved=len(rows) <= MAX_CURVES)
        _paint_lit_wires(painter, scene, lit)
        return
    geometry, zoom, looks = scene.geometry, scene.zoom, wires.Looks(scene, lit)
    names, visible = geometry.names, scene.camera.visible(scene.view)
    begins, ends = geometry.wires_with_end_in(rows, visible)
    curves = []
    for row, (source, target, slot), begin, end in zip(rows.tolist(), geometry.wires[rows].tolist(), begins, ends):
        wire = (names[target], slot)
        if wire != scene.decorations.lifted_wire:
            curves.append((row, looks.of(names[source], wire), begin, end))
    for row, look, begin, end in sorted(curves, key=lambda item: item[1].rank):
        if not (begin or end) and look.rank < 2:
            look = look._replace(width=0.0)  # it only passes by; a hairline is painted four times as fast
        wires.paint(painter, geometry.path(row), look, zoom, with_arrow=end)
        if row in geometry.reroutes:
            wires.paint_reroutes(painter, geometry.reroutes[row], look, scene.theme)


def _paint_lit_wires(painter: QPainter, scene: Scene, lit: Activity) -> None:
    """The wires of the step as curves, where all others are lines."""
    looks, pixel = wires.Looks(scene, lit), 1.0 / scene.zoom
    for target, slot in lit.wires:
        source = str(scene.document.nodes[target].inputs[slot])
        look = looks.of(source, (target, slot))
        path = scene.geometry.wire(source, target, slot)
        wires.paint(painter, path, look._replace(width=max(look.width, 2.5 * pixel)), scene.zoom)


def _paint_cards(painter: QPainter, scene: Scene, numbers: np.ndarray, lit: Activity, sprites: Sprites | None) -> None:
    """The cards with their ports, as kept sprites if there are any."""
    faulty = frozenset(fault.node for fault in faults_by_now(scene.frame, scene.faults))
    connecting = scene.decorations.lit_ports is not None
    with_ports = connecting or scene.zoom * scene.theme.type >= cards.PLAIN
    base, tints = painter.transform(), Tints(scene) if scene.shown.by else None
    look = (scene.theme.name, scene.theme.type, scene.enlarged)
    for name in [scene.geometry.names[number] for number in numbers.tolist()]:
        card = card_of(scene, name, lit, faulty, tints.of(name) if tints else None)
        face = partial(_paint_face, scene=scene, card=card, with_ports=with_ports)
        numbers_on = partial(cards.paint_numbers, card=card, theme=scene.theme, zoom=scene.zoom)
        if sprites is None or connecting or scene.geometry.is_resized(name):
            face(painter)
            numbers_on(painter)
            continue
        painter.resetTransform()
        key = (*look, card.face_key, ports.key(scene, name) if with_ports else ())
        layers = ((key, face), (card.numbers_key, numbers_on))
        sprites.paint(painter, layers, _reach(scene, card, with_ports), scene.camera)
        painter.setTransform(base)


def _reach(scene: Scene, card: Card, with_ports: bool) -> QRectF:
    """The area of a card with its outline, its flag and the labels of its open slots: equal for equal keys."""
    sources = card.node.inputs
    is_open = len(sources) < slot_count(card.node) or any(source not in scene.document.nodes for source in sources)
    is_open = is_open and with_ports and not card.folded
    left, right = AROUND if is_open else EDGE, AROUND if card.output else EDGE
    return card.box.adjusted(-left, -2.0 * EDGE if card.output else -EDGE, right, EDGE)


def _paint_face(painter: QPainter, scene: Scene, card: Card, with_ports: bool) -> None:
    cards.paint_face(painter, card, scene.theme, scene.zoom)
    if with_ports:
        ports.paint(painter, scene, card.node.name)


def _paint_notes(painter: QPainter, scene: Scene, lit: Activity) -> None:
    """The words beside cards and wires: local derivatives and faults.

    Faults choose their places first, so that badges stay while labels come and go with the mouse; they lie on top.
    """
    visible, scale = scene.camera.visible(scene.view), annotation_scale(scene)
    obstacles = Obstacles(scene.geometry, visible)
    if scene.document.output in scene.document.nodes:
        obstacles.block(cards.flag_area(scene.geometry.card(str(scene.document.output)), scene.theme))
    numbers = scene.geometry.cards_in(visible)
    names = [scene.geometry.names[number] for number in numbers.tolist()] if len(numbers) <= MAX_CARDS else []
    notes.paint(painter, scene, names, obstacles, scale)
    notes.paint_breakpoints(painter, scene, visible, scale)
    faults.paint_rings(painter, scene, visible)
    shown = [fault for fault in faults.shown(scene) if visible.intersects(scene.geometry.card(fault.node))]
    badges = [faults.placed(scene, fault, obstacles, scale) for fault in shown[:MAX_BADGES]]
    labels.paint(painter, scene, labels.wires_to_label(scene, lit.label), obstacles, scale)
    for paint_it in chain.from_iterable(badges):
        paint_it(painter)
