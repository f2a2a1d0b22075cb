"""JAX's primitives as operations, by JAX's own names: one table, and functions for those that are several operations.

The functions take the operands, and as keywords the primitive's parameters. They act on traced values and numpy arrays;
a result that is None is not differentiable, and is taken from JAX itself.
"""

from __future__ import annotations

import inspect
import math
import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from cadena.core.capture import jax_matrices
from cadena.core.capture.record import Unknown
from cadena.core.tracing.traced import Traced, apply, plain

SAME: Mapping[str, str] = {
    **{name: name for name in (
        "abs exp exp2 expm1 log log1p sqrt cbrt square sin cos tan sinh cosh tanh erf erfc digamma floor ceil sign"
    ).split()},
    "add": "add", "add_any": "add", "sub": "subtract", "mul": "multiply", "div": "divide", "neg": "negative",
    "max": "maximum", "min": "minimum", "pow": "power", "rem": "fmod", "atan2": "arctan2", "logistic": "sigmoid",
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh",
    "lgamma": "gammaln", "copy": "positive",
}  # fmt: skip
MAX_ONE_HOT = 1 << 22  # elements of the matrix that adds up several updates of one place


def read(name: str, operands: Sequence[Any], parameters: Mapping[str, Any]) -> Any:
    """The value of a primitive on operands of which some are traced. Raises Unknown for one that is not known."""
    try:
        if name in SAME:
            return apply(SAME[name], operands)
        if name in COMPOSED:
            return COMPOSED[name](*operands, **parameters)
    except (TypeError, ValueError, IndexError) as error:
        raise Unknown(str(error)) from None
    raise Unknown(f"{name} is no operation of Cadena")


def _whole(item: Any) -> Any:
    """Numbers of numpy as Python's, tuples as lists."""
    return [_whole(part) for part in item] if isinstance(item, tuple | list) else int(item)


# --- elementwise


def copy_p(x: Any, **_: Any) -> Any:
    return x


convert_element_type = reduce_precision = device_put = copy_p


def rsqrt(x: Any, **_: Any) -> Any:
    return 1.0 / np.sqrt(x)


def integer_pow(x: Any, *, y: int) -> Any:
    return np.square(x) if y == 2 else x ** float(y)


def round(x: Any, *, rounding_method: Any) -> Any:
    if int(rounding_method) != 1:
        raise Unknown("round is known here to the nearest even number alone")
    return apply("round", [x])


def clamp(least: Any, x: Any, most: Any) -> Any:
    if isinstance(x, Traced) and np.ndim(least) == np.ndim(most) == 0 and not _are_traced(least, most):
        return apply("clip", [x], {"min": float(least), "max": float(most)})
    return np.minimum(np.maximum(x, least), most)


def _are_traced(*items: Any) -> bool:
    return any(isinstance(item, Traced) for item in items)


def select_n(which: Any, *cases: Any) -> Any:
    chosen = cases[0]
    for number, case in enumerate(cases[1:], start=1):
        chosen = apply("where", [np.asarray(which) == number, case, chosen])
    return chosen


# --- shapes


def broadcast_in_dim(x: Any, *, shape: Any, broadcast_dimensions: Any, **_: Any) -> Any:
    own = [1] * len(shape)
    for size, axis in zip(np.shape(x), broadcast_dimensions):
        own[axis] = size
    x = x if tuple(own) == np.shape(x) else np.reshape(x, own)
    return x if tuple(own) == tuple(shape) else np.broadcast_to(x, _whole(shape))


def reshape(x: Any, *, new_sizes: Any, dimensions: Any = None, **_: Any) -> Any:
    return np.reshape(x, _whole(new_sizes))


def squeeze(x: Any, *, dimensions: Any) -> Any:
    return np.reshape(x, [size for axis, size in enumerate(x.shape) if axis not in dimensions])


def expand_dims(x: Any, *, dimensions: Any) -> Any:
    return np.expand_dims(x, tuple(_whole(dimensions)))


def transpose(x: Any, *, permutation: Any) -> Any:
    return np.transpose(x, _whole(permutation))


def concatenate(*parts: Any, dimension: int) -> Any:
    return apply("concatenate", list(parts), {"axis": int(dimension)})


def stack(*parts: Any, axis: int) -> Any:
    return apply("stack", list(parts), {"axis": int(axis)})


def rev(x: Any, *, dimensions: Any) -> Any:
    return apply("flip", [x], {"axis": _whole(dimensions)})


def slice_(x: Any, *, start_indices: Any, limit_indices: Any, strides: Any = None) -> Any:
    steps = strides or (1,) * x.ndim
    return x[tuple(slice(a, b, None if c == 1 else c) for a, b, c in zip(start_indices, limit_indices, steps))]


def dynamic_slice(x: Any, *starts: Any, slice_sizes: Any, **_: Any) -> Any:
    return x[_window(x.shape, starts, slice_sizes)]


def dynamic_update_slice(x: Any, update: Any, *starts: Any, **_: Any) -> Any:
    from cadena.core.tracing.traced import index_text

    return apply("index_put", [x, update], {"index": index_text(_window(np.shape(x), starts, np.shape(update)))})


def _window(shape: Sequence[int], starts: Sequence[Any], sizes: Sequence[int]) -> tuple[slice, ...]:
    """The places from `starts` on, moved inside where they would reach over the end, as JAX does."""
    first = [min(max(int(start), 0), length - size) for start, length, size in zip(starts, shape, sizes)]
    return tuple(slice(start, start + int(size)) for start, size in zip(first, sizes))


def split(x: Any, *, sizes: Any, axis: int) -> Any:
    ends = np.cumsum(sizes)
    before: tuple[Any, ...] = (slice(None),) * axis
    return [x[(*before, slice(int(end - size), int(end)))] for size, end in zip(sizes, ends)]


def pad(x: Any, fill: Any, *, padding_config: Any) -> Any:
    """Zeros between the elements first, then the ends, which are cut off where they are negative."""
    padding_config = [tuple(_whole(item)) for item in padding_config]
    if any(inner for _, _, inner in padding_config):
        x = _spread(x, fill, [inner for _, _, inner in padding_config])
    widths = [[max(before, 0), max(after, 0)] for before, after, _ in padding_config]
    if any(map(any, widths)):
        if _are_traced(fill):
            raise Unknown("pad is known here with a number that is no node")
        x = apply("pad", [x], {"pad_width": widths, "constant_values": float(fill)})
    cuts = tuple(slice(max(-before, 0), size - max(-after, 0))
                 for (before, after, _), size in zip(padding_config, x.shape))  # fmt: skip
    return x if all(cut == slice(0, size) for cut, size in zip(cuts, x.shape)) else x[cuts]


def _spread(x: Any, fill: Any, gaps: Sequence[int]) -> Any:
    """`x` with so many elements more between any two along each axis."""
    wide = np.full([max(size + (size - 1) * gap, 0) for size, gap in zip(x.shape, gaps)], fill, plain(x).dtype)
    return apply("index_put", [wide, x], {"index": ", ".join(f"::{gap + 1}" for gap in gaps)})


# --- sums and the like


def _reduction(op: str) -> Callable[..., Any]:
    return lambda x, *, axes, **_: apply(op, [x], {"axis": _whole(axes)}) if len(axes) else x


def _cumulative(op: str) -> Callable[..., Any]:
    def cumulative(x: Any, *, axis: int, reverse: bool) -> Any:
        turned = apply("flip", [x], {"axis": int(axis)}) if reverse else x
        result = apply(op, [turned], {"axis": int(axis)})
        return apply("flip", [result], {"axis": int(axis)}) if reverse else result

    return cumulative


def dot_general(a: Any, b: Any, *, dimension_numbers: Any, **_: Any) -> Any:
    """A product of matrices where it is one, with leading batch axes; any other by `einsum`."""
    (sum_a, sum_b), (batch_a, batch_b) = ([list(map(int, pair)) for pair in item] for item in dimension_numbers)
    dim_a, dim_b, batches = np.ndim(a), np.ndim(b), list(range(len(batch_a)))
    if len(sum_a) == 1 and batch_a == batch_b == batches:
        last_of_a = sum_a[0] == dim_a - 1
        if not batches and last_of_a and sum_b == [0] and dim_b <= 2:
            return a @ b
        if batches and last_of_a and sum_b == [dim_b - 2] and dim_a == dim_b == len(batches) + 2:
            return a @ b
    letters = iter(string.ascii_letters)
    names_a = [next(letters) for _ in range(dim_a)]
    names_b = [next(letters) for _ in range(dim_b)]
    for one, other in zip([*batch_a, *sum_a], [*batch_b, *sum_b]):
        names_b[other] = names_a[one]
    result = [names_a[axis] for axis in batch_a]
    result += [name for axis, name in enumerate(names_a) if axis not in (*batch_a, *sum_a)]
    result += [name for axis, name in enumerate(names_b) if axis not in (*batch_b, *sum_b)]
    return apply("einsum", [a, b], {"subscripts": f"{''.join(names_a)},{''.join(names_b)}->{''.join(result)}"})


# --- choosing elements: where JAX takes them from, it says itself, asked with numbers of places


def gather(x: Any, indices: Any, *, fill_value: Any = None, **how: Any) -> Any:
    from jax import lax

    places = np.arange(math.prod(x.shape), dtype=np.int32).reshape(x.shape)
    taken = np.asarray(lax.gather_p.bind(places, indices, fill_value=-1, **how))
    kept = _taken(x, np.where(taken < 0, 0, taken))
    if np.all(taken >= 0):
        return kept
    return apply("where", [taken >= 0, kept, math.nan if fill_value is None else float(fill_value)])


def _taken(x: Any, places: np.ndarray[Any, Any]) -> Any:
    """The elements at these places of the flattened `x`; whole rows where they are such."""
    row = math.prod(x.shape[1:])
    rows = places.reshape(-1, row) if row and places.shape[places.ndim - x.ndim + 1 :] == x.shape[1:] else None
    if rows is not None and np.all(rows[:, :1] % row == 0) and np.all(rows - rows[:, :1] == np.arange(row)):
        which = (rows[:, 0] // row).reshape(places.shape[: places.ndim - x.ndim + 1])
        return x[int(which)] if not which.ndim else apply("take", [x], {"indices": which.tolist(), "axis": 0})
    return apply("take", [x], {"indices": places.tolist()})


def scatter(x: Any, indices: Any, updates: Any, **how: Any) -> Any:
    from jax import lax

    numbers = np.arange(1, math.prod(np.shape(updates)) + 1, dtype=np.int32).reshape(np.shape(updates))
    zeros = np.zeros(np.shape(x), np.int32)
    last = np.asarray(lax.scatter(zeros, indices, numbers, **_settings(how))).ravel()
    return _put(x, np.flatnonzero(last), np.reshape(updates, [-1]), last[last > 0] - 1)


def _settings(how: Mapping[str, Any]) -> dict[str, Any]:
    names = ("dimension_numbers", "indices_are_sorted", "unique_indices", "mode")
    return {name: how[name] for name in names}


def _destinations(x: Any, indices: Any, updates: Any, how: Mapping[str, Any]) -> np.ndarray[Any, Any]:
    """Where each update goes in the flattened `x`, -1 for nowhere: the gradient of numbers of places by the updates."""
    import jax

    size = math.prod(np.shape(x))
    if size >= 1 << 24:
        raise Unknown("updates of places are known here up to 16 million elements")
    numbers = np.arange(1, size + 1, dtype=np.float32).reshape(np.shape(x))
    into = np.zeros(np.shape(x), np.float32)
    _, pull = jax.vjp(lambda new: jax.lax.scatter_add(into, indices, new, **_settings(how)),
                      np.zeros(np.shape(updates), np.float32))  # fmt: skip
    return np.asarray(pull(numbers)[0]).astype(int).ravel() - 1


def scatter_add(x: Any, indices: Any, updates: Any, **how: Any) -> Any:
    return added_at(x, _destinations(x, indices, updates, how), np.reshape(updates, [-1]))


def added_at(x: Any, to: np.ndarray[Any, Any], updates: Any) -> Any:
    """`x` with each of the updates, a vector, added at a place of the flattened `x`; at none where that is -1."""
    sources = np.flatnonzero(to >= 0)
    places = np.unique(to[sources])
    if len(places) == len(sources):
        added = _at(updates, sources[np.argsort(to[sources])])
    elif len(places) * len(sources) <= MAX_ONE_HOT:
        added = _at(updates, sources) @ (to[sources][:, None] == places).astype(plain(updates).dtype)
    else:
        raise Unknown("scatter-add is known here with few updates of one place")
    return _put(x, places, added + _at(np.reshape(x, [-1]), places), np.arange(len(places)))


def scatter_mul(x: Any, indices: Any, updates: Any, **how: Any) -> Any:
    to = _destinations(x, indices, updates, how)
    sources = np.flatnonzero(to >= 0)
    if len(np.unique(to[sources])) < len(sources):
        raise Unknown("scatter-mul is known here with one update of each place")
    product = _at(np.reshape(updates, [-1]), sources) * _at(np.reshape(x, [-1]), to[sources])
    return _put(x, to[sources], product, np.arange(len(sources)))


def _at(flat: Any, places: np.ndarray[Any, Any]) -> Any:
    """Elements of an array of one axis."""
    return apply("take", [flat], {"indices": places.tolist()}) if _are_traced(flat) else flat[places]


def _put(x: Any, places: np.ndarray[Any, Any], values: Any, which: np.ndarray[Any, Any]) -> Any:
    """`x` with some of the values at places of the flattened `x`."""
    if not len(places):
        return x
    put = apply("index_put", [np.reshape(x, [-1]), _at(values, which)], {"index": str(places.tolist())})
    return np.reshape(put, list(np.shape(x)))


def sort(*operands: Any, dimension: int, num_keys: int, **how: Any) -> Any:
    from jax import lax

    first = np.asarray(plain(operands[0]))
    places = np.indices(first.shape, dtype=np.int32)[dimension]
    *_, order = lax.sort_p.bind(*map(plain, operands), places, dimension=dimension, num_keys=num_keys, **how)
    order = np.asarray(order)
    return [apply("take_along_axis", [item, order.astype(float)], {"axis": int(dimension)})
            if isinstance(item, Traced) else None for item in operands]  # fmt: skip


def top_k(x: Any, *, k: int, axis: int | None = None, **_: Any) -> Any:
    axis = x.ndim - 1 if axis is None else int(axis)
    order = np.argsort(-plain(x), axis=axis, kind="stable").take(np.arange(k), axis=axis)
    return [apply("take_along_axis", [x, order.astype(float)], {"axis": axis}), None]


# --- convolutions and pools


def conv_general_dilated(
    x: Any, kernel: Any, *, window_strides: Any, padding: Any, lhs_dilation: Any, rhs_dilation: Any,
    dimension_numbers: Any, feature_group_count: int = 1, batch_group_count: int = 1, **_: Any,
) -> Any:  # fmt: skip
    count = len(window_strides)
    if batch_group_count != 1 or count > 2 or not count:
        raise Unknown("a convolution is known here along one or two axes, without batch groups")
    x, kernel = (_moved(item, axes) for item, axes in zip((x, kernel), dimension_numbers))
    pairs = [(0, 0, 0), (0, 0, 0), *((before, after, step - 1) for (before, after), step in zip(padding, lhs_dilation))]
    same = [before for before, after, inner in pairs[2:] if before == after >= 0 and not inner]
    symmetric = len(same) == count
    x = x if symmetric else pad(x, 0.0, padding_config=pairs)
    how = {"stride": _whole(window_strides), "dilation": _whole(rhs_dilation), "padding": _whole(same)}
    how = how if symmetric else how | {"padding": [0] * count}
    how = how if count > 1 else {name: item[0] for name, item in how.items()}
    y = apply(f"conv{count}d", [x, kernel], {**how, "groups": int(feature_group_count)})
    return _moved(y, np.argsort(dimension_numbers[2]))


def _moved(x: Any, axes: Any) -> Any:
    """`x` with its axes in another order: batch and channels first."""
    return x if list(axes) == list(range(len(axes))) else np.transpose(x, _whole(list(axes)))


def reduce_window_max(x: Any, **how: Any) -> Any:
    return _pooled("max_pool2d", x, -math.inf, **how)


def reduce_window_sum(x: Any, **how: Any) -> Any:
    return _pooled("avg_pool2d", x, 0.0, **how) * float(math.prod(how["window_dimensions"]))


def _pooled(
    op: str, x: Any, fill: float, window_dimensions: Any, window_strides: Any, padding: Any, base_dilation: Any,
    window_dilation: Any, **_: Any,
) -> Any:  # fmt: skip
    """A pool over at most two axes, which are moved to the end for it."""
    along = [axis for axis, size in enumerate(window_dimensions) if size != 1 or window_strides[axis] != 1]
    if len(along) > 2 or x.ndim < 2 or set(base_dilation) != {1} or (fill == 0.0 and set(window_dilation) != {1}):
        raise Unknown("a pool is known here over two axes, without dilation")
    along = sorted([*along, *[axis for axis in reversed(range(x.ndim)) if axis not in along][: 2 - len(along)]])
    x = pad(x, fill, padding_config=[(*pair, 0) for pair in padding])
    order = [*(axis for axis in range(x.ndim) if axis not in along), *along]
    how = {"kernel_size": window_dimensions, "stride": window_strides, "dilation": window_dilation}
    how = {name: [int(sizes[axis]) for axis in along] for name, sizes in how.items() if op[0] == "m" or name[0] != "d"}
    x = _moved(x, order)
    lead = x.shape[: max(x.ndim - 2, 0)]
    x = x if x.ndim in (3, 4) else np.reshape(x, [math.prod(lead), 1, *x.shape[-2:]])
    y = apply(op, [x], how)
    y = y if y.ndim == len(order) else np.reshape(y, [*lead, *y.shape[-2:]])
    return _moved(y, np.argsort(order))


_OTHERS: Mapping[str, Callable[..., Any]] = {
    "slice": slice_, "scatter-add": scatter_add, "scatter-mul": scatter_mul,
    "reduce_sum": _reduction("sum"), "reduce_prod": _reduction("prod"),
    "reduce_max": _reduction("max"), "reduce_min": _reduction("min"), "cumsum": _cumulative("cumsum"),
    "cumprod": _cumulative("cumprod"), "optimization_barrier": lambda *items: list(items), "copy_p": copy_p,
}  # fmt: skip
COMPOSED: Mapping[str, Callable[..., Any]] = {
    **{
        name: function
        for module in (jax_matrices.__dict__, globals().copy())
        for name, function in module.items()
        if inspect.isfunction(function) and function.__module__ == module["__name__"] and name[0] != "_"
        if name != "read"
    },
    **_OTHERS,
}
