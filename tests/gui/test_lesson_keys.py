"""The keys that lessons name are those of the commands that they promise."""

from __future__ import annotations

import re

from cadena.core.teaching.lessons import lessons, open_lesson

KEY = re.compile(r"\(((?:Ctrl\+|Alt\+|Shift\+)*(?:[A-Z]|F\d+|Enter))\)|\bPress ([A-Z]) ")
PROMISED = {
    "Ctrl+B": "run.backward",
    "Ctrl+G": "function.make",
    "Ctrl+Return": "function.enter",
    "O": "graph.output",
}


def test_the_keys_in_lessons_are_those_of_their_commands(user):
    named = set()
    for lesson in lessons():
        for text in open_lesson(lesson.name).extra["lesson"]["text"].values():
            named |= {"".join(found).replace("Enter", "Return") for found in KEY.findall(text)}
    assert named == PROMISED.keys()
    known = {key: command.id for command in user.window.menus.commands for key in command.keys}
    assert {key: known.get(key) for key in PROMISED} == PROMISED
