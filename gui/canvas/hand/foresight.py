"""What a release of the mouse will show is made ready while the hand rests before it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, QPointF, QTimer

from cadena.core.front import Run
from cadena.gui.canvas.picture.hit import HitMap, hit
from cadena.gui.canvas.picture.scene import Decorations, Scene
from cadena.gui.canvas.picture.view import CanvasView
from cadena.gui.graph_edits import DocumentChange
from cadena.gui.turns import first

REST = 40  # milliseconds that the mouse stays where it is


class Foresight(QObject):
    """Runs an edit that is likely to come, and paints its picture, unless the mouse moves on to another one."""

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view)
        self._view = view
        self._change: DocumentChange | None = None
        self._pointer = QPointF()
        self._rest = QTimer(self, interval=REST, singleShot=True)
        self._rest.timeout.connect(self._look_ahead)

    def expect(self, change: DocumentChange | None, pointer: QPointF) -> None:
        """A release at this pixel of the view makes this change; None for none."""
        self._pointer = pointer
        if change is not self._change or self._rest.isActive():
            self._change = change
            self._rest.start()

    @first()
    def _look_ahead(self) -> None:
        run = self._view.session.kept_runs.foresee(self._change) if self._change and self._view.holds_still else None
        if run is not None:
            self._view.prepare(self._scene_after(run))

    def _scene_after(self, run: Run) -> Scene:
        """What build mode will show when an edit has led to this run, and the mouse has stayed in its place."""
        view, timeline, places = self._view, run.timeline, self._view.places_after(run)
        met = hit(HitMap(places), view.camera, self._pointer)
        return replace(
            view.scene,
            document=run.program.document,
            geometry=places,
            frame=timeline.frame(len(timeline)),
            faults=tuple(fault for fault in run.faults if fault.severity == "fault"),
            hovered=met.node if met.kind != "wire" else None,
            live=True,
            decorations=Decorations(hovered_wire=met.wire, selected_wire=view.selected_wire),
            pointed=None,
        )
