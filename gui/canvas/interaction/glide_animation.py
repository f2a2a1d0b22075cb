"""Cards that are arranged anew glide to their places, so that the eye can follow them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEasingCurve, QVariantAnimation

from cadena.core.graph.document import Document
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.view import CanvasView

DURATION = 250  # milliseconds
MAX_CARDS = 500  # more cards cannot be followed, and would make a frame slow


class Glide(QVariantAnimation):
    """From the places of a document before an edit to those after it; the document itself is edited at once."""

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view)
        self._view, self.document = view, None  # type: CanvasView, Document | None
        self.setStartValue(0.0)
        self.setEndValue(1.0)
        self.setDuration(DURATION)
        self.setEasingCurve(QEasingCurve.Type.InOutCubic)
        self.valueChanged.connect(self._show)
        self.finished.connect(self._end)
        view.session.documentChanged.connect(self.stop_at_once)

    def begin(self, before: Document, camera: Camera) -> None:
        """Show the way from another document and camera to those of now; none where motion is reduced."""
        after = self._view.session.document
        moved = [name for name, at in after.layout.items() if before.layout.get(name, at) != at]
        if not moved or len(moved) > MAX_CARDS or self._view.session.reduce_motion or not self._view.isVisible():
            return
        self._before, self._after, self._moved = before, after, moved
        self._cameras = camera, self._view.camera
        self._show(0.0)  # start() alone announces no value that is current already, as 0 is before the first glide
        self.start()

    def _show(self, share: float) -> None:
        start, layout = self._before.layout, dict(self._after.layout)
        for name in self._moved:
            (x1, y1), (x2, y2) = start[name], layout[name]
            layout[name] = (x1 + (x2 - x1) * share, y1 + (y2 - y1) * share)
        self.document = replace(self._after, layout=layout)
        self._look(share)

    def _look(self, share: float) -> None:
        first, last = self._cameras
        if first != last:
            parts = zip((first.x, first.y, first.zoom), (last.x, last.y, last.zoom), strict=True)
            self._view.set_camera(last if share >= 1.0 else Camera(*(a + (b - a) * share for a, b in parts)))

    def stop_at_once(self) -> None:
        """Show the document as it is, for it was edited again."""
        if self.document is not None:
            self.stop()
            self._look(1.0)
            self._end()

    def _end(self) -> None:
        self.document = None
        self._view.update()
