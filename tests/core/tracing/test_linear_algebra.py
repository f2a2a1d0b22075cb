"""numpy's linear algebra in traced code: what numpy reads of a matrix, and nothing else, counts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest

from cadena.core.methods.checking import check_grads
from cadena.core.tracing.trace import trace
from cadena.core.tracing.transforms import grad
from tests import thorough
from tests.thorough import in_turn, some

UNEQUAL = np.array([[4.0, 0.9, -0.7], [1.0, 3.0, 0.8], [0.5, -0.5, 2.0]])
READS_LOWER: dict[str, Callable[[Any], Any]] = {
    "cholesky": np.linalg.cholesky,
    "cholesky upper=False": lambda x: np.linalg.cholesky(x, upper=False),
    "eigh": lambda x: tuple(np.linalg.eigh(x)),
    "eigh UPLO=l": lambda x: tuple(np.linalg.eigh(x, "l")),
    "eigvalsh": np.linalg.eigvalsh,
}
READS_UPPER: dict[str, Callable[[Any], Any]] = {
    "cholesky upper": lambda x: np.linalg.cholesky(x, upper=True),
    "eigvalsh UPLO=U": lambda x: np.linalg.eigvalsh(x, UPLO="U"),
    "eigvalsh u": lambda x: np.linalg.eigvalsh(x, "u"),
}
ALL = READS_LOWER | READS_UPPER


@pytest.mark.parametrize("name", ALL)
def test_of_a_matrix_that_is_not_symmetric_cholesky_and_eigh_gave_another_value_than_numpy(name: str) -> None:
    for matrix in (UNEQUAL, np.stack([UNEQUAL, 2.0 * UNEQUAL + np.eye(3)])):
        found, expected = trace(ALL[name], matrix).value, ALL[name](matrix)
        for one, other in zip(found, expected, strict=True) if isinstance(expected, tuple) else [(found, expected)]:
            np.testing.assert_allclose(one, other, rtol=1e-14, atol=1e-15)


@pytest.mark.some(4)
@pytest.mark.parametrize("name", ALL)
def test_their_derivatives_are_those_of_numpys_own_functions(name: str) -> None:
    """The differences are of numpy's function on plain arrays, along directions that are not symmetric."""
    for matrix in (UNEQUAL, np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -0.5], [0.5, -0.5, 2.0]])):
        check_grads(ALL[name], [matrix], order=2, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("name", ALL)
def test_the_triangle_that_is_not_read_may_hold_nan_and_has_the_gradient_0(name: str) -> None:
    unread = np.tril(np.ones((3, 3)), -1) > 0 if name in READS_UPPER else np.triu(np.ones((3, 3)), 1) > 0
    matrix = np.where(unread, np.nan, UNEQUAL)

    def total(x: Any) -> Any:
        result = ALL[name](x)
        return sum(np.sum(part**2) for part in result) if isinstance(result, tuple) else np.sum(result**2)

    gradient = grad(total)(matrix)
    assert (gradient[unread] == 0.0).all() and np.isfinite(gradient).all() and gradient.any()


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda x: np.linalg.eigh(x, "U"), "UPLO='U' is not traced; leave UPLO= away and transpose"),
        (lambda x: np.linalg.eigh(x, UPLO="U"), "UPLO='U' is not traced; leave UPLO= away and transpose"),
        (lambda x: np.linalg.svd(x, hermitian=True), "hermitian=True is not traced; leave hermitian= away"),
        (lambda x: np.linalg.svd(x, True, False, True), "hermitian=True is not traced; leave hermitian= away"),
        (lambda x: np.linalg.pinv(x, hermitian=True), "hermitian=True is not traced; leave hermitian= away"),
        (lambda x: np.linalg.cholesky(x[0]), r"cholesky needs a square matrix, not shape \(3,\)"),
        (lambda x: np.linalg.eigvalsh(x[:2]), r"eigvalsh needs a square matrix, not shape \(2, 3\)"),
    ],
)
def test_what_would_read_something_else_is_refused(call: Any, says: str) -> None:
    with pytest.raises((TypeError, ValueError), match=says):
        trace(call, UNEQUAL)


NORMS = (None, "fro", "nuc", 2, -2, 1, -1, np.inf, -np.inf)


AXES = (None, (1, 2), (-1, 0), (0, 1))


@pytest.mark.some(4)
@in_turn("order, keepdims, axis", some(product(NORMS, (False, True), AXES)))
def test_the_nuclear_norm_and_the_other_norms_of_matrices_were_refused(order: Any, keepdims: bool, axis: Any) -> None:
    cube = np.random.default_rng(0).normal(size=(2, 3, 4))
    x = cube[0] if axis in (None, (0, 1)) else cube

    def norm(x: Any) -> Any:
        return np.linalg.norm(x, order, axis, keepdims)

    value = trace(norm, x).value
    assert np.shape(value) == np.shape(norm(x))
    np.testing.assert_allclose(value, norm(x), rtol=1e-13)
    check_grads(norm, [x], order=2, atol=1e-5, rtol=1e-5)


def test_the_norms_of_the_newer_names_are_the_same() -> None:
    x = np.random.default_rng(1).normal(size=(2, 3, 4))
    for order in NORMS[1:]:
        norm = partial(np.linalg.matrix_norm, ord=order)
        assert trace(norm, x).value == pytest.approx(norm(x))


def test_a_norm_that_numpy_does_not_know_either_is_refused() -> None:
    with pytest.raises(ValueError, match="the norm 'half' of matrices is not known; use fro, nuc"):
        trace(lambda x: np.linalg.norm(x, "half"), UNEQUAL)


RNG = np.random.default_rng(2)
SUMS: list[tuple[Any, ...]] = [
    (RNG.normal(size=(2, 3)), [0, 1], RNG.normal(size=(3, 4)), [1, 2], [0, 2]),
    (RNG.normal(size=(2, 3)), [5, 1], RNG.normal(size=(3, 4)), [1, 0]),  # the result in the order of the numbers
    (RNG.normal(size=(2, 3)), [0, 30], RNG.normal(size=(3, 4)), [30, 25]),
    (RNG.normal(size=(3, 3)), [0, 0]),
    (RNG.normal(size=(3, 3)), [0, 0], [0]),
    (RNG.normal(size=(2, 3)), [0, 1], []),
    (RNG.normal(size=(5, 2, 3)), [Ellipsis, 0, 1], RNG.normal(size=(3, 4)), [1, 2], [Ellipsis, 0, 2]),
    (RNG.normal(size=(5, 2, 3)), [..., 0, 1], RNG.normal(size=(5, 3, 2)), [..., 1, 0]),
    (RNG.normal(size=2), (0,), RNG.normal(size=3), (np.int64(1),), RNG.normal(size=2), [0], (1, 0)),
]


@pytest.mark.parametrize("given", SUMS, ids=lambda given: str(given[1::2]))
def test_the_list_form_of_einsum_was_refused(given: tuple[Any, ...]) -> None:
    count = len(given) // 2 * 2

    def summed(*operands: Any) -> Any:
        full = list(given)
        full[:count:2] = operands
        return np.einsum(*full)

    operands = given[:count:2]
    made = trace(summed, *operands)
    np.testing.assert_allclose(made.value, summed(*operands), rtol=1e-13)
    assert [node.op for node in made.document.nodes.values()].count("einsum") == 1
    check_grads(summed, operands, order=2 if thorough.everything else 1, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("lists", [([0, "a"], [0]), ([0, 52], [0]), (0, [0]), ([0, -1], [0])])
def test_lists_that_einsum_cannot_read_are_refused(lists: tuple[Any, Any]) -> None:
    with pytest.raises(TypeError, match="lists of whole numbers from 0 to 51, or with subscripts as a text"):
        trace(lambda x: np.einsum(x, *lists), UNEQUAL)
