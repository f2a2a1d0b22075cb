"""Custom gradients that begin as the automatic ones, and are set aside without being lost."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.graph.document import Document, Node
from cadena.core.graph.fault import Refused
from cadena.core.rewriting.custom_gradients import begin_gradient, use_gradient
from cadena.core.rewriting.function_edits import make_function
from cadena.core.rewriting.opening import compare_gradients
from cadena.core.storage.files import load, save
from cadena.core.teaching.lessons import open_lesson


def leaf(name: str, value: object, op: str = "parameter") -> Node:
    from cadena.core.graph.document import as_value

    return Node(name, op, value=as_value(np.asarray(value, dtype=float)))


def graph(op: str, *values: object) -> Document:
    """twice = 2 · (op(...) · op(...)), so that the upstream gradient is not 1."""
    names = [f"x{number}" for number in range(len(values))]
    leaves = [leaf(name, value) for name, value in zip(names, values, strict=True)]
    inner = [Node("inner", op, inputs=tuple(names)), Node("square", "multiply", inputs=("inner", "inner"))]
    rest = [leaf("two", 2.0, "constant"), Node("twice", "multiply", inputs=("two", "square"))]
    last = [Node("total", "sum", inputs=("twice",))]
    document = Document({node.name: node for node in [*leaves, *inner, *rest, *last]}, output="total")
    return make_function(document, ["inner", "square"], "f")


@pytest.mark.parametrize(
    ("op", "values"),
    [
        ("sin", (0.5,)), ("exp", ([0.1, -2.0],)), ("add", (1.5, 2.0)), ("divide", (3.0, [1.0, 2.0])),
        ("matmul", ([[1.0, 2.0], [3.0, 4.0]], [[0.5], [1.0]])), ("maximum", (2.0, 3.0)), ("sigmoid", (0.3,)),
    ],
)  # fmt: skip
def test_a_custom_gradient_begins_as_the_automatic_one(op, values):
    document = graph(op, *values)
    begun = begin_gradient(document, "square")
    assert begun.functions["f"].gradient is not None
    for both in compare_gradients(begun, "square"):
        assert both.custom is not None and both.automatic is not None
        np.testing.assert_allclose(both.custom, both.automatic, rtol=1e-12)


def test_where_no_gradient_can_be_unfolded_it_begins_with_its_inputs_alone():
    document = graph("floor", 1.5)
    gradient = begin_gradient(document, "square").functions["f"].gradient
    assert gradient is not None and len(gradient.inputs) == 3


def test_a_gradient_that_is_set_aside_does_nothing_and_is_kept_in_the_file(tmp_path):
    document = open_lesson("8")
    aside = use_gradient(document, "one_over_exp", False)
    assert np.isnan(compile(aside).run().gradient("x"))
    save(aside, tmp_path / "aside.cadena")
    assert (
        load(tmp_path / "aside.cadena").functions["one_over_exp"].gradient == aside.functions["one_over_exp"].gradient
    )
    assert use_gradient(aside, "one_over_exp", True) == document


def test_beginning_anew_takes_the_one_that_was_set_aside():
    document = open_lesson("8")
    assert begin_gradient(use_gradient(document, "one_over_exp", False), "y") == document


def test_what_has_no_custom_gradient_cannot_set_it_aside():
    with pytest.raises(Refused, match="f has no custom gradient"):
        use_gradient(graph("sin", 1.0), "f", False)
