"""Python's operators on tensors, the same for every library that scripts are written for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cadena.core.scripts.followed import FollowedValue


def _binary(op: str, swapped: bool = False) -> Callable[[Any, Any], Any]:
    return lambda tensor, other: tensor.combine(op, other, swapped)


def swapped(op: str) -> Callable[[Any, Any], Any]:
    """A method for the operator whose right operand is the tensor."""
    return _binary(op, swapped=True)


def comparison(ufunc: Any) -> Callable[[Any, Any], Any]:
    """A method that compares, by one of numpy's functions."""
    return lambda tensor, other: tensor.compare(ufunc, other)


class Operators(FollowedValue):
    """What a tensor can do once it says how it is combined and compared with something else."""

    __slots__ = ()
    __hash__ = object.__hash__

    # Each library's tensor defines these. An abstract method would make every isinstance of a tensor slower.
    combine: Callable[[str, Any, bool], Any]  # the operation of it and the other, which is the left one if "swapped"
    compare: Callable[[Any, Any], Any]  # the truth of a comparison of numpy's with the other, as a tensor

    __add__, __radd__ = _binary("add"), _binary("add", swapped=True)
    __sub__, __rsub__ = _binary("subtract"), _binary("subtract", swapped=True)
    __mul__, __rmul__ = _binary("multiply"), _binary("multiply", swapped=True)
    __truediv__, __rtruediv__ = _binary("divide"), _binary("divide", swapped=True)
    __pow__, __rpow__ = _binary("power"), _binary("power", swapped=True)
    __matmul__, __rmatmul__ = _binary("matmul"), _binary("matmul", swapped=True)
    __floordiv__, __mod__ = _binary("floor_divide"), _binary("remainder")
    __lt__, __le__, __gt__, __ge__ = map(comparison, (np.less, np.less_equal, np.greater, np.greater_equal))
    __eq__, __ne__ = comparison(np.equal), comparison(np.not_equal)
