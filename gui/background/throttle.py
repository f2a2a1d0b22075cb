"""What follows the canvas: a frame after it, and seldom enough to leave the hand its time."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal


class _Round(QObject):
    """What follows comes in rounds: panels agree with one another, and are laid out and painted once for all."""

    begins = Signal()


class Throttle(QObject):
    """Calls `act` a frame after `request`, so that the canvas comes first, once for many requests in a row, and at most
    once in `pause` milliseconds; what takes long less often, so that it leaves the hand that drags most of the time.

    The frame begins when the canvas is painted, however long that takes: what the hand does next comes before the rest.
    What is due takes along what else would soon be: else each of several panels would hold up another step of a drag.
    """

    FRAME, PAUSE = 16, 50
    LONGEST, SHARE = 250, 0.2  # the longest pause for what takes long, and its share of the time till then
    _round = _Round()

    def __init__(self, parent: QObject, act: Callable[[], object], pause: int = PAUSE) -> None:
        super().__init__(parent)
        self._act, self._last, self._pause, self._took = act, QElapsedTimer(), pause, 0
        self._painting = QTimer(self, interval=0, singleShot=True)  # Qt paints before timers that are due at once
        self._painting.timeout.connect(self._wait)
        self._frame = QTimer(self, singleShot=True)
        self._frame.timeout.connect(self._round.begins)
        self._frame.timeout.connect(self._fire)
        self._round.begins.connect(self._join)

    @property
    def waits(self) -> bool:
        """Whether `act` was requested and is still to come."""
        return self._painting.isActive() or self._frame.isActive()

    def request(self) -> None:
        if not self.waits:
            self._painting.start()

    def cancel(self) -> None:
        """Take the request back."""
        self._painting.stop()
        self._frame.stop()

    def catch_up(self) -> None:
        """Do at once what was requested."""
        if self.waits:
            self.cancel()
            self._fire()

    def _wait(self) -> None:
        pause = max(self._pause, min(round(self._took / self.SHARE), self.LONGEST))
        since = self._last.elapsed() if self._last.isValid() else pause
        self._frame.start(max(self.FRAME, pause - since))

    def _join(self) -> None:
        if self._frame.isActive() and self._frame.remainingTime() < self.PAUSE:
            self._frame.stop()
            self._fire()

    def _fire(self) -> None:
        self._last.start()
        self._act()
        self._took = self._last.elapsed()
