"""Scatter gradients back to the elements they were taken from; an element that was taken twice gets both parts."""

import math
from typing import Any

import numpy as np

from cadena.core.ops.building import along, with_size
from cadena.core.ops.primitive import Shape


def add_along_axis(g: Any, places: Any, axis: int, size: int) -> Any:
    """Zeros of length `size` along `axis`, with each slice of `g` added at its place in the list `places`."""
    if not isinstance(g, np.ndarray | np.generic):
        return _gathered(g, places, axis, size)
    order = np.argsort(places, kind="stable")
    ranked = np.asarray(places)[order]
    starts = np.flatnonzero(np.diff(ranked, prepend=-1))
    total = np.zeros(with_size(g.shape, axis, size), dtype=g.dtype)
    if starts.size:
        total[along(axis, ranked[starts])] = np.add.reduceat(np.take(g, order, axis), starts, axis)
    return total


def add_at(g: Any, shape: Shape, key: Any) -> Any:
    """Zeros of `shape` with `g` added at the index `key`."""
    if not isinstance(g, np.ndarray | np.generic):
        places = np.arange(math.prod(shape)).reshape(shape)[key]
        return np.reshape(_gathered(np.reshape(g, (-1,)), np.ravel(places), 0, math.prod(shape)), shape)
    total = np.zeros(shape, dtype=g.dtype)
    if has_arrays(key):
        np.add.at(total, key, g)
    else:
        total[key] = g
    return total


def has_arrays(key: Any) -> bool:
    """Whether an index in numpy's notation can name one element twice."""
    return any(isinstance(item, np.ndarray) for item in (key if isinstance(key, tuple) else (key,)))


def _gathered(g: Any, places: Any, axis: int, size: int) -> Any:
    """`add_along_axis` for traced values, without writing: each place fetches its first part, its second part ..."""
    order = np.argsort(places, kind="stable")
    counts = np.bincount(np.asarray(places, dtype=np.intp), minlength=size)
    first = np.concatenate([[0], np.cumsum(counts)[:-1]]) if size else counts
    total = np.zeros(with_size(g.shape, axis, size), dtype=g.dtype)
    for turn in range(int(counts.max(initial=0))):
        has = np.reshape(counts > turn, (-1,) + (1,) * (len(g.shape) - axis - 1))
        source = order[np.minimum(first + turn, len(order) - 1)]
        total = total + np.where(has, np.take(g, source, axis), 0.0)
    return total
