from __future__ import annotations

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.methods.difference.displaced import Displaced
from cadena.core.methods.difference.edges import edge_at
from tests.core.graphs import graph

EDGES = {
    "relu": ({"x": 0.0, "y": ("relu", "x")}, "y", 0.0, 1.0),
    "behind other nodes": ({"x": 0.0, "s": ("sin", "x"), "a": ("abs", "s"), "y": ("exp", "a")}, "a", -1.0, 1.0),
    "a tie": ({"x": 1.0, "s": ("square", "x"), "y": ("maximum", "x", "s")}, "y", 1.0, 2.0),
    "next to it": ({"x": 1e-9, "y": ("abs", "x")}, "y", -1.0, 1.0),
    "an end": ({"x": 0.0, "k": ("constant", 1.5), "y": ("power", "x", "k")}, "y", np.nan, 0.0),
}
SMOOTH = {
    "a square": {"x": 0.0, "y": ("square", "x")},
    "curved": {"x": 1.0, "k": ("constant", 200.0), "z": ("multiply", "k", "x"), "y": ("sin", "z")},
    "flat": {"x": -1.0, "y": ("relu", "x")},
    "a sum of edges that cancel": {"x": 0.0, "a": ("abs", "x"), "b": ("negative", "a"), "y": ("add", "a", "b")},
    "nan": {"x": np.nan, "y": ("abs", "x")},
    "rounded": {"x": 1e-9, "e": ("expm1", "x"), "y": ("divide", "e", "x")},
}


@pytest.mark.parametrize("name", EDGES)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_the_slopes_on_both_sides_and_the_node_are_found(name, dtype):
    nodes, node, left, right = EDGES[name]
    edge = edge_at(Displaced(compile(graph(**nodes)).run(dtype=dtype)), "x", 0)
    assert edge is not None and (edge.node, edge.jumps) == (node, False)
    np.testing.assert_allclose([edge.left, edge.right], [left, right], atol=0.05)


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_where_the_output_is_smooth_there_is_no_edge(name, dtype):
    assert edge_at(Displaced(compile(graph(**SMOOTH[name])).run(dtype=dtype)), "x", 0) is None


def test_the_rounding_of_a_flat_side_was_an_infinite_slope():
    """max(x) · sum(softmax(x)) is 0.03 to the last digit but one: its left quotients grow as the step shrinks."""
    nodes = {"x": [0.03] * 3, "m": ("max", "x"), "p": ("softmax", "x"), "t": ("multiply", "p", "m"), "y": ("sum", "t")}
    point = Displaced(compile(graph(**nodes)).run())
    for index in range(3):
        edge = edge_at(point, "x", index)
        assert edge is not None and (edge.node, edge.tie) == ("m", True)
        np.testing.assert_allclose([edge.left, edge.right], [0.0, 1.0], atol=1e-9)


def test_a_value_that_jumps_is_told_from_an_edge():
    edge = edge_at(Displaced(compile(graph(x=0.0, s=("sign", "x"), y=("add", "s", "x"))).run()), "x", 0)
    assert edge is None  # both slopes are as large: sign jumps evenly
    edge = edge_at(Displaced(compile(graph(x=2.0, f=("floor", "x"), y=("add", "f", "x"))).run()), "x", 0)
    assert edge is not None and edge.jumps and edge.node == "f"
