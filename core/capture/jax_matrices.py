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


def eigh(x: Any, *, subset_by_index: Any = None, **_: Any) -> Any:
    if subset_by_index is not None and tuple(subset_by_index) != (0, x.shape[-1]):
        raise Unknown("eigh is known here for all eigenvalues alone")
    return [apply("eigh", [_symmetric(x)], {"part": part}) for part in (1, 0)]


def svd(x: Any, *, full_matrices: bool, compute_uv: bool, subset_by_index: Any = None, **_: Any) -> Any:
    if subset_by_index is not None or (compute_uv and full_matrices and x.shape[-1] != x.shape[-2]):
        raise Unknown("svd is known here for all singular values, without full_matrices")
    return [apply("svd", [x], {"part": part}) for part in ((1, 0, 2) if compute_uv else (1,))]


def cummax(x: Any, *, axis: int, reverse: bool) -> Any:
    """The elements at the places of the largest so far, the later one of equals as in JAX."""
    return _extreme_so_far(x, axis, reverse, np.greater_equal)


def cummin(x: Any, *, axis: int, reverse: bool) -> Any:
    return _extreme_so_far(x, axis, reverse, np.less_equal)


def _extreme_so_far(x: Any, axis: int, reverse: bool, is_beyond: Any) -> Any:
    numbers = np.moveaxis(np.asarray(plain(x)), axis, 0)
    places, order = np.zeros(numbers.shape, int), range(len(numbers))
    best, at = numbers[-1 if reverse else 0].copy(), np.full(numbers.shape[1:], len(numbers) - 1 if reverse else 0)
    for place in reversed(order) if reverse else order:
        wins = is_beyond(numbers[place], best)
        best, at = np.where(wins, numbers[place], best), np.where(wins, place, at)
        places[place] = at
    return apply("take_along_axis", [x, np.moveaxis(places, 0, axis)], {"axis": int(axis)})
