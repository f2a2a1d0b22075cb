"""Sums in the order in which PyTorch takes them on a processor, so that the last digits agree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

Numbers = np.ndarray[Any, Any]
LANES = 32  # bytes that are added side by side
ROWS = 4  # sums that are kept beside each other
LEVELS = 4  # of sums of sums
MOST = 32768  # numbers that one thread adds


def total(x: Any, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Any:
    """np.sum in PyTorch's order, where the axes are all, the last or the first ones; else in numpy's."""
    array = np.asarray(x)
    axes = sorted(one % max(array.ndim, 1) for one in _listed(axis, array.ndim))
    inner = axes == [*range(array.ndim - len(axes), array.ndim)]
    outer = axes == [*range(len(axes))]
    if array.dtype.kind != "f" or not 0 < array.size <= MOST or not axes or not (inner or outer):
        return np.sum(x, axis=tuple(axes) if axis is not None else None, keepdims=keepdims)
    count = math.prod(array.shape[one] for one in axes)
    if inner or count == array.size:
        result = _of_rows(array.reshape(-1, count))
    else:
        result = _of_columns(array.reshape(count, -1))
    kept = tuple(1 if place in axes else size for place, size in enumerate(array.shape))
    shape = kept if keepdims else tuple(size for place, size in enumerate(array.shape) if place not in axes)
    return result.reshape(shape)[()]


def _listed(axis: int | Sequence[int] | None, ndim: int) -> Sequence[int]:
    return range(ndim) if axis is None else [axis] if isinstance(axis, int) else axis


def _of_rows(x: Numbers) -> Numbers:
    lanes = LANES // x.itemsize
    whole = x.shape[1] // lanes * lanes
    if not whole:
        return _interleaved(x.T)
    parts = _interleaved(np.moveaxis(x[:, :whole].reshape(len(x), -1, lanes), 1, 0))
    return _one_by_one(np.concatenate([x[:, whole:], parts], axis=1).T)


def _of_columns(x: Numbers) -> Numbers:
    lanes = LANES // x.itemsize
    side_by_side = ROWS * lanes if x.shape[1] >= lanes else ROWS
    whole = x.shape[1] // side_by_side * side_by_side
    return np.concatenate([_cascade(x[:, :whole]), _interleaved(x[:, whole:])])


def _interleaved(x: Numbers) -> Numbers:
    """The sum along the first axis, by every fourth number."""
    whole = len(x) // ROWS * ROWS
    sums = _cascade(x[:whole].reshape(whole // ROWS, ROWS, *x.shape[1:]))
    return _one_by_one(np.concatenate([_one_by_one(np.concatenate([sums[:1], x[whole:]]))[None], sums[1:]]))


def _cascade(x: Numbers) -> Numbers:
    """The sum along the first axis, by sums of blocks."""
    power = max(4, _ceil_log2(len(x)) // LEVELS)
    step = 1 << power
    sums = np.zeros((LEVELS, *x.shape[1:]), x.dtype)
    done = 0
    while done + step <= len(x):
        sums[0] = _one_by_one(x[done : done + step])
        done += step
        for level in range(1, LEVELS):
            sums[level] += sums[level - 1]
            sums[level - 1] = 0
            if done & ((step - 1) << (level * power)):
                break
    sums[0] = _one_by_one(x[done:])
    return _one_by_one(sums)


def _one_by_one(x: Numbers) -> Numbers:
    """The sum along the first axis, in its order."""
    return np.cumsum(x, axis=0, dtype=x.dtype)[-1] if len(x) else np.zeros(x.shape[1:], x.dtype)


def _ceil_log2(number: int) -> int:
    return 1 if number <= 2 else (number - 1).bit_length()
