"""Wires at reading zoom: smooth curves, with an arrow at their end in Watch; the width follows |contribution|."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from cadena.core.graph.fault import Kind
from cadena.core.methods.reverse.activity import Activity, Wire
from cadena.gui.canvas.rendering import faults
from cadena.gui.canvas.rendering.cache_keys import Same
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.look.theme import Theme

IDLE, DONE, SPREAD, ACTIVE = 1.8, 2.6, 1.5, 5.5  # widths: DONE and a part of SPREAD once a contribution has come by
WIDTHS = 0.25  # from one width to the next: finer ones are not told apart, and each change is painted
ARROW = 9.0  # the length of a head, beside the width of its wire
NECK = 0.7  # of a head's length: there its wire ends, which is broader than the tip
MOST_MEASURED = 1000  # gradients among which the largest is looked for
REROUTE = 3.5  # canvas units: the radius of a reroute point, beside the width of its wire
DIMMED = 0.25  # the strength of what is not among the chosen nodes
LIVE_STRENGTH = 0.8  # in build mode the colours of gradients are weaker
NO_PEN = QPen(Qt.PenStyle.NoPen)  # PySide is slow to hand over an enum


class WireLook(NamedTuple):
    """How one wire is painted; `rank` decides which lies above."""

    color: QColor
    width: float
    rank: int = 0
    dashed: bool = False


def width_of(contribution: np.ndarray, largest: float) -> float:
    """A width by the largest element of a contribution, as a part of the `largest` of the run."""
    own = float(np.abs(contribution).max(initial=0.0))
    share = own / largest if 0.0 < largest < math.inf else math.inf
    part = 0.0 if own == 0.0 else min(share, 1.0) if math.isfinite(own) else 1.0
    return WIDTHS * round((DONE + SPREAD * math.sqrt(part)) / WIDTHS)


@lru_cache(maxsize=1)
def largest_gradient(run: Same) -> float:
    """The largest finite element of the gradients of a run, of very many of an even choice."""
    names = run.value.plan.names
    some = names[:: -(-len(names) // MOST_MEASURED) or 1]
    sizes = [
        float(np.abs(gradient).max(initial=0.0)) for name in some if (gradient := run.value.gradient(name)) is not None
    ]
    return max(filter(math.isfinite, sizes), default=0.0)


class Looks:
    """How the wires of a scene look."""

    def __init__(self, scene: Scene, lit: Activity) -> None:
        self._scene, self._lit = scene, lit
        self._looped, self._bad = looped_wires(scene), faults.wires_concerned(scene)
        self._near, self._dims = scene.selection | {scene.hovered}, bool(scene.shown.lit)
        roles = {"value": "value_strong", "gradient": "gradient_strong"}
        self._colors = {
            role: scene.theme.color(roles.get(role, role))
            for role in ("wire", "text", "value", "gradient", "tangent", "fault")
        }
        self._ground = ground = scene.theme.color("canvas")
        calm = self._colors["gradient"]
        self._calm = blend(ground, calm, LIVE_STRENGTH) if scene.has_ports else calm
        self._hairlines = WireLook(self._colors["wire"], 0.0, 0), WireLook(self._calm, 0.0, 1)  # by what was carried
        marks = scene.decorations
        chosen = {marks.selected_wire, marks.hovered_wire, scene.remarked_wire, *scene.path}
        self._marked = {*self._looped, *self._bad, *chosen, *lit.wires}

    def of(self, source: str, wire: Wire, carried: bool = True, passes: bool = False) -> WireLook:
        """The look of the wire from `source` into `wire`, a (target, slot), that may have `carried` a gradient back.

        One that only `passes` by, without an end in view, is a hairline: it is painted four times as fast.
        """
        unmarked = wire not in self._marked and source not in self._near and wire[0] not in self._near
        if passes and unmarked:  # as most do; its contribution would say no more than its width
            look = self._hairlines[carried]
        else:
            look = self._in_full(source, wire, carried)
            if passes and look.rank < 2:
                look = look._replace(width=0.0)
        if self._dims and self._scene.shown.dims(source, wire[0]):
            return look._replace(color=blend(self._ground, look.color, DIMMED), rank=0)
        return look

    def _in_full(self, source: str, wire: Wire, carried: bool) -> WireLook:
        marks, thick = self._scene.decorations, self._scene.theme.line
        if wire in self._looped:
            return WireLook(self._colors["fault"], 2.4 * thick, 4, dashed=True)
        if wire in self._bad:
            return WireLook(self._colors[self._bad[wire]], 3.6 * thick, 4)
        if wire == marks.selected_wire or wire == marks.hovered_wire:
            return WireLook(self._colors["text"], (3.2 if wire == marks.selected_wire else 2.4) * thick, 3)
        if wire == self._scene.remarked_wire or wire in self._scene.path:
            return WireLook(self._colors["gradient"], 4.0 * thick, 4)
        role, near = self._lit.wires.get(wire), source in self._near or wire[0] in self._near
        if role:
            return WireLook(self._colors[role], ACTIVE * thick, 3)
        frame = self._scene.frame
        contribution = frame.contribution(*wire) if carried else None
        if contribution is None:
            return WireLook(self._colors["text" if near else "wire"], IDLE * thick, int(near))
        color = self._colors["gradient"] if near else self._calm
        return WireLook(color, width_of(contribution, largest_gradient(Same(frame.run))) * thick, 1)


def blend(under: QColor, over: QColor, strength: float) -> QColor:
    """`over` laid on `under` with this strength, opaque, so that crossing wires do not add up."""
    parts = ((under.redF(), over.redF()), (under.greenF(), over.greenF()), (under.blueF(), over.blueF()))
    return QColor.fromRgbF(*(low + (high - low) * strength for low, high in parts))


def paint(painter: QPainter, path: QPainterPath, look: WireLook, zoom: float, with_arrow: bool = True) -> None:
    """The curve of a wire; with an arrow, whose tip touches the card at which `path` ends, up to the arrow's neck."""
    pen = _pen(look.color.rgba(), max(look.width, 1.0 / zoom), look.dashed)
    if not with_arrow or zoom * ARROW <= 4.0:
        painter.strokePath(path, pen)
        return
    tip, length = path.currentPosition(), ARROW + look.width
    painter.strokePath(_shortened(path, NECK * length), pen)
    arrow(painter, tip, look.color, length)


def _shortened(path: QPainterPath, by: float) -> QPainterPath:
    """A path that ends so much further left; it comes in level."""
    short = QPainterPath(path)
    for place in range(max(short.elementCount() - 2, 0), short.elementCount()):
        element = short.elementAt(place)
        short.setElementPositionAt(place, element.x - by, element.y)
    return short


@lru_cache
def _pen(color: int, width: float, dashed: bool) -> QPen:
    """The pen of wires; kept, so do not change it."""
    pen = QPen(QColor.fromRgba(color), width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if dashed:
        pen.setDashPattern([3.0, 2.0])
    return pen


def paint_reroutes(painter: QPainter, points: Sequence[QPointF], look: WireLook, theme: Theme) -> None:
    """The points that a wire goes through, to be taken hold of."""
    painter.setPen(QPen(look.color, 1.4 * theme.line))
    painter.setBrush(theme.color("canvas"))
    for point in points:
        painter.drawEllipse(point, REROUTE + look.width / 2, REROUTE + look.width / 2)


def arrow(painter: QPainter, tip: QPointF, color: QColor, length: float) -> None:
    """An arrow head that points right."""
    painter.setPen(NO_PEN)
    painter.setBrush(color)
    painter.drawPolygon(_head(length).translated(tip))


@lru_cache
def _head(length: float) -> QPolygonF:
    """An arrow head with its tip at the origin; kept, so do not change it."""
    half, notch = length * 0.5, length * 0.75
    return QPolygonF([QPointF(0.0, 0.0), QPointF(-length, -half), QPointF(-notch, 0.0), QPointF(-length, half)])


def looped_wires(scene: Scene) -> frozenset[Wire]:
    """The wires that close a cycle, by the paths of the faults."""
    wires: set[Wire] = set()
    for path in (fault.path for fault in scene.faults if fault.kind is Kind.CYCLE):
        for source, target in pairwise(path):
            node = scene.document.nodes.get(target)
            wires.update((target, slot) for slot, name in enumerate(node.inputs if node else ()) if name == source)
    return frozenset(wires)
