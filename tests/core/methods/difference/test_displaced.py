"""Graphs in several number types: what is told from rounding is that of the coarsest."""

from __future__ import annotations

import pytest

from cadena.core.front import compile
from cadena.core.methods.compare import compare
from cadena.core.methods.cutting import compare_node
from tests.core.graphs import graph


def mixed(dtype: str, back: str) -> dict[str, object]:
    narrow = {"a": ("astype", "x", {"dtype": dtype}), "b": ("square", "a")}
    return {"x": [1.0, 2.0], **narrow, "c": ("astype", "b", {"dtype": back}), "y": ("sum", "c")}


@pytest.mark.parametrize(("dtype", "back"), [("float16", "float64"), ("float32", "float64"), ("float16", "float32")])
@pytest.mark.parametrize("node", ["x", "a", "b", "c"])
def test_a_step_that_an_astype_rounds_away_is_not_taken(dtype, back, node):
    """The quotients of the small steps of float64 were all 0 in float16, and so seemed to be sure of 0."""
    run = compile(graph(**mixed(dtype, back))).run(dtype=back)
    assert compare(graph(**mixed(dtype, back)), dtype=back).agrees
    assert compare_node(run, node).agrees
