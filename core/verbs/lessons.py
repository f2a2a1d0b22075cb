"""`cadena lessons`: the list of lessons, in order, and the paths of their files."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from cadena.core.graph.fault import Refused
from cadena.core.lessons import lessons
from cadena.core.verbs.printing import print_table


def print_lessons() -> None:
    """Print the list of lessons, a line each."""
    rows = [(str(lesson.number), lesson.name, lesson.title, lesson.summary) for lesson in lessons()]
    print_table(("number", "name", "title", "summary"), rows, numbers=("number",))


def lesson_path(name: str) -> Path:
    """The file of the lesson with this name or number. Raises Refused when there is none."""
    for lesson in lessons():
        if name in (lesson.name, str(lesson.number)):
            file = f"{lesson.number:02}_{lesson.name}.cadena"
            return Path(str(files("cadena.resources").joinpath("lessons", file)))
    known = ", ".join(f"{lesson.number} {lesson.name}" for lesson in lessons())
    raise Refused("there is no lesson {name}", "choose one of {known}", name=name, known=known)
