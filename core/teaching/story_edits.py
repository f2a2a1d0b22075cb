"""Edits of a lesson: pure functions from a document to the next. Keys that this version does not know are kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import msgspec
from msgspec import Struct

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.teaching.story import NOTES, StoryStep, StoryView, story_of

MOST = 200  # steps of a story
LESSON = "lesson"


def set_about(document: Document, title: str, summary: str) -> Document:
    """Give the lesson a title and a summary; "" takes them away."""
    words = {key: text for key, text in (("title", title), ("summary", summary)) if text}
    before = {key: item for key, item in _lesson(document).items() if key in words or key not in ("title", "summary")}
    return _with_lesson(document, {**before, **words})


def set_notes(document: Document, notes: str) -> Document:
    """Give the document as a whole the teacher's notes; "" takes them away."""
    extra = {key: item for key, item in document.extra.items() if key != NOTES}
    return replace(document, extra={**extra, NOTES: notes} if notes else extra)


def set_view(document: Document, view: StoryView) -> Document:
    """Open the lesson as `view` says; one that says nothing is not kept."""
    lesson = dict(_lesson(document))
    lesson["view"] = merged(lesson.get("view"), view)
    if not lesson["view"]:
        del lesson["view"]
    return _with_lesson(document, lesson)


def set_step(document: Document, number: int, step: StoryStep) -> Document:
    """Put `step` in the place of that number of the readable steps."""

    def change(steps: list[Any], place: int) -> None:
        steps[place] = merged(steps[place], step)

    return _with_steps(document, number, change)


def insert_step(document: Document, number: int, step: StoryStep) -> Document:
    """Put a new step before that number of the readable steps, or after all."""
    if len(_steps(document)) >= MOST:
        raise Refused("a story has at most {most} texts", "take one away first", most=MOST)
    numbers = story_of(document).numbers
    place = numbers[number] if number < len(numbers) else len(_steps(document))
    steps = _steps(document)
    return _with_story(document, [*steps[:place], merged({}, step), *steps[place:]])


def remove_step(document: Document, number: int) -> Document:
    """Take a step out of the story; its last one leaves none."""
    return _with_steps(document, number, lambda steps, place: steps.pop(place))


def move_step(document: Document, number: int, by: int) -> Document:
    """Move a step up or down among the readable ones. Raises Refused where there is no place."""
    numbers = story_of(document).numbers
    if not 0 <= number + by < len(numbers):
        raise Refused("the text is already at the end of the story", "move another")
    goal = numbers[number + by]

    def change(steps: list[Any], place: int) -> None:
        steps.insert(goal, steps.pop(place))

    return _with_steps(document, number, change)


def merged(old: Any, record: Struct) -> dict[str, Any]:
    """The record as it is stored, with the unknown keys of the `old` object, and in its order."""
    before, new = (old if isinstance(old, dict) else {}), msgspec.json.decode(msgspec.json.encode(record))
    kept = dict(before)
    for field in msgspec.structs.fields(type(record)):
        key, part = field.encode_name, getattr(record, field.name)
        if key in new and isinstance(part, Struct):
            new[key] = merged(before.get(key), part)
        if key in new:
            kept[key] = before[key] if before.get(key) == new[key] else new[key]  # 6 stays 6, and does not become 6.0
        elif before.get(key) != field.default:
            kept.pop(key, None)
    return kept


def _lesson(document: Document) -> dict[str, Any]:
    lesson = document.extra.get(LESSON)
    return lesson if isinstance(lesson, dict) else {}


def _with_lesson(document: Document, lesson: dict[str, Any]) -> Document:
    extra = {**document.extra, LESSON: lesson}
    if not lesson:
        del extra[LESSON]
    return replace(document, extra=extra)


def _steps(document: Document) -> Sequence[Any]:
    story = _lesson(document).get("story")
    return story if isinstance(story, list) else []


def _with_story(document: Document, steps: Sequence[Any]) -> Document:
    lesson = {**_lesson(document), "story": list(steps)}
    if not steps:
        del lesson["story"]
    return _with_lesson(document, lesson)


def _with_steps(document: Document, number: int, change: Callable[[list[Any], int], object]) -> Document:
    """The document after `change` of its stored steps, at the place of a readable one."""
    numbers, steps = story_of(document).numbers, list(_steps(document))
    if not 0 <= number < len(numbers):
        raise Refused("there is no text {number} in the story", "choose another", number=number + 1)
    change(steps, numbers[number])
    return _with_story(document, steps)
