"""Matrix products, transposes, and axes in another order."""

from typing import Any

import numpy as np

from cadena.core.ops.expression import ATOM, POWER, PRODUCT, Notation
from cadena.core.ops.formulas import formula
from cadena.core.ops.primitive import REQUIRED, Attribute, Family, Shape, ShapeError, Slot
from cadena.core.ops.reduction import reduced_axes
from cadena.core.ops.traits import Trait
from cadena.core.text.causes import Cause

FAMILY = Family("Linear algebra")


def _matmul_shape(a: Shape, b: Shape) -> Shape:
    if not a or not b:
        raise ShapeError(
            "{op} needs vectors or matrices, not shapes {a} and {b}", "use multiply for a number", op="matmul", a=a, b=b
        )
    inner_a, inner_b = a[-1], b[-2] if len(b) > 1 else b[0]
    if inner_a != inner_b:
        remedy = "the last axis of the left ({left}) and the only axis of the right ({right}) must be equal"
        if len(b) > 1:
            remedy = (
                "the last axis of the left ({left}) and the second to last axis of the right ({right}) must be equal"
            )
        what = "{op} cannot multiply shapes {a} and {b}"
        raise ShapeError(what, remedy, op="matmul", a=a, b=b, left=inner_a, right=inner_b)
    try:
        batch = np.broadcast_shapes(a[:-2], b[:-2])
    except ValueError:
        raise ShapeError(
            "{op} cannot pair the batches of shapes {a} and {b}", "make them equal or 1", op="matmul", a=a, b=b
        ) from None
    return batch + a[-2:-1] + (b[-1:] if len(b) > 1 else ())


def _swap(x: Any) -> Any:
    return np.swapaxes(x, -1, -2)


def _matmul_left(g: Any, y: Any, a: Any, b: Any) -> Any:
    """Gradient of the left operand, G B^T, for vectors, matrices and batches alike (before un-broadcasting)."""
    if b.ndim == 1:
        return np.multiply(np.expand_dims(g, -1), b)
    if a.ndim == 1:
        return np.matmul(b, np.expand_dims(g, -1))[..., 0]
    return np.matmul(g, _swap(b))


def _matmul_right(g: Any, y: Any, a: Any, b: Any) -> Any:
    """Gradient of the right operand, A^T G, for vectors, matrices and batches alike (before un-broadcasting)."""
    if a.ndim == 1:
        return np.multiply(a if b.ndim == 1 else a[:, None], g if b.ndim == 1 else np.expand_dims(g, -2))
    if b.ndim == 1:
        return np.matmul(_swap(a), np.expand_dims(g, -1))[..., 0]
    return np.matmul(_swap(a), g)


matmul = FAMILY.structural(
    "matmul",
    np.matmul,
    Slot(
        "left",
        transpose=_matmul_left,
        push=lambda t, y, a, b: np.matmul(t, b),
        shown=lambda g, y, a, b: g @ b.T,
    ),
    Slot(
        "right",
        transpose=_matmul_right,
        push=lambda t, y, a, b: np.matmul(a, t),
        shown=lambda g, y, a, b: a.T @ g,
    ),
    shape=_matmul_shape,
    notation=Notation("{0} {1}", r"{0} \, {1}", PRODUCT, (PRODUCT, POWER)),
    title="matrix product",
    symbol="A B",
    synonyms=("@", "mm", "bmm"),
    keywords="linear layer dense multiply matrices multiplication",
    phrase="the matrix product of {0} and {1}",
    doc="The matrix product: rows of the left times columns of the right. Vectors and batches work as in numpy.",
    nan_of_inf=Cause.ZERO_TIMES_INF,
    examples=(
        ([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[0.5, -1.0, 2.0], [1.0, 0.0, -2.0]]),
        ([1.0, 2.0], [3.0, -4.0]),
        ([1.0, 2.0], [[3.0, -4.0, 1.0], [0.5, 1.0, 2.0]]),
        ([[1.0, 2.0], [3.0, 4.0]], [0.5, -1.0]),
        ([[[1.0, 2.0]], [[3.0, 4.0]]], [[[0.5], [-1.0]]]),
        ([1.0, 2.0], [[[3.0, -4.0], [0.5, 1.0]], [[1.0, 2.0], [0.0, -1.0]]]),
    ),
)


def _inverse(count: int, axes: Any) -> Any:
    """The order of axes that undoes `axes`."""
    return np.argsort([axis % count for axis in axes]) if axes else None


def _transpose_shape(shape: Shape, axes: Any) -> Shape:
    if axes is None:
        return shape[::-1]
    count = len(shape)
    listed = axes if isinstance(axes, list | tuple) else [None]
    fit = all(type(item) is int and -count <= item < count for item in listed)
    order = [item % count for item in axes] if fit else []
    if not fit or sorted(order) != list(range(count)):
        raise ShapeError(
            "axes {axes} must name each axis of shape {shape} once",
            "leave them empty to reverse all",
            axes=axes,
            shape=shape,
        )
    return tuple(shape[item] for item in order)


_moved_back = formula("@g with the axes moved back")

transpose = FAMILY.structural(
    "transpose",
    lambda x, axes=None: np.transpose(x, axes),
    Slot(
        "x",
        transpose=lambda g, y, x, axes: np.transpose(g, _inverse(x.ndim, axes)),
        push=lambda t, y, x, axes: np.transpose(t, axes),
        shown=lambda g, y, x, axes=None: g.T if axes is None else _moved_back(g, y, x),
    ),
    shape=_transpose_shape,
    attributes=(Attribute("axes", None, "axes", "the new order of the axes; empty to reverse them"),),
    notation=Notation("{0}ᵀ", r"{0}^{{\top}}", POWER, (ATOM,)),
    title="transpose",
    symbol="Aᵀ",
    synonyms=("t", "permute", "permute_dims"),
    phrase="the transpose of {0}",
    doc="The operand with its axes reversed, or in the given order.",
    traits=Trait.EXACT | Trait.PICKS,
    examples=(
        ([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],),
        ([[[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 6.0]]], {"axes": [1, -1, 0]}),
        (2.0,),
    ),
)


def _swapaxes_shape(shape: Shape, axis1: Any, axis2: Any) -> Shape:
    (first,), (second,) = reduced_axes(shape, [axis1]), reduced_axes(shape, [axis2])
    swapped = list(shape)
    swapped[first], swapped[second] = shape[second], shape[first]
    return tuple(swapped)


swapaxes = FAMILY.structural(
    "swapaxes",
    lambda x, axis1, axis2: np.swapaxes(x, axis1, axis2),
    Slot(
        "x",
        transpose=lambda g, y, x, axis1, axis2: np.swapaxes(g, axis1, axis2),
        push=lambda t, y, x, axis1, axis2: np.swapaxes(t, axis1, axis2),
        shown=formula("@g with the same axes swapped"),
    ),
    shape=_swapaxes_shape,
    attributes=(
        Attribute("axis1", REQUIRED, "integer", "one axis"),
        Attribute("axis2", REQUIRED, "integer", "the axis to swap it with"),
    ),
    title="swapped axes",
    symbol="i ↔ j",
    phrase="{0} with axes {axis1} and {axis2} swapped",
    doc="The operand with two of its axes swapped. The gradient is swapped back.",
    traits=Trait.EXACT | Trait.PICKS,
    examples=(
        ([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], {"axis1": 0, "axis2": 1}),
        ([[[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 6.0]]], {"axis1": -1, "axis2": 0}),
    ),
)


def _listed(axes: Any) -> list[Any]:
    return list(axes) if isinstance(axes, list | tuple) else [axes]


def _moved_order(shape: Shape, source: Any, destination: Any) -> list[int]:
    """Which old axis stands at each place after the move."""
    start, end = reduced_axes(shape, _listed(source)), reduced_axes(shape, _listed(destination))
    if len(start) != len(end):
        raise ShapeError(
            "source {source} and destination {destination} must name equally many axes",
            "give one destination for each",
            source=source,
            destination=destination,
        )
    order = [axis for axis in range(len(shape)) if axis not in start]
    for place, axis in sorted(zip(end, start, strict=True)):
        order.insert(place, axis)
    return order


moveaxis = FAMILY.structural(
    "moveaxis",
    lambda x, source, destination: np.moveaxis(x, source, destination),
    Slot(
        "x",
        transpose=lambda g, y, x, source, destination: np.moveaxis(g, destination, source),
        push=lambda t, y, x, source, destination: np.moveaxis(t, source, destination),
        shown=formula("@g with the axes moved back"),
    ),
    shape=lambda shape, source, destination: tuple(shape[axis] for axis in _moved_order(shape, source, destination)),
    attributes=(
        Attribute("source", REQUIRED, "axis", "the axis, or list of axes, to move"),
        Attribute("destination", REQUIRED, "axis", "where to"),
    ),
    title="moved axes",
    symbol="i → j",
    phrase="{0} with axis {source} moved to {destination}",
    doc="The operand with some of its axes moved to other places; the others keep their order.",
    traits=Trait.EXACT | Trait.PICKS,
    examples=(
        ([[[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 6.0]]], {"source": 0, "destination": -1}),
        ([[[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 6.0]]], {"source": [2, 0], "destination": [0, 1]}),
    ),
)
