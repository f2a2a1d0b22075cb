"""Steps by index, and the picture at any moment as a pure function of the run and the time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cadena.core.front import Run, compile
from cadena.core.graph.document import Document
from cadena.core.methods.reverse.timeline import ARRIVAL, MEETING, Frame, Timeline, ease
from cadena.core.teaching.lessons import open_lesson
from tests.core.graphs import chain, documents, graph
from tests.thorough import tries

LESSON = compile(open_lesson("2")).run()


def same(a: object, b: object) -> bool:
    """Equal as values or as arrays, nan equal to nan, None only to None."""
    if a is None or b is None:
        return a is b
    return np.array_equal(np.asarray(a), np.asarray(b), equal_nan=True)


def picture(frame: Frame) -> list[object]:
    """All that a view reads from a frame, as comparable data."""
    document = frame.run.program.document
    wires = [(node.name, slot) for node in document.nodes.values() for slot in range(len(node.inputs))]
    shown = [frame.value(name) for name in document.nodes] + [frame.gradient(name) for name in document.nodes]
    shown += [frame.contribution(*wire) for wire in wires]
    tokens = [(token.source, token.target, token.slot, token.kind, token.fraction) for token in frame.tokens]
    numbers = [token.number for token in frame.tokens]
    return [frame.step, frame.progress, tokens, [repr(item) for item in [*shown, *numbers]]]


# --- steps


def test_lesson_2_has_an_operation_forward_a_seed_and_a_step_for_each_wire_that_carries_a_gradient():
    timeline = LESSON.timeline
    phases = [step.phase for step in timeline]
    assert phases == ["forward"] * 8 + ["seed"] + ["reverse"] * 14
    assert len(timeline) == len(phases) == 23 and timeline.forward_length == 8
    assert timeline[8].node == "L" and timeline[8].operand is None
    assert (timeline[9].node, timeline[9].operand, timeline[9].slot) == ("L", "c", 1)


@tries(40)
@given(documents())
def test_a_step_by_index_is_the_step_met_on_the_way(document):
    timeline = compile(document).run().timeline
    met = list(timeline)
    assert [step.index for step in met] == list(range(len(timeline)))
    assert [timeline[i] for i in range(len(met))] == met
    assert [timeline[i - len(met)] for i in range(len(met))] == met
    for outside in (len(met), -len(met) - 1):
        with pytest.raises(IndexError, match=f"step {outside} of {len(met)}"):
            timeline[outside]


@tries(40)
@given(documents())
def test_a_node_is_computed_after_its_operands_and_hands_back_after_its_gradient_is_complete(document):
    timeline = compile(document).run().timeline
    computed: set[str] = {name for name, node in document.nodes.items() if node.is_leaf}
    complete: dict[str, int] = {}
    for step in timeline:
        if step.phase == "forward":
            assert set(document.nodes[step.node].inputs) <= computed
            computed.add(step.node)
        elif step.phase == "reverse":
            assert document.nodes[step.node].inputs[step.slot] == step.operand
            complete.setdefault(step.node, step.index)
    for name, first in complete.items():
        assert all(index < first for index, _, _ in timeline.arrivals.get(name, ()))


def test_a_document_without_nodes_has_no_steps_and_a_frame_without_tokens():
    timeline = compile(Document({})).run().timeline
    assert len(timeline) == 0 and list(timeline) == []
    frame = timeline.frame(0.7)
    assert frame.step is None and frame.settled and frame.tokens == () and frame.time == 0


def test_without_an_output_there_is_only_the_forward_pass():
    document = graph(x=1.0, y=("sin", "x"))
    timeline = compile(Document(document.nodes, output=None)).run().timeline
    assert [step.phase for step in timeline] == ["forward"]
    assert timeline.frame(1).gradient("x") is None


def test_a_leaf_as_output_has_the_seed_as_its_gradient():
    run = compile(graph(x=3.0)).run()
    assert [(step.phase, step.node) for step in run.timeline] == [("seed", "x")]
    assert run.timeline.frame(0).gradient("x") is None
    assert run.timeline.frame(1).gradient("x") == run.gradient("x") == 1


def test_an_output_in_the_middle_has_no_reverse_steps_beyond_it():
    run = compile(graph("y", x=3.0, y=("sin", "x"), z=("exp", "y"))).run()
    assert [(step.phase, step.node) for step in run.timeline][2:] == [("seed", "y"), ("reverse", "y")]
    assert run.gradient("z") is None


def test_a_constant_output_gets_a_seed_and_nothing_else():
    run = compile(graph(k=("constant", 2.0), y=("sin", "k"))).run()
    assert [step.phase for step in run.timeline] == ["forward", "seed"]
    assert run.gradient("y") == 1 and run.gradient("k") is None


def test_steps_of_a_long_timeline_are_found_without_walking_it():
    timeline = compile(chain(20_000)).run().timeline
    assert len(timeline) == 40_001
    assert timeline[40_000].operand == "x" and timeline[20_000].phase == "seed"


# --- frames


@tries(40)
@given(documents(), st.lists(st.floats(-1, 60), min_size=1, max_size=6))
def test_the_frame_at_a_time_is_the_same_whichever_way_that_time_is_reached(document, times):
    run = compile(document).run()
    wandered = [picture(run.timeline.frame(time)) for time in times]
    fresh = [picture(Timeline(compile(document).run()).frame(time)) for time in times]
    assert wandered == fresh
    assert [picture(run.timeline.frame(time)) for time in reversed(times)] == fresh[::-1]


@tries(40)
@given(documents())
def test_at_the_end_every_node_shows_its_value_and_its_whole_gradient(document):
    run = compile(document).run()
    frame = run.timeline.frame(len(run.timeline))
    for name in document.nodes:
        assert same(frame.value(name), run.value(name))
        assert same(frame.gradient(name), run.gradient(name))


@tries(40)
@given(documents())
def test_a_gradient_is_the_sum_of_its_contributions(document):
    run = compile(document).run()
    for name, arrivals in run.timeline.arrivals.items():
        parts = [run.contribution(node, slot) for _, node, slot in arrivals]
        assume(all(np.all(np.isfinite(part)) for part in parts))
        np.testing.assert_allclose(
            sum(parts), run.gradient(name), rtol=1e-12, atol=1e-12 * np.max(np.abs(parts), initial=0.0)
        )


@tries(40)
@given(documents())
def test_at_the_start_only_leaves_show_a_value_and_nothing_a_gradient(document):
    frame = compile(document).run().timeline.frame(0)
    for name, node in document.nodes.items():
        assert (frame.value(name) is not None) == node.is_leaf
        assert frame.gradient(name) is None


@tries(40)
@given(documents())
def test_what_has_been_shown_stays_shown(document):
    run = compile(document).run()
    before: set[object] = set()
    for quarter in range(4 * len(run.timeline) + 1):
        frame = run.timeline.frame(quarter / 4)
        shown = {("value", name) for name in document.nodes if frame.value(name) is not None}
        shown |= {("gradient", name) for name in document.nodes if frame.gradient(name) is not None}
        assert before <= shown
        before = shown


def test_a_partial_sum_is_shown_until_the_last_contribution_has_landed():
    timeline = LESSON.timeline
    (first, *_), (second, *_) = timeline.arrivals["a1"]
    shown = [timeline.frame(time).gradient("a1") for time in (first, first + 1, second + ARRIVAL / 2, second + 1)]
    assert [None if gradient is None else float(gradient) for gradient in shown] == [None, -27, -27, -41]


def test_telling_all_steps_of_a_node_with_many_consumers_took_the_square_of_their_number(monkeypatch):
    nodes = {f"s{i}": ("add", f"s{i - 1}", "x") for i in range(1, 200)}
    run = compile(graph("s199", x=0.5, s0=("sin", "x"), **nodes)).run()
    asked, contribution = [], Run.contribution
    monkeypatch.setattr(Run, "contribution", lambda *where: asked.append(where) or contribution(*where))
    timeline = run.timeline
    sums = [timeline.accumulated("x", steps) for steps in range(len(timeline) + 1)]
    assert len(asked) < 250 and sums[-1] == run.gradient("x") and sums[-2] == 199.0
    assert [timeline.accumulated("x", steps) for steps in reversed(range(len(timeline) + 1))] == sums[::-1]


def test_a_number_lands_at_its_moment_and_not_before():
    timeline = LESSON.timeline
    assert timeline.frame(ARRIVAL - 1e-6).value("m1") is None
    assert timeline.frame(ARRIVAL).value("m1") == 8
    seed = timeline.forward_length
    assert timeline.frame(seed + ARRIVAL - 1e-6).gradient("L") is None
    assert timeline.frame(seed + ARRIVAL).gradient("L") == 1


def test_a_contribution_is_shown_on_its_wire_once_it_has_landed():
    timeline = LESSON.timeline
    step = timeline.wire_steps["m3", 1]
    assert timeline.frame(step + 0.5).contribution("m3", 1) is None
    assert timeline.frame(step + 1).contribution("m3", 1) == -7
    assert timeline.frame(len(timeline)).contribution("L", 0) is None  # nobody asks for the gradient of a constant


def test_times_outside_are_taken_to_the_nearest_end():
    timeline = LESSON.timeline
    assert picture(timeline.frame(-5)) == picture(timeline.frame(0))
    assert picture(timeline.frame(99)) == picture(timeline.frame(len(timeline)))


def test_between_two_steps_a_number_rests_at_its_goal():
    assert LESSON.timeline.frame(0).tokens == () and LESSON.timeline.frame(0).settled
    for index, step in enumerate(LESSON.timeline, start=1):
        frame = LESSON.timeline.frame(index)
        goals = {"seed": [], "forward": [1.0], "reverse": [0.0]}
        assert frame.settled and [token.fraction for token in frame.tokens] == goals[step.phase]


def test_values_travel_with_the_arrow_and_gradients_against_it_and_none_turns_back():
    for index, step in enumerate(LESSON.timeline):
        tokens = [token for i in range(1, 100) for token in LESSON.timeline.frame(index + i / 100).tokens]
        assert bool(tokens) == (step.phase != "seed")
        for slot in {token.slot for token in tokens}:
            way = [token.fraction for token in tokens if token.slot == slot]
            assert way == sorted(way, reverse=step.phase == "reverse") and 0 <= min(way) <= max(way) <= 1
        assert [token.slot for token in tokens] == sorted(token.slot for token in tokens)
        assert all(token.kind == ("value" if step.phase == "forward" else "gradient") for token in tokens)


def test_a_gradient_on_its_way_shows_the_upstream_first_and_the_contribution_then():
    index = LESSON.timeline.wire_steps["m3", 1]
    early, late = (LESSON.timeline.frame(index + part).tokens[0] for part in (MEETING - 0.1, MEETING + 0.1))
    assert (early.number, late.number) == (LESSON.gradient("m3"), LESSON.contribution("m3", 1)) == (-1, -7)
    assert early.fraction > 0.5 > late.fraction


def test_motion_starts_and_ends_slowly():
    assert ease(0) == 0 and ease(1) == 1 and ease(0.5) == 0.5
    ways = [ease(i / 100) for i in range(101)]
    assert ways == sorted(ways) and ways[1] - ways[0] < 0.1 * (ways[51] - ways[50])
