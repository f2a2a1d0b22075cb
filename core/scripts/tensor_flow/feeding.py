"""tf.data: batches of examples; keras.metrics: numbers gathered over batches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any

import numpy as np

from cadena.core.scripts.library import Library
from cadena.core.scripts.tape import note_unlike
from cadena.core.scripts.tensor_flow.tensor import Tensor, numbers_of

ExampleSource = Callable[[], Iterator[Any]]


def _each(change: Callable[[Any], Any], item: Any) -> Any:
    """A structure of tuples and dictionaries with each of its arrays changed."""
    if isinstance(item, tuple):
        return tuple(_each(change, part) for part in item)
    if isinstance(item, dict):
        return {key: _each(change, part) for key, part in item.items()}
    return change(item)


def _first(item: Any) -> Any:
    while isinstance(item, tuple | dict):
        item = next(iter(item.values() if isinstance(item, dict) else item))
    return item


def _stacked(examples: list[Any]) -> Any:
    if isinstance(examples[0], tuple):
        return tuple(_stacked([*parts]) for parts in zip(*examples, strict=True))
    if isinstance(examples[0], dict):
        return {key: _stacked([item[key] for item in examples]) for key in examples[0]}
    return np.stack(examples)


class Dataset:
    """tf.data.Dataset: examples one after the other, anew for each loop."""

    def __init__(self, make: ExampleSource) -> None:
        self._make = make

    @staticmethod
    def from_tensor_slices(tensors: Any) -> Any:
        arrays = _each(numbers_of, tensors)
        rows = len(_first(arrays))
        return Dataset(lambda: (_each(itemgetter(place), arrays) for place in range(rows)))

    @staticmethod
    def range(*ends: int) -> Any:
        return Dataset(lambda: (np.int64(number) for number in range(*ends)))

    def __iter__(self) -> Iterator[Any]:
        return (_each(lambda item: Tensor(np.asarray(item)[()]), example) for example in self._make())

    def __len__(self) -> int:
        return sum(1 for _ in self._make())

    def batch(self, batch_size: int, drop_remainder: bool = False) -> Any:
        def examples() -> Iterator[Any]:
            waiting = []
            for example in self._make():
                waiting.append(example)
                if len(waiting) == batch_size:
                    yield _stacked(waiting)
                    waiting = []
            if waiting and not drop_remainder:
                yield _stacked(waiting)

        return Dataset(examples)

    def shuffle(self, buffer_size: int, seed: int | None = None, **options: Any) -> Any:
        """In random order, which is not the one that TensorFlow draws from the same seed."""
        note_unlike("tf.data shuffles into another order than TensorFlow, also from a seed")
        dice = np.random.RandomState(seed)
        return Dataset(lambda: iter(_shuffled([*self._make()], dice)))

    def repeat(self, count: int = 1) -> Any:
        return Dataset(lambda: (example for _ in range(count) for example in self._make()))

    def take(self, count: int) -> Any:
        return Dataset(lambda: (example for _, example in zip(range(count), self._make(), strict=False)))

    def map(self, map_func: Callable[..., Any], **options: Any) -> Any:
        def examples() -> Iterator[Any]:
            for example in self:
                result = map_func(*example) if isinstance(example, tuple) else map_func(example)
                yield _each(numbers_of, result)

        return Dataset(examples)

    def as_numpy_iterator(self) -> Iterator[Any]:
        return (_each(lambda item: np.asarray(item)[()], example) for example in self._make())

    def prefetch(self, buffer_size: Any = None) -> Any:
        return self

    cache = prefetch


def _shuffled(examples: list[Any], dice: np.random.RandomState) -> list[Any]:
    return [examples[place] for place in dice.permutation(len(examples))]


class Metric(ABC):
    """A mean over all that `update_state` was given."""

    called = "mean"  # its name where the script gives none

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        self.name = name or self.called
        self.reset_state()

    def reset_state(self) -> None:
        self._sum, self._count = np.float32(0), 0

    def _add(self, numbers: Any) -> None:
        array = np.asarray(numbers, np.float32)
        self._sum, self._count = np.float32(self._sum + array.sum()), self._count + array.size

    def add_weighted(self, number: Any, weight: int) -> None:
        """Add the mean of so many numbers."""
        self._sum, self._count = np.float32(self._sum + np.float32(number) * np.float32(weight)), self._count + weight

    @abstractmethod
    def update_state(self, *values: Any) -> None:
        """Add the numbers of a batch."""

    def __call__(self, *values: Any) -> Any:
        self.update_state(*values)
        return self.result()

    def result(self) -> Any:
        return Tensor(np.float32(self._sum / self._count if self._count else 0.0))


class Mean(Metric):
    """The mean of numbers."""

    def update_state(self, *values: Any) -> None:
        self._add(numbers_of(values[0]))


class SparseCategoricalAccuracy(Metric):
    """How often the greatest prediction is the class."""

    called = "sparse_categorical_accuracy"

    def update_state(self, *values: Any) -> None:
        classes, predicted = map(numbers_of, values[:2])
        self._add(predicted.argmax(-1) == classes.reshape(predicted.shape[:-1]))


class CategoricalAccuracy(Metric):
    """How often the greatest prediction is the class with the greatest probability."""

    called = "categorical_accuracy"

    def update_state(self, *values: Any) -> None:
        classes, predicted = map(numbers_of, values[:2])
        self._add(predicted.argmax(-1) == classes.argmax(-1))


class BinaryAccuracy(Metric):
    """How often a prediction lies on the right side of the threshold."""

    called = "binary_accuracy"

    def __init__(self, name: str | None = None, dtype: Any = None, threshold: float = 0.5) -> None:
        super().__init__(name, dtype)
        self.threshold = threshold

    def update_state(self, *values: Any) -> None:
        targets, predicted = map(numbers_of, values[:2])
        self._add((predicted > self.threshold) == targets.reshape(predicted.shape))


class MeanSquaredErrorMetric(Metric):
    """The mean of the squared differences."""

    called = "mean_squared_error"

    def update_state(self, *values: Any) -> None:
        targets, predicted = map(numbers_of, values[:2])
        self._add(self.difference(predicted - shaped_like(targets, predicted).array))

    def difference(self, numbers: Any) -> Any:
        return np.square(numbers)


class MeanAbsoluteErrorMetric(MeanSquaredErrorMetric):
    """The mean of the differences without their signs."""

    called = "mean_absolute_error"

    def difference(self, numbers: Any) -> Any:
        return np.abs(numbers)


class Accuracy(Metric):
    """What `metrics=["accuracy"]` asks for: which kind it is, the shapes of targets and predictions tell."""

    called = "accuracy"

    def update_state(self, *values: Any) -> None:
        targets, predicted = map(numbers_of, values[:2])
        is_number = predicted.shape[-1] == 1
        is_one_hot = targets.shape == predicted.shape
        kind = BinaryAccuracy() if is_number else CategoricalAccuracy() if is_one_hot else SparseCategoricalAccuracy()
        kind.update_state(targets, predicted)
        self._sum, self._count = np.float32(self._sum + kind._sum), self._count + kind._count


BY_NAME: dict[str, type[Metric]] = {
    "accuracy": Accuracy, "acc": Accuracy, "mse": MeanSquaredErrorMetric, "mean_squared_error": MeanSquaredErrorMetric,
    "mae": MeanAbsoluteErrorMetric, "mean_absolute_error": MeanAbsoluteErrorMetric, "binary_accuracy": BinaryAccuracy,
    "categorical_accuracy": CategoricalAccuracy, "sparse_categorical_accuracy": SparseCategoricalAccuracy,
}  # fmt: skip


def metric_of(kind: Any) -> Metric:
    """A metric as `compile` takes it, by name or made already, from the start."""
    if isinstance(kind, str):
        if kind not in BY_NAME:
            raise ValueError(f"the metric {kind!r} is not known here; there are {', '.join(BY_NAME)}")
        return BY_NAME[kind](name=kind)
    kind.reset_state()
    return kind  # type: ignore[no-any-return]


def shaped_like(targets: Any, predicted: Any) -> Any:
    """Targets in the shape of their predictions, where that is a matter of one axis."""
    array = numbers_of(targets)
    if isinstance(targets, Tensor) and (array.shape, array.dtype) == (predicted.shape, predicted.dtype):
        return targets
    if array.shape != predicted.shape and array.size == predicted.size:
        array = array.reshape(predicted.shape)
    return Tensor(array.astype(predicted.dtype) if array.shape == predicted.shape else array)


def split(x: Any, y: Any, share: float) -> tuple[tuple[Any, Any], Any]:
    """The examples to train with, and those at the end that are held back, or None."""
    if not share:
        return (x, y), None
    examples, targets = numbers_of(x), numbers_of(y)
    at = int(len(examples) * (1.0 - share))
    return (examples[:at], targets[:at]), (examples[at:], targets[at:])


def batches(x: Any, y: Any, size: int, dice: np.random.RandomState | None = None) -> Iterator[tuple[Any, Any]]:
    """Examples and targets a batch at a time, shuffled by some dice; of a Dataset as it has them."""
    if isinstance(x, Dataset):
        for item in x:
            yield item if isinstance(item, tuple) else (item, None)
        return
    examples, targets = numbers_of(x), None if y is None else numbers_of(y)
    if len(examples) <= size:  # all of them, which keep their names
        yield x, y
        return
    order = np.arange(len(examples))
    if dice is not None:
        note_unlike("fit shuffles the examples into another order than Keras; shuffle=False keeps theirs")
        order = dice.permutation(len(examples))
    for start in range(0, len(examples), size):
        rows = order[start : start + size]
        yield examples[rows], None if targets is None else targets[rows]


DATA = Library("tensorflow.data", {"Dataset": Dataset, "AUTOTUNE": -1})
METRICS = Library(
    "tensorflow.keras.metrics",
    {item.__name__: item for item in (Mean, SparseCategoricalAccuracy, CategoricalAccuracy, BinaryAccuracy)}
    | {"MeanSquaredError": MeanSquaredErrorMetric, "MeanAbsoluteError": MeanAbsoluteErrorMetric},
)
