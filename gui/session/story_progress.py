"""Progress through a lesson's story: the current text, its question and the answers. It follows the time, and holds it
at an open question: nothing on the screen shows the answer before it is given, shown or passed over."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from cadena.core.methods.reverse.timeline import Timeline
from cadena.gui.session.playback import Playback
from cadena.gui.session.shown_document import ShownDocument

if TYPE_CHECKING:  # what stories need is imported when one is shown
    from cadena.core.teaching.moments import StoryTime
    from cadena.core.teaching.story import Story, StoryQuestion, StoryStep

PLAYED = 6  # steps: a longer way to the next text is jumped over, but for its last step
NOT_YET, OTHER_SIGN = "Not yet: try again.", "Nearly: only the sign is wrong."
WAITS = "A question is open here: answer it, or press → for its answer"


class Telling(QObject):
    """The story of the open document, which is read when it is first asked for."""

    changed = Signal()  # the current text, its question, what was answered
    shownChanged = Signal()  # whether someone shows the story

    def __init__(self, document: ShownDocument, playback: Playback) -> None:
        super().__init__(document)
        self._shown, self._playback = document, playback
        self._source: object = None
        self._story: Story | None = None
        self._times: tuple[Timeline, tuple[StoryTime, ...]] | None = None
        self._goal: int | None = None  # the step that is on its way
        self.is_shown, self._was_live = False, document.live
        self._last_time = 0.0
        self.verdict = ""
        for signal in (document.timeChanged, document.methodChanged, document.documentChanged):
            signal.connect(self.follow)
        document.opened.connect(self._begin)
        playback.leaving.connect(self._pass_over)

    @property
    def number(self) -> int:
        """The number of the current text."""
        return self._shown.state.story.number

    @property
    def opened(self) -> frozenset[int]:
        """The texts whose answer is shown."""
        return self._shown.state.story.opened

    @property
    def answered(self) -> frozenset[int]:
        """Of these the ones that were answered right."""
        return self._shown.state.story.answered

    def _note(self, **changes: Any) -> None:
        self._shown.state = replace(self._shown.state, story=replace(self._shown.state.story, **changes))

    # --- the story and where it is

    @property
    def story(self) -> Story:
        """The story of the document; without steps where it holds none."""
        from cadena.core.teaching.story import story_of

        document = self._shown.document
        source = document.extra.get("lesson"), document.nodes.keys()
        if self._story is None or source != self._source:
            self._story, self._source, self._times = story_of(document), source, None
            self._goal = None  # of another story, which may have had more texts
            self._note(number=min(self.number, max(len(self._story.steps) - 1, 0)))
        return self._story

    @property
    def has_story(self) -> bool:
        """Whether the document has a story that can be told."""
        return self.brings_story and bool(self.story.steps)

    @property
    def brings_story(self) -> bool:
        """Whether the document brings a story, of which nothing is read for that."""
        lesson = self._shown.document.extra.get("lesson")
        return isinstance(lesson, dict) and bool(lesson.get("story"))

    @property
    def times(self) -> tuple[StoryTime, ...]:
        """The times of the story's steps in the steps of the chosen method."""
        from cadena.core.teaching.story import times

        story, timeline = self.story, self._shown.timeline
        if self._times is None or self._times[0] is not timeline:
            self._times = timeline, times(story, timeline)
        return self._times[1]

    @property
    def step(self) -> StoryStep | None:
        """The step that is shown."""
        return self.story.steps[self.number] if self.has_story else None

    @property
    def notes(self) -> str:
        """The teacher's notes on the present moment, else those on the whole document; also while no story is shown."""
        from cadena.core.teaching.story import notes_of

        here, _ = self.here_and_next
        return (here.notes if here is not None else "") or notes_of(self._shown.document)

    @property
    def here_and_next(self) -> tuple[StoryStep | None, StoryStep | None]:
        """The text of the present moment and the one after it, also while no story is shown; None for none."""
        from cadena.core.teaching.moments import held

        if not self.has_story:
            return None, None
        number, steps = self.number if self.is_shown else held(self.times, self._shown.time) or 0, self.story.steps
        return steps[number], steps[number + 1] if number + 1 < len(steps) else None

    @property
    def question(self) -> StoryQuestion | None:
        """The question of the step that is shown, at its moment. In Build all numbers are there: only one about the end
        is asked."""
        if self.step is None:
            return None
        is_asked = (self.is_open or self._is_at_end) if self._shown.live else self._is_now(self.number)
        return self.step.question if is_asked else None

    @property
    def _is_at_end(self) -> bool:
        return self.times[self.number].time == len(self._shown.timeline)

    def _is_now(self, number: int) -> bool:
        return self.times[number].time == self._shown.time

    def _waits(self, number: int) -> bool:
        """Whether a step has a question that is still to be answered."""
        return self.story.steps[number].question is not None and number not in self.opened

    def _pass_over(self, goal: float) -> None:
        """Open the answer to the present question, since the motion that begins is about to show it."""
        if self.is_shown and self.has_story and goal > self._shown.time:
            self._open(self.number)

    def _open(self, number: int) -> None:
        if self._waits(number):
            self._note(opened=self.opened | {number})
            self.verdict = ""
            self.changed.emit()

    def _begin(self) -> None:
        """Another document is open, at its first text or where it was left."""
        self._goal, self._story, self.verdict = None, None, ""
        self.follow()
        self.changed.emit()

    def set_shown(self, shown: bool) -> None:
        """Follow the time, and pause playing, while someone shows the story."""
        self.is_shown = shown
        self.follow()
        self.shownChanged.emit()

    def follow(self, *_: object) -> None:
        """Show the step that holds at the present time; time that has gone beyond its open question goes back to it."""
        if not self.is_shown or not self.has_story:
            return
        from cadena.core.teaching.moments import held

        times, shown = self.times, self._shown
        steps_back, self._last_time = self._last_time - shown.time, shown.time
        if shown.live is not self._was_live:
            self._was_live = shown.live
            self.changed.emit()
        if not shown.live and (moment := self._held_up(shown.time)) is not None:
            shown.set_time(moment)
            shown.message.emit(WAITS)
            return
        if self._goal is not None:
            if times[self._goal].time == shown.time:
                self._show(self._goal)
                self._goal = None
                return
            if self._playback.playing:
                return  # on the way to it
            self._goal = None
        number = held(times, shown.time) or 0
        if times[self.number].time != times[number].time:
            if 0.0 < steps_back <= 1.0:  # what was read last comes first
                number = max(at for at, place in enumerate(times) if place.time == times[number].time)
            self._show(number)

    def _held_up(self, time: float) -> float | None:
        """The moment of the open question that a time lies beyond."""
        from cadena.core.teaching.moments import held

        number = held(self.times, time)
        if number is None or (moment := self.times[number].time) == time:
            return None
        number = self.number if self.times[self.number].time == moment else number
        return moment if self._waits(number) else None

    def _show(self, number: int) -> None:
        if number != self.number:
            self._note(number=number)
            self.verdict = ""
            self.changed.emit()

    def go(self, by: int) -> bool:
        """Go to the next text, or to one before, and to its moment; whether there is one.

        A few steps on the way are played, of more the last one. What is under way is brought to its end first.
        """
        shown = self._shown
        here = self._goal if self._goal is not None and self._playback.playing else self.number
        goal = here + by
        if not self.has_story or not 0 <= goal < len(self.story.steps):
            return False
        begin, end = shown.time if here == self.number else self.times[here].time, self.times[goal].time
        self._goal = None
        self._playback.pause()
        if shown.live or begin >= end:
            shown.set_time(end)
            self._show(goal)
        else:
            self._open(here)  # its answer is on the way
            shown.set_time(begin if end - begin <= PLAYED else end - 1)
            self._goal = goal
            self._playback.go_to(int(end))
        return True

    def turn(self, by: int) -> bool:
        """Show what comes next, or came before, at the present moment: the answer to the open question, another text.

        Whether there is such a thing; then the steps wait.
        """
        if not self.is_shown or not self.has_story or self._shown.live or self._playback.playing:
            return False
        if not self._is_now(self.number):
            return False
        if by > 0 and self._waits(self.number):
            self._open(self.number)
            return True
        goal = self.number + by
        if not 0 <= goal < len(self.story.steps) or not self._is_now(goal):
            return False
        self._show(goal)
        return True

    def show(self, number: int) -> None:
        """Show a step of the story at its moment, at once."""
        if self.has_story and 0 <= number < len(self.story.steps):
            self._playback.pause()
            self._goal = None
            self._shown.set_time(self.times[number].time)
            self._show(number)

    def next_pause(self, begin: float, end: float) -> float | None:
        """The first moment after `begin`, up to `end`, at which the story pauses the steps."""
        if not self.is_shown or not self.has_story:
            return None
        steps = enumerate(zip(self.story.steps, self.times, strict=True))
        pauses = (time.time for number, (step, time) in steps if step.pause or self._waits(number))
        return min((time for time in pauses if begin < time <= end), default=None)

    # --- questions

    @property
    def asks(self) -> bool:
        """Whether the story is shown and its present question waits for an answer."""
        return self.is_shown and self.question is not None and not self.is_open

    @property
    def asks_for_numbers(self) -> bool:
        """Whether the story is shown and its present text, or one to come, still asks for a number."""
        if not self.is_shown or not self.has_story:
            return False
        coming = range(self.number, len(self.story.steps))
        questions = (self.story.steps[number].question for number in coming if self._waits(number))
        return any(question is not None and isinstance(question.answer, str | float) for question in questions)

    @property
    def is_open(self) -> bool:
        """Whether the answer to the present question is shown."""
        return self.number in self.opened

    def answer(self, text: str) -> bool:
        """Judge an answer to the present question; whether it is right. Raises Refused for what is no number."""
        question = self.question
        assert question is not None
        right = question.is_right(text)
        if right:
            self._note(answered=self.answered | {self.number}, opened=self.opened | {self.number})
            self.verdict = "Right."
        else:
            self.verdict = OTHER_SIGN if question.has_other_sign(text) else NOT_YET
        self.changed.emit()
        return right

    def show_answer(self) -> None:
        """Open the answer to the present question."""
        self._open(self.number)
