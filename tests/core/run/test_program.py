"""Documents as programs: random graphs against differences, one pass against another, and what a run refuses."""

from __future__ import annotations

import itertools
import warnings
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from cadena.core.front import compile
from cadena.core.graph import edits
from cadena.core.graph.document import Document, Node, as_array
from cadena.core.graph.fault import Refused
from cadena.core.graph.order import ancestors
from cadena.core.ops.primitive import REGISTRY
from cadena.core.run.passes import ArrayPass
from tests.core.differences import directional
from tests.core.graphs import chain, documents, edit_sequences, graph, mlp, wide
from tests.thorough import tries

SMOOTH = ("add", "subtract", "multiply", "negative", "sin", "cos", "tanh", "sigmoid", "exp",
          "sum", "mean", "matmul", "transpose", "reshape", "getitem")  # fmt: skip
NUMBERS_ONLY = tuple(op for op in SMOOTH if op not in ("matmul", "transpose", "reshape", "getitem", "sum", "mean"))


def everything_wanted(document: Document) -> Document:
    """`document` with all its leaves as parameters."""
    nodes = {name: edits.set_operation(document, name, "parameter").nodes[name] if node.is_leaf else node
             for name, node in document.nodes.items()}  # fmt: skip
    return replace(document, nodes=nodes)


# --- gradients


@tries(60)
@given(documents(ops=SMOOTH))
def test_gradients_agree_with_differences(document):
    document = everything_wanted(document)
    program = compile(document)
    run = program.run()
    assume(all(np.all(np.abs(run.value(name)) < 1e3) for name in document.nodes))
    leaves = [name for name, node in document.nodes.items() if node.is_leaf and run.gradient(name) is not None]
    points = [as_array(document.nodes[name].value) for name in leaves]

    def output(*given):
        return np.sum(program.run(dict(zip(leaves, given, strict=True))).value(document.output))

    for slot, name in enumerate(leaves):
        direction = np.random.default_rng(slot).standard_normal(points[slot].shape)
        expected, error = directional(output, points, slot, direction)
        assume(error < 1e-2 * (1 + np.abs(expected)))  # else differences say nothing here
        assert np.abs(np.sum(run.gradient(name) * direction) - expected) <= error


@tries(50)
@given(documents(shapes=((),), ops=NUMBERS_ONLY))
def test_the_pass_over_floats_gives_what_the_pass_over_arrays_gives(document):
    program = compile(document)
    run = program.run()
    arrays = ArrayPass(program.plan)
    values = arrays.forward(program.defaults, "float64")
    gradients = arrays.reverse(values, np.ones(()))
    for name, number in program.plan.index.items():
        np.testing.assert_allclose(run.value(name), values[number], rtol=1e-12, atol=1e-300)
        if program.plan.reached[number]:
            scale = 1e-12 * max([abs(float(g)) for g in gradients if g is not None and np.isfinite(g)], default=1.0)
            np.testing.assert_allclose(run.gradient(name), gradients[number], rtol=1e-12, atol=scale)


@tries(50)
@given(documents())
def test_values_and_gradients_have_the_shape_and_the_dtype_that_was_asked_for(document):
    for dtype in ("float64", "float32", "float16"):
        run = compile(document).run(dtype=dtype)
        for name, shape in zip(run.plan.names, run.plan.shapes, strict=True):
            assert run.value(name).shape == shape and run.value(name).dtype == dtype
            gradient = run.gradient(name)
            assert gradient is None or (gradient.shape == shape and gradient.dtype == dtype)


def carried(document, name):
    """`name` and all nodes whose gradient flows from it: operands in slots that only choose get none."""
    found, queue = {name}, [name]
    while queue:
        node = document.nodes[queue.pop()]
        for slot, source in enumerate(node.inputs):
            if source not in found and REGISTRY[node.op].slot(slot).differentiable:
                found.add(source)
                queue.append(source)
    return found


CHOSEN = graph(w=-1.0, x=("input", 2.0), loss=("hinge_embedding_loss", "x", "w"), L=("exp", "loss"))


@tries(60)
@given(documents())
@example(CHOSEN)  # a parameter that only chooses: `loss` depends on it and has a gradient, which goes no farther
def test_a_gradient_exists_exactly_on_the_ways_from_wanted_leaves_to_the_output(document):
    run = compile(document).run()
    above = carried(document, document.output)
    for name in document.nodes:
        wanted = any(document.nodes[node].wants_gradient for node in ancestors(document, name))
        expected = name == document.output or (name in above and wanted)
        assert (run.gradient(name) is not None) == expected


def test_argmax_passes_no_gradient_to_its_operand():
    run = compile(graph(x=[1.0, 3.0], y=("argmax", "x"))).run()
    assert run.gradient("x") is None
    assert run.gradient("y") == 1.0


@tries(60)
@given(documents(), st.floats(-3, 3))
def test_the_seed_scales_every_gradient(document, factor):
    program = compile(document)
    run, scaled = program.run(), program.run(seed=factor)
    for name in document.nodes:
        if run.gradient(name) is not None and np.all(np.isfinite(run.gradient(name))):
            expected = factor * run.gradient(name)
            close = 1e-9 * np.max(np.abs(expected), initial=0) + 1e-14  # terms that cancel leave their rounding
            np.testing.assert_allclose(scaled.gradient(name), expected, rtol=1e-9, atol=close)


def test_asking_for_a_gradient_again_does_not_accumulate():
    run = compile(graph(w=3.0, y=("multiply", "w", "w"))).run()
    assert run.gradient("w") == run.gradient("w") == 6
    assert run.program.run().gradient("w") == 6


def test_gradients_with_respect_to_chosen_nodes():
    document = graph(x=("input", 2.0), w=3.0, m=("multiply", "x", "w"), y=("sin", "m"))
    run = compile(document, wrt=["x"]).run()
    assert run.gradient("x") == pytest.approx(3 * np.cos(6)) and run.gradient("w") is None


def test_another_output_than_the_document_has():
    document = graph(x=2.0, y=("multiply", "x", "x"), z=("exp", "y"))
    run = compile(document, output="y").run()
    assert run.gradient("x") == 4 and run.gradient("z") is None


# --- running again


@tries(60)
@given(edit_sequences())
def test_a_program_with_new_values_runs_like_one_compiled_anew(states):
    from cadena.core.graph.document import changes

    for old, new in itertools.pairwise(states):
        if changes(old, new).structural:
            continue
        kept, fresh = compile(old).with_values(new).run(), compile(new).run()
        assert kept.dtype == fresh.dtype
        for name in new.nodes:
            assert repr(kept.value(name)) == repr(fresh.value(name))
            assert repr(kept.gradient(name)) == repr(fresh.gradient(name))


def test_given_values_hold_for_one_run_only():
    program = compile(graph(x=2.0, y=("multiply", "x", "x")))
    assert [program.run({"x": 5.0}).value("y"), program.run().value("y")] == [25, 4]


@tries(40)
@given(documents())
def test_runs_of_one_program_do_not_disturb_each_other(document):
    program = compile(document)
    first = program.run()
    before = [repr(first.value(name)) for name in document.nodes]
    program.run(dtype="float32").gradients  # noqa: B018
    program.run({name: np.multiply(as_array(node.value), 2) for name, node in document.nodes.items() if node.is_leaf})
    assert [repr(first.value(name)) for name in document.nodes] == before
    assert [repr(first.gradient(name)) for name in document.nodes] == [
        repr(program.run().gradient(name)) for name in document.nodes
    ]


@tries(60)
@given(documents(), st.sampled_from(["float64", "float32", "float16"]))
def test_no_random_graph_raises_or_warns(document, dtype):
    run = compile(document).run(dtype=dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run.gradients, run.faults, len(run.timeline)
        locals_ = [
            (name, run.local(name, slot)) for name, node in document.nodes.items() for slot in range(len(node.inputs))
        ]
    assert all(local is None or local.shape == run.value(name).shape for name, local in locals_)


@pytest.mark.parametrize("document", [graph(x=1.0, y=("sin", "x")), wide(3000)], ids=["small", "large"])
def test_a_value_or_a_seed_too_large_for_float32_is_inf_without_a_warning(document):
    leaf = next(iter(document.nodes))
    run = compile(document).run({leaf: 1e300}, dtype="float32", seed=1e300)
    assert run.value(leaf) == np.inf and run.gradient(document.output) == np.inf


@pytest.mark.parametrize("document", [chain(5000), wide(5000), mlp((20, 10, 5), 4), mlp((20, 10, 5), 4, "float32")])
def test_large_graphs_run_forward_and_backward(document):
    run = compile(document).run()
    assert np.isfinite(run.value(document.output))
    leaf = next(name for name, node in document.nodes.items() if node.wants_gradient)
    assert np.all(np.isfinite(run.gradient(leaf))) and run.seconds["forward"] > 0 and run.seconds["reverse"] > 0


# --- what a run refuses

PROGRAM = compile(graph(w=2.0, v=[1.0, 2.0], y=("multiply", "w", "v")))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"nobody": 1.0}, "there is no node nobody; the graph's leaves are w, v"),
        ({"y": 1.0}, "y is not a leaf with a value; values can be set for w, v"),
        ({"w": "two"}, "w: two is not a number or an array of numbers"),
        ({"w": [1.0]}, r"w has shape \(\), the new value \(1,\); give one of equal shape"),
        ({"v": [[1.0], [2.0, 3.0]]}, "v: .* is not a number or an array of numbers"),
        ({"v": 3.0}, r"v has shape \(2,\), the new value \(\); give one of equal shape"),
    ],
)
def test_values_that_do_not_fit_are_refused(values, message):
    with pytest.raises(Refused, match=message):
        PROGRAM.run(values)


def test_an_unknown_number_type_a_wrong_seed_and_unknown_names_are_refused():
    with pytest.raises(Refused, match="int8 is not a number type; choose float64, float32, float16"):
        PROGRAM.run(dtype="int8")
    with pytest.raises(Refused, match=r"the seed must be a number or have the shape \(2,\) of y"):
        PROGRAM.run(seed=[1.0, 2.0, 3.0]).gradients  # noqa: B018
    for options in ({"output": "nobody"}, {"wrt": ["nobody"]}):
        with pytest.raises(Refused, match="there is no node nobody; choose one of w, v, y"):
            compile(PROGRAM.document, **options)


def test_asking_a_run_for_a_node_that_is_not_there_is_a_programmers_error():
    for ask in (PROGRAM.run().value, PROGRAM.run().gradient):
        with pytest.raises(KeyError, match="there is no node nobody"):
            ask("nobody")


def test_an_empty_document_runs():
    run = compile(Document({})).run()
    assert not run.faults and len(run.timeline) == 0 and list(run.gradients) == []


@given(documents(shapes=((), (), (2,))), st.sampled_from(["float64", "float32"]))
def test_all_wires_together_carry_what_each_carries_alone(document, dtype):
    alone, together = (compile(document).run(dtype=dtype) for _ in range(2))
    together.compute_all_wires()
    for name, node in document.nodes.items():
        for slot in range(len(node.inputs)):
            for one, other in (
                (alone.contribution(name, slot), together.contribution(name, slot)),
                (alone.local(name, slot), together.local(name, slot)),
            ):
                assert (one is None) == (other is None)
                assert one is None or (one.dtype == other.dtype and one.shape == other.shape)
                np.testing.assert_array_equal(one, other)


def test_contributions_and_local_derivatives_exist_only_for_wires_that_carry_a_gradient():
    run = compile(graph(w=2.0, k=("constant", 5.0), m=("multiply", "w", "k"))).run()
    assert run.contribution("m", 0) == 5 and run.contribution("m", 1) is None and run.contribution("w", 0) is None
    assert run.local("m", 0) == 5 and run.local("m", 1) == 2 and run.local("w", 0) is None


def test_the_local_derivative_of_a_broadcast_sum_has_the_shape_of_the_sum():
    run = compile(graph(w=2.0, v=[1.0, 2.0], s=("add", "w", "v"))).run()
    np.testing.assert_array_equal(run.local("s", 0), [1.0, 1.0])


def test_a_matrix_product_has_no_local_derivative_to_show():
    run = compile(graph(a=[[1.0]], b=[[2.0]], m=("matmul", "a", "b"))).run()
    assert run.local("m", 0) is None and run.contribution("m", 0) == [[2.0]]


def test_an_input_whose_gradient_is_wanted_gets_one():
    nodes = {"x": Node("x", "input", value=2.0, gradient=True), "y": Node("y", "multiply", ("x", "x"))}
    assert compile(Document(nodes, output="y")).run().gradient("x") == 4


@pytest.mark.parametrize(
    ("op", "attributes"),
    [("tile", {"reps": 10**9}), ("repeat", {"repeats": 10**9}), ("broadcast_to", {"shape": [10**9, 10**9]})],
)
def test_a_result_that_no_memory_holds_is_a_fault_and_not_an_attempt(op, attributes):
    (fault,) = compile(graph(x=1.0, y=(op, "x", attributes))).faults
    assert fault.kind == "shape" and "would take" in fault.message and " GB " in fault.message


def test_an_attribute_of_another_kind_is_a_fault_and_not_a_crash():
    """Elementwise operations on single numbers, too, whose shapes need no look."""
    (fault,) = compile(graph(x=1.0, y=("elu", "x", {"alpha": None}))).faults
    assert fault.kind == "attribute"
    assert fault.message.startswith("y: elu needs a number as its attribute 'alpha', not None; set it so")


@given(st.lists(st.tuples(st.integers(0, 140), st.integers(0, 140)), min_size=1, max_size=6))
def test_an_edited_program_is_the_one_that_is_compiled_anew(pairs):
    """Of the graph before the edit, what stayed is not read again."""
    document = wide(150, leaves=20)
    names, program = list(document.nodes), compile(document)
    for one, other in pairs:
        with suppress(Refused):
            document = edits.connect(document, names[min(one, other)], names[max(one, other)], 0)
        program = type(program)(document, before=program.plan.wired)
    fresh, run = compile(document).run(), program.run()
    for name in names:
        assert run.value(name) == fresh.value(name)
        gradient, other_gradient = run.gradient(name), fresh.gradient(name)
        assert (gradient is None) == (other_gradient is None) and (gradient is None or gradient == other_gradient)
