"""A change of the number type inside a graph: values and gradients have the type of their node, in every pass."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import cadena
from tests.core.graphs import graph

KINDS = ("float16", "float32", "float64")
PAIRS = list(itertools.product(KINDS, KINDS))


def squared(x, kind):
    return graph(x=x, low=("astype", "x", {"dtype": kind}), y=("multiply", "low", "low"), loss=("sum", "y"))


@pytest.mark.parametrize(("dtype", "kind"), PAIRS)
def test_every_node_has_one_type_for_its_value_and_its_gradient(dtype, kind):
    run = cadena.compile(squared([0.1, 0.7], kind)).run(dtype=dtype)
    for name, expected in {"x": dtype, "low": kind, "y": kind, "loss": kind}.items():
        assert run.value(name).dtype == run.gradient(name).dtype == expected
        assert run.seed.dtype == kind
    low = np.array([0.1, 0.7], dtype).astype(kind)
    np.testing.assert_array_equal(run.value("low"), low)
    np.testing.assert_array_equal(run.value("y"), low * low)
    np.testing.assert_array_equal(run.gradient("x"), (low + low).astype(dtype))
    assert run.local("low", 0).dtype == kind


@pytest.mark.parametrize(("dtype", "kind"), PAIRS)
def test_a_given_seed_has_the_type_of_the_output(dtype, kind):
    run = cadena.compile(squared([0.1, 0.7], kind)).run(dtype=dtype, seed=1.0 / 3.0)
    assert run.seed == np.asarray(1.0 / 3.0, kind)
    assert run.gradient("x").dtype == dtype


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_large_graph_of_numbers_runs_as_the_same_graph_of_small_arrays(dtype, kind):
    """The quick passes for single numbers must not run past a change of the type."""

    def nodes(x):
        made = {"x": x, "n0": ("astype", "x", {"dtype": kind})}
        for number in range(1, 200):
            made[f"n{number}"] = ("multiply" if number % 3 else "add", f"n{number - 1}", f"n{number // 2}")
        return graph(**made)

    numbers, arrays = cadena.compile(nodes(0.9)).run(dtype=dtype), cadena.compile(nodes([0.9])).run(dtype=dtype)
    for name in ("x", "n0", "n7", "n199"):
        assert numbers.value(name).dtype == arrays.value(name).dtype
        np.testing.assert_array_equal(numbers.value(name), arrays.value(name)[0])
        assert numbers.gradient(name).dtype == arrays.gradient(name).dtype
        np.testing.assert_array_equal(numbers.gradient(name), arrays.gradient(name)[0])


def test_an_operand_of_two_types_gets_the_sum_in_its_own():
    document = graph(x=0.1, low=("astype", "x", {"dtype": "float16"}), y=("multiply", "low", "x"))
    run = cadena.compile(document).run()
    low = np.float16(0.1)
    assert run.value("y").dtype == np.float64
    assert run.gradient("low").dtype == np.float16
    assert run.gradient("x") == float(low) + float(np.float16(0.1))


def test_traced_code_has_first_and_second_derivatives_through_another_type():
    def f(x):
        return np.sum(x.astype(np.float32) ** 3)

    x = np.array([0.25, -0.5])  # exact in float32
    gradient, hessian = cadena.grad(f)(x), cadena.hessian(f)(x)
    assert gradient.dtype == hessian.dtype == np.float64
    np.testing.assert_array_equal(gradient, 3.0 * x**2)
    np.testing.assert_array_equal(hessian, np.diag(6.0 * x))
    np.testing.assert_array_equal(cadena.hvp(f, [x], [np.ones(2)])[0], 6.0 * x)


def test_the_graph_of_traced_code_with_types_runs_to_the_same_bits():
    made = cadena.trace(lambda x: np.sum(np.sin(x.astype(np.float16)).astype(np.float32) * x), np.array([0.1, 0.7]))
    run = cadena.compile(made.document).run()
    assert run.value(made.document.output) == made.value
    np.testing.assert_array_equal(run.gradient("x"), made.vjp(1.0)[0])
