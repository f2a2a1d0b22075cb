"""Products over axes, and running sums and products."""

from typing import Any

import numpy as np

from cadena.core.ops.expression import CALL, Notation
from cadena.core.ops.formulas import formula
from cadena.core.ops.primitive import Attribute, Family, Shape, ShapeError, Slot
from cadena.core.ops.reduction import (
    AXIS,
    EXAMPLES,
    KEEPDIMS,
    as_axis,
    reduced_axes,
    reduced_shape,
    spread,
)
from cadena.core.ops.safer import SaferForm, of

FAMILY = Family("Reductions")
ONE_AXIS = Attribute("axis", None, "axis", "the axis to run along; empty for all elements in a row")


def others(z: Any) -> Any:
    """For each element along the last axis the product of the others; without division, so zeros do no harm."""
    one = np.ones((*z.shape[:-1], 1), dtype=z.dtype)
    before = np.concatenate([one, np.cumprod(z[..., :-1], axis=-1)], axis=-1)
    following = np.concatenate([one, np.cumprod(z[..., :0:-1], axis=-1)], axis=-1)
    return before * following[..., ::-1]


def _prod_of_others(x: Any, axis: Any) -> Any:
    """`others` along all the axes that `axis` names, in the shape of `x`."""
    reduced = reduced_axes(x.shape, axis)
    if not x.size:
        return x
    remaining = [item for item in range(x.ndim) if item not in reduced]
    order = [*remaining, *reduced]
    rows = np.transpose(x, order)
    products = others(np.reshape(rows, (*rows.shape[: len(remaining)], -1)))
    return np.transpose(np.reshape(products, rows.shape), [int(item) for item in np.argsort(order)])


prod = FAMILY.structural(
    "prod",
    lambda x, axis, keepdims: np.prod(x, axis=as_axis(axis), keepdims=keepdims),
    Slot(
        "x",
        transpose=lambda g, y, x, axis, keepdims: spread(g, x, axis, keepdims) * _prod_of_others(x, axis),
        push=lambda t, y, x, axis, keepdims: np.sum(
            t * _prod_of_others(x, axis), axis=as_axis(axis), keepdims=keepdims
        ),
        shown=formula("@g · Π_(j ≠ i) @a[j]", r"@g \prod_{j \neq i} @a_j"),
    ),
    shape=reduced_shape,
    attributes=(AXIS, KEEPDIMS),
    notation=Notation("prod({0})", r"\prod {0}", CALL),
    title="product of the elements",
    symbol="Π",
    synonyms=("product",),
    phrase="the product of the elements of {0}",
    doc="The product of the elements along the given axes. Each element gets the gradient times the product of the "
    "others, also where one of them is 0.",
    edges="With one element 0, that element gets the product of the others; with two, all get 0.",
    safer=(
        SaferForm(
            "Write sum(log(x)) for log(prod(x))",
            "the product of all does not underflow or overflow, where all are positive",
            lambda x: np.log(np.prod(x)),
            lambda x: np.sum(np.log(x)),
            of("prod"),
        ),
        SaferForm(
            "Use prod for exp(sum(log(x)))",
            "no logarithm of 0 is taken",
            lambda x: np.exp(np.sum(np.log(x))),
            attributes=of("sum"),
        ),
    ),
    examples=(
        *EXAMPLES,
        ([2.0, 0.0, 3.0],),
        ([[[1.5, 2.0], [-1.0, 3.0]], [[0.5, 1.0], [4.0, -2.0]]], {"axis": [0, 2]}),
        ([[0.0, 2.0, 0.0], [4.0, 5.0, 6.0]], {"axis": 1}),
    ),
)


def running_axis(name: str, shape: Shape, axis: Any) -> int | None:
    """`axis` of a running sum or product counted from 0, None for all elements in a row; ShapeError for a list."""
    if isinstance(axis, list | tuple):
        raise ShapeError(
            "{op} runs along one axis, not along {axis}", "give one number, or none for all", op=name, axis=list(axis)
        )
    return None if axis is None else reduced_axes(shape, axis)[0]


def _running_shape(name: str) -> Any:
    def shape(shape: Shape, axis: Any) -> Shape:
        return shape if running_axis(name, shape, axis) is not None else (int(np.prod(shape, dtype=int)),)

    return shape


def _in_rows(x: Any, axis: Any) -> Any:
    """`x` with the axis to run along last; all elements in a row when there is none."""
    return np.reshape(x, (-1,)) if axis is None else np.moveaxis(x, axis, -1)


def _back(rows: Any, x: Any, axis: Any) -> Any:
    return np.reshape(rows, x.shape) if axis is None else np.moveaxis(rows, -1, axis)


def _cumsum_transpose(g: Any, y: Any, x: Any, axis: Any) -> Any:
    """Element i is part of the sums i, i + 1 ...: the running sum of the upstream gradient from the end."""
    sums = np.cumsum(_in_rows(g, axis)[..., ::-1], axis=-1)[..., ::-1]
    return _back(sums, x, axis)


cumsum = FAMILY.structural(
    "cumsum",
    lambda x, axis: np.cumsum(x, axis=axis),
    Slot(
        "x",
        transpose=_cumsum_transpose,
        push=lambda t, y, x, axis: np.cumsum(t, axis=axis),
        shown=formula("Σ_(j ≥ i) @g[j]", r"\sum_{j \geq i} @g_j"),
    ),
    shape=_running_shape("cumsum"),
    attributes=(ONE_AXIS,),
    title="running sum",
    symbol="cumΣ",
    synonyms=("cumulative_sum",),
    phrase="the running sums of {0}",
    doc="The sums of the first element, the first two, the first three ... along an axis.",
    examples=(
        ([1.0, -2.0, 4.0],),
        ([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],),
        ([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], {"axis": 0}),
        ([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], {"axis": -1}),
        (2.5,),
    ),
)


def _divides(y: Any) -> bool:
    """Whether running products can be divided by their factors: none of them is 0, tiny or infinite."""
    size = np.abs(y)
    return bool(np.all(size >= np.finfo(y.dtype).tiny) and np.all(np.isfinite(size)))


def _cumprod_transpose(g: Any, y: Any, x: Any, axis: Any) -> Any:
    """Element i gets (x0 ... x(i-1)) · (g(i) + x(i+1) g(i+1) + x(i+1) x(i+2) g(i+2) + ...)."""
    upstream, rows, products = _in_rows(g, axis), _in_rows(x, axis), _in_rows(y, axis)
    if not rows.size:
        return np.zeros(x.shape, dtype=x.dtype)
    if _divides(y):
        return _back(np.cumsum((upstream * products)[..., ::-1], axis=-1)[..., ::-1] / rows, x, axis)
    tails = [upstream[..., -1]]
    for index in range(rows.shape[-1] - 2, -1, -1):
        tails.append(upstream[..., index] + rows[..., index + 1] * tails[-1])
    one = np.ones((*rows.shape[:-1], 1), dtype=rows.dtype)
    before = np.concatenate([one, products[..., :-1]], axis=-1)
    return _back(before * np.stack(tails[::-1], axis=-1), x, axis)


def _cumprod_push(t: Any, y: Any, x: Any, axis: Any) -> Any:
    """The product rule, one factor after the other: y(k)' = y(k-1)' x(k) + y(k-1) t(k)."""
    tangent, rows, products = _in_rows(t, axis), _in_rows(x, axis), _in_rows(y, axis)
    if not rows.size:
        return np.zeros(y.shape, dtype=y.dtype)
    if _divides(y):
        return _back(products * np.cumsum(tangent / rows, axis=-1), y, axis)
    moved = [tangent[..., 0]]
    for index in range(1, rows.shape[-1]):
        moved.append(moved[-1] * rows[..., index] + products[..., index - 1] * tangent[..., index])
    return _back(np.stack(moved, axis=-1), y, axis)


cumprod = FAMILY.structural(
    "cumprod",
    lambda x, axis: np.cumprod(x, axis=axis),
    Slot(
        "x",
        transpose=_cumprod_transpose,
        push=_cumprod_push,
        shown=formula("Σ_(j ≥ i) @g[j] · @y[j] / @a[i]", r"\sum_{j \geq i} @g_j \, \frac{@y_j}{@a_i}"),
    ),
    shape=_running_shape("cumprod"),
    attributes=(ONE_AXIS,),
    title="running product",
    symbol="cumΠ",
    synonyms=("cumulative_prod",),
    phrase="the running products of {0}",
    doc="The products of the first element, the first two, the first three ... along an axis.",
    edges="Zeros among the elements make no nan; each gets the right product of the others.",
    examples=(
        ([1.0, -2.0, 4.0],),
        ([2.0, 0.0, 3.0, 0.0, 5.0],),
        ([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],),
        ([[1.0, 2.0, 3.0], [4.0, 0.0, 6.0]], {"axis": 0}),
        ([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], {"axis": -1}),
        (2.5,),
    ),
)
