"""Expressions that are too long are shortened to their outermost parts."""

from __future__ import annotations

from functools import partial

import pytest
import sympy

from cadena.core.front import compile
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.names import Method
from cadena.core.methods.symbolic.forms import form
from cadena.core.methods.symbolic.latex import DOTS, dots, fraction, in_latex, shortened
from cadena.core.ops.primitive import REGISTRY
from cadena.core.teaching.lessons import open_lesson
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
    assert (dots() in made.free_symbols) is (most < 8)


def test_a_product_of_many_factors_is_shortened_and_no_endless_search():
    """What a long product leaves out made it differ from the whole at every depth, so deeper was tried for ever."""
    factors = [sympy.cos(sympy.Symbol(f"a{number}")) for number in range(20)]
    made = shortened(sympy.Mul(*factors), 14)
    assert len(made.args) == 8 and dots() in made.args


def test_the_derivative_of_a_long_chain_can_be_shown():
    timeline = timeline_of(compile(chain(40)).run(), Method("symbolic"))
    line = timeline.frame(len(timeline)).lines("x")[1]
    assert DOTS in line.latex[0] and timeline.describe(len(timeline) - 1).formulas


def test_the_derivative_of_ten_nested_sigmoids_is_shown_at_once_and_not_after_a_proof_without_end():
    steps = timeline_of(compile(open_lesson("14")).run(), Method("symbolic"))
    assert r"\ldots" in steps.describe(len(steps) - 1).formulas[-1]


@pytest.mark.parametrize("text", ["x/y", "3*x/4", "1/x", "-x/(2*y**2)", "exp(-2)*x", "x**-3*y/7", "exp(-x)*y", "2*x"])
def test_a_fraction_is_that_of_sympy(text):
    expression = sympy.sympify(text)
    assert fraction(expression) == sympy.fraction(expression, exact=True)


def test_dots_stand_once_in_a_product_and_last():
    """Each factor that had no room became dots of its own: the derivative of lesson 12 was five rows of dots."""
    timeline = timeline_of(compile(open_lesson("12")).run(), Method("symbolic"))
    formula = timeline.describe(len(timeline) - 1).formulas[0]
    assert formula.count(DOTS) == 1 and rf"+ {DOTS} =" in formula
    assert r"\frac{e^{- x}}{\left(1 + e^{- 5 x}\right)" in formula


NAMES = sorted(name for name, made in REGISTRY.items() if made.elementwise and form(made, {}) is not None)


@pytest.mark.some(20)
@pytest.mark.parametrize("name", NAMES)
def test_every_operation_can_be_shortened(name):
    """The branches of leaky_relu, elu and others were no expressions, and cutting them ended in a TypeError."""
    parts = [sympy.sin(sympy.Symbol(f"x{slot}", real=True)) + 1 for slot in range(len(REGISTRY[name].slots))]
    made = form(REGISTRY[name], {})(*parts)
    for expression in (made, sympy.exp(made) * made):
        for most in range(1, 9):
            for in_line in (False, True):
                assert in_latex(shortened(expression, most), {}, in_line)


def test_a_shortened_fraction_is_no_product():
    made = shortened(1 / ((1 + sympy.exp(x)) * (1 + sympy.exp(y)) * (x + y)), 5)
    assert in_latex(made, {}).startswith(r"\frac{1}{\left(") and in_latex(made, {}).endswith(rf" {DOTS}}}")


def test_fractions_as_powers_are_in_line_everywhere():
    """They were set in letters of four pixels."""
    assert in_latex(x ** sympy.Rational(3, 2) / y, {}) == r"\frac{x^{3/2}}{y}"


def test_branches_inside_others_give_way_to_dots():
    chosen = sympy.tanh(sympy.Piecewise((x * y, x > 0), (y, True)))
    assert in_latex(shortened(chosen, 3), {}) == rf"\tanh{{\left({DOTS} \right)}}"


def test_a_formula_in_line_has_no_bars():
    latex = partial(in_latex, symbols={}, in_line=True)
    assert latex(-sympy.exp(-x) / (1 + sympy.exp(-x)) ** 2) == r"- e^{- x} / \left(1 + e^{- x}\right)^{2}"
    assert latex((x + y) / (2 * x)) == r"\left(x + y\right) / \left(2 x\right)"
    assert latex(1 / sympy.sqrt(x) + sympy.Rational(1, 3)) == r"1 / 3 + 1 / \sqrt{x}"
    assert latex(sympy.Piecewise((x, x > 0), (y, True))) == r"x \text{ if } x > 0 \text{ else } y"
