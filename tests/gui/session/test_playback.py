"""Playing the steps: single steps, motion, loops and speeds."""

from __future__ import annotations

import pytest

from cadena.core.graph import edits
from cadena.gui.session.playback import LOOP_REST, STEP_SECONDS, SWEEP_SECONDS
from cadena.gui.session.session import Session
from tests.gui.session.test_session import product


@pytest.fixture
def session(qapp):
    made = Session(product())
    yield made
    made.playback.pause()


def test_a_step_moves_until_it_is_done(session):
    session.playback.step()
    session.playback.advance(STEP_SECONDS / 2)
    assert session.time == pytest.approx(0.5) and session.playback.playing
    session.playback.advance(STEP_SECONDS)
    assert session.time == 1.0 and not session.playback.playing


def test_a_step_back_is_the_same_motion_in_reverse(session):
    session.set_time(2.0)
    session.playback.step(-1)
    session.playback.advance(STEP_SECONDS / 4)
    assert session.time == pytest.approx(1.75)
    session.playback.advance(STEP_SECONDS)
    assert session.time == 1.0 and not session.playback.playing


def test_quick_presses_count(session):
    session.playback.step()
    session.playback.step()
    session.playback.advance(STEP_SECONDS)
    assert session.time == 2.0
    session.playback.step(-1)
    session.playback.step(-1)
    session.playback.advance(STEP_SECONDS)
    assert session.time == 0.0


def test_a_step_from_the_middle_of_playing_goes_to_the_next_whole_one(session):
    session.playback.play()
    session.playback.advance(STEP_SECONDS * 1.4)
    session.playback.step()
    session.playback.advance(STEP_SECONDS)
    assert session.time == 2.0


@pytest.mark.parametrize(("steps", "goal"), [(1, 2.0), (-1, 0.0), (9, 3.0)])
def test_reduced_motion_steps_without_travel(session, steps, goal):
    session.reduce_motion = True
    session.set_time(1.0)
    session.playback.step(steps)
    assert session.time == goal and not session.playback.playing


def test_playing_ends_at_the_last_step_and_then_begins_anew(session):
    session.playback.play()
    session.playback.advance(99.0)
    assert session.time == 3.0 and not session.playback.playing
    session.playback.play()
    assert session.time == 0.0 and session.playback.playing


def test_a_loop_plays_on_from_the_start(session):
    session.playback.set_loop(True)
    session.playback.play()
    session.playback.advance(99.0)
    assert session.time == 0.0 and session.playback.playing


def test_a_loop_shows_its_end_before_it_begins_anew(session):
    session.playback.set_loop(True)
    session.playback.play()
    session.playback.advance(3.5 * STEP_SECONDS)
    assert session.time == 3.0 and session.playback.playing
    session.playback.advance(1.4 * STEP_SECONDS)
    assert session.time == 3.0
    session.playback.advance(0.2 * STEP_SECONDS)
    assert session.time == 0.0
    session.playback.advance(STEP_SECONDS)
    assert session.time == pytest.approx(1.0)


def test_speed_shortens_a_step(session):
    session.playback.set_speed(2.0)
    session.playback.play()
    session.playback.advance(STEP_SECONDS)
    assert session.time == pytest.approx(2.0)


def test_the_clock_plays_by_itself(session, qtbot):
    session.playback.set_speed(4.0)
    session.playback.play()
    qtbot.waitUntil(lambda: session.time > 0.2)
    assert session.playback.playing


def test_a_single_step_is_not_playing_and_play_goes_on_from_it(session):
    session.playback.step()
    assert session.playback.playing and not session.playback.plays_on
    session.playback.toggle()
    assert session.playback.playing
    assert session.playback.plays_on
    session.playback.toggle()
    assert not session.playback.playing


def test_playing_pauses_before_a_step_at_a_breakpoint(session):
    session.toggle_breakpoint(session.timeline[2].operand)
    session.playback.play()
    session.playback.advance(STEP_SECONDS * 2.5)
    assert session.time == 2.0 and not session.playback.playing
    session.playback.play()
    session.playback.advance(STEP_SECONDS * 0.5)
    assert session.time == pytest.approx(2.5)


def test_a_breakpoint_follows_the_name_of_its_node_and_goes_with_it(session):
    session.toggle_breakpoint("w0")
    session.edit(lambda document: edits.rename(document, "w0", "width"), "Rename")
    assert session.breakpoints == {"width"}
    session.open(product(), None)
    assert not session.breakpoints


def test_a_loop_keeps_to_its_section(session):
    session.playback.set_loop(True, (1, 2))
    session.playback.play()
    assert session.time == 0.0
    session.playback.advance(STEP_SECONDS * 2.0)
    assert session.time == 2.0
    session.playback.advance(STEP_SECONDS * LOOP_REST)
    assert session.time == 1.0 and session.playback.playing


def test_a_section_of_a_longer_graph_ends_with_the_steps(session):
    session.playback.set_loop(True, (1, 900))
    session.playback.play()
    session.playback.advance(STEP_SECONDS * 4.0)
    assert session.time == len(session.timeline)


def test_a_sweep_plays_the_whole_reverse_pass_in_two_seconds_past_breakpoints_and_loops(session):
    begin, end = session.timeline.forward_length, len(session.timeline)
    session.toggle_breakpoint("x")
    session.playback.set_loop(True)
    session.playback.sweep()
    assert session.time == begin and session.playback.sweeps
    session.playback.advance(SWEEP_SECONDS / 2)
    assert session.time == pytest.approx((begin + end) / 2)
    session.playback.advance(SWEEP_SECONDS / 2)
    assert session.time == end and not session.playback.playing and not session.playback.sweeps


def test_play_after_a_sweep_that_was_paused_goes_on_step_by_step(session):
    session.playback.sweep()
    session.playback.advance(SWEEP_SECONDS / 4)
    session.playback.toggle()
    before = session.time
    session.playback.toggle()
    session.playback.advance(STEP_SECONDS / 4)
    assert session.time == pytest.approx(before + 0.25)
