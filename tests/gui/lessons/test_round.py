"""All lessons one after another in one window, as in a term: in order, and in any order."""

from __future__ import annotations

import random

import pytest
from PySide6.QtTest import QTest

from cadena.core.teaching.lessons import lesson_of, lessons, opening_method
from cadena.core.teaching.story import story_of
from tests.gui.user import settle

NUMBERS = range(1, len(lessons()) + 1)
TRIED = ("PgDown", "Space", "Right", "End", "Home", "Left")  # a second PgDown at the end would open the next lesson

WAYS = [(theme, presenting) for theme in ("light", "dark", "projector") for presenting in (False, True)]

pytestmark = pytest.mark.slow


def check_open(user, number: int) -> None:
    session, lesson = user.session, lesson_of(user.session.graph)
    assert lesson is not None and lesson.number == number
    asked = opening_method(session.document)
    assert asked is None or session.method.name == asked.name
    assert user.window.desk.story_shown == bool(story_of(session.document).steps)
    assert not user.answers.asked


def play_with(user, luck: random.Random, presenting: bool) -> None:
    """Some keys that do not edit, in any order and without waiting for what they set going."""
    for key in luck.sample(TRIED, 5):
        if not presenting or not key.startswith("F"):
            user.press(key)
            QTest.qWait(luck.choice((0, 20)))


@pytest.mark.some(0)
@pytest.mark.parametrize(("theme", "presenting"), WAYS)
def test_all_lessons_in_order(user, theme, presenting):
    luck = random.Random(theme)
    user.window.choose_theme(theme)
    if presenting:
        user.press("F5")
    for number in NUMBERS:
        check_open(user, number)
        play_with(user, luck, presenting)
        if number < NUMBERS[-1]:
            user.do("stage.next-lesson")
    user.do("stage.previous-lesson")
    check_open(user, NUMBERS[-2])
    assert not user.session.modified


@pytest.mark.some(0)
@pytest.mark.parametrize(("theme", "presenting"), WAYS)
def test_all_lessons_in_any_order(user, theme, presenting):
    luck = random.Random(theme)
    user.window.choose_theme(theme)
    if presenting:
        user.press("F5")
    for number in luck.sample(NUMBERS, len(NUMBERS)):
        user.press("Ctrl+K")
        user.type(f"lesson {number}")
        settle()
        check_open(user, number)
        play_with(user, luck, presenting)
