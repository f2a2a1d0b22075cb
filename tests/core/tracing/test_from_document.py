"""Documents as functions, to be differentiated to any order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given

import cadena
from cadena.core.front import compile
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.teaching.lessons import open_lesson
from cadena.core.tracing.from_document import as_function
from cadena.core.tracing.transforms import grad, hessian, jacobian
from tests.core.functions.graphs import RECIPROCAL, calling
from tests.core.graphs import chain, documents, graph


@given(documents())
def test_value_and_gradients_are_those_of_a_run(document):
    wanted = [name for name, node in document.nodes.items() if node.wants_gradient]
    with np.errstate(all="ignore"):
        run = compile(document).run()
        assume(wanted and not run.program.faults)
        f = as_function(document)
        assert f.names == tuple(wanted) and f.__name__ == document.output
        np.testing.assert_array_equal(f(*f.values), run.value(document.output))
        gradients = cadena.vjp(f, *f.values)[1](np.ones_like(run.value(document.output)))
        for name, gradient in zip(wanted, gradients, strict=True):
            expected = run.gradient(name)
            np.testing.assert_allclose(gradient, 0.0 if expected is None else expected, rtol=1e-12)


def test_the_hessian_of_a_document_is_one_line():
    f = as_function(open_lesson("17"))
    assert f.names == ("x", "y")
    rows = hessian(f, (0, 1))(*f.values)
    v, at = cadena.as_function(open_lesson("17")), np.array(f.values)
    np.testing.assert_allclose(np.array(rows), hessian(lambda p: v(p[0], p[1]))(at), rtol=1e-12)


def test_a_third_derivative_of_a_document_is_as_easy():
    f = as_function(graph(x=0.5, y=("sin", "x")))
    np.testing.assert_allclose(grad(grad(grad(f)))(0.5), -np.cos(0.5), rtol=1e-15)


def test_leaves_without_an_argument_keep_their_values():
    document = graph("L", a=2.0, b=("input", 3.0), c=("constant", 4.0), s=("multiply", "a", "b"), L=("add", "s", "c"))
    f = as_function(document)
    assert (f.names, f.values, f(), f(5.0)) == (("a",), (2.0,), 10.0, 19.0)
    assert jacobian(as_function(document, wrt=["b", "a"]), (0, 1))(3.0, 2.0) == (2.0, 3.0)
    assert as_function(document, output="s")(7.0) == 21.0


def test_what_the_output_does_not_need_may_be_at_fault():
    document = graph("y", x=2.0, y=("sin", "x"), z=("sin",))
    assert grad(as_function(document))(2.0) == np.cos(2.0)


def test_numbers_have_the_type_of_the_document():
    lesson = open_lesson("7")
    f, run = as_function(lesson), compile(lesson).run()
    assert lesson.dtype == "float32"
    for args in (f.values, [100.0], [np.float64(100.0)]):
        assert f(*args).dtype == np.float32 and f(*args) == run.value(lesson.output)
    with np.errstate(all="ignore"):
        assert np.isnan(grad(f)(100.0)) and np.isnan(run.gradient("x"))


def test_calls_of_functions_and_long_chains_are_differentiated_too():
    np.testing.assert_allclose(hessian(as_function(calling(RECIPROCAL, 2.0)))(2.0), np.exp(-2.0), rtol=1e-12)
    assert np.isfinite(grad(as_function(chain(3000)))(0.5))


@pytest.mark.parametrize(
    ("document", "options", "words"),
    [
        (Document({}), {}, "the graph has no output; choose the node"),
        (graph(x=1.0, y=("sin", "x")), {"output": "z"}, "there is no node z; choose one"),
        (graph(x=1.0, y=("sin", "x")), {"wrt": ["z"]}, "there is no node z"),
        (graph(x=1.0, y=("sin", "x")), {"wrt": ["y"]}, "y is not a leaf; choose parameters, inputs or constants"),
        (graph(x=1.0, y=("sin", "x")), {"wrt": ["x", "x"]}, "wrt names x twice; name each leaf once"),
        (graph(y=("sin",)), {}, "y has no value, so it is not a function: y waits for its operand"),
    ],
)
def test_what_is_no_function_is_refused(document, options, words):
    with pytest.raises(Refused, match=words):
        as_function(document, **options)


def test_arguments_that_do_not_fit_are_refused():
    f = as_function(graph(x=[1.0, 2.0], y=("sum", "x")))
    with pytest.raises(Refused, match=r"x has shape \(2,\), the new value \(3,\); give one of equal shape"):
        grad(f)(np.ones(3))
    with pytest.raises(Refused, match="y is a function of x; give no more than these"):
        f(np.ones(2), 1.0)


@pytest.mark.parametrize("odd", [None, "a", {"x": 1.0}])
def test_an_argument_that_is_none_was_nan(odd):
    with pytest.raises(Refused, match="an argument must be a number or an array of numbers"):
        as_function(graph(x=1.0, y=("sin", "x")))(odd)


def test_one_name_was_taken_for_its_letters():
    document = graph("out", x=1.0, y=2.0, xy=3.0, a=("add", "x", "y"), out=("multiply", "a", "xy"))
    assert as_function(document, wrt="xy").names == ("xy",)
    run = compile(document, wrt="xy").run()
    assert (run.gradient("xy"), run.gradient("x")) == (3.0, None)
