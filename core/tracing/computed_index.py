"""Indexing with places and conditions that are computed themselves, written with operations that read them.

A condition that chooses elements makes the shape of the result; it is read once, and guarded.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from cadena.core.ops.shaping import parse_index
from cadena.core.tracing.conditions import PLACES
from cadena.core.tracing.traced import Traced, apply, index_text, is_computed


def elements(x: Any, index: Any) -> Any:
    """x[index]; of a computed place that is not there nan, which is a fault."""
    parts = settled(index)
    x = x if isinstance(x, Traced) else np.asarray(x)
    if not is_computed(parts):
        return apply("getitem", [x], {"index": index_text(parts)})
    full = _full(parts, np.ndim(x))
    basic = tuple(part if _is_basic(part) else slice(None) for part in full)
    kept = x if all(part == slice(None) for part in basic) else apply("getitem", [x], {"index": index_text(basic)})
    places = [axis for axis, part in enumerate(full) if not _is_basic(part)]
    sizes, others = [np.shape(kept)[axis] for axis in places], [a for a in range(np.ndim(kept)) if a not in places]
    rest = [np.shape(kept)[axis] for axis in others]
    order = [*places, *others]
    moved = kept if order == [*range(len(order))] else np.transpose(kept, order)
    table = np.reshape(moved, (math.prod(sizes), *rest)) if len(places) > 1 else moved
    taken = apply("embedding", [_linear([full[axis] for axis in places], sizes), table])
    count = np.ndim(taken) - len(rest)
    if places[0] and places == [*range(places[0], places[-1] + 1)]:  # as numpy: one block stays where it was
        before = len([axis for axis in others if axis < places[0]])
        axes = [*range(count, count + before), *range(count), *range(count + before, np.ndim(taken))]
        return np.transpose(taken, axes)
    return taken


def replaced(x: Any, index: Any, values: Any, accumulate: bool = False) -> Any:
    """`x` with other values at an index, or with values added there."""
    if isinstance(index, Traced) and index.is_truth and np.ndim(values) == 0 and not accumulate:
        shape = (*index.shape, *(1,) * (np.ndim(x) - index.ndim))
        return np.where(index if shape == index.shape else np.reshape(index, shape), values, x)
    parts = settled(index)
    if not is_computed(parts) and not accumulate:
        return apply("index_put", [x, values], {"index": index_text(parts)})
    numbers = np.arange(math.prod(np.shape(x)), dtype=np.float64).reshape(np.shape(x))
    places = elements(numbers, parts) if is_computed(parts) else numbers[parse_index(index_text(parts))]
    if not np.size(places):
        return x
    filled = np.broadcast_to(values, np.shape(places)) if np.shape(values) != np.shape(places) else values
    flat = [np.reshape(item, (-1,)) for item in (x, places, filled)]
    put = apply("put_along_axis", flat, {"axis": 0, "accumulate": accumulate})
    return np.reshape(put, np.shape(x))


def settled(index: Any) -> Any:
    """The index with computed conditions as the places where they hold now, and lists of computed places joined."""
    if isinstance(index, tuple):
        return tuple(map(settled, index))
    if isinstance(index, Traced) and index.is_truth:
        return np.asarray(index.guard("elements")) != 0.0
    if isinstance(index, Traced) and not index.is_whole:
        raise TypeError(f"an index is whole numbers, slices or truth values, not {index.dtype}; write x.astype(int)")
    if isinstance(index, list) and is_computed(tuple(index)):
        return np.stack([np.asarray(item) if not isinstance(item, Traced) else item for item in index])
    return index


def _is_basic(part: Any) -> bool:
    return part is None or isinstance(part, slice)


def _full(index: Any, ndim: int) -> list[Any]:
    """The parts of an index, one for each axis and each new one; truth values as places."""
    parts: list[Any] = []
    for part in index if isinstance(index, tuple) else (index,):
        if isinstance(part, list):
            part = np.asarray(part)
        if isinstance(part, np.ndarray) and part.dtype.kind == "b":
            parts += np.nonzero(part)
        else:
            parts.append(part)
    used = sum(part is not None and part is not Ellipsis for part in parts)
    at = next((place for place, part in enumerate(parts) if part is Ellipsis), len(parts))
    return [*parts[:at], *[slice(None)] * (ndim - used), *parts[at + 1 :]]


def _linear(places: list[Any], sizes: list[int]) -> Any:
    """Places along several axes as one number each, counted through them; nan for what is not there."""
    total: Any = None
    for part, size in zip(places, sizes, strict=True):
        place = _from_front(part, size, checked=len(places) > 1)
        total = place if total is None else total * float(size) + place
    return total


def _from_front(part: Any, size: int, checked: bool) -> Any:
    if not isinstance(part, Traced):
        place = np.asarray(part)
        return np.where(place < 0, place + size, place).astype(np.float64)
    call = part.tape.calls[part.number]
    if call is not None and call.primitive.name in PLACES:
        return part
    place = np.where(np.less(part, 0.0), part + float(size), part)
    return np.where((place >= 0.0) & (place < float(size)), place, np.nan) if checked else place
