"""Traced values: arrays that remember how they were made. numpy's own protocols hand every call on them to a record.

Traces nest. Each has a level; a call is recorded on the trace with the highest level among its operands, and what that
trace holds as values may itself be traced by a lower one. So derivatives of derivatives need no code of their own.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from core.primitive import REGISTRY, Primitive

_levels = itertools.count(1)


class Call(NamedTuple):
    """One recorded operation: its operands (traced by this trace, or anything else as a constant) and its value."""

    primitive: Primitive
    operands: tuple[Any, ...]
    attributes: dict[str, Any]
    value: Any


class Tape:
    """The record of one trace: leaves first, then calls in the order in which they were made."""

    def __init__(self) -> None:
        self.level = next(_levels)
        self.calls: list[Call | None] = []  # None for a leaf
        self.values: list[Any] = []
        self.names: dict[int, str] = {}

    def leaf(self, value: Any) -> Traced:
        """A traced value that is an argument of the trace."""
        return self._add(None, value)

    def _add(self, call: Call | None, value: Any) -> Traced:
        self.calls.append(call)
        self.values.append(value)
        return Traced(self, len(self.calls) - 1)

    def record(self, primitive: Primitive, operands: Sequence[Any], attributes: dict[str, Any]) -> Traced:
        """Compute one operation on the values below this trace, and remember it."""
        below = [self.lower(operand) for operand in operands]
        value = apply(primitive, below, attributes)
        return self._add(Call(primitive, tuple(operands), attributes, value), value)

    def lower(self, operand: Any) -> Any:
        """What `operand` is below this trace."""
        return operand.value if isinstance(operand, Traced) and operand.tape is self else operand


def is_traced(x: Any) -> bool:
    """Whether `x` is a traced value."""
    return isinstance(x, Traced)


def apply(primitive: Primitive | str, operands: Sequence[Any], attributes: dict[str, Any] | None = None) -> Any:
    """One operation on operands of which some may be traced; the result is traced when one is."""
    record = REGISTRY[primitive] if isinstance(primitive, str) else primitive
    full = record.complete(attributes or {}) if attributes is not None or record.attributes else {}
    tapes = [operand.tape for operand in operands if isinstance(operand, Traced)]
    if not tapes:
        return record.value(*operands, **full)
    return max(tapes, key=lambda tape: tape.level).record(record, operands, full)


Handler = Callable[..., Any]
FUNCTIONS: dict[Any, Handler] = {}  # numpy function -> what to do with traced arguments; see `functions`
UFUNCS: dict[str, str] = {}  # numpy's name of a ufunc -> the operation's


class Traced(np.lib.mixins.NDArrayOperatorsMixin):
    """A value of a trace. Works with numpy's functions, operators and indexing."""

    __slots__ = ("number", "tape")

    def __init__(self, tape: Tape, number: int) -> None:
        self.tape, self.number = tape, number

    @property
    def value(self) -> Any:
        return self.tape.values[self.number]

    @property
    def shape(self) -> tuple[int, ...]:
        return np.shape(self.value)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=int))

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.result_type(self.value) if not isinstance(self.value, Traced) else self.value.dtype

    @property
    def T(self) -> Any:
        """The transpose, as on an array."""
        return apply("transpose", [self])

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        from core.tracing.ufuncs import call_ufunc

        return call_ufunc(ufunc, method, inputs, options)

    def __array_function__(self, function: Handler, types: Any, args: Any, kwargs: Any) -> Any:
        from core.tracing.functions import call_function

        return call_function(function, args, kwargs)

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(
            "a traced value cannot become a plain array, since its graph would be lost; use np.stack or np.concatenate "
            "on a list of traced values, and numpy functions instead of np.array"
        )

    def __float__(self) -> float:
        raise TypeError("float() of a traced value would lose its graph; keep the value as it is")

    __int__ = __index__ = __complex__ = __float__

    def __bool__(self) -> bool:
        value = self.value
        while isinstance(value, Traced):
            value = value.value
        return bool(value)
