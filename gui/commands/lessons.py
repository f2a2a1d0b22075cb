"""The commands of lessons: each of them, and the story of the open one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from cadena.core.teaching.lessons import lessons
from cadena.gui.files.opening import Files
from cadena.gui.frame.command import Command
from cadena.gui.lessons.desk import LessonDesk
from cadena.gui.session.session import Session

MENU = "Teach"


def lesson_commands(files: Files, session: Session, desk: LessonDesk) -> Iterator[Command]:
    has_story = lambda: session.telling.brings_story  # noqa: E731
    yield Command(
        "lesson.all", "All lessons…", MENU, desk.toggle_gallery, ("Ctrl+Shift+L",),
        "Browse all lessons, with thumbnails", words="learn tutorial course examples gallery",
        checked=lambda: desk.gallery_shown,
    )  # fmt: skip
    yield Command(
        "lesson.story", "Story", MENU, desk.toggle_story, (),
        "Show the text of the lesson at this moment", has_story,
        checked=lambda: desk.story_shown, stage_keys=("T",),
    )  # fmt: skip
    yield Command(
        "lesson.next-text", "Next text", MENU, lambda: session.telling.go(1), ("PgDown",),
        "Go to the next text of the story", has_story,
    )  # fmt: skip
    yield Command(
        "lesson.previous-text", "Previous text", MENU, lambda: session.telling.go(-1), ("PgUp",),
        "Go to the previous text of the story", has_story,
    )  # fmt: skip
    for lesson in lessons():
        yield Command(
            f"lesson.{lesson.name}", f"Lesson {lesson.number}: {lesson.title}", MENU,
            partial(files.open_lesson, lesson.name), tip=lesson.summary,
        )  # fmt: skip
