"""Sums and means over some or all axes, and helpers for other reductions."""

import math
from typing import Any

import numpy as np

from cadena.core.ops.building import no_axis
from cadena.core.ops.expression import CALL, Notation, Symbol
from cadena.core.ops.formulas import formula
from cadena.core.ops.primitive import Attribute, Family, Shape, ShapeError, Slot
from cadena.core.ops.safer import Occurrence, SaferForm
from cadena.core.ops.traits import Trait
from cadena.core.text.causes import Cause
from cadena.core.text.wording import Clause

FAMILY = Family("Reductions")
AXIS = Attribute("axis", None, "axis", "the axis, or list of axes, to reduce; empty for all")
KEEPDIMS = Attribute("keepdims", False, "flag", "keep the reduced axes, with length 1")
EXAMPLES = (
    ([1.0, -2.0, 4.0],),
    ([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], {"axis": 0}),
    ([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], {"axis": -1, "keepdims": True}),
    (2.5,),
)


def reduced_axes(shape: Shape, axis: Any) -> tuple[int, ...]:
    """The axes of `shape` that `axis` (None, an integer or a list) names, counted from 0, or ShapeError."""
    if axis is None:
        return tuple(range(len(shape)))
    listed = axis if isinstance(axis, list | tuple) else [axis]
    for item in listed:
        if isinstance(item, bool) or not isinstance(item, int) or not -len(shape) <= item < len(shape):
            raise no_axis(shape, item)
    if len({item % len(shape) for item in listed}) < len(listed):
        raise ShapeError("axis {axis} names the same axis twice", "name each once", axis=axis)
    return tuple(item % len(shape) for item in listed)


def reduced_shape(shape: Shape, axis: Any, keepdims: bool) -> Shape:
    """The shape that is left after a reduction over `axis`."""
    reduced = reduced_axes(shape, axis)
    if keepdims:
        return tuple(1 if index in reduced else size for index, size in enumerate(shape))
    return tuple(size for index, size in enumerate(shape) if index not in reduced)


def as_axis(axis: Any) -> Any:
    """`axis` as numpy takes it: a list from a file as a tuple."""
    return tuple(axis) if isinstance(axis, list) else axis


def spread(upstream: Any, x: Any, axis: Any, keepdims: bool) -> Any:
    """The upstream gradient repeated along the axes that were summed away."""
    remaining = reduced_shape(x.shape, axis, True)
    return np.broadcast_to(np.reshape(upstream, remaining), x.shape)


def count(shape: Shape, axis: Any) -> int:
    """How many elements go into each number of the result."""
    return math.prod(shape[item] for item in reduced_axes(shape, axis))


# By the axes that were reduced: where the elements are to which the gradient of one number goes.
PLACES = {"all": "for each element", "rows": "in each row", "columns": "in each column", "": "along the reduced axes"}
_SPREAD = {key: formula(f"@g {words}", rf"@g \text{{ {words}}}") for key, words in PLACES.items()}
_SHARED = {key: formula(f"@g / @b {words}", rf"\frac{{1}}{{@b}} @g \text{{ {words}}}") for key, words in PLACES.items()}


def _places(axis: Any, dimensions: int) -> str:
    """The key in PLACES for these axes of an array with so many dimensions."""
    reduced = reduced_axes((1,) * dimensions, axis)
    if len(reduced) == dimensions:
        return "all"
    return ("rows", "columns")[reduced[0]] if dimensions == 2 and reduced else ""


def _spread_back(g: Any, y: Any, x: Any, axis: Any = None, dimensions: int = 0) -> Any:
    return _SPREAD[_places(axis, dimensions)](g, y, x)


def _shared_back(g: Any, y: Any, x: Any, axis: Any = None, dimensions: int = 0, count: Any = None) -> Any:
    return _SHARED[_places(axis, dimensions)](g, y, x, Symbol("n" if count is None else count))


sum_ = FAMILY.structural(
    "sum",
    lambda x, axis, keepdims: np.sum(x, axis=as_axis(axis), keepdims=keepdims),
    Slot(
        "x",
        transpose=lambda g, y, x, axis, keepdims: spread(g, x, axis, keepdims),
        push=lambda t, y, x, axis, keepdims: np.sum(t, axis=as_axis(axis), keepdims=keepdims),
        shown=_spread_back,
    ),
    shape=reduced_shape,
    attributes=(AXIS, KEEPDIMS),
    notation=Notation("sum({0})", r"\sum {0}", CALL),
    title="sum",
    symbol="Σ",
    keywords="total add up",
    phrase="the sum of the elements of {0}",
    doc="The sum of the elements along the given axes. The gradient is spread to each of them unchanged.",
    traits=Trait.ZERO_OF_ZEROS | Trait.LONGDOUBLE | Trait.RESHAPES,
    nan_of_inf=Cause.INF_MINUS_INF,
    examples=EXAMPLES,
)


def mean_of(x: Any, axis: Any, keepdims: bool) -> Any:
    """The mean; of no elements nan, without numpy's warning."""
    if count(x.shape, axis) == 0:
        return np.full(reduced_shape(x.shape, axis, keepdims), np.nan, dtype=x.dtype)
    return np.mean(x, axis=as_axis(axis), keepdims=keepdims)


def too_few(name: str, shape: Shape, axis: Any = None, ddof: Any = 0) -> Clause | None:
    """A clause where there are not enough elements for a mean: none at all, or no more than `ddof`."""
    there = count(shape, axis)
    if there > ddof:
        return None
    what = "{op} averages {count} elements, but needs at least one"
    if ddof:
        what = "{op} averages {count} elements, but needs more than ddof {ddof}"
    if there == 1:
        what = "{op} averages 1 element, but needs more than ddof {ddof}"
    return Clause(what, "give it more", {"op": name, "count": there, "ddof": ddof})


def _of_count(match: Occurrence) -> dict[str, Any] | None:
    """The settings of a sum that is divided by how many elements it has; None where that may be another number."""
    settings, divisor = match.of("sum"), match.fixed.get("n")
    counted = count(match.shapes["x"], settings.get("axis"))
    return settings if counted and divisor is not None and bool(np.all(divisor == counted)) else None


mean = FAMILY.structural(
    "mean",
    mean_of,
    Slot(
        "x",
        transpose=lambda g, y, x, axis, keepdims: spread(g, x, axis, keepdims) / max(count(x.shape, axis), 1),
        push=lambda t, y, x, axis, keepdims: mean_of(t, axis, keepdims),
        shown=_shared_back,
    ),
    shape=reduced_shape,
    attributes=(AXIS, KEEPDIMS),
    title="mean",
    synonyms=("average", "avg"),
    phrase="the mean of the elements of {0}",
    doc="The mean of the elements along the given axes. Each element gets an equal share of the gradient.",
    edges="Of no elements it is nan.",
    trouble=lambda y, x, axis, keepdims: too_few("mean", x.shape, axis),
    definition=lambda x, axis, keepdims: np.sum(x, axis=as_axis(axis), keepdims=keepdims) / count(x.shape, axis),
    traits=Trait.ZERO_OF_ZEROS | Trait.LONGDOUBLE | Trait.RESHAPES,
    nan_of_inf=Cause.INF_MINUS_INF,
    safer=(
        SaferForm(
            "Use mean for sum(x) / n",
            "the sum of all does not overflow on the way",
            lambda x, n: np.sum(x) / n,
            lambda x: np.mean(x),
            _of_count,
        ),
    ),
    examples=EXAMPLES,
)
