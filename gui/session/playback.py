"""Playing the steps: motion through the time of a session, to the end or to a requested step."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal

from cadena.gui.session.shown_document import ShownDocument

STEP_SECONDS = 0.6  # duration of a step at speed 1
SWEEP_SECONDS = 2.0
LOOP_REST = 2.0  # steps for which the end is shown before a loop starts again
TICK_MILLISECONDS = 16
SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)


class Playback(QObject):
    """Whether, how fast and how far the steps are played."""

    changed = Signal()  # playing, loop, speed, section
    leaving = Signal(float)  # the present moment, by a motion that is about to begin, towards this one

    def __init__(self, played: ShownDocument, next_pause: Callable[[float, float], float | None]) -> None:
        """`next_pause(begin, end)` is the first moment to pause at after `begin`, up to `end`."""
        super().__init__(played)
        self._played, self._next_pause = played, next_pause
        self.playing, self.loop, self.speed = False, False, 1.0
        self._rate: float | None = None  # steps a second of a sweep
        self._swept: float | None = None  # the moment at which the last one ended
        self._clock = QTimer(self, interval=TICK_MILLISECONDS)
        self._clock.timeout.connect(self._tick)
        self._last_tick = self._rested = 0.0
        self._stop_at: float | None = None  # where the motion under way ends; None: play to the end
        played.interrupted.connect(self.pause)
        played.opened.connect(self._begin_anew)

    def _begin_anew(self) -> None:
        self._swept = None
        self.changed.emit()

    @property
    def section(self) -> tuple[int, int] | None:
        """The steps that a loop plays, by the steps done at its begin and end; None: all of them."""
        return self._played.state.section

    @property
    def plays_on(self) -> bool:
        """Whether the steps are played to the end, unless someone pauses them."""
        return self.playing and self._stop_at is None

    def play(self) -> None:
        """Play on from here; from the end, or from build mode, start again."""
        begin, end = self._played_part
        if self._played.live or self._played.time >= end:
            self._played.set_time(begin)
        self._start(None)

    @property
    def _played_part(self) -> tuple[float, float]:
        """The moments between which the steps are played: a loop keeps to its section."""
        end = float(len(self._played.timeline))
        if self.section is None or not self.loop:
            return 0.0, end
        begin, last = self.section
        return min(float(begin), end), min(float(last), end)

    @property
    def sweeps(self) -> bool:
        """Whether the reverse pass is played as a sweep."""
        return self._rate is not None

    @property
    def shows_sweep(self) -> bool:
        """Whether the picture is that of a sweep, under way or at its end: no step opens blocks."""
        return self.sweeps or (self._swept == self._played.time and not self._played.live)

    def sweep(self) -> None:
        """Play the reverse pass as a whole in SWEEP_SECONDS, without stops."""
        timeline = self._played.timeline
        begin = timeline.forward_length if timeline.forward_length < len(timeline) else 0
        self._played.set_time(float(begin))
        self._start(None)
        self._rate = max(len(timeline) - begin, 1) / SWEEP_SECONDS

    def pause(self) -> None:
        self._clock.stop()
        if self.sweeps:
            self._rate, self._swept = None, self._played.time
        if self.playing:
            self.playing = False
            self.changed.emit()

    def toggle(self) -> None:
        """Pause while playing, else play on, like the Play button."""
        if self.plays_on:
            self.pause()
        else:
            self.play()

    def step(self, steps: int = 1) -> None:
        """Move on to the next whole step, or back to the one before, with motion unless it is reduced.

        A step that is still under way is brought to its end first, so that quick presses count.
        """
        played = self._played
        if played.live:
            played.set_time(0.0)
        elif self._stop_at is not None and self.playing:
            played.set_time(self._stop_at)
        self.pause()
        self.go_to((math.floor(played.time) if steps > 0 else math.ceil(played.time)) + steps)

    def go_to(self, step: int) -> None:
        """Move to the moment at which `step` steps are done, with motion unless it is reduced."""
        played = self._played
        goal = min(max(float(step), 0.0), float(len(played.timeline)))
        if played.reduce_motion:
            self._stop_at = goal
            self.show(goal if (pause := self._next_pause(played.time, goal)) is None else pause)
        elif goal != played.time:
            self._start(goal)

    def show(self, moment: float) -> None:
        """Show a moment that the steps lead to at once."""
        self.leaving.emit(moment)
        self._played.set_time(moment)

    def resume(self) -> None:
        """Go on with the motion that was paused: to the step that was asked for, or to the end."""
        if self._stop_at is None:
            self.play()
        else:
            self.go_to(int(self._stop_at))

    def _start(self, stop_at: float | None) -> None:
        self.leaving.emit(self._played_part[1] if stop_at is None else stop_at)
        self._stop_at, self._last_tick, self._rate = stop_at, perf_counter(), None
        self.playing = True
        self._clock.start()
        self.changed.emit()

    def _tick(self) -> None:
        now = perf_counter()
        elapsed, self._last_tick = now - self._last_tick, now
        self.advance(elapsed)

    def advance(self, seconds: float) -> None:
        """Advance by `seconds`: towards the end, or towards the requested step."""
        played, (begin, end) = self._played, self._played_part
        plays_on = self._stop_at is None
        stop = end if self._stop_at is None else min(self._stop_at, float(len(played.timeline)))
        rate = self.speed / STEP_SECONDS if self._rate is None else self._rate
        way, travel = stop - played.time, seconds * rate
        goal = stop if travel >= abs(way) else played.time + math.copysign(travel, way)
        pause_at = None if self.sweeps else self._next_pause(played.time, goal)
        if pause_at is not None:
            played.set_time(pause_at)
            self.pause()
        elif goal != stop:
            self._rested = 0.0
            played.set_time(goal)
            if played.time != goal:  # an open question holds it up
                self.pause()
        elif self.loop and plays_on and end > begin and not self.sweeps:
            self._rested += travel - abs(way)
            played.set_time(stop if self._rested < LOOP_REST else begin)
        elif plays_on and played.working:
            played.set_time(stop)  # and on as soon as the steps are ready
        else:
            played.set_time(stop)
            self.pause()

    def set_speed(self, speed: float) -> None:
        self.speed = speed
        self.changed.emit()

    def set_loop(self, loop: bool, section: tuple[int, int] | None = None) -> None:
        """Play again and again, or once: all steps, or those of `section`."""
        self.loop = loop
        self._played.state = replace(self._played.state, section=section)
        self.changed.emit()
