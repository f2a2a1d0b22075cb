"""Forward mode with derivative vectors, step by step: one walk carries all tangents, those of dual numbers."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.graph.document import Document, Node, as_value
from cadena.core.graph.fault import Refused
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.forward.answer import forward
from cadena.core.methods.forward.dual_timeline import DualTimeline
from cadena.core.methods.forward.vector_timeline import MAX_CARRIED, VectorTimeline
from cadena.core.methods.names import Method
from cadena.core.teaching.lessons import lessons, open_lesson
from tests.core.graphs import graph

EVERY = pytest.mark.parametrize("lesson", [lesson.name for lesson in lessons()])


def vectors(lesson: str, width: int | None = None) -> VectorTimeline:
    made = timeline_of(compile(open_lesson(lesson)).run(), Method("forward", width=width))
    assert isinstance(made, VectorTimeline)
    return made


@EVERY
@pytest.mark.parametrize("width", [2, None])
def test_every_moment_can_be_shown_and_told(lesson, width):
    steps = timeline_of(compile(open_lesson(lesson)).run(), Method("forward", width=width))
    names = steps.run.plan.names
    for time in np.arange(0.0, len(steps) + 0.1, 0.45)[:60]:
        frame = steps.frame(float(time))
        assert all(len(frame.lines(name)) == 2 for name in names[:12])
        assert frame.lanes and all(0.0 <= token.fraction <= 1.0 for token in frame.tokens)
    for index in range(min(len(steps), 40)):
        told = steps.describe(index)
        assert told.title.endswith(".") and told.sentence.endswith(".") and len(told.formulas) == 2


@EVERY
def test_every_node_has_the_tangents_of_dual_numbers_and_the_leaves_their_gradients_at_the_end(lesson):
    run = compile(open_lesson(lesson)).run()
    single, several = DualTimeline(run, None), VectorTimeline(run, None, None)
    assert several.names == single.names
    for name in run.plan.names:
        for direction in range(len(single.names)):
            vector, alone = several.tangent(direction, name), single.tangent(direction, name)
            assert np.array_equal(vector, alone, equal_nan=True)
            assert np.array_equal(np.signbit(vector), np.signbit(alone))  # what does not move shows 0, not -0
    end = several.frame(len(several))
    for name, gradient in forward(run).gradients.items():
        assert np.array_equal(end.gradient(name), gradient, equal_nan=True)


def test_lesson_11_takes_one_pass_for_15_tangents_in_the_place_of_15_passes():
    steps = vectors("11")
    assert (len(steps), steps.carried, steps.passes_needed) == (4, 15, 1)
    dual = timeline_of(steps.run, Method("forward"))
    assert (len(dual), dual.passes_needed) == (60, 15)
    assert steps.describe(0).title == "Forward mode, pass 1 of 1, 15 tangents: Z has 15 derivative arrays."
    assert [frame.gradient("W") is None for frame in (steps.frame(3.0), steps.frame(4.0))] == [True, False]


@pytest.mark.parametrize(("width", "passes"), [(4, 4), (5, 3), (14, 2)])
def test_a_pass_may_carry_some_of_the_tangents(width, passes):
    steps = vectors("11", width)
    assert (len(steps), steps.passes_needed, len(steps.stretches)) == (4 * passes, passes, passes)
    last = 15 - width * (passes - 1)
    assert steps.describe(len(steps) - 1).title.startswith(f"Forward mode, pass {passes} of {passes}, {last} tangent")
    assert len(steps.shown(passes - 1, "L")) == last


def test_a_node_shows_its_value_and_its_derivative_vector_and_both_travel():
    frame = vectors("1").frame(3.0)
    value, derivatives = frame.lines("m2")
    assert float(value.number) == 15.0 and derivatives.number.tolist() == [0, 3, 0, 0, 0]
    token = vectors("1").frame(2.2).tokens[0]
    assert (token.source, float(token.number), token.tangent.tolist()) == ("m1", 8.0, [4, 0, 0, 0, 0])
    assert vectors("11").frame(1.0).lines("Z")[1].number.shape == (15, 3, 2)


def test_all_lanes_fill_during_the_same_pass():
    steps = vectors("1")
    assert [lane.text for lane in steps.frame(0.5).lanes] == ["·"] * 5
    assert [f"{lane.name} {lane.text}" for lane in steps.frame(2.0).lanes] == [
        "∂m2/∂w0 0", "∂m2/∂w1 3", "∂m2/∂w2 0", "∂m2/∂w3 0", "∂m2/∂w4 0",
    ]  # fmt: skip
    end = steps.frame(8.0).lanes
    assert [f"{lane.name} {lane.text}" for lane in end] == [
        "∂L/∂w0 −28", "∂L/∂w1 −21", "∂L/∂w2 −12", "∂L/∂w3 −23", "∂L/∂w4 −36",
    ]  # fmt: skip
    assert all(lane.now for lane in end)
    assert [lane.text for lane in vectors("11").frame(1.0).lanes][8:10] == ["2 of 6 ≠ 0", "3 of 6 ≠ 0"]


def test_lanes_of_other_passes_wait_or_show_what_they_gave():
    lanes = vectors("1", 2).frame(10.0).lanes
    assert [lane.text for lane in lanes] == ["−28", "−21", "0", "0", "·"]
    assert [lane.now for lane in lanes] == [False, False, True, True, False]


def test_the_chain_rule_is_told_with_vectors_and_with_numbers_while_they_are_few():
    assert vectors("1").describe(4).formulas == (
        r"m_{3} = w_{3} \cdot b_{1} = 161",
        r"\nabla m_{3} = \frac{\partial m_{3}}{\partial w_{3}} \cdot \nabla w_{3} + "
        r"\frac{\partial m_{3}}{\partial b_{1}} \cdot \nabla b_{1} = "
        r"\begin{bmatrix} 28 & 21 & 0 & 23 & 0 \end{bmatrix}",
    )
    few = vectors("1", 2)
    assert (
        few.describe(0)
        .formulas[1]
        .endswith(r"= 4 \cdot \begin{bmatrix} 1 & 0 \end{bmatrix} = \begin{bmatrix} 4 & 0 \end{bmatrix}")
    )
    assert few.describe(0).sentence == "m1 is w0 times a1: 2 · 4 = 8; its derivatives are 4 along w0, 0 along w1."
    assert few.describe(23).sentence.endswith("its derivative is −36 along w4.")
    assert vectors("11").describe(0).sentence.endswith("of its 15 derivative arrays 15 are not 0.")
    assert r"\cdots & -0.3983" in vectors("11").describe(3).formulas[1]


def test_one_element_alone_is_carried_as_a_dual_number():
    assert type(timeline_of(compile(open_lesson("10")).run(), Method("forward", width=None))) is DualTimeline


def test_of_many_tangents_the_first_ones_are_shown_and_all_are_counted():
    run = compile(graph(x=np.ones(100), y=("sum", "x"))).run()
    steps = timeline_of(run, Method("forward", width=None))
    assert len(steps.lanes(steps.frame(1.0))) == MAX_CARRIED
    assert steps.describe(0).title.startswith(
        f"Forward mode, pass 1 of 1, 100 tangents, the first {MAX_CARRIED} shown: "
    )
    assert steps.frame(1.0).gradient("x") is None
    whole = timeline_of(run, Method("forward", width=None), whole=True)
    assert whole.frame(1.0).gradient("x").tolist() == [1.0] * 100


def test_an_output_of_many_numbers_is_weighed_with_the_seed():
    nodes = (Node("x", "parameter", value=2.0), Node("z", "parameter", value=5.0))
    nodes += (Node("k", "constant", value=as_value([1.0, 3.0])), Node("s", "multiply", ("x", "k")))
    nodes += (Node("y", "multiply", ("s", "z")),)
    run = compile(Document({node.name: node for node in nodes}, output="y")).run()
    steps = timeline_of(run, Method("forward", width=None))
    assert [lane.text for lane in steps.frame(len(steps)).lanes] == ["20", "8"]


def test_a_width_that_is_not_open_is_refused():
    with pytest.raises(Refused, match="carry 1 or more"):
        timeline_of(compile(open_lesson("11")).run(), Method("forward", width=0))
