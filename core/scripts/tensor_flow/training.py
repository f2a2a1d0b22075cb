"""The losses and the optimizers of Keras that a first course uses, with Keras' own arithmetic."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from cadena.core.scripts.tensor_flow.functions import bound
from cadena.core.scripts.tensor_flow.tensor import Tensor, numbers_of, operate

EPSILON = 1e-7  # keras.config.epsilon(): how near to 0 and 1 a probability may be


class Loss(ABC):
    """A loss of predictions: the mean over the examples unless told otherwise."""

    def __init__(self, reduction: str | None = "sum_over_batch_size") -> None:
        means = {"sum_over_batch_size": "mean", "mean": "mean", "sum": "sum", "none": "", None: ""}
        if reduction not in means:
            raise ValueError(f"the reduction {reduction!r} is none of Keras'; write 'sum', 'mean' or 'none'")
        self.reduction = means[reduction]

    def __call__(self, y_true: Any, y_pred: Any) -> Any:
        each = self.of_examples(y_true, y_pred)
        return operate(self.reduction, (each,)) if self.reduction else each

    @abstractmethod
    def of_examples(self, y_true: Any, y_pred: Any) -> Any:
        """The loss of each example."""


class _OfElements(Loss):
    """A mean over the elements of an example, so that the usual reduction is one operation."""

    operation: ClassVar[str]

    def __call__(self, y_true: Any, y_pred: Any) -> Any:
        if self.reduction == "mean":
            return self._operate(y_true, y_pred, "mean")
        return super().__call__(y_true, y_pred)

    def of_examples(self, y_true: Any, y_pred: Any) -> Any:
        return operate("mean", (self._operate(y_true, y_pred, "none"),), {"axis": -1})

    def _operate(self, y_true: Any, y_pred: Any, reduction: str) -> Any:
        return operate(self.operation, (_tensor(y_pred), _tensor(y_true)), {"reduction": reduction})


class MeanSquaredError(_OfElements):
    """The mean of the squared differences."""

    operation = "mse_loss"


class MeanAbsoluteError(_OfElements):
    """The mean of the absolute differences."""

    operation = "l1_loss"


class _OfProbabilities(Loss):
    """A cross-entropy, of probabilities or of their logits."""

    def __init__(self, from_logits: bool = False, reduction: str | None = "sum_over_batch_size") -> None:
        super().__init__(reduction)
        self.from_logits = from_logits


class BinaryCrossentropy(_OfProbabilities):
    """The cross-entropy of yes and no."""

    def of_examples(self, y_true: Any, y_pred: Any) -> Any:
        if self.from_logits:
            each = operate("binary_cross_entropy_with_logits", (y_pred, y_true), {"reduction": "none"})
        else:
            target, p = Tensor(numbers_of(y_true)), _clipped(y_pred)
            each = -(target * operate("log", (p,)) + (1 - target) * operate("log", (1 - p,)))
        return operate("mean", (each,), {"axis": -1})


class CategoricalCrossentropy(_OfProbabilities):
    """The cross-entropy with respect to the probabilities of the classes."""

    def of_examples(self, y_true: Any, y_pred: Any) -> Any:
        if self.from_logits:
            return operate("cross_entropy", (y_pred, y_true), {"reduction": "none"})
        p = y_pred / operate("sum", (y_pred,), {"axis": -1, "keepdims": True})
        return -operate("sum", (y_true * operate("log", (_clipped(p),)),), {"axis": -1})


class SparseCategoricalCrossentropy(_OfProbabilities):
    """The cross-entropy with respect to the numbers of the classes."""

    def of_examples(self, y_true: Any, y_pred: Any) -> Any:
        logits = y_pred if self.from_logits else operate("log", (_clipped(y_pred),))
        return operate("cross_entropy", (logits, Tensor(numbers_of(y_true))), {"reduction": "none"})


def _tensor(numbers: Any) -> Tensor:
    return numbers if isinstance(numbers, Tensor) else Tensor(numbers_of(numbers))


def of_numbers(kind: Any) -> Any:
    """A loss of numbers as a function, which gives the loss of each example."""
    return lambda y_true, y_pred: kind(reduction=None)(_tensor(y_true), _tensor(y_pred))


def of_probabilities(kind: Any) -> Any:
    """The same of probabilities or logits."""

    def call(y_true: Any, y_pred: Any, from_logits: bool = False) -> Any:
        return kind(from_logits=from_logits, reduction=None)(_tensor(y_true), _tensor(y_pred))

    return call


def _clipped(p: Any) -> Any:
    return operate("clip", (p,), {"min": EPSILON, "max": 1.0 - EPSILON})


class Optimizer(ABC):
    """Changes variables by their gradients."""

    def __init__(self, learning_rate: Any) -> None:
        if callable(learning_rate) and not isinstance(learning_rate, Tensor):
            raise TypeError("schedules of the learning rate are not part of the built-in TensorFlow; write a number")
        self.learning_rate, self.iterations = learning_rate, 0
        self._states: dict[int, list[Any]] = {}  # by the variable's id

    def apply_gradients(self, grads_and_vars: Any) -> None:
        """One step."""
        self.iterations += 1
        for gradient, variable in grads_and_vars:
            if gradient is not None:
                kind = variable.array.dtype.type
                state = self._states.setdefault(id(variable), [np.zeros_like(variable.array), kind(0)])
                variable.assign(variable.array + self.step(gradient.array, state, kind))

    @abstractmethod
    def step(self, gradient: Any, state: list[Any], kind: Any) -> Any:
        """What is added to a variable, whose state is changed; `kind` is its number type."""


class SGD(Optimizer):
    """Gradient descent, with or without momentum."""

    def __init__(self, learning_rate: Any = 0.01, momentum: float = 0.0) -> None:
        super().__init__(learning_rate)
        self.momentum = momentum

    def step(self, gradient: Any, state: list[Any], kind: Any) -> Any:
        state[0] = -kind(self.learning_rate) * gradient + kind(self.momentum) * state[0]
        return state[0]


class Adam(Optimizer):
    """Adam, as Keras writes it: the corrections for the first steps are in the learning rate."""

    def __init__(
        self, learning_rate: Any = 0.001, beta_1: float = 0.9, beta_2: float = 0.999, epsilon: float = EPSILON
    ) -> None:
        super().__init__(learning_rate)
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon

    def step(self, gradient: Any, state: list[Any], kind: Any) -> Any:
        count = kind(self.iterations)
        corrections = kind(1) - kind(self.beta_1) ** count, np.sqrt(kind(1) - kind(self.beta_2) ** count)
        rate = kind(self.learning_rate) * corrections[1] / corrections[0]
        state[0] = state[0] + (gradient - state[0]) * kind(1 - self.beta_1)
        state[1] = state[1] + (gradient * gradient - state[1]) * kind(1 - self.beta_2)
        return -(state[0] * rate) / (np.sqrt(state[1]) + kind(self.epsilon))


LOSSES: dict[str, Any] = {item.__name__: item for item in (
    MeanSquaredError, MeanAbsoluteError, BinaryCrossentropy, CategoricalCrossentropy, SparseCategoricalCrossentropy
)} | {
    "mse": of_numbers(MeanSquaredError), "mae": of_numbers(MeanAbsoluteError),
    "binary_crossentropy": of_probabilities(BinaryCrossentropy),
    "categorical_crossentropy": of_probabilities(CategoricalCrossentropy),
    "sparse_categorical_crossentropy": of_probabilities(SparseCategoricalCrossentropy),
}  # fmt: skip
OPTIMIZERS = {item.__name__: item for item in (SGD, Adam)}
Loss.__call__ = bound("tensorflow.keras.losses.Loss.__call__", Loss.__call__)  # type: ignore[method-assign]
_OfElements.__call__ = bound("tensorflow.keras.losses.Loss.__call__", _OfElements.__call__)  # type: ignore[method-assign]
