"""The wires and cards in view, with as much detail as there is room for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPainterPath

from cadena.core.graph.columns import picked, table
from cadena.core.graph.edits import slot_count
from cadena.core.methods.reverse.activity import Activity, Wire, activity
from cadena.gui.canvas.rendering import cards, faults, leaf_rows, overview, ports, wires
from cadena.gui.canvas.rendering.card import Card, card_of
from cadena.gui.canvas.rendering.label_placement import wires_to_label
from cadena.gui.canvas.rendering.overlaps import boxes_of, touching
from cadena.gui.canvas.rendering.scales import Tints
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.canvas.rendering.sprites import Sprites
from cadena.gui.canvas.rendering.wire_paths import cubic
from cadena.gui.canvas.rendering.wires import ARROW, WireLook

AROUND = 150.0  # canvas units that a card's label or badge may reach beyond it
EDGE = 14.0  # the reach of its ports and its outline
MAX_CARDS, MAX_CURVES = 600, 900  # beyond these, simpler forms
FEW_CURVES = 120  # the same as MAX_CURVES while the camera moves


class DrawnWire(NamedTuple):
    """A wire that is drawn as a curve with a look of its own, and whether its arrow is seen."""

    row: int
    look: WireLook
    with_arrow: bool


class Contents:
    """The wires and cards of a scene, or of the `parts` of its view that a moving camera has brought into it.

    Level of detail: cards that cannot be read are coloured boxes, very many wires thin straight lines. Of `parts` more
    wires are straight: they are painted again as soon as the camera rests.
    """

    def __init__(self, scene: Scene, parts: Sequence[QRectF] = ()) -> None:
        self.scene, self.parts, self.geometry, self.lit = scene, parts, scene.geometry, lit_by(scene)
        visible = scene.camera.visible(scene.view)
        numbers = self.geometry.cards_in(visible.adjusted(-AROUND, -AROUND, AROUND, AROUND))
        self.rows = self.geometry.wires_in(visible)
        if parts:
            to_canvas, _ = scene.camera.transform.inverted()
            areas = boxes_of(map(to_canvas.mapRect, parts))
            around = areas + AROUND * np.array([-1.0, -1.0, 1.0, 1.0])
            numbers = numbers[touching(picked(self.geometry.boxes, numbers), around)]
            self.rows = self.rows[touching(self.geometry.wire_bounds(self.rows), areas)]
        near = np.zeros(len(numbers), dtype=bool)
        if len(numbers) <= MAX_CARDS:
            near = cards.legible(self.geometry, numbers, scene.zoom * scene.theme.type)
        self.near, self.far = numbers[near], numbers[~near]
        reach = ARROW + 2.0 / scene.zoom
        self._around = visible.adjusted(-reach, -reach, reach, reach)  # in which a wire may be seen
        if near.any():
            self.rows = self.geometry.curves_in(self.rows, self._around)
        self.in_full = bool(near.any()) and len(self.rows) <= (FEW_CURVES if parts else MAX_CURVES)

    @cached_property
    def states(self) -> np.ndarray:
        """What is seen of each card from afar, and whether it is dimmed: cards x 2."""
        if not len(self.far):
            return np.empty((0, 2), dtype=int)
        states = overview.states(self.scene)[self.far]
        return table(states, overview.dimmed(self.scene, self.far))

    @cached_property
    def outlines(self) -> dict[str, np.ndarray]:
        """The numbers of the cards that are seen from afar with an outline, by its role."""
        hovered, numbers = self.scene.hovered, self.geometry.numbers
        chosen = dict.fromkeys(self.scene.selection, "text") | ({hovered: "text"} if hovered else {}) | self.lit.edges
        is_far = np.zeros(len(numbers), dtype=bool)
        is_far[self.far] = True
        by_role: dict[str, list[int]] = {}
        for name, role in chosen.items():
            if name in numbers:
                by_role.setdefault(role, []).append(numbers[name])
        known = ((role, np.array(some, dtype=np.intp)) for role, some in by_role.items())
        return {role: far for role, some in known if len(far := some[is_far[some]])}

    @cached_property
    def drawn(self) -> list[DrawnWire]:
        """The wires with looks of their own, those that lie above others last."""
        scene, geometry, looks = self.scene, self.geometry, wires.Looks(self.scene, self.lit)
        if not self.in_full:
            known = {(target, slot): geometry.row(target, slot) for target, slot in self.lit.wires}
            return [self._lit(wire, row, looks) for wire, row in known.items() if row is not None]
        names, rows = geometry.names, self.rows
        back = overview.carried(scene.frame, geometry, rows).tolist()
        begins_in, ends_in = geometry.wires_with_end_in(rows, scene.camera.visible(scene.view))
        curves = list[DrawnWire]()
        columns = zip(rows.tolist(), geometry.wires[rows].tolist(), begins_in, ends_in, back, strict=True)
        for row, (source, target, slot), begins, is_seen, carried in columns:
            wire = names[target], slot
            if wire != scene.decorations.lifted_wire:
                look = looks.of(names[source], wire, carried, passes=not (begins or is_seen))
                curves.append(DrawnWire(row, look, is_seen and not scene.has_ports))
        return sorted(curves, key=lambda one: (one.look.rank, one.look.width, one.row))

    def _lit(self, wire: Wire, row: int, looks: wires.Looks) -> DrawnWire:
        look = looks.of(str(self.scene.document.nodes[wire[0]].inputs[wire[1]]), wire)
        look = look._replace(width=max(look.width, 2.5 / self.scene.zoom))
        return DrawnWire(row, look, not self.scene.has_ports)

    @cached_property
    def labelled(self) -> list[Wire]:
        """The wires that have a label."""
        return wires_to_label(self.scene, self.lit.label)

    def paint(self, painter: QPainter, sprites: Sprites | None) -> None:
        scene = self.scene
        if not self.in_full:
            overview.paint_wires(painter, scene, self.rows, overview.carried(scene.frame, self.geometry, self.rows))
        self._paint_curves(painter)
        overview.paint_cards(painter, scene, self.far, self.states, self.outlines)
        self._paint_cards(painter, sprites)

    def _paint_curves(self, painter: QPainter) -> None:
        """Paint wires with looks of their own."""
        geometry, zoom, theme, drawn = self.geometry, self.scene.zoom, self.scene.theme, self.drawn
        for one, path in zip(drawn, self._paths(drawn), strict=True):
            if path is not None:
                wires.paint(painter, path, one.look, zoom, with_arrow=one.with_arrow)
            if self.in_full and one.row in geometry.reroutes:
                wires.paint_reroutes(painter, geometry.reroutes[one.row], one.look, theme)

    def _paths(self, drawn: list[DrawnWire]) -> list[QPainterPath | None]:
        """The paths of wires with looks of their own, as far as they are in view: Qt makes but 64 lines of a thin
        curve, and of one that goes far beyond the view corners were seen. Dashes begin where a wire does."""
        paths = list[QPainterPath | None]()
        if not drawn:
            return paths
        rows = [one.row for one in drawn]
        parts, seen = self.geometry.parts_within(rows, self._around)
        are_direct = self.geometry.are_direct(rows).tolist()
        for one, part, is_seen, is_direct in zip(drawn, parts, seen, are_direct, strict=True):
            if one.look.dashed or not is_direct:
                paths.append(self.geometry.path(one.row))
            else:
                paths.append(cubic(*part.ravel().tolist()) if is_seen else None)
        return paths

    def _paint_cards(self, painter: QPainter, sprites: Sprites | None) -> None:
        """Paint the cards that can be read with their ports, as sprites if these are kept."""
        scene = self.scene
        faulty = frozenset(fault.node for fault in faults.loud(scene))
        tints = Tints(scene) if scene.shown.by else None
        with_ports = scene.decorations.lit_ports is not None or scene.zoom * scene.theme.type >= cards.PLAIN
        look, base = (scene.theme.name, scene.theme.type, scene.theme.line, scene.enlarged), painter.transform()
        for name in (self.geometry.names[number] for number in self.near.tolist()):
            card = card_of(scene, name, self.lit, faulty, tints.of(name) if tints else None)
            face = partial(_paint_face, scene=scene, card=card, with_ports=with_ports)
            numbers = partial(cards.paint_numbers, card=card, theme=scene.theme, zoom=scene.zoom)
            leaf_rows.paint(painter, scene, name)
            if sprites is None or scene.geometry.is_resized(name):
                face(painter)
                numbers(painter)
                continue
            key = (*look, card.face_key, ports.key(scene, name) if with_ports else ())
            painter.resetTransform()
            layers = (key, face), (card.numbers_key, numbers)
            sprites.paint(painter, layers, _reach(scene, card, with_ports), scene.camera)
            painter.setTransform(base)


def lit_by(scene: Scene) -> Activity:
    """What the step lights, and the path."""
    lit = activity(scene.frame, scene.live)
    for target, slot in scene.path:
        lit.edges |= {target: "gradient", str(scene.document.source_of(target, slot)): "gradient"}
    return lit


def _reach(scene: Scene, card: Card, with_ports: bool) -> QRectF:
    """The area of a card with its outline, its tab and the labels of its open slots: equal for equal keys."""
    sources = card.node.inputs
    is_open = len(sources) < slot_count(card.node) or any(source not in scene.document.nodes for source in sources)
    is_open = is_open and with_ports and not card.folded
    return card.box.adjusted(-AROUND if is_open else -EDGE, -2.5 * EDGE if card.output else -EDGE, EDGE, EDGE)


def _paint_face(painter: QPainter, scene: Scene, card: Card, with_ports: bool) -> None:
    cards.paint_face(painter, card, scene.theme, scene.zoom)
    if with_ports:
        ports.paint(painter, scene, card.node.name)
