"""Training of a document: settings and data in, one step after the other, the same bits again after a reset."""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time
from typing import NamedTuple

import numpy as np

from cadena.core.front import Run, compile
from cadena.core.graph.document import Document, Value, as_array, as_value
from cadena.core.graph.fault import Refused
from cadena.core.training.batches import Evaluation, evaluator, tensor, with_loss
from cadena.core.training.data import CSV, DOCUMENT, DataTable, generated
from cadena.core.training.matching import DataInput, data_inputs, own_data
from cadena.core.training.optimisers import OPTIMISERS, no_moments
from cadena.core.training.settings import TrainingSettings

NOT_FINITE = "at step {step} the {what} was not finite, so training stopped before it"
OVERFLOWED = "step {step} would have led to parameters that are not finite, so training stopped before it"
OTHER_BRANCH = "at step {step} {what}; training stopped before it"


class TrainingFailure(NamedTuple):
    """The step that was not taken, why, and the run whose numbers went bad, which the doctor explains."""

    step: int
    what: str  # a template
    quantity: str
    run: Run
    rows: np.ndarray  # the batch, or the example of it that failed by itself

    @property
    def sentence(self) -> str:
        return self.what.format(step=self.step, what=self.quantity)


class Trainer:
    """Trains the parameters that the output depends on. Documents stay as they are: `values` has the parameters.

    `rows` are those of the CSV file, for settings that name one. Raises Refused for settings, data or a graph that do
    not go together.
    """

    def __init__(self, document: Document, settings: TrainingSettings, rows: DataTable | None = None) -> None:
        self.settings, self.original = settings, document
        output = str(document.output)
        plan = compile(document).plan
        if plan.output is None:
            raise Refused("there is no output that runs", "choose one, and fix its faults")
        self.table, inputs = _data(document, settings, rows)
        shape = plan.shapes[plan.output] or ()
        if settings.data == DOCUMENT and settings.loss != "output":
            raise Refused("a loss on top of {output} needs data with a target", "choose data", output=output)
        self.document, self.inputs = with_loss(document, settings, self.table, inputs, shape)
        self.names = _trainable(self.document)
        self.size = min(settings.batch or len(self.table.rows), len(self.table.rows))
        self._evaluator = evaluator(self.document, self.inputs, self.table, self.size)
        self._optimiser = OPTIMISERS[settings.optimiser]
        self._shapes = [as_array(document.nodes[name].value).shape for name in self.names]  # type: ignore[arg-type]
        self._ends = np.cumsum([int(np.prod(shape)) for shape in self._shapes]).tolist()
        self.reset()

    def reset(self) -> None:
        """Go back to the start: with the same seed every step is the same again, bit for bit."""
        self._random = np.random.default_rng([self.settings.seed, 1])
        self._vector = self._first_values()
        self._moments = no_moments(self._vector)
        self._order: np.ndarray | None = None
        self._position = 0
        self.steps = 0
        self.losses: list[float] = []
        self.failure: TrainingFailure | None = None
        self.gradients: dict[str, np.ndarray] = {}

    def _first_values(self) -> np.ndarray:
        values = [as_array(self.original.nodes[name].value) for name in self.names]  # type: ignore[arg-type]
        if self.settings.start == "random":
            values = [_drawn(self._random, shape) for shape in self._shapes]
        return np.concatenate([np.ravel(value) for value in values]).astype(self.original.dtype)

    @property
    def values(self) -> dict[str, Value]:
        """The parameters by name, each of its own shape."""
        starts = [0, *self._ends]
        parts = zip(self.names, self._shapes, starts, self._ends, strict=False)
        return {
            name: tensor(self._vector[start:end].reshape(shape)) if shape else as_value(float(self._vector[start]))
            for name, shape, start, end in parts
        }

    @property
    def loss(self) -> float | None:
        """The loss that the last step has seen, which is that before it."""
        return self.losses[-1] if self.losses else None

    def step(self) -> bool:
        """Take one step. False where it cannot be taken: then all stays as it was, and `failure` says why."""
        if self.failure is not None:
            return False
        position, order, generator = self._position, self._order, self._random.bit_generator.state
        rows = self._next_rows()
        evaluation = self._evaluator.evaluate(self.values, rows)
        gradient = np.concatenate([np.ravel(evaluation.gradients[name]) for name in self.names])
        gradient = gradient.astype(self._vector.dtype, copy=False)
        quantity = "loss" if not np.isfinite(evaluation.loss) else "" if np.isfinite(gradient).all() else "gradient"
        with np.errstate(all="ignore"):
            vector, moments = self._optimiser.update(self._vector, gradient, self._moments, self.settings.rate)
        violated = () if quantity else evaluation.run.violated_guards
        if quantity or violated or not np.isfinite(vector).all():
            self._position, self._order = position, order
            self._random.bit_generator.state = generator
            what = NOT_FINITE if quantity else OTHER_BRANCH if violated else OVERFLOWED
            bad = self._bad_rows(rows) if quantity else rows
            reason = violated[0].after_node() if violated else quantity
            self.failure = TrainingFailure(self.steps + 1, what, reason, evaluation.run, bad)
            return False
        self._vector, self._moments = vector.astype(self._vector.dtype, copy=False), moments
        self.gradients = dict(evaluation.gradients)
        self.steps += 1
        self.losses.append(evaluation.loss)
        return True

    def advance(self, seconds: float, most: int, cancelled: Callable[[], bool] = lambda: False) -> int:
        """Take steps for so many seconds of processor time, one at least and at most so many; returns their number."""
        taken, end = 0, thread_time() + seconds
        while taken < most and not cancelled() and self.step():
            taken += 1
            if thread_time() >= end:
                break
        return taken

    def evaluate(self) -> Evaluation:
        """The loss and gradients of the first batch at the present parameters, without a step."""
        return self._evaluator.evaluate(self.values, self.table.rows[: self.size])

    def _next_rows(self) -> np.ndarray:
        """The rows of the next batch: all of them, or the next ones of an order that is drawn anew for each epoch."""
        rows = self.table.rows
        if self.size == len(rows):
            return rows
        if self._order is None or self._position + self.size > len(rows):
            self._order, self._position = self._random.permutation(len(rows)), 0
        chosen = self._order[self._position : self._position + self.size]
        self._position += self.size
        return rows[chosen]

    def _bad_rows(self, rows: np.ndarray) -> np.ndarray:
        """The first example whose loss or gradient is not finite by itself, else all of them."""
        if not self.inputs or not self.inputs[0].is_example:
            return rows
        for number in range(len(rows)):
            alone = rows[number : number + 1]
            evaluation = evaluator(self.document, self.inputs, DataTable(self.table.names, alone), 1).evaluate(
                self.values, alone
            )
            if not np.isfinite([evaluation.loss, *map(np.sum, evaluation.gradients.values())]).all():
                return alone
        return rows

    def failing_values(self) -> dict[str, Value]:
        """The values under which the document fails as this training did: parameters, and the example or the batch."""
        assert self.failure is not None
        values, rows = self.values, self.failure.rows
        for one in self.inputs:
            if one.name in self.original.nodes:
                batch = one.values(rows)
                values[one.name] = as_value(batch[0] if one.is_example else batch)
        return values

    def shown_values(self) -> dict[str, Value]:
        """The values under which the document shows this training: parameters, and the data where its shapes allow."""
        values = self.values
        for one in self.inputs:
            if one.name not in self.original.nodes or self.settings.data == DOCUMENT:
                continue
            if not one.is_example and len(as_array(self.original.nodes[one.name].value)) == self.size:  # type: ignore[arg-type]
                values[one.name] = as_value(one.values(self.table.rows[: self.size]))
        return values


def _data(document: Document, settings: TrainingSettings, rows: DataTable | None) -> tuple[DataTable, list[DataInput]]:
    """The data that the settings name, and the inputs that take it."""
    output = str(document.output)
    if settings.data == DOCUMENT:
        return own_data(document, output)
    if settings.data == CSV:
        if rows is None:
            raise Refused("no CSV file is chosen", "choose one")
        table = rows
    else:
        table = generated(settings.data, settings.seed, settings.examples, settings.noise)
    return table, data_inputs(document, output, settings, table)


def _trainable(document: Document) -> list[str]:
    """The parameters that have a gradient."""
    plan = compile(document).plan
    names = [plan.names[leaf] for leaf in plan.leaves if plan.reached[leaf]]
    trainable = [name for name in names if document.nodes[name].op == "parameter"]
    if not trainable:
        raise Refused(
            "{output} depends on no parameter", "make what is to be learnt parameters", output=document.output
        )
    return trainable


def _drawn(random: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers between ± one over the root of the number of rows, so that a layer keeps the size of what it reads."""
    bound = 1.0 / np.sqrt(shape[0]) if len(shape) > 1 else 1.0
    return random.uniform(-bound, bound, shape)
