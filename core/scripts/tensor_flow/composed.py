"""Functions of TensorFlow that are composed of several operations, and tf.experimental.numpy, by numpy's functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cadena.core.scripts.by_numpy import by_numpy
from cadena.core.scripts.calls import checked
from cadena.core.scripts.conventions import steep_root
from cadena.core.scripts.followed import followed, is_followed
from cadena.core.scripts.library import Library
from cadena.core.scripts.tensor_flow.functions import FORMS, expand_dims, known
from cadena.core.scripts.tensor_flow.tensor import DType, Tensor, Variable, numbers_of, operate


def _below(value: Any) -> Any:
    if isinstance(value, DType):
        return value.as_numpy_dtype
    if not isinstance(value, Tensor):
        return value
    return value.handle() if isinstance(value, Variable) or value.is_tracked else value.array


def _std(x: Any, **reduced: Any) -> Any:
    return steep_root(np.sqrt(np.var(x, **reduced)), "std", "TensorFlow")


def _numpys(name: str, function: Callable[..., Any], operands: str, names: dict[str, str]) -> Callable[..., Any]:
    """numpy's function as TensorFlow's: the arguments that come first, and numpy's names of others."""
    called, first = by_numpy(function, _below, Tensor), operands.split()

    def call(**keywords: Any) -> Any:
        positional = [keywords.pop(key) for key in first if key in keywords]
        return called(*positional, **{names[key]: one for key, one in keywords.items() if one is not None})

    return checked(name, FORMS[name], call, used={*first, *names})  # type: ignore[no-any-return]


def _plain(value: Any) -> Any:
    return np.asarray(numbers_of(value)).tolist()


def gather(params: Any, indices: Any, axis: Any = None) -> Any:
    if is_followed(indices):
        return params[(*(slice(None),) * ((axis or 0) % params.ndim), indices)]
    return operate("take", (params,), {"indices": _plain(indices), "axis": axis or 0})


def one_hot(indices: Any, depth: int, dtype: Any = None) -> Any:
    chosen = np.asarray(numbers_of(indices))[..., None] == np.arange(int(depth))

    def rows(places: Any) -> Any:
        return np.equal(np.expand_dims(places, -1), np.arange(int(depth)))

    kind = np.float32 if dtype is None else numbers_of(0, dtype).dtype
    return followed(Tensor(chosen.astype(kind)), rows, indices)


def xlogy(x: Any, y: Any) -> Any:
    inside = followed(Tensor(np.asarray(numbers_of(x) != 0)[()]), lambda place: np.not_equal(place, 0.0), x)
    safe = operate("where", (inside, y, numbers_of(np.ones_like(numbers_of(y)))))
    return operate("multiply", (x, operate("log", (safe,))))


def split(value: Any, num_or_size_splits: Any, axis: int = 0) -> Any:
    sizes = num_or_size_splits
    cuts = sizes if isinstance(sizes, int) else np.cumsum(_plain(sizes))[:-1].tolist()
    return [*by_numpy(np.split, _below, Tensor)(value, cuts, axis=axis)]


def eigh(tensor: Any) -> Any:
    return tuple(operate("eigh", (tensor,), {"part": part}) for part in (0, 1))


def slogdet(input: Any) -> Any:
    return tuple(operate("slogdet", (input,), {"part": part}) for part in (0, 1))


def svd(tensor: Any, compute_uv: bool = True) -> Any:
    """TensorFlow gives the values first, and the right vectors as columns."""
    left, values, right = (operate("svd", (tensor,), {"part": part}) for part in range(3))
    return (values, left, operate("swapaxes", (right,), {"axis1": -1, "axis2": -2})) if compute_uv else values


def _truth(find: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x: followed(Tensor(np.asarray(find(numbers_of(x)))), find, x)


def _pairs(find: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, y: followed(Tensor(np.asarray(find(numbers_of(x), numbers_of(y)))), find, x, y)


def pad(tensor: Any, paddings: Any, mode: str = "CONSTANT", constant_values: float = 0) -> Any:
    attributes = {"pad_width": _plain(paddings), "mode": mode.lower()}
    return operate("pad", (tensor,), attributes | ({"constant_values": constant_values} if mode == "CONSTANT" else {}))


def cumsum(x: Any, axis: int = 0) -> Any:
    return operate("cumsum", (x,), {"axis": axis})


def diag(diagonal: Any) -> Any:
    """Matrices with the last axis as their diagonals."""
    if diagonal.ndim == 1:
        return operate("diag", (diagonal,))
    on_diagonal = Tensor(np.eye(diagonal.shape[-1], dtype=bool))
    return operate("where", (on_diagonal, expand_dims(diagonal, -1), numbers_of(0.0, diagonal.dtype)))


def cumprod(x: Any, axis: int = 0, exclusive: bool = False, reverse: bool = False) -> Any:
    """Exclusive: of what is before each element; reversed: of what is behind."""
    result = operate("flip", (x,), {"axis": axis}) if reverse else x
    if exclusive:
        before = [[0, 0]] * x.ndim
        before[axis] = [1, 0]
        size, along = x.shape[axis], (slice(None),) * (axis % x.ndim)
        result = operate("pad", (result,), {"pad_width": before, "constant_values": 1})[(*along, slice(0, size))]
    result = operate("cumprod", (result,), {"axis": axis})
    return operate("flip", (result,), {"axis": axis}) if reverse else result


def sort(values: Any, axis: int = -1, direction: str = "ASCENDING") -> Any:
    result = operate("sort", (values,), {"axis": axis})
    return result if direction == "ASCENDING" else operate("flip", (result,), {"axis": axis})


def eye(num_rows: int, num_columns: int | None = None, dtype: Any = "float32") -> Any:
    return Tensor(numbers_of(np.eye(num_rows, num_columns), dtype))


def matvec(a: Any, b: Any, transpose_a: bool = False) -> Any:
    return operate("matmul", (operate("swapaxes", (a,), {"axis1": -1, "axis2": -2}) if transpose_a else a, b))


def argsort(values: Any, axis: int = -1, direction: str = "ASCENDING", stable: bool = False) -> Any:
    def order(x: Any) -> Any:
        return np.argsort(x if direction == "ASCENDING" else -x, axis=axis, kind="stable")

    return followed(Tensor(order(numbers_of(values)).astype(np.int32)), order, values)


def boolean_mask(tensor: Any, mask: Any, axis: Any = None) -> Any:
    return tensor[mask if isinstance(mask, Tensor) else Tensor(numbers_of(mask))]


def unstack(value: Any, num: Any = None, axis: int = 0) -> list[Any]:
    before = (slice(None),) * (axis % value.ndim)
    return [value[(*before, place)] for place in range(value.shape[axis])]


def _over(find: Callable[..., Any]) -> Callable[..., Any]:
    """Whether a condition holds for all, or for any, along some axes."""

    def call(input_tensor: Any, axis: Any = None, keepdims: bool = False) -> Any:
        along = tuple(axis) if isinstance(axis, list) else axis
        result = Tensor(np.asarray(find(numbers_of(input_tensor), axis=along, keepdims=keepdims))[()])
        return followed(result, find, input_tensor, axis=along, keepdims=keepdims)

    return call


def leaky_relu(features: Any, alpha: float = 0.2) -> Any:
    return operate("leaky_relu", (features,), {"slope": alpha})


def gelu(features: Any, approximate: bool = False) -> Any:
    return operate("gelu", (features,), {"approximate": "tanh" if approximate else "none"})


def rsqrt(x: Any) -> Any:
    return 1.0 / operate("sqrt", (x,))


def l2_loss(t: Any) -> Any:
    return operate("sum", (operate("square", (t,)),)) / 2.0


AXIS = {"axis": "axis"}
SPREAD = {"axis": "axis", "keepdims": "keepdims"}
ROWS: dict[str, tuple[Callable[..., Any], str, dict[str, str]]] = {
    "linalg.trace": (np.trace, "x", {}), "tensordot": (np.tensordot, "a b", {"axes": "axes"}),
    "repeat": (np.repeat, "input repeats", AXIS), "roll": (np.roll, "input shift", AXIS),
    "reverse": (np.flip, "tensor", AXIS), "round": (np.round, "x", {}),
    "tile": (np.tile, "input multiples", {}), "math.reduce_variance": (np.var, "input_tensor", SPREAD),
    "math.reduce_std": (_std, "input_tensor", SPREAD),
}  # fmt: skip
COMPOSED: dict[str, Any] = {
    **{item.__name__: item for item in (
        argsort, boolean_mask, unstack, l2_loss, leaky_relu, gelu, rsqrt, gather, one_hot, xlogy, split, pad, sort, eye,
        matvec, cumsum, cumprod, diag, svd, eigh, slogdet,
    )},
    **{name.rpartition(".")[2]: _numpys(f"tensorflow.{name}", *row) for name, row in ROWS.items()},
    "mod": lambda x, y: operate("remainder", (x, y)), "floormod": lambda x, y: operate("remainder", (x, y)),
    "floordiv": lambda x, y: operate("floor_divide", (x, y)), "reduce_any": _over(np.any), "reduce_all": _over(np.all),
    "is_nan": _truth(np.isnan), "is_inf": _truth(np.isinf),
    "is_finite": _truth(np.isfinite), "elu": lambda features: operate("elu", (features,)),
    "solve": lambda matrix, rhs: operate("solve", (matrix, rhs)), "det": lambda input: operate("det", (input,)),
    "truncatemod": lambda x, y: operate("fmod", (x, y)),
    "matrix_transpose": lambda a: operate("swapaxes", (a,), {"axis1": -1, "axis2": -2}),
    "logical_and": _pairs(np.logical_and), "logical_or": _pairs(np.logical_or), "logical_not": _truth(np.logical_not),
    "not_equal": _pairs(np.not_equal), "less_equal": _pairs(np.less_equal), "greater_equal": _pairs(np.greater_equal),
    "cross": lambda a, b: operate("cross", (a, b)),
    "broadcast_static_shape": lambda shape_x, shape_y: np.broadcast_shapes(tuple(shape_x), tuple(shape_y)),
    "einsum": lambda equation, *inputs: operate("einsum", inputs, {"subscripts": equation.replace(" ", "")}),
}  # fmt: skip


def _from_numpy(name: str) -> Any:
    full = f"tensorflow.experimental.numpy.{name}"
    if full not in FORMS:
        return None
    return checked(full, FORMS[full], by_numpy(getattr(np, name), _below, Tensor), used={"*", *FORMS[full][0].names})


TNP = Library("tensorflow.experimental.numpy", {}, _from_numpy, lambda: known("tensorflow.experimental.numpy"))
EXPERIMENTAL = Library("tensorflow.experimental", {"numpy": TNP})
