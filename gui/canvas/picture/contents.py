"""The wires and cards in view as they are to be painted: found once, for the painting and for what has changed."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from copy import copy
from functools import cached_property, partial
from itertools import compress, groupby
from operator import not_
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPainterPath, QRegion

from cadena.core.graph.columns import picked, table
from cadena.core.graph.edits import slot_count
from cadena.core.methods.reverse.activity import Activity, Wire, activity, faults_by_now
from cadena.gui.canvas.picture import cards, overview, ports, wires
from cadena.gui.canvas.picture.card import Card, card_of
from cadena.gui.canvas.picture.keys import Alike
from cadena.gui.canvas.picture.labels import wires_to_label
from cadena.gui.canvas.picture.paths import boxes_along, cubic, pieces
from cadena.gui.canvas.picture.scales import Tints
from cadena.gui.canvas.picture.scene import Scene
from cadena.gui.canvas.picture.sprites import Sprites, clip_of
from cadena.gui.canvas.picture.touching import OUTWARDS, PARTS, PIECES, along_points, boxes_of, near_lines, touching
from cadena.gui.canvas.picture.wires import ARROW, WireLook

AROUND = 150.0  # canvas units that a card's flag, label or badge may reach beyond it
EDGE = 14.0  # the reach of its ports and its outline
MAX_CARDS, MAX_CURVES = 600, 900  # beyond these, simpler forms
MANY_WIRES, FEW_PIECED = 600, 24  # wires of a graph, and those in view: more than so many are painted by pieces
FINEST, OVERLAP = 0.25, 0.25  # pixels of the screen: beside a curve, for its pieces, and beyond their ends
FEW_CURVES = 120  # the same for what comes into view while the camera moves


class DrawnWire(NamedTuple):
    """A wire that is drawn as a curve with a look of its own: from where to where, and whether its arrow is seen."""

    row: int
    ends: tuple[float, ...]
    look: WireLook
    with_arrow: bool


class DrawnCard(NamedTuple):
    """A card that can be read: what it says and, equal where it looks the same, the keys of its face and numbers."""

    card: Card
    face: Hashable
    numbers: Hashable
    area: QRectF


class Damage(NamedTuple):
    """What of a picture is painted again: all in `boxes`, in whole pixels of the view, and the pixels of thin lines.

    Of these, `gone` are ends (canvas units) of those on whose pixels others may lie now, and `come` the places in the
    rows of the contents of those that lie above all others; `strips` are boxes along both. Of the `renumbered` cards
    the numbers alone differ.
    """

    boxes: np.ndarray
    strips: np.ndarray
    gone: np.ndarray
    come: np.ndarray
    renumbered: tuple[DrawnCard, ...] = ()

    def __bool__(self) -> bool:
        return bool(len(self.boxes) or len(self.strips) or self.renumbered)


class Contents:
    """The wires and cards of a scene, or of the `parts` of its view that come into it.

    What comes into view is `rough` where it has many wires, until the camera rests: very many are straight lines, and
    `in_haste` none has smooth edges.
    """

    def __init__(
        self, scene: Scene, parts: Sequence[QRectF] = (), comes_in: bool = False, in_haste: bool = False
    ) -> None:
        self.scene, self.geometry, self.parts = scene, scene.geometry, parts
        self.lit = lit_by(scene)
        visible, areas = scene.camera.visible(scene.view), self.areas_of(boxes_of(parts))
        numbers = self.geometry.cards_in(visible.adjusted(-AROUND, -AROUND, AROUND, AROUND))
        if parts:
            numbers = numbers[touching(picked(self.geometry.boxes, numbers), areas + AROUND * OUTWARDS)]
        near = np.zeros(len(numbers), dtype=bool)
        if len(numbers) <= MAX_CARDS:
            near = cards.legible(self.geometry, numbers, scene.zoom * scene.theme.type)
        self.near, self.far = numbers[near], numbers[~near]
        reach = ARROW + 2.0 / scene.zoom
        self._around = visible.adjusted(-reach, -reach, reach, reach)  # in which a wire may be seen
        self.rows = self.geometry.wires_in(visible)
        if parts:
            self.rows = self.rows[touching(self.geometry.wire_bounds(self.rows), areas)]
        if near.any():
            self.rows, self._curves, self._times = self.geometry.curves_in(self.rows, self._around)
        has_curves = bool(near.any()) and len(self.rows) <= MAX_CURVES
        self.in_full = has_curves and not (comes_in and len(self.rows) > FEW_CURVES)
        self.rough = has_curves and (not self.in_full or (in_haste and len(self.rows) > FEW_PIECED))

    @cached_property
    def back(self) -> np.ndarray:
        """Which of the wires have carried a gradient: what is seen of those that are not drawn in full."""
        return overview.carried(self.scene.frame, self.geometry, self.rows)

    @cached_property
    def ends(self) -> tuple[np.ndarray, ...]:
        """Where the wires begin and end, x, y, x, y: columns."""
        return (*picked(self.geometry.wire_ends, self.rows).T,)

    @cached_property
    def slots(self) -> np.ndarray:
        """A number for the slot that each wire goes into, in their order."""
        _, target, slot = self.geometry.wires.T
        return np.asarray(target * (1 << 20) + slot).take(self.rows)

    @cached_property
    def line_columns(self) -> tuple[np.ndarray, ...]:
        """The source of each wire, where it begins and ends, and whether it has carried a gradient."""
        return self.geometry.wires.T[0].take(self.rows), *self.ends, self.back

    @cached_property
    def states(self) -> np.ndarray:
        """What is seen of each card from afar, and whether it is dimmed: cards x 2."""
        if not len(self.far):
            return np.empty((0, 2), dtype=int)
        states = overview.states(self.scene)[self.far]
        return table(states, overview.dimmed(self.scene, self.far))

    @cached_property
    def card_columns(self) -> tuple[np.ndarray, ...]:
        """What is seen of each card from afar, and where it lies."""
        return *self.states.T, *picked(self.geometry.boxes, self.far).T

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
    def drawn(self) -> dict[Wire, DrawnWire]:
        """The wires with looks of their own, those that lie above others last."""
        geometry = self.geometry
        if not self.in_full:
            looks = wires.Looks(self.scene, self.lit)
            known = {(target, slot): geometry.row(target, slot) for target, slot in self.lit.wires}
            lit = [(wire, row) for wire, row in known.items() if row is not None]
            return {wire: self._lit(wire, row, looks) for wire, row in lit}
        return by_rank(self.curves_at(np.arange(len(self.rows))))

    def curves_at(self, places: np.ndarray) -> dict[Wire, DrawnWire]:
        """The wires at these places of the rows, where they are drawn in full."""
        scene, geometry, rows = self.scene, self.geometry, self.rows[places]
        looks = wires.Looks(scene, self.lit)
        names, lifted = geometry.names, scene.decorations.lifted_wire
        ends, back = geometry.wire_ends[rows].tolist(), self.back[places].tolist()
        sees_begin, sees_end = geometry.wires_with_end_in(rows, scene.camera.visible(scene.view))
        curves = dict[Wire, DrawnWire]()
        columns = zip(rows.tolist(), geometry.wires[rows].tolist(), ends, sees_begin, sees_end, back, strict=True)
        for row, (source, target, slot), place, begin, end, carried in columns:
            look = looks.of(names[source], (names[target], slot), carried, passes=not (begin or end))
            curves[names[target], slot] = DrawnWire(row, tuple(place), look, end)
        if lifted is not None:
            curves.pop(lifted, None)
        return curves

    def _lit(self, wire: Wire, row: int, looks: wires.Looks) -> DrawnWire:
        look = looks.of(str(self.scene.document.nodes[wire[0]].inputs[wire[1]]), wire)
        look = look._replace(width=max(look.width, 2.5 / self.scene.zoom))
        return DrawnWire(row, tuple(self.geometry.wire_ends[row].tolist()), look, True)

    @cached_property
    def labelled(self) -> list[Wire]:
        """The wires that have a label."""
        return wires_to_label(self.scene, self.lit.label)

    @cached_property
    def shown(self) -> dict[str, DrawnCard]:
        """The cards that can be read, by name."""
        return self.cards_of(self.geometry.names[number] for number in self.near.tolist())

    def cards_of(self, names: Iterable[str]) -> dict[str, DrawnCard]:
        """These cards, which can be read."""
        scene = self.scene
        faulty = frozenset(fault.node for fault in faults_by_now(scene.frame, scene.faults))
        tints = Tints(scene) if scene.shown.by else None
        look = (scene.theme.name, scene.theme.type, scene.theme.line, scene.enlarged)
        drawn = {}
        for name in names:
            card = card_of(scene, name, self.lit, faulty, tints.of(name) if tints else None)
            face = (*look, card.face_key, ports.key(scene, name) if self.with_ports else ())
            drawn[name] = DrawnCard(card, face, card.numbers_key, _reach(scene, card, self.with_ports))
        return drawn

    def hovering(self, scene: Scene) -> Contents:
        """The contents of a scene that differs from this one in what is under the mouse alone, or its wire snaps to."""
        twin, numbers = copy(self), self.geometry.numbers
        twin.scene = scene
        for unlike in ("outlines", "shown", "drawn", "labelled"):
            vars(twin).pop(unlike, None)
        cards = [str(one.hovered) for one in (self.scene, scene) if one.hovered in numbers]
        snaps = {port[0] for one in (self.scene, scene) if (port := one.decorations.snap)}
        cards += [name for name in self.shown if not snaps.isdisjoint(self.geometry.standing_in(name))]
        twin.shown = self.shown | twin.cards_of(name for name in cards if name in self.shown)
        if self.in_full:
            hovered = [one.decorations.hovered_wire for one in (self.scene, scene)]
            known = [self.geometry.row(*wire) for wire in hovered if wire and wire[0] in numbers]
            rows = [row for row in known if row is not None]
            source, target, _ = picked(self.geometry.wires, self.rows).T
            ends = [numbers[name] for name in cards]
            near = np.isin(source, ends) | np.isin(target, ends) | np.isin(self.rows, rows)
            twin.drawn = by_rank(self.drawn | twin.curves_at(np.flatnonzero(near)))
        return twin

    @property
    def with_ports(self) -> bool:
        """Whether cards have their ports."""
        scene = self.scene
        return scene.decorations.lit_ports is not None or scene.zoom * scene.theme.type >= cards.PLAIN

    def paint(self, painter: QPainter, sprites: Sprites | None, damage: Damage | None = None) -> None:
        """Paint all, or what lies where there is damage."""
        scene, geometry = self.scene, self.geometry
        areas = None if damage is None else self.areas_of(np.vstack([damage.boxes, damage.strips]))
        if not self.in_full:
            rows = slice(None) if damage is None else self._wires_in(damage)
            overview.paint_wires(painter, scene, self.rows[rows], self.back[rows])
        self._paint_curves(painter, areas, sprites is not None)
        far = slice(None) if areas is None else touching(picked(geometry.boxes, self.far), areas)
        overview.paint_cards(painter, scene, self.far[far], self.states[far], self.outlines)
        shown = list(self.shown.values())
        if areas is not None and shown:
            near = touching(boxes_of(one.area for one in shown), areas)
            shown = [shown[place] for place in np.flatnonzero(near).tolist()]
        within = None if damage is None else clip_of(painter)
        for one in shown:
            self._paint_card(painter, one, sprites, within)

    def _paint_curves(self, painter: QPainter, areas: np.ndarray | None, quickly: bool) -> None:
        """Paint wires with looks of their own, or what of them lies in `areas`; of many, `quickly`, those that run
        straight to their ends by pieces."""
        geometry, zoom, theme = self.geometry, self.scene.zoom, self.scene.theme
        drawn = list(self.drawn.values())
        if quickly and self.in_full and len(geometry.wires) > MANY_WIRES and len(drawn) > FEW_PIECED:
            plain = [not one.look.dashed and self._is_direct(one) for one in drawn]
            self._paint_pieces(painter, list(compress(drawn, plain)), areas)
            drawn = list(compress(drawn, map(not_, plain)))
        if areas is not None and self.in_full:
            touches = touching(self.along(drawn).reshape(-1, 4), areas).reshape(-1, PIECES)
            drawn = [drawn[place] for place in np.flatnonzero(touches.any(axis=1)).tolist()]
        for one, path in zip(drawn, self._paths(drawn), strict=True):
            if path is not None:
                wires.paint(painter, path, one.look, zoom, with_arrow=one.with_arrow)
            if self.in_full and one.row in geometry.reroutes:
                wires.paint_reroutes(painter, geometry.reroutes[one.row], one.look, theme)

    def _paint_pieces(self, painter: QPainter, drawn: list[DrawnWire], areas: np.ndarray | None) -> None:
        """Paint wires as straight lines so short that they look like curves: for Qt that is half the work."""
        if not drawn:
            return
        zoom, pixel = self.scene.zoom, 1.0 / (self.scene.zoom * painter.device().devicePixelRatioF())
        lines, counts = pieces(Alike(self._curves), Alike(self._times), FINEST * pixel, OVERLAP * pixel)
        near = np.ones(len(lines), dtype=bool)
        if areas is not None:
            reach = np.full(len(lines), ARROW + max(one.look.width for one in drawn))
            near = touching(along_points(lines.reshape(-1, 2, 2), reach)[:, 0], areas)
        begins = np.cumsum(counts) - counts
        places = np.searchsorted(self.rows, [one.row for one in drawn])
        many = np.add.reduceat(near, begins, dtype=np.intp)[places]  # lines of each wire to be painted
        drawn, places, many = list(compress(drawn, many)), places[many > 0], many[many > 0]
        whole = counts[places]
        index = np.arange(whole.sum()) + np.repeat(begins[places] + whole - np.cumsum(whole), whole)
        lines, ends, begin = lines[index[near[index]]], np.cumsum(many).tolist(), 0
        for look, group in groupby(zip(drawn, ends, strict=True), lambda one: one[0].look):
            some = list(group)
            tips = [one.ends[2:] for one, _ in some if one.with_arrow]
            wires.paint_pieces(painter, lines[begin : some[-1][1]], tips, look, zoom, is_smooth=not self.rough)
            begin = some[-1][1]

    def _paths(self, drawn: list[DrawnWire]) -> list[QPainterPath | None]:
        """The paths of wires with looks of their own, as far as they are in view: Qt makes but 64 lines of a thin
        curve, and of one that goes far beyond the view corners were seen. Dashes begin where a wire does."""
        paths = list[QPainterPath | None]()
        if not drawn:
            return paths
        parts, seen = self.geometry.parts_within([one.row for one in drawn], self._around)
        for one, part, is_seen in zip(drawn, parts, seen, strict=True):
            if one.look.dashed or not self.geometry.is_direct(one.row):
                paths.append(self.geometry.path(one.row))
            else:
                paths.append(cubic(*part.ravel().tolist()) if is_seen else None)
        return paths

    def areas_of(self, boxes: np.ndarray) -> np.ndarray:
        """Boxes of the view in canvas units: boxes x 4."""
        camera = self.scene.camera
        areas: np.ndarray = boxes / camera.zoom + (camera.x, camera.y, camera.x, camera.y)
        return areas

    def _wires_in(self, damage: Damage) -> np.ndarray:
        """Which of the wires, as lines, may lie where there is damage: a mark for each."""
        inside = np.zeros(len(self.rows), dtype=bool)
        reach = (overview.line_width(self.scene.theme) + 1.0) / self.scene.zoom
        if len(damage.boxes):
            areas = self.areas_of(damage.boxes) + reach * OUTWARDS
            x1, y1, x2, y2 = self.ends
            bounds = table(np.minimum(x1, x2), np.minimum(y1, y2), np.maximum(x1, x2), np.maximum(y1, y2))
            inside = touching(bounds, areas)
        if len(damage.gone):
            inside |= near_lines(self.ends, damage.gone, reach)
        inside[damage.come] = True
        return inside

    def along(self, drawn: Sequence[DrawnWire]) -> np.ndarray:
        """Areas along what is in view of wires with looks of their own, with their arrows: wires x pieces x 4."""
        areas, direct = np.empty((len(drawn), PIECES, 4)), [self.in_full and self._is_direct(one) for one in drawn]
        for find, are_so in ((self._along_curves, direct), (self._along_paths, [not one for one in direct])):
            if any(are_so):
                areas[are_so] = find(list(compress(drawn, are_so)))
        return areas

    def _along_curves(self, drawn: Sequence[DrawnWire]) -> np.ndarray:
        places = np.searchsorted(self.rows, [one.row for one in drawn])
        reach = np.array([PIECES * [0.5 * one.look.width] for one in drawn])
        reach[:, -1] += [(ARROW + one.look.width) * one.with_arrow for one in drawn]
        boxes = boxes_along(self._curves[places], self._times[:, places], PIECES)
        return boxes + reach[..., None] * OUTWARDS

    def _along_paths(self, drawn: Sequence[DrawnWire]) -> np.ndarray:
        points = self.geometry.along([one.row for one in drawn], PARTS.tolist())
        return along_points(points, np.array([ARROW + 2.0 * one.look.width for one in drawn]))

    def _is_direct(self, drawn: DrawnWire) -> bool:
        return self.geometry.all_direct or self.geometry.is_direct(drawn.row)

    def paint_inside(self, painter: QPainter, shown: DrawnCard, sprites: Sprites | None) -> None:
        """The inside of a card alone, in pixels of the view: it covers what lies below, so that only it is painted."""
        painter.setClipRegion(cards.inside(shown.card, self.scene.camera))
        painter.setTransform(self.scene.camera.transform)
        self._paint_card(painter, shown, sprites, clip_of(painter))
        painter.resetTransform()

    def _paint_card(
        self, painter: QPainter, shown: DrawnCard, sprites: Sprites | None, within: QRegion | None = None
    ) -> None:
        """A card with its ports, as a kept sprite if there are any; `within` is the clip of the painter, if it has one,
        in pixels of the screen."""
        scene, card = self.scene, shown.card
        face = partial(_paint_face, scene=scene, card=card, with_ports=self.with_ports)
        numbers_on = partial(cards.paint_numbers, card=card, theme=scene.theme, zoom=scene.zoom)
        if sprites is None or scene.geometry.is_resized(card.node.name):
            face(painter)
            numbers_on(painter)
            return
        base = painter.transform()
        painter.resetTransform()
        sprites.paint(painter, ((shown.face, face), (shown.numbers, numbers_on)), shown.area, scene.camera, within)
        painter.setTransform(base)


def by_rank(curves: dict[Wire, DrawnWire]) -> dict[Wire, DrawnWire]:
    """Wires in the order in which they are painted."""
    return dict(sorted(curves.items(), key=lambda item: (item[1].look.rank, item[1].look.width, item[1].row)))


def lit_by(scene: Scene) -> Activity:
    """What the step lights, and the path."""
    lit = activity(scene.frame, scene.live)
    for target, slot in scene.path:
        lit.edges |= {target: "gradient", str(scene.document.source_of(target, slot)): "gradient"}
    return lit


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
