"""Wires at reading zoom: smooth curves with an arrow at their end; the width follows |contribution|."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from gui.canvas.geometry import PORT_RADIUS, Geometry

if TYPE_CHECKING:
    from gui.canvas.activity import Activity, Wire
    from gui.canvas.scene import Scene

PLAIN, LEAST, MOST = 1.6, 1.2, 6.0  # widths in canvas units: nothing carried; carried next to nothing; very much
ARROW = 9.0
LIVE_STRENGTH = 0.6  # in build mode the colours of what has been carried stand back


@dataclass(frozen=True)
class WireLook:
    """One wire as it is painted; `rank` decides which lies above."""

    source: str
    target: str
    slot: int
    color: QColor
    width: float
    rank: int = 0
    dashed: bool = False


def width_of(contribution: np.ndarray) -> float:
    """A width by the largest element of a contribution: a step thicker for each factor of 10, within bounds."""
    largest = float(np.max(np.abs(contribution), initial=0.0))
    if largest == 0.0:
        return LEAST
    if not np.isfinite(largest):
        return MOST
    return float(np.clip(2.6 + 1.1 * np.log10(largest), LEAST + 0.4, MOST))


def looks(scene: Scene, rows: Iterable[tuple[int, int, int]], lit: Activity, looped: frozenset[Wire]) -> list[WireLook]:
    """How the wires (source, target, slot) look at the scene's moment, lowest first."""
    names = scene.geometry.names
    found = [_look(scene, names[source], names[target], slot, lit, looped) for source, target, slot in rows]
    return sorted(found, key=lambda look: look.rank)


def _look(scene: Scene, source: str, target: str, slot: int, lit: Activity, looped: frozenset[Wire]) -> WireLook:
    theme, wire = scene.theme, (target, slot)
    role = lit.wires.get(wire)
    if wire in looped:
        return WireLook(source, target, slot, theme.color("fault"), 2.4 * theme.line, 4, dashed=True)
    if wire in (scene.decorations.selected_wire, scene.decorations.hovered_wire):
        thick = 3.2 if wire == scene.decorations.selected_wire else 2.4
        return WireLook(source, target, slot, theme.color("text"), thick * theme.line, 3)
    if role == "value":
        return WireLook(source, target, slot, theme.color("value"), 2.8 * theme.line, 3)
    contribution = scene.frame.run.contribution(target, slot) if role else scene.frame.contribution(target, slot)
    near = bool({source, target} & (scene.selection | {scene.hovered}))
    if contribution is not None:
        strength = LIVE_STRENGTH if scene.live and not near else 1.0
        color = blend(theme.color("canvas"), theme.color("gradient"), strength)
        return WireLook(source, target, slot, color, width_of(contribution) * theme.line, 2 if role else 1)
    color = theme.color("text" if near else "wire")
    return WireLook(source, target, slot, color, PLAIN * theme.line, 1 if near else 0)


def blend(under: QColor, over: QColor, strength: float) -> QColor:
    """`over` laid on `under` with this strength, opaque, so that crossing wires do not add up."""
    parts = ((under.redF(), over.redF()), (under.greenF(), over.greenF()), (under.blueF(), over.blueF()))
    return QColor.fromRgbF(*(low + (high - low) * strength for low, high in parts))


def paint(painter: QPainter, geometry: Geometry, look: WireLook, zoom: float) -> None:
    """A wire with its arrow, up to the edge of its port."""
    end = geometry.input_port(look.target, look.slot)
    path = geometry.wire(look.source, look.target, look.slot)
    paint_curve(painter, path, end, look, zoom)


def paint_curve(painter: QPainter, path: QPainterPath, end: QPointF, look: WireLook, zoom: float) -> None:
    """The curve `path` into `end`, in the colour and width of `look`."""
    pen = QPen(look.color, max(look.width, 1.0 / zoom))
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if look.dashed:
        pen.setDashPattern([3.0, 2.0])
    painter.strokePath(path, pen)
    if zoom * ARROW > 3.0:
        arrow(painter, end - QPointF(PORT_RADIUS - 1.0, 0.0), look.color, ARROW + look.width)


def arrow(painter: QPainter, tip: QPointF, color: QColor, length: float) -> None:
    """An arrow head that points right."""
    back, half = tip.x() - length, length * 0.5
    head = [tip, QPointF(back, tip.y() - half), QPointF(back + length * 0.2, tip.y()), QPointF(back, tip.y() + half)]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawPolygon(QPolygonF(head))


def looped_wires(scene: Scene) -> frozenset[Wire]:
    """The wires that close a cycle, by the paths of the faults."""
    found: set[Wire] = set()
    for path in (fault.path for fault in scene.faults if fault.kind == "cycle"):
        for source, target in pairwise(path):
            node = scene.document.nodes.get(target)
            found.update((target, slot) for slot, name in enumerate(node.inputs if node else ()) if name == source)
    return frozenset(found)


def near_wires(scene: Scene) -> list[Wire]:
    """The wires of the hovered and the selected nodes, which show their labels in build mode."""
    names = [*([scene.hovered] if scene.hovered in scene.document.nodes else []), *sorted(scene.selection)]
    found: dict[Wire, None] = {}
    for name in map(str, names):
        found.update({(name, slot): None for slot in range(len(scene.document.nodes[name].inputs))})
        found.update(dict.fromkeys(scene.document.consumers[name]))
    return list(found)
