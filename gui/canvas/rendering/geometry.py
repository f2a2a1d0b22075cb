"""Places on the canvas, in canvas units (pixels at zoom 1): cards, ports, wires. No painting, no state."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from functools import cached_property, reduce
from operator import is_not
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath

from cadena.core.graph.blocks import BlockKey
from cadena.core.graph.columns import picked, table
from cadena.core.graph.document import Document
from cadena.core.graph.edits import slot_count
from cadena.core.graph.frames import CollapsedFrame, Folded
from cadena.core.graph.wiring import Wiring, wiring
from cadena.core.layout import arrange as layout
from cadena.core.layout import routing
from cadena.core.layout.nested import Edges
from cadena.core.layout.routing import FAR, MOST_REACH, MOST_SAG, SWING, Detour, Detours, bend
from cadena.core.ops.primitive import Shape
from cadena.gui.canvas.rendering import note_lines
from cadena.gui.canvas.rendering.overlaps import touching
from cadena.gui.canvas.rendering.wire_paths import (
    along,
    around,
    corners_of,
    curve,
    direct,
    reroutes_of,
    through,
    times_within,
    within,
)

NUMBER_CARD = layout.NUMBER_CARD  # the size that the automatic layout assumes
TITLE_HEIGHT = layout.TITLE
VALUE_SHARE = 28.0 / 58.0  # of what is below the name of a number's card
PORT_RADIUS = 5.0
MARGIN = QPointF(24.0, 28.0)  # beside, and above and below: the tab of the output's card stands there
SEED = 58.0  # room at the right of the output's card, where the seed rests
NOWHERE = (0.0, 0.0)  # the place of a card that has none
Port = tuple[str, int | None]  # a node and one of its slots; None for its output
MOST_LED = 400  # wires that are led around cards at once in a large graph


class OpenBlock(NamedTuple):
    """The frame around the cards of an open block."""

    key: BlockKey
    title: str
    edges: Edges


class Geometry:
    """The places of one document's cards and ports. `shapes` holds the shape of each node that runs.

    `folds` are the blocks and frames that are shown as one card, each by its last node, in whose name it stands there.
    """

    folds: Mapping[str, Folded] = {}
    inside: Mapping[str, tuple[str, ...]] = {}  # the leaves that stand in the card of their operation, by that
    open_blocks: tuple[OpenBlock, ...] = ()
    is_arranged = False  # by itself: cards do not stand where they do in the document
    _own_detours: Detours | None = None  # those asked for in a large picture
    _earlier_detours: tuple[Detours | None, bool] = None, False
    is_moving = False  # by itself, on the way to another picture

    def __init__(self, document: Document, shapes: Mapping[str, Shape | None], wired: Wiring | None = None) -> None:
        """`wired` is the wiring of the document, where it is known."""
        self.document = document
        self.shapes = shapes
        self.wired = wired or wiring(document.nodes)

    def for_values(self, document: Document) -> Geometry:
        """The same places for a document that differs in the values of its leaves, or in its notes, alone."""
        twin = copy(self)
        if document.extra is not self.document.extra:
            with suppress(AttributeError):  # nobody has asked
                del twin._bounds
        twin.document = document
        return twin

    def moved(self, document: Document) -> Geometry:
        """The places for a document that differs in the places of its cards alone."""
        twin = Geometry(document, self.shapes, self.wired)
        twin.corners = self._corners_in(document)
        return twin

    def _corners_in(self, document: Document) -> np.ndarray:
        """The corners in a document with the same nodes."""
        before, after = self.document.layout, document.layout
        if before is after:
            return self.corners
        is_other = map(is_not, map(before.get, self.names), map(after.get, self.names))
        numbers = np.flatnonzero(np.fromiter(is_other, bool, len(self.names)))
        corners = self.corners.copy("K")
        corners[numbers] = [after.get(self.names[number], NOWHERE) for number in numbers.tolist()] or NOWHERE
        return corners

    @staticmethod
    def after(
        before: Geometry | None, document: Document, shapes: Mapping[str, Shape | None], wired: Wiring | None = None
    ) -> Geometry:
        """The places for a document, made of those for the one `before` the edit as far as they are the same."""
        wired = wired if wired is not None and wired.nodes is document.nodes else None
        if before is None:
            return Geometry(document, shapes, wired)
        twin = Geometry(document, shapes, wired or before.wired.edited(document.nodes))
        if twin.names is before.names:
            twin.corners = before._corners_in(document)
            is_same = twin.corners is before.corners and shapes is before.shapes
            if is_same and np.array_equal(twin.wired.counts, before.wired.counts):
                twin.boxes = before.boxes
        return twin

    def card(self, name: str) -> QRectF:
        """The rectangle of a node's card."""
        left, top, right, bottom = self.boxes[self.numbers[name]].tolist()
        return QRectF(left, top, right - left, bottom - top)

    def face(self, name: str) -> QRectF:
        """The card without the leaves that stand in it."""
        return self.card(name)

    def name_area(self, name: str) -> QRectF:
        """The top of the card, with the node's name."""
        card = self.face(name)
        return QRectF(card.left(), card.top(), card.width(), TITLE_HEIGHT)

    def value_area(self, name: str) -> QRectF:
        """The upper part of the card below the name, with the value."""
        card = self.face(name)
        share = 0.5 if self.shapes.get(name) else VALUE_SHARE
        return QRectF(card.left(), card.top() + TITLE_HEIGHT, card.width(), share * (card.height() - TITLE_HEIGHT))

    def output_port(self, name: str) -> QPointF:
        """The start of a node's wires: the middle of its right edge."""
        card = self.card(name)
        return QPointF(card.right(), card.center().y())

    def input_port(self, name: str, slot: int) -> QPointF:
        """The end of the wire into `slot`; the ends are evenly spread down the left edge."""
        card = self.card(name)
        count = max(slot_count(self.document.nodes[name]), 1)
        return QPointF(card.left(), card.top() + card.height() * (slot + 1) / (count + 1))

    def ports_of(self, name: str) -> list[Port]:
        """The ports of a card: the output, then the inputs."""
        return [(name, None), *((name, slot) for slot in range(slot_count(self.document.nodes[name])))]

    def has_port(self, name: str, slot: int) -> bool:
        """Whether a slot is seen; that of a leaf in the same card is not."""
        return True

    def standing_in(self, name: str) -> tuple[str, ...]:
        """The nodes that a card stands for: the node itself, or the members of what is folded."""
        fold = self.folds.get(name)
        return fold.members if fold else (name,)

    def port_key(self, name: str) -> Hashable:
        """Equal for cards of one size and with as many slots whose ports are in the same places."""
        return ()

    def together(self, names: Collection[str]) -> frozenset[str]:
        """These nodes with those that move along: an operation and the leaves in its card."""
        return frozenset(names)

    def stands_in(self, name: str) -> str:
        """The node in whose name the card stands that shows a node."""
        return name

    def collapsed(self, name: str | None) -> CollapsedFrame | None:
        """The frame that a card stands for, if it is that of a collapsed one."""
        fold = self.folds.get(name or "")
        return fold if isinstance(fold, CollapsedFrame) else None

    def is_shown(self, name: str) -> bool:
        """Whether a card is in the picture, and not within a folded chain."""
        return True

    @property
    def shown_numbers(self) -> np.ndarray:
        """The numbers of the nodes whose cards are in the picture."""
        return np.arange(len(self.names))

    def is_resized(self, name: str) -> bool:
        """Whether a card is on its way to another size."""
        return False

    def shows_wire(self, target: str, slot: int) -> bool:
        """Whether a wire is in the picture, and not within a folded chain."""
        return True

    def shown_rows(self, rows: np.ndarray) -> np.ndarray:
        """The wires among these that are in the picture."""
        return rows

    def home(self, place: QPointF) -> QPointF:
        """The place in the document of a point of the picture, which closes up what folded chains leave free."""
        return place

    def wire(self, source: str, target: str, slot: int) -> QPainterPath:
        """The path of a wire from the output port of `source` to the port of `slot`."""
        row = self.row(target, slot)
        if row is not None and self.wires[row, 0] == self.numbers[source]:
            return self.path(row)
        return curve(self.output_port(source), self.input_port(target, slot))

    def area(self, names: Iterable[str]) -> QRectF:
        """The rectangle around these cards."""
        return reduce(QRectF.united, map(self.card, names), QRectF())

    def bounds(self, names: Iterable[str] | None = None) -> QRectF:
        """The rectangle around these cards (default all), with a margin; empty when there are none."""
        if names is None:
            return QRectF(self._bounds)
        return _around(self.boxes[[self.numbers[name] for name in names]])

    @cached_property
    def _bounds(self) -> QRectF:
        frames = np.array([one.edges for one in self.open_blocks]).reshape(-1, 4)
        cards = _around(np.vstack([self.boxes, frames]))
        if self.document.output in self.numbers:
            card = self.card(str(self.document.output))
            cards = cards.united(QRectF(card.right(), card.top(), SEED, 1.0))
        edges = [one.edges for one in self.open_blocks]
        if not self.is_moving:  # wires from one row of cards to the next, beside them
            ways = self.ways_back if self._is_large else self._detours
            source, target, _ = self.wires.T
            x = self.boxes[:, 0]
            edges += [way.area for row, way in ways.items() if x[target[row]] < x[source[row]]]
        around = _around(np.array(edges)) if edges else QRectF()
        return reduce(QRectF.united, note_lines.areas(self.document).values(), cards.united(around))

    # --- all at once, for graphs of many thousand nodes ------------------------------------------------------------

    @cached_property
    def names(self) -> list[str]:
        """The nodes in document order; elsewhere a node's number is its place here."""
        return self.wired.names

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each node."""
        return self.wired.numbers

    @cached_property
    def boxes(self) -> np.ndarray:
        """Left, top, right, bottom of each card: nodes x 4."""
        (left, top), counts = self.corners.T, self.wired.counts
        wide, high = (np.full(len(self.names), size) for size in NUMBER_CARD)
        if any(self.shapes.values()):
            for number, name in enumerate(self.names):
                if shape := self.shapes.get(name):
                    wide[number], high[number] = layout.tensor_card(shape)
        high = np.maximum(high, layout.SLOT_PITCH * (counts + 1))
        return table(left, top, left + wide, top + high)

    @cached_property
    def corners(self) -> np.ndarray:
        """Left and top of each card: nodes x 2."""
        places = self.document.layout
        corners = np.array([places.get(name, NOWHERE) for name in self.names], dtype=float).reshape(-1, 2)
        return np.asfortranarray(corners)

    @cached_property
    def wires(self) -> np.ndarray:
        """Source, target (node numbers) and slot of each wire: wires x 3."""
        return self.wired.wires

    @cached_property
    def wire_ends(self) -> np.ndarray:
        """Where each wire begins and ends, x, y, x, y: wires x 4."""
        return routing.wire_ends(self.boxes, self.wires, self.port_shares)

    @cached_property
    def port_shares(self) -> np.ndarray:
        """How far down its card each wire ends, as a part of the height."""
        _, target, slot = self.wires.T
        return routing.port_shares(target, slot, self.wired.counts)

    def _controls(self, rows: Sequence[int] | np.ndarray | slice) -> np.ndarray:
        """How far the control points of these wires lie from their ends: wires x 2. Few are asked for of a large
        graph."""
        x1, y1, x2, y2 = self.wire_ends[rows].T
        return table(*bend(x2 - x1, y2 - y1))

    def row(self, target: str, slot: int) -> int | None:
        """The row of the wire into a slot; None where none comes in."""
        return next((row for row in self.rows_into(target) if self.wires[row, 2] == slot), None)

    def rows_into(self, target: str) -> range:
        """The rows of the wires into a node, by slot."""
        number = self.numbers[target]
        first, count = (int(column[number]) for column in self.wired.entries)
        return range(first, first + count)

    def rows_out_of(self, source: str) -> list[int]:
        """The rows of the wires out of a node, by target and slot."""
        rows: list[int] = np.flatnonzero(self.wires[:, 0] == self.numbers[source]).tolist()
        return rows

    # --- ways around cards

    @cached_property
    def _between(self) -> np.ndarray:
        """The wires between the cards in the picture, by the numbers of these: see `wires`."""
        return self.wires

    @cached_property
    def _cards(self) -> np.ndarray:
        """The boxes of the cards in the picture."""
        return self.boxes

    @property
    def _drawn(self) -> np.ndarray:
        """The rows of the wires in the picture."""
        return np.arange(len(self.wires))

    @cached_property
    def _is_large(self) -> bool:
        """Whether there are so many wires and cards that a detour is found only when it is asked for."""
        return routing.is_large(self._drawn, self._cards)

    @cached_property
    def _detours(self) -> dict[int, Detour]:
        """The detours of all wires, by row, in a picture that is not large."""
        if self.is_moving or self._is_large:
            return {}
        rows = self._drawn
        ways = routing.detours(self.wire_ends[rows], self._controls(rows), self._between[rows], self._cards)
        return {int(rows[place]): detour for place, detour in ways.items()}

    def _asked_detours(self) -> Detours:
        """The detours that were asked for in a large picture, with those of the picture before as far as they hold."""
        if self._own_detours is None:
            before, in_drag = self._earlier_detours
            self._own_detours = Detours(self._cards, in_drag) if before is None else before.after(self._cards, in_drag)
        return self._own_detours

    def keep_detours_of(self, before: Geometry, in_drag: bool) -> None:
        """Take over what an earlier picture has found of detours; in a drag as far as these can still be seen."""
        if self._own_detours is None:
            self._earlier_detours = before._own_detours or before._earlier_detours[0], in_drag

    def detours(self, rows: Sequence[int] | np.ndarray) -> dict[int, Detour]:
        """The detours among these wires, by row. Of very many wires nobody can follow one, and all are direct."""
        if not self._is_large or self.is_moving:
            return {row: self._detours[row] for row in np.asarray(rows).tolist() if row in self._detours}
        rows = np.asarray(rows, dtype=np.intp)
        back = {row: self.ways_back[row] for row in rows.tolist() if row in self.ways_back} if self.ways_back else {}
        if not 0 < len(rows) <= MOST_LED:
            return back
        ways = self._asked_detours().of(self.wire_ends[rows], self._controls(rows), self._between[rows])
        return {row: detour for row, detour in zip(rows.tolist(), ways, strict=True) if detour is not None} | back

    @cached_property
    def ways_back(self) -> dict[int, Detour]:
        """The ways of wires that run back from one row of cards to the next in a large graph, by row."""
        if not self._is_large or self.is_moving:
            return {}
        rows = self._drawn
        ways = routing.ways_back(self.wire_ends[rows], self._between[rows], self._cards)
        return {int(rows[place]): detour for place, detour in ways.items()}

    @cached_property
    def reroutes(self) -> dict[int, list[QPointF]]:
        """The points that wires go through, by row."""
        points = ((self.row(*wire), places) for wire, places in reroutes_of(self.document).items())
        return {row: [QPointF(*place) for place in places] for row, places in points if row is not None}

    def path(self, row: int) -> QPainterPath:
        """The path of the wire in this row of `wires`: a curve, or around cards that are in the way."""
        x1, y1, x2, y2 = self.wire_ends[row].tolist()
        if row in self.reroutes:
            return through([QPointF(x1, y1), *self.reroutes[row], QPointF(x2, y2)])
        if detour := self.detours([row]).get(row):
            return around((x1, y1, x2, y2), detour)
        return direct(x1, y1, x2, y2, *self._controls([row])[0].tolist())

    def are_direct(self, rows: Sequence[int] | np.ndarray) -> np.ndarray:
        """For each of these wires whether it is one curve, and not led around cards or through points."""
        led = self.reroutes.keys() | self.detours(rows).keys()
        rows = np.asarray(rows, dtype=np.intp)
        return ~np.isin(rows, list(led)) if led else np.ones(len(rows), dtype=bool)

    def parts_within(self, rows: Sequence[int] | np.ndarray, area: QRectF) -> tuple[np.ndarray, np.ndarray]:
        """The parts of these wires in an area, as if all were direct: see `paths.within`."""
        return within(self._curves(rows), area)

    def curves_in(self, rows: np.ndarray, area: QRectF) -> np.ndarray:
        """Which of these wires go through an area, and not only with the rectangle around them."""
        _, _, meets = times_within(self._curves(rows), area)
        is_led = ~self.are_direct(rows)
        meets[is_led] = touching(self.wire_bounds(rows[is_led]), np.array([area.getCoords()]))
        met: np.ndarray = rows[meets]
        return met

    def _curves(self, rows: Sequence[int] | np.ndarray) -> np.ndarray:
        return routing.control_points(self.wire_ends[rows], self._controls(rows))

    def along(self, rows: Sequence[int], parts: Sequence[float]) -> np.ndarray:
        """The points of these wires at these shares of their lengths: wires x parts x 2."""
        points = along(routing.points_on(self._curves(rows)), parts)
        for place in np.flatnonzero(~self.are_direct(rows)).tolist():
            points[place] = along(corners_of(self.path(rows[place]))[None], parts)[0]
        return points

    def cards_in(self, area: QRectF) -> np.ndarray:
        """The numbers of the nodes whose cards touch `area`, in document order."""
        left, top, right, bottom = self.boxes.T
        inside = (left <= area.right()) & (right >= area.left()) & (top <= area.bottom()) & (bottom >= area.top())
        return np.flatnonzero(inside)

    def wires_with_end_in(self, rows: np.ndarray, area: QRectF) -> list[list[bool]]:
        """For each of these wires whether it begins, and whether it ends, within `area`: two lists."""
        x1, y1, x2, y2 = self.wire_ends[rows].T
        return [
            ((x >= area.left()) & (x <= area.right()) & (y >= area.top()) & (y <= area.bottom())).tolist()
            for x, y in ((x1, y1), (x2, y2))
        ]

    def wires_in(self, area: QRectF) -> np.ndarray:
        """The wires, as rows of `wires`, whose bounding rectangle touches `area`."""
        x1, y1, x2, y2 = self.wire_ends.T
        left, top, right, bottom = area.left(), area.top(), area.right(), area.bottom()
        near = (np.maximum(x1, x2) >= left - MOST_REACH) & (np.minimum(x1, x2) <= right + MOST_REACH)
        near &= (np.maximum(y1, y2) >= top - MOST_SAG) & (np.minimum(y1, y2) <= bottom)
        near[[*self.reroutes, *self._led_near(area)]] = True
        begins_in = (x1 >= left) & (x1 <= right) & (y1 >= top) & (y1 <= bottom)
        unknown = np.flatnonzero(near & ~begins_in)  # few in the picture of a whole graph
        near[unknown] = touching(self.wire_bounds(unknown), np.array([[left, top, right, bottom]]))
        return np.flatnonzero(near)

    def _led_near(self, area: QRectF) -> Collection[int]:
        """The wires on detours that may go through an area, which their ends do not show."""
        if not self._is_large:
            return self._detours
        x1, y1, x2, y2 = self.wire_ends.T
        near = (np.maximum(x1, x2) >= area.left() - SWING) & (np.minimum(x1, x2) <= area.right() + SWING)
        near &= (np.maximum(y1, y2) >= area.top() - FAR) & (np.minimum(y1, y2) <= area.bottom() + FAR)
        led = self.detours(self.shown_rows(np.flatnonzero(near)))
        edges = (area.left(), area.top(), area.right(), area.bottom())
        return [row for row, way in led.items() if _meet(way.area, edges)]

    def wire_bounds(self, rows: np.ndarray) -> np.ndarray:
        """A rectangle around each of these wires, with room for its curve: wires x 4."""
        if not len(rows):
            return np.empty((0, 4))
        x1, y1, x2, y2 = picked(self.wire_ends, rows).T
        reach, sag = bend(x2 - x1, y2 - y1)  # of few, as a rule
        aside = np.where(x2 - x1 < 2.0 * SWING, reach, 0.0)
        left, right = np.minimum(x1, x2) - aside, np.maximum(x1, x2) + aside
        bounds = table(left, np.minimum(y1, y2), right, np.maximum(y1, y2) + sag)
        led = self.detours(rows)
        for place, row in enumerate(rows.tolist()) if led or self.reroutes else ():
            if row in self.reroutes:
                bounds[place] = self.path(row).boundingRect().getCoords()
            elif row in led:
                bounds[place] = led[row].area
        return bounds


def _meet(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether two areas, left, top, right and bottom, have a part in common."""
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def _around(boxes: np.ndarray) -> QRectF:
    if not len(boxes):
        return QRectF()
    left, top, right, bottom = boxes.T  # column by column: numpy is slow along the other axis
    first, last = QPointF(left.min(), top.min()), QPointF(right.max(), bottom.max())
    return QRectF(first - MARGIN, last + MARGIN)
