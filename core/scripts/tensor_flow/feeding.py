"""tf.data: batches of examples; keras.metrics: numbers gathered over batches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any

import numpy as np

from cadena.core.scripts.library import Library
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

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        self.name = name
        self.reset_state()

    def reset_state(self) -> None:
        self._sum, self._count = np.float32(0), 0

    def _add(self, numbers: Any) -> None:
        array = np.asarray(numbers, np.float32)
        self._sum, self._count = np.float32(self._sum + array.sum()), self._count + array.size

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

    def update_state(self, *values: Any) -> None:
        classes, predicted = map(numbers_of, values[:2])
        self._add(predicted.argmax(-1) == classes.reshape(predicted.shape[:-1]))


class CategoricalAccuracy(Metric):
    """How often the greatest prediction is the class with the greatest probability."""

    def update_state(self, *values: Any) -> None:
        classes, predicted = map(numbers_of, values[:2])
        self._add(predicted.argmax(-1) == classes.argmax(-1))


class BinaryAccuracy(Metric):
    """How often a prediction lies on the right side of the threshold."""

    def __init__(self, name: str | None = None, dtype: Any = None, threshold: float = 0.5) -> None:
        super().__init__(name, dtype)
        self.threshold = threshold

    def update_state(self, *values: Any) -> None:
        targets, predicted = map(numbers_of, values[:2])
        self._add((predicted > self.threshold) == targets.reshape(predicted.shape))


DATA = Library("tensorflow.data", {"Dataset": Dataset, "AUTOTUNE": -1})
METRICS = Library(
    "tensorflow.keras.metrics",
    {item.__name__: item for item in (Mean, SparseCategoricalAccuracy, CategoricalAccuracy, BinaryAccuracy)},
)
