"""Functions of TensorFlow that are composed of several operations, and tf.experimental.numpy, by numpy's functions."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np

from cadena.core.scripts.by_numpy import by_numpy
from cadena.core.scripts.library import Library
from cadena.core.scripts.tensor_flow.tensor import DType, Tensor, Variable, numbers_of, operate


def _below(value: Any) -> Any:
    if isinstance(value, DType):
        return value.as_numpy_dtype
    if not isinstance(value, Tensor):
        return value
    return value.handle() if isinstance(value, Variable) or value.is_tracked else value.array


def _numpys(function: Callable[..., Any], **names: str) -> Callable[..., Any]:
    """numpy's function, whose keywords TensorFlow calls otherwise."""
    called = by_numpy(function, _below, Tensor)

    def call(*operands: Any, name: Any = None, **keywords: Any) -> Any:
        return called(*operands, **{names.get(key, key): one for key, one in keywords.items()})

    return call


def _plain(value: Any) -> Any:
    return np.asarray(numbers_of(value)).tolist()


def gather(params: Any, indices: Any, validate_indices: Any = None, axis: int = 0, **options: Any) -> Any:
    return operate("take", (params,), {"indices": _plain(indices), "axis": axis})


def one_hot(
    indices: Any, depth: int, on_value: Any = 1, off_value: Any = 0, axis: int = -1, dtype: Any = None, **options: Any
) -> Any:
    chosen = np.asarray(numbers_of(indices))[..., None] == np.arange(int(depth))
    kind = np.bool_ if on_value is True else np.float32 if dtype is None else numbers_of(0, dtype).dtype
    return Tensor(np.moveaxis(np.where(chosen, on_value, off_value).astype(kind), -1, axis))


def xlogy(x: Any, y: Any) -> Any:
    inside = Tensor(np.asarray(numbers_of(x) != 0, numbers_of(y).dtype)[()])
    safe = operate("where", (inside, y, numbers_of(np.ones_like(numbers_of(y)))))
    return operate("multiply", (x, operate("log", (safe,))))


def split(value: Any, num_or_size_splits: Any, axis: int = 0, **options: Any) -> Any:
    sizes = num_or_size_splits
    cuts = sizes if isinstance(sizes, int) else np.cumsum(_plain(sizes))[:-1].tolist()
    return [*_numpys(np.split)(value, cuts, axis=axis)]


def _parts(op: str, order: tuple[int, ...]) -> Callable[..., Any]:
    return lambda tensor, **options: tuple(operate(op, (tensor,), {"part": part}) for part in order)


def svd(tensor: Any, full_matrices: bool = False, compute_uv: bool = True, name: Any = None) -> Any:
    """TensorFlow gives the values first, and the right vectors as columns."""
    left, values, right = (operate("svd", (tensor,), {"part": part}) for part in range(3))
    return (values, left, operate("swapaxes", (right,), {"axis1": -1, "axis2": -2})) if compute_uv else values


def _truth(find: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, name=None: Tensor(np.asarray(find(numbers_of(x))))


def _pairs(find: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, y, name=None: Tensor(np.asarray(find(numbers_of(x), numbers_of(y))))


def pad(tensor: Any, paddings: Any, mode: str = "CONSTANT", constant_values: float = 0, name: Any = None) -> Any:
    attributes = {"pad_width": _plain(paddings), "mode": mode.lower()}
    return operate("pad", (tensor,), attributes | ({"constant_values": constant_values} if mode == "CONSTANT" else {}))


def cumprod(x: Any, axis: int = 0, exclusive: bool = False, reverse: bool = False, name: Any = None) -> Any:
    """Exclusive: of what is before each element; reversed: of what is behind."""
    result = operate("flip", (x,), {"axis": axis}) if reverse else x
    if exclusive:
        before = [[0, 0]] * x.ndim
        before[axis] = [1, 0]
        size, along = x.shape[axis], (slice(None),) * (axis % x.ndim)
        result = operate("pad", (result,), {"pad_width": before, "constant_values": 1})[(*along, slice(0, size))]
    result = operate("cumprod", (result,), {"axis": axis})
    return operate("flip", (result,), {"axis": axis}) if reverse else result


def sort(values: Any, axis: int = -1, direction: str = "ASCENDING", name: Any = None) -> Any:
    result = operate("sort", (values,), {"axis": axis})
    return result if direction == "ASCENDING" else operate("flip", (result,), {"axis": axis})


def band_part(input: Any, num_lower: int, num_upper: int, name: Any = None) -> Any:
    """The elements near the diagonal; a negative number keeps all on its side."""
    rows, columns = np.indices(input.shape[-2:])
    below, above = rows - columns <= num_lower, columns - rows <= num_upper
    inside = (below | (num_lower < 0)) & (above | (num_upper < 0))
    return operate("multiply", (input, np.asarray(inside, input.array.dtype)))


def eye(num_rows: int, num_columns: int | None = None, dtype: Any = "float32", **options: Any) -> Any:
    return Tensor(numbers_of(np.eye(num_rows, num_columns), dtype))


def matvec(a: Any, b: Any, transpose_a: bool = False, **options: Any) -> Any:
    return operate("matmul", (operate("swapaxes", (a,), {"axis1": -1, "axis2": -2}) if transpose_a else a, b))


def _shrunk(tensors: list[Any], clip_norm: Any) -> tuple[list[Any], Any]:
    """Tensors scaled so that the norm of all is at most `clip_norm`, and that norm."""
    squares = [operate("sum", (operate("square", (item,)),)) for item in tensors if item is not None]
    total = operate("sqrt", (sum(squares[1:], squares[0]),))
    limit = np.asarray(clip_norm, total.array.dtype)[()]
    scale = limit / operate("maximum", (total, Tensor(limit)))
    return [None if item is None else item * scale for item in tensors], total


def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: Any = None) -> Any:
    return _shrunk([t], clip_norm)[0][0]


def clip_by_global_norm(t_list: Any, clip_norm: Any, use_norm: Any = None, name: Any = None) -> Any:
    return _shrunk([*t_list], clip_norm)


def argsort(values: Any, axis: int = -1, direction: str = "ASCENDING", **options: Any) -> Any:
    array = numbers_of(values)
    return Tensor(np.argsort(array if direction == "ASCENDING" else -array, axis=axis, kind="stable").astype(np.int32))


def boolean_mask(tensor: Any, mask: Any, axis: Any = None, name: Any = None) -> Any:
    return tensor[Tensor(numbers_of(mask))]


def unstack(value: Any, num: Any = None, axis: int = 0, name: Any = None) -> list[Any]:
    before = (slice(None),) * (axis % value.ndim)
    return [value[(*before, place)] for place in range(value.shape[axis])]


Unique = namedtuple("Unique", ("y", "idx"))
TopKV2 = namedtuple("TopKV2", ("values", "indices"))


def unique(x: Any, out_idx: Any = None, name: Any = None) -> Unique:
    """The numbers in the order in which they first appear."""
    array = numbers_of(x)
    values, first, places = np.unique(array, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return Unique(Tensor(values[order]), Tensor(np.argsort(order)[places].astype(np.int32)))


def top_k(input: Any, k: int = 1, sorted: bool = True, name: Any = None) -> TopKV2:
    tensor = input if isinstance(input, Tensor) else Tensor(numbers_of(input))
    places = np.argsort(-tensor.array, axis=-1, kind="stable")[..., :k]
    values = operate("take_along_axis", (tensor, Tensor(places)), {"axis": -1})
    return TopKV2(values, Tensor(places.astype(np.int32)))


def _over(find: Callable[..., Any]) -> Callable[..., Any]:
    """Whether a condition holds for all, or for any, along some axes."""

    def call(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: Any = None) -> Any:
        along = tuple(axis) if isinstance(axis, list) else axis
        return Tensor(np.asarray(find(numbers_of(input_tensor), axis=along, keepdims=keepdims))[()])

    return call


def leaky_relu(features: Any, alpha: float = 0.2, name: Any = None) -> Any:
    return operate("leaky_relu", (features,), {"slope": alpha})


def gelu(features: Any, approximate: bool = False, name: Any = None) -> Any:
    return operate("gelu", (features,), {"approximate": "tanh" if approximate else "none"})


def rsqrt(x: Any, name: Any = None) -> Any:
    return 1.0 / operate("sqrt", (x,))


def l2_normalize(x: Any, axis: Any = None, epsilon: float = 1e-12, name: Any = None) -> Any:
    squares = operate("sum", (operate("square", (x,)),), {"axis": _plain(axis) if axis is not None else None,
                                                          "keepdims": True})  # fmt: skip
    return x / operate("sqrt", (operate("clip", (squares,), {"min": epsilon, "max": None}),))


def moments(x: Any, axes: Any, keepdims: bool = False, **options: Any) -> tuple[Any, Any]:
    attributes = {"axis": _plain(axes), "keepdims": keepdims}
    return operate("mean", (x,), attributes), operate("var", (x,), attributes)


def l2_loss(t: Any, name: Any = None) -> Any:
    return operate("sum", (operate("square", (t,)),)) / 2.0


COMPOSED: dict[str, Any] = {
    **{item.__name__: item for item in (
        argsort, boolean_mask, unstack, unique, top_k, l2_loss, leaky_relu, gelu, rsqrt, l2_normalize, moments
    )},
    "swish": lambda features, name=None: operate("silu", (features,)), "bias_add": lambda value, bias: value + bias,
    "mod": lambda x, y, name=None: operate("remainder", (x, y)), "floormod": lambda x, y: operate("remainder", (x, y)),
    "floordiv": lambda x, y, name=None: operate("floor_divide", (x, y)),
    "reduce_any": _over(np.any), "reduce_all": _over(np.all), "trace": _numpys(np.trace),
    "diag": lambda diagonal, name=None: operate("diag", (diagonal,)), "newaxis": None,
    "eye": eye, "band_part": band_part, "matvec": matvec, "clip_by_norm": clip_by_norm,
    "clip_by_global_norm": clip_by_global_norm,
    "gather": gather, "one_hot": one_hot, "xlogy": xlogy, "split": split, "pad": pad, "sort": sort,
    "tensordot": _numpys(np.tensordot), "repeat": _numpys(np.repeat), "roll": _numpys(np.roll),
    "reverse": _numpys(np.flip), "round": _numpys(np.round), "cumsum": _numpys(np.cumsum), "cumprod": cumprod,
    "reduce_variance": _numpys(np.var), "reduce_std": _numpys(np.std), "tile": _numpys(np.tile, multiples="reps"),
    "is_nan": _truth(np.isnan), "is_inf": _truth(np.isinf), "is_finite": _truth(np.isfinite), "svd": svd,
    "eigh": _parts("eigh", (0, 1)), "slogdet": _parts("slogdet", (0, 1)),
    "elu": lambda features, name=None: operate("elu", (features,)),
    "solve": lambda matrix, rhs, name=None: operate("solve", (matrix, rhs)),
    "det": lambda input, name=None: operate("det", (input,)), "truncatemod": lambda x, y: operate("fmod", (x, y)),
    "matrix_transpose": lambda a, name=None: operate("swapaxes", (a,), {"axis1": -1, "axis2": -2}),
    "logical_and": _pairs(np.logical_and), "logical_or": _pairs(np.logical_or), "logical_not": _truth(np.logical_not),
    "not_equal": _pairs(np.not_equal), "less_equal": _pairs(np.less_equal), "greater_equal": _pairs(np.greater_equal),
    "cross": lambda a, b, name=None: operate("cross", (a, b)),
    "broadcast_static_shape": lambda x, y: np.broadcast_shapes(tuple(x), tuple(y)),
    "einsum": lambda equation, *inputs, **options: operate("einsum", inputs, {"subscripts": equation.replace(" ", "")}),
}  # fmt: skip


def _from_numpy(name: str) -> Any:
    function = getattr(np, name, None)
    return _numpys(function) if callable(function) and name.islower() and not name.startswith("_") else None


TNP = Library("tensorflow.experimental.numpy", {}, _from_numpy, lambda: dir(np))
EXPERIMENTAL = Library("tensorflow.experimental", {"numpy": TNP})
