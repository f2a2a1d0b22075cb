"""Elementwise rules at points where a plausible formula is wrong."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import cadena
from cadena.core.ops.primitive import REGISTRY


@np.errstate(all="ignore")
def value_and_slopes(op: str, *numbers: float) -> tuple[float, list[float]]:
    record, operands = REGISTRY[op], [np.array(number) for number in numbers]
    y = np.asarray(record.value(*operands))
    return float(y), [float(record.vjp(slot, np.ones_like(y), y, operands, {})) for slot in range(len(operands))]


@pytest.mark.parametrize("op", ["logaddexp", "logaddexp2"])
def test_equal_huge_operands_share_the_gradient_of_a_logarithmic_sum(op: str) -> None:
    assert value_and_slopes(op, 1e160, 1e160)[1] == [0.5, 0.5]


@pytest.mark.parametrize("op", ["logaddexp", "logaddexp2"])
def test_the_infinite_operand_gets_the_gradient_of_a_logarithmic_sum(op: str) -> None:
    assert value_and_slopes(op, math.inf, 3.0) == (math.inf, [1.0, 0.0])


@pytest.mark.parametrize(
    ("op", "a", "b", "slope"),
    [
        ("remainder", 1.0, 0.1, -9.0),
        ("remainder", 1.0, -math.inf, 1.0),
        ("fmod", 1.0, 0.1, -9.0),
        ("fmod", -1.0, 0.1, 9.0),
        ("fmod", 7.0, math.inf, 0.0),
    ],
)
def test_the_slope_of_a_remainder_is_how_often_the_denominator_was_taken(
    op: str, a: float, b: float, slope: Any
) -> None:
    y, slopes = value_and_slopes(op, a, b)
    assert slopes == [1.0, slope]
    assert y == pytest.approx(a + slope * b) or math.isinf(b)


@pytest.mark.parametrize("x", [5e-324, 1e-310, -1e-310, 1e-301, 1e-299])
def test_gammaln_next_to_zero_is_minus_the_logarithm(x: float) -> None:
    assert value_and_slopes("gammaln", x)[0] == pytest.approx(math.lgamma(x), rel=1e-15)


def test_gammaln_is_infinite_at_both_ends() -> None:
    assert [value_and_slopes("gammaln", x)[0] for x in (math.inf, -math.inf)] == [math.inf, math.inf]


@pytest.mark.parametrize(
    ("formula", "second"),
    [
        ("softplus(x)", 0.25),
        ("logsigmoid(x)", -0.25),
        ("silu(x)", 0.5),
        ("binary_cross_entropy_with_logits(x, 1)", 0.25),
    ],
)
def test_the_sigmoid_within_a_slope_bends_at_zero_too(formula: str, second: float) -> None:
    function = cadena.as_function(cadena.parse(f"x = 0.0; L = {formula}"))
    assert cadena.hessian(function)(np.float64(0.0)) == second
