"""Keras models: layers in a row or wired by functions of keras.Input, and compile, fit, evaluate, predict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cadena.core.scripts.tape import note_unlike
from cadena.core.scripts.tensor_flow import feeding, summary, training
from cadena.core.scripts.tensor_flow.initializers import DICE
from cadena.core.scripts.tensor_flow.layers import Combined, Layer, Symbolic, own_name
from cadena.core.scripts.tensor_flow.tapes import GradientTape
from cadena.core.scripts.tensor_flow.tensor import operate

Logs = dict[str, float]


class InputLayer(Layer):
    """Where a model takes its operand in."""


def Input(shape: Any = None, name: str | None = None, **options: Any) -> Symbolic:
    """keras.Input: the place of an operand, whose examples have this shape."""
    layer = InputLayer(name=name)
    layer.built, layer.output_shape = True, (None, *(shape or ()))
    return Symbolic(layer, (), (None, *(shape or ())))


class History:
    """What `fit` returns: the numbers of each epoch."""

    def __init__(self) -> None:
        self.history, self.epoch = dict[str, list[float]](), list[int]()

    def add(self, epoch: int, logs: Logs) -> None:
        self.epoch.append(epoch)
        for name, number in logs.items():
            self.history.setdefault(name, []).append(number)


class Model(Layer):
    """A model: a class of the script's own, or the layers between some inputs and outputs."""

    def __init__(self, inputs: Any = None, outputs: Any = None, **options: Any) -> None:
        super().__init__(kind="functional" if inputs is not None else "", **options)
        self._inputs, self._outputs = inputs, outputs
        self._loss: Any = None
        if inputs is not None:
            self.built, self.layers = True, _layers(_listed(outputs))

    def _places(self) -> list[Symbolic]:
        """The places of the model, from the outputs back."""
        places = _listed(self._outputs)
        for item in places:  # which grows
            places += item.operands
        return places

    def call(self, inputs: Any, training: bool = False) -> Any:
        if self._inputs is None:
            raise NotImplementedError(f"Model {type(self).__name__} does not have a `call()` method implemented.")
        known = {id(place): item for place, item in zip(_listed(self._inputs), _listed(inputs), strict=True)}
        results = [_value(item, known, training) for item in _listed(self._outputs)]
        return results if isinstance(self._outputs, list | tuple) else results[0]

    # --- training

    def compile(
        self, optimizer: Any = "rmsprop", loss: Any = None, metrics: Any = None, run_eagerly: Any = None
    ) -> None:
        self.optimizer = training.optimizer_of(optimizer)
        self._loss, self._wanted = training.loss_of(loss), metrics or []

    def fit(
        self, x: Any = None, y: Any = None, batch_size: int | None = None, epochs: int = 1, verbose: Any = "auto",
        validation_split: float = 0.0, validation_data: Any = None, shuffle: bool = True, initial_epoch: int = 0,
        **options: Any,
    ) -> History:  # fmt: skip
        """Train for some epochs."""
        self._check_compiled("fit")
        training.check_options("fit", options)
        examples, held = feeding.split(x, y, validation_split)
        held = validation_data if validation_data is not None else held
        history = History()
        for epoch in range(initial_epoch, epochs):
            logs = self._epoch(feeding.batches(*examples, batch_size or 32, DICE if shuffle else None), self._step)
            if held is not None:
                others = self._epoch(feeding.batches(*_pair(held), batch_size or 32), self._judge)
                logs |= {f"val_{name}": number for name, number in others.items()}
            history.add(epoch, logs)
            _show(verbose, f"Epoch {epoch + 1}/{epochs}\n", logs)
        return history

    def evaluate(
        self, x: Any = None, y: Any = None, batch_size: int | None = None, verbose: Any = "auto",
        return_dict: bool = False,
    ) -> Any:  # fmt: skip
        """The loss, and the metrics, of some examples."""
        self._check_compiled("evaluate")
        logs = self._epoch(feeding.batches(x, y, batch_size or 32), self._judge)
        _show(verbose, "", logs)
        numbers = [logs["loss"], *(number for name, number in logs.items() if name != "loss")]
        return logs if return_dict else numbers if len(numbers) > 1 else numbers[0]

    def predict(self, x: Any, batch_size: int | None = None, verbose: Any = "auto") -> Any:
        """The results as an array of numpy."""
        results = [self(batch, training=False) for batch, _ in feeding.batches(x, None, batch_size or 32)]
        return np.concatenate([np.asarray(item.array) for item in results])

    def train_on_batch(self, x: Any, y: Any) -> float:
        self._check_compiled("train_on_batch")
        return self._epoch([(x, y)], self._step)["loss"]

    def summary(self, **options: Any) -> None:
        if self._inputs is not None and any(item.is_list for item in self._places()):
            note_unlike("the summary leaves out what the layers are connected to")
        for line in summary.lines(self):
            print(line)

    def slots(self) -> int | None:
        """How many numbers the optimizer keeps for each weight; None before it was used."""
        used = self._loss is not None and self.optimizer.iterations
        return self.optimizer.slots if used else None

    def _check_compiled(self, method: str) -> None:
        if self._loss is None:
            raise ValueError(f"{method} needs a loss; call compile(optimizer=..., loss=...) first")

    def _epoch(self, batches: Any, step: Callable[[Any, Any], tuple[Any, Any]]) -> Logs:
        """Go through the batches: the mean loss, and the metrics, by name in the order of Keras."""
        mean, metrics = feeding.Mean(name="loss"), [feeding.metric_of(item) for item in self._wanted]
        for inputs, targets in batches:
            loss, predicted = step(inputs, targets)
            mean.add_weighted(loss.array, len(predicted.array))
            for metric in metrics:
                metric.update_state(targets, predicted)
        numbers = {item.name: float(item.result().array) for item in (mean, *metrics)}
        return {name: numbers[name] for name in sorted(numbers)}

    def _step(self, inputs: Any, targets: Any) -> tuple[Any, Any]:
        with GradientTape() as tape:
            loss, predicted = self._judge(inputs, targets, training=True)
        weights = self.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        return loss, predicted

    def _judge(self, inputs: Any, targets: Any, training: bool = False) -> tuple[Any, Any]:
        predicted = self(inputs, training=training)
        loss = self._loss(feeding.shaped_like(targets, predicted.array), predicted)
        loss = operate("mean", (loss,)) if loss.array.ndim else loss
        loss.named("loss")
        return loss, predicted


class Sequential(Model):
    """Layers one after the other."""

    def __init__(self, layers: Any = (), **options: Any) -> None:
        super().__init__(**options)
        self.layers = list[Any]()
        for layer in layers or ():
            self._add(layer)
        self._wire()

    def add(self, layer: Any) -> None:
        """Add a layer; after an Input, or where the first layer has an `input_shape`, its weights are made at once."""
        self._add(layer)
        self._wire()

    def _wire(self) -> None:
        """Count the functional model that Keras makes here of layers whose shapes it knows: it takes a name."""
        if self.layers and "_shape" in self.__dict__:
            own_name("functional")

    def _add(self, layer: Any) -> None:
        if isinstance(layer, Symbolic):
            self._shape = layer.shape
            return
        self.layers.append(layer)
        first = layer.input_shape if len(self.layers) == 1 else None
        before = self.__dict__.get("_shape") or (None if first is None else (None, *first))
        if before is not None:
            self.built, self._shape = True, layer(Symbolic(self, (), before)).shape

    def call(self, inputs: Any, training: bool = False) -> Any:
        for layer in self.layers:
            inputs = layer(inputs, training=training)
        return inputs


def _listed(items: Any) -> list[Any]:
    if isinstance(items, dict):
        return [*items.values()]
    return [*items] if isinstance(items, list | tuple) else [items]


def _pair(data: Any) -> tuple[Any, Any]:
    return (data[0], data[1]) if isinstance(data, tuple | list) else (data, None)


def _layers(outputs: Sequence[Symbolic]) -> list[Any]:
    """The layers on the way to the outputs, those first that are furthest from them."""
    depths = dict[Any, int]()

    def visit(item: Symbolic, depth: int) -> None:
        if depths.get(item.layer, -1) < depth:
            depths[item.layer] = depth
            for before in item.operands:
                visit(before, depth + 1)

    for item in outputs:
        visit(item, 0)
    return [layer for layer in sorted(depths, key=lambda one: -depths[one]) if not isinstance(layer, Combined)]


def _value(item: Symbolic, known: dict[int, Any], training: bool) -> Any:
    """The value at a place of the model, from those that are known."""
    if id(item) not in known:
        if isinstance(item.layer, InputLayer):
            raise ValueError(f"{item.layer.name} is on the way to the outputs, but not among the model's inputs")
        operands = [_value(before, known, training) for before in item.operands]
        known[id(item)] = item.layer(operands if item.is_list else operands[0], training=training)
    return known[id(item)]


def _show(verbose: Any, head: str, logs: Logs) -> None:
    if verbose in (0, "0", None, False):
        return
    note_unlike("progress is printed without its bars and times, which differ from run to run")
    print(head + " - ".join(f"{name}: {number:.4f}" for name, number in logs.items()))
