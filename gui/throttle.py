"""What follows the canvas: a frame after it, and seldom enough to leave the hand its time."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, QTimer


class Throttle(QTimer):
    """Calls `act` a frame after `request`, so that the canvas comes first, once for many requests in a row, and at most
    once in `pause` milliseconds; what takes long less often, so that it leaves the hand that drags most of the time."""

    FRAME, PAUSE = 16, 50
    LONGEST, SHARE = 250, 0.2  # the longest pause for what takes long, and its share of the time till then

    def __init__(self, parent: QObject, act: Callable[[], None], pause: int = PAUSE) -> None:
        super().__init__(parent, singleShot=True)
        self._act, self._last, self._pause, self._took = act, QElapsedTimer(), pause, 0
        self.timeout.connect(self._fire)

    def request(self) -> None:
        if not self.isActive():
            pause = max(self._pause, min(round(self._took / self.SHARE), self.LONGEST))
            since = self._last.elapsed() if self._last.isValid() else pause
            self.start(max(self.FRAME, pause - since))

    def _fire(self) -> None:
        self._last.start()
        self._act()
        self._took = self._last.elapsed()
