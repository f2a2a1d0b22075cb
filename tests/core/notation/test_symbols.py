"""Expressions that are too long are shortened to their outermost parts."""

from __future__ import annotations

import pytest
import sympy

from core import compile
from core.notation.symbols import DOTS, shortened
from core.timelines import Method, timeline_of
from tests.core.graphs import chain

x, y = sympy.symbols("x y")
SHORT = [x, x**2, sympy.sin(x), x * sympy.exp(y) + 1, sympy.sin(sympy.cos(x) + y)]


@pytest.mark.parametrize("expression", SHORT)
def test_what_is_short_enough_stays_whole(expression):
    assert shortened(expression, 14) == expression


@pytest.mark.parametrize("most", [2, 4, 8, 14])
def test_what_is_beyond_becomes_dots(most):
    made = shortened(sympy.sin(sympy.cos(sympy.sin(sympy.cos(x) + y) * y) - 1) * y, most)
    assert sum(1 for part in sympy.preorder_traversal(made) if part.args) <= most
    assert (sympy.Symbol(DOTS) in made.free_symbols) is (most < 8)


def test_a_product_of_many_factors_is_shortened_and_no_endless_search():
    """What a long product leaves out made it differ from the whole at every depth, so deeper was tried for ever."""
    factors = [sympy.cos(sympy.Symbol(f"a{number}")) for number in range(20)]
    made = shortened(sympy.Mul(*factors), 14)
    assert len(made.args) == 8 and sympy.Symbol(DOTS) in made.args


def test_the_derivative_of_a_long_chain_can_be_shown():
    timeline = timeline_of(compile(chain(40)).run(), Method("symbols"))
    line = timeline.frame(len(timeline)).lines("x")[1]
    assert DOTS in line.latex[0] and timeline.told(len(timeline) - 1).formulas
