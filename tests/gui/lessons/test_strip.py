"""The strip of a lesson's story in the window, with real keys and clicks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from cadena.core.graph.document import Document
from cadena.core.teaching.lessons import lessons, open_lesson
from tests.gui.session.test_story_progress import END, START, STORY, with_story
from tests.gui.user import LEFT, settle
from tests.waiting import until

CHOICE = {"ask": "What does $L$ do?", "answer": {"choices": ["rises", "falls"], "right": 1}, "because": "It *falls*."}
OPEN = {"ask": "Why?", "answer": None, "because": "Each use counts."}
MORE = [{"at": END, "text": "choose", "question": CHOICE}, {"at": END, "text": "think", "question": OPEN}]


@pytest.fixture
def strip(user):
    user.session.reduce_motion = True
    user.session.open(with_story(*STORY, *MORE), None)
    settle()
    return user.window.desk.strip


def shown(strip):
    return strip.text.toPlainText()


def click(button):
    QTest.mouseClick(button, LEFT, Qt.KeyboardModifier.NoModifier, button.rect().center())
    settle()


def at(user, time):
    user.session.set_time(float(time))
    settle()


def test_a_lesson_with_a_story_opens_with_its_first_text(user, strip):
    assert user.window.desk.isVisible() and strip.isVisible()
    assert (shown(strip), strip.place.text()) == ("first", "1 of 8")
    assert not strip.before.isEnabled() and strip.after.isEnabled()


def test_a_document_without_a_story_takes_no_room(user, strip):
    user.session.open(Document({}), None)
    settle()
    assert not user.window.desk.isVisible()


def test_buttons_and_keys_go_from_text_to_text(user, strip):
    click(strip.after)
    assert (shown(strip), user.session.time) == ("product", 1)
    user.press("PgDown")
    assert (shown(strip), user.session.time, strip.place.text()) == ("seed", 9, "3 of 8")
    user.press("PgUp")
    click(strip.before)
    assert (shown(strip), user.session.time) == ("first", 0)
    user.press("Right")
    assert shown(strip) == "product"
    assert QApplication.focusWidget() is user.canvas  # the buttons left the keys there


def test_a_typed_answer_is_checked_and_its_reason_shown(user, strip):
    at(user, 20)
    field = strip.asking.field
    assert "?" in shown(strip) and "so" not in shown(strip)
    QTest.mouseClick(field, LEFT)
    user.type("28")
    assert strip.asking.verdict.text() == "Nearly: only the sign is wrong." and field.selectedText() == "28"
    user.type("many")
    assert strip.asking.verdict.text().startswith("'many' is not a number")
    user.type("-4*7")
    assert not strip.asking.isVisible() and "✓ Right: −28. so" in shown(strip)
    assert not field.isVisible() and QApplication.focusWidget() is user.canvas


def test_an_answer_is_typed_at_once_and_a_clicker_goes_on_while_none_is_begun(user, strip):
    at(user, 20)
    assert user.canvas.hasFocus() and strip.asking.field.property("awaits")
    user.press("Space")
    assert user.session.playback.playing or strip.session.telling.is_open
    user.session.open(with_story(*STORY, *MORE), None)
    at(user, 20)
    user.press("-")
    assert strip.asking.field.hasFocus() and strip.asking.field.text() == "-"
    user.type("28")
    assert "✓ Right: −28." in shown(strip) and user.canvas.hasFocus()


def test_digits_answer_nothing_where_no_question_is_open(user, strip):
    user.press("7")
    assert user.canvas.hasFocus() and not strip.asking.field.text()


def test_an_answer_can_be_shown_and_is_still_there_later(user, strip):
    at(user, 20)
    click(strip.asking.reveal)
    assert "→ −28. so" in shown(strip) and not strip.asking.isVisible()
    at(user, 0)
    assert shown(strip) == "first"
    at(user, 20)
    assert "→ −28. so" in shown(strip)


def test_a_choice_is_a_button_for_each(user, strip):
    at(user, 21)
    user.press("PgDown")
    user.press("PgDown")
    rises, falls = strip.asking.choices
    assert (rises.text(), falls.text()) == ("rises", "falls") and not strip.asking.field.isVisible()
    click(rises)
    assert strip.asking.verdict.text() == "Not yet: try again."
    click(falls)
    assert "✓ Right: falls. It falls." in shown(strip)
    user.press("PgDown")
    assert not strip.asking.choices and not strip.asking.field.isVisible() and strip.asking.reveal.isVisible()
    click(strip.asking.reveal)
    assert "Each use counts." in shown(strip)


def test_s_puts_the_story_away_and_brings_it_back(user, strip):
    user.do("lesson.story")
    assert not strip.isVisible()
    user.press("Right")
    user.do("lesson.story")
    assert strip.isVisible() and shown(strip) == "product"


def test_the_graph_keeps_its_size_from_text_to_text(user, strip):
    long = " ".join(["a long text with many words"] * 12)
    user.session.open(with_story({"at": START, "text": "short"}, {"at": END, "text": long}), None)
    settle()
    before = user.canvas.size()
    at(user, 21)
    assert shown(strip) == long and user.canvas.size() == before


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_a_text_of_any_length_leaves_the_graph_its_room(user, strip, theme):
    user.window.choose_theme(theme)
    user.window.resize(1280, 720)
    settle()
    user.session.open(with_story({"at": START, "text": "word " * 2000}), None)
    settle()
    assert strip.height() <= 0.13 * 720 * user.window.theme.type
    assert strip.text.verticalScrollBar().maximum() > 0


def test_at_1280_by_720_the_graph_keeps_half_of_the_height(user, strip):
    user.window.resize(1280, 720)
    user.session.open(
        with_story({"at": START, "text": "word " * 45}, {"at": END, "text": "a", "question": CHOICE}), None
    )
    settle()
    assert user.canvas.height() >= 360
    at(user, 21)
    assert user.canvas.height() >= 360


def test_a_lesson_opens_at_the_node_and_moment_of_its_view_and_shows_the_panel_that_a_step_names(user):
    view = {"at": {"phase": "seed"}, "node": "w0", "panel": "paths"}
    steps = [{"at": START, "text": "a"}, {"at": END, "text": "b", "node": "w1", "panel": "inspector"}]
    user.session.open(with_story(*steps, view=view), None)
    settle()
    assert user.session.time == 9 and user.session.selection == {"w0"}
    assert user.window.panels["paths"].isVisible()
    at(user, 21)
    assert user.window.panels["inspector"].isVisible() and user.session.selection == {"w1"}
    assert not user.window.panels["paths"].isVisible()


def test_a_step_shows_its_panel_once_so_that_it_can_be_closed(user):
    steps = [{"at": START, "text": "a", "panel": "paths"}, {"at": END, "text": "b"}]
    user.session.open(with_story(*steps), None)
    settle()
    assert user.window.panels["paths"].isVisible()
    user.do("view.paths")
    user.press("Right")
    assert not user.window.panels["paths"].isVisible()


@pytest.mark.some(2)
@pytest.mark.parametrize("story", [3, [3], [{"text": 3}], {"at": 1}, "text"])
def test_a_malformed_story_shows_nothing_and_breaks_nothing(user, story):
    document = with_story()
    document.extra["lesson"]["story"] = story
    user.session.open(document, None)
    settle()
    assert not user.window.desk.isVisible()
    user.press("PgDown")
    user.press("Right")


def test_the_story_stays_while_presenting(user, strip):
    user.press("F5")
    settle()
    assert strip.isVisible()
    user.press("PgDown")
    assert shown(strip) == "product"
    user.window.stage.toggle()


def test_alt_and_an_arrow_went_to_another_text_and_no_longer_to_another_node(user, strip):
    user.session.select(["m1"])
    user.press("Alt+Right")
    assert user.session.selection != {"m1"} and shown(strip) == "first"


def test_lesson_13_opened_at_the_best_step_whose_digits_nobody_checks_by_hand(user):
    user.session.open(open_lesson("13"), None)
    settle()
    strip, secant = user.window.desk.strip, user.window.panels["tangent"].content
    assert user.session.method.step == 0.1 and secant.number == 0.1
    band = user.session.timeline.describe(2).sentence
    assert band == "Quotient 0.5394, give or take 9·10⁻⁴. The step is h = 0.1; reverse mode gives 0.5403."
    for _ in range(4):
        click(strip.after)
    assert "in the plot too" in shown(strip) and user.session.method.step == secant.number == 0.01
    click(strip.before)
    assert user.session.method.step == 0.1
    click(strip.after)
    user.session.set_method(replace(user.session.method, step=0.5))
    click(strip.after)
    assert user.session.method.step == 0.5  # the text says nothing of h: the user's own stays


def test_what_one_lesson_opened_stayed_open_for_all_that_followed(user):
    """After lesson 3 the visits without an order stood in each lesson, and the graph got smaller and smaller."""
    panels = user.window.panels

    def is_open(name):
        return not panels[name].isHidden()

    user.do("view.code")  # the user's own
    for lesson, seen in (("2", "paths"), ("3", "order"), ("13", "error"), ("14", "layers")):
        user.session.open(open_lesson(lesson), None)
        settle()
        user.session.telling.show(len(user.session.telling.story.steps) - 1)
        settle()
        assert is_open(seen) and is_open("code") and not is_open("inspector")
    user.session.open(open_lesson("1"), None)
    settle()
    assert not is_open("layers") and is_open("code") and is_open("inspector")


WAYS = [
    ("projector", False, (1280, 720)), ("projector", True, (1280, 720)), ("light", False, (1280, 720)),
    ("contrast", True, (1920, 1080)), ("light", False, (1600, 1000)), ("contrast", False, (1600, 1000)),
    ("projector", False, (1600, 1000)), ("dark", False, (1280, 720)),
]  # fmt: skip


@pytest.mark.some(1)
@pytest.mark.parametrize(("theme", "presenting", "size"), WAYS)
def test_texts_and_choices_were_cut_on_a_small_screen_and_in_large_type(user, theme, presenting, size):
    """Twenty-two texts had to be scrolled by a few pixels; a question was cut by 38 of them; "digits cancel" was, too,
    as three choices shared a room for two."""
    user.window.choose_theme(theme)
    if presenting:
        user.press("F5")
    user.window.resize(*size)
    strip = user.window.desk.strip
    for lesson in lessons():
        user.session.open(open_lesson(str(lesson.number)), None)
        settle()
        telling = user.session.telling
        for place in range(len(telling.story.steps)):
            telling.show(place)
            settle()
            until(lambda: is_whole(strip), f"text {place + 1} of lesson {lesson.number} is cut", settle)
            asking = strip.asking
            for button in (*asking.choices, asking.reveal, asking.check):
                assert not button.isVisible() or button.width() >= button.minimumSizeHint().width(), button.text()
            assert asking.isHidden() or asking.height() >= asking.heightForWidth(asking.width())
            if telling.question is not None:
                telling.show_answer()
                settle()
                until(lambda: is_whole(strip), f"answer {place + 1} of lesson {lesson.number} is cut", settle)


def is_whole(strip):
    """Whether the text can be read without scrolling."""
    return strip.text.isVisible() and strip.text.document().size().height() <= strip.text.viewport().height() + 1


# --- its place


def test_the_lesson_is_a_card_in_the_dock_whatever_tab_is_open_and_a_line_without_it(user):
    window, desk = user.window, user.window.desk
    for panel in ("inspector", "paths", "text", "tangent"):
        if window.panels[panel].isHidden():
            window.toggle_panel(panel)
        settle()
        assert desk.isVisible() and window.dock.isAncestorOf(desk) and desk.width() <= window.dock.width()
    assert desk.strip.heading.text() == "Lesson 1 · First chain rule" and desk.strip.heading.isVisible()
    window.dock.close_open()
    settle()
    assert desk.isVisible() and not window.main.isAncestorOf(desk) and desk.strip.heading.isHidden()
    user.do("view.inspector")
    assert window.dock.isAncestorOf(desk)
    window.resize(1280, 720)
    settle()
    assert desk.isVisible() and not window.main.isAncestorOf(desk)


@pytest.mark.parametrize("size", [(1600, 1000), (1280, 720)])
def test_the_message_beside_a_wrong_answer_was_squashed(user, size):
    user.session.reduce_motion = True
    user.window.resize(*size)
    settle()
    for _ in range(4):
        user.session.telling.go(1)
        settle()
    asking = user.window.desk.strip.asking
    asking.field.setFocus()
    user.type("5")
    for part in (asking.field, asking.verdict, user.window.desk.strip.text):
        assert part.isVisible() and part.width() > 0
    assert asking.verdict.text() and asking.verdict.height() >= asking.verdict.heightForWidth(asking.verdict.width())
    assert asking.field.height() >= asking.field.sizeHint().height() and asking.field.width() >= 70
    text = user.window.desk.strip.text
    assert not text.verticalScrollBar().maximum(), "the text is cut"


def test_a_window_that_got_smaller_took_the_keys_from_the_answer_that_was_typed(user):
    user.session.set_time(15.0)
    settle()
    field = user.window.desk.strip.asking.field
    QTest.mouseClick(field, LEFT)
    QTest.keyClicks(field, "-")
    for size in ((1280, 720), (1600, 1000)):
        user.window.resize(*size)
        settle()
        assert field.hasFocus() and field.text() == "-"
    user.type("7")
    assert user.session.telling.answered == {4}


def test_the_buttons_of_the_card_were_as_wide_as_dialogs_have_them_until_a_theme_was_chosen(own_user):
    strip = own_user.window.desk.strip
    assert strip.before.width() == strip.after.width() < 40


def test_a_lesson_in_the_dock_took_the_room_of_the_formula(user):
    heights = []
    for _ in range(3):
        user.session.telling.go(1)
        settle()
        heights.append(user.window.step_band.formula_height)
    user.window.desk.toggle_story()
    settle()
    assert set(heights) == {user.window.step_band.formula_height}
