"""The scene: everything that the picture depends on, as one frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Fault
from cadena.core.methods.reverse.timeline import Frame
from cadena.core.run.accumulation import Accumulated
from cadena.core.teaching.hiding import NOTHING_HIDDEN, Hidden
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.geometry import Geometry, Port
from cadena.gui.look.theme import Theme
from cadena.gui.session.highlighting import ALL_SHOWN, Shown


@dataclass(frozen=True)
class Decorations:
    """Additions of the active gesture to the picture; all places in canvas units."""

    lit_ports: frozenset[Port] | None = None  # while connecting: the ports that fit; None when nothing is connected
    snap: Port | None = None  # the port that would be taken if the button were released now
    loose_wire: tuple[QPointF, QPointF, bool] | None = None  # from the output side to the input side; accepted here?
    lifted_wire: tuple[str, int] | None = None  # (target, slot) of the wire that is being moved: not painted
    rubber_band: QRectF | None = None
    ghost: tuple[str, QPointF] | None = None  # operation being dropped and the top left corner of its card
    guides: tuple[QLineF, ...] = ()  # lines along which a moved card is aligned
    split_wire: tuple[tuple[str, int], bool] | None = None  # that takes the dropped card; does it fit?
    cut: tuple[QPointF, ...] = ()  # the line that cuts wires, and below the wires that it crosses, each (target, slot)
    crossed: tuple[tuple[str, int], ...] = ()
    hovered_wire: tuple[str, int] | None = None  # (target, slot)
    selected_wire: tuple[str, int] | None = None
    point: QPointF | None = None  # the reroute point that keys move

    @property
    def still(self) -> Decorations:
        """The decorations in the picture itself: the others are painted above it."""
        return replace(
            self, loose_wire=None, rubber_band=None, ghost=None, guides=(), split_wire=None, cut=(), crossed=()
        )


@dataclass(frozen=True)
class Scene:
    """Everything that the picture depends on. `view` is its size in pixels; `live` is build mode."""

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
    remarks: tuple[tuple[str, str], ...] = ()  # remarks of an open comparison at nodes: (node, text)
    remarked_wire: tuple[str, int] | None = None  # (target, slot) of the wire that it has reached
    breakpoints: frozenset[str] = frozenset()  # nodes before whose steps playing pauses
    path: tuple[tuple[str, int], ...] = ()  # the wires of a path that is lit, each (target, slot)
    elements: Mapping[tuple[str, str], np.ndarray] = field(default_factory=dict)  # marked (flat), by node and role
    pointed: Fault | None = None  # the fault or hint that the list of problems points to
    hidden: Hidden = NOTHING_HIDDEN  # numbers and names with a mark in their places
    labelled: bool = True  # whether labels and badges stand beside cards and wires
    shown: Shown = ALL_SHOWN  # colours, lit nodes and the map, as chosen
    covered: QRectF | None = None  # the part of the view that a control lies over, in pixels
    editable: bool = True  # whether there are marks to press, such as those that collapse frames
    enlarged: float = 1.0  # pixels for each pixel of a usual screen: on a stage everything is that much larger

    @property
    def has_ports(self) -> bool:
        """Whether wires end in ports, as where they can be drawn; else in arrows."""
        return self.live and self.editable

    @property
    def zoom(self) -> float:
        """The zoom as on a usual screen, by which it is judged what can be read."""
        return self.camera.zoom / self.enlarged
