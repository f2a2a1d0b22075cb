"""The story of a lesson: where it opens, and short texts and questions, each bound to a moment of the steps.

A document keeps it under extra["lesson"], as "view" and "story". What cannot be read there is a fault, in one sentence;
the rest of the story is told without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, TypeVar, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, ValidationError
from msgspec.structs import replace

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.methods.difference import KINDS
from cadena.core.methods.names import METHODS, Method
from cadena.core.methods.reverse.timeline import Timeline
from cadena.core.teaching.moments import PHASES, Flag, Moment, NodeName, StoryTime, placed
from cadena.core.text.wording import Clause, choices

# The descriptions complete the sentence "KEY must be ...".
Text = Annotated[str, Meta(description="a text")]
Count = Annotated[int, Meta(ge=0, description="a whole number from 0")]
MOST_PASSES = 100
StepSize = Annotated[Annotated[float, Meta(gt=0.0)] | None, Meta(description="a number above 0")]


class Choices(Struct, frozen=True):
    """The answers to choose from, and the number of the right one, from 0."""

    choices: Annotated[tuple[str, ...], Meta(description="a list of texts")]
    right: Count


class StoryQuestion(Struct, frozen=True, omit_defaults=True):
    """A question; its answer is a number in words that `answers` reads, a choice, or None where it is only opened."""

    ask: Text
    answer: Annotated[
        str | float | Choices | None,
        Meta(description='a number, an expression such as "7·4", {"choices": ["...", "..."], "right": 0}, or null'),
    ] = None
    because: Text = ""

    @property
    def solution(self) -> str:
        """The right answer as it is shown; "" for an open question."""
        if isinstance(self.answer, Choices):
            return self.answer.choices[self.answer.right]
        return "" if self.answer is None else as_text(self.answer)

    def is_right(self, typed: str) -> bool:
        """Whether a typed number, or the text of a choice, is the answer. Raises Refused for what is no number."""
        from cadena.core.teaching.answers import is_right, read_answer

        if isinstance(self.answer, Choices):
            return typed == self.solution
        return is_right(read_answer(typed), read_answer(self.solution))

    def has_other_sign(self, typed: str) -> bool:
        """Whether a typed number would be right with the other sign."""
        from cadena.core.teaching.answers import is_right, read_answer

        return not isinstance(self.answer, Choices) and is_right(-read_answer(typed), read_answer(self.solution))


class OpeningSettings(Struct, frozen=True, omit_defaults=True):
    """The settings of the lesson's method: an element of a leaf, step and kind of differences, tangents in a pass, and
    how often reverse mode goes back; before pass `zero_before` it calls zero_grad.
    """

    leaf: NodeName = ""
    index: Count = 0
    step_size: StepSize = None
    kind: Annotated[str, Meta(pattern=f"^({'|'.join(KINDS)})$", description=f"one of {', '.join(KINDS)}")] = "central"
    width: Annotated[
        Annotated[int, Meta(ge=1)] | None, Meta(description="a whole number from 1, or null for all tangents")
    ] = 1
    passes: Annotated[int, Meta(ge=1, le=MOST_PASSES, description=f"a whole number from 1 to {MOST_PASSES}")] = 1
    zero_before: Annotated[
        Annotated[int, Meta(ge=0)] | None, Meta(description="the number of a backward pass, from 0, or null")
    ] = None

    def of_method(self, name: str) -> Method:
        """The method of this name with these settings."""
        leaf, h = self.leaf or None, self.step_size
        return Method(name, leaf, self.index, h, self.kind, self.width, self.passes, self.zero_before)


class StoryStep(Struct, frozen=True, omit_defaults=True):
    """A text from a moment on, with what the window shows beside it; `pause` holds the steps there.

    A `step_size` of differences holds from this step on. The `notes` are for the teacher alone.
    """

    at: Annotated[Moment, Meta(description='a moment such as {"phase": "reverse", "node": "m1", "operand": "w0"}')]
    text: Text
    panel: Annotated[str, Meta(description="the name of a panel")] = ""
    node: NodeName = ""
    pause: Flag = False
    question: Annotated[StoryQuestion | None, Meta(description="an object with ask, answer and because")] = None
    step_size: StepSize = None
    notes: Text = ""


class StoryBeside(Struct, frozen=True, omit_defaults=True):
    """What is shown beside the lesson's graph: the same graph by another method, or another lesson."""

    method: Annotated[str, Meta(pattern=f"^({'|'.join(METHODS)}|)$", description=f"one of {', '.join(METHODS)}")] = ""
    lesson: Annotated[str, Meta(description="the name of a lesson")] = ""
    by_step: Flag = False


class StoryView(Struct, frozen=True, omit_defaults=True):
    """What is shown when the lesson opens; `language` is that of the code panel, whenever it is shown."""

    panel: Annotated[str, Meta(description="the name of a panel")] = ""
    node: NodeName = ""
    at: Annotated[Moment | None, Meta(description='a moment such as {"phase": "start"}')] = None
    plot: Annotated[str, Meta(description="the name of a plot")] = ""
    language: Annotated[str, Meta(description="the name of a language")] = ""
    beside: Annotated[StoryBeside | None, Meta(description='an object such as {"method": "forward"}')] = None
    settings: Annotated[OpeningSettings | None, Meta(description='an object such as {"step_size": 0.1}')] = None
    hide: Annotated[
        tuple[str, ...], Meta(description="a list of results, gradients, values, names or the names of nodes")
    ] = ()


class Story(Struct, frozen=True):
    """A story with the faults of what could not be read; `numbers` are the places of its steps in the file."""

    view: StoryView = StoryView()
    steps: tuple[StoryStep, ...] = ()
    faults: tuple[Clause, ...] = ()
    numbers: tuple[int, ...] = ()

    def step_size_at(self, number: int) -> float | None:
        """The step size of differences at a step; -1 is where the lesson opens."""
        chosen = (step.step_size for step in reversed(self.steps[: number + 1]))
        first = self.view.settings.step_size if self.view.settings else None
        return next((size for size in chosen if size is not None), first)


NO_STORY = Story()
NOTES = "notes"  # the key of a document's own notes


def notes_of(document: Document) -> str:
    """The teacher's notes on a document as a whole, as Markdown; "" where there are none."""
    notes = document.extra.get(NOTES)
    return notes if isinstance(notes, str) else ""


def as_text(answer: str | float) -> str:
    """An answer as it is typed: 28, not 28.0."""
    return answer if isinstance(answer, str) else f"{answer:.17g}".replace("-", "−")


def times(story: Story, timeline: Timeline) -> tuple[StoryTime, ...]:
    """The times of a story's steps."""
    return placed((step.at for step in story.steps), timeline)


def missing_moments(story: Story, timeline: Timeline) -> tuple[Clause, ...]:
    """The moments that the timeline lacks, as faults; what they name exists, or is a fault of its own."""
    return tuple(
        Clause(
            "lesson, story step {number}: there is no such moment in the steps, so that it shows at the one before",
            "choose another moment", {"number": number + 1},
        )
        for number, step, time in zip(story.numbers, story.steps, times(story, timeline), strict=True)
        if time.lacks and not any(_wrong_moment(step.at, timeline.run.program.document, ""))
    )  # fmt: skip


# --- reading


def story_of(document: Document) -> Story:
    """The story that a document holds, as far as it can be read; NO_STORY for a document that holds none."""
    lesson = document.extra.get("lesson")
    if not isinstance(lesson, dict) or not ("story" in lesson or "view" in lesson):
        return NO_STORY
    faults: list[Clause] = []
    view = _read(lesson.get("view", {}), StoryView, "lesson, view", faults) or StoryView()
    listed = lesson.get("story", [])
    if not isinstance(listed, list):
        faults.append(Clause("lesson: story must be a list of objects", "correct it"))
        listed = []
    steps, numbers = list[StoryStep](), list[int]()
    for number, raw in enumerate(listed):
        place = f"lesson, story step {number + 1}"
        if (step := _read(raw, StoryStep, place, faults)) is not None:
            faults += _wrong_in(step, document, place)
            steps.append(_with_readable_answer(step))
            numbers.append(number)
    faults += _unknown(view.node, document, "lesson, view")
    faults += _unknown(view.settings.leaf, document, "lesson, view, settings") if view.settings else []
    faults += _wrong_moment(view.at, document, "lesson, view") if view.at else []
    return Story(view, tuple(steps), tuple(faults), tuple(numbers))


AnyRecord = TypeVar("AnyRecord", bound=Struct)


def _read(raw: Any, record: type[AnyRecord], place: str, faults: list[Clause]) -> AnyRecord | None:
    """`raw` as a record; a key of another type is a fault and left out, a record without a needed key is None."""
    if not isinstance(raw, dict):
        faults.append(Clause("{place}: this must be an object", "correct it", {"place": place}))
        return None
    fields: dict[str, Any] = {}
    for field in _fields(record):
        key = field.encode_name
        if key not in raw:
            if field.required:
                faults.append(Clause("{place}: the key {key} is missing", "add it", {"place": place, "key": key}))
                return None
            continue
        inner = _record_in(field.type)
        if inner is not None and isinstance(raw[key], dict):
            value = _read(raw[key], inner, f"{place}, {key}", faults)
            is_read = value is not None
        else:
            value, is_read = _converted(raw[key], field.type)
            if not is_read:
                expected = field.type.__metadata__[0].description
                faults.append(
                    Clause("{place}: {key} must be {expected}", "correct it",
                           {"place": place, "key": key, "expected": expected})
                )  # fmt: skip
        if is_read:
            fields[field.name] = value
        elif field.required:
            return None
    return record(**fields)


@cache
def _fields(record: type[Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """The fields of a record; msgspec evaluates their annotations at each call, half the time of opening a lesson."""
    return msgspec.structs.fields(record)


@cache
def _record_in(hint: Any) -> type[Struct] | None:
    """The record that a field may hold."""
    kinds = [kind for part in (hint, *get_args(hint)) for kind in (part, *get_args(part))]
    return next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Struct)), None)


def _converted(raw: Any, hint: Any) -> tuple[Any, bool]:
    try:
        return msgspec.convert(raw, hint), True
    except ValidationError:
        return UNSET, False


def _wrong_in(step: StoryStep, document: Document, place: str) -> Iterator[Clause]:
    """What a step says that cannot be so in this document."""
    yield from _unknown(step.node, document, place)
    yield from _wrong_moment(step.at, document, place)
    if step.question is not None:
        yield from _wrong_answer(step.question, place)


def _with_readable_answer(step: StoryStep) -> StoryStep:
    """The step; a question whose answer cannot be read can only be opened."""
    if step.question is None or not any(_wrong_answer(step.question, "")):
        return step
    return replace(step, question=replace(step.question, answer=None))


def _wrong_answer(question: StoryQuestion, place: str) -> Iterator[Clause]:
    answer = question.answer
    if isinstance(answer, Choices):
        if answer.right >= len(answer.choices):
            yield Clause(
                "{place}: the right choice is number {right}, and there are {count}, counted from 0", "correct it",
                {"place": place, "right": answer.right, "count": len(answer.choices)},
            )  # fmt: skip
    elif answer is not None:
        try:
            question.is_right(question.solution)
        except Refused as refusal:
            yield Clause("{place}: the answer cannot be read: {reason}", "", {"place": place, "reason": refusal.clause})


def _unknown(name: str, document: Document, place: str) -> Iterator[Clause]:
    if name and name not in document.nodes:
        yield Clause(
            "{place}: there is no node {name}", "choose one of {known}",
            {"place": place, "name": name, "known": choices(document.nodes)},
        )  # fmt: skip


def _wrong_moment(moment: Moment, document: Document, place: str) -> Iterator[Clause]:
    if moment.step is None and moment.phase not in PHASES:
        yield Clause(
            "{place}: the moment has no phase of the steps", "choose one of {known}",
            {"place": place, "known": choices(PHASES)},
        )  # fmt: skip
    for name in (moment.node, moment.operand):
        yield from _unknown(name, document, place)
