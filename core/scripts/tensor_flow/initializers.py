"""The first numbers of the weights of Keras' layers. Keras draws new ones in each run: any numbers are right."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from cadena.core.scripts.tensor_flow.functions import constant
from cadena.core.scripts.tensor_flow.tensor import Tensor, numbers_of

DICE = np.random.RandomState(0)


class Constant:
    """The initializer that fills a weight with one number."""

    def __init__(self, value: float = 0.0) -> None:
        self.value = value

    def __call__(self, shape: Any) -> Any:
        return Tensor(np.full(shape, self.value, np.float32))


class Zeros(Constant):
    """Zeros."""

    def __init__(self) -> None:
        super().__init__(0.0)


class Ones(Constant):
    """Ones."""

    def __init__(self) -> None:
        super().__init__(1.0)


class RandomUniform:
    """Numbers between two bounds."""

    def __init__(self, minval: float = -0.05, maxval: float = 0.05) -> None:
        self.bounds = minval, maxval

    def __call__(self, shape: Any) -> Any:
        return Tensor(DICE.uniform(*self.bounds, size=shape).astype(np.float32))


class GlorotUniform(RandomUniform):
    """Numbers within a bound that falls with the count of operands and of results."""

    def __init__(self) -> None:
        super().__init__()

    def __call__(self, shape: Any) -> Any:
        before, after = shape[-2:] if len(shape) > 1 else (*shape, *shape) if len(shape) else (1, 1)
        bound = math.sqrt(6.0 / max(1.0, before + after))
        self.bounds = -bound, bound
        return super().__call__(shape)


class RandomNormal:
    """Normal numbers."""

    def __init__(self, mean: float = 0.0, stddev: float = 0.05) -> None:
        self.mean, self.stddev = mean, stddev

    def __call__(self, shape: Any) -> Any:
        return Tensor(DICE.normal(self.mean, self.stddev, size=shape).astype(np.float32))


KINDS = (Constant, Zeros, Ones, RandomUniform, GlorotUniform, RandomNormal)
BY_NAME: dict[str, Callable[[], Any]] = {
    "zeros": Zeros, "ones": Ones, "glorot_uniform": GlorotUniform, "random_uniform": RandomUniform,
    "random_normal": RandomNormal,
}  # fmt: skip


def initializer(kind: Any) -> Any:
    """An initializer as layers take it: by name, made already, or a function of the shape."""
    if isinstance(kind, str) and kind not in BY_NAME:
        raise ValueError(f"the initializer {kind!r} is not built in; there are {', '.join(BY_NAME)}")
    return GlorotUniform() if kind is None else BY_NAME[kind]() if isinstance(kind, str) else kind


def normal(shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32") -> Any:
    """tf.random.normal, without a seed."""
    return constant(DICE.normal(numbers_of(mean), numbers_of(stddev), np.ravel(numbers_of(shape))), dtype)


def uniform(shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = "float32") -> Any:
    """tf.random.uniform of floats, without a seed."""
    high = 1 if maxval is None else numbers_of(maxval)
    if numbers_of(0, dtype).dtype.kind != "f":
        raise TypeError("whole random numbers are not built in; write them as a list")
    return constant(DICE.uniform(numbers_of(minval), high, np.ravel(numbers_of(shape))), dtype)
