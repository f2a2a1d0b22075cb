"""Functions that read and write at places along an axis: index_add, scatter, masked_scatter and their like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cadena.core.scripts.pytorch.tensor import TENSOR, Core, operate


def _at(input: Core, dim: int, index: Any) -> tuple[Any, ...]:
    return (*(slice(None),) * (dim % max(input.array.ndim, 1)), index)


def index_select(input: Any, dim: int, index: Any) -> Any:
    return input[_at(input, dim, index.reshape(-1))]


def index_put(input: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
    return input._put(tuple(indices), values, accumulate)


def index_add(input: Any, dim: int, index: Any, source: Any, *, alpha: float = 1) -> Any:
    return input._put(_at(input, dim, index), source if alpha == 1 else source * alpha, True)


def index_copy(input: Any, dim: int, index: Any, source: Any) -> Any:
    return input._put(_at(input, dim, index), source)


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
    return input._put(places, source.reshape(-1)[: int(places.array.sum())])


def masked_select(input: Any, mask: Any) -> Any:
    shape = [*np.broadcast_shapes(input.array.shape, mask.array.shape)]
    values, places = (operate("broadcast_to", (item,), {"shape": shape}) for item in (input, mask))
    return values[places]


SCATTERING: dict[str, Callable[..., Any]] = {
    item.__name__: item for item in (
        index_select, index_put, index_add, index_copy, index_fill, scatter, scatter_add, masked_scatter, masked_select,
    )
}  # fmt: skip
