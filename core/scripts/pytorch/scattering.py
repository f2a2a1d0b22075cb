"""Functions that read and write at places along an axis: index_add, scatter, masked_scatter and their like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cadena.core.scripts.pytorch.state import STATE
from cadena.core.scripts.pytorch.tensor import TENSOR, Core, operate, saved_of


def _at(input: Core, dim: int, index: Any) -> tuple[Any, ...]:
    return (*(slice(None),) * (dim % max(input.array.ndim, 1)), index)


def index_select(input: Any, dim: int, index: Any) -> Any:
    return input[_at(input, dim, index.reshape(-1))]


def index_put(input: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
    return input._put(tuple(indices), values, accumulate)


def index_add(input: Any, dim: int, index: Any, source: Any, *, alpha: float = 1) -> Any:
    _check_source("index_add_", input, dim, index, source)
    return _kept(input._put(_at(input, dim, index), source if alpha == 1 else source * alpha, True), source)


def index_copy(input: Any, dim: int, index: Any, source: Any) -> Any:
    _check_source("index_copy_", input, dim, index, source)
    return _kept(input._put(_at(input, dim, index), source), source)


def _check_source(name: str, input: Core, dim: int, index: Core, source: Core) -> None:
    shape = [*input.shape]
    if shape:
        shape[dim] = index.array.size
    if [*source.shape] != shape:
        raise RuntimeError(f"{name}(): the source has shape {[*source.shape]}, and its places take {shape}")


def _kept(result: Core, source: Core) -> Core:
    """A result for whose backward pass PyTorch keeps the source too."""
    if result._own is not None and source.requires_grad:
        STATE.tape.saved.setdefault(result._own.number, []).append((SOURCE, saved_of(source)))
    return result


SOURCE = 9  # its place among what is kept, behind those of an index


def index_fill(input: Any, dim: int, index: Any, value: Any) -> Any:
    return input._put(_at(input, dim, index), value)


def _grid(input: Core, dim: int, index: Core) -> tuple[Any, ...]:
    """The places that an index of as many axes means: along `dim` its own, along the others where it stands."""
    axes = [np.arange(size).reshape(-1, *(1,) * (index.array.ndim - axis - 1)) for axis, size in enumerate(index.shape)]
    whole = [np.broadcast_to(axis, index.array.shape) for axis in axes]
    return tuple(index if axis == dim % input.array.ndim else TENSOR[0](item) for axis, item in enumerate(whole))


def _fitting(name: str, src: Any, index: Core) -> Any:
    """The part of the values for which there are places. Raises the error with which PyTorch's gradient ends."""
    if not isinstance(src, Core) or src.shape == index.shape:
        return src
    if src.requires_grad:
        raise RuntimeError(
            f"{name} of values of shape {[*src.shape]} at an index of shape {[*index.shape]} has no gradient; "
            "give both the same shape"
        )
    return src[tuple(slice(size) for size in index.shape)]


def scatter(input: Any, dim: int, index: Any, src: Any = None, *, value: Any = None) -> Any:
    return input._put(_grid(input, dim, index), _fitting("scatter", value if src is None else src, index))


def scatter_add(input: Any, dim: int, index: Any, src: Any) -> Any:
    return input._put(_grid(input, dim, index), _fitting("scatter_add", src, index), True)


def masked_scatter(input: Any, mask: Any, source: Any) -> Any:
    places = operate("broadcast_to", (mask,), {"shape": [*input.array.shape]})
    count = int(places.array.sum())
    if source.array.size < count:
        raise RuntimeError("masked_scatter: Number of elements of source < number of ones in mask")
    return input._put(places, source.reshape(-1)[:count])


def masked_select(input: Any, mask: Any) -> Any:
    shape = [*np.broadcast_shapes(input.array.shape, mask.array.shape)]
    values, places = (operate("broadcast_to", (item,), {"shape": shape}) for item in (input, mask))
    return _kept(values[places], input)


SCATTERING: dict[str, Callable[..., Any]] = {
    item.__name__: item for item in (
        index_select, index_put, index_add, index_copy, index_fill, scatter, scatter_add, masked_scatter, masked_select,
    )
}  # fmt: skip
