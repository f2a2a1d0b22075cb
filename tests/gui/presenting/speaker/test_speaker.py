"""The speaker view beside the real window, with real keys and clicks."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication

from cadena.core.graph.edits import move
from cadena.core.methods.reverse.step_text import step_sentence
from cadena.core.teaching import story_edits
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.look.theme import DARK, LIGHT
from cadena.gui.presenting.curtain import Curtain
from cadena.gui.presenting.speaker.moment_thumbnail import MomentPicture
from cadena.gui.presenting.speaker.next_step import coming, place, present
from cadena.gui.presenting.speaker.speaker import Speaker, other_screen
from cadena.gui.presenting.speaker.view import NO_NOTES
from cadena.gui.session.session import Session
from tests.gui.presenting.speaker.test_clock import Hands
from tests.gui.session.test_story_progress import STORY, with_story
from tests.gui.user import LEFT, settle


@pytest.fixture
def hands():
    return Hands()


@pytest.fixture
def speaker(user, hands):
    user.session.reduce_motion = True
    window = user.window
    window.stage._speaker = made = Speaker(window, hands)
    user.do("stage.speaker")
    assert QTest.qWaitForWindowExposed(made.view)
    yield made
    made.view.close()
    window.removeEventFilter(made)
    window.stage._speaker = None
    made.view.deleteLater()


def press(speaker, key, modifiers=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(speaker.view, key, modifiers)
    settle()


def click(button):
    QTest.mouseClick(button, LEFT, Qt.KeyboardModifier.NoModifier, button.rect().center())
    settle()


def notes(speaker):
    return speaker.view.notes.toPlainText()


# --- when it is shown


def test_the_command_shows_the_speaker_view_and_closes_it(user, speaker):
    assert speaker.shown and user.window.menus.action("stage.speaker").isChecked()
    user.window.menus.run("stage.speaker")
    assert not speaker.shown and not user.window.menus.action("stage.speaker").isChecked()


def test_the_speaker_view_closes_with_the_window_and_never_keeps_the_program_alive(user, speaker):
    assert not speaker.view.testAttribute(Qt.WidgetAttribute.WA_QuitOnClose)
    user.window.hide()
    assert not speaker.shown
    user.window.show()


def test_on_one_screen_presenting_shows_no_window_over_the_stage(user):
    user.press("F5")
    assert user.window.presenting and not user.window.stage.speaker_shown
    user.press("Esc")


def test_on_two_screens_the_speaker_view_comes_and_goes_with_the_stage(user, speaker, monkeypatch):
    speaker.view.close()
    user.window.activateWindow()
    assert QTest.qWaitForWindowActive(user.window)
    here = user.window.screen()
    monkeypatch.setattr("cadena.gui.presenting.speaker.speaker.other_screen", lambda taken, screens: here)
    monkeypatch.setattr("cadena.gui.presenting.stage.QGuiApplication.screens", lambda: [here, here])
    user.press("F5")
    assert speaker.shown and speaker.view.swap.isVisible()
    press(speaker, Qt.Key.Key_Escape)
    assert not user.window.presenting and not speaker.shown


def test_the_other_screen_is_the_one_that_the_window_does_not_take():
    laptop, projector = object(), object()
    assert other_screen(projector, [laptop, projector]) is laptop
    assert other_screen(laptop, [laptop, projector]) is projector
    assert other_screen(laptop, [laptop]) is None


# --- what it shows


def test_notes_follow_the_moments_of_the_story(user, speaker):
    document = story_edits.set_notes(with_story(*STORY), "For *all*")
    document.extra["lesson"]["story"][0]["notes"] = "Ask **first**"
    user.session.open(document, None)
    settle()
    assert notes(speaker) == "Ask first"
    user.session.set_time(float("inf"))
    assert notes(speaker) == "For all"  # where a moment has none


def test_question_answer_and_next_text_are_there_before_the_audience_sees_them(user, speaker):
    view = speaker.view
    kinds = {  # a text without a question, one with, its answer shown, one of several at the end, the last one
        0: ("", "How strongly does", "which nodes"),
        4: ("Which number arrives at b1? → −7.", "What is the gradient of w0? → −28.", "Typical mistake"),
        6: ("By how much does L change? → −14.", "Code panel", ""),
        7: ("", "", "requires_grad"),
    }
    for number, (question, after, remark) in kinds.items():
        user.session.telling.show(number)
        settle()
        for is_shown in (False, True):
            if is_shown and question:
                user.session.telling.show_answer()
                settle()
            assert question in view.question.toPlainText() and view.question.isVisible() == bool(question)
            assert after in view.next_text.toPlainText() and view.next_text.isVisible() == bool(after)
            assert remark in notes(speaker)
            for text in (view.question, view.next_text):
                assert text.document().size().height() <= text.viewport().height() + 1 or text.isHidden()


def test_notes_follow_also_while_the_story_is_put_away(user, speaker):
    document = with_story(*STORY)
    document.extra["lesson"]["story"][0]["notes"] = "begin"
    document.extra["lesson"]["story"][2]["notes"] = "seed"
    user.session.open(document, None)
    user.window.desk.toggle_story()
    assert not user.session.telling.is_shown and notes(speaker) == "begin"
    user.session.set_time(9.0)
    assert notes(speaker) == "seed"
    user.window.desk.toggle_story()


def test_a_document_without_a_story_has_notes_of_its_own(user, speaker):
    user.session.open(with_story(), None)
    assert notes(speaker) == NO_NOTES.strip("*")
    user.session.edit(lambda document: story_edits.set_notes(document, "with $x^2$"), "Edit the notes")
    settle()
    assert "with" in notes(speaker)


def test_this_step_and_the_next_one_are_told_and_pictured(user, speaker):
    session, view = user.session, speaker.view
    session.set_time(12.0)
    assert view.place.text() == f"Step 12 of {len(session.timeline)}"
    assert view.now_words.text() == step_sentence(session.timeline, 11)
    assert view.after_words.text() == step_sentence(session.timeline, 12)
    view.after.resize(view.now.size())
    assert view.now.grab().toImage() != view.after.grab().toImage()


def test_the_picture_of_the_next_step_is_what_the_audience_sees_then(qapp):
    session, pictures = Session(open_lesson("1")), []
    for time, moment in ((12.0, coming), (13.0, present)):
        session.set_time(time)
        picture = MomentPicture("a step", LIGHT)
        picture.resize(400, 220)
        picture.show_moment(moment(session))
        pictures.append(picture.grab().toImage())
    assert pictures[0] == pictures[1]


def test_pictures_have_cards_where_they_were_moved_to(user, speaker):
    before = speaker.view.after.grab().toImage()
    user.session.edit(lambda document: move(document, {"w0": (-200.0, -300.0)}), "Move w0")
    settle()
    assert speaker.view.after.grab().toImage() != before


def test_the_next_step_is_told_once_while_this_one_is_under_way(user, speaker, monkeypatch):
    told = []
    monkeypatch.setattr(
        "cadena.gui.presenting.speaker.view.coming", lambda session: told.append(session) or coming(session)
    )
    for time in (3.1, 3.2, 3.6, 4.0):
        user.session.set_time(time)
    assert len(told) == 1
    user.session.set_time(4.1)
    assert len(told) == 2


def test_at_the_end_the_next_lesson_is_named(user, speaker):
    user.session.set_time(float("inf"))
    assert speaker.view.after_words.text() == "This is the last step. Next: lesson 2, two paths."
    assert speaker.view.after.isHidden()


def test_a_moment_is_a_pure_function_of_the_session(qapp):
    session = Session(open_lesson("1"))
    session.set_time(3.4)
    assert (present(session).frame.time, coming(session).frame.time) == (3.4, 5.0)  # a step under way ends first
    assert place(session) == "Step 4 of 21"
    session.show_live()
    assert present(session).live and coming(session).frame.time == 1.0 and place(session) == "All 21 steps"


def test_the_clock_runs_from_the_first_showing_and_is_paused_and_reset(speaker, hands):
    view = speaker.view
    assert view.elapsed.text() == "0:00"
    hands.go_on(minutes=12, seconds=7)
    view._beat.timeout.emit()
    assert view.elapsed.text() == "12:07" and view.day.text() == speaker.clock.time_of_day
    click(view.pause)
    assert view.pause.text() == "Go on"
    hands.go_on(minutes=5)
    view._beat.timeout.emit()
    assert view.elapsed.text() == "12:07"
    click(view.reset)
    assert view.elapsed.text() == "0:00"
    click(view.pause)
    assert view.pause.text() == "Pause"


def test_the_view_is_shown_in_the_theme_of_the_window(user, speaker):
    user.window.choose_theme("dark")
    settle()
    corner = QColor(speaker.view.grab().toImage().pixel(2, 2)).name()
    user.window.choose_theme("light")
    assert corner == DARK.window


@pytest.mark.parametrize("size", [QSize(800, 480), QSize(1280, 720), QSize(1920, 1080)])
def test_type_is_read_at_arms_length_and_nothing_is_cut(speaker, size):
    view = speaker.view
    view.resize(size)
    settle()
    assert view.notes.font().pixelSize() >= size.height() / 40
    for label in (view.day, view.elapsed, view.place, view.now_words, view.after_words):
        room = label.fontMetrics().boundingRect(label.rect(), Qt.TextFlag.TextWordWrap, label.text())
        assert label.rect().adjusted(-1, -1, 1, 1).contains(room)
    parts = (view.now, view.now_words, view.after, view.after_words, view.notes, view.place, view.pause)
    assert all(view.rect().contains(part.geometry()) for part in parts)


def test_every_control_has_a_name_for_screen_readers(speaker):
    buttons = speaker.view.findChildren(QAbstractButton)
    assert buttons and all(button.text() or button.accessibleName() for button in buttons)
    assert all(part.accessibleName() for part in (speaker.view.day, speaker.view.elapsed, speaker.view.now))


# --- keys


def test_a_clickers_keys_in_the_speaker_view_lead_the_stage(user, speaker):
    user.press("F5")
    speaker.view.activateWindow()
    press(speaker, Qt.Key.Key_PageDown)
    press(speaker, Qt.Key.Key_PageDown)
    assert user.session.time == 2
    press(speaker, Qt.Key.Key_PageUp)
    assert user.session.time == 1
    curtain = user.window.findChild(Curtain)
    press(speaker, Qt.Key.Key_B)
    assert curtain.isVisible() and curtain.color == "black"
    press(speaker, Qt.Key.Key_W)
    assert curtain.isVisible() and curtain.color == "white"
    press(speaker, Qt.Key.Key_PageDown)  # the picture comes first
    assert not curtain.isVisible() and user.session.time == 1
    press(speaker, Qt.Key.Key_Escape)
    assert not user.window.presenting and speaker.shown  # it was there before
    press(speaker, Qt.Key.Key_Escape)
    assert not speaker.shown


def test_without_a_stage_the_keys_lead_the_steps_and_blank_nothing(user, speaker):
    press(speaker, Qt.Key.Key_PageDown)
    press(speaker, Qt.Key.Key_Right)
    assert user.session.time == 2
    press(speaker, Qt.Key.Key_B)
    assert not any(curtain.isVisible() for curtain in user.window.findChildren(Curtain))
    assert not user.session.live  # where B is no key of an editor


def test_up_and_down_scroll_long_notes(user, speaker):
    notes = "\n\n".join(f"paragraph {number}" for number in range(80))
    user.session.edit(lambda document: story_edits.set_notes(document, notes), "Edit the notes")
    user.session.open(story_edits.set_notes(with_story(), notes), None)
    settle()
    bar = speaker.view.notes.verticalScrollBar()
    press(speaker, Qt.Key.Key_Down)
    assert bar.value() > 0
    press(speaker, Qt.Key.Key_Up)
    assert bar.value() == 0


def test_a_click_on_a_button_leaves_the_keys_to_the_lecture(user, speaker):
    click(speaker.view.pause)
    assert QApplication.focusWidget() is not speaker.view.pause
    press(speaker, Qt.Key.Key_PageDown)
    assert user.session.time == 1
