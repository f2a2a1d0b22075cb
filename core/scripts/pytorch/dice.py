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


def _spread(blocks: np.ndarray[Any, Any]) -> None:
    """Turn uniform numbers into normal ones, in place: by Box and Muller, the halves of each block as pairs."""
    half, kind = BLOCK // 2, blocks.dtype.type
    lengths, turn = kind(1.0) - blocks[:, :half], kind(2.0 * math.pi) * blocks[:, half:]
    if kind is np.float32:
        radius, (sine, cosine) = np.sqrt(kind(-2.0) * _log(lengths)), _sine_and_cosine(turn)
    else:
        radius, sine, cosine = np.sqrt(-2.0 * np.log(lengths)), np.sin(turn), np.cos(turn)
    blocks[:, :half], blocks[:, half:] = radius * cosine, radius * sine


# Cephes's approximations in float32, in the steps in which PyTorch takes them on eight numbers at once.
LOG = (
    7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
    2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
)  # fmt: skip
LOG2_HIGH, LOG2_LOW = np.float32(0.693359375), np.float32(-2.12194440e-4)
SINE = (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
COSINE = (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
QUARTER_PI = (-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8)  # in three parts, their sum its negative


def _log(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    mantissa, exponent = np.frexp(x)
    lower = mantissa < np.float32(0.707106781186547524)
    powers = (exponent - lower).astype(np.float32)
    z = np.where(lower, mantissa + mantissa, mantissa) - np.float32(1.0)
    square = z * z
    y = _fused(_polynomial(LOG, z) * z, square, powers * LOG2_LOW)
    return _fused(powers, LOG2_HIGH, z + _fused(-square, 0.5, y))


def _sine_and_cosine(x: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Both by polynomials next to the nearest multiple of a quarter turn, whose number says which is which."""
    octant = ((x * np.float32(4.0 / math.pi)).astype(np.int32) + 1) & ~1
    for part in QUARTER_PI:
        x = _fused(octant.astype(np.float32), np.float32(part), x)
    z = x * x
    even = _fused(_polynomial(COSINE, z) * z, z, -(z * np.float32(0.5))) + np.float32(1.0)
    odd = _fused(_polynomial(SINE, z) * z, x, x)
    swapped = (octant & 2) != 0
    sine, cosine = np.where(swapped, even, odd), np.where(swapped, odd, even)
    return np.where(octant & 4, -sine, sine), np.where((octant - 2) & 4, cosine, -cosine)


def _polynomial(coefficients: tuple[float, ...], x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    y = np.full_like(x, coefficients[0])
    for item in coefficients[1:]:
        y = _fused(y, x, np.float32(item))
    return y


def _fused(x: Any, y: Any, z: Any) -> np.ndarray[Any, Any]:
    """x * y + z, rounded once in float32."""
    exact = np.asarray(x, np.float64) * np.asarray(y, np.float64) + np.asarray(z, np.float64)
    return exact.astype(np.float32)
