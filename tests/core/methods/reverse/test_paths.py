"""The products along all paths add up to the gradient: lesson 2, matrices, choices, seeds, random graphs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from cadena.core.front import compile
from cadena.core.graph import edits
from cadena.core.methods.reverse.paths import MAX_LISTED, PathSum
from cadena.core.teaching.lessons import open_lesson
from tests.core.graph.test_shape import ladder
from tests.core.graphs import documents, graph
from tests.thorough import tries


def paths_of(lesson: str, name: str) -> PathSum:
    return PathSum(compile(open_lesson(lesson)).run(), name)


def test_the_two_paths_of_lesson_2_have_their_products_and_their_sum():
    paths = paths_of("two_paths", "a1")
    assert [path.nodes for path in paths.listed] == [
        ("a1", "m1", "b1", "m3", "c", "L"),
        ("a1", "b2", "m4", "c", "L"),
    ]
    assert [float(path.product) for path in paths.listed] == [-14.0, -27.0]
    assert paths.labels(paths.listed[1]) == ("∂L/∂c = −1", "∂c/∂m4 = 1", "∂m4/∂b2 = w4 = 3", "∂b2/∂a1 = w2 = 9")
    formula = paths.path_formula(paths.listed[1], latex=False)
    assert formula == "∂L/∂c · ∂c/∂m4 · ∂m4/∂b2 · ∂b2/∂a1 = (−1) · 1 · 3 · 9 = −27"
    assert paths.sum_formula(latex=False) == "∂L/∂a1 = −14 + (−27) = −41"
    assert paths.summary.through == ("c",)


def test_a_matrix_on_the_path_has_a_product_of_the_shape_of_the_node():
    (path,) = paths_of("custom_layer", "W").listed
    assert path.product.shape == (3, 2)
    np.testing.assert_allclose(path.product, paths_of("custom_layer", "W").gradient)


def test_two_wires_between_the_same_nodes_are_two_paths():
    run = compile(graph("y", x=3.0, y=("multiply", "x", "x"))).run()
    assert [float(path.product) for path in PathSum(run, "x").listed] == [3.0, 3.0]


def test_no_path_leads_through_an_operand_that_only_chooses():
    run = compile(graph("y", x=3.0, y=("where", "x", "x", "x"))).run()
    assert [path.wires for path in PathSum(run, "x").listed] == [(("y", 1),), (("y", 2),)]


def test_a_seed_other_than_1_is_the_first_factor():
    run = compile(graph("y", x=3.0, y=("square", "x"))).run(seed=np.array(10.0))
    paths = PathSum(run, "x")
    assert paths.path_formula(paths.listed[0], latex=False) == "∂y/∂x = 10 · 6 = 60"


def test_more_paths_than_can_be_listed_are_counted():
    document = replace(ladder(60), output="n60")
    with_value = edits.set_value(edits.set_operation(document, "n0", "parameter"), "n0", 1.0)
    paths = PathSum(compile(with_value).run(), "n0")
    assert paths.summary.number == 2**60 > MAX_LISTED and paths.listed == ()


@pytest.mark.parametrize("name", ["L", "k"])
def test_the_output_and_what_wants_no_gradient_have_no_paths(name):
    assert paths_of("first_chain_rule", name).listed == ()


@tries(80)
@given(documents())
def test_the_products_of_all_paths_add_up_to_the_gradient(document):
    run = compile(document).run()
    for name in document.nodes if run.program.output else ():
        paths = PathSum(run, name)
        if paths.listed and np.isfinite(paths.gradient).all():
            total = sum(path.product for path in paths.listed)
            largest = sum(np.abs(path.product).max(initial=0.0) for path in paths.listed)
            np.testing.assert_allclose(total, paths.gradient, rtol=1e-9, atol=1e-11 * largest)
