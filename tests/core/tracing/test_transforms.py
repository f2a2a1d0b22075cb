"""What derivatives come as, and what is said about arguments that do not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cadena
from cadena.core.graph.fault import Refused
from cadena.core.tracing.trace import trace
from cadena.core.tracing.transforms import grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp


@pytest.mark.parametrize(
    "made",
    [
        lambda: trace(np.sin, 2.0).value,
        lambda: trace(np.sin, 2.0).jvp(1.0),
        lambda: trace(np.sin, 2.0).vjp(1.0)[0],
        lambda: trace(lambda x: 3.0, 2.0).jvp(1.0),
        lambda: jvp(lambda x: (3.0, x), (2.0,), (1.0,))[1][0],
        lambda: grad(lambda x: x**3)(2.0),
        lambda: value_and_grad(lambda x: x @ x)(np.ones(2))[0],
        lambda: jacobian(lambda x: x**3)(2.0),
        lambda: hessian(lambda x: x**3)(2.0),
        lambda: hessian(lambda x, y: x * y, (0, 1))(2.0, 3.0)[0][1],
        lambda: hvp(lambda x, y: x * x * y, (2.0, 3.0), (1.0, 0.0))[1],
        lambda: vjp(lambda x, y: x, 2.0, 3.0)[1](1.0)[1],
        lambda: jacobian(hessian(lambda x: x**4))(2.0),
    ],
)
def test_some_numbers_came_as_arrays_without_axes(made: Any) -> None:
    assert isinstance(made(), np.floating)


@pytest.mark.parametrize("odd", [{"w": 1.0}, "a", None, 1j, object()])
@pytest.mark.parametrize("transform", [grad, jacobian, hessian, value_and_grad])
def test_an_argument_that_is_no_number_is_named_by_its_type_with_what_to_do(transform: Any, odd: Any) -> None:
    with pytest.raises(cadena.Refused, match=f"not {type(odd).__name__}; give each array as an argument of its own"):
        transform(np.sum)(odd)


def test_arguments_that_all_have_names_are_said_not_to_count() -> None:
    with pytest.raises(TypeError, match="0 are given; count them from 0, without those given by name"):
        grad(lambda a, b: a * b)(a=2.0, b=3.0)


def test_a_list_of_one_result_is_no_number() -> None:
    with pytest.raises(TypeError, match="a single number, not a tuple of 1; sum it"):
        grad(lambda x: [x])(2.0)


def test_second_derivatives_through_a_corner_are_refused_where_they_were_0_without_a_word():
    at = np.zeros(2)
    squares = {
        "norm": lambda x: np.linalg.norm(x) ** 2,
        "std": lambda x: np.std(x) ** 2,
        "abs": lambda x: np.sum(np.abs(x) ** 2),
    }
    for name, f in squares.items():
        for second in (
            lambda f: hessian(f)(at),
            lambda f: jacobian(grad(f))(at),
            lambda f: hvp(f, (at,), (np.ones(2),)),
            lambda f: vjp(grad(f), at)[1](np.ones(2)),
            lambda f: jacobian(jacobian(f))(at),
        ):
            with pytest.raises(Refused, match=f"a second derivative through {name} at 0"):
                second(f)
        assert grad(f)(at).tolist() == [0.0, 0.0]
        assert np.all(np.isfinite(hessian(f)(np.array([0.5, 2.0]))))
    assert hessian(lambda x: x @ x)(at).tolist() == [[2.0, 0.0], [0.0, 2.0]]


def test_the_derivative_of_the_rule_of_norm_at_0_is_nan_rather_than_a_wrong_0():
    document = trace(lambda x: np.sum(grad(lambda x: np.linalg.norm(x) ** 2)(x)), np.zeros(2)).document
    assert np.isnan(cadena.compile(document).run().gradient("x")).all()
