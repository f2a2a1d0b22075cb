from __future__ import annotations

import numpy as np

from cadena.core.front import compile
from cadena.core.methods.scale import magnitudes
from tests.core.graphs import graph


def test_contributions_add_up_by_their_magnitude_where_they_cancel():
    document = graph(x=3.0, a=("negative", "x"), b=("add", "x", "a"), c=("multiply", "b", "x"))
    run = compile(document).run()
    assert run.gradient("x") == 0.0
    assert magnitudes(run)["x"] == 6.0


def test_what_cancels_inside_an_operation_counts_too():
    """The sum of numbers brought to mean 0 does not depend on them."""
    run = compile(graph(x=[[1.0], [2.0], [4.0]], n=("batch_norm", "x"), s=("sum", "n"))).run()
    np.testing.assert_allclose(run.gradient("x"), 0.0, atol=1e-15)
    assert np.all(magnitudes(run)["x"] > 0.1)


def test_of_large_results_no_element_is_carried_back_by_itself():
    run = compile(graph(x=np.ones((20, 20)), y=("transpose", "x"), s=("sum", "y"))).run()
    np.testing.assert_array_equal(magnitudes(run)["x"], np.ones((20, 20)))


def test_where_gradients_are_not_finite_their_size_is_0():
    run = compile(graph(x=[0.0, 4.0], r=("sqrt", "x"), s=("sum", "r"))).run()
    np.testing.assert_array_equal(magnitudes(run)["x"], [0.0, 0.25])
