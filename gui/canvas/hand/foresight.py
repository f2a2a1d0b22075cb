"""What the hand is likely to do next is made ready while the mouse rests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, QPointF, QTimer

from cadena.core.front import Run
from cadena.gui.canvas.picture.hit import HitMap, hit
from cadena.gui.canvas.picture.painting import MANY
from cadena.gui.canvas.picture.scene import Decorations, Scene
from cadena.gui.canvas.picture.view import CanvasView
from cadena.gui.graph_edits import DocumentChange
from cadena.gui.turns import first

REST = 40  # milliseconds that the mouse stays where it is
MOST = 20_000  # nodes of a graph whose undo is painted ahead: of larger ones that would hold up the hand itself

Look = Callable[[], Scene | None]  # what will be seen; None where it cannot be known


class Foresight(QObject):
    """Paints the picture of what is expected ahead, unless the mouse moves on before: what the next press or release is
    likely to do, else an undo."""

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view)
        self._view = view
        self._what: object = None
        self._look: Look | None = None
        self._rest = QTimer(self, interval=REST, singleShot=True)
        self._rest.timeout.connect(self._look_ahead)

    def expect(self, what: object, look: Look | None = None) -> None:
        """The next press or release is likely to do `what`, and to show what is seen in a `look`; None for an undo."""
        if what != self._what or self._rest.isActive():
            self._what, self._look = what, look if what is not None else None
            self._rest.start()

    def painted(self) -> None:
        """Note that another picture is shown, from which an undo would start."""
        if self._what is None and self._view.session.live:
            self._rest.start()

    @first()
    def _look_ahead(self) -> None:
        scene = self._look() if self._look else undone(self._view)
        if scene is not None:
            self._view.prepare(scene)


def undone(view: CanvasView) -> Scene | None:
    """What build mode will show after an undo. None where that is not known before, or the graph small or huge."""
    if view.holds_still or not view.session.live or not MANY <= len(view.document.nodes) <= MOST:
        return None
    run = view.session.kept_runs.run_before()
    return None if run is None else _shown(view, run)


def edited(view: CanvasView, change: DocumentChange) -> Scene | None:
    """What build mode will show of a change; its run is made ready, too. None where its steps come later."""
    run = view.session.kept_runs.foresee(change)
    return None if run is None else _shown(view, run)


def _shown(view: CanvasView, run: Run) -> Scene | None:
    """What build mode will show of a run; None where its steps come later."""
    if not view.session.method.is_built_in:
        return None
    now, nodes, timeline = view.scene, run.program.document.nodes, run.timeline
    return replace(
        now,
        document=run.program.document,
        geometry=view.places_after(run),
        frame=timeline.frame(len(timeline)),
        faults=tuple(fault for fault in run.faults if fault.severity == "fault"),
        selection=now.selection.intersection(nodes),
        hovered=now.hovered if now.hovered in nodes else None,
        live=True,
        pointed=None,
    )


def dropped(view: CanvasView, change: DocumentChange, at: QPointF) -> Scene | None:
    """The same of a change that the gesture under way ends with at a pixel."""
    scene = edited(view, change) if view.holds_still else None
    if scene is None:
        return None
    met = hit(HitMap(scene.geometry), view.camera, at)
    marks = Decorations(hovered_wire=met.wire, selected_wire=view.selected_wire)
    return replace(scene, hovered=met.node if met.kind != "wire" else None, decorations=marks)
