"""Python's numbers, lists and numpy's scalars as operands beside a traced one, in every function of numpy.

They have no shape and no dtype of their own; the derivatives must be those with an array in their place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from cadena.core.tracing.trace import trace
from cadena.core.tracing.traced import is_traced
from cadena.core.tracing.transforms import grad, jvp
from tests import thorough
from tests.core.tracing.test_numpy import (
    MATRIX,
    NUMBER,
    VECTOR,
    assert_helpful,
    functions,
    initial,
    is_without_gradient,
    quietly,
)
from tests.thorough import in_turn

Form = Callable[[Any, Any], tuple[Any, ...]]
PLAIN = (2.0, 2, True, [2.0], np.float64(2.0), np.float32(2.0), np.int64(2), np.bool_(True))
FORMS: list[Form] = [
    lambda x, k: (x, k),
    lambda x, k: (k, x),
    lambda x, k: (x, k, k),
    lambda x, k: (k, x, k),
    lambda x, k: (k, k, x),
    lambda x, k: ([x, k],),
    lambda x, k: ([k, x],),
]
OWN_FORMS: dict[str, list[Form]] = {
    "average": [lambda x, k: (x, None, k * np.ones(np.shape(x)))],
    "einsum": [lambda x, k: ("...,->...", x, k), lambda x, k: (",...->...", k, x), lambda x, k: (x, [...], k, [])],
    "interp": [lambda x, k: (x, [0.0, 3.0], [k, 1.0]), lambda x, k: (0.3, [0.0, 3.0], [k, np.sum(x)])],
    "select": [lambda x, k: ([np.asarray(x) > 0.3], [k], x), lambda x, k: ([np.full(np.shape(x), True)], [x], k)],
    "tensordot": [lambda x, k: (x, k, 0), lambda x, k: (k, x, 0)],
    "trapezoid": [lambda x, k: (x, None, k), lambda x, k: (x, np.arange(np.shape(x)[-1]) * k)],
    "where": [lambda x, k: (np.ones(np.shape(x)) > 0, x, k), lambda x, k: (np.zeros(np.shape(x)) > 0, k, x)],
}
# The functions that take plain operands beside a traced one: none may drop out of the comparison.
COMPARED = frozenset(
    """
    add append arctan2 average clip column_stack convolve copysign corrcoef cov divide dot dstack ediff1d
    einsum extract float_power floor_divide fmax fmin fmod heaviside hstack hypot inner interp kron linspace
    logaddexp logaddexp2 logspace maximum minimum multi_dot multiply outer percentile polyval power
    real_if_close remainder row_stack select stack subtract tensordot trapezoid vdot vstack where
    """.split()
)
# Namesakes that want vectors, or axes by keyword only, where the forms below give a number or a place.
STRICTER = (np.linalg.outer, np.linalg.tensordot)
# What reads a plain operand as a setting (an axis, a count): there it is not the same as an array.
SETTINGS = frozenset("cond expand_dims gradient insert ldexp norm".split())


def calls(function: Any) -> Iterator[tuple[Form, Any]]:
    """The forms that numpy can call with floats, each at the first point that it takes."""
    for form in OWN_FORMS.get(getattr(function, "__name__", ""), FORMS):
        for point in map(unwritable, (VECTOR, NUMBER, MATRIX)):
            try:
                result = quietly(function, form(point, 2.0))
            except Exception:  # numpy says no in many ways; then this form is none for the function
                continue
            if isinstance(result, np.ndarray | np.generic) and result.dtype.kind == "f":
                yield form, point
                break


def unwritable(point: Any) -> Any:
    """A copy that no function can take as its out=."""
    copied = np.array(point)
    copied.flags.writeable = False
    return copied if copied.ndim else point


def total(function: Any, form: Form, plain: Any) -> Callable[[Any], Any]:
    """One number that depends on every element of the result, and not in a straight line."""
    return lambda x: np.sum(np.sin(function(*form(x, plain)) + 0.3))


def slopes(of: Callable[[Any], Any], at: Any) -> list[Any]:
    """First and second derivatives of a number at `at`, in each order of the modes, along one direction."""
    along = np.cos(np.arange(np.size(at), dtype=np.asarray(at).dtype)).reshape(np.shape(at))[()]

    def forward(of: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda x: jvp(of, (x,), (along,))[1]

    def reverse(of: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda x: np.sum(grad(of)(x) * along)

    first = [mode(of)(at) for mode in (forward, reverse)]
    return first + [outer(inner(of))(at) for outer in (forward, reverse) for inner in (forward, reverse)]


@pytest.mark.filterwarnings("ignore")  # numpy warns of what it deprecates
@in_turn("function", functions(), kind=initial)
def test_second_derivatives_through_dot_inner_kron_and_tensordot_with_a_python_float(function: Any) -> None:
    """... were an AttributeError; so here are all functions, with every kind of plain operand."""
    if is_without_gradient(function) or function.__name__ in SETTINGS:
        return
    compared = 0
    for number, (form, point) in enumerate(calls(function)):
        try:
            if not is_traced(quietly(function, form(trace(lambda x: x, point).outputs[0], 2.0))):
                continue
        except (TypeError, ValueError):
            continue  # refused with advice, as test_numpy tests
        operands = Random(f"{function.__name__} {number}").sample(PLAIN, len(PLAIN))
        compared += (sum if thorough.everything else any)(same(function, form, plain, point) for plain in operands)
    assert (compared > 0) is (function.__name__ in COMPARED and function not in STRICTER)


def same(function: Any, form: Form, plain: Any, point: Any) -> bool:
    """Whether `plain` is an operand here; if so, derivatives are those with a float, and a float32 stays one."""
    try:
        expected = quietly(function, form(point, plain))
    except Exception:  # no operand for this function, such as a list where one number is wanted
        return False
    with np.errstate(all="ignore"):
        try:
            found = trace(lambda x: function(*form(x, plain)), point).value
        except (TypeError, ValueError) as error:  # such as a truth value for a quantile
            assert_helpful(error)
            return False
        tolerance = 1e-12 if expected.dtype == np.float64 else 1e-6
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)
        as_array = np.asarray(plain, dtype=np.float64)
        wanted = slopes(total(function, form, as_array), point)
        given = slopes(total(function, form, plain), point)
        single = grad(total(function, form, plain))(np.asarray(point, np.float32)[()])
    np.testing.assert_allclose(given, wanted, rtol=1e-9, atol=1e-12, err_msg=f"{function} with {plain!r}")
    np.testing.assert_allclose([given[1], *given[3:]], [given[0]] + 3 * [given[2]], rtol=1e-8, atol=1e-10)
    assert single.dtype == np.float32
    return True
