"""numpy's linear algebra in traced code: what numpy reads of a matrix, and nothing else, counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from core.tracing import check_grads, grad, trace

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
