"""Which inputs hold a batch, and which losses are the mean or the sum of those of its parts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cadena.core.graph.fault import Refused
from cadena.core.languages.batch import batch_in, batch_of, loss_of_parts
from cadena.core.languages.script import prepare
from cadena.core.teaching.lessons import open_lesson
from tests.core.graphs import graph, mlp

X = ("input", np.linspace(-1.0, 1.0, 24).reshape(8, 3))
Y = ("input", np.linspace(0.0, 1.0, 8))
W = np.array([0.3, -0.2, 0.5])


def way(**nodes):
    script = prepare(graph(**nodes))
    return loss_of_parts(script, batch_in(script))


def test_the_batch_is_the_first_axis_of_the_inputs():
    script = prepare(graph(x=X, y=Y, w=W, p=("matmul", "x", "w"), L=("mse_loss", "p", "y")))
    assert batch_in(script) == (("x", "y"), 8)
    assert loss_of_parts(script, batch_in(script)) == "mean"


def test_a_network_has_a_loss_that_is_a_mean():
    script = prepare(mlp((6, 5, 3), batch=8))
    assert loss_of_parts(script, batch_in(script)) == "mean"


def test_a_sum_over_the_batch():
    assert way(x=X, w=W, p=("matmul", "x", "w"), L=("sum", "p")) == "sum"


def test_a_mean_with_weight_decay_stays_one_and_a_sum_does_not():
    decay = {"ww": ("square", "w"), "d": ("sum", "ww")}
    assert way(x=X, w=W, **decay, p=("matmul", "x", "w"), l=("mean", "p"), L=("add", "l", "d")) == "mean"
    with pytest.raises(Refused, match="L mixes the examples of the batch; compute it on one device"):
        way(x=X, w=W, **decay, p=("matmul", "x", "w"), l=("sum", "p"), L=("add", "l", "d"))


def test_a_loss_times_a_number_stays_what_it_is():
    assert way(x=X, w=W, k=("constant", 0.5), p=("matmul", "x", "w"), l=("sum", "p"), L=("multiply", "k", "l")) == "sum"


@pytest.mark.parametrize(
    "mixing",
    [
        {"m": ("batch_norm", "x"), "L": ("mean", "m")},
        {"m": ("softmax", "x", {"axis": 0}), "s": ("square", "m"), "L": ("mean", "s")},
        {"m": ("transpose", "x"), "n": ("matmul", "m", "x"), "L": ("mean", "n")},
        {"s": ("mean", "x"), "m": ("sqrt", "s"), "L": ("mean", "m")},
        {"l": ("mean", "x"), "m": ("multiply", "l", "l"), "L": ("negative", "m")},
        {"m": ("flip", "x", {"axis": 0}), "L": ("mean", "m")},
        {"m": ("dropout", "x", {"p": 0.5, "seed": 1}), "L": ("mean", "m")},
        {"m": ("cumsum", "x", {"axis": 0}), "L": ("mean", "m")},
        {"m": ("max", "x"), "L": ("negative", "m")},
    ],
)
def test_what_mixes_the_examples_is_named(mixing):
    with pytest.raises(Refused, match="m mixes the examples of the batch"):
        way(x=X, **mixing)


def test_zeros_are_not_taken_for_anything():
    """Of zeros the sum and the mean are alike, and so are all parts."""
    zeros = ("input", np.zeros((8, 3)))
    assert way(x=zeros, w=W, p=("matmul", "x", "w"), L=("sum", "p")) == "sum"
    with pytest.raises(Refused, match="m mixes"):
        way(x=zeros, m=("batch_norm", "x"), L=("mean", "m"))


def test_classes_that_are_ignored_make_a_mean_of_another_weight():
    classes = np.array([0.0, 1.0, 2.0, -100.0, 1.0, 2.0, 0.0, -100.0])
    with pytest.raises(Refused, match="L mixes"):
        way(x=X, c=("input", classes), L=("cross_entropy", "x", "c"))
    assert way(x=X, c=("input", np.abs(classes) % 3), L=("cross_entropy", "x", "c")) == "mean"


def test_an_output_that_is_no_loss_is_refused():
    with pytest.raises(Refused, match="p is neither a mean nor a sum over the batch; choose such a loss"):
        way(x=X, w=W, p=("matmul", "x", "w"))


def test_a_wanted_gradient_of_the_batch_is_refused():
    document = graph(x=X, w=W, p=("matmul", "x", "w"), L=("sum", "p"))
    script = prepare(document, None, ["x", "w"])
    with pytest.raises(Refused, match="the gradient of x, which is part of the batch, is wanted"):
        loss_of_parts(script, batch_in(script))


def test_without_inputs_there_is_no_batch():
    with pytest.raises(Refused, match="there is no batch to share out: L depends on no input that is an array; make"):
        batch_of(open_lesson("1"), "L")


def test_inputs_of_several_sizes_are_no_batch():
    document = graph(x=X, y=("input", [1.0, 2.0, 3.0]), p=("add", "x", "y"), L=("sum", "p"))
    with pytest.raises(Refused, match=r"are not of one size above 1 \(x \(8, 3\), y \(3,\)\); make constants"):
        batch_of(document, "L")


def test_a_batch_is_shared_out_equally():
    document = graph(x=X, w=W, p=("matmul", "x", "w"), L=("sum", "p"))
    assert batch_of(document, "L", 4).size == 8
    with pytest.raises(
        Refused, match="a batch of 8 cannot be shared out equally among 3; choose a number that divides"
    ):
        batch_of(document, "L", 3)


def test_functions_are_tried_like_operations():
    from cadena.core.graph.document import Function, Node

    apart = Function(("a",), {"b": Node("b", "tanh", inputs=("a",))}, "b")
    nodes = {"t": Node("t", "sum", inputs=("a",)), "b": Node("b", "divide", inputs=("a", "t"))}
    document = graph(x=X, h=("apart", "x"), L=("mean", "h"))
    for own, refused in ((apart, False), (Function(("a",), nodes, "b"), True)):
        script = prepare(replace(document, functions={"apart": own}))
        if refused:
            with pytest.raises(Refused, match="h mixes"):
                loss_of_parts(script, batch_in(script))
        else:
            assert loss_of_parts(script, batch_in(script)) == "mean"
