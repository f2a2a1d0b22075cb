"""Two methods or two graphs side by side in the real window, with real keys and clicks."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from cadena.core.graph.edits import set_value
from cadena.core.methods.names import METHODS
from cadena.core.storage.encoding import encode
from cadena.core.teaching import story_edits
from cadena.core.teaching.lessons import open_lesson
from cadena.core.teaching.story import StoryBeside, StoryView, story_of
from cadena.gui.look.theme import THEMES
from cadena.gui.panels.steps.step_band import StepBand
from cadena.gui.presenting.comparison.bar import BesideBar
from cadena.gui.presenting.comparison.canvas import SecondCanvas
from tests.gui import mouse
from tests.gui.session.test_story_progress import with_story
from tests.gui.user import LEFT, calm, settle


@pytest.fixture
def user(user):
    user.session.reduce_motion = True
    yield user
    if bar(user) is not None:
        user.window.menus.run("compare.toggle")
    settle()


def bar(user) -> BesideBar | None:
    return next((bar for bar in user.window.findChildren(BesideBar) if not bar.isHidden()), None)


def canvas_of(user) -> SecondCanvas | None:
    return next((view for view in user.window.findChildren(SecondCanvas) if not view.isHidden()), None)


def second(user):
    return canvas_of(user).session


def titles(user) -> tuple[str, str]:
    return bar(user).left.text(), bar(user).right.text()


def click(button):
    QTest.mouseClick(button, LEFT, Qt.KeyboardModifier.NoModifier, button.rect().center())
    settle()


# --- coming and going


def test_a_key_shows_another_method_beside_the_chosen_one_and_closes_it(user):
    user.do("compare.toggle")
    assert titles(user) == ("Reverse mode", "Forward mode")
    assert user.window.menus.action("compare.toggle").isChecked()
    user.do("compare.toggle")
    assert bar(user) is None and canvas_of(user) is None
    assert [band for band in user.window.findChildren(StepBand) if not band.isHidden()] == [user.window.step_band]


def test_esc_closes_the_right_side_and_then_does_what_it_did(user):
    user.session.select(["w0"])
    user.do("compare.toggle")
    user.press("Esc")
    assert bar(user) is None and user.session.selection == {"w0"}
    user.press("Esc")
    assert not user.session.selection


def test_esc_closes_the_right_side_before_it_ends_the_presentation(user):
    user.press("F5")
    user.do("compare.toggle")
    assert bar(user) is not None
    user.press("Esc")
    assert bar(user) is None and user.window.presenting
    user.press("Esc")
    assert not user.window.presenting


def test_esc_in_a_field_is_the_fields(user):
    user.do("compare.toggle")
    user.press("Ctrl+K")
    user.press("Esc")
    assert bar(user) is not None


def test_the_close_button_and_the_window_close_it(user):
    user.do("compare.toggle")
    click(bar(user).close_button)
    assert bar(user) is None
    assert user.canvas.hasFocus()


def test_everything_is_in_its_place_again_afterwards(user):
    window = user.window
    settle()
    before = [part.geometry() for part in (user.canvas, window.step_band, window.transport, window.inspector)]
    user.do("compare.toggle")
    user.press("Esc")
    for _ in range(5):
        settle()
    assert [part.geometry() for part in (user.canvas, window.step_band, window.transport, window.inspector)] == before


def test_another_document_closes_it(user):
    user.do("compare.toggle")
    user.session.open(open_lesson("2"), None)
    assert bar(user) is None


@pytest.mark.some(2)
@pytest.mark.parametrize("name", list(METHODS))
def test_every_method_is_shown_beside(user, name):
    user.window.menus.run(f"compare.{name}")
    second(user).finish_steps()
    assert titles(user)[1] == METHODS[name].title and user.window.menus.action(f"compare.{name}").isChecked()
    user.session.set_time(float("inf"))
    assert second(user).time == len(second(user).timeline) > 0


def test_a_method_takes_the_place_of_another(user):
    user.window.menus.run("compare.forward")
    session = second(user)
    user.window.menus.run("compare.symbolic")
    assert second(user) is session and titles(user)[1] == "Symbols"


# --- other graphs


def test_a_lesson_is_chosen_from_the_bar(user):
    user.do("compare.toggle")
    choices = bar(user).choices
    choices.aboutToShow.emit()
    lesson = next(action for action in choices.actions() if action.menu()).menu().actions()[2]
    lesson.trigger()
    settle()
    assert titles(user) == ("a first chain rule", "order matters") or titles(user)[1].endswith("order matters")
    assert second(user).document == open_lesson("3") and user.session.document == open_lesson("1")
    user.session.set_time(float("inf"))
    assert second(user).time == len(second(user).timeline)


def test_a_file_is_shown_beside_and_a_broken_one_is_refused(user, tmp_path):
    path = tmp_path / "homework.cadena"
    path.write_bytes(encode(open_lesson("2")))
    user.answers.path = path
    user.do("compare.file")
    assert titles(user)[1] == "homework" and second(user).document == open_lesson("2")
    assert user.session.path is None  # it is not opened
    said = []
    user.session.message.connect(said.append)
    path.write_text("nonsense")
    user.window.menus.run("compare.file")
    assert said and "homework" in said[0] and titles(user)[1] == "homework"
    user.session.message.disconnect(said.append)


def test_a_cancelled_choice_changes_nothing(user):
    user.answers.path = None
    user.window.menus.run("compare.file")
    assert bar(user) is None


# --- played together


def test_a_clickers_keys_lead_both_sides_on_the_stage(user):
    user.press("F5")
    user.do("compare.toggle")
    second(user).finish_steps()
    user.press("PgDown")
    user.press("PgDown")
    assert user.session.time == 2 and second(user).time == 3  # of 21 and of 40 steps
    user.press("PgUp")
    assert second(user).time == 1
    user.press("Esc")
    user.press("Esc")


def test_each_side_has_its_own_sentence(user):
    user.do("compare.toggle")
    second(user).finish_steps()
    user.session.set_time(21.0)
    left, right = user.window.step_band, user.window.findChildren(StepBand)[-1]
    calm(left, right)
    assert left.title.text().startswith("w0 receives")
    assert right.title.text().startswith("Forward mode, pass 5 of 5")


def test_step_by_step_and_by_share_are_chosen_and_told(user):
    user.do("compare.toggle")
    second(user).finish_steps()
    user.session.set_time(4.0)
    assert second(user).time == 7 and "by share of the way" in bar(user).sentence.text()
    user.do("compare.by-step")
    assert second(user).time == 4 and "step by step" in bar(user).sentence.text()
    user.window.menus.run("compare.symbolic")
    assert "step by step" in bar(user).sentence.text()


def test_build_mode_shows_both_sides_whole(user):
    user.do("compare.toggle")
    user.session.set_time(3.0)
    user.press("B")
    assert user.session.live and second(user).live


def test_an_edit_changes_both_sides(user):
    user.do("compare.toggle")
    user.session.edit(lambda document: set_value(document, "w0", 3.0), "Set w0")
    settle()
    assert second(user).document is user.session.document and second(user).run is user.session.run


# --- a lesson's own view


def test_a_lesson_opens_with_what_its_view_has_beside(user):
    view = StoryView(beside=StoryBeside(method="forward", by_step=True))
    user.session.open(story_edits.set_view(with_story(), view), None)
    settle()
    assert titles(user)[1] == "Forward mode" and "step by step" in bar(user).sentence.text()
    view = StoryView(beside=StoryBeside(lesson="order_matters"))
    user.session.open(story_edits.set_view(with_story(), view), None)
    settle()
    assert second(user).document == open_lesson("3")
    user.session.open(open_lesson("1"), None)
    settle()
    assert bar(user) is None


def test_a_lesson_that_is_not_there_is_refused_in_a_sentence(user):
    said = []
    user.session.message.connect(said.append)
    view = StoryView(beside=StoryBeside(lesson="nowhere"))
    user.session.open(story_edits.set_view(with_story(), view), None)
    settle()
    user.session.message.disconnect(said.append)
    assert bar(user) is None and "there is no lesson nowhere" in said[0].lower()


def test_a_view_with_an_unknown_method_is_a_fault():
    document = with_story()
    document.extra["lesson"]["view"] = {"beside": {"method": "guessing"}}
    (fault,) = story_of(document).faults
    assert "method must be one of reverse, forward" in str(fault)


# --- look


@pytest.mark.some(2)
@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
@pytest.mark.parametrize("on_stage", [False, True])
def test_half_the_width_each_and_nothing_cut_at_1280x720(user, theme, on_stage):
    window = user.window
    window.choose_theme(theme)
    if on_stage:
        user.press("F5")
    user.do("compare.toggle")
    for _ in range(8):
        window.resize(QSize(1280, 720))
        settle()
    canvas = canvas_of(user)
    assert (
        abs(canvas.width() - user.canvas.width()) <= 2
        and canvas.width() + user.canvas.width() + (0 if window.dock.isHidden() else window.dock.width()) >= 1270
    )
    for label in (bar(user).left, bar(user).right, bar(user).sentence):
        assert QFontMetrics(label.font()).horizontalAdvance(label.text()) <= label.width()
        assert label.height() >= label.fontMetrics().height()
    for view in (canvas, user.canvas):
        shown = view.camera.visible(view.size().toSizeF())
        assert shown.contains(view.places.bounds())
    bands = [band for band in window.findChildren(StepBand) if not band.isHidden()]
    assert len({band.width() for band in bands}) <= 2 and abs(bands[0].width() - bands[1].width()) <= 2
    assert all(band.settings.isHidden() or band.rect().contains(band.settings.geometry()) for band in bands)
    assert window.width() == 1280 and canvas.theme.window == THEMES[theme].window
    user.press("Esc")
    if on_stage:
        user.press("Esc")


def test_panels_fold_for_the_two_sides_and_come_back(user):
    window = user.window
    window.resize(1100, 720)
    settle()
    user.do("compare.toggle")
    assert window.inspector.isHidden() and window.dock.isHidden()
    user.press("Esc")
    assert window.inspector.isVisible() and window.dock.isVisible()


def test_every_control_has_a_name_for_screen_readers(user):
    user.do("compare.toggle")
    assert all(button.text() for button in bar(user).findChildren(QAbstractButton))
    assert canvas_of(user).accessibleName() == "Canvas of the right side"


def test_the_right_side_is_moved_by_the_mouse_and_fits_again(user):
    user.do("compare.toggle")
    view = canvas_of(user)
    before = view.camera
    middle = view.rect().center()
    QTest.mousePress(view, LEFT, Qt.KeyboardModifier.NoModifier, middle)
    mouse.point_at(view, middle + view.rect().topLeft() / 2)
    QTest.mouseRelease(view, LEFT, Qt.KeyboardModifier.NoModifier, middle)
    view.zoom_in()
    assert view.camera != before
    QTest.mouseDClick(view, LEFT, Qt.KeyboardModifier.NoModifier, middle)
    assert view.shows_all and user.canvas.hasFocus()


def test_in_half_a_window_settings_leave_their_room_to_the_formula(user):
    window = user.window
    window.choose_theme("projector")
    window.resize(1280, 720)
    user.session.open(open_lesson("13"), None)
    settle()
    user.window.menus.run("compare.forward")
    second(user).finish_steps()
    for _ in range(5):
        settle()
    bands = [band for band in window.findChildren(StepBand) if not band.isHidden()]
    assert all(band.settings.isHidden() and band.formula.height() >= 40 for band in bands)
    user.press("Esc")
    window.resize(1600, 1000)
    for _ in range(5):
        settle()
    assert not window.step_band.settings.isHidden()


def test_the_list_of_what_to_compare_with_had_no_title(user):
    user.do("compare.with")
    search = user.window.search
    assert search.placeholderText() == "Compare with…" and search.hasFocus()
    assert {entry.group for entry in search.shown} == {"Compare with"}
    user.press("Esc")


def test_two_graphs_say_in_which_numbers_they_differ(user, tmp_path):
    path = tmp_path / "other.cadena"
    path.write_bytes(encode(set_value(set_value(open_lesson("1"), "w0", 2.5), "a1", -1.0)))
    user.answers.path = path
    user.do("compare.file")
    assert bar(user).sentence.text().startswith("Different: w0 (2 | 2.5) and a1 (4 | −1).")
    user.session.edit(lambda document: set_value(set_value(document, "w0", 2.5), "a1", -1.0), "Set both")
    settle()
    assert bar(user).sentence.text().startswith("The same leaves have the same values.")
