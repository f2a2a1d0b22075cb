"""The panel of predicting, with real keys: question, answer, hints, score, new numbers."""

from __future__ import annotations

import csv

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.gui.user import settle


@pytest.fixture
def panel(user):
    user.window.files.open_lesson("two_paths")
    user.session.reduce_motion = True
    user.window.toggle_panel("predict")
    settle()
    return user.window.panels["predict"].open()


@pytest.fixture
def asked(user, panel):
    """The question for the gradient of a1, after one of its paths."""
    user.session.set_time(22.0)
    user.session.telling.show_answer()
    user.canvas.setFocus()
    user.press("Right")
    return panel


def answer(panel, text):
    panel.answer.selectAll()
    QTest.keyClicks(panel.answer, text)
    QTest.keyClick(panel.answer, Qt.Key.Key_Return)
    settle()


def test_a_step_asks_before_its_result_and_takes_the_keys(asked):
    assert asked.question.text() == "a1 already has −27. What is ∂L/∂a1 after this step?"
    assert QApplication.focusWidget() is asked.answer and not asked.save.isEnabled()


def test_a_mistake_is_named_and_the_right_answer_goes_on(user, asked):
    answer(asked, "-14")
    assert asked.verdict.text().startswith("That is what this path brings") and asked.answer.selectedText() == "-14"
    answer(asked, "x")
    assert asked.verdict.text().startswith("'x' is not a number")
    answer(asked, "-27-14")
    assert user.session.time == 23.0 and QApplication.focusWidget() is user.canvas
    assert asked.score.text() == "1 of 1 right, 0 at once. What went wrong: forgot the other path"
    assert asked.answers.text() == "✓ ∂L/∂a1 = -27-14"


def test_the_numbers_of_the_product_came_before_it_was_asked_for(user, panel):
    """The band showed 1 · (−1) while the question was what c gets through L."""
    panel.chips["contribution"].click()
    user.pass_questions()
    user.session.set_time(9.0)
    user.canvas.setFocus()
    user.press("Right")
    assert panel.question.text() == "What does ∂L/∂c get through L?"
    band = user.window.step_band.formula
    assert all("partial" in part.latex for part in band.seen) and len(band.seen) == 3
    assert "1" not in user.window.step_band.title.text()
    for count in (1, 2, 3):
        panel.hint.click()
        assert any("-1" in part.latex for part in band.seen) is (count == 3)
    answer(panel, "-1")
    assert "-1" in band.seen[-1].latex


def test_hints_come_one_by_one(asked):
    for count in (1, 2, 3):
        asked.hint.click()
        assert len(asked.hints.text().splitlines()) == count
    assert asked.hints.text().endswith("∂L/∂a1 = −27 + (−14).") and not asked.hint.isEnabled()


def test_a_result_is_shown_on_request_and_counts_as_not_answered(user, asked):
    asked.reveal.click()
    assert user.session.time == 23.0
    assert asked.score.text() == "0 of 1 right, 0 at once" and asked.answers.text() == "– ∂L/∂a1 = …"


def test_the_score_is_saved_as_a_table(user, asked, tmp_path):
    answer(asked, "-41")
    user.answers.path = tmp_path / "score.csv"
    asked.save.click()
    (row,) = csv.DictReader((tmp_path / "score.csv").read_text("utf-8").splitlines())
    assert row["question"] == "∂L/∂a1" and row["right"] == "yes"


def test_new_numbers_are_one_edit_that_can_be_undone(user, panel):
    before = user.session.document
    panel.anew.click()
    settle()
    assert user.session.document.nodes.keys() == before.nodes.keys() and user.session.document != before
    assert user.session.time == 0.0 and not user.session.live
    user.session.undo()
    assert user.session.document == before


def test_closing_the_panel_ends_the_questions(user, asked):
    user.window.toggle_panel("predict")
    assert not user.session.predicting.on and user.session.predicting.open is None
    user.canvas.setFocus()
    user.press("Right")
    assert user.session.time == 23.0


def test_by_difficulty_the_teachers_choice_rests(panel):
    panel.by_level.click()
    assert [name for name, chip in panel.chips.items() if chip.isChecked()] == ["value"]
    assert not any(chip.isEnabled() for chip in panel.chips.values())
