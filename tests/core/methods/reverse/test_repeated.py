"""Several backward passes over one forward pass: their steps, what nodes show, and what the leaves hold."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cadena.core.front import compile
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.names import Method
from cadena.core.methods.reverse.repeated import RepeatedTimeline
from cadena.core.run.accumulation import NOTHING, accumulate
from cadena.core.teaching.lessons import open_lesson
from cadena.core.teaching.moments import Moment, moment_at, time_of
from tests.core.graphs import graph


@pytest.fixture
def timeline() -> RepeatedTimeline:
    steps = timeline_of(compile(open_lesson("4")).run(), Method(passes=3, zero_before=2))
    assert isinstance(steps, RepeatedTimeline)
    return steps


def held(timeline: RepeatedTimeline, time: float) -> float | None:
    state = timeline.held(time)
    number = None if state is None else state.gradients.get("w0")
    return None if number is None else float(number)


def test_each_pass_has_the_steps_of_the_first(timeline):
    forward, once = timeline.forward_length, timeline.once
    assert len(timeline) == forward + 3 * (len(once) - forward)
    assert [step.index for step in timeline] == [*range(len(timeline))]
    kinds = [(step.phase, step.node, step.slot, step.operand) for step in timeline]
    back = [(step.phase, step.node, step.slot, step.operand) for step in once][forward:]
    assert kinds[forward:] == 3 * back and timeline[-1].operand == "w0"
    with pytest.raises(IndexError, match="step 47 of 47"):
        timeline[47]


def test_the_leaves_hold_the_sum_until_zero_grad(timeline):
    ends = [time_of(Moment("reverse", "m1", "w0", direction=number), timeline) for number in range(3)]
    assert [held(timeline, end) for end in ends] == [-28, -56, -28] and ends[-1] == len(timeline)
    seeds = [time_of(Moment("seed", direction=number), timeline) for number in range(3)]
    assert [held(timeline, seed) for seed in seeds] == [None, -28, 0]
    assert timeline.held(float(timeline.forward_length)) is None


def test_a_sum_is_that_of_so_many_backward_passes():
    run = compile(graph(w=[0.1, 0.7], x=("exp", "w"), y=("sum", "x"))).run()
    steps = timeline_of(run, Method(passes=5))
    state = NOTHING
    for _ in range(5):
        state = accumulate(state, run)
    assert steps.held(float(len(steps))).gradients["w"].tolist() == state.gradients["w"].tolist()


def test_the_nodes_between_start_each_pass_without_a_gradient(timeline):
    seed = time_of(Moment("seed", direction=1), timeline)
    assert timeline.frame(seed - 1).gradient("b1") == -7 and timeline.frame(seed).gradient("b1") is None
    assert timeline.frame(seed).gradient("L") == 1 and timeline.frame(seed).value("b1") == 23


def test_every_moment_names_its_step(timeline):
    assert [time_of(moment_at(timeline, time), timeline) for time in range(len(timeline))] == [*range(len(timeline))]


def test_the_line_of_time_names_each_pass(timeline):
    assert [stretch.word for stretch in timeline.stretches] == ["forward", "backward 1", "backward 2", "backward 3"]


def test_one_pass_and_a_graph_without_an_output_have_the_steps_of_their_run():
    run = compile(open_lesson("4")).run()
    assert [*timeline_of(run, Method())] == [*run.timeline]
    bare = compile(replace(graph(x=1.0, y=("sin", "x")), output=None)).run()
    assert [*timeline_of(bare, Method(passes=3))] == [*bare.timeline]
