"""The first numbers of the weights of Keras' layers, which are Keras' own after keras.utils.set_random_seed."""

from __future__ import annotations

import math
import random
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from cadena.core.scripts.tensor_flow.dice import normals, philox, seeds_of, units
from cadena.core.scripts.tensor_flow.tensor import Tensor

SEEDS = random.Random(0)  # from which each initializer draws its seed, where the script gives none
DICE = np.random.RandomState(0)


def set_seed(seed: int) -> None:
    SEEDS.seed(seed)
    DICE.seed(seed)


class Constant:
    """The initializer that fills a weight with one number."""

    def __init__(self, value: float = 0.0) -> None:
        self.value = value

    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        return Tensor(np.full(shape, self.value, np.float32))


def Zeros() -> Constant:
    return Constant(0.0)


def Ones() -> Constant:
    return Constant(1.0)


class Drawn(ABC):
    """An initializer that draws from a seed, always the same numbers."""

    def __init__(self, seed: int | None = None) -> None:
        self.seed = SEEDS.randint(1, int(1e9)) if seed is None else int(seed)

    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        sizes = tuple(int(size) for size in shape)
        count = math.prod(sizes)
        numbers = self.numbers(philox(*seeds_of(self.seed), count + count % 2), sizes)
        return Tensor(numbers[:count].reshape(sizes).astype(np.float32))

    @abstractmethod
    def numbers(self, words: Any, sizes: tuple[int, ...]) -> Any:
        """Numbers from random words."""


class RandomUniform(Drawn):
    """Numbers between two bounds."""

    def __init__(self, minval: float = -0.05, maxval: float = 0.05, seed: int | None = None) -> None:
        super().__init__(seed)
        self.bounds = minval, maxval

    def numbers(self, words: Any, sizes: tuple[int, ...]) -> Any:
        low, high = map(np.float32, self.limits(sizes))
        return units(words) * (high - low) + low

    def limits(self, sizes: tuple[int, ...]) -> tuple[float, float]:
        return self.bounds


class GlorotUniform(RandomUniform):
    """Numbers within a bound that falls with the count of operands and of results."""

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(seed=seed)

    def limits(self, sizes: tuple[int, ...]) -> tuple[float, float]:
        bound = math.sqrt(3.0 * self.scale(*_fans(sizes)))
        return -bound, bound

    def scale(self, before: int, after: int) -> float:
        return 1.0 / max(1.0, (before + after) / 2.0)


class HeUniform(GlorotUniform):
    """Numbers within a bound that falls with the count of operands."""

    def scale(self, before: int, after: int) -> float:
        return 2.0 / max(1.0, before)


class RandomNormal(Drawn):
    """Normal numbers."""

    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: int | None = None) -> None:
        super().__init__(seed)
        self.mean, self.stddev = np.float32(mean), np.float32(stddev)

    def numbers(self, words: Any, sizes: tuple[int, ...]) -> Any:
        return normals(words) * self.stddev + self.mean


def _fans(sizes: tuple[int, ...]) -> tuple[int, int]:
    """How many operands a weight of this shape has, and how many results."""
    if len(sizes) < 2:
        return (sizes[0], sizes[0]) if sizes else (1, 1)
    window = math.prod(sizes[:-2])
    return sizes[-2] * window, sizes[-1] * window


KINDS = (Constant, Zeros, Ones, RandomUniform, GlorotUniform, HeUniform, RandomNormal)
BY_NAME: dict[str, Any] = {
    "zeros": Zeros, "ones": Ones, "glorot_uniform": GlorotUniform, "he_uniform": HeUniform,
    "random_uniform": RandomUniform, "uniform": RandomUniform, "random_normal": RandomNormal, "normal": RandomNormal,
}  # fmt: skip


def initializer(kind: Any) -> Any:
    """An initializer as layers take it: by name, made already, or a function of the shape."""
    if kind is None:
        return GlorotUniform()
    if isinstance(kind, str) and kind not in BY_NAME:
        raise ValueError(f"the initializer {kind!r} is not known here; there are {', '.join(BY_NAME)}")
    return BY_NAME[kind]() if isinstance(kind, str) else kind
