"""Functions of numpy that compare and search, written with operations, so that their choices follow new numbers.

What no operation computes, since its shape or order depends on the numbers, is computed once and guarded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cadena.core.ops import comparison
from cadena.core.ops.primitive import Primitive
from cadena.core.tracing.traced import Traced, apply, plain

MOVING = frozenset(
    "getitem reshape transpose squeeze expand_dims broadcast_to ravel flip roll concatenate stack take swapaxes "
    "moveaxis repeat tile take_along_axis where split diag diagonal rot90 tril triu positive stop_gradient index_put "
    "hstack vstack embedding".split()
)
JOINING = frozenset("concatenate stack hstack vstack".split())  # all of their operands are in the result
# Signs on truth values, which are operations of logic.
LOGIC = {
    "bitwise_and": "logical_and",
    "bitwise_or": "logical_or",
    "bitwise_xor": "logical_xor",
    "invert": "logical_not",
}


def is_condition(primitive: Primitive, operands: Sequence[Any]) -> bool:
    """Whether the result is a condition: a comparison, or conditions in another order or shape."""
    if primitive.category == comparison.FAMILY.category:
        return True
    if primitive.name not in MOVING:
        return False
    if primitive.name in JOINING:
        moved = operands
    else:
        moved = operands[1:] if primitive.name in ("where", "embedding") else operands[:1]
    return all(is_truth(item) for item in moved)


PLACES = frozenset("argmax argmin argsort".split())
COUNTING = frozenset(
    "sum prod cumsum cumprod max min add subtract multiply floor_divide remainder maximum minimum clip negative abs "
    "sign square".split()
)


def is_count(primitive: Primitive, operands: Sequence[Any]) -> bool:
    """Whether the result is a whole number for the code: a place, a count, or computed from such alone."""
    if primitive.name in PLACES:
        return True
    return primitive.name in COUNTING | MOVING and all(map(_is_whole, operands))


def _is_whole(x: Any) -> bool:
    return x.is_whole if isinstance(x, Traced) else np.asarray(x).dtype.kind in "iub"


def is_truth(x: Any) -> bool:
    """Whether a value is a condition."""
    return x.is_truth if isinstance(x, Traced) else np.asarray(x).dtype.kind == "b"


def held(function: Callable[..., Any], *args: Any, kind: str = "value", **kwargs: Any) -> Any:
    """The plain result of a function that is no operation; other operands would be another computation."""
    return function(*_guarded(args, kind), **_guarded(kwargs, kind))


def _guarded(x: Any, kind: str) -> Any:
    if isinstance(x, tuple | list):
        return type(x)(_guarded(item, kind) for item in x)
    if isinstance(x, dict):
        return {key: _guarded(item, kind) for key, item in x.items()}
    return x.guard(kind) if isinstance(x, Traced) else x


def ordered(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose result is the same as long as the order of the elements of its first operand is."""

    def call(a: Any, *args: Any, **kwargs: Any) -> Any:
        for one in a if isinstance(a, tuple | list) else (a,):
            if isinstance(one, Traced):
                apply("argsort", [one], {"axis": None}).guard("elements")
        return held(function, plain_all(a), *args, **kwargs)

    return call


def plain_all(x: Any) -> Any:
    return type(x)(map(plain, x)) if isinstance(x, tuple | list) else plain(x)


def as_mask(x: Any) -> Any:
    """What is not 0, as a condition."""
    return x if is_truth(x) else np.not_equal(x, 0.0)


def of_mask(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of what is not 0, whose shape depends on it."""
    return lambda a, *args, **kwargs: held(function, as_mask(a), *args, kind="elements", **kwargs)


def _count(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return np.sum(as_mask(a), axis=axis, keepdims=keepdims)


def _any(a: Any, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
    return np.not_equal(_count(a, axis, keepdims), 0.0)


def _all(a: Any, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
    return np.equal(_count(np.logical_not(a), axis, keepdims), 0.0)


def _isclose(a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> Any:
    near = np.logical_and(np.less_equal(np.abs(a - b), atol + rtol * np.abs(b)), np.isfinite(b))
    near = np.logical_or(near, np.equal(a, b))
    return np.logical_or(near, np.logical_and(np.isnan(a), np.isnan(b))) if equal_nan else near


def _array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    if np.shape(a1) != np.shape(a2):
        return False
    same = np.equal(a1, a2)
    return _all(np.logical_or(same, np.logical_and(np.isnan(a1), np.isnan(a2))) if equal_nan else same)


def _searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    ordered_ = a if sorter is None else np.take(a, sorter)
    below = np.less if side == "left" else np.less_equal
    return np.sum(below(ordered_, np.expand_dims(v, -1)), axis=-1)


def _digitize(x: Any, bins: Any, right: bool = False) -> Any:
    edges, side = plain(bins), "left" if right else "right"
    if np.size(edges) > 1 and edges[0] > edges[-1]:
        return np.size(edges) - _searchsorted(np.flip(bins), x, "right" if right else "left")
    return _searchsorted(bins, x, side)


def _isin(element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False) -> Any:
    inside = _any(np.equal(np.expand_dims(element, -1), np.ravel(test_elements)), axis=-1)
    return np.logical_not(inside) if invert else inside


def _nan_place(find: Callable[..., Any], filled: float) -> Callable[..., Any]:
    return lambda a, axis=None, keepdims=False: find(np.where(np.isnan(a), filled, a), axis=axis, keepdims=keepdims)


def _signbit(x: Any) -> Any:
    """Whether a number is negative, -0 included."""
    return np.less(np.where(np.equal(x, 0.0), 1.0 / np.where(np.equal(x, 0.0), x, 1.0), x), 0.0)


CONDITION_UFUNCS: dict[str, Callable[..., Any]] = {"signbit": _signbit}
CONDITIONS: dict[Any, Callable[..., Any]] = {
    np.all: _all,
    np.any: _any,
    np.count_nonzero: _count,
    np.isclose: _isclose,
    np.allclose: lambda a, b, rtol=1e-5, atol=1e-8, equal_nan=False: _all(_isclose(a, b, rtol, atol, equal_nan)),
    np.array_equal: _array_equal,
    np.array_equiv: lambda a1, a2: _all(np.equal(a1, a2)),
    np.searchsorted: _searchsorted,
    np.digitize: _digitize,
    np.isin: _isin,
    np.nanargmax: _nan_place(np.argmax, -np.inf),
    np.nanargmin: _nan_place(np.argmin, np.inf),
    np.isposinf: lambda x: np.equal(x, np.inf),
    np.isneginf: lambda x: np.equal(x, -np.inf),
    np.nonzero: of_mask(np.nonzero),
    np.flatnonzero: of_mask(np.flatnonzero),
    np.argwhere: of_mask(np.argwhere),
    np.argpartition: ordered(np.argpartition),
    np.lexsort: ordered(np.lexsort),
    np.histogram: lambda a, *args, **kwargs: held(np.histogram, a, *args, **kwargs),
    np.linalg.matrix_rank: lambda A, *args, **kwargs: held(np.linalg.matrix_rank, A, *args, **kwargs),
}
