"""Reductions: their edge points, what does not fit, and attributes."""

from typing import Any

import numpy as np
import pytest

import cadena
from cadena.core.ops.primitive import REGISTRY, ShapeError
from tests.core.graphs import graph

INF, NAN = np.inf, np.nan
THIRD = 1.0 / 3.0

# Operation, operand, attributes, value, gradient of the sum of the value.
EDGES = [
    ("max", [1.0, 3.0, 3.0, 2.0], {}, 3.0, [0.0, 0.5, 0.5, 0.0]),
    ("max", [[3.0, 3.0, 1.0], [0.0, 0.0, 0.0]], {"axis": 1}, [3.0, 0.0], [[0.5, 0.5, 0.0], [THIRD] * 3]),
    ("max", [1.0, NAN, 2.0], {}, NAN, [NAN, NAN, NAN]),
    ("max", [[1.0, NAN], [1.0, 2.0]], {"axis": 1}, [NAN, 2.0], [[NAN, NAN], [0.0, 1.0]]),
    ("max", [INF, 1.0, INF], {}, INF, [0.5, 0.0, 0.5]),
    ("min", [1.0, 1.0, 2.0], {}, 1.0, [0.5, 0.5, 0.0]),
    ("median", [1.0, 2.0, 3.0, 4.0], {}, 2.5, [0.0, 0.5, 0.5, 0.0]),
    ("median", [2.0, 1.0, 2.0], {}, 2.0, [1.0, 0.0, 0.0]),
    ("median", [2.0, NAN, 1.0], {}, NAN, [NAN, NAN, NAN]),
    ("prod", [2.0, 0.0, 3.0], {}, 0.0, [0.0, 6.0, 0.0]),
    ("prod", [0.0, 0.0, 3.0], {}, 0.0, [0.0, 0.0, 0.0]),
    ("prod", [[2.0, 0.0, 3.0]], {"axis": 1}, [0.0], [[0.0, 6.0, 0.0]]),
    ("prod", [1e-200, 1e-200], {}, 0.0, [1e-200, 1e-200]),
    ("prod", [1e200, 1e200, 0.0], {}, NAN, [0.0, 0.0, INF]),
    ("prod", np.zeros(0), {}, 1.0, np.zeros(0)),
    ("prod", np.zeros((2, 0)), {"axis": 1}, [1.0, 1.0], np.zeros((2, 0))),
    ("cumprod", [2.0, 0.0, 4.0], {}, [2.0, 0.0, 0.0], [1.0, 10.0, 0.0]),
    ("cumprod", [1e-200, 1e-200], {}, [1e-200, 0.0], [1.0, 1e-200]),
    ("cumprod", np.zeros(0), {}, np.zeros(0), np.zeros(0)),
    ("cumsum", [1.0, 8.0, 27.0], {}, [1.0, 9.0, 36.0], [3.0, 2.0, 1.0]),
    ("var", [2.0, 2.0, 2.0], {}, 0.0, [0.0, 0.0, 0.0]),
    ("var", [2.0], {"ddof": 1}, NAN, [NAN]),
    ("var", np.zeros(0), {}, NAN, np.zeros(0)),
    ("std", [2.0, 2.0, 2.0], {}, 0.0, [0.0, 0.0, 0.0]),
    ("std", [0.1, 0.1, 0.1], {}, 0.0, [0.0, 0.0, 0.0]),
    ("std", [2.0], {"ddof": 1}, NAN, [NAN]),
    ("mean", np.zeros(0), {}, NAN, np.zeros(0)),
    ("sum", np.zeros(0), {}, 0.0, np.zeros(0)),
    ("norm", [0.0, 0.0], {}, 0.0, [0.0, 0.0]),
    ("norm", [0.0, 0.0], {"ord": 1}, 0.0, [0.0, 0.0]),
    ("norm", [0.0, 0.0], {"ord": 3}, 0.0, [0.0, 0.0]),
    ("norm", [0.0, 0.0], {"ord": "inf"}, 0.0, [0.0, 0.0]),
    ("norm", [3.0, -3.0, 1.0], {"ord": "inf"}, 3.0, [0.5, -0.5, 0.0]),
    ("norm", [3.0, -3.0, 1.0], {"ord": INF}, 3.0, [0.5, -0.5, 0.0]),
    ("norm", [3.0, NAN], {}, NAN, [NAN, NAN]),
    ("norm", [1e200, 0.0], {"ord": 3}, 1e200, [1.0, 0.0]),
    ("norm", np.zeros((2, 0)), {"ord": "inf", "axis": 1}, [0.0, 0.0], np.zeros((2, 0))),
    ("logsumexp", [-INF, -INF], {}, -INF, [NAN, NAN]),
    ("logsumexp", [-INF, 1.0], {}, 1.0, [0.0, 1.0]),
    ("logsumexp", [INF, 1.0], {}, INF, [NAN, 0.0]),
    ("logsumexp", np.zeros(0), {}, -INF, np.zeros(0)),
]


def gradient(op: str, operand: Any, attributes: dict[str, Any], dtype: str = "float64") -> tuple[Any, Any]:
    record, x = REGISTRY[op], np.asarray(operand, dtype=dtype)
    full = record.complete(attributes)
    y = np.asarray(record.value(x, **full))
    return y, record.vjp(0, np.ones(y.shape, dtype=dtype), y, [x], full)


@pytest.mark.parametrize(("op", "operand", "attributes", "value", "expected"), EDGES)
def test_edge_points(op: str, operand: Any, attributes: dict[str, Any], value: Any, expected: Any) -> None:
    with np.errstate(all="ignore"):
        y, found = gradient(op, operand, attributes)
    np.testing.assert_array_equal(y, value)
    np.testing.assert_allclose(found, expected, rtol=1e-15, atol=0.0)


def test_logsumexp_of_large_numbers() -> None:
    y, found = gradient("logsumexp", [1000.0, 1000.0, -1000.0], {})
    assert y == 1000.0 + np.log(2.0)
    np.testing.assert_allclose(found, [0.5, 0.5, 0.0], rtol=1e-12)
    y, found = gradient("logsumexp", [1000.0, 1000.0, -1000.0], {}, "float32")
    np.testing.assert_allclose(found, [0.499985, 0.499985, 0.0], atol=1e-6)  # as PyTorch: exp(1000 - y) in float32


def test_the_deviation_of_a_sample_divides_by_one_less() -> None:
    y, found = gradient("std", [1.0, 2.0, 4.0], {"ddof": 1})
    np.testing.assert_allclose(y, np.std([1.0, 2.0, 4.0], ddof=1), rtol=1e-15)
    np.testing.assert_allclose(found, [-0.436436, -0.109109, 0.545545], atol=1e-6)
    np.testing.assert_allclose(gradient("std", [1.0, 2.0, 4.0], {})[1], [-0.356348, -0.089087, 0.445435], atol=1e-6)


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_variance_of_large_half_numbers_does_not_overflow(dtype: str) -> None:
    y, _ = gradient("var", [-300.0, 300.0, 0.0, 100.0], {"ddof": 1}, "float32")
    assert gradient("var", [-250.0, 250.0], {}, dtype)[0] == 62500.0
    assert np.isfinite(y)


def test_argmax_of_equal_elements_is_the_first() -> None:
    assert REGISTRY["argmax"].value(np.array([1.0, 3.0, 3.0]), axis=None, keepdims=False) == 1.0


def test_argmax_ends_the_way_of_the_gradient() -> None:
    run = cadena.compile(graph(x=[1.0, 3.0, 2.0], i=("argmax", "x"), s=("sum", "x"), y=("multiply", "i", "s"))).run()
    assert run.value("i") == 1.0 and run.gradient("x").tolist() == [1.0, 1.0, 1.0]  # type: ignore[union-attr]


@pytest.mark.parametrize("where_zero", range(5))
def test_running_products_with_a_zero_agree_with_differences(where_zero: int) -> None:
    x = np.array([1.5, -2.0, 0.5, 3.0, -1.0])
    x[where_zero] = 0.0
    weights = np.array([1.0, -2.0, 3.0, 0.5, 4.0])
    record = REGISTRY["cumprod"]
    found = record.vjp(0, weights, np.cumprod(x), [x], {"axis": None})
    steps = [weights @ (np.cumprod(x + e) - np.cumprod(x - e)) / 2e-6 for e in 1e-6 * np.eye(5)]
    np.testing.assert_allclose(found, steps, rtol=1e-8, atol=1e-8)
    pushed = [record.jvp(0, e, np.cumprod(x), [x], {"axis": None}) for e in np.eye(5)]
    np.testing.assert_allclose(np.array(pushed) @ weights, found, rtol=1e-14)


FAULTS = [
    ("max", (0,), {}, "max of no elements"),
    ("median", (2, 0), {"axis": 1}, "median of no elements"),
    ("argmax", (2, 2), {"axis": [0, 1]}, "argmax looks along one axis"),
    ("prod", (2,), {"axis": 1}, "there is no axis 1: shape (2,) has axes 0 to 0"),
    ("prod", (2, 2), {"axis": [0, -2]}, "names the same axis twice"),
    ("cumsum", (2, 2), {"axis": [0]}, "cumsum runs along one axis"),
    ("cumprod", (2, 2), {"axis": 2}, "there is no axis 2"),
    ("var", (2,), {"ddof": "one"}, "a number as its attribute 'ddof'"),
    ("norm", (2,), {"ord": "fro"}, 'the norm "fro" needs two axes'),
    ("norm", (2, 2), {"ord": 1}, "the norm 1 is one of vectors"),
    ("norm", (2,), {"ord": 0}, "the norm 0 is not known"),
    ("norm", (2,), {"ord": "nuc"}, "a number, inf or fro"),
]


@pytest.mark.parametrize(("op", "shape", "attributes", "sentence"), FAULTS)
def test_what_does_not_fit_is_told(op: str, shape: Any, attributes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ShapeError) as caught:
        REGISTRY[op].shape(shape, **REGISTRY[op].complete(attributes))
    assert sentence in str(caught.value)
