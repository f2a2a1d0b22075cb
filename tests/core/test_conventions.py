"""Gradients at the awkward points: kinks, poles, ties, overflow, nan, nothing at all.

Where PyTorch, JAX and HIPS autograd agree, Cadena returns what they return, even where all three are wrong (the
diagnosis says why). Where they differ, PyTorch's choice holds, except that a nan operand makes a nan gradient wherever
the value is nan. Numbers are what PyTorch 2.13 gives, unless said.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cadena.core.front import compile
from tests.core.graphs import graph

nan, inf = np.nan, np.inf


def constant(value: Any) -> tuple[str, Any]:
    return "constant", value


ONE_OVER_EXP = {"one": constant(1.0), "e": ("exp", "x"), "y": ("divide", "one", "e")}
ONE_OVER_ONE_PLUS_EXP = {
    "one": constant(1.0),
    "e": ("exp", "x"),
    "s": ("add", "one", "e"),
    "y": ("divide", "one", "s"),
}
LOG_ONE_PLUS_EXP = {"one": constant(1.0), "e": ("exp", "x"), "s": ("add", "one", "e"), "y": ("log", "s")}
EXP_OVER_ONE_PLUS_EXP = {"one": constant(1.0), "e": ("exp", "x"), "s": ("add", "one", "e"), "y": ("divide", "e", "s")}

# what it is: (nodes; the last is the output, value, gradients by name)
CASES: dict[str, tuple[dict[str, Any], Any, dict[str, Any]]] = {
    # kinks and ties
    "relu at 0": ({"x": [-1.0, 0.0, 1.0], "y": ("relu", "x")}, [0, 0, 1], {"x": [0, 0, 1]}),
    "relu at nan": ({"x": [nan], "y": ("relu", "x")}, [nan], {"x": [nan]}),
    "abs at 0": ({"x": [-2.0, 0.0, -0.0, 3.0], "y": ("abs", "x")}, [2, 0, 0, 3], {"x": [-1, 0, 0, 1]}),
    "maximum(x, 0) at 0": (
        {"x": [-1.0, 0.0, 1.0], "k": constant(0.0), "y": ("maximum", "x", "k")},
        [0, 0, 1],
        {"x": [0, 0.5, 1]},
    ),
    "maximum shares a tie": (
        {"x": [1.0, 2.0, 0.0], "z": [1.0, 3.0, 0.0], "y": ("maximum", "x", "z")},
        [1, 3, 0],
        {"x": [0.5, 0, 0.5], "z": [0.5, 1, 0.5]},
    ),
    "maximum with nan": ({"x": [nan], "z": [1.0], "y": ("maximum", "x", "z")}, [nan], {"x": [nan], "z": [nan]}),
    "relu squared at 0": ({"x": [0.0], "r": ("relu", "x"), "y": ("multiply", "r", "r")}, [0], {"x": [0]}),
    "x |x| at 0": ({"x": 0.0, "a": ("abs", "x"), "y": ("multiply", "x", "a")}, 0, {"x": 0}),
    # roots and powers
    "sqrt at 0 and below": ({"x": [0.0, -1.0], "y": ("sqrt", "x")}, [0, nan], {"x": [inf, nan]}),
    "sqrt(x x) at 0": ({"x": [0.0], "s": ("multiply", "x", "x"), "y": ("sqrt", "s")}, [0], {"x": [nan]}),
    "sqrt(sum(x^2)) at 0": (
        {"x": [0.0, 0.0], "k": constant(2.0), "s": ("power", "x", "k"), "t": ("sum", "s"), "y": ("sqrt", "t")},
        0,
        {"x": [nan, nan]},
    ),
    "pow(0, 0)": ({"x": [0.0], "p": [0.0], "y": ("power", "x", "p")}, [1], {"x": [0], "p": [0]}),
    "pow(0, 1)": ({"x": [0.0], "p": [1.0], "y": ("power", "x", "p")}, [0], {"x": [1], "p": [0]}),
    "pow(0, 2)": ({"x": [0.0], "p": [2.0], "y": ("power", "x", "p")}, [0], {"x": [0], "p": [0]}),
    "pow(0, 1/2)": ({"x": [0.0], "p": [0.5], "y": ("power", "x", "p")}, [0], {"x": [inf], "p": [0]}),
    "pow(0, -1)": ({"x": [0.0], "p": [-1.0], "y": ("power", "x", "p")}, [inf], {"x": [-inf], "p": [-inf]}),
    "x^0": ({"x": [0.0, 2.0], "k": constant(0.0), "y": ("power", "x", "k")}, [1, 1], {"x": [0, 0]}),
    "x^1 at 0": ({"x": [0.0], "k": constant(1.0), "y": ("power", "x", "k")}, [0], {"x": [1]}),
    "x^2": ({"x": [0.0, -3.0], "k": constant(2.0), "y": ("power", "x", "k")}, [0, 9], {"x": [0, -6]}),
    "x^3 of a negative base": ({"x": [-2.0], "k": constant(3.0), "y": ("power", "x", "k")}, [-8], {"x": [12]}),
    "pow(-2, 3), both wanted": ({"x": [-2.0], "p": [3.0], "y": ("power", "x", "p")}, [-8], {"x": [12], "p": [nan]}),
    "x^(1/2) of a negative base": ({"x": [-1.0], "k": constant(0.5), "y": ("power", "x", "k")}, [nan], {"x": [nan]}),
    "0^x": ({"x": [0.0, 1.0], "k": constant(0.0), "y": ("power", "k", "x")}, [1, 0], {"x": [0, 0]}),
    # logarithms and quotients
    "log at 0 and -1": ({"x": [0.0, -1.0], "y": ("log", "x")}, [-inf, nan], {"x": [inf, -1]}),
    "x log(x) at 0": ({"x": [0.0], "l": ("log", "x"), "y": ("multiply", "x", "l")}, [nan], {"x": [nan]}),
    "1 / x at 0": ({"x": [0.0], "k": constant(1.0), "y": ("divide", "k", "x")}, [inf], {"x": [-inf]}),
    "x / x at 0": ({"x": [0.0], "y": ("divide", "x", "x")}, [nan], {"x": [nan]}),
    "x / z at (0, 0)": ({"x": [0.0], "z": [0.0], "y": ("divide", "x", "z")}, [nan], {"x": [inf], "z": [nan]}),
    "0 (1 / x) at 0": (
        {"x": [0.0], "k": constant(1.0), "q": ("divide", "k", "x"), "n": constant(0.0), "y": ("multiply", "n", "q")},
        [nan],
        {"x": [nan]},
    ),
    "inf times 0": ({"x": [inf], "z": [0.0], "y": ("multiply", "x", "z")}, [nan], {"x": [0], "z": [inf]}),
    # reductions, broadcasting, indexing
    "mean of nothing": ({"x": np.zeros(0), "y": ("mean", "x")}, nan, {"x": np.zeros(0)}),
    "sum of nothing": ({"x": np.zeros(0), "y": ("sum", "x")}, 0, {"x": np.zeros(0)}),
    "exp of shape (0, 3)": ({"x": np.zeros((0, 3)), "y": ("exp", "x")}, np.zeros((0, 3)), {"x": np.zeros((0, 3))}),
    "matmul (2, 0) (0, 3)": (
        {"x": np.zeros((2, 0)), "z": np.zeros((0, 3)), "y": ("matmul", "x", "z")},
        np.zeros((2, 3)),
        {"x": np.zeros((2, 0)), "z": np.zeros((0, 3))},
    ),
    "mean over an axis of (3, 1) times (4,)": (
        {
            "x": [[0.0], [1.0], [2.0]],
            "z": [0.0, 2.0, 4.0, 6.0],
            "p": ("multiply", "x", "z"),
            "y": ("mean", "p", {"axis": 0}),
        },
        [0, 2, 4, 6],
        {"x": [[4], [4], [4]], "z": [1, 1, 1, 1]},
    ),
    "(1, 3) plus (2, 1)": (
        {"x": [[0.0, 1.0, 2.0]], "z": [[0.0], [1.0]], "s": ("add", "x", "z"), "y": ("multiply", "s", "s")},
        [[0, 1, 4], [1, 4, 9]],
        {"x": [[2, 6, 10]], "z": [[6], [12]]},
    ),
    "a number times (3,)": (
        {"x": 2.0, "z": [0.0, 1.0, 2.0], "y": ("multiply", "x", "z")},
        [0, 2, 4],
        {"x": 3, "z": [2, 2, 2]},
    ),
    "an index taken twice": (
        {"x": [5.0, 6.0], "y": ("getitem", "x", {"index": "[0, 0, 1]"})},
        [5, 5, 6],
        {"x": [2, 1]},
    ),
    "a mask": (
        {"x": [1.0, 2.0, 3.0], "y": ("getitem", "x", {"index": "[False, True, True]"})},
        [2, 3],
        {"x": [0, 1, 1]},
    ),
    "transposed, reversed, every second": (
        {
            "x": [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]],
            "t": ("transpose", "x"),
            "i": ("getitem", "t", {"index": "::-1, ::2"}),
            "y": ("multiply", "i", "i"),
        },
        [[1, 25], [0, 16]],
        {"x": [[0, 2], [0, 0], [8, 10]]},
    ),
    "sine of a number": ({"x": 1.0, "y": ("sin", "x")}, 0.8414709848078965, {"x": 0.5403023058681398}),
}

SINGLE: dict[str, tuple[dict[str, Any], Any, dict[str, Any]]] = {
    "1 / exp(x) at 100": ({"x": [100.0]} | ONE_OVER_EXP, [0], {"x": [nan]}),
    "1 / (1 + exp(x)) at 100": ({"x": [100.0]} | ONE_OVER_ONE_PLUS_EXP, [0], {"x": [nan]}),
    "1 / (1 + exp(x)) at 1000": ({"x": [1000.0]} | ONE_OVER_ONE_PLUS_EXP, [0], {"x": [nan]}),
    "log(1 + exp(x)) at 100": ({"x": [100.0]} | LOG_ONE_PLUS_EXP, [inf], {"x": [nan]}),
    "exp(x) / (1 + exp(x)) at 100": ({"x": [100.0]} | EXP_OVER_ONE_PLUS_EXP, [nan], {"x": [nan]}),
    "sigmoid far out": ({"x": [-1000.0, 1000.0], "y": ("sigmoid", "x")}, [0, 1], {"x": [0, 0]}),
    "tanh far out": ({"x": [-1000.0, 1000.0], "y": ("tanh", "x")}, [-1, 1], {"x": [0, 0]}),
}

DOUBLE: dict[str, tuple[dict[str, Any], Any, dict[str, Any]]] = {
    "1 / exp(x) at 100": ({"x": [100.0]} | ONE_OVER_EXP, [3.720075976e-44], {"x": [-3.720075976e-44]}),
    "1 / (1 + exp(x)) at 100": (
        {"x": [100.0]} | ONE_OVER_ONE_PLUS_EXP,
        [3.720075976e-44],
        {"x": [-3.720075976e-44]},
    ),
    "1 / (1 + exp(x)) at 1000": ({"x": [1000.0]} | ONE_OVER_ONE_PLUS_EXP, [0], {"x": [nan]}),
    "log(1 + exp(x)) at 100": ({"x": [100.0]} | LOG_ONE_PLUS_EXP, [100], {"x": [1]}),
    "exp(x) / (1 + exp(x)) at 100": ({"x": [100.0]} | EXP_OVER_ONE_PLUS_EXP, [1], {"x": [0]}),
    "sigmoid far out": SINGLE["sigmoid far out"],
    "tanh far out": SINGLE["tanh far out"],
}


def check(case: tuple[dict[str, Any], Any, dict[str, Any]], dtype: str, tolerance: float) -> None:
    nodes, value, gradients = case
    run = compile(graph(**nodes)).run(dtype=dtype)  # the seed is 1 for each element
    np.testing.assert_allclose(run.value("y"), value, rtol=tolerance)
    assert run.value("y").dtype == dtype
    for name, expected in gradients.items():
        np.testing.assert_allclose(run.gradient(name), expected, rtol=tolerance, err_msg=f"gradient of {name}")
        assert run.gradient(name).dtype == dtype and run.gradient(name).shape == np.shape(expected)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_values_and_gradients_at_awkward_points(case, dtype):
    check(case, dtype, {"float64": 1e-12, "float32": 1e-6, "float16": 2e-3}[dtype])


@pytest.mark.parametrize("case", SINGLE.values(), ids=SINGLE)
def test_overflow_in_float32(case):
    check(case, "float32", 1e-6)


@pytest.mark.parametrize("case", DOUBLE.values(), ids=DOUBLE)
def test_the_same_points_in_float64(case):
    check(case, "float64", 1e-9)


@pytest.mark.parametrize("case", [case for case in CASES.values() if np.shape(case[1]) == (1,)])
def test_a_single_number_is_treated_like_an_array_of_one(case):
    """The pass over Python floats must know the conventions too."""
    nodes, value, gradients = case
    unpacked = {name: item[0] if isinstance(item, list) else item for name, item in nodes.items()}
    check((unpacked, value[0], {name: item[0] for name, item in gradients.items()}), "float64", 1e-12)


MATMULS = [(3,), (2, 3), (5, 2, 3), (4, 1, 2, 3)], [(3,), (3, 2), (5, 3, 2)]


@pytest.mark.parametrize("right", MATMULS[1])
@pytest.mark.parametrize("left", MATMULS[0])
def test_matmul_of_vectors_matrices_and_batches_sums_over_what_was_broadcast(left, right):
    """For a seed of ones dA[.., i, k] is the sum of B[.., k, :] over the batches that share A; dB alike."""
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal(left), rng.standard_normal(right)
    run = compile(graph(a=a, b=b, y=("matmul", "a", "b"))).run()
    np.testing.assert_allclose(run.value("y"), a @ b)
    batch = np.broadcast_shapes(left[:-2], right[:-2])
    rows, columns = left[-2:-1] or (1,), right[-1:] if len(right) > 1 else (1,)
    sums_b = np.broadcast_to(b if len(right) == 1 else b.sum(-1), (*batch, 3))
    sums_a = np.broadcast_to(a if len(left) == 1 else a.sum(-2), (*batch, 3))
    da = np.broadcast_to(sums_b[..., None, :], (*batch, *rows, 3))
    db = np.broadcast_to(sums_a[..., :, None], (*batch, 3, *columns))
    np.testing.assert_allclose(run.gradient("a"), summed_to(da, left, vector=len(left) == 1, axis=-2))
    np.testing.assert_allclose(run.gradient("b"), summed_to(db, right, vector=len(right) == 1, axis=-1))


def summed_to(full: np.ndarray, shape: tuple[int, ...], vector: bool, axis: int) -> np.ndarray:
    """`full` without the axis that a vector has not, summed over the batches along which the operand was repeated."""
    full = full.squeeze(axis) if vector else full
    while full.ndim > len(shape):
        full = full.sum(0)
    repeated = tuple(i for i, size in enumerate(shape) if size == 1 and full.shape[i] != 1)
    return full.sum(repeated, keepdims=True)
