"""`cadena lessons`: what can be learned here, in order."""

from __future__ import annotations

from core.lessons import lessons as all_lessons
from core.verbs.printing import print_table


def print_lessons() -> None:
    """The list of lessons, a line each."""
    rows = [(str(lesson.number), lesson.name, lesson.title, lesson.summary) for lesson in all_lessons()]
    print_table(("number", "name", "title", "summary"), rows, numbers=("number",))
