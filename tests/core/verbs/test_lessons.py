from __future__ import annotations

import pytest

from cadena.core.graph.fault import Refused
from cadena.core.lessons import lessons, open_lesson
from cadena.core.storage.files import read
from cadena.core.verbs.lessons import lesson_path, print_lessons


def test_the_list_has_a_line_for_each_lesson(capsys):
    print_lessons()
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == ["number", "name", "title", "summary"]
    assert [line.split()[:2] for line in lines] == [[str(lesson.number), lesson.name] for lesson in lessons()]
    assert all(lesson.summary in line for lesson, line in zip(lessons(), lines))


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.name)
def test_a_lesson_is_found_by_name_and_by_number(lesson):
    assert read(lesson_path(lesson.name)) == open_lesson(lesson.name)
    assert lesson_path(str(lesson.number)) == lesson_path(lesson.name)


def test_a_lesson_that_is_not_there_is_refused():
    with pytest.raises(Refused, match="there is no lesson 99; choose one of 1 first_chain_rule"):
        lesson_path("99")
