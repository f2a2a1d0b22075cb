"""Helpers that families share: checks of attributes, with messages for users, and rules of linear operations."""

from collections.abc import Callable
from typing import Any

import numpy as np

from cadena.core.ops.primitive import (
    Attribute,
    AttributeFault,
    Family,
    Primitive,
    Rule,
    Shape,
    ShapeError,
    Slot,
)

GRID = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


def is_whole(value: Any, least: int | None = None) -> bool:
    """Whether `value` is a whole number, no truth value, and at least `least`."""
    return isinstance(value, int) and not isinstance(value, bool) and (least is None or value >= least)


def whole(name: str, value: Any, least: int | None = None) -> int:
    """`value` of attribute `name` if it is a whole number of at least `least`, else AttributeFault."""
    if not is_whole(value, least):
        remedy = "give a whole number" if least is None else "give a whole number of at least {least}"
        raise AttributeFault("{name} is {value!r}", remedy, name=name, value=value, least=least)
    return int(value)


def wholes(name: str, value: Any, least: int | None = None) -> tuple[int, ...]:
    """`value` of attribute `name`, a whole number or a list of such, as a tuple; else AttributeFault."""
    listed = value if isinstance(value, list | tuple) else [value]
    return tuple(whole(name, item, least) for item in listed)


def number(name: str, value: Any, low: float = -np.inf, high: float = np.inf) -> float:
    """`value` of attribute `name` if it is a number between the bounds, else AttributeFault."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        remedy = "give a number from {low:g} to {high:g}"
        if np.isinf(high):
            remedy = "give a number" if np.isinf(low) else "give a number of at least {low:g}"
        raise AttributeFault("{name} is {value!r}", remedy, name=name, value=value, low=low, high=high)
    return float(value)


def one_axis(shape: Shape, axis: Any) -> int:
    """`axis` counted from 0, or ShapeError where `shape` does not have it."""
    if not is_whole(axis) or not -len(shape) <= axis < len(shape):
        raise no_axis(shape, axis)
    return int(axis) % len(shape)


def no_axis(shape: Shape, axis: Any) -> ShapeError:
    """The error for an axis that `shape` does not have."""
    what = "there is no axis {axis}: shape {shape} has axes 0 to {last}"
    if not shape:
        what = "there is no axis {axis}: shape {shape} is a number and has no axes"
    return ShapeError(what, "change the axis", axis=axis, shape=shape, last=len(shape) - 1)


def with_size(shape: Shape, axis: int, size: int) -> Shape:
    """`shape` with another size along one axis."""
    return (*shape[:axis], size, *shape[axis + 1 :])


def along(axis: int, part: Any) -> tuple[Any, ...]:
    """The index that takes `part` (a slice or an array) of one axis, and all of the others."""
    return (*(slice(None),) * axis, part)


def pad_axis(x: Any, axis: int, before: int, after: int) -> Any:
    """`x` with zeros before and after along one axis."""
    if not before and not after:
        return x
    return np.pad(x, [(before, after) if index == axis else (0, 0) for index in range(x.ndim)])


def untraced(x: Any) -> Any:
    """The numbers of an operand that only selects: a traced value's own `value`, anything else as it is."""
    while not isinstance(x, np.ndarray | np.generic | float):
        x = x.value
    return x


def linear(
    family: Family,
    name: str,
    value: Callable[..., Any],
    back: Callable[..., Any],
    *,
    shown: Rule | str,
    shape: Callable[..., Shape],
    attributes: tuple[Attribute, ...] = (),
    **record: Any,
) -> Primitive:
    """Register an operation that is linear in its one operand: a tangent goes forward through the operation itself.

    `back(upstream, operand's shape, **attributes)` carries the upstream gradient back.
    """
    slot = Slot(
        "x",
        transpose=lambda g, y, x, **attributes: back(g, x.shape, **attributes),
        push=lambda t, y, x, **attributes: value(t, **attributes),
        shown=shown,
    )
    return family.structural(name, value, slot, shape=shape, attributes=attributes, **record)
