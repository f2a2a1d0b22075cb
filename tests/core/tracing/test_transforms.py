"""What derivatives come as, and what is said about arguments that do not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cadena
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
