"""Derivatives of derivatives against JAX: Jacobians, Hessians and products with them, nested and in either mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cadena
from tests.core.oracle.comparing import assert_close

jax = pytest.importorskip("jax")
jnp = jax.numpy
pytestmark = pytest.mark.oracle

A = np.array([[0.3, -0.7, 1.1], [0.9, 0.4, -0.2]])
B = np.array([0.5, -1.2, 0.8])
C = np.float64(0.6)
# Each of the numpy module, a matrix, a vector and a number; arrays of any shape come back.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "number": lambda np, a, b, c: np.sum(np.tanh(a @ b) ** 2) * np.exp(c) + np.sum(a**3),
    "vector": lambda np, a, b, c: np.sin(a @ (b * c)) * np.cumsum(a[:, 0]),
    "matrix": lambda np, a, b, c: np.outer(b, b) * c + np.swapaxes(a, 0, 1) @ a,
    "reused": lambda np, a, b, c: np.sum(b * b * b * c * c) * np.sum(np.cos(a)) / (1.0 + c**2),
    "softmax": lambda np, a, b, c: np.log(np.sum(np.exp(a * c + b), axis=1)),
    "einsum": lambda np, a, b, c: np.einsum("ij,kj,j->ik", a, a, b) * c,
    "reshaped": lambda np, a, b, c: np.reshape(np.concatenate([a[0], b]), (3, 2)) ** 2 * c,
    "chosen": lambda np, a, b, c: np.where(a > 0.2, a * c, a**2) + np.maximum(b, 0.1),
    "unused": lambda np, a, b, c: np.sin(b),
    "a tuple": lambda np, a, b, c: (a @ b, c * b, np.sum(a)),
    "tuples in a tuple": lambda np, a, b, c: ((np.sum(a * a * c), b * c), np.sin(b)),
}
ARRAYS = [name for name in FUNCTIONS if "tuple" not in name]
SEVERAL = (0, 1, 2)


def summed(name: str, module: Any) -> Callable[..., Any]:
    """The function as a number that depends on the square of every element."""
    return lambda *args: module.sum(FUNCTIONS[name](module, *args) ** 2)


def as_it_is(name: str, module: Any) -> Callable[..., Any]:
    return lambda *args: FUNCTIONS[name](module, *args)


def assert_same(found: Any, expected: Any) -> None:
    """Equal numbers in equal tuples."""
    if isinstance(expected, tuple):
        assert isinstance(found, tuple) and len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_same(one, other)
    else:
        assert np.shape(found) == np.shape(expected)
        assert_close(np.asarray(found), np.asarray(expected), 1e-10)


def assert_like_jax(ours: Callable[[Any, Any], Any], name: str, made: Callable[..., Any] = as_it_is) -> None:
    """What `ours(core, function)` gives, and the same with jax in its place."""
    with jax.enable_x64(True):
        expected = ours(jax, made(name, jnp))
        assert_same(ours(cadena, made(name, np)), expected)


@pytest.mark.parametrize("argnums", [0, 1, 2, -1, (2,), (1, 0), SEVERAL])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_jacobians(name: str, argnums: Any) -> None:
    assert_like_jax(lambda lib, f: lib.jacobian(f, argnums)(A, B, C), name)


@pytest.mark.parametrize("argnums", [0, 1, 2, (2,), (1, 0), SEVERAL])
@pytest.mark.parametrize("name", ARRAYS)
def test_hessians(name: str, argnums: Any) -> None:
    assert_like_jax(lambda lib, f: lib.hessian(f, argnums)(A, B, C), name, summed)


@pytest.mark.parametrize("name", ARRAYS)
def test_third_and_fourth_derivatives(name: str) -> None:
    assert_like_jax(lambda lib, f: lib.jacobian(lib.hessian(f, (1, 2)), (2, 1))(A, B, C), name, summed)
    assert_like_jax(lambda lib, f: lib.hessian(lambda *args: lib.hessian(f, 2)(*args), 2)(A, B, C), name, summed)
    assert_like_jax(lambda lib, f: lib.jacobian(lib.jacobian(lib.jacobian(f, 1), 2), 1)(A, B, C), name)


@pytest.mark.parametrize("name", ARRAYS)
def test_one_mode_over_the_other(name: str) -> None:
    along = (A[::-1] * 0.5, B[::-1] * 2.0, np.float64(-0.3))
    forward_over_reverse = lambda lib, f: lib.jvp(lib.grad(f, SEVERAL), (A, B, C), along)  # noqa: E731
    reverse_over_forward = lambda lib, f: lib.grad(lambda *args: lib.jvp(f, args, along)[1], SEVERAL)(A, B, C)  # noqa: E731
    forward_over_forward = lambda lib, f: lib.jvp(lambda *args: lib.jvp(f, args, along)[1], (A, B, C), along)  # noqa: E731
    for both in (forward_over_reverse, reverse_over_forward, forward_over_forward):
        assert_like_jax(both, name, summed)
    with jax.enable_x64(True):
        expected = jax.jvp(jax.grad(summed(name, jnp), SEVERAL), (A, B, C), along)[1]
        assert_same(cadena.hvp(summed(name, np), (A, B, C), along), expected)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_pullbacks_are_differentiated_by_their_cotangents(name: str) -> None:
    def pulled(lib: Any, f: Callable[..., Any]) -> Any:
        value, pull = lib.vjp(f, A, B, C)
        return pull(scaled(value))

    assert_like_jax(pulled, name)


def scaled(value: Any) -> Any:
    return tuple(map(scaled, value)) if isinstance(value, tuple) else value * 0.7


@pytest.mark.parametrize("argnums", [1, (0, 2)])
def test_what_comes_beside_the_value(argnums: Any) -> None:
    def beside(lib: Any, f: Callable[..., Any]) -> Any:
        pair = lambda *args: (f(*args), {"twice": args[1] * 2.0, "all": [args[2], args[0]]})  # noqa: E731
        derivatives = (lib.grad, lib.value_and_grad, lib.jacobian, lib.hessian)
        made = tuple(derivative(pair, argnums, has_aux=True)(A, B, C) for derivative in derivatives)
        *value, aux = lib.jvp(pair, (A, B, C), (A, B, C), has_aux=True)
        value_again, pull, aux_again = lib.vjp(pair, A, B, C, has_aux=True)
        return flat((made, tuple(value), aux, value_again, pull(1.0), aux_again))

    assert_like_jax(beside, "number")


def flat(found: Any) -> Any:
    """Dictionaries and lists as tuples too."""
    if isinstance(found, dict):
        return tuple(flat(found[key]) for key in sorted(found))
    return tuple(map(flat, found)) if isinstance(found, tuple | list) else found


@pytest.mark.parametrize("name", ARRAYS)
def test_a_document_has_the_derivatives_of_the_function_that_it_was_traced_from(name: str) -> None:
    f = cadena.as_function(cadena.trace(summed(name, np), A, B, C).document)
    with jax.enable_x64(True):
        expected = jax.hessian(summed(name, jnp), SEVERAL)(A, B, C)
        assert_same(cadena.hessian(f, SEVERAL)(*f.values), expected)
