"""numpy's linear algebra on traced values: the triangle that numpy reads, results in tuples, norms of matrices."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from cadena.core.ops.lapack import EighResult, SlogdetResult, SvdResult
from cadena.core.ops.solving import square
from cadena.core.tracing.traced import apply


def _parts(op: str, a: Any, count: int) -> list[Any]:
    """The results of an operation with several: one node for each."""
    return [apply(op, [a], {"part": part}) for part in range(count)]


def _mirrored(op: str, a: Any, upper: bool = False) -> Any:
    """The symmetric matrix of the triangle of `a` that numpy reads, so that the other one has no influence."""
    square(op, np.shape(a))
    read, beside = (np.triu(a), np.triu(a, 1)) if upper else (np.tril(a), np.tril(a, -1))
    return read + np.swapaxes(beside, -1, -2)


def _cholesky(a: Any, *, upper: bool = False) -> Any:
    factor = apply("cholesky", [_mirrored("cholesky", a, upper)])
    return np.swapaxes(factor, -1, -2) if upper else factor


def _eigh(a: Any, UPLO: str = "L") -> Any:
    if UPLO.upper() != "L":  # of the other triangle LAPACK may give the vectors another sign
        raise TypeError(f"np.linalg.eigh with UPLO={UPLO!r} is not traced; leave UPLO= away and transpose the matrix")
    return EighResult(*_parts("eigh", _mirrored("eigh", a), 2))


def _eigvalsh(a: Any, UPLO: str = "L") -> Any:
    return apply("eigh", [_mirrored("eigvalsh", a, UPLO.upper() == "U")], {"part": 0})


def _singular_values(x: Any) -> Any:
    return apply("svd", [x], {"part": 1})


def _svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    if hermitian:
        raise TypeError("np.linalg.svd with hermitian=True is not traced; leave hermitian= away")
    if not compute_uv:
        return _singular_values(a)
    if full_matrices and np.shape(a)[-1] != np.shape(a)[-2]:
        raise TypeError("np.linalg.svd of a matrix that is not square is traced with full_matrices=False")
    return SvdResult(*_parts("svd", a, 3))


def is_matrix_norm(ord: Any, axes: int) -> bool:
    """Whether np.linalg.norm along so many axes differs from the 2-norm of all elements."""
    return axes == 2 and ord is not None and ord != "fro"


def matrix_norm(x: Any, ord: Any, axis: Any, keepdims: bool) -> Any:
    """The norms of matrices: by their singular values, or by the sums of magnitudes of columns (1) or rows (inf)."""
    axes = (-2, -1) if axis is None else axis
    matrix = np.moveaxis(x, axes, (-2, -1))
    if ord in ("nuc", 2, -2):
        line = _singular_values(matrix)
    elif ord in (1, -1, np.inf, -np.inf):
        line = np.sum(np.abs(matrix), axis=-2 if abs(ord) == 1 else -1)
    else:
        raise ValueError(f"the norm {ord!r} of matrices is not known; use fro, nuc, 1, -1, 2, -2, inf or -inf")
    result = np.sum(line, -1) if ord == "nuc" else np.max(line, -1) if ord > 0 else np.min(line, -1)
    return np.expand_dims(result, tuple(place % np.ndim(x) for place in axes)) if keepdims else result


def _matrix_power(a: Any, n: int) -> Any:
    if n == 0:
        return np.broadcast_to(np.eye(np.shape(a)[-1], dtype=a.dtype), np.shape(a))
    return reduce(np.matmul, [np.linalg.inv(a) if n < 0 else a] * abs(n))


def _vector_norm(x: Any, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    if axis is not None or ord == 2:
        return np.linalg.norm(x, None if ord == 2 else ord, axis, keepdims)
    length = np.linalg.norm(np.ravel(x) if np.ndim(x) != 1 else x, ord)
    return np.reshape(length, (1,) * np.ndim(x)) if keepdims else length


def _cond(x: Any, p: Any = None) -> Any:
    if p not in (None, 2):
        raise TypeError("np.linalg.cond is traced for p=2 only; leave p= away")
    values = _singular_values(x)
    return values[..., 0] / values[..., -1]


LINEAR_ALGEBRA: dict[Any, Callable[..., Any]] = {
    np.linalg.cholesky: _cholesky,
    np.linalg.eigh: _eigh,
    np.linalg.eigvalsh: _eigvalsh,
    np.linalg.svd: _svd,
    np.linalg.slogdet: lambda a: SlogdetResult(*_parts("slogdet", a, 2)),
    np.linalg.matrix_norm: lambda x, keepdims=False, ord="fro": np.linalg.norm(x, ord, (-2, -1), keepdims),
    np.linalg.vector_norm: _vector_norm,
    np.linalg.matrix_power: _matrix_power,
    np.linalg.svdvals: _singular_values,
    np.linalg.cond: _cond,
}
