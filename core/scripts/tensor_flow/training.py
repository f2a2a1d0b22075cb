"""The losses and the optimizers of Keras that a first course uses, with Keras' own arithmetic."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from cadena.core.scripts.tensor_flow.tensor import Tensor, numbers_of, operate

EPSILON = 1e-7  # keras.config.epsilon(): how near to 0 and 1 a probability may be


def check_options(kind: str, options: dict[str, Any]) -> None:
    """Raises TypeError for an option that would change numbers; a name does not."""
    if unknown := [name for name, value in options.items() if name != "name" and value not in (None, False, 0.0)]:
        raise TypeError(f"{kind}({unknown[0]}=...) is not known here; leave it out")


class Loss(ABC):
    """A loss of predictions: the mean over the examples unless told otherwise."""

    def __init__(self, reduction: str | None = "sum_over_batch_size", **options: Any) -> None:
        check_options(type(self).__name__, options)
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


class Huber(_OfElements):
    """Squares of small differences, multiples of large ones."""

    operation = "huber_loss"

    def __init__(self, delta: float = 1.0, **options: Any) -> None:
        super().__init__(**options)
        self.delta = delta

    def _operate(self, y_true: Any, y_pred: Any, reduction: str) -> Any:
        return operate(
            self.operation, (_tensor(y_pred), _tensor(y_true)), {"reduction": reduction, "delta": self.delta}
        )


class _OfProbabilities(Loss):
    """A cross-entropy, of probabilities or of their logits."""

    def __init__(self, from_logits: bool = False, **options: Any) -> None:
        super().__init__(**options)
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


def of_examples(kind: Any) -> Any:
    """A loss as a function, which gives the loss of each example."""

    def call(y_true: Any, y_pred: Any, **options: Any) -> Any:
        return kind(reduction=None, **options)(_tensor(y_true), _tensor(y_pred))

    return call


def _clipped(p: Any) -> Any:
    return operate("clip", (p,), {"min": EPSILON, "max": 1.0 - EPSILON})


class Optimizer(ABC):
    """Changes variables by their gradients."""

    slots = 0  # the numbers that it keeps for each weight

    def __init__(self, learning_rate: Any, options: dict[str, Any]) -> None:
        check_options(type(self).__name__, options)
        self._rate, self.iterations = learning_rate, 0
        self._states: dict[int, list[Any]] = {}  # by the variable's id

    @property
    def learning_rate(self) -> Any:
        """The rate of this step, which a schedule gives from the steps before."""
        return self._rate(max(self.iterations - 1, 0)) if callable(self._rate) else self._rate

    @learning_rate.setter
    def learning_rate(self, rate: Any) -> None:
        self._rate = float(rate)

    lr = learning_rate

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

    def __init__(self, learning_rate: Any = 0.01, momentum: float = 0.0, **options: Any) -> None:
        super().__init__(learning_rate, options)
        self.momentum, self.slots = momentum, int(momentum != 0)

    def step(self, gradient: Any, state: list[Any], kind: Any) -> Any:
        state[0] = -kind(self.learning_rate) * gradient + kind(self.momentum) * state[0]
        return state[0]


class Adam(Optimizer):
    """Adam, as Keras writes it: the corrections for the first steps are in the learning rate."""

    slots = 2

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = EPSILON,
        **options: Any,
    ) -> None:
        super().__init__(learning_rate, options)
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon

    def step(self, gradient: Any, state: list[Any], kind: Any) -> Any:
        count = kind(self.iterations)
        corrections = kind(1) - kind(self.beta_1) ** count, np.sqrt(kind(1) - kind(self.beta_2) ** count)
        rate = kind(self.learning_rate) * corrections[1] / corrections[0]
        state[0] = state[0] + (gradient - state[0]) * kind(1 - self.beta_1)
        state[1] = state[1] + (gradient * gradient - state[1]) * kind(1 - self.beta_2)
        return -(state[0] * rate) / (np.sqrt(state[1]) + kind(self.epsilon))


class RMSprop(Optimizer):
    """Steps divided by the size of the gradients of late."""

    slots = 1

    def __init__(
        self,
        learning_rate: Any = 0.001,
        rho: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = EPSILON,
        **options: Any,
    ) -> None:
        super().__init__(learning_rate, options | {"momentum": momentum})
        self.rho, self.epsilon = rho, epsilon

    def step(self, gradient: Any, state: list[Any], kind: Any) -> Any:
        state[0] = kind(self.rho) * state[0] + kind(1 - self.rho) * gradient * gradient
        return -(kind(self.learning_rate) * gradient) / np.sqrt(state[0] + kind(self.epsilon))


class ExponentialDecay:
    """A learning rate that falls by a factor every so many steps."""

    def __init__(
        self, initial_learning_rate: float, decay_steps: int, decay_rate: float, staircase: bool = False, **options: Any
    ) -> None:
        self.first, self.steps, self.rate, self.staircase = initial_learning_rate, decay_steps, decay_rate, staircase

    def __call__(self, step: Any) -> float:
        turns = int(step) / self.steps
        return float(self.first * self.rate ** (math.floor(turns) if self.staircase else turns))


KINDS = (
    MeanSquaredError, MeanAbsoluteError, Huber, BinaryCrossentropy, CategoricalCrossentropy,
    SparseCategoricalCrossentropy,
)  # fmt: skip
BY_FUNCTION = {
    "mse": MeanSquaredError, "mean_squared_error": MeanSquaredError, "mae": MeanAbsoluteError,
    "mean_absolute_error": MeanAbsoluteError, "huber": Huber, "binary_crossentropy": BinaryCrossentropy,
    "categorical_crossentropy": CategoricalCrossentropy,
    "sparse_categorical_crossentropy": SparseCategoricalCrossentropy,
}  # fmt: skip
BY_NAME = {"sgd": SGD, "adam": Adam, "rmsprop": RMSprop}


def optimizer_of(kind: Any) -> Optimizer:
    """An optimizer as `compile` takes it: by name, or made already."""
    if isinstance(kind, str):
        if kind.lower() not in BY_NAME:
            raise ValueError(f"the optimizer {kind!r} is not known here; there are {', '.join(BY_NAME)}")
        return BY_NAME[kind.lower()]()  # type: ignore[no-any-return]
    return kind  # type: ignore[no-any-return]


def loss_of(kind: Any) -> Any:
    """A loss as `compile` takes it: by name, made already, or a function of targets and predictions."""
    if isinstance(kind, str):
        kinds = BY_FUNCTION | {item.__name__: item for item in KINDS}
        if kind not in kinds:
            raise ValueError(f"the loss {kind!r} is not known here; there are {', '.join(BY_FUNCTION)}")
        return kinds[kind]()
    return kind


LOSSES = {item.__name__: item for item in KINDS} | {name: of_examples(kind) for name, kind in BY_FUNCTION.items()}
OPTIMIZERS = {item.__name__: item for item in (SGD, Adam, RMSprop)}
SCHEDULES = {"ExponentialDecay": ExponentialDecay}
