"""Values and derivatives of functions: those of their nodes, or those of their custom gradient."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

import cadena
from cadena.core.front import compile
from cadena.core.functions.calls import operation
from cadena.core.graph import edits
from cadena.core.graph.document import Document, Function, as_array, as_value
from cadena.core.methods.reverse.step_text import step_sentence
from cadena.core.ops.primitive import REGISTRY
from cadena.core.rewriting.function_edits import make_function
from cadena.core.text.numbers import short
from cadena.core.tracing.from_document import call
from cadena.core.tracing.traced import apply
from tests.core.functions.graphs import RECIPROCAL, SMOOTH, STABLE, calling, custom, with_functions
from tests.core.graphs import graph
from tests.thorough import tries

X = np.array([0.3, -0.5])
BOTH = pytest.mark.parametrize(
    "function", [RECIPROCAL, replace(RECIPROCAL, gradient=STABLE)], ids=["automatic", "custom"]
)


def as_python(document: Document):
    """The output of a document as a Python function of its leaves but constants, operation by operation."""
    numbers = {name: as_array(node.value)[()] for name, node in document.nodes.items() if node.is_leaf}
    leaves = [name for name in numbers if document.nodes[name].op != "constant"]

    def run(*values):
        known = numbers | dict(zip(leaves, values, strict=True))
        for name, node in document.nodes.items():
            if not node.is_leaf:
                primitive = operation(document, node.op)
                known[name] = apply(primitive, [known[source] for source in node.inputs], node.attributes)
        return np.sum(np.sin(known[document.output]))

    return run, [numbers[name] for name in leaves]


@tries(40)
@given(with_functions(ops=SMOOTH))
def test_second_derivatives_go_through_calls(pair):
    results = []
    for document in pair:
        fun, leaves = as_python(document)
        random = np.random.default_rng(0)
        tangents = [random.standard_normal(np.shape(leaf)) for leaf in leaves]
        value, tangent = cadena.jvp(fun, leaves, tangents)
        results.append([value, tangent, *cadena.vjp(fun, *leaves)[1](1.0), *cadena.hvp(fun, leaves, tangents)])
    for plain, made in zip(*results, strict=True):
        assert np.shape(made) == np.shape(plain)
        if np.isfinite(plain).all():
            np.testing.assert_allclose(made, plain, rtol=1e-9, atol=1e-9 * (1 + np.max(np.abs(plain), initial=0)))


@BOTH
def test_reverse_forward_and_differences_agree_to_the_second_order(function):
    assert cadena.check_grads(call(calling(function, X), "f"), (X,), order=2).agrees


def test_both_modes_take_the_custom_gradient():
    wrong_by_2 = custom(RECIPROCAL, graph(two=("constant", -2.0), g2=("multiply", "g", "two")), "g2")
    made = call(calling(wrong_by_2, X), "f")
    np.testing.assert_array_equal(cadena.vjp(made, X)[1](np.ones(2))[0], [-2, -2])
    np.testing.assert_array_equal(cadena.jvp(made, [X], [np.array([1.0, 10.0])])[1], [-2, -20])
    np.testing.assert_array_equal(cadena.jacobian(made)(X), [[-2, 0], [0, -2]])


def test_forward_mode_transposes_a_custom_gradient_that_mixes_elements():
    nodes = graph(W=("input", 0.0), x=("input", 0.0), y=("matmul", "W", "x")).nodes
    product = Function(("W", "x"), {"y": nodes["y"]}, "y")
    back = graph(t=("transpose", "W"), dx=("matmul", "t", "g"), dW=("outer", "g", "x"))
    W, x, dW, dx = (np.random.default_rng(0).standard_normal(shape) for shape in ((2, 3), 3, (2, 3), 3))
    automatic = call(calling(product, W, x), "f")
    by_hand = call(calling(custom(product, back, "dW", "dx"), W, x), "f")
    for given_, expected in zip(*(cadena.jvp(f, [W, x], [dW, dx]) for f in (by_hand, automatic)), strict=True):
        np.testing.assert_allclose(given_, expected, rtol=1e-12)
    np.testing.assert_allclose(cadena.jacobian(by_hand)(W, x), cadena.jacobian(automatic)(W, x), rtol=1e-12)


def test_a_gradient_that_passes_unchanged_or_not_at_all():
    straight = custom(Function(("x",), graph(y=("floor", "x")).nodes, "y"), graph(), "g")
    run = compile(calling(straight, [0.3, 1.7])).run()
    np.testing.assert_array_equal(run.gradient("x0"), [1, 1])
    blocked = custom(RECIPROCAL, graph(), None)
    assert compile(calling(blocked, 0.3)).run().gradient("x0") is None
    assert cadena.jvp(call(calling(straight, X), "f"), [X], [X])[1].tolist() == X.tolist()


def test_constants_have_the_number_type_of_the_run():
    for dtype in ("float16", "float32", "float64"):
        run = compile(calling(RECIPROCAL, [0.5, 2.0])).run(dtype=dtype)
        assert run.value("L").dtype == run.gradient("x0").dtype == np.dtype(dtype)
        np.testing.assert_array_equal(run.value("L"), 1 / np.exp(np.array([0.5, 2.0], dtype)))


def test_an_operand_that_was_broadcast_gets_the_sum_of_a_gradient_of_the_result_s_shape():
    scaled = Function(("a", "b"), graph(y=("multiply", "a", "b")).nodes, "y")
    by_hand = custom(scaled, graph(da=("multiply", "g", "b"), db=("multiply", "g", "a")), "da", "db")
    runs = [compile(calling(function, 2.0, [1.0, 2.0, 4.0])).run() for function in (scaled, by_hand)]
    assert [float(run.gradient("x0")) for run in runs] == [7, 7]
    np.testing.assert_array_equal(runs[1].gradient("x1"), [2, 2, 2])
    made = call(calling(by_hand, 2.0, [1.0, 2.0, 4.0]), "f")
    cadena.check_grads(made, (2.0, np.array([1.0, 2.0, 4.0])), order=2)


def test_an_operand_that_only_chooses_inside_gets_no_gradient():
    picked = Function(("i", "a", "b"), graph(y=("where", "i", "a", "b")).nodes, "y")
    run = compile(calling(picked, [1.0, 0.0], [3.0, 4.0], [5.0, 6.0])).run()
    assert run.gradient("x0") is None
    np.testing.assert_array_equal(run.gradient("x1"), [1, 0])


def test_a_traced_call_is_one_node_of_the_graph_and_brings_its_function():
    document = calling(replace(RECIPROCAL, gradient=STABLE), X)
    made = cadena.trace(lambda x: np.sum(call(document, "f")(x) * x), X)
    assert [node.op for node in made.document.nodes.values()] == ["parameter", "f", "multiply", "sum"]
    run = compile(made.document).run()
    np.testing.assert_allclose(run.gradient("x"), made.vjp(1.0)[0], rtol=1e-12)


# --- what people read


def test_a_short_custom_gradient_is_printed_as_its_formula():
    timeline = compile(calling(replace(RECIPROCAL, gradient=STABLE), 2.0)).run().timeline
    assert step_sentence(timeline, 0) == "L is f of x0: f(2) = 0.1353."
    assert step_sentence(timeline, 2) == "x0 receives −0.1353 from L: ∂L/∂x0 += ∂L/∂L · (−exp(−x0)) = −0.1353."


def test_the_automatic_gradient_is_printed_as_the_product_of_its_steps():
    timeline = compile(calling(RECIPROCAL, 2.0)).run().timeline
    assert "∂L/∂x0 += ∂L/∂L · (−1 / (exp(x0))^2) · exp(x0) = −0.1353" in step_sentence(timeline, 2)


def test_a_long_gradient_of_numbers_is_told_as_their_product_and_one_of_arrays_in_words():
    long = make_function(
        graph(x=0.5, **{f"n{i}": ("sin", f"n{i - 1}" if i else "x") for i in range(20)}),
        [f"n{i}" for i in range(20)],
        "f",
    )
    run = compile(long).run()
    told = short(np.asarray(run.gradient("x")))
    assert f"∂n19/∂x += ∂n19/∂n19 · ∂n19/∂x = 1 · {told} = {told}" in step_sentence(run.timeline, 2)
    arrays = compile(edits.set_value(long, "x", as_value([0.5, 1.0]))).run().timeline
    assert "∂n19/∂x += reverse pass of f(∂n19/∂n19)" in step_sentence(arrays, 2)


READABLE = [
    name
    for name, item in REGISTRY.items()
    if item.elementwise and not item.attributes and all(slot.differentiable for slot in item.slots)
]


@pytest.mark.parametrize("op", READABLE)
def test_a_function_of_one_operation_prints_its_rule(op):
    record = REGISTRY[op]
    leaves = {f"x{i}": value for i, value in enumerate(record.examples[0][: len(record.slots)])}
    document = make_function(graph(**leaves, y=(op, *leaves)), ["y"], "f")
    timeline = compile(document).run().timeline
    for index in range(len(timeline)):
        assert "inside" not in step_sentence(timeline, index)
