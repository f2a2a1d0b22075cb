"""Tensors of PyTorch that share memory: what stands for one of them after another was changed in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from cadena.core.capture.torch_tensors import is_wrapped
from cadena.core.tracing.traced import apply, index_text


def memory_of(tensor: Any) -> int:
    """Where the memory of a tensor begins, in which its views are too; 0 for one that has none."""
    if is_wrapped(tensor) or str(tensor.layout) != "torch.strided" or not tensor.data_ptr():
        return 0
    return int(tensor.data_ptr() - tensor.storage_offset() * tensor.element_size())


def overlap(first: Any, second: Any) -> bool:
    """Whether two tensors in one memory have elements in common."""
    return bool(np.intersect1d(_positions(first), _positions(second)).size)


def with_part(whole: Any, traced: Any, part: Any, value: Any) -> Any:
    """What stands for a tensor after those of its elements changed that another has too."""
    there, changed = _positions(whole), _positions(part)
    order = np.argsort(changed)
    nearest = order[np.minimum(np.searchsorted(changed, there, sorter=order), len(order) - 1)]
    own = np.flatnonzero(changed[nearest] == there)
    from_part = nearest[own]
    if not len(own):
        return traced
    is_whole_part = len(own) == len(changed) and bool((from_part == np.arange(len(own))).all())
    if len(own) == len(there):
        return _shaped(value, tuple(whole.shape)) if is_whole_part else _taken(value, from_part, tuple(whole.shape))
    new = value if is_whole_part else _taken(value, from_part, (len(own),))
    if (block := _block(own, tuple(whole.shape))) is not None:
        index, shape = block
        return apply("index_put", [traced, _shaped(new, shape)], {"index": index_text(index)})
    flat = apply("index_put", [np.reshape(traced, [-1]), _shaped(new, (len(own),))], {"index": index_text(own)})
    return np.reshape(flat, list(whole.shape))


def _taken(value: Any, places: Any, shape: tuple[int, ...]) -> Any:
    """The elements of a value at these places, counted row by row."""
    block = _block(places, value.shape)
    if block is not None:
        return _shaped(value[block[0]], shape)
    return _shaped(np.reshape(value, [-1])[places], shape)


def _shaped(value: Any, shape: tuple[int, ...]) -> Any:
    return value if value.shape == shape else np.reshape(value, list(shape))


def _block(places: Any, shape: tuple[int, ...]) -> tuple[Any, tuple[int, ...]] | None:
    """The places, counted row by row, as an index of numbers and slices, and its shape; None where it takes others."""
    if not shape:
        return None
    along = [np.unique(axis) for axis in np.unravel_index(places, shape)]
    grid = np.ravel_multi_index(np.meshgrid(*along, indexing="ij"), shape).ravel()
    if not np.array_equal(grid, places):
        return None
    index: list[Any] = []
    for axis, size in zip(along, shape):
        start, stop, step = int(axis[0]), int(axis[-1]) + 1, int(axis[1] - axis[0]) if len(axis) > 1 else 1
        if (np.diff(axis) != step).any():
            return None
        if len(axis) == 1 and size > 1:
            index.append(start)
        else:
            index.append(slice(start or None, stop if stop < size else None, step if step > 1 else None))
    sizes = tuple(len(axis) for axis, item in zip(along, index) if isinstance(item, slice))
    while len(index) > 1 and index[-1] == slice(None):
        index.pop()
    return tuple(index) if len(index) > 1 else index[0], sizes


def _positions(tensor: Any) -> np.ndarray[Any, Any]:
    """Where in its memory the elements of a tensor are, in order."""
    offsets = (np.arange(size) * step for size, step in zip(tensor.shape, tensor.stride()))
    total = np.full((), tensor.storage_offset())
    for offset in offsets:
        total = total[..., None] + offset
    return total.ravel()
