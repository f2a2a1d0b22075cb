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


CLOSED = {  # an operation with operands where nothing passes to the first one
    "relu": (-1.0,),
    "relu6": (7.0,),
    "hardtanh": (2.0,),
    "clip": (7.0,),
    "maximum": (-1.0, 0.0),
    "minimum": (1.0, 0.0),
    "fmax": (-1.0, 0.0),
    "fmin": (1.0, 0.0),
    "floor": (1.5,),
    "ceil": (1.5,),
    "trunc": (1.5,),
    "round": (1.5,),
    "sign": (1.5,),
    "floor_divide": (7.0, 2.0),
}
EVERY_PASS = {"floats": 1, "levels": 200}  # how often a graph of numbers repeats the operation


@np.errstate(all="ignore")
@pytest.mark.parametrize("upstream", [math.nan, math.inf, -1.0])
@pytest.mark.parametrize("op", CLOSED)
def test_a_closed_gate_made_nan_of_an_upstream_gradient_of_nan(op: str, upstream: float) -> None:
    record, operands = REGISTRY[op], [np.array([number, number]) for number in CLOSED[op]]
    attributes = record.complete({"min": 0.0, "max": 5.0} if op == "clip" else {})
    y = record.value(*operands, **attributes)
    carried = record.vjp(0, np.full(2, upstream), y, operands, attributes)
    pushed = record.jvp(0, np.full(2, upstream), y, operands, attributes)
    assert [*map(str, carried), *map(str, pushed)] == ["0.0"] * 4  # 0, not -0 either, as in PyTorch


@pytest.mark.parametrize("count", EVERY_PASS.values(), ids=EVERY_PASS)
def test_every_pass_stops_nan_at_a_relu_that_is_off(count: int) -> None:
    units = [f"x{i} = {-1.0 if i % 2 else 2.0}; r{i} = relu(x{i}); y{i} = r{i} * k" for i in range(count + 1)]
    total = " + ".join(f"y{i}" for i in range(count + 1))
    document = cadena.parse("; ".join(["k = 1.0", *units, f"L = {total}"]))
    run = cadena.compile(document, output="L").run({"k": math.nan})
    assert math.isnan(float(run.gradient("x0")))
    assert float(run.gradient("x1")) == 0.0


@pytest.mark.parametrize("count", EVERY_PASS.values(), ids=EVERY_PASS)
@pytest.mark.parametrize("op", ["abs(x)", "relu(x)", "maximum(x, 0)", "clip(x, min=0)"])
def test_a_mask_that_left_out_a_nan_got_a_nan_back(op: str, count: int) -> None:
    of = op.replace("(x", "(x{i}")
    lines = [f"x{i} = 2.0; y{i} = {of.format(i=i)}" for i in range(count)]
    masked = [f"m{i} = where(x{i} > 0, y{i}, 0)" for i in range(count)]
    document = cadena.parse("; ".join([*lines, *masked, "L = " + " + ".join(f"m{i}" for i in range(count))]))
    run = cadena.compile(document, output="L").run({"x0": math.nan})
    assert float(run.gradient("x0")) == 0.0
