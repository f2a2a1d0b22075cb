"""tf.random: numbers as TensorFlow draws them on a processor, by Philox, so that a seed gives the same numbers."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from cadena.core.scripts.library import Library
from cadena.core.scripts.tensor_flow.functions import plain
from cadena.core.scripts.tensor_flow.tensor import Tensor, numbers_of

Words = np.ndarray[Any, np.dtype[np.uint64]]  # of 32 bits each
ROUNDS = 10
FACTORS = (0xD2511F53, 0xCD9E8D57)
KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
LOW = np.uint64(0xFFFFFFFF)
MOST_SEED = 2**31 - 1


class Seeds:
    """The seed of the script, and the one that each call draws for itself."""

    def __init__(self) -> None:
        self.set(0)

    def set(self, seed: int) -> None:
        self.seed, self._calls = int(seed), random.Random(int(seed))

    def of_call(self, own: int | None) -> tuple[int, int]:
        return self.seed, self._calls.randint(0, MOST_SEED) if own is None else int(own)


SEEDS = Seeds()


def philox(first: int, second: int, count: int) -> Words:
    """So many random words for a pair of seeds."""
    blocks = -(-count // 4)
    words = [np.arange(blocks, dtype=np.uint64), np.zeros(blocks, np.uint64)]
    words += [np.full(blocks, part, np.uint64) for part in (second & 0xFFFFFFFF, second >> 32)]
    return _after_rounds(words, [first & 0xFFFFFFFF, first >> 32])[:count]


def _after_rounds(words: list[Words], keys: list[int]) -> Words:
    for _ in range(ROUNDS):
        products = [words[place * 2] * np.uint64(FACTORS[place]) for place in range(2)]
        high, low = [item >> np.uint64(32) for item in products], [item & LOW for item in products]
        words = [high[1] ^ words[1] ^ np.uint64(keys[0]), low[1], high[0] ^ words[3] ^ np.uint64(keys[1]), low[0]]
        keys = [(key + step) & 0xFFFFFFFF for key, step in zip(keys, KEY_STEPS, strict=True)]
    return np.stack(words, axis=1).ravel()


def seeds_of(own: int) -> tuple[int, int]:
    """The pair of seeds of a stateless draw, as of the first weights of Keras, from its one."""
    start = [np.array([part], np.uint64) for part in (own & 0xFFFFFFFF, own >> 32, 0, 0)]
    mixed = [int(word) for word in _after_rounds(start, [0x3EC8F720, 0x02461E29])]
    return mixed[0] | mixed[1] << 32, mixed[2] | mixed[3] << 32


def units(words: Words) -> np.ndarray[Any, Any]:
    """Numbers from 0 to 1, without 1."""
    numbers: np.ndarray[Any, Any] = (words & np.uint64(0x7FFFFF)).astype(np.float32) * np.float32(2.0**-23)
    return numbers


def normals(words: Words) -> np.ndarray[Any, Any]:
    """Normal numbers from pairs of words, by Box and Muller; numpy's own functions of float32 are less precise."""
    pairs = units(words).reshape(-1, 2)
    lengths = np.maximum(pairs[:, 0], np.float32(1e-7))
    turn = (2.0 * np.pi * pairs[:, 1].astype(np.float64)).astype(np.float32)
    radius = np.sqrt(np.float32(-2.0) * np.log(lengths, dtype=np.float64).astype(np.float32))
    sides = (find(turn, dtype=np.float64).astype(np.float32) * radius for find in (np.sin, np.cos))
    return np.stack([*sides], axis=1).ravel()


def _shape(shape: Any) -> tuple[tuple[int, ...], int]:
    sizes = tuple(int(size) for size in np.ravel(plain(shape)))
    return sizes, int(np.prod(sizes, dtype=int))


def _kind(dtype: Any) -> np.dtype[Any]:
    return np.dtype(np.float32) if dtype is None else numbers_of(0, dtype).dtype


def set_seed(seed: int) -> None:
    SEEDS.set(seed)


def normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None, seed: Any = None, name: Any = None
) -> Any:
    sizes, count = _shape(shape)
    kind = _kind(dtype)
    numbers = normals(philox(*SEEDS.of_call(seed), count + count % 2))[:count].reshape(sizes).astype(kind)
    return Tensor((numbers * numbers_of(stddev, kind) + numbers_of(mean, kind)).astype(kind))


def uniform(
    shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = None, seed: Any = None, name: Any = None
) -> Any:
    sizes, count = _shape(shape)
    kind = _kind(dtype)
    words = philox(*SEEDS.of_call(seed), count).reshape(sizes)
    if kind.kind == "i":
        if maxval is None:
            raise ValueError("Must specify maxval for integer dtype int32")
        return Tensor((words % np.uint64(int(maxval) - int(minval))).astype(kind) + kind.type(minval))
    low, high = numbers_of(minval, kind), numbers_of(1 if maxval is None else maxval, kind)
    return Tensor((units(words).astype(kind) * (high - low) + low).astype(kind))


RANDOM = Library("tensorflow.random", {item.__name__: item for item in (set_seed, normal, uniform)})
