"""Tensors from numbers and from nothing: torch.tensor, zeros, arange, randn and their like."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from cadena.core.scripts.followed import Scalar, is_followed, stopped
from cadena.core.scripts.pytorch import table
from cadena.core.scripts.pytorch.dtypes import CONSTRUCTORS, DTYPES, DType, dtype_of
from cadena.core.scripts.pytorch.state import STATE
from cadena.core.scripts.pytorch.tensor import TENSOR, Core, Size, cast
from cadena.core.tracing.traced import Traced, apply


def _tensor(array: Any, dtype: DType | None, requires_grad: bool = False) -> Any:
    tensor = TENSOR[0](np.array(array, dtype.numpy if dtype else None))
    if requires_grad:
        tensor.requires_grad = True
    return tensor


def _default() -> DType:
    return DTYPES[STATE.dtype.name]


def _numbers(data: Any, dtype: DType | None = None) -> np.ndarray[Any, Any]:
    """Numbers, nested lists and tensors as an array of the type that PyTorch gives them, or of a chosen one."""
    if isinstance(data, np.ndarray | np.generic):
        return np.asarray(data)
    if isinstance(data, Core):
        return np.asarray(data.array)
    array = np.asarray(_unpacked(data))
    if array.dtype.kind not in "biuf":
        raise TypeError(f"a tensor is made of numbers, not of {type(data).__name__}")
    if dtype is None and (array.size == 0 or (array.dtype.kind == "f" and not _holds_numpy(data))):
        return array.astype(STATE.dtype)
    return array


def _unpacked(data: Any) -> Any:
    if isinstance(data, Core):
        return data.array
    return [_unpacked(item) for item in data] if isinstance(data, list | tuple) else data


def _holds_numpy(data: Any) -> bool:
    while isinstance(data, list | tuple) and data:
        data = data[0]
    return isinstance(data, np.ndarray | np.generic)


def tensor(data: Any, *, dtype: DType | None = None, requires_grad: bool = False) -> Any:
    result = _tensor(_numbers(data, dtype), dtype, requires_grad)
    if requires_grad or not is_followed(data):
        return result
    return result.keep(_place(data, np.ndim(result.array)))


def _place(data: Any, ndim: int) -> Any:
    """The place on the tape of numbers and nested lists of them, without a gradient."""
    if isinstance(data, list | tuple):
        parts = [_place(item, ndim - 1) for item in data]
        return apply("stack", [part if isinstance(part, Traced) else np.asarray(part, np.float64) for part in parts])
    return stopped(data.tensor if isinstance(data, Scalar) else data) if is_followed(data) else data


def as_tensor(data: Any, dtype: DType | None = None) -> Any:
    if isinstance(data, Core):
        return data if dtype is None else cast(data, dtype.numpy)
    if isinstance(data, np.ndarray) and dtype in (None, dtype_of(data)):
        return from_numpy(data)
    return _tensor(_numbers(data, dtype), dtype)


def from_numpy(ndarray: Any) -> Any:
    tensor = TENSOR[0](ndarray)
    tensor._memory.exposed = True
    return tensor


def legacy(name: str) -> Callable[..., Any]:
    """torch.FloatTensor and its like: from a list, or of a size."""
    dtype = DTYPES[CONSTRUCTORS[name]]

    def call(*data: Any) -> Any:
        if len(data) == 1 and not isinstance(data[0], int | Size):
            return _tensor(_numbers(data[0], dtype), dtype)
        sizes = data[0] if data and isinstance(data[0], Size) else data or (0,)
        return _tensor(np.zeros(sizes), dtype)

    call.__name__ = call.__qualname__ = name
    return call


def _size(size: tuple[Any, ...]) -> tuple[int, ...]:
    listed = size[0] if len(size) == 1 and not isinstance(size[0], int | Core) else size
    return tuple(map(int, listed))


def _filled(number: float) -> Callable[..., Any]:
    def call(*size: Any, dtype: DType | None = None, requires_grad: bool = False) -> Any:
        return _tensor(np.full(_size(size), number), dtype or _default(), requires_grad)

    return call


def _filled_like(number: float) -> Callable[..., Any]:
    def call(input: Any, *, dtype: DType | None = None, requires_grad: bool = False) -> Any:
        return _tensor(np.full(input.array.shape, number), dtype or input.dtype, requires_grad)

    return call


def full(size: Any, fill_value: Any, *, dtype: DType | None = None, requires_grad: bool = False) -> Any:
    array = np.full(_size((size,)), _unpacked(fill_value))
    result = _tensor(array, dtype or (_default() if array.dtype.kind == "f" else None), requires_grad)
    return _filled_with(result, fill_value)


def full_like(input: Any, fill_value: Any, *, dtype: DType | None = None, requires_grad: bool = False) -> Any:
    result = _tensor(np.full(input.array.shape, _unpacked(fill_value)), dtype or input.dtype, requires_grad)
    return _filled_with(result, fill_value)


def _filled_with(result: Any, number: Any) -> Any:
    """A new tensor, which follows the number that it is full of."""
    if result.requires_grad or not is_followed(number):
        return result
    return result.keep(apply("broadcast_to", [_place(number, 0)], {"shape": [*result.array.shape]}))


def eye(n: int, m: int | None = None, *, dtype: DType | None = None, requires_grad: bool = False) -> Any:
    return _tensor(np.eye(n, m), dtype or _default(), requires_grad)


def arange(
    start: Any = 0, end: Any = None, step: Any = 1, *, dtype: DType | None = None, requires_grad: bool = False
) -> Any:
    if end is None:
        start, end = 0, start
    plain = [item.item() if isinstance(item, Core) else item for item in (start, end, step)]
    count = max(0, math.ceil((plain[1] - plain[0]) / plain[2]))
    array = np.asarray(plain[0] + np.arange(count) * plain[2])
    if any(isinstance(item, float) for item in plain):
        array = array.astype(np.float64)
    return _tensor(array, dtype or (_default() if array.dtype.kind == "f" else None), requires_grad)


def linspace(start: float, end: float, steps: int, *, dtype: DType | None = None, requires_grad: bool = False) -> Any:
    kind = (dtype or _default()).numpy.type
    first, last, places = kind(start), kind(end), np.arange(steps)
    step = np.float64((last - first) / kind(max(steps - 1, 1)))  # the products and sums are rounded once
    upper = last - step * (steps - 1 - places)
    return _tensor(np.where(places < steps // 2, first + step * places, upper), dtype or _default(), requires_grad)


def meshgrid(*tensors: Any, indexing: str | None = None) -> Any:
    listed = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], list | tuple) else tensors
    axes: list[Any] = [item.array for item in listed]
    grids: Any = np.meshgrid(*axes, indexing="xy" if indexing == "xy" else "ij")
    if not is_followed(listed):
        return tuple(map(TENSOR[0], grids))
    order = [1, 0, *range(2, len(listed))] if indexing == "xy" and len(listed) > 1 else range(len(listed))
    shapes = [[-1 if axis == order[place] else 1 for axis in range(len(listed))] for place in range(len(listed))]
    return tuple(item.reshape(shape).expand(*grids[0].shape) for item, shape in zip(listed, shapes, strict=True))


def draw(kind: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Random numbers, "uniform" or "normal"."""
    numbers: np.ndarray[Any, Any] = getattr(STATE.dice, kind)(int(np.prod(shape, dtype=int)), dtype)
    return numbers.reshape(shape)


def _drawn(kind: str) -> Callable[..., Any]:
    def call(*size: Any, dtype: DType | None = None, requires_grad: bool = False) -> Any:
        chosen = dtype or _default()
        return _tensor(draw(kind, _size(size), chosen.numpy), chosen, requires_grad)

    return call


def _drawn_like(kind: str) -> Callable[..., Any]:
    def call(input: Any, *, dtype: DType | None = None, requires_grad: bool = False) -> Any:
        chosen = dtype or input.dtype
        return _tensor(draw(kind, input.array.shape, chosen.numpy), chosen, requires_grad)

    return call


def normal(
    mean: Any = 0.0, std: Any = 1.0, size: Any = None, *, dtype: DType | None = None, requires_grad: bool = False
) -> Any:
    """Random numbers around a mean; numbers and sizes, or tensors."""
    if size is None:
        shape = np.broadcast_shapes(*(item.array.shape for item in (mean, std) if isinstance(item, Core)))
        return TENSOR[0](draw("normal", shape, STATE.dtype)) * std + mean
    chosen = dtype or _default()
    numbers = draw("normal", _size((size,)), chosen.numpy).astype(np.float64)  # rounded once, as in PyTorch
    return _tensor(numbers * std + mean, chosen, requires_grad)


def manual_seed(seed: int) -> None:
    STATE.dice.seed(int(seed))


CREATING: dict[str, Callable[..., Any]] = table.in_module("torch", {
    **{item.__name__: item for item in (
        tensor, as_tensor, from_numpy, full, full_like, eye, arange, linspace, meshgrid, normal, manual_seed,
    )},
    "zeros": _filled(0), "ones": _filled(1), "empty": _filled(0),
    "zeros_like": _filled_like(0), "ones_like": _filled_like(1), "empty_like": _filled_like(0),
    "rand": _drawn("uniform"), "randn": _drawn("normal"),
    "rand_like": _drawn_like("uniform"), "randn_like": _drawn_like("normal"),
    **{name: legacy(name) for name in CONSTRUCTORS},
})  # fmt: skip
