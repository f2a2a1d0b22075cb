"""Dragging to the edge of the canvas moves it on."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPointF, QSizeF, QTimer

EDGE, MAX_SPEED, TICK = 14.0, 18.0, 16  # pixels from the edge where it begins; pixels per tick; milliseconds


def push(at: QPointF, view: QSizeF) -> QPointF:
    """The pixels that the canvas moves in one tick; the further out the pointer, the more."""
    return QPointF(_push(at.x(), view.width()), _push(at.y(), view.height()))


def _push(at: float, length: float) -> float:
    out = min(at - EDGE, 0.0) + max(at - (length - EDGE), 0.0)
    return -min(max(out * 0.5, -MAX_SPEED), MAX_SPEED)


class EdgePan(QObject):
    """Calls `pan` with the pixels of each tick while the pointer of a drag is at the edge."""

    def __init__(self, parent: QObject, pan: Callable[[QPointF], None]) -> None:
        super().__init__(parent)
        self._pan, self._way = pan, QPointF()
        self._timer = QTimer(self, interval=TICK)
        self._timer.timeout.connect(lambda: self._pan(self._way))

    def follow(self, at: QPointF, view: QSizeF) -> None:
        """The pointer of a drag is at `at`."""
        self._way = push(at, view)
        if self._way.isNull():
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    def stop(self) -> None:
        """The drag is over."""
        self._timer.stop()
