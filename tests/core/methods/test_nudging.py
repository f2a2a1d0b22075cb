"""What the output does when a number grows by 1."""

from __future__ import annotations

import numpy as np
import pytest

import cadena
from cadena.core.methods.nudging import MOST_NUMBERS, POINTS, growth_sentence, response
from cadena.core.teaching.lessons import open_lesson
from tests.core.graphs import graph, wide


def test_where_the_output_is_a_line_the_gradient_is_exact() -> None:
    run = cadena.compile(open_lesson("1")).run()
    assert growth_sentence(run, "b1") == "L falls from −254 to −261: by 7, exactly."


def test_where_it_is_a_curve_both_numbers_are_given() -> None:
    run = cadena.compile(graph(x=3.0, y=("multiply", "x", "x"))).run()
    assert growth_sentence(run, "x") == "y rises from 9 to 16: by 7; the gradient says 6."


def test_an_output_that_did_not_change_was_said_to_fall_by_0() -> None:
    document = open_lesson("7")
    assert growth_sentence(cadena.compile(document).run(), "x") == "y stays 0; the gradient says nan."


def test_arrays_and_the_output_itself_have_no_such_sentence() -> None:
    run = cadena.compile(graph(x=[1.0, 2.0], y=("sum", "x"))).run()
    assert growth_sentence(run, "x") == "" == growth_sentence(run, "y")


def test_a_number_next_to_a_pole_has_none() -> None:
    run = cadena.compile(graph(x=-1.0, y=("reciprocal", "x"))).run()
    assert growth_sentence(run, "x") == ""


def test_the_curve_goes_through_the_nodes_own_point() -> None:
    run = cadena.compile(open_lesson("1")).run()
    curve = response(run, "b1")
    assert curve is not None and (curve.at, curve.height, curve.slope) == (23.0, -254.0, -7.0)
    assert len(curve.places) == POINTS and (curve.places[0], curve.places[-1]) == (0.0, 46.0)
    np.testing.assert_allclose(curve.heights, -254.0 - 7.0 * (curve.places - 23.0), rtol=1e-12)


@pytest.mark.parametrize(
    ("document", "name"),
    [
        (graph(x=[1.0, 2.0], y=("sum", "x")), "x"),
        (graph(x=1.0, y=("reciprocal", "x")), "y"),
        (graph(x=1e301, y=("negative", "x")), "x"),
        (graph(x=1e160, y=("multiply", "x", "x")), "x"),
        (wide(MOST_NUMBERS + 100), "w0"),
    ],
    ids=["array", "output", "far away", "inf", "large"],
)
def test_what_cannot_be_drawn_has_no_curve(document, name) -> None:
    assert response(cadena.compile(document).run(), name) is None


def test_a_curve_has_no_number_beyond_its_domain() -> None:
    curve = response(cadena.compile(graph(x=0.5, y=("log", "x"))).run(), "x")
    assert curve is not None and np.isfinite(curve.heights).sum() == POINTS // 4 * 3 and curve.slope == 2.0
