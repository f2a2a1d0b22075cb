"""Functions of JAX that it traces as several operations, put together again: softmax and logsumexp.

JAX subtracts the largest element, which it holds by stop_gradient. As one operation they are what people wrote, and
have the rules for masked rows and the safer forms that the doctor knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from cadena.core.tracing.recording import RecordedCall
from cadena.core.tracing.traced import Traced, apply, plain

REDUCTIONS = ("sum", "max", "min", "prod")
CLOSE = 1e-5  # relative: both are rounded on the way


def folded(name: str, operands: Sequence[Any], dtype: str) -> Traced | None:
    """The function whose last operation is this primitive on these operands; None where it is the primitive alone."""
    rule = FOLDED.get(name)
    parts = rule(*operands) if rule is not None and all(isinstance(item, Traced) for item in operands) else None
    if parts is None:
        return None
    op, x, attributes, computed = parts
    value = apply(op, [x], attributes)
    ours, theirs = np.asarray(plain(value)), np.asarray(computed)
    tolerance = CLOSE if dtype != "float16" else 1e-2
    is_same = ours.shape == theirs.shape and np.allclose(ours, theirs, tolerance, tolerance, equal_nan=True)
    return value if is_same and isinstance(value, Traced) else None


def with_axes_kept(x: Any, shape: tuple[int, ...]) -> Any:
    """A reduction with its axes kept, where that has this shape: JAX puts them in again; None for anything else."""
    call = _call_of(x, *REDUCTIONS)
    if call is None or call.attributes.get("keepdims"):
        return None
    axis, whole = call.attributes.get("axis"), np.shape(plain(call.operands[0]))
    axes = range(len(whole)) if axis is None else [axis] if isinstance(axis, int) else axis
    kept = tuple(1 if place in {one % len(whole) for one in axes} else size for place, size in enumerate(whole))
    return apply(call.primitive, call.operands, {**call.attributes, "keepdims": True}) if kept == shape else None


def _softmax(numerator: Traced, denominator: Traced) -> tuple[str, Any, dict[str, Any], Any] | None:
    total, shares = _call_of(denominator, "sum"), _call_of(numerator, "exp")
    if total is None or shares is None or not total.attributes.get("keepdims"):
        return None
    shifted, axis = _call_of(shares.operands[0], "subtract"), total.attributes.get("axis")
    is_of_it = isinstance(total.operands[0], Traced) and total.operands[0].number == numerator.number
    if shifted is None or not is_of_it or _held(shifted.operands[1]) is None or not isinstance(axis, list):
        return None
    if len(axis) != 1 or np.shape(plain(shifted.operands[1]))[axis[0]] != 1:
        return None
    with np.errstate(all="ignore"):
        computed = np.asarray(plain(numerator)) / np.asarray(plain(denominator))
    return "softmax", shifted.operands[0], {"axis": axis[0]}, computed


def _logsumexp(logarithm: Traced, largest: Traced) -> tuple[str, Any, dict[str, Any], Any] | None:
    of_sum = _call_of(logarithm, "log")
    total = None if of_sum is None else _call_of(_without_sign(of_sum.operands[0]), "sum")
    shares = None if total is None else _call_of(total.operands[0], "exp")
    shifted = None if shares is None else _call_of(shares.operands[0], "subtract")
    if total is None or shifted is None:
        return None
    held = _held(shifted.operands[1])
    if held is None or held != _held(largest):
        return None
    axis, keepdims = total.attributes.get("axis"), bool(total.attributes.get("keepdims"))
    with np.errstate(all="ignore"):
        computed = np.asarray(plain(logarithm)) + np.asarray(plain(largest))
    return "logsumexp", shifted.operands[0], {"axis": axis, "keepdims": keepdims}, computed


FOLDED: Mapping[str, Callable[..., Any]] = {"div": _softmax, "add": _logsumexp}


def _call_of(value: Any, *ops: str) -> RecordedCall | None:
    """The call that made a value, where it is of one of these operations."""
    call = value.tape.calls[value.number] if isinstance(value, Traced) else None
    return call if call is not None and call.primitive.name in ops else None


def _held(value: Any) -> int | None:
    """The number of the stop_gradient that a value is, but for its shape."""
    while (call := _call_of(value, "reshape", "broadcast_to")) is not None:
        value = call.operands[0]
    return value.number if _call_of(value, "stop_gradient") is not None else None


def _without_sign(value: Any) -> Any:
    """What an absolute value is of; JAX's is a choice between it and its negative."""
    choice = _call_of(value, "where")
    if choice is not None and _call_of(choice.operands[2], "negative") is not None:
        return choice.operands[1]
    call = _call_of(value, "abs")
    return value if call is None else call.operands[0]
