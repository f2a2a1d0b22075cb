"""What PyTorch has not, or defines otherwise than numpy, against JAX in 64 bits: value and gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.core.oracle.comparing import RELATIVE, Case, assert_close, case, normal, ours

jax = pytest.importorskip("jax")
jnp = jax.numpy
pytestmark = pytest.mark.oracle
TIED = [[1.0, 3.0, 3.0, 2.0], [0.0, 0.0, 0.0, 0.0]]

CASES: list[Case] = [
    case("cbrt", [[-8.0, 0.0, 1e-3, 27.0, np.inf, -np.inf]], jnp.cbrt),
    case("floor_divide", [[7.5, -7.5, 1.0, 3.0], [2.0, 2.0, 0.1, -0.5]], jnp.floor_divide),
    case("median", [TIED[0]], jnp.median),  # the mean of the middle two, as numpy says
    case("median", [normal(3, 5)], lambda x: jnp.median(x, axis=1), axis=1),
    case("std", [normal(3, 4)], jnp.std),  # ddof 0, as numpy says
    case("max", [TIED], lambda x: jnp.max(x, axis=1), axis=1),  # ties share the gradient evenly
    case("min", [TIED], lambda x: jnp.min(x, axis=0), axis=0),
    case("det", [[[1.0, 2.0], [2.0, 4.0]]], jnp.linalg.det),  # singular; PyTorch's gradient there is 0
    case("cross", [normal(4, 3), normal(4, 3)], jnp.cross),
    case("dot", [2.0, normal(3)], jnp.dot),
    case("inner", [normal(2, 3), normal(4, 3)], jnp.inner),
    case("pad", [normal(3)], lambda x: jnp.pad(x, 2, mode="symmetric"), pad_width=2, mode="symmetric"),
    case("nan_to_num", [[1.0, np.nan, np.inf, -np.inf]], jnp.nan_to_num),
    case("sinc", [[0.0, 0.3, -2.5]], jnp.sinc),
    case("logsumexp", [[1000.0, 1000.0, -1000.0]], jax.scipy.special.logsumexp),
    case("digamma", [np.abs(normal(9)) + 0.1], jax.scipy.special.digamma),
]


def of_jax(given: Case, upstream: Callable[[Any], Any]) -> tuple[Any, list[Any]]:
    operands = [jnp.asarray(item) for item in given.operands]
    y, back = jax.vjp(given.peer, *operands)
    return np.asarray(y), [np.asarray(gradient) for gradient in back(jnp.asarray(upstream(np.asarray(y))))]


@pytest.mark.parametrize("given", CASES, ids=str)
def test_value_and_gradient(given: Case) -> None:
    weights = normal(100)
    with jax.enable_x64(True):
        expected, wanted = of_jax(given, lambda y: np.resize(weights, y.shape))
    y, gradients = ours(given, given.operands, lambda y: np.resize(weights, y.shape))
    assert_close(y, expected, RELATIVE)
    for found, gradient in zip(gradients, wanted):
        assert_close(found, gradient, RELATIVE)
