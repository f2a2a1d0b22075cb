"""PyTorch's comparisons, logic and places, under its own names and parameters, on traced values.

They are nodes without a gradient, so that a choice follows new numbers. A name that Python has taken ends with an
underscore.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cadena.core.capture.record import Unknown
from cadena.core.tracing.conditions import as_mask
from cadena.core.tracing.traced import Traced, apply, plain

# numpy's functions, which traced values take, and PyTorch's names of each.
_NAMES: dict[Callable[..., Any], str] = {
    np.greater: "greater gt __gt__", np.greater_equal: "greater_equal ge __ge__",
    np.less: "less lt __lt__", np.less_equal: "less_equal le __le__",
    np.equal: "eq __eq__", np.not_equal: "ne not_equal __ne__",
    np.logical_and: "logical_and", np.logical_or: "logical_or", np.logical_xor: "logical_xor",
    np.logical_not: "logical_not",
    np.isnan: "isnan", np.isinf: "isinf", np.isfinite: "isfinite", np.signbit: "signbit", np.isclose: "isclose",
}  # fmt: skip
BY_NUMPY = {name: function for function, names in _NAMES.items() for name in names.split()}


def all_truths(items: Sequence[Any]) -> bool:
    return all(item.is_truth if isinstance(item, Traced) else np.asarray(item).dtype.kind == "b" for item in items)


def _of_truths(function: Any) -> Any:
    def call(input: Any, *others: Any) -> Any:
        if not all_truths((input, *others)):
            raise Unknown("bits of whole numbers are known here for conditions alone")
        return function(input, *others)

    return call


bitwise_and = __and__ = __rand__ = _of_truths(np.logical_and)
bitwise_or = __or__ = __ror__ = _of_truths(np.logical_or)
bitwise_xor = __xor__ = __rxor__ = _of_truths(np.logical_xor)
bitwise_not = __invert__ = _of_truths(np.logical_not)


def _axes(dim: Any) -> Any:
    return tuple(dim) if isinstance(dim, list | tuple) else dim


def any_(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    return np.any(input, axis=_axes(dim), keepdims=keepdim)


def all_(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    return np.all(input, axis=_axes(dim), keepdims=keepdim)


def count_nonzero(input: Any, dim: Any = None) -> Any:
    return np.count_nonzero(input, axis=_axes(dim))


def argmax(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    return np.argmax(input, axis=dim, keepdims=keepdim)


def argmin(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    return np.argmin(input, axis=dim, keepdims=keepdim)


def argsort(input: Any, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    return np.argsort(-input if descending else input, axis=dim)


def bool_(input: Any) -> Any:
    return as_mask(input)


def long(input: Any) -> Any:
    return input.astype(np.int64)


int_ = int64 = long


def one_hot(tensor: Any, num_classes: int = -1) -> Any:
    if num_classes < 0:
        num_classes = int(np.max(tensor)) + 1
    return np.equal(np.expand_dims(tensor, -1), np.arange(num_classes))


def nonzero(input: Any, *, as_tuple: bool = False) -> Any:
    indices = np.nonzero(as_mask(input))
    return [np.asarray(item) for item in indices] if as_tuple else np.stack(indices, axis=-1)


def taken_along(input: Any, places: Any, dim: int) -> Any:
    return apply("take_along_axis", [input, places], {"axis": dim})


def has_ties(input: Any, dim: int) -> bool:
    """Whether elements along an axis are equal, so that PyTorch's choice among them matters for a gradient."""
    return bool((np.diff(np.sort(plain(input), axis=dim), axis=dim) == 0).any())


def topk(input: Any, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    if has_ties(input, dim):
        raise Unknown("topk is known here without ties")
    places = _first(argsort(input, dim, largest), dim, 0, k)
    return [taken_along(input, places, dim), places]


def kthvalue(input: Any, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    if has_ties(input, dim):
        raise Unknown("kthvalue is known here without ties")
    places = _first(argsort(input, dim), dim, k - 1, k)
    values = taken_along(input, places, dim)
    return [item if keepdim else np.squeeze(item, axis=dim) for item in (values, places)]


def median(input: Any, dim: int, keepdim: bool = False) -> Any:
    """The lower of both in the middle, as PyTorch has it."""
    return kthvalue(input, (input.shape[dim] + 1) // 2, dim, keepdim)


def _first(places: Any, dim: int, start: int, stop: int) -> Any:
    index: list[Any] = [slice(None)] * places.ndim
    index[dim % places.ndim] = slice(start or None, stop)
    return places[tuple(index)]
