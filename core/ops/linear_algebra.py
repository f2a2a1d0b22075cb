"""Matrix products and transposes."""

from typing import Any

import numpy as np

from core.expression import ATOM, POWER, PRODUCT, Notation
from core.primitive import Attribute, Shape, ShapeError, Slot, structural

CATEGORY = "Linear algebra"


def _matmul_shape(a: Shape, b: Shape) -> Shape:
    if not a or not b:
        raise ShapeError(f"matmul needs vectors or matrices, not shapes {a} and {b}; use multiply for a number")
    inner_a, inner_b = a[-1], b[-2] if len(b) > 1 else b[0]
    if inner_a != inner_b:
        raise ShapeError(
            f"matmul cannot multiply shapes {a} and {b}; the last axis of the left ({inner_a}) and the "
            f"{'second to last' if len(b) > 1 else 'only'} axis of the right ({inner_b}) must be equal"
        )
    try:
        batch = np.broadcast_shapes(a[:-2], b[:-2])
    except ValueError:
        raise ShapeError(f"matmul cannot pair the batches of shapes {a} and {b}; make them equal or 1") from None
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


matmul = structural(
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
    phrase="the matrix product of {0} and {1}",
    category=CATEGORY,
    doc="The matrix product: rows of the left times columns of the right. Vectors and batches work as in numpy.",
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
    fit = all(isinstance(item, int) and -count <= item < count for item in axes)
    order = [item % count for item in axes] if fit else []
    if not fit or sorted(order) != list(range(count)):
        raise ShapeError(f"axes {axes} must name each axis of shape {shape} once; leave them empty to reverse all")
    return tuple(shape[item] for item in order)


transpose = structural(
    "transpose",
    lambda x, axes=None: np.transpose(x, axes),
    Slot(
        "x",
        transpose=lambda g, y, x, axes: np.transpose(g, _inverse(x.ndim, axes)),
        push=lambda t, y, x, axes: np.transpose(t, axes),
        shown=lambda g, y, x: g.T,
    ),
    shape=_transpose_shape,
    attributes=(Attribute("axes", None, "axes", "the new order of the axes; empty to reverse them"),),
    notation=Notation("{0}ᵀ", r"{0}^{{\top}}", POWER, (ATOM,)),
    title="transpose",
    symbol="Aᵀ",
    phrase="the transpose of {0}",
    category=CATEGORY,
    doc="The operand with its axes reversed, or in the given order.",
    examples=(
        ([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],),
        ([[[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 6.0]]], {"axes": [1, -1, 0]}),
        (2.0,),
    ),
)
