"""The way through a lecture: from step to step, and from the end of a lesson to the next one."""

from __future__ import annotations

import math

from cadena.core.teaching.lessons import Lesson, lesson_of, neighbour
from cadena.gui.files.opening import Files
from cadena.gui.presenting.lesson_sign import Sign
from cadena.gui.session.session import Session

FORGOTTEN = " Your changes to this one are not kept."


class Way:
    """Ways on and back, with a sign between two lessons."""

    def __init__(self, session: Session, files: Files, sign: Sign) -> None:
        self._session, self._files, self._sign = session, files, sign
        self._leads = 0  # where the sign leads: 1 on, -1 back
        session.timeChanged.connect(sign.hide)
        session.opened.connect(sign.hide)

    def go(self, by: int) -> None:
        """Go one text of the story or one step on or back, or to the next pause where breakpoints are set; beyond the
        last one, to the sign."""
        if self._sign.isVisible():
            self._pass_sign(by)
        elif self._session.telling.turn(by):
            pass
        elif self._is_at_end(by):
            self._put_up_sign(by)
        elif self._session.breakpoints:
            self._go_to_pause(by)
        else:
            self._session.playback.step(by)

    def _is_at_end(self, by: int) -> bool:
        session = self._session
        if session.live or session.working or session.playback.playing:
            return False
        return session.time >= len(session.timeline) if by > 0 else session.time <= 0.0

    def _go_to_pause(self, by: int) -> None:
        session = self._session
        if session.playback.playing:
            session.playback.pause()
        elif by > 0:
            session.playback.play()
        else:
            session.set_time(self._previous_pause())

    def _previous_pause(self) -> float:
        """The last breakpoint before the present moment; else the start."""
        session = self._session
        for step in range(math.ceil(session.time) - 1, 0, -1):
            at = session.timeline[step]
            if (at.operand or at.node) in session.breakpoints:
                return float(step)
        return 0.0

    # --- from lesson to lesson

    def _put_up_sign(self, by: int) -> None:
        lesson, other = self._lessons(by)
        if lesson is None:
            if by > 0:
                self._sign.put_up("This was the last step.", "")
        else:
            self._sign.put_up(*sign_words(lesson, other, by, self._session.modified))
        self._leads = by

    def _pass_sign(self, by: int) -> None:
        other = self._lessons(by)[1]
        self._sign.hide()
        if by == self._leads and other is not None:
            self._open(other, by)

    def _open(self, lesson: Lesson, by: int) -> None:
        """Open a lesson where one arrives at it: at its first step, or from behind at its end."""
        self._files.open_lesson(lesson.name, asks=False)
        if by < 0:
            self._session.set_time(float("inf"))

    def change_lesson(self, by: int) -> None:
        """Open the next lesson, or the one before, at its first step."""
        other = self._lessons(by)[1]
        if other is not None:
            self._files.open_lesson(other.name)

    def _lessons(self, by: int) -> tuple[Lesson | None, Lesson | None]:
        lesson = lesson_of(self._session.graph)
        return lesson, neighbour(lesson, by) if lesson else None


def sign_words(lesson: Lesson, other: Lesson | None, by: int, modified: bool) -> tuple[str, str]:
    """The sign between a lesson and the one after or before it."""
    if by > 0:
        heading, coming = f"End of lesson {lesson.number}: {lesson.title}.", "Next: lesson {}, {}."
    else:
        heading, coming = f"Start of lesson {lesson.number}: {lesson.title}.", "Before it: lesson {}, {}."
    if other is None:
        return heading, "This is the last lesson." if by > 0 else "This is the first lesson."
    return heading, coming.format(other.number, other.title) + (FORGOTTEN if modified else "")
