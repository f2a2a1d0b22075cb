"""Random numbers as PyTorch draws them on a processor: the Mersenne Twister, so that a seed gives the same numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

BLOCK = 16  # from this many normal numbers on PyTorch makes them in blocks


class Dice:
    """One stream of random numbers."""

    def __init__(self, seed: int = 5489) -> None:
        self.seed(seed)

    def seed(self, seed: int) -> None:
        self._source = np.random.MT19937()
        state: Any = np.random.RandomState(seed % 2**32).get_state(legacy=False)
        self._source.state = state
        self._second: float | None = None

    def _raw(self, count: int) -> np.ndarray[Any, Any]:
        return np.asarray(self._source.random_raw(count), dtype=np.uint64)

    def uniform(self, count: int, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
        """Numbers from 0 to 1, without 1."""
        if dtype == np.float64:
            return self._doubles(count)
        return ((self._raw(count) & np.uint64(2**24 - 1)).astype(np.float32) * np.float32(2.0**-24)).astype(dtype)

    def _doubles(self, count: int) -> np.ndarray[Any, Any]:
        raw = self._raw(2 * count)
        joined = (raw[::2] << np.uint64(32)) | raw[1::2]
        numbers: np.ndarray[Any, Any] = (joined & np.uint64(2**53 - 1)).astype(np.float64) * 2.0**-53
        return numbers

    def normal(self, count: int, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
        """Numbers with mean 0 and standard deviation 1."""
        if count < BLOCK:
            return np.array([self._normal() for _ in range(count)], dtype)
        numbers = self.uniform(count, dtype)
        whole = count - count % BLOCK
        _spread(numbers[:whole].reshape(-1, BLOCK))
        if whole < count:  # the last block is drawn anew, over numbers that were there
            numbers[-BLOCK:] = self.uniform(BLOCK, dtype)
            _spread(numbers[-BLOCK:].reshape(1, BLOCK))
        return numbers

    def _normal(self) -> float:
        if self._second is not None:
            number, self._second = self._second, None
            return number
        angle, length = self._doubles(2)
        radius, turn = math.sqrt(-2.0 * math.log1p(-length)), 2.0 * math.pi * angle
        self._second = radius * math.sin(turn)
        return radius * math.cos(turn)

    def large(self) -> int:
        """A whole number below 2**63."""
        high, low = self._raw(2).tolist()
        return int((high << 32 | low) % 2**63)

    def integers(self, low: int, high: int, count: int) -> np.ndarray[Any, Any]:
        """Whole numbers from `low` to `high`, without `high`."""
        return (self._raw(count) % np.uint64(high - low)).astype(np.int64) + low

    def permutation(self, count: int) -> np.ndarray[Any, Any]:
        """The whole numbers below `count` in random order."""
        order = np.arange(count)
        for place, raw in enumerate(self._raw(max(count - 1, 0)).tolist()):
            other = place + raw % (count - place)
            order[place], order[other] = order[other], order[place]
        return order


def _spread(blocks: np.ndarray[Any, Any]) -> None:
    """Turn uniform numbers into normal ones, in place: by Box and Muller, the halves of each block as pairs."""
    half = BLOCK // 2
    radius = np.sqrt(-2.0 * np.log(1.0 - blocks[:, :half]))
    turn = blocks.dtype.type(2.0 * math.pi) * blocks[:, half:]
    blocks[:, :half], blocks[:, half:] = radius * np.cos(turn), radius * np.sin(turn)
