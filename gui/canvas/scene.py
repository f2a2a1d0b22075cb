"""The whole picture as one frozen value, and its painting: a pure function used by the canvas and by every export."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainter

from core import Document, Fault
from core.timeline import Frame
from gui.canvas.camera import Camera
from gui.canvas.geometry import Geometry
from gui.theme import Theme

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
    """What need not be painted anew in every frame; keep one per widget and hand it to `paint`."""


def paint(painter: QPainter, scene: Scene, layers: Layers | None = None) -> None:
    """Paint the scene, in pixels of the view. With `layers`, what has not changed since the last call is reused."""
    painter.fillRect(QRectF(QPointF(0.0, 0.0), scene.view), scene.theme.color("canvas"))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setTransform(scene.camera.transform, True)
    for node in scene.document.nodes.values():
        for slot, source in enumerate(node.inputs):
            if source in scene.document.nodes:
                painter.strokePath(scene.geometry.wire(source, node.name, slot), scene.theme.color("wire"))
    for name in scene.document.nodes:
        card = scene.geometry.card(name)
        painter.fillRect(card, scene.theme.color("card"))
        painter.drawRect(card)
        painter.drawText(card.adjusted(8, 4, -8, -4), 0, name)
