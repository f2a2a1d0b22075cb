"""PyTorch's functions that move elements and those with several forms, under its own names and parameters.

A name that Python has taken ends with an underscore. They act on traced values.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from cadena.core.capture import torch_gradients
from cadena.core.capture.jax_primitives import added_at
from cadena.core.capture.torch_conditions import argsort, taken_along
from cadena.core.ops.selection import EACH
from cadena.core.tracing.computed_index import replaced
from cadena.core.tracing.traced import Traced, apply, index_text, is_computed

Dims = int | Sequence[int] | None


def _sizes(first: Any, more: tuple[Any, ...]) -> list[int]:
    """Sizes that were given one by one, or in one list."""
    return [int(item) for item in (first if isinstance(first, tuple | list) else (first, *more))]


def view(input: Any, shape: Any = (), *more: int, size: Any = None) -> Any:
    return np.reshape(input, _sizes(shape if size is None else size, more))


def reshape(input: Any, shape: Any = (), *more: int) -> Any:
    return np.reshape(input, _sizes(shape, more))


def permute(input: Any, dims: Any, *more: int) -> Any:
    return np.transpose(input, _sizes(dims, more))


def transpose(input: Any, dim0: int, dim1: int) -> Any:
    return np.swapaxes(input, dim0, dim1)


def t(input: Any) -> Any:
    return input.T


T_ = t


def mT(input: Any) -> Any:
    return np.swapaxes(input, -1, -2)


def flatten(input: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    if not input.ndim:
        return np.reshape(input, [1])
    first, last = start_dim % input.ndim, end_dim % input.ndim
    return np.reshape(input, [*input.shape[:first], math.prod(input.shape[first : last + 1]), *input.shape[last + 1 :]])


def unflatten(input: Any, dim: int, sizes: Sequence[int]) -> Any:
    at = dim % input.ndim
    return np.reshape(input, [*input.shape[:at], *sizes, *input.shape[at + 1 :]])


def expand(input: Any, size: Any, *more: int) -> Any:
    sizes = _sizes(size, more)
    own = (*(1,) * (len(sizes) - input.ndim), *input.shape)
    return np.broadcast_to(input, [there if new == -1 else new for new, there in zip(sizes, own)])


def expand_as(input: Any, other: Any) -> Any:
    return np.broadcast_to(input, list(other.shape))


def repeat(input: Any, sizes: Any, *more: int) -> Any:
    return np.tile(input, _sizes(sizes, more))


def _same(input: Any, *args: Any, **kwargs: Any) -> Any:
    """The tensor itself: memory formats are not known here, and number types are the recorder's."""
    return input


contiguous = clone = to = float = double = half = type = type_as = _same


def view_as(input: Any, other: Any) -> Any:
    return np.reshape(input, list(other.shape))


def __getitem__(input: Any, index: Any) -> Any:
    return input[_index(index)]


def __setitem__(input: Any, index: Any, value: Any) -> Any:
    return replaced_at(input, _index(index), value)


def put(input: Any, index: Any, source: Any, accumulate: bool = False) -> Any:
    flat, places, values = np.reshape(input, [-1]), _index(index), np.reshape(source, [-1])
    places = np.reshape(places, [-1])
    if accumulate:
        return np.reshape(added_at(flat, places % flat.shape[0], values), input.shape)
    return np.reshape(replaced_at(flat, places, values), input.shape)


def replaced_at(input: Any, index: Any, values: Any) -> Any:
    """The tensor with other values at an index. Of several for one element the last counts, and all get its gradient,
    as in PyTorch."""
    if is_computed(index) or not isinstance(values, Traced):
        return replaced(input, index, values)
    places = np.arange(math.prod(input.shape)).reshape(input.shape)[index]
    if len(np.unique(places)) == places.size:
        return replaced(input, index, values)
    return apply("index_put", [input, values], {"index": index_text(index), "repeated": EACH})


def _index(index: Any) -> Any:
    """An index with plain numbers in place of constants; the recorder has made masks places."""
    if isinstance(index, tuple | list) and not builtins.all(isinstance(part, int) for part in index):
        return tuple(_index(part) for part in index)
    return np.asarray(index.value).astype(int) if isinstance(index, Traced) and not index.is_whole else index


def select(input: Any, dim: int, index: int) -> Any:
    return np.moveaxis(input, dim, 0)[index] if dim else input[index]


def narrow(input: Any, dim: int, start: int, length: int) -> Any:
    return _slice(input, dim, start, start + length)


def _slice(input: Any, dim: int, start: int, stop: int) -> Any:
    places: list[Any] = [slice(None)] * input.ndim
    places[dim % input.ndim] = slice(start, stop)
    return input[tuple(places)]


def chunk(input: Any, chunks: int, dim: int = 0) -> Any:
    return split(input, -(-input.shape[dim] // chunks), dim)


def split(input: Any, split_size_or_sections: Any = 1, dim: int = 0, split_size: Any = None) -> Any:
    length = input.shape[dim]
    size = split_size_or_sections if split_size is None else split_size
    sizes = (
        size if isinstance(size, tuple | list) else [builtins.min(size, length - at) for at in range(0, length, size)]
    )
    ends = np.cumsum(sizes)
    return [_slice(input, dim, int(end - size), int(end)) for size, end in zip(sizes, ends)]


def unbind(input: Any, dim: int = 0) -> Any:
    return [select(input, dim, index) for index in range(input.shape[dim])]


def cat(tensors: Sequence[Any], dim: int = 0) -> Any:
    return apply("concatenate", list(tensors), {"axis": dim})


concat = concatenate = cat


def stack(tensors: Sequence[Any], dim: int = 0) -> Any:
    return apply("stack", list(tensors), {"axis": dim})


def squeeze(input: Any, dim: Dims = None) -> Any:
    if dim is None:
        return np.squeeze(input)
    axes = [axis % input.ndim for axis in ([dim] if isinstance(dim, int) else dim)]
    return np.reshape(input, [size for axis, size in enumerate(input.shape) if axis not in axes or size != 1])


def clamp_min(input: Any, min: Any) -> Any:
    return (
        torch_gradients.clamped_below(input, min) if isinstance(min, Traced) else apply("clip", [input], {"min": min})
    )


def clamp_max(input: Any, max: Any) -> Any:
    return (
        torch_gradients.clamped_above(input, max) if isinstance(max, Traced) else apply("clip", [input], {"max": max})
    )


def zero(input: Any) -> Any:
    return np.zeros(input.shape)


def fill(input: Any, value: Any) -> Any:
    return np.broadcast_to(value, input.shape)


def masked_fill(input: Any, mask: Any, value: Any) -> Any:
    return apply("where", [mask, value, input])


def einsum(equation: str, *operands: Any) -> Any:
    listed = operands[0] if len(operands) == 1 and isinstance(operands[0], tuple | list) else operands
    return apply("einsum", list(listed), {"subscripts": equation})


def add(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    return input + (other if alpha == 1 else other * alpha)


def sub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    return input - (other if alpha == 1 else other * alpha)


def rsub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    return other - (input if alpha == 1 else input * alpha)


def div(input: Any, other: Any, *, rounding_mode: str | None = None) -> Any:
    way = {None: "divide", "floor": "floor_divide"}
    if rounding_mode not in way:
        return apply("trunc", [input / other])
    return apply(way[rounding_mode], [input, other])


def addmm(input: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    return add(mul_(input, beta), mat1 @ mat2, alpha=alpha)


baddbmm = addmv = addmm


def addbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    return add(mul_(input, beta), np.sum(batch1 @ batch2, axis=0), alpha=alpha)


def mul_(input: Any, other: Any) -> Any:
    return input if isinstance(other, int) and other == 1 else input * other


def addcmul(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    return input + mul_(tensor1 * tensor2, value)


def addcdiv(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    return input + mul_(tensor1 / tensor2, value)


def lerp(input: Any, end: Any, weight: Any) -> Any:
    return input + weight * (end - input)


def _variance(input: Any, dim: Any, unbiased: Any, correction: Any, keepdim: bool, name: str) -> Any:
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    ddof = correction if correction is not None else 1 if unbiased is None else int(unbiased)
    return apply(name, [input], {"axis": _axes(dim), "ddof": ddof, "keepdims": keepdim})


def _axes(dim: Any) -> Any:
    return list(dim) or None if isinstance(dim, tuple | list) else dim


def var(input: Any, dim: Any = None, unbiased: Any = None, keepdim: bool = False, *, correction: Any = None) -> Any:
    return _variance(input, dim, unbiased, correction, keepdim, "var")


def std(input: Any, dim: Any = None, unbiased: Any = None, keepdim: bool = False, *, correction: Any = None) -> Any:
    return _variance(input, dim, unbiased, correction, keepdim, "std")


def _extreme(name: str, pairwise: str, input: Any, dim: Any, keepdim: bool) -> Any:
    if isinstance(dim, Traced):
        return apply(pairwise, [input, dim])
    if dim is None:
        return apply(name, [input])
    places = apply(f"arg{name}", [input], {"axis": dim, "keepdims": True})
    value = taken_along(input, places, dim)  # the first of equal ones gets the gradient
    return [item if keepdim else np.squeeze(item, axis=dim) for item in (value, places)]


def max(input: Any, dim: Any = None, keepdim: bool = False, *, other: Any = None) -> Any:
    return _extreme("max", "maximum", input, dim if other is None else other, keepdim)


def min(input: Any, dim: Any = None, keepdim: bool = False, *, other: Any = None) -> Any:
    return _extreme("min", "minimum", input, dim if other is None else other, keepdim)


def sort(input: Any, dim: int = -1, descending: bool = False, stable: Any = None) -> Any:
    places = argsort(input, dim, descending)
    return [taken_along(input, places, dim), places]


def roll(input: Any, shifts: Any, dims: Any = None) -> Any:
    return apply("roll", [input], {"shift": _axes(shifts), "axis": _axes(dims)})


def pad(input: Any, pad: Sequence[int], mode: str = "constant", value: Any = None) -> Any:
    pairs = [list(pad[at : at + 2]) for at in range(0, len(pad), 2)][::-1]
    widths = [[0, 0]] * (input.ndim - len(pairs)) + pairs
    modes = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}
    filled = {"constant_values": builtins.float(value or 0)} if mode == "constant" else {}
    return apply("pad", [input], {"pad_width": widths, "mode": modes[mode], **filled})
