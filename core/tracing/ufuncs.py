"""numpy's ufuncs on traced values: calls, out=, and the methods reduce, accumulate, outer and at."""

from __future__ import annotations

from typing import Any

import numpy as np

from cadena.core.ops.primitive import REGISTRY
from cadena.core.ops.scattering import add_at
from cadena.core.ops.shaping import parse_index
from cadena.core.tracing.advice import refusal
from cadena.core.tracing.composed import COMPOSED_UFUNCS
from cadena.core.tracing.computed_index import replaced
from cadena.core.tracing.conditions import LOGIC, is_truth
from cadena.core.tracing.traced import Traced, apply, index_text, is_computed, write_into

NAMES = {"absolute": "abs", "fabs": "abs", "true_divide": "divide", "degrees": "rad2deg", "radians": "deg2rad"}
NAMES |= {"psi": "digamma", "_zeta": "zeta", "float_power": "power"}
NAMES |= {"conjugate": "positive", "rint": "round", "mod": "remainder"}
OPERANDS = (Traced, np.ndarray, np.generic, float, int)  # what operations take as it is
REDUCTIONS = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logaddexp": "logsumexp"}
ACCUMULATIONS = {"add": "cumsum", "multiply": "cumprod"}


def call_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """The result of `ufunc.method(*inputs, **options)` when an input or the output is traced."""
    out = options.pop("out", None)
    target = out[0] if isinstance(out, tuple) else out
    if target is not None and not isinstance(target, Traced):
        raise TypeError(f"np.{ufunc.__name__} cannot write a traced value into a plain array; leave out= away")
    if method not in METHODS:
        raise TypeError(f"np.{ufunc.__name__}.{method} is not traced; write it with slices and np.{ufunc.__name__}")
    result = METHODS[method](ufunc, inputs, options)
    return result if target is None else write_into(target, result)


OPTIONS_INSTEAD = {"where": "use np.where", "dtype": "use an argument of that dtype"}


def _no_options(ufunc: np.ufunc, options: dict[str, Any], *known: str) -> None:
    """Raise TypeError for an option that would change the result, rather than drop it."""
    for name, value in options.items():
        if name not in (*known, "casting", "order", "subok") and value is not None and value is not True:
            instead = OPTIONS_INSTEAD.get(name, f"leave {name}= away")
            raise TypeError(f"np.{ufunc.__name__} with {name}= is not traced; {instead}")


def _call(ufunc: np.ufunc, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    _no_options(ufunc, options)
    if ufunc.__name__ in LOGIC and all(map(is_truth, inputs)):
        return apply(LOGIC[ufunc.__name__], [as_operand(x) for x in inputs])
    if ufunc is np.not_equal and is_truth(inputs[0]) and isinstance(inputs[0], Traced) and _is_zero(inputs[1]):
        return inputs[0]  # as exported programs read conditions
    if ufunc.__name__ in COMPOSED_UFUNCS:
        return COMPOSED_UFUNCS[ufunc.__name__](*inputs)
    name = NAMES.get(ufunc.__name__, ufunc.__name__)
    if (record := REGISTRY.get(name)) is None:
        raise refusal(ufunc)
    return apply(record, [as_operand(x) for x in inputs])


def _is_zero(x: Any) -> bool:
    return not isinstance(x, Traced) and np.ndim(x) == 0 and x == 0


def as_operand(x: Any) -> Any:
    """An operand as numpy would take it; Python numbers stay as they are, so that they never change a dtype."""
    return x if isinstance(x, OPERANDS) else np.asarray(x)


def _reduce(ufunc: np.ufunc, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    _no_options(ufunc, options, "axis", "keepdims")
    if ufunc.__name__ not in REDUCTIONS:
        raise TypeError(f"np.{ufunc.__name__}.reduce is not traced; write it with slices and np.{ufunc.__name__}")
    axis = options.get("axis", inputs[1] if len(inputs) > 1 else 0)
    attributes = {"axis": list(axis) if isinstance(axis, tuple) else axis, "keepdims": bool(options.get("keepdims"))}
    return apply(REDUCTIONS[ufunc.__name__], [inputs[0]], attributes)


def _accumulate(ufunc: np.ufunc, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    _no_options(ufunc, options, "axis")
    if ufunc.__name__ not in ACCUMULATIONS:
        raise TypeError(f"np.{ufunc.__name__}.accumulate is not traced; write it with slices and np.{ufunc.__name__}")
    return apply(ACCUMULATIONS[ufunc.__name__], [inputs[0]], {"axis": options.get("axis", 0)})


def _outer(ufunc: np.ufunc, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    left, right = map(as_operand, inputs)
    spread = np.reshape(left, (*np.shape(left), *(1,) * np.ndim(right)))
    return ufunc(spread, right)


def _at(ufunc: np.ufunc, inputs: tuple[Any, ...], options: dict[str, Any]) -> None:
    """Compute np.add.at and np.subtract.at: an element that is indexed twice is changed twice."""
    target, index, *values = inputs
    if ufunc.__name__ not in ("add", "subtract") or not isinstance(target, Traced):
        raise TypeError(f"np.{ufunc.__name__}.at is not traced on such arguments; use np.take or indexing and np.where")
    if is_computed(index):
        signed = values[0] if ufunc.__name__ == "add" else np.negative(values[0])
        write_into(target, replaced(target, index, signed, accumulate=True))
        return
    key = parse_index(index_text(index))
    part = np.broadcast_to(as_operand(values[0]), np.shape(np.broadcast_to(0.0, target.shape)[key]))
    write_into(target, ufunc(target, add_at(part, target.shape, key)))


METHODS = {"__call__": _call, "reduce": _reduce, "accumulate": _accumulate, "outer": _outer, "at": _at}
