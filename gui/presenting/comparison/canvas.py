"""The second canvas: it shows, and is moved by wheel and mouse; nothing is edited in it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent

from cadena.gui.canvas.interaction.wheel import after_wheel
from cadena.gui.canvas.rendering.view import CanvasView
from cadena.gui.look.theme import Theme
from cadena.gui.session.session import Session


class SecondCanvas(CanvasView):
    """A view of the session; a double click shows the whole graph again."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self._held: QPointF | None = None  # where the mouse holds the picture
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys stay with the first canvas
        session.documentChanged.connect(self._fit_changed)

    def _fit_changed(self, *_: object) -> None:
        if self.shows_all:
            self.zoom_to_fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.move_camera(after_wheel(self.camera, event, self.least_zoom))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._held = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held is not None and event.buttons():
            way = event.position() - self._held
            self._held = event.position()
            self.move_camera(self.camera.panned(way.x(), way.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._held = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.zoom_to_fit()
