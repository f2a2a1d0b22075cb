"""The lesson editor in the window, with real keys and clicks."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from cadena.core.storage.files import load
from cadena.core.teaching.lessons import open_lesson
from cadena.core.teaching.moments import Moment
from cadena.core.teaching.story import Choices, StoryBeside, StoryQuestion, story_of
from cadena.gui.panels.lessons.lesson_editor import moment_words
from cadena.gui.panels.steps.question_form import CHOICE, NONE, NUMBER, OPEN, as_lines, read_choices
from tests.gui.session.test_story_progress import END, START, STORY, with_story
from tests.gui.user import LEFT, settle


@pytest.fixture
def editor(user):
    user.session.reduce_motion = True
    user.session.open(with_story(), None)
    user.do("view.story")
    settle()
    yield user.window.panels["story"].content
    if not user.window.panels["story"].isHidden():
        user.window.toggle_panel("story")


def click(button):
    QTest.mouseClick(button, LEFT, Qt.KeyboardModifier.NoModifier, button.rect().center())
    settle()


def write(field, text):
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    settle()


def choose(chooser, name):
    chooser.setCurrentIndex(chooser.findData(name))
    chooser.activated.emit(chooser.currentIndex())
    settle()


def story(user):
    return story_of(user.session.document)


def strip_text(user):
    return user.window.desk.strip.text.toPlainText()


def test_a_text_is_added_for_the_present_moment_and_shown_at_once(user, editor):
    assert editor._empty.isVisible() and not editor.steps.isVisible()
    user.session.set_time(9.0)
    click(editor.add)
    write(editor.text, "the *seed* is 1")
    assert [(step.at, step.text) for step in story(user).steps] == [(Moment("seed", "L"), "the *seed* is 1")]
    assert strip_text(user) == "the seed is 1"  # the preview
    assert editor.moment.text() == "after L (seed)"


def test_what_is_typed_into_a_field_is_one_undo_step(user, editor):
    click(editor.add)
    write(editor.text, "a text")
    assert user.session.history.undo_label == "Edit the lesson"
    user.session.undo()
    assert story(user).steps[0].text == "A new text" and editor.text.toPlainText() == "A new text"
    user.session.undo()
    assert not story(user).steps and not user.window.desk.isVisible()
    user.session.redo()
    user.session.redo()
    assert story(user).steps[0].text == "a text" and strip_text(user) == "a text"


def test_texts_are_chosen_moved_and_removed(user, editor):
    user.session.open(with_story(*STORY), None)
    settle()
    editor.steps.setCurrentRow(2)
    assert user.session.time == 9 and editor.text.toPlainText() == "seed" and editor.pause.isChecked()
    click(editor.up)
    assert [step.text for step in story(user).steps][:3] == ["first", "seed", "product"]
    assert editor.steps.currentRow() == 1
    click(editor.down)
    click(editor.remove)
    assert [step.text for step in story(user).steps] == ["first", "product", "before", "all", "once more"]
    editor.steps.setCurrentRow(0)
    assert not editor.up.isEnabled() and editor.down.isEnabled()


def test_a_text_is_put_at_another_moment_while_others_are_there(user, editor):
    user.session.open(with_story(*STORY), None)
    settle()
    editor.steps.setCurrentRow(1)
    user.session.set_time(12.0)
    assert editor.text.toPlainText() == "product"  # it stays chosen
    click(editor.here)
    moment = story(user).steps[1].at
    assert moment.phase == "reverse" and editor.moment.text() == moment_words(moment)
    editor.before.click()
    assert story(user).steps[1].at.before
    assert user.session.telling.times[1].time == 12


def test_notes_for_the_teacher_are_written_beside_the_text(user, editor):
    click(editor.add)
    write(editor.notes, "ask *first*")
    assert story(user).steps[0].notes == "ask *first*" and "ask" not in strip_text(user)
    user.session.undo()
    assert story(user).steps[0].notes == "" and editor.notes.toPlainText() == ""


def test_a_document_without_a_story_has_notes_on_the_whole(user, editor):
    write(editor.whole_notes, "greet them")
    assert user.session.document.extra["notes"] == "greet them"
    user.session.undo()
    assert "notes" not in user.session.document.extra and editor.whole_notes.toPlainText() == ""


def test_another_method_is_chosen_to_stand_beside_the_lesson(user, editor):
    click(editor.add)
    choose(editor.beside, "forward")
    assert story(user).view.beside == StoryBeside("forward")
    choose(editor.beside, "none")
    assert story(user).view.beside is None and "beside" not in user.session.document.extra["lesson"]["view"]
    user.session.undo()
    assert editor.beside.currentData() == "forward"


def test_pause_panel_and_node_of_a_text(user, editor):
    click(editor.add)
    editor.pause.click()
    choose(editor.panel, "paths")
    user.session.select(["w0"])
    click(editor.selected)
    (step,) = story(user).steps
    assert (step.pause, step.panel, step.node) == (True, "paths", "w0") and editor.node.text() == "w0"
    user.session.select([])
    click(editor.selected)
    choose(editor.panel, "none")
    (step,) = story(user).steps
    assert (step.panel, step.node) == ("", "")


def test_a_question_with_a_number(user, editor):
    click(editor.add)
    form = editor.question
    choose(form.kind, NUMBER)
    write(form.ask, "What is $L$?")
    write(form.answer, "15 - 269")
    write(form.because, "so it is")
    assert story(user).steps[0].question == StoryQuestion("What is $L$?", "15 - 269", "so it is")
    write(form.answer, "many")
    assert form.trouble.text.startswith("'many' is not a number")
    assert story(user).steps[0].question.answer == "15 - 269"  # the last that could be read
    field = user.window.desk.strip.asking.field
    write(form.answer, "-254")
    QTest.mouseClick(field, LEFT)
    user.type("-254")
    assert "so it is" in strip_text(user)
    choose(form.kind, NONE)
    assert story(user).steps[0].question is None and not form.ask.isVisible()


def test_a_question_with_choices_and_one_that_is_only_opened(user, editor):
    click(editor.add)
    form = editor.question
    choose(form.kind, CHOICE)
    write(form.ask, "Which?")
    assert form.choices.toPlainText() == "* yes\nno"
    form.choices.setPlainText("left\n* right")
    assert story(user).steps[0].question == StoryQuestion("Which?", Choices(("left", "right"), 1))
    form.choices.setPlainText("left\nright")
    assert form.trouble.text == "Put * before the right choice."
    assert story(user).steps[0].question.solution == "right"  # as long as none is marked
    choose(form.kind, OPEN)
    assert story(user).steps[0].question == StoryQuestion("Which?") and not form.choices.isVisible()


def test_title_summary_and_the_opening_view(user, editor):
    write(editor.title, "my lesson")
    write(editor.summary, "what it is about")
    about = user.session.document.extra["lesson"]
    assert (about["title"], about["summary"]) == ("my lesson", "what it is about")
    assert about["text"] == open_lesson("1").extra["lesson"]["text"]
    click(editor.add)
    user.session.set_time(9.0)
    user.session.select(["w0"])
    click(editor.opens)
    view = story(user).view
    assert (view.at, view.node) == (Moment("seed", "L"), "w0")
    assert editor.opening.text() == "The lesson opens after L (seed), w0."


def test_a_lesson_is_saved_as_an_ordinary_file(user, editor, tmp_path):
    click(editor.add)
    write(editor.text, "a text with $x$")
    user.answers.path = tmp_path / "mine.cadena"
    user.press("Ctrl+S")
    assert [step.text for step in story_of(load(user.answers.path)).steps] == ["a text with $x$"]


def test_any_document_can_become_a_lesson(user, editor):
    user.press("Ctrl+N")
    settle()
    click(editor.add)
    write(editor.text, "nothing yet")
    assert [step.text for step in story(user).steps] == ["nothing yet"] and strip_text(user) == "nothing yet"
    user.session.undo()
    user.session.undo()
    assert user.session.document.extra == {}


def test_what_is_wrong_with_a_story_is_said(user, editor):
    user.session.open(with_story({"at": START, "text": "a"}, {"at": {"phase": "tangent"}, "text": "b"}), None)
    settle()
    assert editor.trouble.text.startswith("Lesson, story step 2: there is no such moment in the steps")
    editor.steps.setCurrentRow(1)
    click(editor.here)
    assert editor.trouble.text == ""
    user.session.open(with_story({"at": END, "text": 3}), None)
    settle()
    assert editor.trouble.text == "Lesson, story step 1: text must be a text; correct it."


@pytest.mark.parametrize(
    ("moment", "words"),
    [
        (Moment("start"), "at the start"),
        (Moment("end"), "at the end"),
        (Moment("forward", "b1"), "after b1 (forward)"),
        (Moment("reverse", "m1", "w0", before=True), "before m1 → w0 (reverse)"),
        (Moment("seed"), "after seed"),
        (Moment(step=3), "after step 3"),
    ],
)
def test_moments_in_words(moment, words):
    assert moment_words(moment) == words


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("* a\nb", Choices(("a", "b"), 0)),
        (" a \n\n*b\n", Choices(("a", "b"), 1)),
        ("a\nb", None),
        ("* a\n* b", None),
        ("* a", None),
        ("", None),
    ],
)
def test_choices_are_lines_with_a_star_before_the_right_one(text, choices):
    assert read_choices(text) == choices
    assert choices is None or read_choices(as_lines(choices)) == choices
