"""Where playing pauses: at a breakpoint, a question or a text of the story."""

from __future__ import annotations

import math
from typing import Protocol

from cadena.core.methods.reverse.timeline import Timeline
from cadena.gui.predicting import Predicting
from cadena.gui.telling import Telling


class Paused(Protocol):
    """The session, as far as it is played."""

    breakpoints: frozenset[str]
    predicting: Predicting
    telling: Telling

    @property
    def timeline(self) -> Timeline: ...


def next_pause(played: Paused, begin: float, end: float) -> float | None:
    """The first moment to pause at after `begin`, up to `end`."""
    timeline, of_story = played.timeline, played.telling.next_pause(begin, end)
    end = end if of_story is None else of_story
    for step in range(math.floor(begin), min(math.floor(end) + 1, len(timeline))):
        at = timeline[step] if played.breakpoints and begin < step else None
        if at is not None and (at.operand or at.node) in played.breakpoints:
            return float(step)
        moment = played.predicting.next_moment(step, begin)
        if moment is not None and moment <= end:
            return moment
    return of_story
