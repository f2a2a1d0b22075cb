"""What the hand is likely to do next is made ready while the mouse rests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, QPointF, QTimer

from cadena.gui.canvas.picture.hit import HitMap, hit
from cadena.gui.canvas.picture.scene import Decorations, Scene
from cadena.gui.canvas.picture.view import CanvasView
from cadena.gui.graph_edits import DocumentChange
from cadena.gui.turns import first

REST = 40  # milliseconds that the mouse stays where it is

Look = Callable[[], Scene | None]  # what will be seen; None where it cannot be known


class Foresight(QObject):
    """Paints the picture of what is expected ahead, unless the mouse moves on before."""

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view)
        self._view = view
        self._what: object = None
        self._look: Look
        self._rest = QTimer(self, interval=REST, singleShot=True)
        self._rest.timeout.connect(self._look_ahead)

    def expect(self, what: object, look: Look) -> None:
        """The next press or release is likely to do `what`, and to show what is seen in a `look`; None for nothing."""
        if what is None:
            self._rest.stop()
        elif what != self._what or self._rest.isActive():
            self._look = look
            self._rest.start()
        self._what = what

    @first()
    def _look_ahead(self) -> None:
        if (scene := self._look()) is not None:
            self._view.prepare(scene)


def edited(view: CanvasView, change: DocumentChange) -> Scene | None:
    """What build mode will show of a change; its run is made ready, too. None where its steps come later."""
    run = view.session.kept_runs.foresee(change)
    if run is None or not view.session.method.is_built_in:
        return None
    timeline, places = run.timeline, view.places_after(run)
    return replace(
        view.scene,
        document=run.program.document,
        geometry=places,
        frame=timeline.frame(len(timeline)),
        faults=tuple(fault for fault in run.faults if fault.severity == "fault"),
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
