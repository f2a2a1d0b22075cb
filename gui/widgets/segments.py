"""A switch of segments: buttons in a trough, of which at most one is chosen."""

from __future__ import annotations

from PySide6.QtCore import QEasingCurve, QRectF, Qt, QVariantAnimation
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QAbstractButton, QApplication, QButtonGroup, QFrame, QHBoxLayout, QPushButton

from cadena.gui.widgets.elevation import RAISED, paint_shadow

PADDING, CORNER = 3, 6.0


class Segments(QFrame):
    """A click chooses a button and leaves the keys to the canvas; Tab still reaches it.

    A plate lies below the chosen one, and slides to another, unless motion is reduced.
    """

    milliseconds = 140

    def __init__(self, *buttons: QPushButton) -> None:
        super().__init__()
        self.setProperty("trough", True)
        self._group = QButtonGroup(self)
        self._last: QAbstractButton | None = None  # that was chosen
        self._motion = QVariantAnimation(self)
        self._motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._motion.valueChanged.connect(lambda _: self.update())
        self._group.buttonToggled.connect(self._slide)
        row = QHBoxLayout(self)
        row.setContentsMargins(PADDING, PADDING, PADDING, PADDING)
        row.setSpacing(2)
        for button in buttons:
            button.setProperty("segment", True)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self._group.addButton(button)
            row.addWidget(button, 1)

    def choose(self, chosen: QPushButton | None) -> None:
        """Show this button as the chosen one, or none."""
        self._group.setExclusive(False)
        for button in self._group.buttons():
            button.setChecked(button is chosen)
        self._group.setExclusive(True)

    def _slide(self, button: QAbstractButton, is_chosen: bool) -> None:
        """Let the plate slide from the segment that was chosen last."""
        if is_chosen:
            before, self._last = self._last, button
            may_move = self.isVisible() and QApplication.isEffectEnabled(Qt.UIEffect.UI_General)
            if before is not None and before is not button and may_move and self.milliseconds:
                self._motion.stop()
                self._motion.setDuration(self.milliseconds)
                self._motion.setStartValue(QRectF(before.geometry()))
                self._motion.setEndValue(QRectF(button.geometry()))
                self._motion.start()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if (chosen := self._group.checkedButton()) is None:
            return
        moves = self._motion.state() is QVariantAnimation.State.Running
        plate = self._motion.currentValue() if moves else QRectF(chosen.geometry())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_shadow(painter, plate, CORNER, self.palette(), RAISED)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.palette().color(QPalette.ColorRole.Midlight))
        painter.drawRoundedRect(plate, CORNER, CORNER)
        painter.end()
