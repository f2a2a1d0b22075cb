"""While a question of a lesson is open, nothing on the screen shows its answer, whichever way the steps are moved."""

from __future__ import annotations

import re

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit

from cadena.core.methods.reverse.activity import activity
from cadena.core.teaching.answers import is_right, read_answer
from cadena.core.teaching.lessons import lessons, open_lesson
from cadena.gui.canvas.rendering.card import card_of
from cadena.gui.session.story_progress import WAITS
from tests.gui.user import LEFT, NO_KEY, settle

NUMBER = re.compile(r"(?<![\w.])[−-]?\d+(?:\.\d+)?(?![\w.]*\w)")


@pytest.fixture(autouse=True)
def at_once(user):
    user.session.reduce_motion = True


def cards(user) -> list[str]:
    """The numbers on all cards."""
    scene = user.canvas.scene
    lit = activity(scene.frame, scene.live)
    rows = [row for name in scene.document.nodes for row in card_of(scene, name, lit, frozenset()).rows]
    tokens = [token.number for token in scene.frame.tokens]
    numbers = [number for number in (*(row.number for row in rows), *tokens) if number is not None]
    return [f"{number:.6g}" for array in numbers for number in np.ravel(array).real.tolist()]


def texts(user) -> list[str]:
    """All texts of the window, but for those of the lesson itself."""
    window = user.window
    fields = [*window.findChildren(QLabel), *window.findChildren(QLineEdit)]
    written = [part.text() for part in fields if part.isVisible() and not window.desk.isAncestorOf(part)]
    results = [result.text for row in window.expressions.editor.results.values() for result in row]
    band = [window.step_band.title.text(), *(part.latex for part in window.step_band.formula.parts)]
    return [*written, *results, *band]


def said(user) -> list[float]:
    """The numbers that are to be read."""
    return [float(number.replace("−", "-")) for text in (*texts(user), *cards(user)) for number in NUMBER.findall(text)]


def is_said(user, answer: np.ndarray) -> bool:
    return any(is_right(np.array(number), answer) for number in said(user))


def asked_ahead() -> list[tuple[str, int]]:
    """The questions for a number that the steps are about to show: lesson and place of the text."""
    return [
        (str(lesson.number), place)
        for lesson in lessons()
        for place, step in enumerate(open_lesson(str(lesson.number)).extra["lesson"]["story"])
        if step["at"].get("before") and isinstance(step.get("question", {}).get("answer"), str | float | int)
    ]


def drag_knob(user, time: float) -> None:
    scrubber = user.window.transport.scrubber
    place = QPoint(round(scrubber.place(time)), scrubber.height() // 3)
    QTest.mouseClick(scrubber, LEFT, NO_KEY, place)
    settle()


def type_step(user, time: float) -> None:
    user.window.ask_for_step()
    user.type(str(int(time)))


def go_to(user, time: float) -> None:
    user.session.playback.go_to(int(time))
    settle()


WAYS = {"slider": drag_knob, "number": type_step, "go_to": go_to}


@pytest.mark.parametrize("way", list(WAYS))
@pytest.mark.parametrize(("lesson", "place"), asked_ahead())
def test_a_jump_showed_the_answer_while_its_question_was_open(user, lesson, place, way):
    user.session.open(open_lesson(lesson), None)
    settle()
    telling, session = user.session.telling, user.session
    moment, answer = telling.times[place].time, read_answer(telling.story.steps[place].question.solution)
    node = session.timeline[int(moment)]
    session.select([node.operand or node.node])
    session.set_time(moment - 1)
    if telling.times[place - 1].time == moment:  # the text before it is of this moment, too
        telling.show(place)
        way = "number"  # a motion from the question goes on with its answer
        settle()
    known = set(said(user))
    beyond = moment + (0.9 if way == "slider" else 1.0)
    WAYS[way](user, beyond)
    if session.time >= telling.times[place + 1].time:
        assert telling.question is not telling.story.steps[place].question  # the next text holds there already
        return
    assert (session.time, telling.number, telling.is_open) == (moment, place, False)
    assert not any(is_right(np.array(number), answer) for number in set(said(user)) - known)
    telling.show_answer()
    WAYS[way](user, beyond)
    assert session.time == pytest.approx(beyond, abs=0.05)


def test_end_and_home_go_to_both_ends(user):
    user.press("End")
    assert user.session.time == len(user.session.timeline) and user.session.telling.number == 6
    user.press("Home")
    assert user.session.time == 0


def test_going_on_from_a_question_shows_its_answer_before_the_step(user):
    strip, telling = user.window.desk.strip, user.session.telling
    drag_knob(user, 16)
    assert user.session.time == 15 and user.window.toast.text.text() == WAITS
    assert strip.asking.isVisible() and "→" not in strip.text.toPlainText()
    user.press("Right")
    assert user.session.time == 15 and telling.number == 4 and "→ −7." in strip.text.toPlainText()
    assert not strip.asking.isVisible() and telling.answered == set()
    user.press("Right")
    assert user.session.time == 16 and telling.number == 4 and telling.question is None


def test_the_next_text_leaves_the_question_with_its_answer(user):
    drag_knob(user, 15.4)
    user.canvas.setFocus()
    user.press("PgDown")
    assert user.session.time == user.session.telling.times[5].time and user.session.telling.number == 5
    user.press("PgUp")
    assert user.session.time == 15 and user.session.telling.is_open


def test_a_step_back_from_a_later_text_stops_at_the_question_before_it(user):
    user.session.set_time(user.session.telling.times[5].time)
    user.canvas.setFocus()
    user.press("Left")
    assert (user.session.time, user.session.telling.number) == (15, 4)


def test_a_sweep_stops_at_the_question(user):
    user.do("run.sweep")
    for _ in range(100):
        user.session.playback.advance(0.05)
    assert user.session.time == 15 and not user.session.playback.playing


def test_build_shows_all_numbers_and_asks_nothing_about_the_way(user):
    strip = user.window.desk.strip
    drag_knob(user, 15.4)
    assert "Which number" in strip.text.toPlainText() and strip.asking.isVisible()
    user.press("B")
    assert "Which number" not in strip.text.toPlainText() and not strip.asking.isVisible()
    user.press("B")
    assert user.session.time == 15 and "Which number" in strip.text.toPlainText() and strip.asking.isVisible()


def test_a_question_about_the_end_is_asked_in_build_too(user):
    """Lesson 14 asks for a gradient after an edit of the output."""
    user.session.open(open_lesson("14"), None)
    user.session.telling.show(6)
    user.session.show_live()
    settle()
    assert user.window.desk.strip.asking.isVisible()


def test_a_story_that_is_put_away_holds_nothing_up(user):
    user.do("lesson.story")
    drag_knob(user, 16)
    assert user.session.time == pytest.approx(16, abs=0.05)
    user.do("lesson.story")
    assert user.session.time == 15


def test_a_right_answer_lets_the_steps_go_on(user):
    drag_knob(user, 16)
    QTest.mouseClick(user.window.desk.strip.asking.field, LEFT, Qt.KeyboardModifier.NoModifier)
    user.type("-7")
    drag_knob(user, 16)
    assert user.session.time == pytest.approx(16, abs=0.05) and user.session.telling.answered == {4}


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.name)
def test_every_question_of_every_lesson_holds_the_steps_until_it_is_dealt_with(user, lesson):
    user.session.open(open_lesson(lesson.name), None)
    settle()
    telling, session = user.session.telling, user.session
    for place, step in enumerate(telling.story.steps):
        moment = telling.times[place].time
        if step.question is None or moment == len(session.timeline):
            continue
        for way, beyond in (("slider", moment + 0.5), ("go_to", moment)):
            telling.show(place)
            WAYS[way](user, beyond)
            assert (session.time, telling.number, telling.is_open) == (moment, place, False), (place, way)
