"""The graph cut at a node: its gradient there is the node's in the whole graph, for every node of every graph."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import Refused, Run, compile, edits
from core.document import DTYPES, Node
from core.functions.opening import opened
from core.lessons import lessons, open_lesson
from core.methods import Cancelled, compare_node, cut, effort
from tests.core.functions.graphs import RECIPROCAL, calling
from tests.core.graphs import documents, graph, wide

LESSONS = [lesson.name for lesson in lessons()]


def whole(run: Run, name: str) -> np.ndarray | None:
    """The gradient of any node in the whole graph: all leaves are asked for theirs, so that it reaches all nodes."""
    leaves = [node.name for node in run.program.document.nodes.values() if node.is_leaf]
    return compile(run.program.document, wrt=leaves).run(dtype=run.dtype, seed=run.seed).gradient(name)


def assert_cuts_keep_gradients(run: Run) -> None:
    """Every node that has a gradient in the whole graph has the same one where the graph is cut there."""
    for name in run.program.document.nodes:
        wanted = whole(run, name)
        try:
            apart = compile(cut(run, name), wrt=[name]).run(seed=run.seed)
        except Refused:
            assert wanted is None
            continue
        assert apart.plan.reached[apart.plan.index[name]] is (wanted is not None)
        assert np.array_equal(apart.value(name), run.value(name), equal_nan=True)
        assert wanted is None or np.array_equal(apart.gradient(name), wanted, equal_nan=True)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lesson", LESSONS)
def test_the_gradient_is_that_of_the_node_in_the_whole_graph(lesson, dtype):
    assert_cuts_keep_gradients(compile(open_lesson(lesson)).run(dtype=dtype))


@settings(suppress_health_check=list(HealthCheck))
@given(documents(), st.sampled_from(DTYPES))
def test_it_is_so_in_random_graphs(document, dtype):
    assert_cuts_keep_gradients(compile(document).run(dtype=dtype))


@pytest.mark.parametrize("name", ["w0", "n70", "n500", "s3"])
def test_it_is_so_in_a_large_graph(name):
    """The levels are others in the part that is left, and with them the order in which contributions are added."""
    run = compile(wide(1000)).run()
    apart = compile(cut(run, name), wrt=[name]).run()
    assert apart.gradient(name) == pytest.approx(float(whole(run, name)), rel=1e-12)


def test_it_is_so_inside_a_function_with_the_gradient_that_comes_from_above():
    run = compile(calling(RECIPROCAL, 0.5)).run(seed=3.0)
    body = opened(run.program.document, "L", run)
    inside = compile(body).run(seed=run.gradient("L"))
    assert_cuts_keep_gradients(inside)
    made = compare_node(inside, "e")
    assert made.agrees and made.rows[0].evidence.numbers["central difference"] == pytest.approx(-3.0 * np.exp(-1.0))


def test_calls_that_read_a_call_which_is_cut_out_stay_calls():
    document = calling(RECIPROCAL, 0.5)
    document = edits.set_output(replace(document, nodes={**document.nodes, "y": Node("y", "f", ("L",))}), "y")
    run = compile(document).run()
    assert_cuts_keep_gradients(run)
    assert cut(run, "L").nodes["y"].op == "f" and compare_node(run, "L").agrees


def test_the_values_are_those_of_the_run():
    run = compile(graph(x=1.0, y=("exp", "x"), z=("multiply", "x", "y"))).run({"x": 2.0}, dtype="float32")
    made = cut(run, "y")
    assert made.dtype == "float32" and made.nodes["x"].value == 2.0
    assert compile(made).run().value("z") == run.value("z")


def test_what_only_served_the_node_is_left_out():
    run = compile(graph("z", x=1.0, y=("exp", "x"), k=2.0, z=("multiply", "k", "y"), other=("sin", "x"))).run()
    made = cut(run, "y")
    assert set(made.nodes) == {"y", "k", "z"} and made.nodes["y"].op == "parameter"
    assert set(run.program.document.nodes) == {"x", "y", "k", "z", "other"}


def test_a_node_of_another_number_type_keeps_it():
    document = graph(x=0.1, y=("astype", "x", {"dtype": "float16"}), z=("multiply", "y", "y"))
    run = compile(document).run()
    assert_cuts_keep_gradients(run)
    assert compile(cut(run, "y")).run().value("z").dtype == np.float16


def test_the_output_itself_has_the_seed_as_its_gradient():
    run = compile(graph(x=[1.0, 2.0], y=("sin", "x"))).run(seed=[3.0, -1.0])
    made = compare_node(run, "y")
    assert made.agrees and made.answers[0].gradients["y"].tolist() == [3.0, -1.0]
    single = compare_node(compile(graph(x=2.0, y=("sin", "x"))).run(), "y")
    assert {round(number, 12) for number in single.rows[0].evidence.numbers.values()} == {1.0}


def test_a_constant_is_compared_too():
    made = compare_node(compile(graph(x=2.0, k=("constant", 3.0), y=("multiply", "x", "k"))).run(), "k")
    assert made.agrees and len(made.rows[0].evidence.numbers) == 5 and made.rows[0].evidence.numbers["symbols"] == 2.0


def test_of_large_arrays_some_elements_are_compared():
    run = compile(graph(x=np.linspace(0.1, 1.0, 1000), y=("exp", "x"), z=("sin", "y"), L=("sum", "z"))).run()
    made = compare_node(run, "y", methods=["central difference"])
    assert made.agrees and made.elements == 1000 and made.compared == 200


NO_GRADIENT = [
    ("other", "y does not depend on other, so there is no gradient to compare"),
    ("open", "open does not run, so it has no gradient; mend its faults first"),
    ("c", "c only chooses what y is, and no gradient flows through a choice"),
]


@pytest.mark.parametrize(("name", "said"), NO_GRADIENT)
def test_where_there_is_no_gradient_a_sentence_says_so(name, said):
    document = graph(
        "y", x=1.0, k=2.0, c=("floor", "k"), y=("where", "c", "x", "k"), other=("sin", "x"), open=("exp", None)
    )
    with pytest.raises(Refused, match=said):
        compare_node(compile(document).run(), name)


def test_without_an_output_that_runs_it_is_refused():
    with pytest.raises(Refused, match="no output"):
        compare_node(compile(edits.set_output(graph(x=1.0, y=("sin", "x")), None)).run(), "x")


def test_it_can_be_cancelled():
    with pytest.raises(Cancelled):
        compare_node(compile(graph(x=1.0, y=("sin", "x"))).run(), "y", cancelled=lambda: True)


def test_the_effort_grows_with_the_graph_and_with_the_elements():
    run = compile(graph(x=[1.0, 2.0, 3.0], k=1.0, y=("multiply", "x", "k"), L=("sum", "y"))).run()
    assert [effort(run, name) for name in ("k", "x", "L")] == [8, 24, 8]
    assert effort(compile(graph(x=np.zeros(1000), L=("sum", "x"))).run(), "x") == 200 * 1001
