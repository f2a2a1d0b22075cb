"""The reverse pass unfolded into nodes gives the gradients that reverse mode gives, to any order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from operator import itemgetter
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cadena.core.front import compile
from cadena.core.graph.document import Document, Node, as_array, as_value
from cadena.core.graph.edits import set_operation, set_value
from cadena.core.graph.fault import Refused
from cadena.core.layout.arrange import card_sizes
from cadena.core.ops.primitive import REGISTRY
from cadena.core.rewriting.function_edits import make_function
from cadena.core.rewriting.unfolding import unfold, unfolded
from cadena.core.storage.decoding import decode
from cadena.core.storage.encoding import encode
from cadena.core.teaching.lessons import open_lesson
from cadena.core.tracing.traced import apply
from cadena.core.tracing.transforms import hessian, hvp
from tests.core.functions.graphs import RECIPROCAL, STABLE, calling, with_functions
from tests.core.graphs import chain, documents, graph
from tests.thorough import in_turn, some, tries

SMOOTH = ("sin", "tanh", "exp", "multiply", "add", "subtract", "sigmoid", "square", "sum", "matmul", "reshape")


def as_function(document: Document, leaf: str) -> Callable[[Any], Any]:
    """The document's output as a function of one leaf, for the functional derivatives."""
    plan = compile(document).plan
    leaves = {name: as_array(node.value)[()] for name, node in document.nodes.items() if node.is_leaf}

    def fn(x: Any) -> Any:
        values = leaves | {leaf: x}
        for out, primitive, operands, attributes, _ in plan.instructions:
            values[plan.names[out]] = apply(primitive, [values[plan.names[one]] for one in operands], attributes)
        return values[document.output]

    return fn


def assert_same(found, expected, rtol=1e-12, of=0.0):
    """Equal to 12 digits of the largest element, or of `of`; where numbers went bad, bad in the same way."""
    expected = np.asarray(expected)
    np.testing.assert_allclose(found, expected, rtol=rtol, atol=rtol * max(largest(expected), of))


def largest(numbers):
    """The largest of the finite numbers, by amount."""
    numbers = np.asarray(numbers)
    return float(np.max(np.abs(numbers[np.isfinite(numbers)]), initial=0.0))


def largest_gradient(run):
    """What the rounding of a gradient compares with: contributions as large as this may cancel in it."""
    gradients = [run.gradient(name) for name in run.program.document.nodes]
    return max((largest(one) for one in gradients if one is not None), default=0.0)


def meets_a_closed_gate(run) -> bool:
    """Whether inf or nan arrives at a gate, which stops it; its product with 0 would be nan. So would be that of a row
    that an embedding takes at a place that is none, which is nan in its result."""
    places = [run.value(name) for name, node in run.program.document.nodes.items() if node.op == "embedding"]
    if any(rows is not None and np.isnan(rows).any() for rows in places):
        return True
    gates = [
        name
        for name, node in run.program.document.nodes.items()
        if not node.is_leaf and any(slot.gate for slot in REGISTRY[node.op].slots)
    ]
    upstream = [run.gradient(name) for name in gates]
    return any(gradient is not None and not np.isfinite(gradient).all() for gradient in upstream)


@tries(200)
@given(documents())
def test_the_unfolded_document_gives_the_gradients_of_reverse_mode(document):
    with np.errstate(all="ignore"):
        plain = compile(document).run()
        leaves = [name for name, node in document.nodes.items() if node.wants_gradient]
        assume(plain.value(document.output) is not None and any(plain.gradient(name) is not None for name in leaves))
        assume(not meets_a_closed_gate(plain))
        result = unfolded(document)
        run = compile(result.document).run()
        assert not run.program.faults
        assert result.gradients.keys() == {name for name in leaves if plain.gradient(name) is not None}
        size = largest_gradient(plain)
        for name, gradient in result.gradients.items():
            assert_same(run.value(gradient), plain.gradient(name), of=size)


@tries(100)
@given(documents())
def test_the_nodes_of_the_document_keep_their_names_values_and_places(document):
    try:
        new = unfold(document)
    except Refused:
        return
    assert {name: new.nodes[name] for name in document.nodes} == document.nodes
    assert list(new.nodes)[: len(document.nodes)] == list(document.nodes)
    assert {name: new.layout[name] for name in document.layout} == document.layout
    assert new.layout.keys() == new.nodes.keys()


def test_an_index_that_is_not_whole_gave_a_nan_as_a_node_and_0_in_a_run():
    x, i = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], ("constant", [[0.5], [1.0]])
    document = graph(x=x, i=i, t=("take_along_axis", "x", "i", {"axis": 1}), y=("sum", "t"))
    expected = compile(document).run().gradient("x")
    assert expected.tolist() == [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    assert np.array_equal(compile(unfold(document)).run().value("dx"), expected)


def test_an_upstream_gradient_of_constant_numbers_was_compared_as_a_truth_value():
    document = graph(x=[[0.5, 1.0, 2.0]], s=("erf", "x"), t=("trace", "s", {"offset": 5}))
    result = unfolded(document)
    assert compile(result.document).run().value(result.gradients["x"]).tolist() == [[0.0, 0.0, 0.0]]


@tries(100)
@given(documents())
def test_no_node_is_added_that_the_gradients_do_not_need(document):
    try:
        result = unfolded(document)
    except Refused:
        return
    new = result.document
    for name in new.nodes.keys() - document.nodes.keys():
        assert new.consumers[name] or name in result.gradients.values()


@tries(100)
@given(documents(ops=SMOOTH, max_operations=6), st.data())
def test_unfolded_twice_it_gives_second_derivatives(document, data):
    leaf = data.draw(st.sampled_from([name for name, node in document.nodes.items() if node.is_leaf]))
    try:
        first = unfolded(document, wrt=[leaf])
        second = unfolded(first.document, first.gradients[leaf], [leaf])
    except Refused:
        return
    fn, value = as_function(document, leaf), compile(document).run().value(leaf)
    with np.errstate(all="ignore"):
        expected = hvp(lambda x: np.sum(fn(x)), [value], [np.ones_like(value)])[0]
        assert_same(compile(second.document).run().value(second.gradients[leaf]), expected, rtol=1e-11)


def test_the_hessian_of_two_variables_is_the_gradient_of_each_gradient():
    document = graph(x=1.0, y=2.0, u=("subtract", "x", "y"), p=("square", "u"), s=("square", "x"), q=("square", "s"))
    document = graph("f", **_items(document), f=("add", "p", "q"))
    first = unfolded(document)
    rows = []
    for leaf in ("x", "y"):
        second = unfolded(first.document, first.gradients[leaf])
        run = compile(second.document).run()
        rows.append([float(run.value(second.gradients[name])) for name in ("x", "y")])
    fn = hessian(lambda v: (v[0] - v[1]) ** 2.0 + v[0] ** 4.0)
    assert rows == fn(np.array([1.0, 2.0])).tolist() == [[14.0, -2.0], [-2.0, 2.0]]


def _items(document: Document) -> dict:
    return {name: node.value if node.is_leaf else (node.op, *node.inputs) for name, node in document.nodes.items()}


def test_a_third_derivative_is_the_graph_unfolded_three_times():
    document, order = graph(x=0.5, y=("sin", "x")), []
    for _ in range(3):
        found = unfolded(document)
        document = found.document
        order.append(float(compile(document).run().value(found.gradients["x"])))
    np.testing.assert_allclose(order, [np.cos(0.5), -np.sin(0.5), -np.cos(0.5)], rtol=1e-12)


@tries(50)
@given(with_functions())
def test_functions_are_unfolded_into_what_their_reverse_pass_does(pair):
    document = pair[1]
    try:
        result = unfolded(document)
    except Refused:
        return
    with np.errstate(all="ignore"):
        run, plain = compile(result.document).run(), compile(document).run()
        size = largest_gradient(plain)
        for name, gradient in result.gradients.items():
            assert_same(run.value(gradient), plain.gradient(name), of=size)


def test_a_custom_gradient_is_what_is_unfolded():
    result = unfolded(calling(replace(RECIPROCAL, gradient=STABLE), 100.0))
    added = [node.op for name, node in result.document.nodes.items() if name not in ("x0", "L")]
    assert added == ["constant", "negative", "exp", "negative", "multiply"]
    value = compile(result.document).run(dtype="float32").value(result.gradients["x0"])
    assert f"{float(value):.2e}" == "-3.78e-44"


# --- other values than those that it was made with

# The order of the elements is found once -> no operation gives it.
ORDERED = ("sort", "partition", "median")
EXAMPLES = [
    pytest.param(op, example, id=f"{op}-{number}")
    for op, record in REGISTRY.items()
    for number, example in enumerate(record.examples)
]


@pytest.mark.some(8)
@pytest.mark.parametrize("moved", [0.0, 0.7])
@in_turn("op, example", some(EXAMPLES))
def test_gradients_stay_right_when_the_values_change(op, example, moved):
    if moved and op in ORDERED:
        pytest.skip("the order stays as it was found")
    attributes = example[-1] if isinstance(example[-1], dict) else {}
    leaves = {f"x{slot}": np.asarray(item, float) for slot, item in enumerate(example) if not isinstance(item, dict)}
    document = graph(**leaves, y=(op, *leaves, attributes), s=("sin", "y"), L=("sum", "s"))
    try:
        result = unfolded(document)
    except Refused:
        assert not any(slot.differentiable for slot in REGISTRY[op].slots)
        return
    random = np.random.default_rng(0)
    kept = "x1" if op == "cross_entropy" else ""  # classes are whole numbers
    free = [name for slot, name in enumerate(leaves) if REGISTRY[op].slot(slot).differentiable and name != kept]
    values = {name: leaves[name] + moved * random.standard_normal(leaves[name].shape) for name in free}
    with np.errstate(all="ignore"):
        run, plain = compile(result.document).run(values), compile(document).run(values)
        for name, gradient in result.gradients.items():
            assert_same(run.value(gradient), plain.gradient(name))


def test_the_branch_that_a_rule_takes_follows_the_values():
    result = unfolded(graph(x=2.0, y=("leaky_relu", "x", {"slope": 0.25})))
    program = compile(result.document)
    assert [float(program.run({"x": x}).value(result.gradients["x"])) for x in (2.0, -2.0)] == [1.0, 0.25]


def test_a_comparison_of_constants_is_no_node():
    new = unfold(open_lesson("5"))  # the exponent k is 2, and the rule of power asks whether it is 0
    assert not {"where", "sign"} & {node.op for node in new.nodes.values()}


# --- what people see


def test_lesson_1_unfolded_is_one_node_for_each_gradient_and_nothing_else():
    lesson = open_lesson("1")
    new = unfold(lesson)
    added = {name: (node.op, *node.inputs) for name, node in new.nodes.items() if name not in lesson.nodes}
    assert added == {
        "dL": ("constant",),
        "dc": ("negative", "dL"),
        "dw3": ("multiply", "dc", "b1"),
        "dw4": ("multiply", "dc", "b2"),
        "db1": ("multiply", "dc", "w3"),
        "db2": ("multiply", "dc", "w4"),
        "dw0": ("multiply", "db1", "a1"),
        "dw1": ("multiply", "db1", "a2"),
        "dw2": ("multiply", "db2", "a1"),
    }
    run = compile(new).run()
    assert [float(run.value(f"dw{i}")) for i in range(5)] == [-28, -21, -12, -23, -36]
    assert new.output == "L" and "lesson" not in new.extra


def test_the_parts_of_a_gradient_are_named_after_the_way_they_came():
    new = unfold(open_lesson("2"))
    assert new.nodes["da1"].inputs == ("da1_b2", "da1_m1")
    run = compile(new).run()
    assert [float(run.value(name)) for name in new.nodes["da1"].inputs] == [-27, -14]


def test_local_derivatives_have_names_of_their_own():
    new = unfold(set_operation(open_lesson("5"), "Y", "sin"))
    assert new.nodes["dY_dZ"].op == "cos" and new.nodes["dZ"].inputs == ("dY", "dY_dZ")
    assert new.output == "dW"  # only one gradient is wanted


@pytest.mark.parametrize("number", ["1", "2", "5", "6"])
def test_the_reverse_pass_stands_right_of_the_graph_and_covers_no_card(number):
    lesson = open_lesson(number)
    new = unfold(unfold(lesson), output=lesson.output)
    boxes = [(*new.layout[name], *size) for name, size in card_sizes(new).items()]
    for i, (x, y, width, height) in enumerate(boxes):
        assert not any(a < x + width and x < a + w and b < y + height and y < b + h for a, b, w, h in boxes[i + 1 :])
    once = unfold(lesson)
    edge = max(x for x, _ in lesson.layout.values())
    assert all(once.layout[name][0] > edge for name in once.nodes if name not in lesson.nodes)


def test_names_that_are_taken_are_left_alone():
    document = graph("L", w=2.0, dw=3.0, L=("multiply", "w", "dw"))
    result = unfolded(document)
    assert document.nodes["dw"] == result.document.nodes["dw"]
    assert result.gradients == {"w": "dL_w", "dw": "dL_dw"}


def test_a_gradient_that_a_sum_passes_on_is_a_node_of_its_own_where_it_is_wanted():
    result = unfolded(graph(a=1.0, b=2.0, c=("add", "a", "b")))
    run = compile(result.document).run()
    assert [float(run.value(result.gradients[name])) for name in "ab"] == [1, 1]
    assert result.gradients == {"a": "da", "b": "db"}


def test_a_seed_has_the_shape_of_the_output():
    result = unfold(graph(x=np.ones((2, 3)), y=("sin", "x")))
    assert result.nodes["dy"].value.array.tolist() == np.ones((2, 3)).tolist()


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (graph("k", k=("constant", 1.0)), "k does not depend on a node whose gradient is wanted"),
        (Document({}), "choose one of the graph's nodes as output"),
        (graph("y", u=("sin",), x=1.0, y=("add", "x")), "y has no value, .* y waits for its operand"),
    ],
)
def test_where_there_is_no_gradient_a_sentence_says_why(document, words):
    with pytest.raises(Refused, match=words):
        unfold(document)


def test_a_node_that_is_wanted_twice_is_wanted_once():
    document = graph(x=1.0, y=("sin", "x"), z=("exp", "y"))
    assert unfold(document, wrt=["x", "x"]) == unfold(document, wrt=["x"])
    with pytest.raises(Refused, match="there is no node q; choose one of the graph's nodes as output"):
        unfold(document, "q")


def test_a_long_chain_unfolds_in_linear_time_and_without_recursion():
    document = chain(3000)
    result = unfolded(document)
    run = compile(result.document).run()
    assert_same(run.value(result.gradients["x"]), compile(document).run().gradient("x"))


def test_a_graph_of_numbers_with_an_array_in_it_is_unfolded_twice_without_a_card_on_another():
    first = unfolded(graph(a=1.0, b=2.0, y=("stack", "a", "b"), s=("sin", "y"), L=("sum", "s")), wrt=["a"])
    new = unfold(first.document, first.gradients["a"])
    boxes = [(*new.layout[name], *size) for name, size in card_sizes(new).items()]
    for i, (x, y, width, height) in enumerate(boxes):
        assert not any(a < x + width and x < a + w and b < y + height and y < b + h for a, b, w, h in boxes[i + 1 :])


SAVED = [
    (op, number, dtype, place)
    for op, record in REGISTRY.items()
    for number in range(len(record.examples))
    for dtype, place in product(("float64", "float32"), ("outside", "inside"))
]


@pytest.mark.some(5)
@in_turn("op, number, dtype, place", some(SAVED, kind=itemgetter(0, 2)))
def test_an_unfolded_document_is_saved_loaded_and_runs_to_the_gradients_of_its_number_type(op, number, dtype, place):
    example = REGISTRY[op].examples[number]
    attributes = example[-1] if isinstance(example[-1], dict) else {}
    leaves = {f"x{slot}": np.asarray(item, float) for slot, item in enumerate(example) if not isinstance(item, dict)}
    document = replace(graph(**leaves, y=(op, *leaves, attributes), s=("sin", "y"), L=("sum", "s")), dtype=dtype)
    document = document if place == "outside" else make_function(document, ["y", "s"], "f")
    try:
        result = unfolded(document)
    except Refused:
        return  # nothing but choices: the test above says so
    loaded = decode(encode(result.document))
    assert loaded == result.document
    with np.errstate(all="ignore"):
        run, plain = compile(loaded).run(), compile(document).run()
    assert not run.program.faults
    for name, gradient in result.gradients.items():
        assert run.value(gradient).dtype == plain.gradient(name).dtype
        assert_same(run.value(gradient), plain.gradient(name), rtol=16 * np.finfo(dtype).eps)


@pytest.mark.parametrize("kinds", [("parameter", "parameter"), ("parameter", "constant"), ("constant", "parameter")])
@pytest.mark.parametrize("power", [2.0, [2.0, np.nan], [[1.0], [np.nan]]])
@pytest.mark.parametrize("base", [2.0, [1.0, np.nan], [np.nan, np.nan], [2.0, 2.0]])
def test_a_power_of_arrays_with_nan_can_be_unfolded(base, power, kinds):
    document = graph(x=(kinds[0], base), p=(kinds[1], power), y=("power", "x", "p"), L=("sum", "y"))
    wanted = [name for name in "xp" if document.nodes[name].wants_gradient]
    made = unfolded(document)
    apart, run = compile(made.document).run(), compile(document).run()
    for name in wanted:
        np.testing.assert_array_equal(apart.value(made.gradients[name]), run.gradient(name))


@pytest.mark.parametrize("kind", ["constant", "input"])
def test_an_unfolded_gradient_stayed_that_of_the_first_classes_and_labels(kind):
    z, short, labels = [[0.5, 1.0, 0.2], [2.0, -1.0, 0.3]], [0.5, 0.3], [1.0, -1.0]
    documents = {
        "nll_loss": (graph("L", z=z, c=(kind, [1.0, 0.0]), L=("nll_loss", "z", "c")), [2.0, 1.0]),
        "cross_entropy": (graph("L", z=z, c=(kind, [1.0, 0.0]), L=("cross_entropy", "z", "c")), [2.0, 1.0]),
        "hinge": (graph("L", z=short, c=(kind, labels), L=("hinge_embedding_loss", "z", "c")), [-1.0, 1.0]),
        "greater": (
            graph("L", z=short, c=(kind, labels), m=("greater", "c", "z"), h=("multiply", "m", "z"), L=("sum", "h")),
            [-1.0, 1.0],
        ),
    }
    for op, (document, others) in documents.items():
        once, apart = (
            compile(set_value(one, "c", as_value(others))).run() for one in (document, unfold(document, wrt=["z"]))
        )
        np.testing.assert_allclose(apart.value("dz"), once.gradient("z"), err_msg=op)


def test_the_unfolded_gradient_was_0_where_a_class_is_none():
    """A class of 0.5 makes the loss and its gradient nan; the reverse pass as nodes said 0."""
    nodes = {
        "x": Node("x", "parameter", value=as_value(np.zeros(2))),
        "t": Node("t", "constant", value=0.5),
        "L": Node("L", "nll_loss", inputs=("x", "t")),
    }
    result = unfolded(Document(nodes, output="L"))
    run = compile(result.document).run()
    assert np.isnan(run.value("L")) and np.isnan(run.value(result.gradients["x"])).all()


@pytest.mark.parametrize("index", [-1.0, 2.0, 0.5])
def test_a_row_that_is_none_got_the_gradient_of_the_last_row(index):
    """numpy counts places below 0 from the end; an embedding does not, and its result is nan there."""
    nodes = {
        "w": Node("w", "parameter", value=as_value(np.array([10.0, 20.0]))),
        "i": Node("i", "constant", value=as_value(np.array([0.0, index]))),
        "n": Node("n", "embedding", inputs=("i", "w")),
    }
    document = Document(nodes, output="n")
    result = unfolded(document)
    run = compile(result.document).run()
    assert run.value(result.gradients["w"]).tolist() == compile(document).run().gradient("w").tolist() == [1.0, 0.0]
