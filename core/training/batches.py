"""A graph on a batch of examples: one run of the whole batch where the graph treats examples apart, else a run each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import numpy as np
from msgspec.structs import replace as with_fields

from cadena.core.front import Program, Run, compile
from cadena.core.functions.calls import guarded_functions
from cadena.core.graph.document import Document, Node, Tensor, Value, as_value
from cadena.core.graph.edits import fresh_name
from cadena.core.graph.fault import Refused
from cadena.core.ops.reduction import mean
from cadena.core.training.data import DataTable
from cadena.core.training.matching import DataInput, Shape
from cadena.core.training.settings import OUTPUT, TrainingSettings

TARGET, LOSS, MEAN = "target", "loss", "mean_loss"
PROBED = 3  # examples on which a batch is compared with single runs
AGREES = {"float64": 1e-9, "float32": 1e-4, "float16": 2e-2}  # relative
FEW = 4  # examples of single numbers that are quicker one by one, in Python floats


class Evaluation(NamedTuple):
    """The loss and its gradients by parameter, and the run with the numbers: of a batch, or of its last example."""

    loss: float
    gradients: Mapping[str, np.ndarray]
    run: Run


class Evaluator(Protocol):
    """Computes a loss and its gradients for values of the parameters and rows of the data."""

    def evaluate(self, parameters: Mapping[str, Value], rows: np.ndarray) -> Evaluation: ...


def with_values(document: Document, values: Mapping[str, Any]) -> Document:
    """The document with other values of some leaves, also of another shape."""
    nodes = {name: with_fields(document.nodes[name], value=as_value(value)) for name, value in values.items()}
    return replace(document, nodes={**document.nodes, **nodes})


def with_loss(
    document: Document,
    settings: TrainingSettings,
    table: DataTable,
    inputs: Sequence[DataInput],
    shape: Shape,
) -> tuple[Document, list[DataInput]]:
    """The document with the chosen loss behind its output, which has this shape, and the input of its target.

    Raises Refused where no columns are left to compare with, or too few.
    """
    if settings.loss == OUTPUT:
        return document, list(inputs)
    used = {column for one in inputs for column in one.columns}
    columns = tuple(map(table.column, settings.target)) or tuple(
        number for number in range(len(table.names)) if number not in used
    )
    is_example = all(one.is_example for one in inputs)
    per_example = shape if is_example else shape[1:]
    tail = () if settings.loss == "cross_entropy" and len(columns) == 1 else per_example
    if int(np.prod(tail)) != len(columns):
        what = "the loss compares {output}, of shape {shape}, with {count} columns of the data"
        remedy = "choose as many target columns as it has elements for an example"
        raise Refused(what, remedy, output=document.output, shape=shape, count=len(columns))
    target = DataInput(fresh_name(document.nodes, TARGET), columns, tail, is_example)
    value = np.zeros(tail if is_example else (shape[0], *tail))
    loss = fresh_name(document.nodes, LOSS)
    nodes = {
        target.name: Node(target.name, "input", value=as_value(value)),
        loss: Node(loss, settings.loss, (str(document.output), target.name)),
    }
    return replace(document, nodes={**document.nodes, **nodes}, output=loss), [*inputs, target]


def with_mean(document: Document) -> Document:
    """The document with the mean of its output as its output, unless that is a single number."""
    plan = compile(document).plan
    if plan.output is None or plan.shapes[plan.output] == ():
        return document
    name = fresh_name(document.nodes, MEAN)
    node = Node(name, mean.name, (str(document.output),))
    return replace(document, nodes={**document.nodes, name: node}, output=name)


def _gradients(run: Run, parameters: Mapping[str, Any]) -> dict[str, np.ndarray]:
    return {name: np.asarray(run.gradient(name)) for name in parameters}


class WholeBatch:
    """One run for a batch of one size, compiled once."""

    def __init__(self, document: Document, inputs: Sequence[DataInput], rows: np.ndarray) -> None:
        self._inputs, self._rows = inputs, rows
        self.document = with_mean(with_values(document, {one.name: one.values(rows) for one in inputs}))
        self.program: Program = compile(self.document)
        self._values = self._of(rows)

    def _of(self, rows: np.ndarray) -> dict[str, Value]:
        return {one.name: as_value(one.values(rows)) for one in self._inputs}

    def evaluate(self, parameters: Mapping[str, Value], rows: np.ndarray) -> Evaluation:
        if rows is not self._rows:
            self._rows, self._values = rows, self._of(rows)
        run = self.program.run({**self._values, **parameters})
        return Evaluation(float(run.value(str(self.document.output))), _gradients(run, parameters), run)  # type: ignore[arg-type]


class OneByOne:
    """A run for each example; loss and gradients are the means. Ends at the first example that is not finite."""

    def __init__(self, document: Document, inputs: Sequence[DataInput]) -> None:
        self._inputs = inputs
        self.document = with_mean(document)
        self.program: Program = compile(self.document)

    def evaluate(self, parameters: Mapping[str, Value], rows: np.ndarray) -> Evaluation:
        program = self.program.with_values(with_values(self.document, parameters))  # converted once for all examples
        places = [program.plan.index[name] for name in parameters]
        columns = [(one.name, one.values(rows)) for one in self._inputs]
        loss, sums, count = 0.0, list[Any](), len(rows)
        for number in range(count):
            run = program.run({name: column[number] for name, column in columns})
            loss += float(run.value(str(self.document.output)))  # type: ignore[arg-type]
            gradients = run.gradients
            parts = [gradients[place] for place in places]
            sums = [total + part for total, part in zip(sums, parts, strict=True)] if sums else parts
            if not np.isfinite(loss) or run.violated_guards:
                break
        means = {name: np.asarray(total / count) for name, total in zip(parameters, sums, strict=True)}
        return Evaluation(loss / count, means, run)


def evaluator(document: Document, inputs: Sequence[DataInput], table: DataTable, size: int) -> Evaluator:
    """The quickest evaluator of batches of `size` that gives the numbers of single runs.

    A graph whose inputs hold several examples is run on whole batches. Raises Refused where that is impossible.
    """
    rows = table.rows[:size]
    if not inputs or not inputs[0].is_example:
        whole = WholeBatch(document, inputs, rows)
        _check_runs(whole.program)
        return whole
    singles = OneByOne(document, inputs)
    _check_runs(singles.program)
    is_quick = singles.program.plan.table is not None and size <= FEW
    # A guard is about one example: whether another one takes the same branch.
    is_guarded = bool(document.guarded or guarded_functions(document.functions))
    return (
        singles
        if is_quick or is_guarded or not takes_batch(document, inputs, table)
        else WholeBatch(document, inputs, rows)
    )


def _check_runs(program: Program) -> None:
    if program.plan.output is None:
        raise Refused("a batch cannot be run: {why}", why=program.faults[0] if program.faults else "there is no output")


def takes_batch(document: Document, inputs: Sequence[DataInput], table: DataTable) -> bool:
    """Whether a graph of one example computes the same on several, held along a new first axis."""
    rows = table.rows[:PROBED]
    batch = WholeBatch(document, inputs, rows)
    if batch.program.plan.output is None:
        return False
    wanted = {
        name: node.value
        for name, node in document.nodes.items()
        if node.wants_gradient and node.value is not None and batch.program.plan.reached[batch.program.plan.index[name]]
    }
    together, singles = batch.evaluate(wanted, rows), OneByOne(document, inputs).evaluate(wanted, rows)
    close = AGREES[document.dtype]
    pairs: list[tuple[Any, Any]] = [(together.loss, singles.loss)]
    pairs += [(together.gradients[name], singles.gradients[name]) for name in wanted]
    return all(
        np.shape(one) == np.shape(other) and np.allclose(one, other, rtol=close, atol=close, equal_nan=True)
        for one, other in pairs
    )


def tensor(array: np.ndarray) -> Tensor:
    """An array of one of our number types as a value, without a look at its elements."""
    return Tensor(array.shape, array.dtype.name, array.tobytes())
