from __future__ import annotations

import math

import pytest

from cadena.core.front import compile
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.names import METHODS, Method
from cadena.core.teaching.lessons import lessons, method_of, open_lesson
from cadena.core.teaching.moments import Moment, StoryTime, held, moment_at, moment_before, placed, time_of
from tests.core.graphs import graph

FIRST = compile(open_lesson("1")).run().timeline


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("lesson", ["1", "5", "10"])
def test_a_moment_leads_back_to_its_time_in_the_steps_of_every_method(lesson, method):
    timeline = timeline_of(compile(open_lesson(lesson)).run(), Method(method))
    assert len(timeline) > 2
    for time in range(len(timeline) + 1):
        assert time_of(moment_at(timeline, float(time)), timeline) == time


@pytest.mark.parametrize("method", METHODS)
def test_the_moment_before_a_step_has_the_same_time_as_the_one_after_the_last(method):
    timeline = timeline_of(compile(open_lesson("2")).run(), Method(method))
    for time in range(len(timeline)):
        moment = moment_before(timeline, float(time))
        assert moment is not None and moment.before and time_of(moment, timeline) == time
    assert moment_before(timeline, float(len(timeline))) is None


def test_most_moments_need_no_number_of_a_step():
    for lesson in lessons():
        document = open_lesson(lesson.name)
        timeline = timeline_of(compile(document).run(), Method(method_of(document) or "reverse"))
        moments = [moment_at(timeline, float(time)) for time in range(min(len(timeline), 60) + 1)]
        assert all(moment.step is None for moment in moments)


def test_a_step_is_meant_when_it_is_done_or_just_before():
    arrives = Moment("reverse", "m1", "w0")
    index = next(step.index for step in FIRST if step.operand == "w0")
    assert time_of(arrives, FIRST) == index + 1
    assert time_of(Moment("reverse", "m1", "w0", before=True), FIRST) == index
    assert moment_at(FIRST, 0.4) == Moment("forward", "m1")  # the step under way


def test_the_seed_follows_the_forward_pass():
    assert time_of(Moment("seed"), FIRST) == FIRST.forward_length + 1
    assert time_of(Moment("start"), FIRST) == 0
    assert time_of(Moment("end"), FIRST) == len(FIRST)


def test_a_moment_outlives_another_node_before_it():
    longer = compile(graph(x=3.0, first=("exp", "x"), y=("multiply", "first", "x"))).run().timeline
    shorter = compile(graph(x=3.0, y=("multiply", "x", "x"))).run().timeline
    moment = Moment("forward", "y")
    assert (time_of(moment, longer), time_of(moment, shorter)) == (2, 1)


def test_an_operand_that_is_used_twice_needs_its_slot():
    square = compile(graph(x=3.0, y=("multiply", "x", "x"))).run().timeline
    moments = [moment_at(square, float(time)) for time in range(len(square) + 1)]
    assert moments == [
        Moment("start"), Moment("forward", "y"), Moment("seed", "y"), Moment("reverse", "y", "x"), Moment("end"),
    ]  # fmt: skip
    assert [time_of(Moment("reverse", "y", "x", slot), square) for slot in (0, 1)] == [3, 4]


def test_a_pass_of_forward_mode_can_be_meant():
    duals = timeline_of(compile(open_lesson("1")).run(), Method("forward"))
    first, second = (time_of(Moment("tangent", "L", direction=number), duals) for number in (0, 1))
    assert first is not None and second is not None and second > first


@pytest.mark.parametrize(
    "moment",
    [
        Moment("reverse", "m1", "a1"),
        Moment("tangent", "m1"),
        Moment("forward", "w0"),
        Moment(step=999),
        Moment(step=-1),
    ],
)
def test_a_moment_that_the_timeline_lacks_shows_at_the_one_before(moment):
    assert time_of(moment, FIRST) is None
    times = placed((Moment("forward", "b1"), moment, Moment("end")), FIRST)
    assert times == (StoryTime(3.0), StoryTime(3.0, lacks=True), StoryTime(float(len(FIRST))))
    assert placed((moment,), FIRST) == (StoryTime(0.0, lacks=True),)


def test_the_latest_moment_up_to_now_holds_and_of_equal_ones_the_first():
    places = tuple(map(StoryTime, (1.0, 4.0, 4.0, 2.0)))
    assert [held(places, time) for time in (0.0, 1.0, 1.5, 2.0, 3.9, 4.0, math.inf)] == [None, 0, 0, 3, 3, 1, 1]
    assert held((), 3.0) is None
