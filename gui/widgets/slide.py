"""A panel on its way in from its edge of the window, or out to it."""

from __future__ import annotations

from PySide6.QtCore import QEasingCurve, QPoint, QPointF, QRect, Qt, QVariantAnimation
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget


class Slide(QWidget):
    """A picture of a panel that moves over its place. The layout has its final form from the first moment: laid out
    for each picture, a large graph would not be drawn in time."""

    milliseconds = 160

    def __init__(self, whole: QWidget, panel: QWidget, room: QRect, way: QPointF, comes: bool) -> None:
        """`room` is the panel's place in `whole`, from where `way` leads out to the edge. One that `comes` is not yet
        shown, one that goes still is."""
        super().__init__(whole)
        self._whole, self._panel, self._way, self._comes = whole, panel, way, comes
        self._under = whole.grab(room) if comes else QPixmap()
        self._picture = QPixmap() if comes else panel.grab()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setGeometry(room)
        self.show()
        self.raise_()
        outside = (1.0, 0.0) if comes else (0.0, 1.0)
        self._motion = QVariantAnimation(self, duration=self.milliseconds, startValue=outside[0], endValue=outside[1])
        self._motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._motion.valueChanged.connect(self._move)
        self._motion.finished.connect(self.deleteLater)
        self._motion.finished.connect(self.hide)
        self._motion.start()

    def _move(self) -> None:
        is_outdated = self._picture.isNull() or self._panel.size() != self.size()
        if self._comes and is_outdated and self._panel.isVisible():
            self._picture = self._panel.grab()
            self.setGeometry(QRect(self._panel.mapTo(self._whole, QPoint()), self._panel.size()))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._under)
        if not self._picture.isNull():
            painter.drawPixmap(self._way * self._motion.currentValue(), self._picture)
        painter.end()
