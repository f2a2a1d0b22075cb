"""`cadena lessons`: the list of lessons, in order."""

from __future__ import annotations

from cadena.core.teaching.lessons import lessons
from cadena.core.verbs.printing import print_table


def print_lessons() -> None:
    """Print the list of lessons, a line each."""
    rows = [(str(lesson.number), lesson.name, lesson.title, lesson.summary) for lesson in lessons()]
    print_table(("number", "name", "title", "summary"), rows, numbers=("number",))
