"""The diagonals and triangles of matrices."""

from collections.abc import Callable
from typing import Any

import numpy as np

from cadena.core.ops.expression import CALL, Notation
from cadena.core.ops.formulas import formula
from cadena.core.ops.primitive import Attribute, Family, Shape, ShapeError, Slot
from cadena.core.ops.reduction import reduced_axes

FAMILY = Family("Linear algebra")
GRID = [[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]]
CUBE = [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[-1.0, 0.5], [2.0, -3.0]]]
K = Attribute("k", 0, "integer", "which diagonal: 0 the main one, above it 1, 2 ..., below it -1, -2 ...")


def _trace_shape(shape: Shape, offset: Any, axis1: Any, axis2: Any) -> Shape:
    if len(shape) < 2:
        raise ShapeError("{op} needs a matrix, not shape {shape}", "give it two axes at least", op="trace", shape=shape)
    removed = reduced_axes(shape, [axis1, axis2])
    return tuple(size for index, size in enumerate(shape) if index not in removed)


def _trace_transpose(g: Any, y: Any, x: Any, offset: int, axis1: int, axis2: int) -> Any:
    """The upstream gradient on the diagonal, 0 elsewhere."""
    first, second = reduced_axes(x.shape, [axis1, axis2])
    mask = np.eye(x.shape[first], x.shape[second], offset, dtype=bool)
    placed = np.expand_dims(mask if first < second else mask.T, [i for i in range(x.ndim) if i not in (first, second)])
    return np.where(placed, np.expand_dims(g, (first, second)), np.zeros((), dtype=x.dtype))


trace = FAMILY.structural(
    "trace",
    lambda x, offset, axis1, axis2: np.trace(x, offset, axis1, axis2),
    Slot(
        "x",
        transpose=_trace_transpose,
        push=lambda t, y, x, offset, axis1, axis2: np.trace(t, offset, axis1, axis2),
        shown=formula("@g on the diagonal, else 0", r"@g \, I"),
    ),
    shape=_trace_shape,
    attributes=(
        Attribute("offset", 0, "integer", "which diagonal is summed: 0 the main one"),
        Attribute("axis1", 0, "integer", "the axis of the rows"),
        Attribute("axis2", 1, "integer", "the axis of the columns"),
    ),
    notation=Notation("tr({0})", r"\mathrm{{tr}}\left({0}\right)", CALL),
    title="trace",
    symbol="tr",
    phrase="the trace of {0}",
    doc="The sum of the elements on the diagonal. Each of them gets the gradient; the others get 0.",
    examples=(
        ([[1.0, 2.0], [3.0, 4.0]],),
        (GRID, {"offset": 1}),
        (GRID, {"offset": 5}),
        (CUBE, {"axis1": 1, "axis2": 2}),
        (CUBE, {"axis1": -1, "axis2": 0, "offset": -1}),
    ),
)


def _diag_shape(shape: Shape, k: Any) -> Shape:
    shift = abs(k)
    if len(shape) == 1:
        return (shape[0] + shift, shape[0] + shift)
    if len(shape) != 2:
        raise ShapeError(
            "{op} needs a vector or a matrix, not shape {shape}", "take one of its parts", op="diag", shape=shape
        )
    rows, columns = shape[0] + min(k, 0), shape[1] - max(k, 0)
    return (max(min(rows, columns), 0),)


def _diag_transpose(g: Any, y: Any, x: Any, k: int) -> Any:
    """Of a vector: the diagonal of the upstream gradient. Of a matrix: the upstream gradient put on its diagonal."""
    if x.ndim == 1:
        return np.diag(g, k)
    if not g.size:
        return np.zeros(x.shape, dtype=x.dtype)
    places = np.clip(np.arange(x.shape[0]) + min(k, 0), 0, g.shape[0] - 1)
    mask = np.eye(x.shape[0], x.shape[1], k, dtype=bool)
    return np.where(mask, np.expand_dims(g[places], 1), np.zeros((), dtype=x.dtype))


diag = FAMILY.structural(
    "diag",
    lambda x, k: np.array(np.diag(x, k)),
    Slot(
        "x",
        transpose=_diag_transpose,
        push=lambda t, y, x, k: np.diag(t, k),
        shown=formula("@g on the diagonal, else 0; of a matrix its diagonal", r"\mathrm{diag}\left(@g\right)"),
    ),
    shape=_diag_shape,
    attributes=(K,),
    title="diagonal",
    phrase="the diagonal of {0}",
    doc="Of a matrix its diagonal, as a vector; of a vector the matrix that has it as its diagonal.",
    examples=(
        ([1.0, 2.0, 3.0],),
        ([1.0, 2.0], {"k": -1}),
        (GRID,),
        (GRID, {"k": 1}),
        (GRID, {"k": -1}),
        (GRID, {"k": 4}),
    ),
)


def _triangle_shape(name: str) -> Callable[..., Shape]:
    def shape(shape: Shape, k: Any) -> Shape:
        if len(shape) < 2:
            raise ShapeError(
                "{op} needs a matrix, not shape {shape}", "give it two axes at least", op=name, shape=shape
            )
        return shape

    return shape


tril = FAMILY.structural(
    "tril",
    lambda x, k: np.tril(x, k),
    Slot(
        "x",
        transpose=lambda g, y, x, k: np.tril(g, k),
        push=lambda t, y, x, k: np.tril(t, k),
        shown=formula("tril(@g)", r"\mathrm{tril}\left(@g\right)"),
    ),
    shape=_triangle_shape("tril"),
    attributes=(K,),
    title="lower triangle",
    phrase="the lower triangle of {0}",
    doc="The matrix with zeros above its diagonal. What was set to zero gets no gradient.",
    examples=((GRID,), (GRID, {"k": 1}), (CUBE, {"k": -1})),
)

triu = FAMILY.structural(
    "triu",
    lambda x, k: np.triu(x, k),
    Slot(
        "x",
        transpose=lambda g, y, x, k: np.triu(g, k),
        push=lambda t, y, x, k: np.triu(t, k),
        shown=formula("triu(@g)", r"\mathrm{triu}\left(@g\right)"),
    ),
    shape=_triangle_shape("triu"),
    attributes=(K,),
    title="upper triangle",
    phrase="the upper triangle of {0}",
    doc="The matrix with zeros below its diagonal. What was set to zero gets no gradient.",
    examples=((GRID,), (GRID, {"k": 1}), (CUBE, {"k": -1})),
)
