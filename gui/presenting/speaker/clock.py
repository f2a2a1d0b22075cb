"""The clock of a lecture: the time of day, and the time since the lecture began. It reads a clock that is handed in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Now = Callable[[], datetime]
NOTHING = timedelta()


def system_now() -> datetime:
    return datetime.now(UTC)


class LectureClock:
    """Stands at 0 until it is started; what passes while it is paused does not count."""

    def __init__(self, now: Now = system_now) -> None:
        self._now = now
        self._before = NOTHING  # what had passed when it was paused last
        self._since: datetime | None = None  # when it began to run; None: it stands

    @property
    def runs(self) -> bool:
        return self._since is not None

    @property
    def elapsed(self) -> timedelta:
        """The time since the start, without the pauses; a system clock that is put back takes nothing away."""
        running = NOTHING if self._since is None else self._now() - self._since
        return self._before + max(running, NOTHING)

    def start(self) -> None:
        """Run on; one that runs already is left alone."""
        if self._since is None:
            self._since = self._now()

    def pause(self) -> None:
        self._before, self._since = self.elapsed, None

    def toggle(self) -> None:
        """Pause, or run on."""
        if self.runs:
            self.pause()
        else:
            self.start()

    def reset(self) -> None:
        """Begin again at 0; a clock that was paused stays so."""
        self._before, self._since = NOTHING, self._now() if self.runs else None

    @property
    def time_of_day(self) -> str:
        """The local time, in hours and minutes."""
        return f"{self._now().astimezone():%H:%M}"

    @property
    def elapsed_words(self) -> str:
        """The time since the start as people read it: 4:05, or 1:04:05 from an hour on."""
        minutes, seconds = divmod(int(self.elapsed.total_seconds()), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
