"""The whole picture as one frozen value, and its painting: a pure function used by the canvas and by every export."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainter, QPixmap

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Fault
from cadena.core.methods.reverse.timeline import Frame
from cadena.core.run.accumulation import Accumulated
from cadena.gui.canvas.picture import gesture_marks, still, tokens
from cadena.gui.canvas.picture.activity import moment
from cadena.gui.canvas.picture.camera import Camera
from cadena.gui.canvas.picture.geometry import Geometry, Same
from cadena.gui.canvas.picture.sprites import Sprites
from cadena.gui.theme import Theme

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
    accumulated: Accumulated | None = None  # the gradients that leaves hold after several backward passes
    decorations: Decorations = field(default_factory=Decorations)
    remarks: tuple[tuple[str, str], ...] = ()  # what is said at nodes by a comparison that is open: (node, text)
    remarked_wire: tuple[str, int] | None = None  # (target, slot) of the wire that it has come to
    pointed: Fault | None = None  # the fault or hint that the list of problems points to


class Layers:
    """What need not be painted anew while only tokens move; keep one per widget and hand it to `paint`."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._still: QPixmap | None = None
        self._sprites = Sprites()

    def forget(self) -> None:
        """Paint everything anew the next time."""
        self._still, self._sprites = None, Sprites()

    def still(self, scene: Scene, ratio: float) -> QPixmap:
        """Everything but what moves, for a screen with `ratio` device pixels per pixel."""
        key = _still_key(scene, ratio)
        if self._still is None or key != self._key:
            self._key, self._still = key, QPixmap((scene.view * ratio).toSize())
            self._still.setDevicePixelRatio(ratio)
            painter = QPainter(self._still)
            still.paint(painter, scene, self._sprites)
            painter.end()
        return self._still


def _still_key(scene: Scene, ratio: float) -> tuple[object, ...]:
    """Equal for scenes that differ only in what moves. Large things count as equal when they are the same object."""
    same = (
        Same(scene.document),
        Same(scene.geometry),
        Same(scene.frame.timeline),
        Same(scene.faults),
        Same(scene.accumulated),
    )
    marks = replace(scene.decorations, loose_wire=None, rubber_band=None, ghost=None, guides=())
    seen = (scene.theme, scene.camera, scene.view.width(), scene.view.height(), scene.live, ratio)
    return (
        *same,
        *seen,
        scene.selection,
        scene.hovered,
        marks,
        scene.pointed,
        scene.remarks,
        scene.remarked_wire,
        moment(scene.frame, scene.live),
    )


def paint(painter: QPainter, scene: Scene, layers: Layers | None = None) -> None:
    """Paint the scene, in pixels of the view. With `layers`, what has not changed since the last call is reused."""
    if scene.view.isEmpty():
        return
    painter.setRenderHints(still.HINTS)
    if layers is None:
        still.paint(painter, scene, None)
    else:
        painter.drawPixmap(QPointF(0.0, 0.0), layers.still(scene, painter.device().devicePixelRatioF()))
    painter.save()
    painter.setTransform(scene.camera.transform, True)
    tokens.paint(painter, scene, still.annotation_scale(scene))
    gesture_marks.paint(painter, scene)
    painter.restore()
