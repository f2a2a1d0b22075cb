"""What a session shows now and what it shows after the next step, as words and moments: pure functions of its state."""

from __future__ import annotations

import math
from dataclasses import dataclass

from cadena.core.graph.document import Document
from cadena.core.methods.reverse.step_text import before_title, step_sentence
from cadena.core.methods.reverse.timeline import Frame
from cadena.core.teaching.lessons import lesson_of, neighbour
from cadena.gui.lessons.strip import OUTCOME, whole
from cadena.gui.session.session import Session

LIVE = "All values and gradients are shown."
LAST, LAST_OF_ALL = "This is the last step.", "This is the last step of the last lesson."
NEXT_LESSON = "This is the last step. Next: lesson {number}, {title}."


@dataclass(frozen=True)
class LectureMoment:
    """A moment of the steps: what is shown at it, and the sentence of the step that led to it."""

    document: Document
    frame: Frame | None
    sentence: str
    live: bool = False


def present(session: Session) -> LectureMoment:
    """The moment that the audience sees."""
    frame = session.frame
    if session.live:
        return LectureMoment(session.document, frame, LIVE, live=True)
    begun = frame.step is not None and frame.number > 0
    sentence = _sentence(session, math.ceil(session.moment) - 1) if begun else before_title(session.timeline)
    return LectureMoment(session.document, frame, sentence)


def coming(session: Session) -> LectureMoment:
    """The moment after the next step; without a picture at the end, where the next lesson is named."""
    index = 0 if session.live else math.ceil(session.time)
    if index >= len(session.timeline):
        return LectureMoment(session.document, None, _after_the_end(session))
    return LectureMoment(session.document, session.timeline.frame(index + 1), _sentence(session, index))


def place(session: Session) -> str:
    """Where the audience is: "Step 7 of 23"."""
    count = len(session.timeline)
    return f"All {count} steps" if session.live else f"Step {math.ceil(session.moment)} of {count}"


def asked(session: Session) -> str:
    """The question of the present text with its answer, as Markdown; "" for none."""
    here, _ = session.telling.here_and_next
    return whole("", here.question, OUTCOME, "") if here is not None else ""


def next_text(session: Session) -> str:
    """The text that comes next, with its question and the answer, as Markdown; "" where the story ends."""
    _, after = session.telling.here_and_next
    return whole(after.text, after.question, OUTCOME, "\n\n") if after is not None else ""


def _sentence(session: Session, index: int) -> str:
    return step_sentence(session.timeline, index)


def _after_the_end(session: Session) -> str:
    lesson = lesson_of(session.graph)
    if lesson is None:
        return LAST
    after = neighbour(lesson, 1)
    return LAST_OF_ALL if after is None else NEXT_LESSON.format(number=after.number, title=after.title)
