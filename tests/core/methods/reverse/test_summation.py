"""What un-broadcasting sums, in sentences and formulas, with numbers that were computed by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cadena
from cadena.core.graph.document import Document
from cadena.core.methods.reverse.derivation import derivation, result_latex
from cadena.core.methods.reverse.step_text import local_label, step_latex, step_sentence, step_title
from cadena.core.methods.reverse.summation import Summation, summation_of
from cadena.core.rewriting.function_edits import make_function
from tests.core.graphs import graph

X = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
BATCH: Any = {"X": ("input", X), "W": [[0.5, -1.0], [2.0, 1.0]], "b": [0.25, -0.5], "Z": ("matmul", "X", "W")}


def told(document: Document, operand: str, node: str) -> tuple[str, str, str]:
    """The title, the sentence and the formula of the step in which `operand` receives a gradient from `node`."""
    timeline = cadena.compile(document).run().timeline
    at = next(step.index for step in timeline if (step.node, step.operand) == (node, operand) and step.slot is not None)
    return step_title(timeline, at), step_sentence(timeline, at), step_latex(timeline, at)


def contribution(document: Document, operand: str, node: str) -> str:
    """The rule with its numbers, in plain text: what follows "+=" in the sentence."""
    return told(document, operand, node)[1].split(" += ")[1].removesuffix(".")


def test_a_bias_receives_the_sum_over_the_rows_of_the_batch():
    """L = sum of (X W + b)²: its upstream gradient is 2 (X W + b), which has the rows 9.5 1, 19.5 1 and 29.5 1."""
    layer = graph(**BATCH, A=("add", "Z", "b"), S=("power", "A", "k"), L=("sum", "S"), k=("constant", 2.0))
    layer = cadena.core.graph.edits.set_output(layer, "L")
    title, sentence, formula = told(layer, "b", "A")
    assert title == "b receives a gradient of 2 numbers from A."
    assert sentence == (
        "b receives a gradient of 2 numbers from A: ∂L/∂b += Σ_rows ∂L/∂A ⊙ ∂A/∂b"
        " = [9.5, 1] + [19.5, 1] + [29.5, 1] = [58.5, 3]."
    )
    total = (
        r"\sum_{\text{rows}} \, \frac{\partial L}{\partial A} \odot \frac{\partial A}{\partial b}"
        r" = \sum_{\text{rows}} \, \frac{\partial L}{\partial A} \cdot 1"
        r" = \begin{bmatrix} 9.5 & 1 \end{bmatrix} + \begin{bmatrix} 19.5 & 1 \end{bmatrix}"
        r" + \begin{bmatrix} 29.5 & 1 \end{bmatrix} = \begin{bmatrix} 58.5 & 3 \end{bmatrix}"
    )
    assert formula == rf"\frac{{\partial L}}{{\partial b}} \mathrel{{+}}= {total}"
    run = cadena.compile(layer).run()
    assert result_latex(run, "b") == rf"\frac{{\partial L}}{{\partial b}} = {total}"
    line = r"\sum_{\text{rows}} \, \frac{\partial L}{\partial A} \odot \frac{\partial A}{\partial b}"
    assert derivation(run, "b")[-1] == ("A = Z + b", rf"\frac{{\partial L}}{{\partial b}} = {line}")
    assert local_label(run, "A", 1) == "∂A/∂b = 1"


def test_a_matrix_of_parameters_receives_a_product_shown_with_both_matrices():
    """Xᵀ times a matrix of ones: the sums of the columns of X, 9 and 12."""
    _, sentence, formula = told(graph(**BATCH, L=("sum", "Z")), "W", "Z")
    assert sentence.endswith(": ∂L/∂W += Xᵀ ∂L/∂Z = [[9, 9], [12, 12]].")
    assert formula.endswith(
        r"= X^{\top} \, \frac{\partial L}{\partial Z}"
        r" = \begin{bmatrix} 1 & 3 & 5 \\ 2 & 4 & 6 \end{bmatrix} \,"
        r" \begin{bmatrix} 1 & 1 \\ 1 & 1 \\ 1 & 1 \end{bmatrix} = \begin{bmatrix} 9 & 9 \\ 12 & 12 \end{bmatrix}"
    )


def test_a_difference_sums_the_negative_rows():
    document = graph(x=X, b=[1.0, 1.0], d=("subtract", "x", "b"), e=("multiply", "d", "x"), L=("sum", "e"))
    assert contribution(document, "b", "d") == ("Σ_rows ∂L/∂d ⊙ ∂d/∂b = [−1, −2] + [−3, −4] + [−5, −6] = [−9, −12]")


def test_a_number_beside_an_array_receives_the_sum_of_all_elements():
    document = graph(a=2.0, v=[1.0, 2.0, 4.0], y=("multiply", "a", "v"), L=("sum", "y"))
    title, _, formula = told(document, "a", "y")
    assert title == "a receives 7 from y: 1 + 2 + 4."
    assert contribution(document, "a", "y") == "Σ ∂L/∂y ⊙ ∂y/∂a = 1 + 2 + 4 = 7"
    assert formula.endswith(r"= \sum \frac{\partial L}{\partial y} \odot v = 1 + 2 + 4 = 7")


def test_negative_summands_stand_in_brackets():
    document = graph(a=2.0, v=[1.0, -2.0, 4.0], y=("multiply", "a", "v"), L=("sum", "y"))
    assert contribution(document, "a", "y").endswith("= 1 + (−2) + 4 = 3")
    assert told(document, "a", "y")[2].endswith(r"= 1 + \left(-2\right) + 4 = 3")


def test_a_column_receives_the_sum_over_the_columns():
    """c · x with the upstream gradient 1: the sums of the rows of x, 3, 7 and 11."""
    document = graph(c=[[1.0], [2.0], [3.0]], x=X, y=("multiply", "c", "x"), L=("sum", "y"))
    assert contribution(document, "c", "y") == "Σ_columns ∂L/∂y ⊙ ∂y/∂c = [[3], [7], [11]]"
    assert told(document, "c", "y")[2].endswith(
        r"= \sum_{\text{columns}} \, \begin{bmatrix} 1 & 1 \\ 1 & 1 \\ 1 & 1 \end{bmatrix} \odot"
        r" \begin{bmatrix} 1 & 2 \\ 3 & 4 \\ 5 & 6 \end{bmatrix} = \begin{bmatrix} 3 \\ 7 \\ 11 \end{bmatrix}"
    )


def test_axes_of_arrays_of_more_dimensions_are_numbered():
    cube = [[[1.0, 2.0, 0.0], [3.0, 4.0, 1.0]], [[5.0, 6.0, 1.0], [7.0, 8.0, 2.0]]]
    middle = graph(w=[[1.0], [2.0]], x=cube, y=("multiply", "w", "x"), L=("sum", "y"))
    assert contribution(middle, "w", "y") == "Σ_(axes 0, 2) ∂L/∂y ⊙ ∂y/∂w = [[15], [25]]"
    leading = graph(w=[1.0, 2.0, 3.0], x=cube, y=("multiply", "w", "x"), L=("sum", "y"))
    assert contribution(leading, "w", "y") == "Σ_(axes 0, 1) ∂L/∂y ⊙ ∂y/∂w = [16, 20, 4]"
    first = graph(w=[[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]], x=cube, y=("add", "w", "x"), L=("sum", "y"))
    ones = "[[1, 1, 1], [1, 1, 1]]"
    assert contribution(first, "w", "y") == (f"Σ_(axis 0) ∂L/∂y ⊙ ∂y/∂w = {ones} + {ones} = [[2, 2, 2], [2, 2, 2]]")


def test_matrices_that_several_of_a_batch_share_receive_the_sum_over_it():
    """Aᵀ times ones for both matrices of the batch: the sums of their columns, 4 6 and 12 14."""
    batch = [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]
    document = graph(A=batch, B=[[1.0, 0.5], [-1.0, 2.0]], C=("matmul", "A", "B"), L=("sum", "C"))
    assert contribution(document, "B", "C") == (
        "Σ_(axis 0) Aᵀ ∂L/∂C = [[4, 4], [6, 6]] + [[12, 12], [14, 14]] = [[16, 16], [20, 20]]"
    )
    assert contribution(document, "A", "C") == "∂L/∂C Bᵀ"


def test_what_is_repeated_or_chosen_is_summed_too():
    repeated = graph(x=[1.0, 2.0], y=("broadcast_to", "x", {"shape": [3, 2]}), L=("sum", "y"))
    assert contribution(repeated, "x", "y") == "Σ_rows ∂L/∂y = [1, 1] + [1, 1] + [1, 1] = [3, 3]"
    chosen = graph(c=[1.0, 0.0, 1.0], a=2.0, b=[1.0, 2.0, 3.0], y=("where", "c", "a", "b"), L=("sum", "y"))
    assert contribution(chosen, "a", "y") == "Σ (∂L/∂y if c, else 0) = 1 + 0 + 1 = 2"
    put = graph(x=X, v=[7.0, 8.0], y=("index_put", "x", "v", {"index": "1:"}), L=("sum", "y"))
    assert contribution(put, "v", "y") == "Σ_rows ∂L/∂y at the replaced places = [1, 1] + [1, 1] = [2, 2]"


def test_the_mean_that_is_subtracted_receives_a_sum_and_shares_it():
    """Layer normalisation without a variance: d = x − mean over each column; L = sum of d · x."""
    document = graph(
        x=X, m=("mean", "x", {"axis": 0}), d=("subtract", "x", "m"), e=("multiply", "d", "x"), L=("sum", "e")
    )
    assert contribution(document, "m", "d").endswith("= [−1, −2] + [−3, −4] + [−5, −6] = [−9, −12]")
    shared = contribution(document, "x", "m")
    assert shared.startswith("∂L/∂m / 3 in each row = [[−3, −4], [−3, −4], [−3, −4]]; with ")


@pytest.mark.parametrize(
    ("node", "rule"),
    [
        (("sum", "x"), "∂L/∂y for each element = [[1, 1], [1, 1], [1, 1]]"),
        (("sum", "x", {"axis": 0}), "∂L/∂y in each row = [[1, 1], [1, 1], [1, 1]]"),
        (("sum", "x", {"axis": -1}), "∂L/∂y in each column = [[1, 1], [1, 1], [1, 1]]"),
        (("mean", "x"), "∂L/∂y / 6 for each element = [[0.1667, 0.1667], [0.1667, 0.1667], [0.1667, 0.1667]]"),
        (("mean", "x", {"axis": 1}), "∂L/∂y / 2 in each column = [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]]"),
        (
            ("max", "x", {"axis": 1}),
            "∂L/∂y where x = y, shared evenly among equal elements, else 0 = [[0, 1], [0, 1], [0, 1]]",
        ),
    ],
)
def test_a_reduction_gives_its_gradient_to_the_elements_it_was_made_of(node, rule):
    document = graph(x=X, y=node, z=("multiply", "y", "one"), L=("sum", "z"), one=("constant", 1.0))
    document = cadena.core.graph.edits.set_output(document, "L")
    assert contribution(document, "x", "y") == rule


def test_equal_largest_elements_share_the_gradient():
    document = graph(x=[[3.0, 1.0], [3.0, 5.0], [2.0, 5.0]], m=("max", "x", {"axis": 0}), L=("sum", "m"))
    assert contribution(document, "x", "m").endswith("else 0 = [[0.5, 0], [0.5, 0.5], [0, 0.5]]")


def test_a_loss_says_by_how_many_it_divides():
    def loss(reduction: str) -> Document:
        y = ("mse_loss", "p", "t", {"reduction": reduction})
        return graph(p=[1.0, 2.0], t=("input", [0.0, 4.0]), y=y, L=("sum", "y"))

    assert contribution(loss("mean"), "p", "y") == "∂L/∂y / 2 · 2 (p − t) = [1, −2]"
    assert contribution(loss("sum"), "p", "y") == "∂L/∂y · 2 (p − t) = [2, −4]"
    assert contribution(loss("none"), "p", "y") == "∂L/∂y · 2 (p − t) = [2, −4]"


def test_a_function_of_arrays_says_what_it_sums():
    plain = graph(x=X, b=[0.5, -0.5], s=("add", "x", "b"), y=("sin", "s"), L=("sum", "y"))
    document = make_function(plain, ["s", "y"], "layer")
    title, sentence, _ = told(document, "b", "y")
    assert sentence.startswith("b receives a gradient of 2 numbers from y: ∂L/∂b += Σ_rows ∂L/∂y ⊙ cos(x + b) = [")
    expected = np.cos(np.array(X) + [0.5, -0.5]).sum(axis=0)
    assert np.allclose(cadena.compile(document).run().gradient("b"), expected)
    y = told(document, "y", "L")
    assert y[0] == "y receives a gradient of shape 3 × 2 from L." and title.endswith("from y.")
    first = step_sentence(cadena.compile(document).run().timeline, 0)
    assert first.startswith("y is layer of x and b, an array of shape 3 × 2: [[")


def test_many_rows_are_not_written_out():
    rows = np.arange(40.0).reshape(10, 4).tolist()
    document = graph(x=rows, b=[1.0, 2.0, 3.0, 4.0], y=("add", "x", "b"), L=("sum", "y"))
    assert contribution(document, "b", "y") == "Σ_rows ∂L/∂y ⊙ ∂y/∂b = [10, 10, 10, 10]"
    formula = told(document, "b", "y")[2]
    assert formula.endswith(r"\cdot 1 = \begin{bmatrix} 10 & 10 & 10 & 10 \end{bmatrix}")


def test_one_row_or_a_single_number_is_no_sum():
    run = cadena.compile(graph(x=[[1.0, 2.0]], b=[1.0, 2.0], y=("add", "x", "b"), L=("sum", "y"))).run()
    assert summation_of(run, "y", 1) is None and summation_of(run, "y", 0) is None
    assert told(run.program.document, "b", "y")[1].endswith("∂L/∂b += ∂L/∂y ⊙ ∂y/∂b = [1, 1].")
    run = cadena.compile(graph(x=[[1.0]], b=2.0, y=("add", "x", "b"), L=("sum", "y"))).run()
    assert summation_of(run, "y", 1) is None


def test_the_terms_are_in_the_order_of_the_axes():
    summed = Summation((2, 3, 2), (0, 2), (3, 1))
    numbers = np.arange(12.0).reshape(2, 3, 2)
    assert [term.ravel().tolist() for term in summed.terms(numbers)] == [[0, 2, 4], [1, 3, 5], [6, 8, 10], [7, 9, 11]]
    assert summed.total(numbers).tolist() == [[14.0], [22.0], [30.0]]
