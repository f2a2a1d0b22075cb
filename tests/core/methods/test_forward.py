from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from core import Refused, compile
from core.lessons import open_lesson
from core.methods import Cancelled, forward, reverse
from core.passes.tangent import tangents
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
        ({"q": 1.0}, "q is no leaf with a value; give directions for parameters and inputs"),
        ({"y": 1.0}, "y is no leaf with a value; give directions for parameters and inputs"),
        ({"x": [1.0, 2.0, 3.0]}, "the direction of x has shape (3,); give one of its shape (2,)"),
    ],
)
def test_directions_that_do_not_fit_are_refused(directions, said):
    run = compile(graph(x=[1.0, 2.0], y=("sin", "x"))).run()
    with pytest.raises(Refused) as refused:
        tangents(run, directions)
    assert str(refused.value) == said


def test_it_stops_between_two_passes_when_cancelled():
    asked = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) > 3

    with pytest.raises(Cancelled):
        forward(compile(graph(x=np.ones(10), y=("sum", "x"))).run(), cancelled=cancelled)
    assert len(asked) == 4
