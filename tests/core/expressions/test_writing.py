from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

import cadena
from cadena.core.expressions.reading import parse
from cadena.core.expressions.writing import MAX_LETTERS, expression_of
from cadena.core.graph import order
from cadena.core.graph.document import Document, Node, as_value
from cadena.core.graph.fault import Refused
from cadena.core.ops.primitive import REGISTRY, Primitive
from cadena.core.teaching.lessons import lessons, open_lesson
from tests.core.expressions.structure import structure
from tests.core.graphs import chain, documents, graph, mlp, wide
from tests.thorough import in_turn, tries


def leaves_of(document: Document) -> Document:
    """What a text without values is read into: the leaves, and the functions that it calls."""
    nodes = {name: node for name, node in document.nodes.items() if node.is_leaf and node.op != "constant"}
    return replace(document, nodes=nodes, output=None, layout={})


def read_again(document: Document, name: str) -> tuple[Document, Document]:
    """The document written and read: into its leaves, and by the values in the text alone."""
    empty = replace(document, nodes={}, output=None, layout={})
    by_itself = parse(expression_of(document, name, values=True), empty)
    if document.nodes[name].is_leaf:
        return by_itself, by_itself
    return parse(expression_of(document, name), leaves_of(document)), by_itself


def behind(document: Document, name: str) -> Document:
    """What a node needs: what else there is decides by which pass, and to the last digit, the numbers are computed."""
    needed = order.ancestors(document, name)
    return replace(document, nodes={one: node for one, node in document.nodes.items() if one in needed}, output=name)


def assert_same(document: Document, again: Document, name: str) -> None:
    assert again.output == name
    assert structure(again, name) == structure(document, name)
    before, after = (cadena.compile(behind(one, name), name).run() for one in (document, again))
    assert np.allclose(before.value(name), after.value(name), 1e-9, 1e-9, equal_nan=True)
    for leaf in before.program.document.nodes.values():
        if leaf.wants_gradient and (gradient := before.gradient(leaf.name)) is not None:
            assert np.allclose(gradient, after.gradient(leaf.name), 1e-9, 1e-9, equal_nan=True)  # summed in any order


@given(documents())
@tries(100)
def test_a_random_graph_written_and_read_is_the_same_graph(document):
    name = str(document.output)
    for again in read_again(document, name):
        assert_same(document, again, name)


@pytest.mark.parametrize("lesson", [lesson.name for lesson in lessons()])
def test_a_lesson_written_and_read_is_the_same_graph(lesson):
    document = open_lesson(lesson)
    for name in document.nodes:
        for again in read_again(document, name):
            assert_same(document, again, name)


@in_turn("record, example", [(record, example) for record in REGISTRY.values() for example in record.examples])
def test_every_example_of_every_operation_written_and_read_is_the_same_graph(record: Primitive, example):
    attributes = example[-1] if isinstance(example[-1], dict) else {}
    operands = [item for item in example if not isinstance(item, dict)]
    nodes = {f"a{slot}": Node(f"a{slot}", "parameter", value=as_value(item)) for slot, item in enumerate(operands)}
    document = Document({**nodes, "out": Node("out", record.name, tuple(nodes), attributes=attributes)}, output="out")
    for again in read_again(document, "out"):
        assert_same(document, again, "out")


@pytest.mark.parametrize(
    "text",
    [
        "L = (w*x + b - y)**2",
        "y = -x**2",
        "y = (-x)**2",
        "y = -(x*2)",
        "y = a - (b - c)",
        "y = a/b/c - a/(b/c)",
        "y = 2**x**2",
        "y = (2**x)**2",
        "y = multiply(2, 3)",
        "y = negative(2)",
        "y = (-2)**x",
        "y = x - -2",
        "y = (a*b).T @ c",
        "y = x[:, 1:][0]",
        "y = split(x, indices_or_sections=3)[1][0]",
        "y = einsum('ij,jk->ik', a, b)",
        "y = concatenate([a, b], axis=1)",
        "y = [[1, 2], [3, 4]] @ x",
        "y = clip(x, min=-inf, max=1)",
        "y = mse_loss(p, t, reduction='sum')*2",
        "y = reshape(x, [2, 3])",
        "y = where(c, a, b)",
        "y = a // b % c",
        "y = +x",
        "y = nan*x",
        "y = -0*x",
        "h = sin(x)\ny = h*h",
    ],
)
def test_what_is_well_written_comes_back_as_it_was(text):
    assert expression_of(parse(text)) == text


def test_the_expression_is_in_terms_of_the_leaves():
    assert expression_of(open_lesson("1"), "L") == "L = 15 - (w3*(w0*a1 + w1*a2) + w4*(w2*a1))"
    assert expression_of(open_lesson("5")) == "L = sum(sin_activation(X @ W)**2)"


def test_the_values_of_the_leaves_come_before_it_where_they_are_wanted():
    written = expression_of(graph("y", w=2.5, x=("input", [[1.0, -2.0]]), y=("multiply", "w", "x")), values=True)
    assert written == "w = 2.5\nx = input([[1, -2]])\ny = w*x"


def test_what_is_too_long_for_a_line_has_the_lines_that_it_was_written_in():
    gates = [f"{gate} = {op}(W{gate}*x + U{gate}*h + b{gate})" for gate, op in zip("ifog", ["sigmoid"] * 3 + ["tanh"])]
    text = "\n".join([*gates, "c1 = f*c + i*g", "h1 = o*tanh(c1)"])
    written = expression_of(parse(text))
    assert sorted(written.split("\n")) == sorted(text.split("\n"))
    assert structure(parse(written), "h1") == structure(parse(text), "h1")


def test_a_text_does_not_grow_where_a_node_is_used_twice():
    document = parse("h0 = x + x\n" + "\n".join(f"h{n} = h{n - 1}*h{n - 1}" for n in range(1, 200)))
    assert expression_of(document).count("\n") == 199
    assert structure(parse(expression_of(document)), "h199") == structure(document, "h199")


@pytest.mark.parametrize("document", [chain(3000), wide(2000), mlp((4, 3, 2), batch=2)], ids=["chain", "wide", "mlp"])
def test_no_line_is_too_long_or_too_deep_to_be_read(document):
    written = expression_of(document)
    assert max(map(len, written.split("\n"))) < 2 * MAX_LETTERS
    again = parse(written, leaves_of(document))
    assert len(again.nodes) == len(document.nodes)


def test_a_number_called_inf_does_not_shadow_the_number():
    document = Document({"inf": Node("inf", "parameter", value=2.0), "k": Node("k", "constant", value=float("inf")),
                         "y": Node("y", "add", ("inf", "k"))}, output="y")  # fmt: skip
    again = parse(expression_of(document), leaves_of(document))
    assert structure(again, "y") == structure(document, "y")


@pytest.mark.parametrize(
    ("nodes", "sentence"),
    [
        ({"y": Node("y", "add", (None, "y2")), "y2": Node("y2", "parameter", value=1.0)}, "waits for an operand"),
        ({"y": Node("y", "sin", ("z",)), "z": Node("z", "sin", ("y",))}, "depends on itself"),
        ({"y": Node("y", "later", ())}, "there is no operation later"),
        ({"y": Node("y", "parameter", value=as_value(np.zeros((40, 40))))}, "too large to type"),
        ({"y": Node("y", "parameter")}, "has no value"),
    ],
)
def test_what_has_no_expression_is_refused(nodes, sentence):
    with pytest.raises(Refused, match=sentence):
        expression_of(Document(nodes, output="y"))
