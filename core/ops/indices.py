"""Numbers that stand for places along an axis: how they are read, and what is said about those that are none."""

from typing import Any

import numpy as np

from cadena.core.ops.building import settled
from cadena.core.text import numbers


def places(indices: Any, size: int) -> tuple[Any, Any]:
    """Numbers read as places from 0 to size - 1, and which of them are such; what is none is read as 0.

    The tolerance of a thousandth lets indices come through a computation.
    """
    indices = settled(indices)
    nearest = np.rint(indices)
    good = (np.abs(indices - nearest) < 1e-3) & (nearest >= 0) & (nearest < size)
    return np.where(good, nearest, 0).astype(np.intp), good


def misplaced(operation: str, what: str, indices: Any, good: Any, least: int, most: int) -> str | None:
    """A clause about the first of `indices` that is not `good`: what it is, where it stands and what it may be."""
    indices, good = np.asarray(indices), np.asarray(good)
    if good.all():
        return None
    first = tuple(int(axis[0]) for axis in np.nonzero(np.atleast_1d(~good)))[: indices.ndim]
    where = f" at {list(first)}" if first else ""
    span = f"{least} to {most}".replace("-", numbers.MINUS)
    given = f"{what} {numbers.short(indices[first], 12)}{where}"
    if np.abs(indices[first] - np.rint(indices[first])) >= 1e-3:
        return f"{operation} has the {given}, which is no whole number; give one from {span}"
    return f"{operation} has the {given}, which is out of range; give one from {span}"
