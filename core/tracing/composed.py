"""numpy's functions without an operation of their own, written with those that have one."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from cadena.core.ops.primitive import REGISTRY
from cadena.core.tracing.computed_index import elements
from cadena.core.tracing.conditions import CONDITION_UFUNCS, CONDITIONS, held
from cadena.core.tracing.traced import Traced, apply, index_text
from cadena.core.tracing.views import TracedView


def _append(arr: Any, values: Any, axis: Any = None) -> Any:
    return np.concatenate([np.ravel(arr), np.ravel(values)] if axis is None else [arr, values], axis=axis or 0)


def _each(one: Callable[[Any], Any]) -> Callable[..., Any]:
    """Extend a function of one array to several: a tuple of results, as in numpy."""
    return lambda *arrays: one(arrays[0]) if len(arrays) == 1 else tuple(map(one, arrays))


def _at_least(count: int) -> Callable[[Any], Any]:
    """The axes that np.atleast_2d and 3d add: the first before, the third behind."""
    behind = {0: (1,) * count, 1: (1, -1, 1)[:count]}

    def one(x: Any) -> Any:
        ndim = np.ndim(x)
        return x if ndim >= count else np.reshape(x, behind.get(ndim, (*np.shape(x), 1)))

    return _each(one)


def _columns(arrays: Any) -> Any:
    return np.concatenate([np.reshape(x, (-1, 1)) if np.ndim(x) < 2 else x for x in arrays], axis=1)


def _diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    if np.ndim(a) == 2 and (axis1, axis2) in ((0, 1), (-2, -1)):
        return apply("diag", [a], {"k": offset})
    moved = np.moveaxis(a, (axis1, axis2), (-2, -1))
    rows, columns = np.shape(moved)[-2:]
    count = max(min(rows + min(offset, 0), columns - max(offset, 0)), 0)
    places = np.arange(count)
    index = ..., places - min(offset, 0), places + max(offset, 0)
    diagonal = moved[index]
    if not isinstance(moved, TracedView):
        return diagonal
    return TracedView(diagonal, moved, REGISTRY["getitem"], {"index": index_text(index)}, read_only=True)


def _vecdot(x1: Any, x2: Any, axis: int = -1) -> Any:
    return np.sum(np.multiply(x1, x2), axis=axis)


def _polyval(p: Any, x: Any) -> Any:
    return reduce(lambda y, c: y * x + c, p, np.zeros(np.shape(x)))


def _convolve(a: Any, v: Any, mode: str = "full") -> Any:
    if np.size(v) > np.size(a):
        a, v = v, a
    short, long = np.size(v), np.size(a)
    signal, kernel = np.reshape(a, (1, 1, -1)), np.reshape(np.flip(v), (1, 1, -1))
    if mode not in ("full", "same", "valid"):
        raise TypeError(f"np.convolve with mode={mode!r} is not traced; use full, same or valid")
    whole = np.ravel(apply("conv1d", [signal, kernel], {"padding": short - 1}))
    start, count = {
        "full": (0, long + short - 1), "same": ((short - 1) // 2, long), "valid": (short - 1, long - short + 1)
    }[mode]  # fmt: skip
    return whole[start : start + count]


def _correlate(a: Any, v: Any, mode: str = "valid") -> Any:
    if np.size(v) > np.size(a):
        return np.flip(_correlate(v, a, mode))
    if mode == "same" and np.size(v) % 2 == 0:  # numpy leaves the odd one out at the other end
        return _convolve(a, np.flip(v), "full")[np.size(v) // 2 :][: np.size(a)]
    return _convolve(a, np.flip(v), mode)


def _trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    if x is not None:
        dx = np.diff(x) if np.ndim(x) == 1 else np.moveaxis(np.diff(x, axis=axis), axis, -1)
    last = np.moveaxis(y, axis, -1)
    return np.sum(dx * (last[..., 1:] + last[..., :-1]) * 0.5, axis=-1)


def _linspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True) -> Any:
    parts = np.arange(num) / max(num - 1 if endpoint else num, 1)
    shape = np.broadcast_shapes(np.shape(start), np.shape(stop))
    return start + (stop - start) * np.reshape(parts, (num, *(1,) * len(shape)))


def _ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    inner = np.diff(np.ravel(ary))
    ends = [None if end is None else np.ravel(end) for end in (to_begin, to_end)]
    return np.concatenate([part for part in (ends[0], inner, ends[1]) if part is not None])


def _running(function: Callable[..., Any]) -> Callable[..., Any]:
    def handle(x: Any, axis: Any = None) -> Any:
        if axis is None and np.ndim(x) > 1:
            raise ValueError("of an array with several axes one must be named; give axis=")
        return function(x, axis)

    return handle


def _broadcast_arrays(*arrays: Any) -> Any:
    shape = np.broadcast_shapes(*map(np.shape, arrays))
    return tuple(np.broadcast_to(x, shape) for x in arrays)


def _select(condlist: Any, choicelist: Any, default: Any = 0.0) -> Any:
    pairs = list(zip(condlist, choicelist, strict=True))
    return reduce(lambda rest, pair: np.where(pair[0], pair[1], rest), reversed(pairs), default)


def _delete(arr: Any, obj: Any, axis: Any = None) -> Any:
    size = np.size(arr) if axis is None else np.shape(arr)[axis]
    return np.take(
        arr, np.delete(np.arange(size), held(lambda x: np.asarray(x, dtype=int), obj, kind="elements")), axis
    )


def _compress(condition: Any, a: Any, axis: Any = None) -> Any:
    return np.take(a, np.flatnonzero(condition), axis)


def _quantile(a: Any, q: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Interpolate between the two neighbours in order, like numpy's method "linear"."""
    if np.ndim(q) or keepdims or isinstance(axis, tuple):
        raise TypeError("np.quantile is traced for one q along one axis; call it once for each, without keepdims=")
    line, place = (np.ravel(a), 0) if axis is None else (a, axis)
    at = float(q) * (np.shape(line)[place] - 1)
    ordered, low = np.sort(line, place), int(at)
    lower = np.take(ordered, low, place)
    return lower if at == low else lower + (at - low) * (np.take(ordered, low + 1, place) - lower)


def _interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Any:
    last = np.size(xp) - 1
    place = np.clip(np.searchsorted(xp, x, "right") - 1, 0, last - 1)
    x0, y0 = elements(xp, place), elements(fp, place)
    inside = y0 + (x - x0) * (elements(fp, place + 1) - y0) / (elements(xp, place + 1) - x0)
    below = np.where(np.less(x, np.take(xp, 0)), np.take(fp, 0) if left is None else left, inside)
    return np.where(np.greater(x, np.take(xp, last)), np.take(fp, last) if right is None else right, below)


def _vander(x: Any, N: Any = None, increasing: bool = False) -> Any:
    powers = range(np.size(x) if N is None else N)
    return np.stack([x ** float(n) for n in (powers if increasing else reversed(powers))], axis=1)


def _cov(m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: Any = None) -> Any:
    rows = [x if rowvar or np.ndim(x) < 2 else np.transpose(x) for x in (m, y) if x is not None]
    table = np.concatenate([np.atleast_2d(x) for x in rows])
    centred = table - np.mean(table, axis=1, keepdims=True)
    degrees = ddof if ddof is not None else 0 if bias else 1
    return np.squeeze(np.matmul(centred, np.transpose(centred)) / (np.shape(table)[1] - degrees))


def _corrcoef(x: Any, y: Any = None, rowvar: bool = True) -> Any:
    c = _cov(x, y, rowvar)
    if not np.ndim(c):
        return c / c
    spread = np.sqrt(np.diag(c))
    return c / np.outer(spread, spread)


def _roll_axis(a: Any, axis: int, start: int = 0) -> Any:
    axis, start = axis % np.ndim(a), start + np.ndim(a) if start < 0 else start
    return np.moveaxis(a, axis, start - 1 if axis < start else start)


def _average(a: Any, axis: Any = None, weights: Any = None, keepdims: bool = False) -> Any:
    if weights is None:
        return np.mean(a, axis, keepdims=keepdims)
    if np.shape(weights) != np.shape(a):
        ndim = np.ndim(a)
        weights = np.reshape(weights, [-1 if i == axis % ndim else 1 for i in range(ndim)]) * np.ones(np.shape(a))
    return np.sum(a * weights, axis, keepdims=keepdims) / np.sum(weights, axis, keepdims=keepdims)


def _without_nan(function: Callable[..., Any], neutral: float) -> Callable[..., Any]:
    return lambda a, axis=None, keepdims=False: function(np.where(np.isnan(a), neutral, a), axis, keepdims=keepdims)


def _nanmean(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    there = np.sum(np.logical_not(np.isnan(a)), axis, keepdims=keepdims)
    return np.nansum(a, axis, keepdims=keepdims) / there


COMPOSED: dict[Any, Callable[..., Any]] = CONDITIONS | {
    np.append: _append,
    np.column_stack: _columns,
    np.atleast_1d: _at_least(1),
    np.atleast_2d: _at_least(2),
    np.atleast_3d: _at_least(3),
    np.ptp: lambda a, axis=None, keepdims=False: (
        np.max(a, axis, keepdims=keepdims) - np.min(a, axis, keepdims=keepdims)
    ),
    np.fix: lambda x: np.trunc(x),
    np.diagonal: _diagonal,
    np.diagflat: lambda v, k=0: np.diag(np.ravel(v), k),
    np.linalg.diagonal: lambda x, offset=0: _diagonal(x, offset, -2, -1),
    np.linalg.trace: lambda x, offset=0: np.sum(_diagonal(x, offset, -2, -1), axis=-1),
    np.linalg.outer: np.outer,
    np.linalg.matmul: lambda x1, x2: np.matmul(x1, x2),
    np.linalg.cross: lambda x1, x2, axis=-1: np.cross(x1, x2, axis=axis),
    np.linalg.tensordot: lambda x1, x2, axes=2: np.tensordot(x1, x2, axes),
    np.linalg.vecdot: _vecdot,
    np.linalg.multi_dot: lambda arrays: reduce(np.dot, arrays),
    np.linalg.matrix_transpose: lambda x: np.swapaxes(x, -1, -2),
    np.matrix_transpose: lambda x: np.swapaxes(x, -1, -2),
    np.vdot: lambda a, b: np.sum(np.multiply(np.ravel(a), np.ravel(b))),
    np.polyval: _polyval,
    np.convolve: _convolve,
    np.correlate: _correlate,
    np.trapezoid: _trapezoid,
    np.linspace: _linspace,
    np.logspace: lambda start, stop, num=50, endpoint=True, base=10.0: base ** _linspace(start, stop, num, endpoint),
    np.ediff1d: _ediff1d,
    np.cumulative_sum: _running(np.cumsum),
    np.cumulative_prod: _running(np.cumprod),
    np.unstack: lambda x, axis=0: tuple(np.moveaxis(x, axis, 0)),
    np.broadcast_arrays: _broadcast_arrays,
    np.select: _select,
    np.delete: _delete,
    np.compress: _compress,
    np.extract: lambda condition, arr: _compress(np.ravel(condition), np.ravel(arr)),
    np.quantile: _quantile,
    np.percentile: lambda a, q, axis=None, keepdims=False: _quantile(a, np.asarray(q) / 100.0, axis, keepdims),
    np.interp: _interp,
    np.vander: _vander,
    np.cov: _cov,
    np.corrcoef: _corrcoef,
    np.rollaxis: _roll_axis,
    np.average: _average,
    np.nansum: _without_nan(np.sum, 0.0),
    np.nanprod: _without_nan(np.prod, 1.0),
    np.nanmean: _nanmean,
    np.fliplr: lambda m: np.flip(m, 1),
    np.flipud: lambda m: np.flip(m, 0),
    np.dsplit: lambda ary, indices_or_sections: np.split(ary, indices_or_sections, axis=2),
    np.real: lambda val: np.positive(val),
    np.real_if_close: lambda a, tol=100: np.positive(a),
    np.imag: lambda val: np.zeros(np.shape(val), val.dtype),
    np.astype: lambda x, dtype, copy=True: x.astype(dtype),
}

# ufuncs of two results, or without an operation.
COMPOSED_UFUNCS: dict[str, Callable[..., Any]] = CONDITION_UFUNCS | {
    "divmod": lambda a, b: (np.floor_divide(a, b), np.remainder(a, b)),
    "modf": lambda x: (x - np.trunc(x), np.trunc(x)),
    "copysign": lambda a, b: np.where(np.signbit(a) == np.signbit(b), a, np.multiply(a, -1.0)),
    "heaviside": lambda x, at_0: np.where(np.equal(x, 0.0), at_0, np.where(np.greater(x, 0.0), 1.0, 0.0)),
    "ldexp": lambda x, n: x * 2.0 ** (n if isinstance(n, Traced) else np.asarray(n)),
    "vecdot": _vecdot,
    "matvec": lambda a, b: np.matmul(a, np.expand_dims(b, -1))[..., 0],
    "vecmat": lambda a, b: np.matmul(np.expand_dims(a, -2), b)[..., 0, :],
}
