"""Indices along an axis: reading numbers as indices, and messages about those that are invalid."""

from typing import Any

import numpy as np

from cadena.core.ops.building import untraced
from cadena.core.text import numbers
from cadena.core.text.wording import Clause, Place

NEAR = 1e-3  # how far a number may be from the index or class that it means


def places(indices: Any, size: int) -> tuple[Any, Any]:
    """Read numbers as indices from 0 to size - 1; also returns which are valid. Invalid ones are read as 0.

    The tolerance NEAR lets indices come through a computation.
    """
    indices = untraced(indices)
    nearest = np.rint(indices)
    good = (np.abs(indices - nearest) < NEAR) & (nearest >= 0) & (nearest < size)
    return np.where(good, nearest, 0).astype(np.intp), good


NOT_WHOLE = {
    "index": "{op} has the index {number}{place}, which is not a whole number",
    "class": "{op} has the class {number}{place}, which is not a whole number",
}
OUT_OF_RANGE = {
    "index": "{op} has the index {number}{place}, which is out of range",
    "class": "{op} has the class {number}{place}, which is out of range",
}


def misplaced(operation: str, what: str, indices: Any, good: Any, least: int, most: int) -> Clause | None:
    """A clause about the first of `indices` that is not `good`: what it is, where it stands and what it may be."""
    indices, good = np.asarray(indices), np.asarray(good)
    if good.all():
        return None
    first = tuple(int(axis[0]) for axis in np.nonzero(np.atleast_1d(~good)))[: indices.ndim]
    is_integral = np.abs(indices[first] - np.rint(indices[first])) < 1e-3
    operands = {
        "op": operation,
        "number": numbers.short(indices[first], 12),
        "place": Place(first, 1, indices.size),
        "least": float(least),
        "most": float(most),
    }
    return Clause((OUT_OF_RANGE if is_integral else NOT_WHOLE)[what], "give one from {least} to {most}", operands)
