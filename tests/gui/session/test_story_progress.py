from __future__ import annotations

from dataclasses import replace

import pytest

from cadena.core.graph.fault import Refused
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.session.session import Session
from cadena.gui.session.story_progress import WAITS

START, END = {"phase": "start"}, {"phase": "end"}
SEED = {"phase": "seed"}
W0 = {"phase": "reverse", "node": "m1", "operand": "w0"}
STORY = [
    {"at": START, "text": "first"},
    {"at": {"phase": "forward", "node": "m1"}, "text": "product"},
    {"at": SEED, "text": "seed", "pause": True},
    {"at": {**W0, "before": True}, "text": "before", "question": {"ask": "?", "answer": -28, "because": "so"}},
    {"at": END, "text": "all"},
    {"at": END, "text": "once more"},
]


def with_story(*steps, view=None, lesson="1"):
    document = open_lesson(lesson)
    about = {**document.extra["lesson"], "story": list(steps)}
    return replace(document, extra={**document.extra, "lesson": about if view is None else {**about, "view": view}})


@pytest.fixture
def session(qapp) -> Session:
    session = Session(with_story(*STORY))
    session.telling.set_shown(True)
    return session


def arrive(session: Session) -> None:
    """Play what is under way to its end, without the clock."""
    while session.playback.playing:
        session.playback.advance(0.25)


def texts(session: Session) -> str:
    return session.telling.step.text


def test_the_text_of_the_moment_follows_the_time_both_ways(session):
    seen = []
    for time in (0, 0.5, 1, 2, 9, 12, 20, 20.5, 21, 20, 0):
        session.set_time(float(time))
        seen.append(texts(session))
    assert seen == [
        "first", "first", "product", "product", "seed", "seed", "before", "before", "all", "before", "first",
    ]  # fmt: skip


def test_next_plays_a_short_way_and_only_the_last_step_of_a_long_one(session):
    assert session.telling.go(1) and session.playback.playing and session.time == 0
    arrive(session)
    assert (session.time, texts(session)) == (1, "product")
    session.telling.go(1)
    assert session.time == 8  # of the nine steps up to the seed the last one is played
    arrive(session)
    assert (session.time, texts(session)) == (9, "seed")


def test_the_texts_of_one_moment_come_one_after_the_other(session):
    session.set_time(21.0)
    assert texts(session) == "all"
    assert session.telling.go(1) and (session.time, texts(session)) == (21, "once more")
    assert not session.telling.go(1)
    assert session.telling.go(-1) and texts(session) == "all"


def test_back_goes_at_once_to_the_moment_before(session):
    session.set_time(21.0)
    assert session.telling.go(-1) and (session.time, texts(session)) == (20, "before")
    assert session.telling.go(-3) and (session.time, texts(session)) == (0, "first")
    assert not session.telling.go(-1)


def test_two_quick_presses_are_two_texts(session):
    session.telling.go(1)
    session.telling.go(1)
    arrive(session)
    assert texts(session) == "seed"


def test_what_is_left_under_way_is_no_goal_any_more(session):
    session.telling.go(1)
    session.playback.pause()
    session.set_time(12.0)
    assert texts(session) == "seed"
    session.telling.go(1)
    arrive(session)
    assert texts(session) == "before"


def test_reduced_motion_jumps(session):
    session.reduce_motion = True
    session.telling.go(1)
    assert (session.time, texts(session), session.playback.playing) == (1, "product", False)


def test_playing_pauses_where_the_story_says_so(session):
    session.playback.play()
    arrive(session)
    assert (session.time, texts(session)) == (9, "seed")
    session.playback.play()
    arrive(session)
    assert (session.time, texts(session)) == (20, "before")  # where a question is open
    session.playback.play()
    arrive(session)
    assert session.time == 21


def test_no_jump_goes_beyond_an_open_question_until_it_is_dealt_with(session):
    said = []
    session.message.connect(said.append)
    session.set_time(20.5)
    assert session.time == 20 and said == [WAITS]
    session.telling.show_answer()
    session.set_time(20.5)
    assert session.time == 20.5 and said == [WAITS]


def test_a_question_that_was_passed_by_a_jump_waits_there_still(session):
    session.set_time(21.0)
    assert session.time == 21
    session.playback.step(-1)
    arrive(session)
    assert session.time == 20 and not session.telling.is_open


def test_the_last_question_holds_the_steps_before_the_end(session):
    session.open(with_story(*STORY[:4]), None)
    session.set_time(float("inf"))
    assert (session.time, texts(session)) == (20, "before")


def test_a_story_that_nobody_sees_holds_nothing(session):
    session.telling.set_shown(False)
    session.playback.play()
    arrive(session)
    assert session.time == 21


def test_answers_are_judged_and_mistakes_in_the_sign_named(session):
    session.set_time(20.0)
    telling, changes = session.telling, []
    session.storyChanged.connect(lambda: changes.append(telling.verdict))
    assert not telling.answer("28") and telling.verdict == "Nearly: only the sign is wrong."
    assert not telling.answer("3") and telling.verdict == "Not yet: try again."
    with pytest.raises(Refused):
        telling.answer("many")
    assert not telling.is_open
    assert telling.answer("-4*7") and telling.is_open and telling.verdict == "Right."
    assert changes == ["Nearly: only the sign is wrong.", "Not yet: try again.", "Right."]


def test_an_answer_that_was_opened_stays_open(session):
    session.set_time(20.0)
    session.telling.show_answer()
    session.set_time(0.0)
    assert not session.telling.is_open
    session.set_time(20.0)
    assert session.telling.is_open and session.telling.answered == set()


def test_another_document_begins_its_own_story(session):
    session.set_time(20.0)
    session.telling.show_answer()
    session.open(with_story({"at": START, "text": "other"}, {"at": END, "text": "end"}), None)
    assert (session.telling.number, texts(session), session.telling.opened) == (0, "other", set())
    session.open(open_lesson("18"), None)
    session.open(replace(open_lesson("1"), extra={}), None)
    assert session.telling.step is None and not session.telling.go(1)


def test_undoing_an_edit_of_the_story_never_leaves_a_step_that_is_not_there(session):
    session.set_time(21.0)
    session.telling.go(1)
    session.edit(lambda document: with_story(*STORY[:2]), "Shorten the story")
    assert texts(session) == "product"
    session.undo()
    assert texts(session) in ("all", "once more")


def test_a_story_in_another_method_shows_at_the_nearest_earlier_moment(session):
    session.choose_method("forward")
    assert [time.lacks for time in session.telling.times] == [False, True, True, True, False, False]
    session.set_time(float(len(session.timeline)))
    assert texts(session) == "all"


def test_a_text_on_its_way_was_looked_for_in_the_shorter_story_of_the_next_lesson(session):
    """Going on to the next lesson while the steps to a text were played raised an IndexError."""
    session.set_time(20.0)
    assert session.telling.go(1) and session.playback.playing
    session.edit(lambda document: with_story(*STORY[:2]), "Shorten the story")
    session.playback.advance(0.1)
    session.open(with_story({"at": START, "text": "other"}), None)
    session.telling.follow()
    assert texts(session) == "other"
