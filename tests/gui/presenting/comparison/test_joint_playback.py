from __future__ import annotations

import pytest

from cadena.core.graph.edits import set_value
from cadena.core.methods.names import Method
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.presenting.comparison.joint_playback import MirrorSession, Together, led_time
from cadena.gui.session.session import Session

COUNTS = [(21, 40), (40, 21), (9, 9), (1, 30), (30, 1), (7, 0), (5, 6)]


@pytest.mark.parametrize("by_step", [False, True])
@pytest.mark.parametrize(("first", "second"), COUNTS)
def test_both_begin_and_end_at_the_same_time_and_never_go_back(first, second, by_step):
    times = [led_time(tenth / 10, first, second, by_step) for tenth in range(10 * first + 1)]
    assert times[0] == 0 and times[-1] == second
    assert times == sorted(times)


@pytest.mark.parametrize("by_step", [False, True])
@pytest.mark.parametrize(("first", "second"), COUNTS)
def test_at_rest_both_are_between_two_steps(first, second, by_step):
    assert all(led_time(float(step), first, second, by_step).is_integer() for step in range(first + 1))


def test_by_share_half_of_the_way_is_half_of_the_way():
    assert led_time(10.0, 20, 40, by_step=False) == 20
    assert led_time(10.25, 20, 40, by_step=False) == 20.5  # two steps in the time of one
    assert led_time(10.5, 40, 20, by_step=False) == 5.0  # where one has fewer steps, each takes longer


def test_by_step_each_step_goes_with_one_and_the_shorter_one_waits():
    assert led_time(3.4, 20, 40, by_step=True) == 3.4
    assert led_time(19.5, 20, 40, by_step=True) == 29.5  # in the last one the rest is played
    assert led_time(12.5, 20, 10, by_step=True) == 10


def test_without_steps_nothing_moves():
    assert led_time(0.0, 0, 0, by_step=False) == 0
    assert led_time(0.0, 0, 12, by_step=False) == 12  # build mode or no output: the other is shown whole


@pytest.fixture
def pair(qapp):
    first = Session(open_lesson("1"))
    second = MirrorSession(first)
    second.set_method(Method("forward"))
    second.finish_steps()
    yield Together(first, second, first)
    second.deleteLater()


def test_one_run_is_shared_and_each_has_the_steps_of_its_own_method(pair):
    first, second = pair.first, pair.second
    assert second.run is first.run and pair.steps == (21, 40)
    first.set_time(21.0)
    assert second.time == 40.0
    assert second.timeline is not first.timeline


def test_an_edit_on_the_left_is_seen_on_the_right(pair):
    first, second = pair.first, pair.second
    first.edit(lambda document: set_value(document, "w0", 3.0), "Set w0")
    first.run_now()
    assert second.document is first.document and second.run is first.run
    assert second.live and second.frame.value("w0") == 3.0
    first.undo()
    first.run_now()
    assert second.document is first.document


def test_an_edit_on_the_right_was_lost_with_the_next_one_on_the_left(pair):
    assert pair.second.edit(lambda document: set_value(document, "w0", 3.0), "Set w0")
    assert pair.first.document.nodes["w0"].value == 3.0 and pair.second.document is pair.first.document
    assert pair.first.history.undo_label == "Set w0"


def test_whatever_plays_the_second_plays_both(pair):
    pair.first.reduce_motion = True
    pair.second.playback.step(1)
    assert pair.first.time == 1.0 and pair.second.time == 1.0


def test_a_selection_is_shown_on_both_sides(pair):
    pair.first.select(["w0", "b1"])
    assert pair.second.selection == {"w0", "b1"}


def test_the_sentence_says_how_they_go_together(pair):
    assert pair.sentence.endswith("both begin and end at the same time (21 and 40 steps).")
    pair.align(True)
    assert pair.sentence.endswith("in the last one, step 21, the right side plays its rest.")
    pair.second.set_method(Method())
    assert pair.sentence.endswith("both have 21 steps.")


def test_another_graph_keeps_its_own_document_and_run(qapp):
    first, second = Session(open_lesson("1")), Session(open_lesson("3"))
    together = Together(first, second, first)
    first.edit(lambda document: set_value(document, "w0", 3.0), "Set w0")
    first.run_now()
    assert second.document == open_lesson("3")
    first.set_time(1.0)
    together.align(True)
    assert second.time == 1.0
    second.deleteLater()
