"""Predicting: the steps pause before each result, mistakes are named, answers lead on."""

from __future__ import annotations

import pytest

from cadena.core.graph.fault import Refused
from cadena.core.teaching.asking import QUANTITIES
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.session.playback import STEP_SECONDS
from cadena.gui.session.predictions import NOT_YET
from cadena.gui.session.session import Session

LAST = 22  # the step in which the second contribution comes to a1


@pytest.fixture
def session(qapp):
    made = Session(open_lesson("two_paths"))
    made.predicting.set_on(True)
    yield made
    made.playback.pause()


def play(session, steps=9.0):
    session.playback.play()
    session.playback.advance(STEP_SECONDS * steps)


def test_playing_pauses_before_each_gradient_and_not_before_values(session):
    play(session, 12)
    assert session.predicting.open.sentence == "What is ∂L/∂c after this step?"
    assert not session.playback.playing and session.frame.gradient("c") is None


def test_the_forgotten_path_of_lesson_2_is_caught(session):
    session.set_time(float(LAST))
    play(session)
    predicting = session.predicting
    assert predicting.open.subject == "∂L/∂a1" and session.frame.gradient("a1") == -27.0
    assert not predicting.answer("-14")
    assert predicting.verdict.startswith("That is what this path brings: a1 has more")
    assert predicting.answer("−27 − 14")
    (attempt,) = predicting.attempts
    assert attempt.right and attempt.tries == 2 and attempt.mistakes == ("forgot the other path",)
    session.playback.resume()
    session.playback.advance(STEP_SECONDS)
    assert session.time == len(session.timeline)


def test_a_mistake_that_is_made_again_counts_once(session):
    session.set_time(float(LAST))
    play(session)
    for text in ("-14", "−14,0", "-27"):
        assert not session.predicting.answer(text)
    assert session.predicting.answer("−41,0")
    (attempt,) = session.predicting.attempts
    assert attempt.tries == 4 and attempt.mistakes == ("forgot the other path",)


def test_all_four_quantities_come_one_after_the_other(session):
    session.predicting.ask_for(QUANTITIES, by_level=False)
    session.set_time(float(LAST))
    play(session)
    asked = []
    while (question := session.predicting.open) is not None:
        asked.append(question.quantity)
        assert session.predicting.answer(str(float(question.expected)))
        session.playback.resume()
        session.playback.advance(STEP_SECONDS)
    assert asked == ["local derivative", "contribution", "gradient"]


def test_a_single_step_pauses_too_and_goes_on_to_its_end(session):
    session.set_time(float(LAST))
    session.playback.step()
    session.playback.advance(STEP_SECONDS)
    assert session.predicting.open is not None
    session.predicting.show_answer()
    session.playback.resume()
    session.playback.advance(STEP_SECONDS)
    assert session.time == LAST + 1 and not session.predicting.attempts[0].right


def test_with_reduced_motion_the_question_comes_without_travel(session):
    session.reduce_motion = True
    session.set_time(float(LAST))
    session.playback.step()
    assert session.predicting.open is not None
    session.predicting.answer("-41")
    session.playback.resume()
    assert session.time == LAST + 1


def test_what_is_no_number_costs_no_try(session):
    session.set_time(float(LAST))
    play(session)
    with pytest.raises(Refused):
        session.predicting.answer("minus")
    assert session.predicting.tries == 0
    assert not session.predicting.answer("12345") and session.predicting.verdict == NOT_YET


def test_by_difficulty_the_questions_begin_with_values(session):
    session.predicting.ask_for((), by_level=True)
    play(session)
    for _ in range(3):
        assert session.predicting.open.quantity == "value"
        session.predicting.answer(str(float(session.predicting.open.expected)))
        session.playback.resume()
        session.playback.advance(STEP_SECONDS)
    assert session.predicting.quantities == {"local derivative"}


def test_new_numbers_are_asked_anew_and_other_methods_are_not(session):
    session.set_time(float(LAST))
    play(session)
    session.predicting.answer("-41")
    session.runChanged.emit()
    session.set_time(float(LAST))
    play(session)
    assert session.predicting.open is not None
    for method in ("symbolic", "difference"):
        session.choose_method(method)
        session.finish_steps()
        play(session, 3)
        assert session.predicting.open is None


def test_without_predicting_nothing_pauses(session):
    session.predicting.set_on(False)
    play(session, 100)
    assert session.time == len(session.timeline)


def test_forward_mode_played_without_questions(session):
    session.choose_method("forward")
    session.finish_steps()
    session.predicting.ask_for(QUANTITIES, by_level=False)
    asked = []
    for _ in range(4):
        play(session, 4)
        question = session.predicting.open
        asked.append((question.quantity, question.subject))
        assert not session.predicting.answer("−4")
        assert not session.predicting.answer("−4")
        assert session.predicting.answer(str(float(question.expected)))
    assert asked == [
        ("local derivative", "∂m1/∂w0"), ("value", "m1"), ("tangent", "∂m1/∂w0"), ("value", "m2"),
    ]  # fmt: skip
    assert session.predicting.attempts[2].mistakes == ("wrong sign",)
    session.set_time(float(len(session.run.plan.instructions)))  # the values are known in the second pass
    play(session, 4)
    assert (session.predicting.open.quantity, session.predicting.open.subject) == ("local derivative", "∂m2/∂w1")
