"""A lecture on lessons 1, 2 and 7, given with a clicker's keys alone, as the last row sees it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QFontMetricsF

from cadena.core.teaching.lessons import lesson_of, open_lesson
from tests.gui.presenting.test_stage import digits, formula_type, on_screen
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
    """All steps of the open lesson, to the sign behind its last one."""
    steps = len(user.session.timeline)
    check_readable(user)
    for step in range(1, steps + 1):
        user.press("PgDown")
        assert user.session.time == step
        check_readable(user)
    beside = number(user) == 2  # the panel of its paths, which it opens
    assert digits(user, NODES[number(user)]) >= (BESIDE if beside else DIGIT) * user.window.height()
    user.press("PgUp")
    assert user.session.time == steps - 1
    user.press("PgDown")
    user.press("PgDown")
    sign = user.window.stage.sign
    assert sign.isVisible() and "…" not in sign.heading.text()
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
    for key in ("PgDown", "PgDown"):
        user.press(key)
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
