"""What a graph in training predicts over the plane or the line of its data: the node, and its value at many points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from cadena.core.front import compile
from cadena.core.graph.document import Document, Value
from cadena.core.graph.fault import Refused
from cadena.core.graph.order import ancestors, descendants, order
from cadena.core.training.batches import takes_batch, with_values
from cadena.core.training.settings import OUTPUT
from cadena.core.training.trainer import Trainer

MARGIN = 0.25  # of the data's width, on each side of it


def prediction_of(trainer: Trainer) -> str | None:
    """The node whose value is compared with the label: the last one before it that depends on the other columns alone.

    None where no node does that, as without a label.
    """
    if trainer.settings.loss != OUTPUT:
        return trainer.original.output
    document, last = trainer.document, len(trainer.table.names) - 1
    labels = {one.name for one in trainer.inputs if last in one.columns}
    features = {one.name for one in trainer.inputs} - labels
    behind_labels = set().union(*(descendants(document, name) for name in labels))
    behind_features = set().union(*(descendants(document, name) for name in features))
    for name in reversed(order(document)[0]):
        is_free = name in behind_features - behind_labels - features
        if is_free and any(consumer in behind_labels for consumer, _ in document.consumers[name]):
            return name
    return None


class Surface:
    """The prediction over a grid of points: `columns` are the data's columns along it, one or two, `axes` the places.

    Raises Refused where the graph predicts nothing over one or two columns.
    """

    def __init__(self, trainer: Trainer, points: int = 48) -> None:
        self.prediction = prediction_of(trainer)
        if self.prediction is None:
            raise Refused("no node is compared with a label", "choose data with one, or a loss")
        needed = ancestors(trainer.document, self.prediction)
        inputs = [one for one in trainer.inputs if one.name in needed]
        self.columns = tuple(column for one in inputs for column in one.columns)
        if len(self.columns) not in (1, 2):
            what = "{name} depends on {count} columns of the data"
            raise Refused(what, "a picture has one or two", name=self.prediction, count=len(self.columns))
        nodes = {name: node for name, node in trainer.document.nodes.items() if name in needed}
        part: Document = replace(trainer.document, nodes=nodes, output=self.prediction)
        if inputs[0].is_example and not takes_batch(trainer.document, trainer.inputs, trainer.table):
            raise Refused("{name} cannot be computed for many examples at once", name=self.prediction)
        rows = trainer.table.rows
        self.axes = tuple(_axis(rows[:, column], points) for column in self.columns)
        grid = np.zeros((points ** len(self.columns), rows.shape[1]))
        for column, places in zip(self.columns, np.meshgrid(*self.axes, indexing="ij"), strict=True):
            grid[:, column] = places.ravel()
        self._program = compile(with_values(part, {one.name: one.values(grid) for one in inputs}))
        self.level = 0.0 if trainer.settings.loss == "binary_cross_entropy_with_logits" else _middle(trainer)

    def heights(self, values: Mapping[str, Value]) -> np.ndarray:
        """The prediction at the points of the grid, a row for each place on the first axis; the likeliest class."""
        known = {name: value for name, value in values.items() if name in self._program.plan.index}
        result = self._program.run(known).value(str(self.prediction))
        assert result is not None
        flat = np.asarray(result, float).reshape(len(result), -1)
        best = flat[:, 0] if flat.shape[1] == 1 else np.argmax(flat, axis=1)
        return best.reshape([len(axis) for axis in self.axes])


def _axis(column: np.ndarray, points: int) -> np.ndarray:
    low, high = float(column.min()), float(column.max())
    more = MARGIN * ((high - low) or 1.0)
    return np.linspace(low - more, high + more, points)


def _middle(trainer: Trainer) -> float:
    labels = trainer.table.rows[:, -1]
    return float(labels.min() + labels.max()) / 2.0
