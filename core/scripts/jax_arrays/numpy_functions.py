"""jax.numpy: numpy's functions, which know traced values, with JAX's number types."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from cadena.core.scripts.calls import all_checked, checked, forms_of
from cadena.core.scripts.conventions import steep_root
from cadena.core.scripts.jax_arrays.array import (
    METHODS,
    Array,
    array_at,
    is_recorded,
    is_weak,
    numbers_of,
    operate,
    raised,
)
from cadena.core.scripts.jax_arrays.state import canonical, float_type, whole_type
from cadena.core.scripts.jax_arrays.transforms import as_array
from cadena.core.scripts.library import Library
from cadena.core.scripts.skipped import switches
from cadena.core.tracing.traced import Traced
from cadena.core.tracing.ufuncs import NAMES

FORMS = forms_of(Path(__file__).with_name("signatures.txt").read_text("utf-8"))


def known(module: str) -> list[str]:
    """The names that the signatures have in a module."""
    start = f"{module}."
    return [name[len(start) :] for name in FORMS if name.startswith(start) and "." not in name[len(start) :]]


class ScalarType:
    """A number type such as jnp.float32, which makes arrays of what it is called with."""

    def __init__(self, name: str) -> None:
        self.dtype, self.__name__ = np.dtype(name), name

    def __call__(self, value: Any) -> Array:
        return array(value, self)

    def __repr__(self) -> str:
        return f"<class 'jax.numpy.{self.__name__}'>"

    def __eq__(self, other: object) -> bool:
        return self.dtype == other

    def __hash__(self) -> int:
        return hash(self.dtype)


TYPES = {
    name: ScalarType(name)
    for name in ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint32")
}


def array(object: Any, dtype: Any = None) -> Array:
    """jnp.array: Python's numbers are weak, lists are not; lists of recorded arrays are stacked."""
    if isinstance(object, list | tuple) and _has_arrays(object):
        result: Array = operate("stack", [array(item) for item in object], {"axis": 0})
    else:
        result = as_array(np.asarray(object) if isinstance(object, list | tuple) else object, "jnp.array")
    if dtype is None:
        return Array(result.array, result._node, result.weak_type and not isinstance(object, np.generic | list | tuple))
    return astype(result, dtype)


def _has_arrays(items: Iterable[Any]) -> bool:
    return any(_has_arrays(item) if isinstance(item, list | tuple) else isinstance(item, Array) for item in items)


def asarray(a: Any, dtype: Any = None) -> Array:
    return array(a, dtype)


def astype(x: Any, dtype: Any) -> Array:
    from cadena.core.scripts.jax_arrays.array import cast

    result = cast(as_array(x), np.dtype({float: float_type(), int: whole_type()}.get(dtype, dtype)))
    return Array(result.array, result._node) if result.weak_type else result


def _typed(numbers: Any, dtype: Any, kind: Any = None) -> Array:
    """Numbers as a new array, of a type that is asked for, or else of `kind`."""
    return Array(np.asarray(numbers).astype(canonical((kind or numbers.dtype) if dtype is None else dtype)))


def _filled(number: float) -> Callable[..., Any]:
    return lambda shape, dtype=None: _typed(np.full(_below(shape), number), dtype, float_type())


def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = None) -> Array:
    return _typed(np.eye(N, M, k), dtype, float_type())


def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None) -> Array:
    first, last = (0, start) if stop is None else (start, stop)
    return _typed(np.arange(_below(first), _below(last), 1 if step is None else _below(step)), dtype)


def linspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None) -> Any:
    """In float32 with the steps that JAX's compiler makes of it."""
    ends = [np.asarray(_below(end)) for end in (start, stop)]
    if float_type() != np.float32 or not endpoint or num < 2 or any(end.ndim for end in ends):
        return _typed(np.linspace(ends[0], ends[1], num, endpoint), dtype, float_type())
    first, last = (np.float32(end) for end in ends)
    places, part = np.arange(num - 1, dtype=np.float32), np.float32(1.0) / np.float32(num - 1)
    left = (1.0 - places.astype(np.float64) * np.float64(part)).astype(np.float32)
    return _typed(np.append(first * left + places * (part * last), last), dtype, float_type())


def _full(shape: Any, fill_value: Any, dtype: Any = None) -> Array:
    number = array(fill_value, dtype)
    spread = operate("broadcast_to", (number,), {"shape": [shape] if isinstance(shape, int) else [*map(int, shape)]})
    return Array(spread.array, spread._node, number.weak_type)


def _like(number: float) -> Callable[..., Any]:
    def call(a: Any, dtype: Any = None, shape: Any = None) -> Array:
        model = as_array(a)
        size = model.shape if shape is None else shape
        return Array(np.full(size, number, model.dtype if dtype is None else canonical(dtype)), None, model.weak_type)

    return call


def _below(value: Any) -> Any:
    """A value as numpy's functions take it: traced where it is recorded."""
    if isinstance(value, Array):
        return value.handle() if is_recorded((value,)) else value.array
    if isinstance(value, ScalarType):
        return canonical(value)
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return type(value)(_below(item) for item in value)
    return numbers_of(value)


def _followed_below(value: Any) -> Any:
    """The same, where data is followed as well."""
    place = value.follows() if isinstance(value, Array) else None
    return _below(value) if place is None else place


def _above(value: Any, of_floats: bool = False) -> Any:
    """A result of numpy's functions as JAX gives it; one `of_floats` is floats, although they may be whole."""
    if isinstance(value, Traced):
        return Array(value.value, value) if of_floats and not value.is_index else array_at(value)
    if isinstance(value, np.ndarray | np.generic):
        return Array(np.asarray(value).astype(canonical(value.dtype))[()])
    if isinstance(value, list):
        return [_above(item, of_floats) for item in value]
    if isinstance(value, tuple):
        items = [_above(item, of_floats) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value


def _of_numpy(function: Callable[..., Any], shown: str) -> Callable[..., Any]:
    """A function of numpy that is not a ufunc."""

    def call(*args: Any, **keywords: Any) -> Any:
        traced = [_followed_below(item) for item in args]
        named = {key: _below(value) for key, value in keywords.items() if value is not None}
        try:
            result = function(*traced, **named)
        except TypeError as error:
            raise TypeError(str(error).replace(f"np.{function.__name__}", shown)) from None
        narrow = {item.array.dtype for item in args if isinstance(item, Array)}
        wide = isinstance(result, np.floating) and len(narrow) == 1 and next(iter(narrow)).kind == "f"
        of_floats = any(dtype.kind == "f" for dtype in narrow)
        return _above(result.astype(next(iter(narrow))) if wide else result, of_floats)

    call.__name__ = call.__qualname__ = shown.rpartition(".")[2]
    return call


def _of_ufunc(op: str) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        for place, item in enumerate(args):
            if isinstance(item, list | tuple):
                kind = type(item)
                raise TypeError(f"{op} requires ndarray or scalar arguments, got {kind} at position {place}.")
        return operate(op, args)

    call.__name__ = op
    return call


def _truth(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, **keywords: _above(function(*map(_followed_below, args), **keywords))


def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    if x is None or y is None:
        return _above(np.nonzero(_below(condition)))
    chosen = operate("where", (condition if isinstance(condition, Array) else Array(np.asarray(condition)), x, y))
    chosen.weak_type = is_weak(x) and is_weak(y)
    return chosen


def clip(arr: Any, min: Any = None, max: Any = None) -> Any:
    result = as_array(arr)
    result = result if min is None else operate("maximum", (result, min))
    return result if max is None else operate("minimum", (result, max))


def std(a: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """As in JAX the root of the variance, which is infinitely steep at 0."""
    return steep_root(operate("sqrt", (JNP.var(a, axis=axis, ddof=ddof, keepdims=keepdims),)), "std", "JAX")


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """In JAX's own steps, so with its gradients: the root of a sum of squares, for one, is infinitely steep at 0."""
    x = as_array(x)
    axes = len(axis) if isinstance(axis, tuple) else x.ndim if axis is None else 1
    if axes == 1 and isinstance(ord, int | float) and abs(ord) not in (0, 2):
        length, reduced = JNP.abs(x), {"axis": axis, "keepdims": keepdims}
        if ord == np.inf:  # of all lengths and 0, which shares the gradient where all are 0
            return JNP.maximum(JNP.max(length, **reduced), 0.0)
        if ord == -np.inf:
            return JNP.min(length, **reduced)
        if ord == 1:
            return JNP.sum(length, **reduced)
        return JNP.power(JNP.sum(JNP.power(length, float(ord)), **reduced), 1.0 / ord)
    if not (ord is None or (ord == 2 and axes == 1) or (ord == "fro" and axes == 2)):
        return _linear_from_numpy("norm")(x, ord, axis, keepdims)
    if x.array.dtype.kind != "f":
        x = astype(x, float_type())
    return steep_root(operate("sqrt", (JNP.sum(x * x, axis=axis, keepdims=keepdims),)), "norm", "JAX")


def hypot(x1: Any, x2: Any) -> Any:
    """In JAX's own steps, whose gradient is a half for each operand where both are 0."""
    a, b = JNP.abs(x1), JNP.abs(x2)
    longer, shorter = JNP.maximum(a, b), JNP.minimum(a, b)
    is_zero = longer == 0
    root = JNP.sqrt(1 + JNP.square(shorter / where(is_zero, JNP.ones_like(longer), longer)))
    return where(is_zero, longer, longer * root)


def einsum(subscripts: str, *operands: Any) -> Any:
    return operate("einsum", operands, {"subscripts": subscripts.replace(" ", "")})


def take_along_axis(arr: Any, indices: Any, axis: int | None = -1) -> Any:
    return operate("take_along_axis", (arr, as_array(indices)), {"axis": axis})


def rounded(a: Any, decimals: int = 0) -> Any:
    return operate("round", (a,), {"decimals": decimals})


def power(x1: Any, x2: Any) -> Any:
    return raised(x1, x2)


def full_like(a: Any, fill_value: Any, dtype: Any = None) -> Array:
    return _full(as_array(a).shape, fill_value, dtype or as_array(a).dtype)


GIVEN: dict[str, Any] = {
    **{item.__name__: item for item in (
        array, asarray, where, clip, einsum, power, take_along_axis, eye, arange, linspace, full_like, std,
        hypot,
    )},
    "pow": power, "round": rounded, "zeros": _filled(0), "ones": _filled(1), "empty": _filled(0), "full": _full,
    "zeros_like": _like(0), "ones_like": _like(1),
    "empty_like": lambda prototype, dtype=None: _like(0)(prototype, dtype),
    "ndarray": Array, "pi": np.pi, "e": np.e, "inf": np.inf, "nan": np.nan, "newaxis": None, **TYPES,
    "bool_": np.bool_,
    "result_type": lambda *args: canonical(np.result_type(*map(numbers_of, args))),
    "ndim": lambda a: as_array(a).ndim, "shape": lambda a: as_array(a).shape,
    "size": lambda a: as_array(a).size,
}  # fmt: skip
TRUTHS = frozenset(
    "equal not_equal less less_equal greater greater_equal isnan isinf isfinite logical_and logical_or logical_not "
    "logical_xor allclose isclose array_equal all any argmax argmin argsort nonzero".split()
)


def from_numpy(name: str) -> Any:
    """A function of jax.numpy that is one of numpy's."""
    return _named(f"jax.numpy.{name}", getattr(np, name, None))


def _linear_from_numpy(name: str) -> Any:
    return _named(f"jax.numpy.linalg.{name}", getattr(np.linalg, name, None))


def _named(full: str, function: Any) -> Any:
    if full not in FORMS or function is None:
        return None
    name = full.rpartition(".")[2]
    used = {"*", *FORMS[full][0].positional}
    if name in TRUTHS:
        call = _truth(function)
    elif isinstance(function, np.ufunc):
        call = _of_ufunc(NAMES.get(function.__name__, function.__name__))
    else:
        call = _of_numpy(function, full.replace("jax.numpy", "jnp"))
        own = inspect.signature(function).parameters
        takes_all = any(item.kind == item.VAR_KEYWORD for item in own.values())
        names = FORMS[full][0].names
        used = {"*", names[0], *(name for name in names if takes_all or name in own)}
    return checked(full, FORMS[full], call, used=used)


METHOD_NAMES = (
    "sum mean prod max min std var cumsum cumprod argmax argmin argsort all any reshape transpose ravel squeeze "
    "swapaxes repeat take clip round dot astype trace diagonal flatten sort nonzero"
).split()


def _reshape(x: Array, *shape: Any) -> Any:
    return JNP.reshape(x, shape[0] if len(shape) == 1 else shape)


def _transpose(x: Array, *axes: Any) -> Any:
    return JNP.transpose(x, (axes[0] if len(axes) == 1 else axes) or None)


def pinv(a: Any, rtol: Any = None) -> Any:
    return _above(np.linalg.pinv(_below(a), **({} if rtol is None else {"rcond": rtol})))


def eigh(a: Any) -> Any:
    return tuple(operate("eigh", (a,), {"part": part}) for part in (0, 1))


def concatenate(arrays: Any, axis: int | None = 0) -> Any:
    operands = [JNP.ravel(item) for item in arrays] if axis is None else [*arrays]
    return operate("concatenate", operands, {"axis": axis or 0})


def sort(a: Any, axis: int | None = -1) -> Any:
    return operate("sort", (JNP.ravel(a) if axis is None else a,), {"axis": -1 if axis is None else axis})


JOINED: dict[str, Callable[..., Any]] = {"concatenate": concatenate, "sort": sort}
OF_MATRICES = {"norm": norm, "pinv": pinv, "eigh": eigh, "cholesky": lambda a: operate("cholesky", (a,))}
LINALG = Library(
    "jax.numpy.linalg",
    all_checked("jax.numpy.linalg", OF_MATRICES, FORMS),
    _linear_from_numpy,
    lambda: known("jax.numpy.linalg"),
)
JNP: Any = Library(
    "jax.numpy",
    all_checked("jax.numpy", {**GIVEN, **JOINED}, FORMS)
    | {"linalg": LINALG}
    | switches("jax.numpy", "set_printoptions"),
    from_numpy,
    lambda: known("jax.numpy"),
)
METHODS.append(
    {name: getattr(JNP, name) for name in METHOD_NAMES if name not in ("flatten", "astype")}
    | {"reshape": _reshape, "transpose": _transpose, "flatten": JNP.ravel, "copy": JNP.positive}
    | {"astype": astype, "block_until_ready": lambda x: x}
)
