"""The lessons that come with Cadena: graph files in resources/lessons, each with a text on what to notice."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.methods.names import FORMER, METHODS, REFERENCE, Method
from cadena.core.storage.files import load


class Lesson(msgspec.Struct, frozen=True):
    """An entry in the list of lessons; the lesson's text is in the document, under the key "lesson"."""

    name: str
    number: int
    title: str
    summary: str


class _File(msgspec.Struct):
    """The part of a lesson's file that a list needs; the rest is skipped, not read."""

    lesson: Lesson


@cache
def _listed() -> dict[Lesson, Path]:
    """The lessons in order, with the paths of their files."""
    paths = sorted(Path(str(files("cadena.resources"))).glob("lessons/*.cadena"))
    unsorted = {msgspec.json.decode(path.read_bytes(), type=_File).lesson: path for path in paths}
    return dict(sorted(unsorted.items(), key=lambda item: item[0].number))


def lessons() -> tuple[Lesson, ...]:
    """All lessons in order."""
    return tuple(_listed())


def lesson_path(name: str) -> Path:
    """The file of the lesson with this name or number. Raises Refused when there is none."""
    for lesson, path in _listed().items():
        if name in (lesson.name, str(lesson.number)):
            return path
    known = ", ".join(f"{lesson.number} {lesson.name}" for lesson in lessons())
    raise Refused("there is no lesson {name}", "choose one of {known}", name=name, known=known)


def lesson_of(document: Document) -> Lesson | None:
    """The lesson that a document is, as it stands in the list; None for a document that is none."""
    entry = document.extra.get("lesson")
    name = entry.get("name") if isinstance(entry, dict) else None
    return next((lesson for lesson in lessons() if lesson.name == name), None)


def neighbour(lesson: Lesson, by: int) -> Lesson | None:
    """The lesson so many places after this one in the list, or before it; None where there is none."""
    place = lessons().index(lesson) + by
    return lessons()[place] if 0 <= place < len(lessons()) else None


def method_of(document: Document) -> str | None:
    """The method that a lesson is about, one of METHODS; None for a document that is no lesson."""
    lesson = document.extra.get("lesson")
    if not isinstance(lesson, dict):
        return None
    method = str(lesson.get("method"))
    method = FORMER.get(method, method)
    return method if method in METHODS else REFERENCE


def opening_method(document: Document) -> Method | None:
    """The method of a lesson with the settings in its view; None for a document that is no lesson."""
    name = method_of(document)
    if name is None:
        return None
    view = document.extra["lesson"].get("view")
    if not isinstance(view, dict) or "settings" not in view:  # else no story need be read
        return Method(name)
    from cadena.core.teaching.story import story_of

    settings = story_of(document).view.settings
    return settings.of_method(name) if settings else Method(name)


def open_lesson(name: str) -> Document:
    """The document of the lesson with this name or number. Raises Refused when there is none."""
    return load(lesson_path(name))
