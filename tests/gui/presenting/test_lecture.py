"""A lecture on lessons 1, 2 and 7, given with a clicker's keys alone, as the last row sees it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QFontMetricsF

from cadena.core.teaching.lessons import lesson_of, lessons, open_lesson
from cadena.core.teaching.story import story_of
from tests.gui.presenting.test_stage import digits, formula_type, on_screen, to_sign
from tests.gui.user import settle
from tests.waiting import until

SCREENS = [QSize(1280, 720), QSize(1920, 1080)]
LEAST = 0.017  # of the screen's height: a capital letter
DIGIT, BESIDE = 0.0165, 0.015  # the same, of a number on a card; while a panel stands beside the graph
NODES = {1: "c", 2: "c", 7: "x"}


@pytest.fixture(params=SCREENS, ids=lambda size: f"{size.height()} rows")
def speaker(user, request):
    """A user who presents lesson 1 in the projector theme on a screen of this size."""
    user.window.choose_theme("projector")
    user.session.reduce_motion = True
    on_screen(user, request.param)
    return user


def number(user) -> int:
    return lesson_of(user.session.document).number


def capital(font) -> float:
    return QFontMetricsF(font).capHeight()


def check_readable(user) -> None:
    """Nothing is cut, all type has its share of the screen, and so has the graph."""
    window, rows = user.window, user.window.height()
    here = f"lesson {number(user)}, step {user.session.time:g}"
    title, band, strip = window.step_band.title, window.step_band, window.desk.strip
    assert strip.isVisible(), f"{here}: the lesson's text is hidden"
    text = strip.text

    def is_whole() -> bool:
        return text.document().size().height() <= text.viewport().height() + 1

    until(is_whole, f"{here}: the lesson's text is cut", settle)
    assert capital(text.font()) >= LEAST * rows, f"{here}: the lesson's text is small"
    if band.isVisible():
        assert ("…" in title.text()) == ("…" in title.shown), f"{here}: the sentence is cut"
        assert capital(title.letters) >= LEAST * rows, f"{here}: the sentence is small"
        assert formula_type(user) >= LEAST * rows, f"{here}: the formula is small"
    below = any(panel.isVisible() for panel in (window.problems,))
    assert user.canvas.height() >= int((0.39 if below else 0.5) * rows), f"{here}: the graph is low"
    step, canvas = user.session.frame.step, user.canvas
    for name in {step.node, step.operand} - {None} if step else ():
        card = canvas.camera.transform.mapRect(canvas.places.card(name))
        assert QRectF(canvas.rect()).contains(card), f"{here}: {name} is out of sight"


def lead_through(user) -> None:
    """All texts and steps of the open lesson, to the sign behind its last one."""
    sign = user.window.stage.sign
    check_readable(user)
    to_sign(user, lambda: sign.isVisible() or check_readable(user))
    user.press("PgUp")
    assert not sign.isVisible() and user.session.time == len(user.session.timeline)
    beside = number(user) == 2  # the panel of its paths, which it opens
    assert digits(user, NODES[number(user)]) >= (BESIDE if beside else DIGIT) * user.window.height()
    to_sign(user)
    assert "…" not in sign.heading.text()
    assert user.canvas.rect().contains(sign.geometry())
    assert capital(sign.heading.font()) >= LEAST * user.window.height()


@pytest.mark.some(1)
def test_a_lecture_on_lessons_1_and_2_by_a_clicker(speaker):
    lead_through(speaker)
    for key in ("B", "W"):
        speaker.press(key)
        assert speaker.window.stage.curtain.isVisible()
        speaker.press(key)
    speaker.press("PgDown")
    assert number(speaker) == 2
    lead_through(speaker)
    speaker.press("Esc")
    assert not speaker.window.presenting
    speaker.press("F5")
    assert speaker.window.presenting and number(speaker) == 2


@pytest.mark.some(1)
def test_a_lecture_on_lesson_7_by_a_clicker(speaker):
    speaker.press("Esc")
    speaker.session.open(open_lesson("7"), None)
    on_screen(speaker, speaker.window.size())
    lead_through(speaker)
    speaker.press("F5")
    assert not speaker.window.presenting


def test_the_inspector_came_onto_the_stage_when_a_lessons_panel_went(user):
    """Lesson 2 opens its paths in the place of the inspector, which came back with the next lesson."""
    user.session.open(open_lesson("2"), None)
    user.press("F5")
    user.press("End")
    settle()
    user.session.telling.show(len(user.session.telling.story.steps) - 1)
    settle()
    paths, inspector = user.window.panels["paths"], user.window.inspector
    assert paths.isVisible()
    to_sign(user)
    user.press("PgDown")
    assert number(user) == 3 and not paths.isVisible() and not inspector.isVisible()
    user.press("Esc")
    assert not user.window.presenting and inspector.isVisible()


def test_the_plot_of_a_lesson_left_the_stage_and_came_back_with_the_next_lesson(user):
    user.session.open(open_lesson("13"), None)
    settle()
    tangent = user.window.panels["tangent"]
    assert tangent.isVisible()
    user.press("F5")
    assert tangent.isVisible() and not user.window.inspector.isVisible()
    user.do("stage.next-lesson")
    assert number(user) == 14 and not tangent.isVisible()
    user.press("Esc")
    assert not tangent.isVisible() and user.window.inspector.isVisible()


def test_the_buttons_of_a_panel_were_cut_on_a_large_screen(user):
    """Its width grew less than its type, also where the screen had grown with the type."""
    user.window.choose_theme("projector")
    user.session.open(open_lesson("2"), None)
    on_screen(user, SCREENS[1])
    user.session.telling.show(len(user.session.telling.story.steps) - 1)
    panel = user.window.panels["paths"]
    until(lambda: panel.isVisible() and len(panel.content.cards) == 2, "the paths do not come", settle)
    content = panel.content
    assert content.minimumWidth() >= sum(button.sizeHint().width() for button in content.copies)
    assert content.as_paths.minimumWidth() >= content.as_paths.sizeHint().width() - 8


# --- every word


def told(user) -> list[str]:
    """What the lesson's card says now: its text, an open question, and its answer with the reason."""
    telling = user.session.telling
    step, question = telling.step, telling.question
    assert step is not None and user.window.desk.strip.isVisible()
    said = [step.text]
    if question is not None:
        said += [question.ask] + ([question.because] if telling.is_open else [])
    return said


def whole_story(number: int) -> list[list[str]]:
    """What a story says, in order: a text with its question comes twice, the second time with the answer."""
    told = []
    for step in story_of(open_lesson(str(number))).steps:
        asked = step.question
        told += [[step.text]] if asked is None else [[step.text, asked.ask], [step.text, asked.ask, asked.because]]
    return told


@pytest.mark.parametrize("lesson", range(1, len(lessons()) + 1))
def test_a_clicker_passed_over_texts_and_questions(user, lesson):
    """21 of 110 texts and 16 of 44 questions were never shown."""
    user.session.reduce_motion = True
    user.session.open(open_lesson(str(lesson)), None)
    user.press("F5")
    shown, expected = [told(user)], whole_story(lesson)
    for _ in range(len(user.session.timeline) + len(expected)):
        user.press("PgDown")
        if user.window.stage.sign.isVisible():
            break
        now, before = told(user), shown[-1]
        if now[0] != before[0] or len(now) > len(before):  # a question that goes with its moment is nothing new
            shown.append(now)
    assert user.window.stage.sign.isVisible() and shown == expected
    user.press("PgUp")  # away from the sign
    back = [told(user)[0]]
    while user.session.time > 0 or user.session.telling.number > 0:
        user.press("PgUp")
        back += [told(user)[0]] if told(user)[0] != back[-1] else []
    assert back == [step.text for step in reversed(story_of(open_lesson(str(lesson))).steps)]
