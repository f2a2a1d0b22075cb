"""Functions of PyTorch that are more than a row of the table: several results, whole numbers, or forms by arguments."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from cadena.core.ops.primitive import REGISTRY
from cadena.core.scripts.followed import followed
from cadena.core.scripts.pytorch.tensor import ONE_OF_SEVERAL, TENSOR, Core, operate
from cadena.core.tracing.views import diagonal_index

_Pair = namedtuple("_Pair", ("values", "indices"))


def _pair_type(name: str) -> Callable[..., Any]:
    def shown(pair: Any) -> str:
        return f"torch.return_types.{name}(\nvalues={pair.values!r},\nindices={pair.indices!r})"

    return type(name, (_Pair,), {"__repr__": shown, "__slots__": ()})


PAIRS = {name: _pair_type(name) for name in ("max", "min", "sort", "topk", "median")}


def _extreme(name: str) -> Callable[..., Any]:
    def call(input: Any, dim: Any = None, keepdim: bool = False, *, other: Any = None) -> Any:
        second = other if other is not None else dim
        if isinstance(second, Core):
            return operate(f"{name}imum", (input, second))
        if dim is None:
            return operate(name, (input,))
        places = _places(np.argmax if name == "max" else np.argmin, input, dim, True)
        values = operate("take_along_axis", (input, places), {"axis": dim}, needed=(1,))
        if not keepdim:
            values, places = (operate("squeeze", (item,), {"axis": dim}) for item in (values, places))
        values._fn = f"{name.capitalize()}Backward0"
        return PAIRS[name](values, places)

    return call


def _places(find: Any, tensor: Any, dim: Any, keepdim: bool) -> Any:
    result = TENSOR[0](np.asarray(find(tensor.array, axis=dim, keepdims=keepdim)))
    return followed(result, find, tensor, axis=dim, keepdims=keepdim)


def _place_of(find: Any) -> Callable[..., Any]:
    return lambda input, dim=None, keepdim=False: _places(find, input, dim, keepdim)


def argsort(input: Any, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    def order(x: Any) -> Any:
        return np.argsort(-x if descending else x, axis=dim, kind="stable")

    return followed(TENSOR[0](order(input.array)), order, input)


def sort(input: Any, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    places = argsort(input, dim, descending)
    return PAIRS["sort"](operate("take_along_axis", (input, places), {"axis": dim}, needed=(1,)), places)


def topk(input: Any, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    places = operate("take", (argsort(input, dim, largest),), {"indices": [*range(k)], "axis": dim})
    return PAIRS["topk"](operate("take_along_axis", (input, places), {"axis": dim}, needed=(1,)), places)


def _spread(name: str) -> Callable[..., Any]:
    def call(
        input: Any, dim: Any = None, unbiased: bool = True, keepdim: bool = False, *, correction: Any = None
    ) -> Any:
        if isinstance(dim, bool):
            dim, unbiased = None, dim
        ddof = int(unbiased) if correction is None else correction
        axis = [*dim] if isinstance(dim, tuple) else dim
        return operate(name, (input,), {"axis": axis, "ddof": ddof, "keepdims": keepdim})

    return call


def norm(input: Any, p: Any = 2, dim: Any = None, keepdim: bool = False) -> Any:
    axis = [*dim] if isinstance(dim, tuple) else dim
    if axis is None and input.array.ndim != 1:
        input, axis = operate("ravel", (input,)), None
    order = {"fro": None, 2: None, float("inf"): "inf"}.get(p, p)
    return operate("norm", (input,), {"axis": axis, "ord": order, "keepdims": keepdim})


def flatten(input: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    shape, last = input.array.shape, end_dim % max(input.array.ndim, 1)
    if shape and start_dim % len(shape) == last:
        return input
    whole = [*shape[:start_dim], int(np.prod(shape[start_dim : last + 1], dtype=int)), *shape[last + 1 :]]
    return operate("reshape", (input,), {"shape": whole})


def chunk(input: Any, chunks: int, dim: int = 0) -> Any:
    return split(input, max(1, -(-input.array.shape[dim] // chunks)), dim)


def split(tensor: Any, split_size_or_sections: Any, dim: int = 0) -> Any:
    total, sizes = tensor.array.shape[dim], split_size_or_sections
    if isinstance(sizes, int):
        sizes = [min(sizes, total - start) for start in range(0, total, sizes)]
    ends = np.cumsum(sizes).tolist()
    step = "Split" if isinstance(split_size_or_sections, int) else "SplitWithSizes"
    return _several(tensor, dim, (slice(end - size, end) for end, size in zip(ends, sizes, strict=True)), step)


def unbind(input: Any, dim: int = 0) -> Any:
    return _several(input, dim, range(input.array.shape[dim]), "Unbind")


def _several(input: Any, dim: int, places: Iterable[Any], step: str) -> tuple[Any, ...]:
    """Views along an axis, which come from one step, so that PyTorch lets none of them be changed in the graph."""
    before = (slice(None),) * (dim % input.array.ndim)
    views = tuple(input[(*before, place)] for place in places)
    for number, view in enumerate(views):
        view._fn = f"{step}Backward0"
        view._frozen = view._frozen or (f"Output {number} of {step} is a view", ONE_OF_SEVERAL)
    return views


def _along(input: Any, dim: int, place: Any) -> Any:
    return input[(*(slice(None),) * (dim % input.array.ndim), place)]


def select(input: Any, dim: int, index: int) -> Any:
    return _along(input, dim, int(index))


def narrow(input: Any, dim: int, start: Any, length: int) -> Any:
    first = int(start) % input.array.shape[dim] if int(start) < 0 else int(start)
    if first + length > input.array.shape[dim]:
        raise RuntimeError(f"start ({first}) + length ({length}) exceeds dimension size ({input.array.shape[dim]}).")
    return _along(input, dim, slice(first, first + length))


def unflatten(input: Any, dim: int, sizes: Any) -> Any:
    place, shape = dim % input.array.ndim, input.array.shape
    return operate("reshape", (input,), {"shape": [*shape[:place], *sizes, *shape[place + 1 :]]})


def diagonal(input: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """The view of a diagonal, whose axis is the last."""
    lasts = input
    if (dim1 % input.ndim, dim2 % input.ndim) != (input.ndim - 2, input.ndim - 1):
        lasts = operate("moveaxis", (input,), {"source": [dim1, dim2], "destination": [-2, -1]})
    lasts._memory.shareable()
    numbers = np.diagonal(lasts.array, offset, -2, -1)
    numbers.flags.writeable = lasts.array.flags.writeable
    if input.ndim == 2:
        return lasts.viewed(REGISTRY["diag"], {"k": offset}, numbers)
    return lasts.viewed(REGISTRY["getitem"], {"index": diagonal_index(lasts.shape, offset)}, numbers)


def einsum(equation: str, *operands: Any) -> Any:
    listed = operands[0] if len(operands) == 1 and isinstance(operands[0], list | tuple) else operands
    return operate("einsum", [*listed], {"subscripts": equation.replace(" ", "")})


def masked_fill(input: Any, mask: Any, value: Any) -> Any:
    filler = value if isinstance(value, Core) else np.asarray(value, input.array.dtype)[()]
    return operate("where", (mask, filler, input))


def where(condition: Any, input: Any = None, other: Any = None) -> Any:
    if input is None:
        condition.guarded("elements")
        return tuple(TENSOR[0](item) for item in np.nonzero(condition.array))
    sides = [item for item in (input, other) if isinstance(item, Core)]
    dtype = sides[0].array.dtype if sides else np.dtype(np.float32)
    full = [item if isinstance(item, Core) else np.asarray(item, dtype)[()] for item in (input, other)]
    return operate("where", (condition, *full))


def _truth(find: Any) -> Callable[..., Any]:
    def call(input: Any, *others: Any, dim: Any = None) -> Any:
        plain = [item.array if isinstance(item, Core) else item for item in (input, *others)]
        options = {} if dim is None else {"axis": dim}
        return followed(TENSOR[0](np.asarray(find(*plain, **options))), find, input, *others, **options)

    return call


def _joined(name: str) -> Callable[..., Any]:
    return lambda tensors: operate(name, [*tensors])


def stack(tensors: Sequence[Any], dim: int = 0) -> Any:
    return operate("stack", [*tensors], {"axis": dim})


def diag(input: Any, diagonal: int = 0) -> Any:
    return operate("diag", (input,), {"k": diagonal})


def allclose(input: Any, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    result = TENSOR[0](np.asarray(np.allclose(input.array, other.array, rtol, atol, equal_nan)))
    return bool(followed(result, np.allclose, input, other, rtol=rtol, atol=atol, equal_nan=equal_nan))


def equal(input: Any, other: Any) -> bool:
    return bool(followed(TENSOR[0](np.asarray(np.array_equal(input.array, other.array))), np.array_equal, input, other))


TRUTHS = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
    "all": np.all, "any": np.any, "isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite,
    "logical_and": np.logical_and, "logical_or": np.logical_or, "logical_not": np.logical_not,
    "logical_xor": np.logical_xor, "isclose": np.isclose,
}  # fmt: skip
# Functions of torch that are methods of tensors too.
SELECTING: dict[str, Callable[..., Any]] = {
    "max": _extreme("max"), "min": _extreme("min"), "argmax": _place_of(np.argmax), "argmin": _place_of(np.argmin),
    "std": _spread("std"), "var": _spread("var"),
    **{name: _truth(find) for name, find in TRUTHS.items()},
    **{item.__name__: item for item in (
        select, narrow, unflatten, diagonal, argsort, sort, topk, norm, flatten, chunk, split, unbind, masked_fill,
        diag, allclose, equal
    )},
}  # fmt: skip
FUNCTIONS = SELECTING | {
    "einsum": einsum, "where": where, "hstack": _joined("hstack"), "vstack": _joined("vstack"), "stack": stack
}  # fmt: skip
