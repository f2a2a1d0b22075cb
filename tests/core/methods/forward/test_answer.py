from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from cadena.core.front import compile
from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import Cancelled
from cadena.core.methods.forward.answer import forward, widest
from cadena.core.methods.reverse.answer import reverse
from cadena.core.ops import memory
from cadena.core.run.passes.tangent import tangents
from cadena.core.teaching.lessons import lessons, open_lesson
from tests.core.graphs import documents, graph


@given(documents())
def test_forward_mode_is_reverse_mode_read_the_other_way(document):
    """<seed, J u> is <J^T seed, u>: one pass along random directions of all leaves, on any graph with good numbers."""
    run = compile(document).run()
    if run.faults:
        return
    random = np.random.default_rng(0)
    gradients = reverse(run).gradients
    directions = {name: random.standard_normal(gradient.shape) for name, gradient in gradients.items()}
    moved = tangents(run, directions)[run.plan.output]
    pulled = sum(float(np.sum(gradients[name] * directions[name])) for name in gradients)
    sizes = sum(float(np.sum(np.abs(gradients[name] * directions[name]))) for name in gradients)
    assert abs((0.0 if moved is None else float(np.sum(moved))) - pulled) <= 1e-9 * max(sizes, 1.0)


def test_lesson_10_value_and_derivative_are_carried_together():
    run = compile(open_lesson("10")).run()
    assert forward(run).passes == 1
    (leaf,) = forward(run).gradients
    moved = tangents(run, {leaf: 1.0})
    assert f"{float(run.value(run.program.output)):.6f}" == "0.880797"
    assert f"{float(moved[run.plan.output]):.6f}" == "0.104994"


def test_lesson_11_forward_mode_takes_a_pass_for_each_number_and_reverse_mode_one():
    document = open_lesson("11")
    assert forward(compile(document, wrt=["W"]).run()).passes == 6
    run = compile(document, wrt=["W", "X"]).run()
    assert (forward(run).passes, reverse(run).passes) == (15, 1)
    for name, gradient in forward(run).gradients.items():
        np.testing.assert_allclose(gradient, run.gradient(name), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize(("width", "passes"), [(1, 15), (4, 4), (6, 3), (15, 1), (20, 1), (None, 1)])
def test_lesson_11_by_derivative_vectors_takes_a_pass_for_so_many_tangents_and_gives_the_same_numbers(width, passes):
    run = compile(open_lesson("11")).run()
    answer = forward(run, width=width)
    assert (answer.passes, answer.width) == (passes, min(width or 15, 15))
    for name, gradient in forward(run).gradients.items():
        assert np.array_equal(answer.gradients[name], gradient)


@pytest.mark.parametrize("lesson", [lesson.name for lesson in lessons()])
@pytest.mark.parametrize("width", [2, None])
def test_on_every_lesson_derivative_vectors_are_dual_numbers_bit_by_bit(lesson, width):
    run = compile(open_lesson(lesson)).run()
    for name, gradient in forward(run).gradients.items():
        assert np.array_equal(forward(run, width=width).gradients[name], gradient, equal_nan=True)


def test_an_output_of_many_numbers_is_weighed_with_the_seed_for_every_tangent():
    run = compile(graph("y", x=[1.0, 2.0], k=3.0, y=("multiply", "x", "k"))).run(seed=[1.0, 10.0])
    gradients = forward(run, width=None).gradients
    assert gradients["x"].tolist() == [3.0, 30.0] and gradients["k"] == 21.0


def test_a_pass_carries_no_more_tangents_than_the_memory_holds(monkeypatch):
    run = compile(graph(x=np.ones(2**18), y=("sum", "x"))).run()  # a tangent of every node takes 2 MB
    monkeypatch.setattr(memory, "free", lambda: 2**24)
    assert widest(run) == 3
    elements = {"x": np.arange(8)}
    answer = forward(run, elements, width=None)
    assert (answer.passes, answer.width) == (3, 3)
    with pytest.raises(Refused, match="8 tangents of every node would take 17 MB; carry at most 3 in a pass"):
        forward(run, elements, width=8)


@pytest.mark.parametrize("width", [0, -2])
def test_a_pass_that_would_carry_nothing_is_refused(width):
    with pytest.raises(Refused, match="carry 1 or more"):
        forward(compile(open_lesson("11")).run(), width=width)


def test_tangents_say_where_nothing_moves_and_keep_the_number_type():
    run = compile(graph("y", x=[1.0, 2.0], z=3.0, k=("exp", "z"), y=("multiply", "x", "k"))).run(dtype="float32")
    moved = tangents(run, {"x": [1.0, 0.0]})
    index = run.plan.index
    assert moved[index["z"]] is None and moved[index["k"]] is None
    assert moved[index["y"]].dtype == np.float32
    np.testing.assert_allclose(moved[index["y"]], [np.exp(3.0), 0.0], rtol=1e-6)


def test_a_slot_that_only_chooses_carries_no_tangent():
    run = compile(graph("y", c=1.0, a=2.0, b=3.0, y=("where", "c", "a", "b"))).run()
    assert tangents(run, {"c": 1.0})[run.plan.output] is None


@pytest.mark.parametrize(
    ("directions", "said"),
    [
        ({"q": 1.0}, "q is not a leaf with a value; give directions for parameters and inputs"),
        ({"y": 1.0}, "y is not a leaf with a value; give directions for parameters and inputs"),
        ({"x": [1.0, 2.0, 3.0]}, "the direction of x has shape (3,); give one of its shape (2,)"),
    ],
)
def test_directions_that_do_not_fit_are_refused(directions, said):
    run = compile(graph(x=[1.0, 2.0], y=("sin", "x"))).run()
    with pytest.raises(Refused) as refused:
        tangents(run, directions)
    assert str(refused.value) == said


def test_it_stops_between_two_passes_when_cancelled(monkeypatch):
    monkeypatch.setattr("cadena.core.methods.forward.answer.TOGETHER", 2)
    asked = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) > 3

    with pytest.raises(Cancelled):
        forward(compile(graph(x=np.ones(10), y=("sum", "x"))).run(), cancelled=cancelled)
    assert len(asked) == 4
