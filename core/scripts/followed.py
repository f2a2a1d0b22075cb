"""Numbers without a gradient that follow new numbers all the same: conditions, places, counts, what was detached.

A tensor `keeps` the place on the tape where its number is computed again. What Python reads from it is guarded.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cadena.core.ops.primitive import Primitive
from cadena.core.tracing.computed_index import elements, replaced, settled
from cadena.core.tracing.conditions import PLACES
from cadena.core.tracing.traced import Traced, apply, is_choice, plain


class FollowedValue:
    """A tensor of a script, as far as its number can be followed to the leaves."""

    __slots__ = ()
    array: Any
    # Each library's tensor defines these, as with `Operators`.
    follows: Callable[[], Traced | None]  # the place on the tape where its number is computed from leaves
    keep: Callable[[Any], Any]  # note that place; the tensor itself
    like: Callable[[float], Any]  # a number of its own

    def guarded(self, kind: str) -> None:
        """Note that Python reads the number and goes on with it."""
        place = self.follows()
        if place is not None:
            (apply("trunc", [place]) if kind == "number" else place).guard(kind)

    def __bool__(self) -> bool:
        truth = bool(self.array)
        self.guarded("branch")
        return truth


def place_of(item: Any) -> Any:
    """What a computation reads of an operand: its place on the tape, or its numbers."""
    if type(item) is Scalar:
        return place_of(item.tensor)
    if isinstance(item, FollowedValue):
        place = item.follows()
        return item.array if place is None else place
    return type(item)(map(place_of, item)) if type(item) in (list, tuple) else item


def is_followed(item: Any) -> bool:
    """Whether an operand, or one in a list, is computed from leaves."""
    if type(item) in (list, tuple):
        return any(map(is_followed, item))
    if type(item) is Scalar:
        return True
    return isinstance(item, FollowedValue) and item.follows() is not None


def followed(result: Any, function: Callable[..., Any], *operands: Any, **options: Any) -> Any:
    """`result`, computed by numpy's `function` of the operands, which keeps the place where it is computed again."""
    if not any(map(is_followed, operands)):
        return result
    return result.keep(function(*map(place_of, operands), **options))


def stopped(item: Any) -> Any:
    """The place of an operand, through which no gradient goes."""
    place: Any = item if isinstance(item, Traced) else item.follows()
    if place is None:
        return item.array
    return place if place.number in place.tape.data else apply("stop_gradient", [place])


def is_within(place: Any, size: Any) -> bool:
    """Whether a number is a place among at most `size`, which a remainder by that leaves as it is."""
    call = place.tape.calls[place.number] if isinstance(place, Traced) else None
    if call is None or call.primitive.name not in PLACES or np.ndim(size):
        return False
    shape, axis = np.shape(plain(call.operands[0])), call.attributes["axis"]
    return bool(size >= (math.prod(shape) if axis is None else shape[axis]))


def is_computed_index(index: Any) -> bool:
    """Whether an index has a part that is chosen by numbers. Places that the script has as data stay as they are."""
    parts = index if isinstance(index, tuple) else (index,)
    return any(is_followed(part) and not is_data(place_of(part)) for part in parts)


def is_data(place: Any) -> bool:
    """Whether a value is data of the script, or such data in another order or shape, without a choice."""
    waiting = [place]
    while waiting:
        one: Any = waiting.pop()
        if isinstance(one, list | tuple):
            waiting += one
        elif isinstance(one, Traced):
            tape: Any = one.tape
            call = tape.calls[one.number]
            if one.number not in tape.data or (call is not None and is_choosing(call.primitive)):
                return False
            waiting += call.operands if call else ()
    return True


def is_choosing(primitive: Primitive) -> bool:
    """Whether an operation takes steps: a comparison, a search, or one that rounds."""
    return is_choice(primitive) or primitive.name in ROUNDING


ROUNDING = frozenset("trunc floor ceil round sign floor_divide".split())


def traced_index(index: Any) -> Any:
    """The index with the places on the tape of its parts; conditions are guarded, as they make the shape."""
    return settled(tuple(map(place_of, index)) if isinstance(index, tuple) else place_of(index))


def elements_of(place: Any, index: Any) -> Any:
    """The elements at a computed index."""
    return elements(place, traced_index(index))


def replaced_in(place: Any, index: Any, values: Any, accumulate: bool = False) -> Any:
    """`place` with other values at a computed index."""
    parts = tuple(map(place_of, index)) if isinstance(index, tuple) else place_of(index)
    return replaced(place, parts, values, accumulate)


class Scalar(float):
    """A Python number that was a tensor's: it prints as any, and what is computed from it follows the tensor."""

    tensor: Any

    def __new__(cls, number: float, tensor: Any) -> Scalar:
        result = super().__new__(cls, number)
        result.tensor = tensor
        return result

    def __bool__(self) -> bool:
        self.tensor.guarded("branch")
        return float(self) != 0.0

    def __int__(self) -> int:
        self.tensor.guarded("number")
        return int(float(self))

    __trunc__ = __int__

    def __round__(self, digits: int | None = None) -> Any:  # type: ignore[override]
        if digits is None:
            apply("round", [self.tensor.follows()]).guard("number")
            return round(float(self))
        return _scalar(round(float(self), digits), lambda x: apply("round", [x], {"decimals": digits}), self)

    def __floor__(self) -> int:
        return int(_scalar(math.floor(float(self)), lambda x: apply("floor", [x]), self))

    def __ceil__(self) -> int:
        return int(_scalar(math.ceil(float(self)), lambda x: apply("ceil", [x]), self))

    def __reduce__(self) -> Any:
        return float, (float(self),)

    __hash__ = float.__hash__


class Truth(int):
    """What a comparison of such numbers is: True or False, and guarded where Python reads it."""

    tensor: Any

    def __bool__(self) -> bool:
        self.tensor.guarded("branch")
        return int(self) != 0

    def __repr__(self) -> str:
        return repr(int(self) != 0)

    __str__ = __repr__


def _scalar(number: float, function: Callable[..., Any], *operands: Any) -> Any:
    tensor = next(item.tensor for item in operands if isinstance(item, Scalar))
    result = tensor.like(number)
    result.keep(function(*[place_of(item.tensor) if isinstance(item, Scalar) else item for item in operands]))
    return Scalar(number, result)


def _arithmetic(name: str, op: str, swapped: bool = False) -> Callable[[Any, Any], Any]:
    compute = getattr(operator, name)

    def call(one: Any, other: Any) -> Any:
        if not isinstance(other, int | float):
            return NotImplemented
        sides: Sequence[Any] = (other, one) if swapped else (one, other)
        number = compute(*map(float, sides))
        return _scalar(number, lambda *places: apply(op, list(places)), *sides) if type(number) is float else number

    return call


def _sign(name: str, op: str) -> Callable[[Any], Any]:
    compute = getattr(operator, name)
    return lambda one: _scalar(compute(float(one)), lambda place: apply(op, [place]), one)


def _comparison(name: str, op: str) -> Callable[[Any, Any], Any]:
    compute = getattr(operator, name)

    def call(one: Any, other: Any) -> Any:
        if not isinstance(other, int | float):
            return NotImplemented
        truth = Truth(compute(float(one), float(other)))
        truth.tensor = _scalar(float(truth), lambda *places: apply(op, list(places)), one, other).tensor
        return truth

    return call


for _name, _op in (
    ("add", "add"), ("sub", "subtract"), ("mul", "multiply"), ("truediv", "divide"), ("pow", "power"),
    ("floordiv", "floor_divide"), ("mod", "remainder"),
):  # fmt: skip
    setattr(Scalar, f"__{_name}__", _arithmetic(_name, _op))
    setattr(Scalar, f"__r{_name}__", _arithmetic(_name, _op, swapped=True))
for _name, _op in (
    ("lt", "less"), ("le", "less_equal"), ("gt", "greater"), ("ge", "greater_equal"), ("eq", "equal"),
    ("ne", "not_equal"),
):  # fmt: skip
    setattr(Scalar, f"__{_name}__", _comparison(_name, _op))
for _name, _op in (("neg", "negative"), ("abs", "abs"), ("pos", "positive")):
    setattr(Scalar, f"__{_name}__", _sign(_name, _op))
