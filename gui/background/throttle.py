"""A throttle for what follows a gesture: the canvas follows each frame, panels follow at a lower rate."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, QTimer


class Throttle(QObject):
    """Calls `act` once requests pause, and while they go on, as in a drag, at most once in `longest` milliseconds.

    So one edit is followed at once for the eye, a drag seldom enough to stay smooth, and its end always.
    """

    REST = 50  # milliseconds without a request: longer than a frame of 10,000 nodes, else a drag would pause at each
    LONGEST = 250

    def __init__(self, parent: QObject, act: Callable[[], object], longest: int = LONGEST) -> None:
        super().__init__(parent)
        self._act, self._longest, self._first = act, longest, QElapsedTimer()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(act)

    @property
    def waits(self) -> bool:
        """Whether `act` was requested and is still to come."""
        return self._timer.isActive()

    def request(self) -> None:
        if not self.waits:
            self._first.start()
        self._timer.start(max(0, min(self.REST, self._longest - self._first.elapsed())))

    def cancel(self) -> None:
        """Take the request back."""
        self._timer.stop()

    def catch_up(self) -> None:
        """Do at once what was requested."""
        if self.waits:
            self.cancel()
            self._act()
