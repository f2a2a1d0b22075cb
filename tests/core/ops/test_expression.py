"""Rules read as expressions: what is printed means what is computed."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadena.core.ops.expression import ATOM, POWER, PYTHON_NAMES, SUM, Symbol, Written, apply, show, source
from cadena.core.ops.primitive import REGISTRY
from tests.thorough import tries

POINT = {"x0": 0.75, "x1": 1.5, "y": 2.25}
NAMES = {name: Written(name) for name in POINT}
PYTHON = str.maketrans({"·": "*", "−": "-", "^": "**", "√": " sqrt "})
FUNCTIONS = {"sin": math.sin, "exp": math.exp, "log": math.log, "tanh": math.tanh, "sqrt": math.sqrt}


def trees() -> st.SearchStrategy[Callable[..., Any]]:
    """Random rules of x0, x1 and y, as functions for symbols and for numbers alike."""
    leaves = st.sampled_from([lambda x0, x1, y: x0, lambda x0, x1, y: x1, lambda x0, x1, y: y])
    leaves |= st.sampled_from([0.5, 2.0, -3.0]).map(lambda number: lambda x0, x1, y: x0 * 0.0 + number)
    binary = [np.add, np.subtract, np.multiply, np.divide, np.power]
    unary = [np.negative, np.sin, np.exp, np.tanh]

    def grown(inner: st.SearchStrategy[Callable[..., Any]]) -> st.SearchStrategy[Callable[..., Any]]:
        two = st.tuples(st.sampled_from(binary), inner, inner).map(lambda t: lambda *a: t[0](t[1](*a), t[2](*a)))
        return two | st.tuples(st.sampled_from(unary), inner).map(lambda t: lambda *a: t[0](t[1](*a)))

    return st.recursive(leaves, grown, max_leaves=8)


@tries(150)
@given(trees())
def test_what_is_printed_has_the_value_that_is_computed(rule):
    with np.errstate(all="ignore"):
        value = rule(*(np.float64(number) for number in POINT.values()))
    text = show(rule(*map(Symbol, POINT)), NAMES)
    try:
        read = eval(text.translate(PYTHON), {**FUNCTIONS, **POINT})
    except (ArithmeticError, ValueError, TypeError):  # Python makes powers of negative numbers complex
        return
    if isinstance(read, complex) or not np.isfinite([read, value]).all():
        return
    assert read == pytest.approx(value, rel=1e-9, abs=1e-9), text


@tries(100)
@given(trees())
def test_the_form_for_floats_has_the_value_that_is_computed(rule):
    with np.errstate(all="ignore"):
        value = rule(*(np.float64(number) for number in POINT.values()))
    text = source(rule(*map(Symbol, POINT)))
    assert text is not None
    try:
        got = eval(text, PYTHON_NAMES | POINT)
    except (ArithmeticError, ValueError):
        return
    np.testing.assert_allclose(got, value, rtol=1e-9)


@pytest.mark.parametrize(
    ("rule", "text", "latex"),
    [
        (lambda a, b: a - (b - a), "a − (b − a)", r"a - \left(b - a\right)"),
        (lambda a, b: a - b - a, "a − b − a", "a - b - a"),
        (lambda a, b: a * (a + b), "a · (a + b)", r"a \cdot \left(a + b\right)"),
        (lambda a, b: a / (a * b), "a / (a · b)", r"\frac{a}{a \cdot b}"),
        (lambda a, b: -(a / b**2.0), "−a / b^2", r"-\frac{a}{b^{2}}"),
        (lambda a, b: (-a) ** 2.0, "(−a)^2", r"\left(-a\right)^{2}"),
        (lambda a, b: a ** (b - 1.0), "a^(b − 1)", "a^{b - 1}"),
        (lambda a, b: np.exp(a + b), "exp(a + b)", "e^{a + b}"),
        (lambda a, b: np.exp(a) ** 2.0, "(exp(a))^2", r"\left(e^{a}\right)^{2}"),
        (lambda a, b: 1.0 * a, "a", "a"),
        (lambda a, b: a**1.0, "a", "a"),
        (lambda a, b: a ** (Symbol(3.0) - 1.0), "a^2", "a^{2}"),
        (lambda a, b: a - Symbol(-3.0), "a − (−3)", r"a - \left(-3\right)"),
        (lambda a, b: np.where(a > 0.0, 1.0, b), "(1 if a > 0, else b)",
         r"\begin{cases} 1 & a > 0 \\ b & \text{otherwise} \end{cases}"),
        (lambda a, b: a @ b.T, "a bᵀ", r"a \, b^{\top}"),
    ],
)  # fmt: skip
def test_parentheses_stand_where_they_are_needed(rule, text, latex):
    symbol = rule(Symbol("a"), Symbol("b"))
    assert (show(symbol, {}), show(symbol, {}, latex=True)) == (text, latex)


def test_a_name_that_stands_for_a_negative_number_is_parenthesised_like_one():
    product = Symbol("a") * Symbol("b")
    assert show(product, {"a": Written("w0"), "b": Written("−3", SUM)}) == "w0 · (−3)"
    assert show(product, {"a": Written("2", ATOM), "b": Written("x^2", POWER)}) == "2 · x^2"


def test_a_rule_with_options_or_methods_says_how_to_write_it():
    with pytest.raises(TypeError, match=r"a rule may call np\.add plainly, not with reduce"):
        np.add.reduce(Symbol("x"))
    with pytest.raises(TypeError, match=r"a rule that calls np\.sum with options needs its own `shown` form"):
        np.sum(Symbol("x"), axis=0)


def test_a_rule_without_a_form_for_floats_has_none():
    x = Symbol("x")
    assert source(np.nextafter(x, x)) is None
    assert source(x @ x) is None


def test_an_operation_without_notation_is_written_as_a_call():
    assert show(apply("frobnicate", Symbol("x"), 2.0), {}) == "frobnicate(x, 2)"


def test_every_notation_is_known_under_numpys_own_name():
    from cadena.core.ops.expression import NOTATIONS

    ufuncs = [primitive for primitive in REGISTRY.values() if isinstance(primitive.value, np.ufunc)]
    assert len(ufuncs) > 10
    assert all(NOTATIONS[primitive.value.__name__] is primitive.notation for primitive in ufuncs)
