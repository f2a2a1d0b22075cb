"""numpy's functions on traced values: for each, the mapping of its arguments to operands and attributes.

A line of the table says: the operation, numpy's parameters in order, and which of them are operands. Parameters that an
operation does not have may only keep their default; everything else is refused with a sentence, never dropped.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase
from typing import Any

import numpy as np

from cadena.core.ops.primitive import REGISTRY
from cadena.core.tracing.advice import refusal
from cadena.core.tracing.composed import COMPOSED
from cadena.core.tracing.computed_index import elements
from cadena.core.tracing.linear_algebra import LINEAR_ALGEBRA, is_matrix_norm, matrix_norm
from cadena.core.tracing.traced import Traced, apply, is_computed, plain, write_into
from cadena.core.tracing.ufuncs import as_operand

# Parameters that no operation has -> their values without effect.
IGNORED: dict[str, tuple[Any, ...]] = {
    "dtype": (None,),
    "order": (None, "C"),
    "copy": (None, True, False),
    "subok": (False, True),
    "casting": ("same_kind", "unsafe", "safe"),
    "optimize": (None, True, False, "greedy", "optimal"),
    "kind": (None, "quicksort", "mergesort", "heapsort", "stable"),
    "stable": (None, True, False),
    "overwrite_input": (False, True),
    "hermitian": (False,),
}


@dataclass(frozen=True)
class NumpySignature:
    """A numpy function as an operation: its parameters in order, the first `operands` of which are operands.

    The other parameters are attributes of the same name.
    """

    op: str
    parameters: tuple[str, ...]
    operands: int = 1

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        arguments = _bound(self.op, self.parameters, args, kwargs)
        out = arguments.pop("out", None)
        traced = [as_operand(arguments.pop(name)) for name in self.parameters[: self.operands]]
        result = apply(self.op, traced, _attributes(self.op, arguments))
        return result if out is None else write_into(out, result)


@dataclass(frozen=True)
class Many(NumpySignature):
    """For functions whose first argument is a list of operands, such as np.concatenate; `parameters` are the others."""

    def __call__(self, items: Any, *args: Any, **kwargs: Any) -> Any:
        arguments = _bound(self.op, self.parameters, args, kwargs)
        out = arguments.pop("out", None)
        result = apply(self.op, [as_operand(item) for item in items], _attributes(self.op, arguments))
        return result if out is None else write_into(out, result)


@dataclass(frozen=True)
class Parts(NumpySignature):
    """For functions with several results: one node for each part."""

    count: Callable[..., int] = len
    result: Any = tuple

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        arguments = _bound(self.op, self.parameters, args, kwargs)
        operand = as_operand(arguments.pop(self.parameters[0]))
        attributes, count = _attributes(self.op, arguments), self.count(operand, arguments)
        return self.result([apply(self.op, [operand], attributes | {"part": part}) for part in range(count)])


def _line(op: str, parameters: str, operands: int = 1) -> NumpySignature:
    return NumpySignature(op, tuple(parameters.split()), operands)


def _many(op: str, parameters: str) -> NumpySignature:
    return Many(op, tuple(parameters.split()))


def _parts(op: str, count: Callable[..., int], parameters: str, result: Any = tuple) -> NumpySignature:
    return Parts(op, tuple(parameters.split()), count=count, result=result)


def _bound(op: str, names: Sequence[str], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments by name, without those that have no effect. Raises TypeError rather than drop one."""
    if len(args) > len(names):
        raise TypeError(f"np.{op} is traced with the arguments {', '.join(names)}; leave further ones away")
    arguments = dict(zip(names, args, strict=False)) | kwargs
    for name in [key for key in arguments if key in IGNORED]:
        value = arguments.pop(name)
        if not any(value is item or (isinstance(value, str) and value == item) for item in IGNORED[name]):
            raise TypeError(f"np.{op} with {name}={value!r} is not traced; leave {name}= away")
    return arguments


def _attributes(op: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """numpy's further arguments as attributes of the operation. Raises TypeError for one that it does not have."""
    known = {attribute.name for attribute in REGISTRY[op].attributes}
    attributes = {key: _as_attribute(value) for key, value in arguments.items()}
    for name in attributes:
        if name not in known:
            raise TypeError(f"np.{op} with {name}= is not traced; leave {name}= away")
    return attributes


def _as_attribute(value: Any) -> Any:
    """An attribute as a file holds it: plain numbers, lists and texts."""
    if isinstance(value, Traced):
        raise TypeError("this argument must be a plain number, not a traced value; its gradient would be lost")
    if isinstance(value, tuple | list):
        return [_as_attribute(item) for item in value]
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value.item() if isinstance(value, np.generic) else value


def _split_count(operand: Any, arguments: dict[str, Any]) -> int:
    sections: Any = arguments["indices_or_sections"]
    return int(sections) if isinstance(sections, int | np.integer) else len(sections) + 1


# About shapes and types, whatever the numbers are; and texts.
WITHOUT_GRADIENT = (
    np.shape, np.ndim, np.size, np.iscomplexobj, np.isrealobj, np.result_type, np.zeros_like, np.empty_like,
    np.array_repr, np.array_str, np.array2string, np.iscomplex, np.isreal, np.common_type, np.can_cast,
    np.diag_indices_from, np.tril_indices_from, np.triu_indices_from, np.einsum_path, np.min_scalar_type,
    np.may_share_memory, np.shares_memory, np.ix_,
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
    np.dot: _line("dot", "a b out", 2),
    np.inner: _line("inner", "a b", 2),
    np.outer: _line("outer", "a b out", 2),
    np.tensordot: _line("tensordot", "a b axes", 2),
    np.kron: _line("kron", "a b", 2),
    np.cross: _line("cross", "a b axisa axisb axisc axis", 2),
    np.linalg.inv: _line("inv", "a"),
    np.linalg.solve: _line("solve", "a b", 2),
    np.linalg.det: _line("det", "a"),
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
    np.argmax: _line("argmax", "a axis out keepdims"),
    np.argmin: _line("argmin", "a axis out keepdims"),
    np.argsort: _line("argsort", "a axis kind order stable"),
    np.sort: _line("sort", "a axis kind order stable"),
    np.partition: _line("partition", "a kth axis kind order"),
    np.take_along_axis: _line("take_along_axis", "arr indices axis", 2),
    np.pad: _line("pad", "array pad_width mode"),
    np.round: _line("round", "a decimals out"),
    np.around: _line("round", "a decimals out"),
    np.nan_to_num: _line("nan_to_num", "x copy"),
    np.sinc: _line("sinc", "x"),
    np.concatenate: _many("concatenate", "axis out"),
    np.stack: _many("stack", "axis out"),
    np.hstack: _many("hstack", ""),
    np.vstack: _many("vstack", ""),
    np.dstack: _many("dstack", ""),
    np.split: _parts("split", _split_count, "ary indices_or_sections axis", list),
    np.array_split: _parts("array_split", _split_count, "ary indices_or_sections axis", list),
    np.hsplit: _parts("hsplit", _split_count, "ary indices_or_sections", list),
    np.vsplit: _parts("vsplit", _split_count, "ary indices_or_sections", list),
}


def _where(condition: Any, *choices: Any) -> Any:
    if len(choices) != 2:
        return np.nonzero(condition)
    return apply(
        "where", [condition if isinstance(condition, Traced) else np.asarray(condition), *map(as_operand, choices)]
    )


_take_places = _line("take", "a indices axis out mode")


def _take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: str = "raise") -> Any:
    if not is_computed(indices):
        return _take_places(a, indices, axis, out, mode)
    flat, place = (np.ravel(a), 0) if axis is None else (a, axis % np.ndim(a))
    if mode != "raise":
        size = float(np.shape(flat)[place])
        indices = np.clip(indices, 0.0, size - 1.0) if mode == "clip" else np.remainder(indices, size)
    result = elements(flat, (*(slice(None),) * place, indices))
    return result if out is None else write_into(out, result)


def _einsum(*arguments: Any, **options: Any) -> Any:
    subscripts, operands = (arguments[0], arguments[1:]) if isinstance(arguments[0], str) else _lettered(arguments)
    out = options.pop("out", None)
    _attributes("einsum", _bound("einsum", [], (), options))
    result = apply("einsum", [as_operand(item) for item in operands], {"subscripts": subscripts})
    return result if out is None else write_into(out, result)


def _lettered(arguments: tuple[Any, ...]) -> tuple[str, list[Any]]:
    """The list form, a, [0, 1], b, [1, 2], [0, 2], as the text "AB,BC->AC" and its operands."""
    operands, lists = list(arguments[: len(arguments) // 2 * 2 : 2]), list(arguments[1::2])
    terms = ",".join(map(_letters, lists))
    return (f"{terms}->{_letters(arguments[-1])}" if len(arguments) % 2 else terms), operands


def _letters(places: Any) -> str:
    """A letter for each number, in the order of the numbers, which sorts a result without letters."""
    letters = dict(enumerate(ascii_uppercase + ascii_lowercase))
    try:
        return "".join("..." if place is Ellipsis else letters[operator.index(place)] for place in places)
    except (TypeError, KeyError):
        raise TypeError(
            f"np.einsum is traced with lists of whole numbers from 0 to {len(letters) - 1}, or with subscripts as a "
            'text, for example "ij,jk->ik"'
        ) from None


def _gradient(f: Any, *spacing: Any, axis: Any = None, edge_order: int = 1) -> Any:
    axes: Any = range(np.ndim(f)) if axis is None else [axis] if isinstance(axis, int) else list(axis)
    options: dict[str, Any] = {"axis": list(axes), "edge_order": edge_order}
    if spacing:
        options["spacing"] = _as_attribute(spacing[0]) if len(spacing) == 1 else _as_attribute(list(spacing))
    parts = [apply("gradient", [f], options | {"part": part}) for part in range(len(axes))]
    return parts[0] if len(parts) == 1 else tuple(parts)


_norm_of_elements = _line("norm", "x ord axis keepdims")


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    of_matrix = is_matrix_norm(ord, np.ndim(x) if axis is None else np.size(axis))
    return (matrix_norm if of_matrix else _norm_of_elements)(x, ord, axis, keepdims)


_clip_by_numbers = _line("clip", "a min max out")


def _clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, **bounds: Any) -> Any:
    """Clip by attributes where the bounds are single numbers; by comparisons where they are traced or arrays."""
    low, high = bounds.pop("min", a_min), bounds.pop("max", a_max)
    if bounds:
        raise TypeError(f"np.clip with {next(iter(bounds))}= is not traced; leave it away")
    if isinstance(a, Traced) and not any(isinstance(end, Traced) or np.ndim(end) for end in (low, high)):
        return _clip_by_numbers(a, low, high, out)
    above = a if low is None else np.maximum(a, low)
    result = above if high is None else np.minimum(above, high)
    return result if out is None else write_into(out, result)


def _full_like(a: Any, fill_value: Any, dtype: Any = None) -> Any:
    if not isinstance(fill_value, Traced):
        return np.full_like(plain(a), fill_value, dtype)
    filled = np.broadcast_to(fill_value, np.shape(a))
    return filled.astype(dtype or a.dtype)


TABLE |= COMPOSED | LINEAR_ALGEBRA
TABLE |= {
    np.where: _where,
    np.take: _take,
    np.clip: _clip,
    np.full_like: _full_like,
    np.einsum: _einsum,
    np.linalg.norm: _norm,
    np.gradient: _gradient,
    np.ones_like: lambda a, *args, **kwargs: np.ones_like(plain(a), *args, **kwargs),
    np.copy: lambda a, *args, **kwargs: np.positive(a),
}


def call_function(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The result of a numpy function with a traced argument. Raises TypeError for unknown functions."""
    if function in WITHOUT_GRADIENT:
        return function(*_plain_all(args), **_plain_all(kwargs))
    if function not in TABLE:
        raise refusal(function)
    rule = TABLE[function]
    try:
        inspect.signature(rule).bind(*args, **kwargs)
    except TypeError:
        known = ", ".join(inspect.signature(rule).parameters)
        raise TypeError(f"np.{function.__name__} is traced with {known} only; leave other arguments away") from None
    return rule(*args, **kwargs)


def _plain_all(x: Any) -> Any:
    if isinstance(x, tuple | list):
        return type(x)(_plain_all(item) for item in x)
    if isinstance(x, dict):
        return {key: _plain_all(item) for key, item in x.items()}
    return plain(x)
