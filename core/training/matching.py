"""How the columns of the data belong to the inputs of a graph: by the input's shape, by name, else in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cadena.core.graph.document import Document, Tensor, as_array
from cadena.core.graph.fault import Refused
from cadena.core.graph.order import ancestors
from cadena.core.training.data import DataTable
from cadena.core.training.settings import TrainingSettings

Shape = tuple[int, ...]
NO_DATA = DataTable((), np.zeros((1, 0)))  # one example of nothing


class DataInput(NamedTuple):
    """An input with its columns. It holds one example, of the shape `tail`, or several along its first axis."""

    name: str
    columns: tuple[int, ...]
    tail: Shape
    is_example: bool

    def values(self, rows: np.ndarray) -> np.ndarray:
        """The values of the input for these rows of the data, the first axis of which counts them."""
        return rows[:, self.columns].reshape(len(rows), *self.tail)


def shape_of(document: Document, name: str) -> Shape:
    """The shape of a leaf's value."""
    value = document.nodes[name].value
    return value.shape if isinstance(value, Tensor) else ()


def data_inputs(document: Document, output: str, settings: TrainingSettings, table: DataTable) -> list[DataInput]:
    """The inputs that the data goes into, as the settings say, else each with the columns that fit it.

    Raises Refused where an input or a column is missing, or an input's shape has no place for its columns.
    """
    needed = ancestors(document, output)
    inputs = [node.name for node in document.nodes.values() if node.op == "input" and node.name in needed]
    if not inputs:
        raise Refused("{output} depends on no input", "make the data inputs", output=output)
    chosen = {name: tuple(names) for name, names in settings.columns.items()}
    if missing := [name for name in chosen if name not in inputs]:
        what = "{output} depends on no input {name}"
        raise Refused(what, "choose one of {known}", output=output, name=missing[0], known=", ".join(inputs[:20]))
    chosen = chosen or _matched(document, inputs, table, settings.target)
    fitted = [_fitted(name, shape_of(document, name), tuple(map(table.column, chosen[name]))) for name in chosen]
    forms = {one.is_example for one in fitted}
    if len(forms) > 1:
        one, several = (next(item.name for item in fitted if item.is_example is form) for form in (True, False))
        what = "{one} holds one example and {several} several"
        raise Refused(what, "give both one form", one=one, several=several)
    return fitted


def own_data(document: Document, output: str) -> tuple[DataTable, list[DataInput]]:
    """The values of the inputs as a table, where they are arrays of equally many examples; else one without columns."""
    needed = ancestors(document, output)
    inputs = [node for node in document.nodes.values() if node.op == "input" and node.name in needed]
    arrays = {node.name: as_array(node.value) for node in inputs if node.value is not None}
    counts = {len(array) if array.ndim in (1, 2) else 0 for array in arrays.values()}
    if len(arrays) != len(inputs) or len(counts) != 1 or min(counts) < 2:
        return NO_DATA, []
    names, columns, fitted = list[str](), list[np.ndarray](), list[DataInput]()
    for name, array in arrays.items():
        flat = array.reshape(len(array), -1).astype(np.float64)
        width = flat.shape[1]
        first = len(names)
        names += [f"{name}[{number}]" for number in range(width)] if array.ndim == 2 and width > 1 else [name]
        columns.append(flat)
        fitted.append(DataInput(name, tuple(range(first, first + width)), array.shape[1:], False))
    return DataTable(tuple(names), np.concatenate(columns, axis=1)), fitted


def _matched(
    document: Document, inputs: Sequence[str], table: DataTable, target: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """The columns for each input: those of its name, else the next ones that it has room for."""
    left = [name for name in table.names if name not in target]
    matched: dict[str, tuple[str, ...]] = {
        name: (name,) for name in inputs if name in left and shape_of(document, name) == ()
    }
    left = [name for name in left if name not in matched]
    for name in inputs:
        if name not in matched and left:
            width = _width(shape_of(document, name), len(left))
            matched[name] = tuple(left[:width])
            del left[:width]
    return {name: matched[name] for name in inputs if name in matched}


def _width(shape: Shape, left: int) -> int:
    """How many of the columns that are left an input of this shape takes; the last one is nobody's but a label's."""
    if len(shape) == 2:
        return shape[1]
    return shape[0] if len(shape) == 1 and 1 < shape[0] <= left - 1 else 1


def _fitted(name: str, shape: Shape, columns: tuple[int, ...]) -> DataInput:
    count = len(columns)
    if count == 1 and shape == ():
        return DataInput(name, columns, (), True)
    if len(shape) == 2 and shape[1] == count:
        return DataInput(name, columns, (count,), False)
    if len(shape) == 1 and shape[0] == count:
        return DataInput(name, columns, (count,), True)
    if len(shape) == 1 and count == 1:
        return DataInput(name, columns, (), False)
    what = "{name} has shape {shape}, which has no place for {count} columns of the data"
    remedy = "give it a number, a vector or a matrix with a column for each"
    raise Refused(what, remedy, name=name, shape=shape, count=count)
