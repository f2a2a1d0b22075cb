"""Gradients of several backward passes add up until they are cleared."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadena.core.front import compile
from cadena.core.graph import edits
from cadena.core.run.accumulation import NOTHING, accumulate, renamed, under_way, zero_grad
from cadena.core.teaching.lessons import open_lesson
from tests.core.graphs import documents, graph


def test_backward_twice_doubles_the_gradients_of_lesson_1_and_zero_grad_clears_them():
    run = compile(open_lesson("1")).run()
    once = accumulate(NOTHING, run)
    twice = accumulate(once, run)
    assert [float(once.gradients[f"w{i}"]) for i in range(5)] == [-28, -21, -12, -23, -36]
    assert [float(twice.gradients[f"w{i}"]) for i in range(5)] == [-56, -42, -24, -46, -72]
    assert (once.passes, twice.passes) == (1, 2)
    cleared = zero_grad(twice)
    assert cleared.passes == 0 and all(gradient == 0 for gradient in cleared.gradients.values())
    assert accumulate(cleared, run).gradients == once.gradients
    assert once.gradients.keys() == {"w0", "w1", "w2", "w3", "w4"}  # nobody wants those of a1, a2 and 15


@given(documents(), st.integers(1, 3))
def test_after_n_passes_each_wanted_gradient_is_n_times_that_of_one(document, count):
    with np.errstate(all="ignore"):
        run, state = compile(document).run(), NOTHING
        for _ in range(count):
            state = accumulate(state, run)
        wanted = {name for name, node in document.nodes.items() if node.wants_gradient}
        assert state.gradients.keys() == {name for name in wanted if run.gradient(name) is not None}
        for name, gradient in state.gradients.items():
            np.testing.assert_allclose(gradient, count * run.gradient(name), rtol=1e-15)


def test_a_state_is_a_value_that_later_passes_do_not_change():
    run = compile(graph(w=np.ones(2), L=("sum", "w"))).run()
    once = accumulate(NOTHING, run)
    accumulate(once, run)
    assert once.gradients["w"].tolist() == [1, 1]
    with pytest.raises(ValueError, match="read-only"):
        once.gradients["w"][0] = 7


def test_another_shape_starts_anew_and_says_so():
    before = accumulate(NOTHING, compile(graph(w=np.ones(2), L=("sum", "w"))).run())
    after = accumulate(before, compile(graph(w=np.ones(3), L=("sum", "w"))).run())
    assert after.passes == 1 and after.gradients["w"].tolist() == [1, 1, 1]
    assert after.note == "w had a gradient of shape (2,) and now has one of (3,): all start again"
    assert accumulate(after, compile(graph(w=np.ones(3), L=("sum", "w"))).run()).note == ""


def test_a_leaf_that_is_gone_is_forgotten_and_one_that_no_longer_matters_keeps_its_gradient():
    document = graph("L", a=2.0, b=3.0, L=("multiply", "a", "b"))
    before = accumulate(NOTHING, compile(document).run())
    alone = edits.connect(document, "b", "L", 0)
    kept = accumulate(before, compile(alone).run())
    assert (float(kept.gradients["a"]), float(kept.gradients["b"])) == (3, 8)
    assert accumulate(before, compile(edits.remove(alone, ["a"])).run()).gradients.keys() == {"b"}


def test_an_output_that_is_a_constant_has_no_gradient_to_keep():
    assert accumulate(NOTHING, compile(graph(k=("constant", 1.0))).run()).gradients == {}


def test_a_graph_that_cannot_run_adds_no_pass():
    before = accumulate(NOTHING, compile(graph(w=2.0, L=("square", "w"))).run())
    for document in (graph("L", w=2.0, L=("multiply", "w")), graph("L", w=2.0)):
        after = accumulate(before, compile(document).run())
        assert after.gradients == before.gradients and after.passes == 1
        assert after.note == "there is no output that runs, so no gradient was added; fix its faults first"


@pytest.mark.parametrize("changed", [{"v": 1.0, "w": ("exp", "v")}, {"w": ("constant", 1.0), "v": 2.0}])
def test_a_leaf_that_is_computed_now_or_constant_has_no_gradient_of_its_own_any_more(changed):
    before = accumulate(NOTHING, compile(graph(w=2.0, L=("square", "w"))).run())
    after = accumulate(before, compile(graph("L", **changed, L=("multiply", "v", "w"))).run())
    assert after.gradients.keys() == {"v"} and after.passes == 2


def test_a_leaf_keeps_what_it_holds_under_another_name_and_another_leaf_gets_nothing():
    lesson = open_lesson("1")
    held = accumulate(NOTHING, compile(lesson).run())
    other = edits.rename(lesson, "w0", "first")
    moved = renamed(held, lesson.nodes["w0"], other.nodes["first"])
    assert moved.gradients["first"] == -28 and "w0" not in moved.gradients and moved.passes == 1
    assert renamed(held, lesson.nodes["w0"], lesson.nodes["w1"]) is held
    assert renamed(held, lesson.nodes["a1"], other.nodes["first"]) is held


def test_a_pass_was_counted_at_a_leaf_before_it_had_arrived_there():
    run = compile(open_lesson("2")).run()
    timeline, once = run.timeline, accumulate(NOTHING, run)
    twice = accumulate(once, run)
    first, last = (
        next(step.index for step in timeline if (step.node, step.operand) == wire)
        for wire in (("b2", "a1"), ("m1", "a1"))
    )

    def at(time):
        held = under_way(once, twice, timeline.frame(float(time)).gradient)
        return float(held.gradients["a1"]), held.passes_at("a1")

    assert at(first) == (-41.0, 1) and at(first + 1) == (-68.0, 1) and at(last + 1) == (-82.0, 2)
    assert under_way(once, twice, timeline.frame(float(len(timeline))).gradient).awaited == frozenset()
