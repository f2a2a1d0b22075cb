"""Several backward passes over one forward pass: their steps, what nodes show, and what the leaves hold."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cadena.core.front import compile
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.names import Method
from cadena.core.methods.reverse.repeated import RepeatedTimeline
from cadena.core.methods.reverse.step_text import step_latex, step_place, step_sentence
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


def test_a_step_says_what_its_leaf_holds_after_the_passes_before(timeline):
    """The second pass said "with −28 from before, ∂L/∂w0 is now −28", and showed −28 + (−28) ≈ −28."""
    ends = [int(time_of(Moment("reverse", "m1", "w0", direction=number), timeline)) - 1 for number in range(3)]
    told = "w0 receives −28 from m1: ∂L/∂w0 += ∂L/∂m1 · ∂m1/∂w0 = −7 · 4 = −28"
    assert [step_sentence(timeline, end) for end in ends] == [
        f"{told}.",
        f"{told}; with −28 from before, w0 now holds the sum −56.",
        f"{told}; with 0 from before, w0 now holds the sum −28.",
    ]
    assert step_latex(timeline, ends[1]).endswith(r"= -28 \quad \Sigma_{w_{0}} = -28 + \left(-28\right) = -56")
    assert step_place(timeline, ends[1]) == "Backward pass 2, step 34 of 47"
    assert step_place(timeline, ends[2]) == "Backward pass 3 after zero_grad, step 47 of 47"
    assert step_place(timeline, 0) == "Forward pass, step 1 of 47"


def test_the_nodes_between_get_no_sum_from_the_pass_before(timeline):
    between = int(time_of(Moment("reverse", "m3", "b1", direction=1), timeline)) - 1
    assert step_sentence(timeline, between).endswith("= −1 · 7 = −7.")
    assert timeline.accumulated("b1", between) is None and timeline.accumulated("b1", between + 1) == -7


def test_a_leaf_with_two_paths_adds_up_within_a_pass_and_over_passes():
    """L = a · a at 3: each pass brings 3 twice, so that the second one goes from 6 to 9 and 12."""
    steps = timeline_of(compile(graph(a=3.0, L=("multiply", "a", "a"))).run(), Method(passes=2))
    endings = [step_sentence(steps, index).partition("; ")[2] for index in range(len(steps))]
    assert [ending for ending in endings if ending] == [
        "with 3 from before, ∂L/∂a is now 6.",
        "with 6 from before, a now holds the sum 9.",
        "with 9 from before, a now holds the sum 12.",
    ]


def test_each_pass_has_a_line_above_it(timeline):
    assert timeline.headings == {
        0: "Forward pass:",
        8: "Backward pass 1:",
        21: "Backward pass 2:",
        34: "Backward pass 3 after zero_grad:",
    }
