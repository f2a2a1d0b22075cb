"""numpy.linalg without exceptions and printed messages: nan for a matrix that LAPACK cannot handle.

All calls of numpy.linalg with numbers are here. Of traced matrices the functions record the operations of these names.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

ONE = np.ones((1, 1))
# The named tuples of numpy's answers, which have no public name.
EighResult: Any = type(np.linalg.eigh(ONE))
SlogdetResult: Any = type(np.linalg.slogdet(ONE))
SvdResult: Any = type(np.linalg.svd(ONE))


def swap(x: Any) -> Any:
    """The transpose of each matrix."""
    return np.swapaxes(x, -1, -2)


def symmetric(x: Any) -> Any:
    """The mean of each matrix and its transpose: the matrix itself when it is symmetric. No sum overflows."""
    return 0.5 * x + 0.5 * swap(x)


def invert(x: Any) -> Any:
    """The inverse of each matrix; nan for a singular one."""
    return _safely(np.linalg.inv, x)


def solved(a: Any, b: Any) -> Any:
    """x with a x = b for matrices b; nan where a is singular."""
    return _safely(np.linalg.solve, a, b)


def det(x: Any) -> Any:
    """The determinant of each matrix."""
    return np.linalg.det(x)


def slogdet(x: Any) -> Any:
    """Sign and logarithm of the determinant of each matrix."""
    return np.linalg.slogdet(x)


def cholesky(x: Any) -> Any:
    """The lower triangular factor of the symmetric part of each matrix; nan where it is not positive definite."""
    return _safely(_cholesky, symmetric(x))


def eigh(x: Any) -> tuple[Any, Any]:
    """Eigenvalues and eigenvectors of the symmetric part of each matrix; nan for one with inf or nan."""
    values, vectors = _safely(_eigh, symmetric(x))
    return values, vectors


def svd(x: Any) -> tuple[Any, Any, Any]:
    """U, s and Vᵀ of each matrix without the vectors that it does not need; nan for one with inf or nan."""
    u, s, vh = _safely(_svd, x)
    return u, s, vh


def pinv(x: Any, rcond: float) -> Any:
    """The pseudoinverse of each matrix; nan for one with inf or nan."""
    return _safely(lambda x: _pinv(x, rcond), x)


def rank(x: Any) -> Any:
    """The rank of each of the finite matrices `x`, which multiplied by a number have the same."""
    largest = np.max(np.abs(x), axis=(-1, -2), keepdims=True, initial=0.0)
    return np.linalg.matrix_rank(x / np.where(largest > 0.0, largest, 1.0))


def _cholesky(x: Any) -> Any:
    _need_finite(x)
    return np.linalg.cholesky(x)


def _eigh(x: Any) -> tuple[Any, ...]:
    _need_finite(x)
    return tuple(np.linalg.eigh(x))


def _svd(x: Any) -> tuple[Any, ...]:
    _need_finite(x)
    return tuple(np.linalg.svd(x, full_matrices=False))


def _pinv(x: Any, rcond: float) -> Any:
    _need_finite(x)
    return np.linalg.pinv(x, rcond)


def _need_finite(x: Any) -> None:
    """Raises LinAlgError for inf and nan, which LAPACK complains of on standard output, or iterates on for ever."""
    if isinstance(x, np.ndarray) and not np.isfinite(x).all():
        raise np.linalg.LinAlgError("a matrix holds inf or nan")


def _safely(function: Callable[..., Any], x: Any, *rest: Any) -> Any:
    """numpy's `function` of the matrices `x`; nan for each for which it raises."""
    try:
        return function(x, *rest)
    except np.linalg.LinAlgError:
        if x.ndim < 2:
            raise
        if x.ndim == 2:
            return _nan_like(function(np.eye(x.shape[0], x.shape[1], dtype=x.dtype), *rest))
    batch = np.broadcast_shapes(x.shape[:-2], *(one.shape[:-2] for one in rest))
    matrices = [np.broadcast_to(one, batch + one.shape[-2:]) for one in (x, *rest)]
    results = [_safely(function, *(one[index] for one in matrices)) for index in np.ndindex(batch)]
    if isinstance(results[0], tuple):
        return tuple(np.reshape(np.stack(part), batch + part[0].shape) for part in zip(*results, strict=True))
    return np.reshape(np.stack(results), batch + results[0].shape)


def _nan_like(result: Any) -> Any:
    if isinstance(result, tuple):
        return tuple(_nan_like(part) for part in result)
    return np.full(result.shape, np.nan, dtype=result.dtype)
