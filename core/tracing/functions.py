"""numpy's functions on traced values: for each, how its arguments become the operands and attributes of an operation.

A line of the table says: the operation, numpy's parameters in order, and which of them are operands. Parameters that an
operation does not have may only keep their default; everything else is refused with a sentence, never dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.linalg._linalg import EighResult, SlogdetResult
from numpy.linalg._linalg import SVDResult as SvdResult

from core.primitive import REGISTRY
from core.tracing.traced import Traced, apply, plain
from core.tracing.ufuncs import as_operand, write_into

IGNORED = {"dtype": (None,), "out": (None,), "order": (None, "C"), "copy": (None, True, False), "subok": (False, True)}
MISSING = object()


def _line(op: str, parameters: str, operands: int = 1, **renamed: str) -> Callable[..., Any]:
    """A handler that binds `parameters` ("a axis=None"), takes the first `operands` of them as operands, the rest as
    attributes; `renamed` maps numpy's parameter to the attribute's name where they differ."""
    names = parameters.split()

    def handle(*args: Any, **kwargs: Any) -> Any:
        given = dict(zip(names, args, strict=False)) | kwargs
        out = given.pop("out", None)
        for name in [key for key in given if key in IGNORED]:
            _check_ignored(op, name, given.pop(name))
        traced = [as_operand(given.pop(name)) for name in names[:operands]]
        attributes = {renamed.get(key, key): _as_attribute(value) for key, value in given.items()}
        result = apply(op, traced, attributes)
        return result if out is None else write_into(out, result)

    return handle


def _check_ignored(op: str, name: str, value: Any) -> None:
    if value not in IGNORED[name]:
        raise TypeError(f"np.{op} with {name}={value!r} is not traced; leave {name}= away")


def _as_attribute(value: Any) -> Any:
    """An attribute as a file holds it: plain numbers, lists and texts."""
    if isinstance(value, Traced):
        raise TypeError("this argument must be a plain number, not a traced value; its gradient would be lost")
    if isinstance(value, tuple | list):
        return [_as_attribute(item) for item in value]
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value.item() if isinstance(value, np.generic) else value


def _many(op: str, parameters: str) -> Callable[..., Any]:
    """A handler for functions whose first argument is a list of operands, such as np.concatenate."""
    names = parameters.split()

    def handle(items: Any, *args: Any, **kwargs: Any) -> Any:
        given = dict(zip(names, args, strict=False)) | kwargs
        for name in [key for key in given if key in (*IGNORED, "casting")]:
            given.pop(name)
        attributes = {key: _as_attribute(value) for key, value in given.items()}
        return apply(op, [as_operand(item) for item in items], attributes)

    return handle


def _parts(op: str, count: Callable[..., int], parameters: str, result: Any = tuple) -> Callable[..., Any]:
    """A handler for functions with several results: one node for each part."""
    names = parameters.split()

    def handle(*args: Any, **kwargs: Any) -> Any:
        given = dict(zip(names, args, strict=False)) | kwargs
        operand = as_operand(given.pop(names[0]))
        attributes = {key: _as_attribute(value) for key, value in given.items()}
        return result([apply(op, [operand], attributes | {"part": part}) for part in range(count(operand, given))])

    return handle


def _split_count(operand: Any, given: dict[str, Any]) -> int:
    sections: Any = given["indices_or_sections"]
    return int(sections) if isinstance(sections, int | np.integer) else len(sections) + 1


WITHOUT_GRADIENT = (
    np.argmax, np.argmin, np.argsort, np.argpartition, np.shape, np.ndim, np.size, np.isclose, np.allclose,
    np.array_equal, np.all, np.any, np.nonzero, np.flatnonzero, np.count_nonzero, np.searchsorted, np.iscomplexobj,
    np.isrealobj, np.result_type, np.zeros_like, np.empty_like, np.array_repr, np.array_str, np.array2string,
)  # fmt: skip

TABLE: dict[Any, Callable[..., Any]] = {
    np.sum: _line("sum", "a axis dtype out keepdims"),
    np.mean: _line("mean", "a axis dtype out keepdims"),
    np.prod: _line("prod", "a axis dtype out keepdims"),
    np.max: _line("max", "a axis out keepdims"),
    np.min: _line("min", "a axis out keepdims"),
    np.amax: _line("max", "a axis out keepdims"),
    np.amin: _line("min", "a axis out keepdims"),
    np.var: _line("var", "a axis dtype out ddof keepdims"),
    np.std: _line("std", "a axis dtype out ddof keepdims"),
    np.median: _line("median", "a axis out overwrite_input keepdims"),
    np.cumsum: _line("cumsum", "a axis dtype out"),
    np.cumprod: _line("cumprod", "a axis dtype out"),
    np.trace: _line("trace", "a offset axis1 axis2 dtype out"),
    np.linalg.norm: _line("norm", "x ord axis keepdims"),
    np.dot: _line("dot", "a b out", 2),
    np.inner: _line("inner", "a b", 2),
    np.outer: _line("outer", "a b out", 2),
    np.tensordot: _line("tensordot", "a b axes", 2),
    np.kron: _line("kron", "a b", 2),
    np.cross: _line("cross", "a b axisa axisb axisc axis", 2),
    np.linalg.inv: _line("inv", "a"),
    np.linalg.solve: _line("solve", "a b", 2),
    np.linalg.det: _line("det", "a"),
    np.linalg.cholesky: _line("cholesky", "a"),
    np.linalg.pinv: _line("pinv", "a"),
    np.transpose: _line("transpose", "a axes"),
    np.swapaxes: _line("swapaxes", "a axis1 axis2"),
    np.moveaxis: _line("moveaxis", "a source destination"),
    np.diag: _line("diag", "v k"),
    np.tril: _line("tril", "m k"),
    np.triu: _line("triu", "m k"),
    np.reshape: _line("reshape", "a shape order copy"),
    np.ravel: _line("ravel", "a order"),
    np.squeeze: _line("squeeze", "a axis"),
    np.expand_dims: _line("expand_dims", "a axis"),
    np.broadcast_to: _line("broadcast_to", "array shape subok"),
    np.tile: _line("tile", "A reps"),
    np.repeat: _line("repeat", "a repeats axis"),
    np.roll: _line("roll", "a shift axis"),
    np.flip: _line("flip", "m axis"),
    np.rot90: _line("rot90", "m k axes"),
    np.diff: _line("diff", "a n axis"),
    np.sort: _line("sort", "a axis"),
    np.partition: _line("partition", "a kth axis"),
    np.take: _line("take", "a indices axis out mode"),
    np.take_along_axis: _line("take_along_axis", "arr indices axis", 2),
    np.pad: _line("pad", "array pad_width mode"),
    np.clip: _line("clip", "a a_min a_max out", a_min="min", a_max="max"),
    np.round: _line("round", "a decimals out"),
    np.around: _line("round", "a decimals out"),
    np.nan_to_num: _line("nan_to_num", "x"),
    np.sinc: _line("sinc", "x"),
    np.concatenate: _many("concatenate", "axis out"),
    np.stack: _many("stack", "axis out"),
    np.hstack: _many("hstack", ""),
    np.vstack: _many("vstack", ""),
    np.dstack: _many("dstack", ""),
    np.split: _parts("split", _split_count, "ary indices_or_sections axis", list),
}


def _where(condition: Any, *choices: Any) -> Any:
    if len(choices) != 2:
        return np.where(plain(condition))
    return apply("where", [np.asarray(plain(condition)), *map(as_operand, choices)])


def _einsum(subscripts: Any, *operands: Any, **options: Any) -> Any:
    if not isinstance(subscripts, str):
        raise TypeError('np.einsum is traced with subscripts as a text, for example "ij,jk->ik"')
    return apply("einsum", [as_operand(item) for item in operands], {"subscripts": subscripts})


def _several(op: str, count: int, result: Callable[..., Any]) -> Callable[..., Any]:
    """A handler for a function of linear algebra with several results: one node for each part."""

    def handle(a: Any, *args: Any, **kwargs: Any) -> Any:
        for name, value in kwargs.items():
            if (name, value) not in (("full_matrices", False), ("UPLO", "L"), ("compute_uv", True)):
                raise TypeError(f"np.linalg.{op} with {name}={value!r} is not traced; leave it away")
        return result(*(apply(op, [a], {"part": part}) for part in range(count)))

    return handle


def _svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    if not compute_uv:
        return apply("svd", [a], {"part": 1})
    if full_matrices and np.shape(a)[-1] != np.shape(a)[-2]:
        raise TypeError("np.linalg.svd of a matrix that is not square is traced with full_matrices=False")
    return _several("svd", 3, SvdResult)(a)


def _gradient(f: Any, *spacing: Any, axis: Any = None, edge_order: int = 1) -> Any:
    axes: Any = range(np.ndim(f)) if axis is None else [axis] if isinstance(axis, int) else list(axis)
    options: dict[str, Any] = {"axis": list(axes), "edge_order": edge_order}
    if spacing:
        options["spacing"] = _as_attribute(spacing[0]) if len(spacing) == 1 else _as_attribute(list(spacing))
    parts = [apply("gradient", [f], options | {"part": part}) for part in range(len(axes))]
    return parts[0] if len(parts) == 1 else tuple(parts)


TABLE |= {
    np.where: _where,
    np.einsum: _einsum,
    np.linalg.svd: _svd,
    np.linalg.eigh: _several("eigh", 2, EighResult),
    np.linalg.slogdet: _several("slogdet", 2, SlogdetResult),
    np.gradient: _gradient,
    np.matrix_transpose: lambda x: np.swapaxes(x, -1, -2),
    np.ones_like: lambda a, *args, **kwargs: np.ones_like(plain(a), *args, **kwargs),
    np.linalg.matrix_transpose: lambda x: np.swapaxes(x, -1, -2),
    np.vdot: lambda a, b: np.sum(np.multiply(np.ravel(a), np.ravel(b))),
    np.copy: lambda a, *args, **kwargs: np.positive(a),
    np.atleast_1d: lambda x: x if np.ndim(x) else np.reshape(x, (1,)),
    np.fliplr: lambda m: np.flip(m, 1),
    np.flipud: lambda m: np.flip(m, 0),
    np.average: lambda a, axis=None: np.mean(a, axis),
    np.full_like: lambda a, fill_value, **kwargs: np.broadcast_to(as_operand(fill_value), np.shape(a)) * 1.0,
}


def call_function(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a numpy function gives when an argument is traced. Raises TypeError for functions that are not known."""
    if function in WITHOUT_GRADIENT:
        return function(*_plain_all(args), **_plain_all(kwargs))
    if function in TABLE:
        return TABLE[function](*args, **kwargs)
    name = getattr(function, "__name__", str(function))
    near = f"; {name} exists as an operation of Cadena" if name in REGISTRY else ""
    raise TypeError(f"np.{name} is not traced{near}; write it with functions that are")


def _plain_all(x: Any) -> Any:
    if isinstance(x, tuple | list):
        return type(x)(_plain_all(item) for item in x)
    if isinstance(x, dict):
        return {key: _plain_all(item) for key, item in x.items()}
    return plain(x)
