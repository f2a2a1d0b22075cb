"""Presenting: nothing but the graph and its step, for as long as it is wanted."""

from __future__ import annotations

from string import ascii_uppercase

import pytest
from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest

from cadena.core.graph.document import Document
from cadena.core.graph.edits import set_value
from cadena.core.methods.names import METHODS
from cadena.core.teaching.lessons import lessons, open_lesson
from cadena.gui.look.theme import BLACK, WHITE
from cadena.gui.session.playback import SPEEDS
from tests.gui.presenting import ink
from tests.gui.user import calm, settle
from tests.waiting import until


def test_presenting_leaves_the_graph_and_its_step(user):
    window = user.window
    user.press("F5")
    assert not any(part.isVisible() for part in (window.header, *window.panels.values()))
    assert window.isFullScreen() and window.transport.isVisible() and user.canvas.width() == window.width()
    user.press("Space")
    assert user.session.playback.playing
    user.press("Esc")
    assert window.header.isVisible() and window.inspector.isVisible() and not window.isFullScreen()
    assert not window.problems.isVisible()


def test_opening_a_lesson_ended_the_presentation(user):
    user.press("F5")
    user.press("Ctrl+K")
    assert user.window.presenting and user.window.search.hasFocus() and user.window.search.isVisible()
    user.type("lesson 12")
    assert user.session.document == open_lesson("12")
    window = user.window
    assert window.presenting and not any(part.isVisible() for part in (window.menuBar(), window.header))
    assert window.isFullScreen() and user.canvas.hasFocus()
    user.press("Esc")
    assert not window.presenting and window.header.isVisible()


def test_the_search_leaves_the_presentation_as_it_was(user):
    user.press("F5")
    user.press("Ctrl+K")
    user.press("Esc")
    assert user.window.presenting and not user.window.header.isVisible() and user.canvas.hasFocus()
    user.press("Esc")
    assert not user.window.presenting
    user.press("Ctrl+K")
    user.press("Esc")
    assert user.window.header.isVisible()


def test_the_names_that_a_search_finds_are_read_in_large_type(user):
    """In the projector theme the other columns left them three dots."""
    user.window.choose_theme("projector")
    user.window.open_search()
    user.window.search.setText("x")
    user.window.search.textEdited.emit("x")
    settle()
    names = user.window.search.card.list
    longest = max(names.fontMetrics().horizontalAdvance(entry.name) for entry in user.window.search.shown)
    assert names.columnWidth(0) >= min(longest, 400)
    user.window.search.close_list()
    user.window.choose_theme("light")


# --- sizes

LECTURE = [("light", "1", "c"), ("dark", "7", "x"), ("projector", "2", "c")]
SCREENS = (QSize(1280, 720), QSize(1920, 1080), QSize(3840, 2160))


def on_screen(user, size: QSize) -> None:
    """Present on a screen of this size."""
    if not user.window.presenting:
        user.press("F5")
    user.window.resize(size)
    for _ in range(10):
        settle()


def finer(user) -> float:
    """How much finer than this screen everything is measured: as if it had 2160 rows."""
    return SCREENS[-1].height() / user.window.height()


def digits(user, name: str) -> float:
    """The height of the value on a card, in pixels."""
    canvas = user.canvas
    area = canvas.places.value_area(name)
    area.setLeft(area.center().x())
    area.setRight(area.right() - 6.0)  # without the edge
    return ink.height(canvas, canvas.camera.transform.mapRect(area), canvas.theme.value, finer(user))


def sentence(user) -> float:
    label = user.window.step_band.title
    band = user.window.band
    area = QRectF(label.rect()).translated(label.mapTo(band, QPointF()))
    return ink.height(band, area, label._theme.text, finer(user))


def formula_type(user) -> float:
    view = user.window.step_band.formula
    return view.lines(view.width(), view.height()).size


@pytest.mark.some(1)
@pytest.mark.parametrize(("theme", "lesson", "node"), LECTURE)
def test_digits_and_sentences_take_the_same_share_of_every_screen(user, theme, lesson, node):
    user.window.choose_theme(theme)
    user.session.open(open_lesson(lesson), None)
    user.pass_questions()
    user.session.set_time(len(user.session.timeline) - 1.0)  # at the end of lesson 7 problems stand below the graph
    shares = []
    for size in SCREENS:
        on_screen(user, size)
        shares.append([part / size.height() for part in (digits(user, node), sentence(user), formula_type(user))])
    assert all(share > 0.017 for row in shares for share in row), shares
    for row in shares:  # of which the first and the last are measured in whole pixels, too
        assert row == pytest.approx(shares[1], rel=0.05)


def test_the_stage_is_divided_as_drawn(user):
    """On 1280 x 720: 48 for the lesson, whose texts have two lines, the graph, and 256 for step and transport."""
    user.session.open(open_lesson("8"), None)
    user.pass_questions()
    for size in SCREENS:
        on_screen(user, size)
        for moment in range(0, len(user.session.timeline) + 1, 3):
            user.session.set_time(float(moment))
            settle()
            rows = size.height() / 720
            band, title = user.window.step_band, user.window.step_band.title
            assert user.window.desk.height() == round(48 * rows) and user.canvas.height() == round(416 * rows)
            assert user.window.transport.height() == pytest.approx(56 * rows, abs=1)
            assert title.letters.pixelSize() == pytest.approx(28 * rows, abs=1)
            assert not band.formula.parts or formula_type(user) == pytest.approx(42 * rows, abs=1)
    assert user.canvas.theme.line >= 1.5


@pytest.mark.parametrize("method", list(METHODS))
def test_the_graph_keeps_half_of_a_small_screen(user, method):
    user.window.choose_theme("projector")
    on_screen(user, SCREENS[0])
    for lesson in lessons()[:2]:
        user.session.open(open_lesson(lesson.name), None)
        user.session.choose_method(method)
        user.session.set_time(2.5)
        until(lambda: 2 * user.canvas.height() >= user.window.height(), f"lesson {lesson.name} is too low", settle)
        assert user.canvas.width() == user.window.width() and user.canvas.shows_all


def test_a_window_in_the_projectors_type_left_the_graph_a_third(user):
    """At 1280 x 720 panels, two lines of title and the transport took the rest."""
    if user.window.desk.story_shown:
        user.window.desk.toggle_story()
    user.window.resize(SCREENS[0])
    user.window.choose_theme("projector")
    settle()
    assert not user.window.operations.isVisible()
    until(lambda: 2 * user.canvas.height() >= user.window.height(), "the graph is too low", settle)
    assert 2 * user.canvas.width() > user.window.width()
    user.window.choose_theme("light")


def test_everything_has_its_usual_size_after_a_presentation(user):
    window = user.window

    def sizes():
        return window.step_band.formula.height(), window.step_band.title.height(), user.canvas.scene.enlarged

    until(lambda: sizes()[::2] == (116, 1.0), "the window has other sizes", settle)
    before, size = sizes(), window.size()
    user.press("F5")
    user.press("Esc")
    window.resize(size)
    until(lambda: sizes() == before, "the sizes of before do not come back", settle)
    assert window.transport.speed.isVisible()


# --- a clicker


def to_sign(user, seen=lambda: None) -> None:
    """Go on with a clicker, past the texts and answers that are left, to the sign behind the last step."""
    for _ in range(100):
        if user.window.stage.sign.isVisible():
            return
        user.press("PgDown")
        seen()
    raise AssertionError("no sign")


def test_a_clicker_gives_a_lecture(user):
    """Every step of lesson 1, a sign, and the first step of lesson 2: with one key."""
    user.session.reduce_motion = True
    user.press("F5")
    sign, times = user.window.stage.sign, [0.0]
    to_sign(user, lambda: times.append(user.session.time))
    assert (
        sorted(set(times)) == [float(step) for step in range(len(user.session.timeline) + 1)] == [*dict.fromkeys(times)]
    )
    assert sign.isVisible() and sign.heading.text() == "End of lesson 1: first chain rule."
    assert sign.line.text() == "Next: lesson 2, two paths."
    user.press("PgDown")
    assert user.session.document == open_lesson("2") and user.session.time == 0.0 and not sign.isVisible()
    assert user.window.presenting and user.canvas.shows_all
    user.press("PgUp")
    assert sign.heading.text() == "Start of lesson 2: two paths."
    user.press("PgUp")
    assert user.session.document == open_lesson("1") and user.session.time == len(user.session.timeline)
    user.press("PgUp")
    assert user.session.time == len(user.session.timeline) - 1


def test_the_next_step_is_played(user):
    user.press("F5")
    user.session.playback.set_speed(min(SPEEDS))  # on a busy machine a step would be over
    user.press("PgDown")
    assert user.session.playback.playing and not user.session.playback.plays_on


def test_steps_nudged_a_view_of_the_whole_graph_so_that_it_was_not_fitted_to_the_stage(user):
    user.window.resize(1280, 702)
    user.session.open(open_lesson("two_paths"), None)
    settle()
    user.canvas.zoom_to_fit()
    for step in range(1, 8):
        user.press("Right")
        until(lambda step=step: user.session.time == step and not user.session.playback.playing, "no step", settle)
    user.press("F5")
    calm(user.window)
    assert user.canvas.shows_all


def test_a_sign_gives_way_to_the_other_key(user):
    user.press("F5")
    user.press("End")
    to_sign(user)
    user.press("PgUp")
    assert not user.window.stage.sign.isVisible() and user.session.document == open_lesson("1")
    to_sign(user)
    user.press("Home")
    assert not user.window.stage.sign.isVisible() and user.session.time == 0.0


def test_breakpoints_are_where_a_clicker_stops(user):
    user.session.toggle_breakpoint("b1")
    first = next(step.index for step in user.session.timeline if step.node == "b1")
    user.press("F5")
    user.press("PgDown")
    assert user.session.playback.plays_on
    user.session.playback.advance(60.0)
    assert user.session.time == first
    user.press("End")
    user.press("PgUp")
    assert first < user.session.time < len(user.session.timeline)
    user.session.toggle_breakpoint("b1")


def test_the_last_lesson_and_a_graph_of_ones_own_have_no_next_one(user):
    user.session.open(open_lesson(lessons()[-1].name), None)
    user.press("F5")
    user.press("End")
    for _ in range(3):
        user.press("PgDown")
    assert user.session.document == open_lesson(lessons()[-1].name)
    user.session.open(Document({}), None)
    user.press("PgDown")
    assert user.window.stage.sign.heading.text() == "This was the last step."
    user.press("PgDown")
    assert not user.session.document.nodes


def test_a_changed_lesson_is_left_without_a_dialog_and_the_sign_says_so(user):
    user.session.edit(lambda document: set_value(document, "w0", 3.0), "Set w0")
    user.press("F5")
    user.press("End")
    to_sign(user)
    assert user.window.stage.sign.line.text().endswith("Your changes to this one are not kept.")
    user.press("PgDown")
    assert user.session.document == open_lesson("2") and user.answers.asked == []


@pytest.mark.parametrize(("key", "color"), [("B", BLACK), (".", BLACK), ("W", WHITE), (",", WHITE)])
def test_the_screen_is_blanked_and_comes_back(user, key, color):
    user.press("F5")
    user.press(key)
    image = user.window.grab().toImage()
    corners = [(1, 1), (image.width() - 2, 1), (image.width() // 2, image.height() // 2), (1, image.height() - 2)]
    assert {image.pixelColor(x, y).name() for x, y in corners} == {color}
    assert user.session.time == 0.0 and not user.session.live
    user.press(key)
    assert not user.window.stage.curtain.isVisible()


def test_the_picture_comes_back_before_the_next_step(user):
    user.press("F5")
    user.press("B")
    user.press("PgDown")
    assert not user.window.stage.curtain.isVisible() and user.session.time == 0.0
    assert not user.session.playback.playing
    user.press("W")
    user.press("Esc")
    assert not user.window.presenting and not user.window.stage.curtain.isVisible()


def test_an_audience_sees_the_expressions_while_they_are_used(user):
    bar = user.window.expressions
    on_screen(user, SCREENS[0])
    assert bar.isHidden()
    whole = user.canvas.camera
    user.press("E")
    assert bar.isVisible() and bar.editor.hasFocus()
    user.press("Esc")
    assert bar.isHidden() and user.canvas.hasFocus() and user.window.presenting
    until(lambda: user.canvas.camera == whole, "the graph keeps the room that it had beside the bar", settle)
    user.press("Esc")
    assert bar.isVisible()


def test_no_letter_edits_while_presenting(user):
    user.press("F5")
    user.click(user.name_of("b1"))
    for key in (*ascii_uppercase.replace("E", ""), "Del", "Backspace", "F2"):
        user.press(key)
        assert user.session.document == open_lesson("1") and not user.session.live, key
        assert not user.canvas.fields.search and not user.canvas.fields.editor, key
    user.press("S")  # the spotlight that the letter took
    user.press("Esc")
    assert user.window.menus.action("run.build").shortcuts() == [QKeySequence("B")]


def test_a_slider_with_the_focus_kept_the_clickers_keys(user):
    user.session.reduce_motion = True
    user.press("F5")
    user.window.transport.scrubber.setFocus()
    user.press("PgDown")
    assert user.session.time == 1.0


def test_a_clicker_was_not_heard_right_after_the_presentation_began(user):
    user.session.reduce_motion = True
    for key in (Qt.Key.Key_F5, Qt.Key.Key_PageDown):  # with no turn of the event loop between them
        QTest.keyClick(user.canvas, key)
    assert user.session.time == 1.0


def test_lessons_are_changed_without_leaving(user):
    user.press("F5")
    user.do("stage.next-lesson")
    assert user.session.document == open_lesson("2") and user.window.presenting
    user.do("stage.previous-lesson")
    assert user.session.document == open_lesson("1")
    user.do("stage.previous-lesson")
    assert user.session.document == open_lesson("1")


def test_the_lessons_text_at_this_moment_is_shown(user):
    user.window.desk.begin()
    user.press("F5")
    settle()
    assert user.window.desk.strip.isVisible()
    user.press("T")
    assert not user.window.desk.strip.isVisible()
    user.press("T")
    assert user.window.desk.strip.isVisible()


# --- a training


def present_training(user):
    user.session.open(open_lesson("16"), None)
    user.press("F5")
    user.press("Ctrl+R")
    until(lambda: user.session.learning.trainer.steps > 3, "it learns nothing", settle)
    return user.session.learning


def test_a_training_is_seen_on_the_stage_without_its_settings(user):
    learning = present_training(user)
    panel = user.window.panels["learning"].content
    until(lambda: panel.loss.plot is not None, "the plot never comes", settle)
    assert panel.loss.isVisible() and panel.loss.plot.isVisible() and not panel.form.isVisible()
    assert user.window.step_band.title.text().startswith(f"Step {learning.moment.steps}: L = 0.")
    user.press("Esc")
    assert user.window.presenting and not user.session.learns, "Esc stops it first"
    user.press("Esc")
    assert not user.window.presenting and panel.form.isVisible()


def test_the_panel_of_a_training_cut_the_graph_of_a_lecture(user):
    user.press("F5")
    user.press("Ctrl+R")
    assert user.window.panels["learning"].isVisible()
    seen = user.canvas.camera.visible(QSizeF(user.canvas.size()))
    assert all(seen.contains(user.canvas.places.value_area(name)) for name in user.session.document.nodes)
    user.session.learning.settle()
    user.press("Esc")


@pytest.mark.parametrize("key", ["PgDown", "Right", "Space"])
def test_a_training_stops_when_the_lecture_goes_on(user, key):
    present_training(user)
    user.press(key)
    assert user.window.presenting and not user.session.learns and not user.session.live
    user.session.playback.pause()
    user.press("Esc")


def test_a_training_stops_with_its_lesson_and_nothing_of_it_is_lost(user):
    learning, documents = present_training(user), user.window.documents
    before = len(documents)
    user.press("Ctrl+PgDown")
    assert not user.session.learns and learning.moment is None and user.session.document == open_lesson("17")
    assert len(documents) == before + 1, "what was learnt has a tab"
    user.press("Ctrl+Tab")
    assert user.session.history.undo_label.startswith("Train ")
    if user.window.presenting:
        user.press("F5")
