"""The picture of a whole graph with all its numbers, for a card."""

from __future__ import annotations

from PySide6.QtCore import QSize, QSizeF
from PySide6.QtGui import QImage, QPainter

from cadena.core.front import Run, compile
from cadena.core.graph.document import Document
from cadena.gui.canvas.rendering import painting
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.folded_positions import with_frames
from cadena.gui.canvas.rendering.geometry import Geometry
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.canvas.rendering.static_layer import HINTS
from cadena.gui.look.theme import Theme

MOST = 2_000  # nodes of a graph that is run for a small picture


def small_picture(document: Document, theme: Theme, size: QSize) -> QImage | None:
    """The graph at the end of a run of its own, without signs of faults, which have no room; None for one that is empty
    or large."""
    if not 0 < len(document.nodes) <= MOST:
        return None
    return whole_picture(document, compile(document).run(), theme, size, shows_faults=False)


def whole_picture(document: Document, run: Run, theme: Theme, size: QSize, shows_faults: bool = True) -> QImage:
    """The graph as it is at the end of a run, every node with a place."""
    geometry = with_frames(Geometry(document, run.plan.shapes_by_name))
    view = QSizeF(size)
    scene = Scene(
        document=document, geometry=geometry, frame=run.timeline.frame(len(run.timeline)),
        faults=run.faults if shows_faults else (),
        theme=theme, camera=Camera.fitted(geometry.bounds(), view), view=view, live=True,
        editable=False,
    )  # fmt: skip
    image = QImage(size, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.setRenderHints(HINTS)
    painting.paint(painter, scene)
    painter.end()
    return image
