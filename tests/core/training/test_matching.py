import numpy as np
import pytest

from cadena.core.graph.fault import Refused
from cadena.core.training.data import DataTable, generated
from cadena.core.training.matching import data_inputs
from cadena.core.training.settings import TrainingSettings
from tests.core.training.networks import document, line, network, neurons, node

XOR = generated("xor", 0)


def matched(graph, table=XOR, **settings):
    found = data_inputs(graph, "L", TrainingSettings(**settings), table)
    return {one.name: ([table.names[column] for column in one.columns], one.is_example) for one in found}


def test_matrices_take_the_columns_in_order():
    assert matched(network()) == {"X": (["x1", "x2"], False), "T": (["y"], False)}


def test_numbers_take_the_columns_of_their_names():
    assert matched(neurons()) == {"x1": (["x1"], True), "x2": (["x2"], True), "y": (["y"], True)}
    assert matched(line(), generated("line", 0)) == {"x": (["x"], True), "y": (["y"], True)}


def test_columns_can_be_chosen():
    assert matched(line(), columns={"x": ("x2",), "y": ("x1",)}) == {"x": (["x2"], True), "y": (["x1"], True)}


def test_a_vector_is_one_example_of_several_columns_or_several_of_one():
    vectors = document(
        node("x", "input", value=[1.0, 2.0]), node("w", "parameter", value=[1.0, 1.0]), node("L", "dot", "x", "w")
    )
    assert matched(vectors) == {"x": (["x1", "x2"], True)}
    assert matched(vectors, columns={"x": ("x2",)}) == {"x": (["x2"], False)}


def test_the_values_of_an_input_are_its_columns():
    (x, t) = data_inputs(network(), "L", TrainingSettings(), XOR)
    assert np.array_equal(x.values(XOR.rows), XOR.rows[:, :2]) and t.values(XOR.rows).shape == (4, 1)


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"Z": ("x1",)}, "L depends on no input Z; choose one of X, T"),
        ({"X": ("x1", "x3")}, "the data has no column x3; choose one of x1, x2, y"),
        (
            {"X": ("x1",)},
            "X has shape (4, 2), which has no place for 1 columns of the data; give it a number, a vector or a matrix "
            "with a column for each",
        ),
    ],
)
def test_columns_that_fit_nowhere_are_refused(columns, sentence):
    with pytest.raises(Refused) as refused:
        matched(network(), columns=columns)
    assert str(refused.value) == sentence


def test_inputs_of_different_forms_are_refused():
    mixed = document(
        node("x", "input", value=1.0), node("Y", "input", value=[[1.0], [2.0]]),
        node("w", "parameter", value=1.0), node("p", "multiply", "x", "w"), node("L", "mse_loss", "p", "Y"),
    )  # fmt: skip
    with pytest.raises(Refused, match="x holds one example and Y several; give both one form"):
        matched(mixed, DataTable(("x", "y"), np.ones((3, 2))))
