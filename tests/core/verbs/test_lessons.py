from __future__ import annotations

from cadena.core.teaching.lessons import lessons
from cadena.core.verbs.lessons import print_lessons


def test_the_list_has_a_line_for_each_lesson(capsys):
    print_lessons()
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == ["number", "name", "title", "summary"]
    assert [line.split()[:2] for line in lines] == [[str(lesson.number), lesson.name] for lesson in lessons()]
    assert all(lesson.summary in line for lesson, line in zip(lessons(), lines))
