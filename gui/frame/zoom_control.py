"""The zoom control over the canvas's lower right corner: out, the zoom itself, in, and the whole graph."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLayout

from cadena.gui.canvas.interaction.canvas import Canvas
from cadena.gui.canvas.rendering import minimap
from cadena.gui.look import theme as look
from cadena.gui.widgets.elevation import RAISED, Shadow
from cadena.gui.widgets.quiet_button import quiet_button


class ZoomControl(QFrame):
    """Stands left of the minimap while there is one; a click on the zoom itself shows 100 %."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.setProperty("floating", True)
        Shadow(self, RAISED)
        self.setAccessibleName("Zoom")
        go, row = canvas.commands.navigation, QHBoxLayout(self)
        row.setContentsMargins(2, 2, 2, 2)
        row.setSpacing(0)
        row.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)  # in any size of type
        parts = (
            ("−", "Zoom out", " (Ctrl+−)", canvas.zoom_out),
            ("", "Zoom to 100 %", "", go.to_100),
            ("+", "Zoom in", " (Ctrl++)", canvas.zoom_in),
            ("Fit", "Zoom to fit", " (F)", go.to_all),
        )
        for text, name, keys, act in parts:
            button = quiet_button(text, name, name + keys, Qt.FocusPolicy.NoFocus)  # the keys have their own
            button.clicked.connect(act)
            row.addWidget(button)
            if not text:
                self.zoom = button
        canvas.installEventFilter(self)
        canvas.cameraChanged.connect(self._follow)
        canvas.session.documentChanged.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        percent = f"{100.0 * self._canvas.camera.zoom:.0f} %"
        if percent != self.zoom.text():
            # As wide as its widest text, so that the buttons stay under the mouse.
            self.zoom.setMinimumWidth(self.zoom.fontMetrics().horizontalAdvance("400 %") + 2 * look.GAP)
            self.zoom.setText(percent)
        self._place()

    def _place(self) -> None:
        map_ = minimap.area(self._canvas.scene)
        right = self._canvas.width() - 2 * look.GAP if map_ is None else map_.left() - look.GAP
        self.move(round(right) - self.width(), self._canvas.height() - self.height() - 2 * look.GAP)
        if self.isVisible():
            self._canvas.cover(QRectF(self.geometry()))

    def showEvent(self, event: QShowEvent) -> None:
        self._place()

    def hideEvent(self, event: QHideEvent) -> None:
        self._canvas.cover(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._place()
        return False
