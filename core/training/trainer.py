"""Training of a document: settings and data in, one step after the other, the same bits again after a reset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from time import thread_time
from typing import NamedTuple

import numpy as np

from cadena.core.front import Run, compile
from cadena.core.graph.document import Document, Value, as_array, as_value
from cadena.core.graph.fault import Refused
from cadena.core.text.numbers import short
from cadena.core.training.batches import AGREES, Evaluation, evaluator, tensor, with_loss
from cadena.core.training.data import CSV, DOCUMENT, DataTable, generated
from cadena.core.training.matching import DataInput, data_inputs, own_data
from cadena.core.training.optimisers import OPTIMISERS, no_moments
from cadena.core.training.settings import OUTPUT, TrainingSettings

NOT_FINITE = "at step {step} the {what} was not finite, so training stopped before it"
OVERFLOWED = "step {step} would have led to parameters that are not finite, so training stopped before it"
OTHER_BRANCH = "at step {step} {what}; training stopped before it"
ENDLESS = "Stopped at step {step}: {loss} falls without end ({number}), as it has no minimum in {name}; {remedy}."
FALLS = "Stopped at step {step}: {loss} falls faster and faster ({number}) and may have no minimum; {remedy}."
GROWS = "Stopped at step {step}: {loss} grows faster and faster ({number}); lower the rate, now {rate}."
FAR, WINDOW = 1e4, 5  # times the loss at the start; steps in a row: of a loss that runs away
STEADY = (
    20  # steps in a row: of a loss below 0 that falls on, whose minimum is looked for, and again after twice as many
)
MOST_TRIED, BEYOND = 20, 1e3  # parameters in which the loss may be linear; times their size: how far that is tried


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


class Runaway(NamedTuple):
    """The step at which the loss was found to run away, and what is said of it."""

    step: int
    sentence: str


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
        if settings.data == DOCUMENT and settings.loss != OUTPUT:
            raise Refused("a loss on top of {output} needs data with a target", "choose data", output=output)
        self.document, self.inputs = with_loss(document, settings, self.table, inputs, shape)
        self.names = _trainable(self.document)
        self.size = min(settings.batch or len(self.table.rows), len(self.table.rows))
        self._evaluator = evaluator(self.document, self.inputs, self.table, self.size)
        self._optimiser = OPTIMISERS[settings.optimiser]
        self._shapes = [as_array(document.nodes[name].value).shape for name in self.names]  # type: ignore[arg-type]
        self._ends = np.cumsum([int(np.prod(shape)) for shape in self._shapes]).tolist()
        self.reset()
        is_whole = settings.loss == OUTPUT and shape == () and self.size == len(self.table.rows)
        shown = {one.name for one in self.inputs} if settings.data == DOCUMENT else self.shown_values().keys()
        self.is_shown = is_whole and all(one.name in shown for one in self.inputs)

    def reset(self) -> None:
        """Go back to the start: with the same seed every step is the same again, bit for bit."""
        self._random = np.random.default_rng([self.settings.seed, 1])
        self._vector = self._first_values()
        self._moments = no_moments(self._vector)
        self._order: np.ndarray | None = None
        self._position = 0
        self._evaluation: Evaluation | None = None
        self.steps = 0
        self.losses: list[float] = []  # after so many steps, from 0
        self.failure: TrainingFailure | None = None
        self.runaway: Runaway | None = None
        self._due = STEADY  # the step at which a minimum is looked for

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
        """The loss at the present parameters; None before it is computed, and where it cannot be."""
        return self.losses[self.steps] if len(self.losses) > self.steps else None

    @property
    def gradients(self) -> dict[str, np.ndarray]:
        """The gradients that the next step goes against; none before they are computed."""
        return dict(self._evaluation.gradients) if self._evaluation is not None else {}

    @property
    def ran_away(self) -> bool:
        """Whether the loss was found to run away at this very step; the training can go on all the same."""
        return self.runaway is not None and self.runaway.step == self.steps

    def evaluate(self) -> Evaluation:
        """The loss and gradients of the next batch at the present parameters; `failure` where no step can follow."""
        if self._evaluation is None:
            self._rows = rows = self._next_rows()
            self._evaluation = evaluation = self._evaluator.evaluate(self.values, rows)
            is_finite = all(np.isfinite(evaluation.gradients[name]).all() for name in self.names)
            quantity = "loss" if not np.isfinite(evaluation.loss) else "" if is_finite else "gradient"
            if quantity:
                self._fail(NOT_FINITE, quantity, self._bad_rows(rows))
            elif violated := evaluation.run.violated_guards:
                self._fail(OTHER_BRANCH, violated[0].after_node(), rows)
            else:
                self.losses.append(evaluation.loss)
                if self.runaway is None and (sentence := self._away()):
                    self.runaway = Runaway(self.steps, sentence)
        return self._evaluation

    def _fail(self, what: str, quantity: str, rows: np.ndarray) -> None:
        assert self._evaluation is not None
        self.failure = TrainingFailure(self.steps + 1, what, quantity, self._evaluation.run, rows)

    def step(self) -> bool:
        """Take one step. False where it cannot be taken: then all stays as it was, and `failure` says why."""
        evaluation = self.evaluate()
        if self.failure is not None:
            return False
        gradient = np.concatenate([np.ravel(evaluation.gradients[name]) for name in self.names])
        gradient = gradient.astype(self._vector.dtype, copy=False)
        with np.errstate(all="ignore"):
            vector, moments = self._optimiser.update(self._vector, gradient, self._moments, self.settings.rate)
        if not np.isfinite(vector).all():
            self._fail(OVERFLOWED, "", self._rows)
            return False
        self._vector, self._moments = vector.astype(self._vector.dtype, copy=False), moments
        self.steps += 1
        self._evaluation = None
        self.evaluate()
        return True

    def advance(self, seconds: float, most: int, cancelled: Callable[[], bool] = lambda: False) -> int:
        """Take steps for so many seconds of processor time, one at least and at most so many; returns their number.

        Stops where the loss is found to run away.
        """
        taken, end = 0, thread_time() + seconds
        while taken < most and not cancelled() and self.step():
            taken += 1
            if thread_time() >= end or self.ran_away:
                break
        return taken

    def _away(self) -> str:
        """What is to be said of a loss that runs away; "" where it does not."""
        losses, is_own, output = self.losses, self.settings.loss == OUTPUT, str(self.original.output)
        if is_due := self.steps == self._due:
            self._due *= 2
        falls = all(after < before for before, after in pairwise(losses[-STEADY - 1 :]))
        if not (runs_away(losses) or (is_due and losses[-1] < 0.0 and falls)):
            return ""
        numbers = {"step": self.steps, "loss": output if is_own else "the loss", "number": short(losses[-1])}
        if losses[-1] > 0.0:
            return GROWS.format(**numbers, rate=short(self.settings.rate))
        remedy = f"train a loss such as ({output}-1)**2" if is_own else "choose another loss"
        if name := self._endless():
            return ENDLESS.format(**numbers, name=name, remedy=remedy)
        return FALLS.format(**numbers, remedy=remedy) if runs_away(losses) else ""

    def _endless(self) -> str:
        """A parameter in which the loss is linear, as its slope is the same far off on both sides; else ""."""
        values, rows, close = self.values, self.table.rows[: self.size], AGREES[self.original.dtype]
        for name in self.names[:MOST_TRIED]:
            here = as_array(values[name])
            far = BEYOND * (1.0 + np.abs(here).max(initial=0.0))
            places = (here, here - far, here + far)
            slopes = [
                self._evaluator.evaluate({**values, name: as_value(place)}, rows).gradients[name] for place in places
            ]
            if np.any(slopes[0]) and np.allclose(slopes[1:], slopes[0], rtol=close, atol=0.0):
                return name
        return ""

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


def runs_away(losses: Sequence[float]) -> bool:
    """Whether the loss is FAR beyond its start, and each of the last steps took it on by no less than the one before.

    On the way to a minimum steps become smaller; no loss ends FAR below its start by accident.
    """
    if len(losses) <= WINDOW or abs(losses[-1]) < FAR * max(1.0, abs(losses[0])):
        return False
    sign = 1.0 if losses[-1] > 0.0 else -1.0
    outwards = [(after - before) * sign for before, after in pairwise(losses[-WINDOW - 1 :])]
    return outwards[0] > 0.0 and all(after >= before * (1.0 - 1e-6) for before, after in pairwise(outwards))


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
