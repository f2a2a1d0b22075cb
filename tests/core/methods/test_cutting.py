"""The graph cut at a node: its gradient there is the node's in the whole graph, for every node of every graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from cadena.core.front import Program, Run, compile
from cadena.core.graph import edits
from cadena.core.graph.document import DTYPES, Document, Function, Node
from cadena.core.graph.fault import Refused
from cadena.core.graph.order import ancestors
from cadena.core.methods.answer import Cancelled
from cadena.core.methods.compare import compare
from cadena.core.methods.cutting import compare_node, cut, effort
from cadena.core.methods.difference.sweep import sweep
from cadena.core.rewriting import unfolding
from cadena.core.rewriting.opening import opened
from cadena.core.teaching.lessons import lessons, open_lesson
from tests.core.functions.graphs import RECIPROCAL, calling
from tests.core.graphs import documents, graph, wide
from tests.thorough import tries

Compile = Callable[..., Program]
NO_FLOW = "only chooses what"
LESSONS = [lesson.name for lesson in lessons()]


def compile_for_numpy(document: Document, wrt: list[str] | None = None) -> Program:
    """A program that computes by numpy alone: the last digits of the passes over floats are those of the C library."""
    program = compile(document, wrt=wrt)
    program.passes.table = None
    return program


def whole(run: Run, name: str, compile: Compile = compile) -> np.ndarray | None:
    """The gradient of any node in the whole graph: all leaves are asked for theirs, so that it reaches all nodes."""
    leaves = [node.name for node in run.program.document.nodes.values() if node.is_leaf]
    return compile(run.program.document, wrt=leaves).run(dtype=run.dtype, seed=run.seed).gradient(name)


def assert_cuts_keep_gradients(run: Run, compile: Compile = compile) -> None:
    """Every node that has a gradient in the whole graph has the same one where the graph is cut there."""
    for name in run.program.document.nodes:
        wanted = whole(run, name, compile)
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
    assert_cuts_keep_gradients(compile_for_numpy(document).run(dtype=dtype), compile_for_numpy)


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
    assert made.agrees and len(made.rows[0].evidence.numbers) == 5 and made.rows[0].evidence.numbers["symbolic"] == 2.0


def test_of_large_arrays_some_elements_are_compared():
    run = compile(graph(x=np.linspace(0.1, 1.0, 1000), y=("exp", "x"), z=("sin", "y"), L=("sum", "z"))).run()
    made = compare_node(run, "y", methods=["central difference"])
    assert made.agrees and made.elements == 1000 and made.compared == 200


NO_GRADIENT = [
    ("other", "y does not depend on other, so there is no gradient to compare"),
    ("open", "open does not run, so it has no gradient; fix its faults first"),
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


# --- nodes that only choose, and what is computed from them


@st.composite
def choosing(draw: st.DrawFn) -> Document:
    """A random graph of vectors of 3 and of single numbers, with many operations through which no gradient flows."""
    nodes: dict[str, Any] = {
        "x": draw(VECTORS), "p": draw(VECTORS), "z": ("input", draw(VECTORS)), "k": ("constant", draw(VECTORS))
    }  # fmt: skip
    vectors, numbers = list(nodes), list[str]()
    for index in range(draw(st.integers(3, 9))):
        a, b, c = (draw(st.sampled_from(vectors)) for _ in range(3))
        n = draw(st.sampled_from(numbers)) if numbers else None
        kinds = [("v", (op, a)) for op in ("sin", "floor", "sign", "round", "relu", "softmax")]
        kinds += [("v", (op, a, b)) for op in ("add", "multiply", "maximum")]
        kinds += [("v", ("where", a, b, c)), ("v", ("getitem", a, {"index": "[2, 0, 0]"}))]
        kinds += [("v", ("astype", a, {"dtype": "float32"}))]
        kinds += [("n", (op, a)) for op in ("argmax", "argmax", "sum", "max")]
        if n is not None:
            kinds += [("v", ("multiply", n, a)), ("n", ("add", n, n)), ("n", ("sin", n)), ("n", ("floor", n))]
            picks = [name for name in numbers if nodes[name][0] == "argmax"]
            kinds += [("n", ("embedding", draw(st.sampled_from(picks)), a))] if picks else []
        kind, node = draw(st.sampled_from(kinds))
        nodes[f"n{index}"] = node
        (vectors if kind == "v" else numbers).append(f"n{index}")
    nodes["t"] = ("multiply", vectors[-1], numbers[-1] if numbers else vectors[-2])
    nodes["L"] = ("sum", "t")
    return graph(**nodes)


VECTORS = st.lists(st.integers(-20, 20).map(lambda n: n / 8.0 + 0.03), min_size=3, max_size=3)


def refusal(run: Run, name: str, methods: list[str] | None) -> tuple[Any, str]:
    """The comparison at a node, or why there is none."""
    try:
        return compare_node(run, name, methods=methods), ""
    except Refused as refused:
        return None, str(refused)


def assert_one_answer(run: Run, methods: list[str] | None = None) -> None:
    """The run, the graph cut at the node, every method and the unfolded reverse pass tell the same of each node."""
    document, output = run.program.document, str(run.program.output)
    wanted = {name for name, node in document.nodes.items() if node.wants_gradient}
    for name in document.nodes:
        gradient, (made, why) = run.gradient(name), refusal(run, name, methods)
        if gradient is None:
            # Nobody asks for it, it has no way to the output, or it only selects.
            unasked = not wanted & ancestors(document, name) and name != output
            assert unasked or NO_FLOW in why or "does not depend on" in why, (name, why)
            assert why == "" or whole(run, name) is None
        else:
            assert why == "" and made.agrees, (name, why, str(made))
            assert np.array_equal(made.answers[0].gradients[name], gradient, equal_nan=True)
            assert np.array_equal(whole(run, name), gradient, equal_nan=True)
            unfolded = unfolding.unfolded(document, output, [name])
            assert compile(unfolded.document).run().value(unfolded.gradients[name]).tolist() == gradient.tolist()


@tries(40, suppress_health_check=list(HealthCheck))
@given(choosing())
def test_the_gradient_of_a_node_that_is_chosen_is_the_same_in_the_run_and_where_it_is_cut(document):
    run = compile(document).run()
    conditions = [node.inputs[0] for node in document.nodes.values() if node.op == "where"]
    assume(all(np.all(run.value(str(name)) != 0.0) for name in conditions))  # at 0 a condition jumps
    assert_one_answer(run, ["forward", "central difference", "complex step"])


def test_a_condition_at_its_jump_hides_an_edge_of_a_smooth_output():
    """y = where(r, x, p) r has the slope x at r = 0, and the rules give p: differences are believed, and it is said."""
    run = compile(graph(x=-0.5, p=2.0, r=("relu", "x"), c=("where", "r", "x", "p"), y=("multiply", "c", "r"))).run()
    (row,) = compare_node(run, "r", methods=["central difference"]).rows
    assert row.evidence.numbers == {"reverse": 2.0, "central difference": pytest.approx(-0.5)}
    assert row.judgement.status == "differ" and row.judgement.believed == "central difference"


ARGMAX = graph(x=[1.0, 3.0, 2.0], a=("argmax", "x"), s=("sum", "x"), y=("multiply", "a", "s"))


def test_an_argmax_had_no_gradient_in_the_run_and_6_where_the_graph_was_cut():
    run = compile(ARGMAX).run()
    assert run.gradient("a") == 6.0 and run.gradient("x").tolist() == [1.0, 1.0, 1.0]
    assert_one_answer(run)
    assert [run.timeline[i].operand for i in range(4, len(run.timeline))] == ["a", "s", "x"]
    numbers = compare_node(run, "a").rows[0].evidence.numbers
    assert len(numbers) == 5 and set(np.round([*numbers.values()], 9)) == {6.0}


def test_inside_a_call_it_has_the_same_one():
    function = Function(inputs=("x",), nodes={name: ARGMAX.nodes[name] for name in ("a", "s", "y")}, output="y")
    run = compile(calling(function, [1.0, 3.0, 2.0])).run(seed=2.0)
    inside = compile(opened(run.program.document, "L", run)).run(seed=run.gradient("L"))
    assert inside.gradient("a") == 12.0
    assert_cuts_keep_gradients(inside)


def test_what_follows_from_a_choice_alone_has_a_gradient_and_the_chosen_leaf_has_none():
    run = compile(
        graph(x=[1.0, 3.0], k=("constant", 5.0), a=("argmax", "x"), e=("exp", "a"), y=("multiply", "e", "k"))
    ).run()
    assert run.gradient("e") == 5.0 and run.gradient("a") == 5.0 * np.e
    assert run.gradient("x") is None and run.gradient("k") is None
    assert refusal(run, "x", None)[1] == "x only chooses what y is, and no gradient flows through a choice"
    with pytest.raises(Refused, match="x only chooses what y is, and no gradient flows through a choice; make a leaf"):
        compare(run.program.document)
    with pytest.raises(Refused, match="x only chooses what y is, and no gradient flows through a choice; wire a para"):
        unfolding.unfold(run.program.document)
    with pytest.raises(Refused, match="x: no gradient reaches it, as x only chooses what y is"):
        sweep(run.program.document, "x", (0,))


def test_in_a_large_graph_of_numbers_it_is_so_too():
    """Graphs of that kind run level by level; zeta's first operand is no number to differentiate by."""
    nodes: dict[str, Any] = {"s": 3.0, "q": 1.5, "h": ("add", "s", "s"), "z": ("zeta", "h", "q")}
    for number in range(70):
        nodes[f"n{number}"] = ("sin", f"n{number - 1}" if number else "z")
    run = compile(graph(**nodes)).run()
    assert run.plan.choosing == {(3, 0)}
    assert run.gradient("s") is None and run.gradient("h") is None and run.gradient("q") is not None
    first = {name: nodes[name] for name in ("s", "h")} | {"k": ("constant", 2.0), "f": ("zeta", "h", "k")}
    made = graph(**first, **{name: nodes[name] for name in nodes if name not in first}, u=("multiply", "n69", "f"))
    run = compile(made).run()
    assert run.gradient("f") == run.value("n69") and run.gradient("h") is None
    assert_cuts_keep_gradients(run)
