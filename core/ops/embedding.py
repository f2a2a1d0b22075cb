"""Rows of a table looked up by numbers that stand for words or classes."""

import math
from typing import Any

import numpy as np

from cadena.core.ops.building import GRID
from cadena.core.ops.expression import ATOM, POWER, Notation
from cadena.core.ops.formulas import formula
from cadena.core.ops.indices import NEAR, misplaced, places
from cadena.core.ops.primitive import Family, Shape, ShapeError, Slot
from cadena.core.ops.scattering import add_along_axis
from cadena.core.ops.selection import put_along_axis
from cadena.core.text.wording import Clause

FAMILY = Family("Layers")


def _embedding(indices: Any, table: Any) -> Any:
    rows, good = places(indices, table.shape[0])
    return np.where(_rows_where(good, table), np.take(table, rows, 0), np.nan)


def _rows_where(good: Any, table: Any) -> Any:
    return np.reshape(good, np.shape(good) + (1,) * (table.ndim - 1))


def _embedding_back(g: Any, y: Any, indices: Any, table: Any) -> Any:
    if not all(isinstance(item, np.ndarray | np.generic) for item in (g, indices)):  # places that follow new numbers
        count, width = math.prod(indices.shape), math.prod(table.shape[1:])
        middle = (table.shape[0] - 1) / 2
        is_row = np.where(np.abs(indices - middle) < middle + NEAR, np.abs(indices - np.rint(indices)), 1.0) < NEAR
        g, indices = np.where(_rows_where(is_row, table), g, 0.0), np.where(is_row, indices, 0.0)
        rows_ = np.broadcast_to(np.reshape(indices, (count, 1)), (count, width))
        zeros = np.zeros((table.shape[0], width), g.dtype)
        total = put_along_axis(zeros, rows_, np.reshape(g, (count, width)), axis=0, accumulate=True)
        return np.reshape(total, table.shape)
    rows, good = places(indices, table.shape[0])
    upstream = np.where(_rows_where(good, table), g, 0.0)
    return add_along_axis(np.reshape(upstream, (rows.size, *table.shape[1:])), np.ravel(rows), 0, table.shape[0])


def _embedding_push(t: Any, y: Any, indices: Any, table: Any) -> Any:
    if not all(isinstance(item, np.ndarray | np.generic) for item in (t, indices)):
        return embedding(indices, t)
    rows, good = places(indices, table.shape[0])
    return np.where(_rows_where(good, table), np.take(t, rows, 0), 0.0)


def _embedding_shape(indices: Shape, table: Shape) -> Shape:
    if not table or not table[0]:
        raise ShapeError(
            "{op} needs a table with at least one row, not shape {table}", "give it some", op="embedding", table=table
        )
    return indices + table[1:]


def _trouble(y: Any, indices: Any, table: Any) -> Clause | None:
    rows = table.shape[0]
    return misplaced("embedding", "index", indices, places(indices, rows)[1], 0, rows - 1)


embedding = FAMILY.structural(
    "embedding",
    _embedding,
    Slot("indices", differentiable=False),
    Slot(
        "table",
        transpose=_embedding_back,
        push=_embedding_push,
        shown=formula("Σ @g[k] over all k with @a[k] = i, in row i", r"\sum_{k: @a_k = i} @g_k \text{ in row } i"),
    ),
    shape=_embedding_shape,
    notation=Notation("{1}[{0}]", r"{{{1}}}_{{{0}}}", POWER, (0, ATOM)),
    title="rows of a table",
    symbol="W[i]",
    phrase="the rows {0} of {1}",
    doc="Rows of the second operand at the places in the first; a place that is not there gives nan. A row taken "
    "twice gets both gradients.",
    edges="An index that is out of range gives nan and a fault; negative ones do not count from the end.",
    trouble=_trouble,
    examples=(([0.0, 2.0, 0.0], [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), ([[1.0], [0.0]], [1.0, 2.0]), (1.0, GRID)),
)
