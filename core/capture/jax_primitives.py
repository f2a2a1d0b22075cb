"""JAX's primitives as operations, by JAX's own names: tables, and functions for those that are several operations.

The functions take the operands, and as keywords the primitive's parameters. They act on traced values and arrays;
whole numbers and truths are real numbers there. Where the gradient of an operation is another than JAX's at some
points, as that of `abs` at 0, the function puts together others that have JAX's.
"""

from __future__ import annotations

import inspect
import math
import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from cadena.core.capture import jax_matrices
from cadena.core.capture.jax_folding import with_axes_kept
from cadena.core.capture.record import Unknown
from cadena.core.capture.windows import each_window, max_pool
from cadena.core.tracing.traced import Traced, apply, plain

SAME: Mapping[str, str] = {
    **{name: name for name in (
        "exp exp2 expm1 log log1p sqrt cbrt square sin cos tan sinh cosh tanh erf erfc floor ceil sign"
    ).split()},
    "add": "add", "add_any": "add", "sub": "subtract", "mul": "multiply", "div": "divide", "neg": "negative",
    "max": "maximum", "min": "minimum", "pow": "power", "rem": "fmod", "atan2": "arctan2", "logistic": "sigmoid",
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh",
    "lgamma": "gammaln", "copy": "positive", "stop_gradient": "stop_gradient", "is_finite": "isfinite",
    "eq_to": "equal", "lt_to": "less", "le_to": "less_equal", "eq": "equal", "ne": "not_equal",
    "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal",
}  # fmt: skip
OF_TRUTHS: Mapping[str, str] = {"and": "logical_and", "or": "logical_or", "xor": "logical_xor", "not": "logical_not"}
MAX_ONE_HOT = 1 << 22  # elements of the matrix that adds up several updates of one place


def read(name: str, operands: Sequence[Any], parameters: Mapping[str, Any], kinds: str) -> Any:
    """The value of a primitive on operands of which some are traced, `kinds` those of their number types.

    Raises Unknown for one that is not known.
    """
    try:
        if name in OF_TRUTHS and set(kinds) == {"b"}:
            return apply(OF_TRUTHS[name], operands)
        if name in ("div", "integer_pow") and set(kinds) & {*"iu"}:
            return apply("trunc", [COMPOSED[name](*operands, **parameters)])
        if name in SAME:
            return apply(SAME[name], operands)
        if name in COMPOSED:
            return COMPOSED[name](*operands, **parameters)
    except (TypeError, ValueError, IndexError) as error:
        raise Unknown(str(error)) from None
    raise Unknown(f"{name} is no operation of Cadena")


def places_of(name: str) -> slice:
    """Which operands of a primitive are places of elements: whole numbers, where they are not computed."""
    if name == "gather" or name.startswith("scatter"):
        return slice(1, 2)
    return slice({"dynamic_slice": 1, "dynamic_update_slice": 2}.get(name, 1 << 10), None)


def _whole(item: Any) -> Any:
    """Numbers of numpy as Python's, tuples as lists."""
    return [_whole(part) for part in item] if isinstance(item, tuple | list) else int(item)


# --- elementwise


def copy_p(x: Any, **_: Any) -> Any:
    return x


def convert_element_type(x: Any, *, new_dtype: Any, **_: Any) -> Any:
    kind = np.dtype(new_dtype).kind
    return apply("not_equal", [x, 0.0]) if kind == "b" else apply("trunc", [x]) if kind in "iu" else x


def div(a: Any, b: Any) -> Any:
    return apply("divide", [a, b])


def digamma(x: Any) -> Any:
    return apply("where", [apply("equal", [x, 0.0]), math.nan, apply("digamma", [x])])


def abs(x: Any) -> Any:
    return apply("where", [apply("greater_equal", [x, 0.0]), x, -x])  # its slope at 0 is 1


def device_put(*items: Any, **_: Any) -> Any:
    return list(items)


def reduce_precision(x: Any, *, exponent_bits: int, mantissa_bits: int) -> Any:
    own = np.finfo(plain(x).dtype)
    if exponent_bits < own.nexp or mantissa_bits < own.nmant:
        raise Unknown("numbers are known here with the digits of their type, not with fewer")
    return x


def rsqrt(x: Any, **_: Any) -> Any:
    return 1.0 / np.sqrt(x)


def integer_pow(x: Any, *, y: int) -> Any:
    return np.square(x) if y == 2 else x ** float(y)


def round(x: Any, *, rounding_method: Any) -> Any:
    if int(rounding_method) == 1:  # halves to the nearest even number
        return apply("round", [x])
    whole = apply("trunc", [x])
    away = whole + apply("trunc", [2.0 * (x - whole)])  # the difference is exact
    return away if np.all(np.isfinite(plain(x))) else apply("where", [apply("isfinite", [x]), away, x])


def clamp(least: Any, x: Any, most: Any) -> Any:
    """At a limit neither the operand nor the limit gets a gradient."""
    below, above = apply("less_equal", [x, least]), apply("greater_equal", [x, most])
    if _are_traced(least, most):
        at = [apply("stop_gradient", [item]) if _are_traced(item) else item for item in (least, most)]
        least, most = (apply("where", [apply("equal", [x, end]), kept, end]) for kept, end in zip(at, (least, most)))
    return apply("where", [above, most, apply("where", [below, least, x])])


def _are_traced(*items: Any) -> bool:
    return any(isinstance(item, Traced) for item in items)


def select_n(which: Any, *cases: Any) -> Any:
    if len(cases) == 2:
        return apply("where", [which, cases[1], cases[0]])
    chosen = cases[0]
    for number, case in enumerate(cases[1:], start=1):
        chosen = apply("where", [apply("equal", [which, float(number)]), case, chosen])
    return chosen


# --- shapes


def broadcast_in_dim(x: Any, *, shape: Any, broadcast_dimensions: Any, **_: Any) -> Any:
    own = [1] * len(shape)
    for size, axis in zip(np.shape(x), broadcast_dimensions):
        own[axis] = size
    if tuple(own) != np.shape(x):
        kept = with_axes_kept(x, tuple(own))
        x = np.reshape(x, own) if kept is None else kept
    return x if tuple(own) == tuple(shape) else np.broadcast_to(x, _whole(shape))


def reshape(x: Any, *, new_sizes: Any, dimensions: Any = None, **_: Any) -> Any:
    return np.reshape(x if dimensions is None else np.transpose(x, _whole(dimensions)), _whole(new_sizes))


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
    if _are_traced(*starts):
        flat = _window_places(np.shape(x), starts, slice_sizes)
        taken = apply("take_along_axis", [np.reshape(x, [-1]), np.reshape(flat, [-1])], {"axis": 0})
        return np.reshape(taken, _whole(slice_sizes))
    return x[_window(x.shape, starts, slice_sizes)]


def dynamic_update_slice(x: Any, update: Any, *starts: Any, **_: Any) -> Any:
    from cadena.core.tracing.traced import index_text

    if _are_traced(*starts):
        to = np.reshape(_window_places(np.shape(x), starts, np.shape(update)), [-1])
        put = apply("put_along_axis", [np.reshape(x, [-1]), to, np.reshape(update, [-1])], {"axis": 0})
        return np.reshape(put, list(np.shape(x)))
    return apply("index_put", [x, update], {"index": index_text(_window(np.shape(x), starts, np.shape(update)))})


def _window(shape: Sequence[int], starts: Sequence[Any], sizes: Sequence[int]) -> tuple[slice, ...]:
    """The places from `starts` on, moved inside where they would reach over the end, as JAX does."""
    first = [min(max(int(start), 0), length - size) for start, length, size in zip(starts, shape, sizes)]
    return tuple(slice(start, start + int(size)) for start, size in zip(first, sizes))


def _window_places(shape: Sequence[int], starts: Sequence[Any], sizes: Sequence[int]) -> Any:
    """The same as places in the flattened array, from starts that are computed."""
    flat: Any = 0.0
    for axis, (start, size) in enumerate(zip(starts, sizes)):
        step = float(math.prod(shape[axis + 1 :]))
        inside = np.arange(size).reshape([size if other == axis else 1 for other in range(len(shape))])
        first = apply(
            "clip", [start if _are_traced(start) else float(start)], {"min": 0.0, "max": float(shape[axis] - size)}
        )
        flat = flat + (first + inside.astype(float if not _are_traced(start) else plain(start).dtype)) * step
    return flat


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
        inside = np.pad(np.ones(x.shape, bool), widths)
        x = apply("pad", [x], {"pad_width": widths, "constant_values": 0.0 if _are_traced(fill) else float(fill)})
        x = apply("where", [inside, x, fill]) if _are_traced(fill) else x
    cuts = tuple(slice(max(-before, 0), size - max(-after, 0))
                 for (before, after, _), size in zip(padding_config, x.shape))  # fmt: skip
    return x if all(cut == slice(0, size) for cut, size in zip(cuts, x.shape)) else x[cuts]


def _spread(x: Any, fill: Any, gaps: Sequence[int]) -> Any:
    """`x` with so many elements more between any two along each axis."""
    sizes = [max(size + (size - 1) * gap, 0) for size, gap in zip(x.shape, gaps)]
    wide = np.broadcast_to(fill, sizes) if _are_traced(fill) else np.full(sizes, fill, plain(x).dtype)
    return apply("index_put", [wide, x], {"index": ", ".join(f"::{gap + 1}" for gap in gaps)})


# --- sums and the like


def _reduction(op: str) -> Callable[..., Any]:
    return lambda x, *, axes, **_: apply(op, [x], {"axis": _whole(axes)}) if len(axes) else x


def _place_of(op: str) -> Callable[..., Any]:
    return lambda x, *, axes, **_: apply(op, [x], {"axis": int(axes[0])})


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

    if _are_traced(indices):
        flat, is_inside = _computed_places(np.shape(x), indices, how["dimension_numbers"], how["slice_sizes"])
        drops = "FILL" in str(how["mode"]).upper()
        kept = apply("take_along_axis", [np.reshape(x, [-1]), np.reshape(flat, [-1])], {"axis": 0})
        kept = np.reshape(kept, list(flat.shape))
        return (
            apply("where", [is_inside, kept, math.nan if fill_value is None else float(fill_value)]) if drops else kept
        )
    places = np.arange(math.prod(x.shape), dtype=np.int32).reshape(x.shape)
    taken = np.asarray(lax.gather_p.bind(places, indices, fill_value=-1, **how))
    kept = _taken(x, np.where(taken < 0, 0, taken))
    if np.all(taken >= 0):
        return kept
    return apply("where", [taken >= 0, kept, math.nan if fill_value is None else float(fill_value)])


def _computed_places(shape: Sequence[int], indices: Any, numbers: Any, sizes: Sequence[int]) -> tuple[Any, Any]:
    """For each element of a gather its place in the flattened operand, with its window moved inside, and whether the
    window is inside as it is. The indices may be traced."""
    if math.prod(shape) >> np.finfo(plain(indices).dtype).nmant:
        raise Unknown("computed places are known here as far as the number type counts")
    rank = len(numbers.offset_dims) + indices.ndim - 1
    outer = [axis for axis in range(rank) if axis not in numbers.offset_dims]
    gone = (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
    windows = dict(zip([axis for axis in range(len(shape)) if axis not in gone], numbers.offset_dims))
    result = [indices.shape[outer.index(axis)] if axis in outer else 1 for axis in range(rank)]
    spread = list(result)
    for axis, to in windows.items():
        result[to] = int(sizes[axis])
    at, flat, is_inside = np.indices(result).astype(plain(indices).dtype), np.zeros(result, plain(indices).dtype), None
    for axis, length in enumerate(shape):
        step = float(math.prod(shape[axis + 1 :]))
        if axis in numbers.start_index_map:
            start = np.reshape(indices[..., numbers.start_index_map.index(axis)], spread)
            most = float(length - int(sizes[axis]))
            fits = apply("logical_and", [apply("greater_equal", [start, 0.0]), apply("less_equal", [start, most])])
            is_inside = fits if is_inside is None else apply("logical_and", [is_inside, fits])
            flat = flat + apply("clip", [start], {"min": 0.0, "max": most}) * step
        elif axis in numbers.operand_batching_dims:
            batch = numbers.start_indices_batching_dims[numbers.operand_batching_dims.index(axis)]
            flat = flat + at[outer[batch]] * step
        if axis in windows:
            flat = flat + at[windows[axis]] * step
    return flat, np.broadcast_to(np.ones(()) if is_inside is None else is_inside, result)


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

    if _are_traced(indices):
        return _put_at_computed(x, indices, updates, False, **how)
    numbers = np.arange(1, math.prod(np.shape(updates)) + 1, dtype=np.int32).reshape(np.shape(updates))
    zeros = np.zeros(np.shape(x), np.int32)
    names = ("dimension_numbers", "indices_are_sorted", "unique_indices", "mode")
    last = np.asarray(lax.scatter(zeros, indices, numbers, **{name: how[name] for name in names})).ravel()
    return _put(x, np.flatnonzero(last), np.reshape(updates, [-1]), last[last > 0] - 1)


def _scattered(x: Any, indices: Any, updates: Any, how: Mapping[str, Any]) -> tuple[Any, Any]:
    """Where each update goes in the flattened `x`, and whether it is kept there: a window that would reach over the end
    is moved inside in mode "clip", else dropped."""
    from jax.lax import GatherDimensionNumbers

    numbers, mode = how["dimension_numbers"], str(how["mode"]).upper()
    gone = (*numbers.inserted_window_dims, *numbers.operand_batching_dims)
    widths = iter(numbers.update_window_dims)
    sizes = [1 if axis in gone else np.shape(updates)[next(widths)] for axis in range(np.ndim(x))]
    back = GatherDimensionNumbers(
        offset_dims=numbers.update_window_dims,
        collapsed_slice_dims=numbers.inserted_window_dims,
        start_index_map=numbers.scatter_dims_to_operand_dims,
        operand_batching_dims=numbers.operand_batching_dims,
        start_indices_batching_dims=numbers.scatter_indices_batching_dims,
    )
    flat, is_inside = _computed_places(np.shape(x), indices, back, sizes)
    if "PROMISE" in mode and not np.all(plain(is_inside)):
        raise Unknown("places were promised to be in bounds, and some are not")
    return flat, np.ones(flat.shape) if "CLIP" in mode else is_inside


def _destinations(x: Any, indices: Any, updates: Any, how: Mapping[str, Any]) -> np.ndarray[Any, Any]:
    """Where each update goes in the flattened `x`, -1 for nowhere."""
    if _are_traced(indices):
        raise Unknown("updates of computed places are known here where they replace elements or are added to them")
    flat, is_kept = _scattered(x, np.asarray(indices, np.float64), updates, how)
    return np.where(np.asarray(is_kept) != 0.0, flat, -1.0).astype(int).ravel()


def _put_at_computed(x: Any, indices: Any, updates: Any, adds: bool, **how: Any) -> Any:
    """Updates at places that are computed; those that are dropped go to an element more, which is cut off."""
    flat, is_kept = _scattered(x, indices, updates, how)
    size = math.prod(np.shape(x))
    to = np.reshape(apply("where", [is_kept, flat, float(size)]), [-1])
    wide = apply("pad", [np.reshape(x, [-1])], {"pad_width": [[0, 1]]})
    put = apply("put_along_axis", [wide, to, np.reshape(updates, [-1])], {"axis": 0, "accumulate": adds})
    return np.reshape(put[:size], list(np.shape(x)))


def scatter_add(x: Any, indices: Any, updates: Any, **how: Any) -> Any:
    if _are_traced(indices):
        return _put_at_computed(x, indices, updates, True, **how)
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


def _combining(op: str) -> Callable[..., Any]:
    """Updates that are multiplied with an element, or of which the largest or smallest counts; ties share."""

    def combine(x: Any, indices: Any, updates: Any, **how: Any) -> Any:
        to = _destinations(x, indices, updates, how)
        sources = np.flatnonzero(to >= 0)
        sources = sources[np.argsort(to[sources], kind="stable")]
        places, first, counts = np.unique(to[sources], return_index=True, return_counts=True)
        flat, new = np.reshape(x, [-1]), np.reshape(updates, [-1])
        for count in np.unique(counts):  # places with as many updates are taken together
            own = places[counts == count]
            rows = [_at(new, sources[first[counts == count] + turn]) for turn in range(count)]
            result = apply(op, [apply("stack", [_at(flat, own), *rows])], {"axis": 0})
            flat = apply("index_put", [flat, result], {"index": str(own.tolist())})
        return np.reshape(flat, list(np.shape(x)))

    return combine


def _at(flat: Any, places: np.ndarray[Any, Any]) -> Any:
    """Elements of an array of one axis."""
    return apply("take", [flat], {"indices": places.tolist()}) if _are_traced(flat) else flat[places]


def _put(x: Any, places: np.ndarray[Any, Any], values: Any, which: np.ndarray[Any, Any]) -> Any:
    """`x` with some of the values at places of the flattened `x`."""
    if not len(places):
        return x
    put = apply("index_put", [np.reshape(x, [-1]), _at(values, which)], {"index": str(places.tolist())})
    return np.reshape(put, list(np.shape(x)))


def sort(*operands: Any, dimension: int, num_keys: int, **_: Any) -> Any:
    """By the first keys; equal ones keep their order."""
    if len(operands) == 1:
        return [apply("sort", [operands[0]], {"axis": int(dimension)})]
    order = None
    for key in reversed(operands[:num_keys]):
        moved = key if order is None else apply("take_along_axis", [key, order], {"axis": int(dimension)})
        then = apply("argsort", [moved], {"axis": int(dimension)})
        order = then if order is None else apply("take_along_axis", [order, then], {"axis": int(dimension)})
    return [apply("take_along_axis", [item, order], {"axis": int(dimension)}) for item in operands]


def approx_top_k(x: Any, *, k: int, reduction_dimension: int, is_max_k: bool, **_: Any) -> Any:
    """Exact on processors, where alone it is captured."""
    best, places = top_k(x if is_max_k else -x, k=k, axis=reduction_dimension)
    return [best if is_max_k else -best, places]


def top_k(x: Any, *, k: int, axis: int | None = None, **_: Any) -> Any:
    axis = x.ndim - 1 if axis is None else int(axis)
    order = apply("argsort", [-x], {"axis": axis})[(*(slice(None),) * axis, slice(0, int(k)))]
    return [apply("take_along_axis", [x, order], {"axis": axis}), order]


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
    return _pooled(True, x, **how)


def reduce_window_min(x: Any, **how: Any) -> Any:
    return -reduce_window_max(-x, **how)


def reduce_window_sum(x: Any, **how: Any) -> Any:
    return _pooled(False, x, **how)


def _pooled(
    is_max: bool, x: Any, window_dimensions: Any, window_strides: Any, padding: Any, base_dilation: Any,
    window_dilation: Any, **_: Any,
) -> Any:  # fmt: skip
    """A pool over at most two axes, which are moved to the end for it; over others the windows are taken apart."""
    sizes = list(map(_whole, (window_dimensions, window_strides, window_dilation)))
    axes = range(x.ndim)
    along = [axis for axis in axes if sizes[0][axis] != 1 or sizes[1][axis] != 1 or any(padding[axis])]
    if len(along) > 2 or x.ndim < 2 or set(base_dilation) != {1} or (not is_max and set(window_dilation) != {1}):
        gaps = [(*pair, gap - 1) for pair, gap in zip(padding, base_dilation)]
        taken = each_window(pad(x, -math.inf if is_max else 0.0, padding_config=gaps), *sizes)
        if not is_max:
            return apply("sum", [taken], {"axis": -1})
        rows = np.reshape(taken, [-1, 1, taken.shape[-1]])  # the pool gives all to the first of equals, as JAX does
        return np.reshape(max_pool(rows, [1, taken.shape[-1]], [1, 1], [(0, 0)] * 2, [1, 1]), taken.shape[:-1])
    along = sorted([*along, *[axis for axis in reversed(axes) if axis not in along][: 2 - len(along)]])
    order = [*(axis for axis in axes if axis not in along), *along]
    kernel, stride, dilation, pads = ([list(item)[axis] for axis in along] for item in (*sizes, padding))
    x = _moved(x, order)
    lead = x.shape[:-2]
    x = x if x.ndim in (3, 4) else np.reshape(x, [math.prod(lead), 1, *x.shape[-2:]])
    if is_max:
        y = max_pool(x, kernel, stride, pads, dilation)
    else:
        x = pad(x, 0.0, padding_config=[(0, 0, 0)] * (x.ndim - 2) + [(*pair, 0) for pair in pads])
        y = apply("avg_pool2d", [x], {"kernel_size": kernel, "stride": stride}) * float(math.prod(kernel))
    return _moved(y if y.ndim == len(order) else np.reshape(y, [*lead, *y.shape[-2:]]), np.argsort(order))


# Primitives whose gradients by JAX are others at some points than those of our operation: they get JAX's rule.
OTHER_RULES: Mapping[str, Callable[..., bool]] = {
    "cholesky": lambda x, **_: True,  # whose gradient is no symmetric matrix
    "eigh": lambda x, **_: True,
    "pow": lambda x, y, **_: isinstance(y, Traced) or bool(np.any((np.asarray(y) == 0.0) | (np.asarray(y) == 1.0))),
    **dict.fromkeys(("atan2", "cbrt", "lgamma", "atanh"), lambda *_, **__: True),
}
_OTHERS: Mapping[str, Callable[..., Any]] = {
    "slice": slice_, "scatter-add": scatter_add, "scatter-mul": _combining("prod"), "scatter-min": _combining("min"),
    "scatter-max": _combining("max"),
    "reduce_sum": _reduction("sum"), "reduce_prod": _reduction("prod"),
    "reduce_max": _reduction("max"), "reduce_min": _reduction("min"), "cumsum": _cumulative("cumsum"),
    "cumprod": _cumulative("cumprod"), "argmax": _place_of("argmax"), "argmin": _place_of("argmin"),
    "reduce_and": _reduction("min"), "reduce_or": _reduction("max"),
    "optimization_barrier": lambda *items: list(items), "copy_p": copy_p,
}  # fmt: skip
COMPOSED: Mapping[str, Callable[..., Any]] = {
    **{
        name: function
        for module in (vars(jax_matrices), globals().copy())
        for name, function in module.items()
        if inspect.isfunction(function) and function.__module__ == module["__name__"] and name[0] != "_"
        if name != "read"
    },
    **_OTHERS,
}
