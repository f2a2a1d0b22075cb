"""The record of a trace: its operations and their operands, in order."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np

from cadena.core.graph.guards import Guard, guard
from cadena.core.ops.primitive import Primitive
from cadena.core.tracing.computed_index import elements, replaced
from cadena.core.tracing.conditions import is_condition, is_count
from cadena.core.tracing.functions import call_function
from cadena.core.tracing.places import read_at
from cadena.core.tracing.traced import Traced, apply, plain, quietly
from cadena.core.tracing.ufuncs import call_ufunc
from cadena.core.tracing.views import NUMPY_SHARING, TracedView

_levels = itertools.count(1)


class RecordedCall(msgspec.Struct, frozen=True, eq=False):
    """One recorded operation: its operands (traced by this trace, or anything else as a constant) and its value."""

    primitive: Primitive
    operands: tuple[Any, ...]
    attributes: dict[str, Any]
    value: Any


class Tape:
    """The record of one trace: leaves first, then calls in order."""

    handle: type[Traced] = Traced  # what its values are
    read_at = staticmethod(read_at)  # the expression for which a value is read, and its line

    def __init__(self, shares_memory: bool = False) -> None:
        self.shares_memory = shares_memory  # whether views of its values are views, as those of numpy's arrays
        self.constants: set[int] = set()  # leaves that are no arguments
        self._copies: dict[int, tuple[Any, Any]] = {}
        self.level = next(_levels)
        self.calls: list[RecordedCall | None] = []  # None for a leaf
        self.values: list[Any] = []
        self.names: dict[int, str] = {}
        self.corners: set[str] = set()  # operations differentiated on this tape where they have no derivative, but a 0
        self.truths: set[int] = set()  # conditions, which the code sees as True and False
        self.wholes: set[int] = set()  # places and counts, which it sees as whole numbers
        self.guards: dict[int, Guard] = {}  # what code read from values, and went on with

    def guard(self, number: int, kind: Any) -> None:
        """Note that the code reads a value, so that another one would lead it elsewhere; the first reading counts."""
        if number not in self.guards:
            condition, line = self.read_at()
            self.guards[number] = guard(plain(self.values[number]), condition, line, kind)

    def leaf(self, value: Any) -> Traced:
        """A traced value that is an argument of the trace."""
        return self._add(None, value)

    def constant(self, value: Any) -> Traced:
        """A traced value that is a constant of the trace."""
        leaf = self.leaf(value)
        self.constants.add(leaf.number)
        return leaf

    def _add(self, call: RecordedCall | None, value: Any) -> Traced:
        self.calls.append(call)
        self.values.append(value)
        return self.handle(self, len(self.calls) - 1)

    @quietly
    def record(self, primitive: Primitive, operands: Sequence[Any], attributes: dict[str, Any]) -> Traced:
        """Compute one operation on the values below this trace, and record it."""
        return self._record(primitive, operands, attributes)

    def _record(self, primitive: Primitive, operands: Sequence[Any], attributes: dict[str, Any]) -> Traced:
        value = apply(primitive, [*map(self.lower, operands)], attributes)
        # Handles may stand for another value later, so the record has copies of them.
        handles = tuple(
            Traced(item.tape, item.number) if isinstance(item, Traced) else self._kept(item) for item in operands
        )
        result = self._add(RecordedCall(primitive, handles, attributes, value), value)
        self.classify(result, primitive, operands)
        if self.shares_memory and primitive.name in NUMPY_SHARING and isinstance(operands[0], Traced):
            return TracedView.of(result, operands[0], primitive, attributes)
        return result

    def classify(self, result: Traced, primitive: Primitive, operands: Sequence[Any]) -> None:
        """Note whether a value is a condition or a whole number for the code that runs."""
        if is_condition(primitive, operands):
            self.truths.add(result.number)
        elif is_count(primitive, operands):
            self.wholes.add(result.number)

    def _kept(self, operand: Any) -> Any:
        """An operand that is not traced, as it is now: the function may write into its arrays later."""
        if not self.shares_memory or not isinstance(operand, np.ndarray) or not operand.ndim:
            return operand
        array, kept = self._copies.get(id(operand), (None, None))
        if array is not operand or not np.array_equal(kept, operand, equal_nan=operand.dtype.kind == "f"):
            kept = operand.copy()
            self._copies[id(operand)] = operand, kept
        return kept

    def call_ufunc(self, ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Call a ufunc of numpy on traced values."""
        return call_ufunc(ufunc, method, inputs, options)

    def call_function(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a function of numpy on traced values."""
        return call_function(function, args, kwargs)

    def elements(self, x: Traced, index: Any) -> Any:
        """The elements of a traced value at an index that is computed itself."""
        return elements(x, index)

    def replaced(self, x: Traced, index: Any, values: Any) -> Any:
        """A traced value with other values at an index that is computed itself."""
        return replaced(x, index, values)

    def lower(self, operand: Any) -> Any:
        """The value of `operand` below this trace."""
        return operand.value if isinstance(operand, Traced) and operand.tape is self else operand
