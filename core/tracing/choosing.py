"""A tape that records comparisons too, so that a rule's choices stay right when the values change.

Usually a comparison of traced values gives plain truth values: it has no gradient, and a function is traced at one
point. Here x > 0 becomes relu(sign(x)), a number that is 1 or 0, and np.where chooses by it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cadena.core.ops.primitive import Primitive
from cadena.core.tracing.recording import Tape
from cadena.core.tracing.traced import Traced, apply, plain


class ChoosingTape(Tape):
    """A tape whose values record comparisons, except of leaves in `fixed` and of values that follow from them alone."""

    def __init__(self) -> None:
        super().__init__()
        self.handle = Choosing
        self.fixed: set[int] = set()

    def record(self, primitive: Primitive, operands: Sequence[Any], attributes: dict[str, Any]) -> Traced:
        """Compute and record one operation; the whole trace is made where numpy does not warn, which takes its time."""
        traced = self._record(primitive, operands, attributes)
        if all(map(self.is_fixed, operands)):
            self.fixed.add(traced.number)
        return traced

    def is_fixed(self, operand: Any) -> bool:
        """Whether an operand is independent of the leaves that are not fixed."""
        return not isinstance(operand, Traced) or operand.number in self.fixed


class Choosing(Traced):
    """A value of a `ChoosingTape`."""

    __slots__ = ()

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        if method == "__call__" and not options and ufunc.__name__ in CHOICES:
            return self._chosen(ufunc, inputs)
        return self.tape.call_ufunc(ufunc, method, inputs, options)

    def __array_function__(self, function: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
        if function is np.where and len(args) == 3 and isinstance(args[0], Traced):
            return apply("where", [item if isinstance(item, Traced) else np.asarray(item) for item in args])
        return super().__array_function__(function, types, args, kwargs)

    def _chosen(self, ufunc: np.ufunc, inputs: tuple[Any, ...]) -> Any:
        """The choice as arithmetic; as plain truth values where that differs (inf - inf) or the choice is fixed."""
        truth = ufunc(*(_as_truth(ufunc, plain(item)) for item in inputs))
        assert isinstance(self.tape, ChoosingTape)
        numbers = [item.number for item in inputs if isinstance(item, Traced)]
        if all(map(self.tape.is_fixed, inputs)) or (len(numbers) == 2 and numbers[0] == numbers[1]):
            return truth
        with np.errstate(all="ignore"):
            traced = CHOICES[ufunc.__name__](*inputs)
        return traced if np.array_equal(plain(traced), truth) else truth


def _as_truth(ufunc: np.ufunc, numbers: Any) -> Any:
    """Convert earlier choices, which are numbers, to the truth values that numpy combines."""
    return np.asarray(numbers) != 0 if ufunc.__name__ in COMBINED else numbers


def _step(x: Any) -> Any:
    """1 where x is above 0, else 0."""
    return apply("relu", [np.sign(x)])


def _or(a: Any, b: Any) -> Any:
    for one, other in ((a, b), (b, a)):
        if not isinstance(one, Traced) and not np.any(one):
            return other
    return np.maximum(_number(a), _number(b))


def _number(choice: Any) -> Any:
    return choice if isinstance(choice, Traced) else np.asarray(choice, dtype=np.float64)


COMBINED: dict[str, Callable[..., Any]] = {
    "bitwise_and": lambda a, b: _number(a) * _number(b),
    "bitwise_or": _or,
    "invert": lambda a: 1.0 - a,
}
COMBINED |= {
    "logical_and": COMBINED["bitwise_and"],
    "logical_or": COMBINED["bitwise_or"],
    "logical_not": COMBINED["invert"],
}
CHOICES: dict[str, Callable[..., Any]] = {
    "greater": lambda a, b: _step(a - b),
    "less": lambda a, b: _step(b - a),
    "greater_equal": lambda a, b: 1.0 - _step(b - a),
    "less_equal": lambda a, b: 1.0 - _step(a - b),
    "equal": lambda a, b: 1.0 - np.abs(np.sign(a - b)),
    "not_equal": lambda a, b: np.abs(np.sign(a - b)),
    **COMBINED,
}
