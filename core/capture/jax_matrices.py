"""JAX's primitives for matrices, by JAX's own names and parameters, on traced values."""

from __future__ import annotations

from typing import Any

import numpy as np

from cadena.core.capture.record import Unknown
from cadena.core.tracing.traced import apply, plain


def _turned(x: Any) -> Any:
    return np.swapaxes(x, -1, -2)


def _symmetric(x: Any) -> Any:
    return (x + _turned(x)) / 2.0


def cholesky(x: Any, *, symmetrize_input: bool = True, **_: Any) -> Any:
    return apply("cholesky", [_symmetric(x) if symmetrize_input else x])


def triangular_solve(
    a: Any, b: Any, *, left_side: bool, lower: bool, transpose_a: bool, unit_diagonal: bool, **_: Any
) -> Any:
    if unit_diagonal:
        raise Unknown("triangular_solve is known here without unit_diagonal")
    triangle = apply("tril" if lower else "triu", [a])
    if left_side:
        return apply("solve", [_turned(triangle) if transpose_a else triangle, b])
    return _turned(apply("solve", [triangle if transpose_a else _turned(triangle), _turned(b)]))


def eigh(x: Any, *, lower: bool = True, subset_by_index: Any = None, **_: Any) -> Any:
    from jax import lax

    if subset_by_index is not None and tuple(subset_by_index) != (0, x.shape[-1]):
        raise Unknown("eigh is known here for all eigenvalues alone")
    if not np.array_equal(plain(x), _turned(plain(x)), equal_nan=True):  # of which JAX reads a triangle or, for a
        raise Unknown("eigh is known here for a symmetric matrix alone")  # gradient, the symmetric part
    vectors, values = (apply("eigh", [_symmetric(x)], {"part": part}) for part in (1, 0))
    return [vectors * _signs(vectors, lax.linalg.eigh(plain(x), lower=lower, symmetrize_input=False)[0]), values]


def _signs(ours: Any, theirs: Any) -> Any:
    """The signs that make vectors those of JAX: which of both directions they have is LAPACK's choice."""
    signs = np.sign(np.sum(plain(ours) * np.asarray(theirs), axis=-2, keepdims=True))
    return np.where(signs == 0.0, 1.0, signs).astype(plain(ours).dtype)


def svd(x: Any, *, full_matrices: bool, compute_uv: bool, subset_by_index: Any = None, **_: Any) -> Any:
    if subset_by_index is not None or (compute_uv and full_matrices and x.shape[-1] != x.shape[-2]):
        raise Unknown("svd is known here for all singular values, without full_matrices")
    return [apply("svd", [x], {"part": part}) for part in ((1, 0, 2) if compute_uv else (1,))]
