"""What the output does when a number grows by 1."""

from __future__ import annotations

import cadena
from cadena.core.methods.nudging import growth_sentence
from cadena.core.teaching.lessons import open_lesson
from tests.core.graphs import graph


def test_where_the_output_is_a_line_the_gradient_is_exact() -> None:
    run = cadena.compile(open_lesson("1")).run()
    assert growth_sentence(run, "b1") == "L falls from −254 to −261: by 7, exactly."


def test_where_it_is_a_curve_both_numbers_are_given() -> None:
    run = cadena.compile(graph(x=3.0, y=("multiply", "x", "x"))).run()
    assert growth_sentence(run, "x") == "y rises from 9 to 16: by 7; the gradient says 6."


def test_arrays_and_the_output_itself_have_no_such_sentence() -> None:
    run = cadena.compile(graph(x=[1.0, 2.0], y=("sum", "x"))).run()
    assert growth_sentence(run, "x") == "" == growth_sentence(run, "y")


def test_a_number_next_to_a_pole_has_none() -> None:
    run = cadena.compile(graph(x=-1.0, y=("reciprocal", "x"))).run()
    assert growth_sentence(run, "x") == ""
