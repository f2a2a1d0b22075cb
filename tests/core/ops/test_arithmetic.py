"""Powers at 0: derivatives of every order, in every way in which they are computed."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from itertools import product
from operator import itemgetter
from typing import Any

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.methods.compare import compare
from cadena.core.notation.definition import derivatives
from cadena.core.rewriting import unfolding
from cadena.core.tracing.transforms import grad, jvp
from tests.core.graphs import graph
from tests.thorough import in_turn, some

BASES = (0.0, -0.0, -2.0, 3.0)
EXPONENTS = (0.0, 1.0, 2.0, 3.0, 4.0, 0.5, 2.5, -1.0, -2.0)
ORDERS = range(1, 6)
Function = Callable[[Any], Any]


def exact(base: float, exponent: float, order: int) -> float:
    """The derivative of base^exponent, worked out by hand: b (b - 1) ... base^(b - n), 0 once a factor is 0."""
    factor = math.prod(exponent - k for k in range(order))
    with np.errstate(all="ignore"):
        return factor * float(np.power(np.float64(base), exponent - order)) if factor else 0.0


def nth(function: Function, order: int, modes: str) -> Function:
    """The derivative of this order; `modes` says in turn whether by a reverse (r) or a forward pass (f)."""
    for number in range(order):
        function = _once(function, modes[number % len(modes)])
    return function


def _once(function: Function, mode: str) -> Function:
    return grad(function) if mode == "r" else lambda x: jvp(function, (x,), (1.0,))[1]


POWERS: dict[str, Callable[[Any, float], Any]] = {
    "a float": lambda x, b: x**b,
    "an int, where it is one": lambda x, b: x ** (int(b) if b == int(b) else b),
    "one of numpy": lambda x, b: x ** np.float64(b),
    "an array": lambda x, b: np.sum(x ** np.array([b, 2.0 * b]) * np.array([1.0, 0.0])) if b >= 0.0 else x**b,
    "np.power": lambda x, b: np.power(x, b),
    "np.float_power": lambda x, b: np.float_power(x, b),
}


MODES = ("r", "f", "rf", "fr")
EVERY_POWER = some(product(POWERS, EXPONENTS, BASES, MODES), kind=itemgetter(0, 1))


@pytest.mark.some(15)
@in_turn("form, exponent, base, modes", EVERY_POWER, kind=itemgetter(0, 1))
def test_the_second_derivative_of_x_to_the_0_the_third_of_x_and_the_fourth_of_x_squared_were_nan_at_0(
    form, exponent, base, modes
):
    found = [nth(partial(POWERS[form], b=exponent), order, modes)(base) for order in ORDERS]
    np.testing.assert_allclose(found, [exact(base, exponent, order) for order in ORDERS], rtol=1e-12)


@pytest.mark.some(2)
@pytest.mark.parametrize("modes", MODES)
def test_derivatives_of_0_to_the_y_by_y_were_nan_from_the_second_on(modes):
    for exponent in (0.0, 1.0, 2.0, 0.5, 2.5):
        assert [nth(lambda y: 0.0**y, order, modes)(exponent) for order in ORDERS] == [0.0] * 5
        arrays = nth(lambda y: np.sum(np.array([0.0, -0.0]) ** y), 3, modes)(exponent)
        assert arrays == 0.0
    found = [nth(lambda y: 2.0**y, order, modes)(0.0) for order in ORDERS]
    np.testing.assert_allclose(found, [math.log(2.0) ** order for order in ORDERS], rtol=1e-12)


def test_mixed_derivatives_of_a_traced_exponent_are_right_too():
    def mixed(base: float, exponent: float, by_base: int, by_exponent: int) -> Any:
        outer = lambda b: nth(lambda a: a**b, by_base, "r")(base)  # noqa: E731
        return nth(outer, by_exponent, "rf")(exponent)

    assert mixed(2.0, 0.0, 1, 1) == 0.5  # b a^(b - 1) by b: 1 / a at b = 0, where the rule looks away from 0 / a
    assert mixed(2.0, 0.0, 2, 1) == -0.25
    assert mixed(-2.0, 0.0, 1, 1) != mixed(-2.0, 0.0, 1, 1)  # nan: the logarithm of a negative base
    for exponent, by_base, by_exponent in ((2.0, 1, 1), (3.0, 2, 1), (3.0, 1, 2), (4.0, 3, 2)):
        assert mixed(0.0, exponent, by_base, by_exponent) == 0.0
    a, b = 1.7, 2.3
    assert mixed(a, b, 1, 1) == pytest.approx(a ** (b - 1.0) * (1.0 + b * math.log(a)))


@pytest.mark.some(10)
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("exponent", EXPONENTS)
def test_a_graph_unfolded_again_and_again_has_them_as_well(base, exponent):
    """Single numbers run in Python floats, arrays in numpy, and both by level in large graphs."""
    for value in (base, [base, 1.5]):
        for kind in ("constant", "parameter"):
            document = graph(x=value, k=(kind, exponent), y=("power", "x", "k"))
            for order in range(1, 4):
                document = unfolding.unfold(document, wrt=["x"])
                found = compile(document).run().value(document.output)
                assert np.ravel(found)[0] == pytest.approx(exact(base, exponent, order), rel=1e-12, nan_ok=True)


def test_in_a_large_graph_the_levels_have_them_too():
    nodes: dict[str, Any] = {"x": 0.0, "z": -2.0}
    pairs = [(base, exponent) for base in ("x", "z") for exponent in range(5)] * 20
    for number, (base, exponent) in enumerate(pairs):
        nodes[f"k{number}"] = ("constant", float(exponent))
        nodes[f"p{number}"] = ("power", base, f"k{number}")
        nodes[f"s{number}"] = ("add", f"s{number - 1}" if number else "x", f"p{number}")
    run = compile(graph(**nodes)).run()
    assert run.gradient("x") == 1.0 + 20.0
    assert run.gradient("z") == 20.0 * sum(exponent * (-2.0) ** (exponent - 1) for exponent in range(1, 5))


@pytest.mark.parametrize("exponent", [0.0, 1.0, 2.0, 3.0])
@pytest.mark.parametrize("base", [0.0, -2.0])
def test_every_method_agrees_and_a_gradient_of_0_has_no_minus(base, exponent):
    document = graph(x=base, k=("constant", exponent), y=("power", "x", "k"))
    made = compare(document)
    assert made.agrees and len(made.rows[0].evidence.numbers) == 5
    assert made.rows[0].evidence.numbers["symbolic"] == exact(base, exponent, 1)
    gradient = compile(document).run().gradient("x")
    assert not (gradient == 0.0 and np.signbit(gradient) and exponent == 0.0)


def test_the_derivative_that_is_shown_is_the_one_of_the_textbook():
    assert derivatives("power", latex=False) == ["∂y/∂a = b · a^(b − 1)", "∂y/∂b = y · log(a)"]
