"""Random numbers as JAX draws them: the counter-based generator Threefry, so that a key gives the same numbers."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

Words = np.ndarray[Any, Any]  # unsigned whole numbers of 32 bits
ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
PARITY = np.uint32(0x1BD11BDA)


def threefry(key: Words, first: Words, second: Words) -> tuple[Words, Words]:
    """The two words that a key makes of two words of a counter."""
    keys = (key[0], key[1], key[0] ^ key[1] ^ PARITY)
    x, y = first + keys[0], second + keys[1]
    for turn in range(5):
        for distance in ROTATIONS[turn % 2]:
            x = x + y
            y = ((y << np.uint32(distance)) | (y >> np.uint32(32 - distance))) ^ x
        x = x + keys[(turn + 1) % 3]
        y = y + keys[(turn + 2) % 3] + np.uint32(turn + 1)
    return x, y


def key_of(seed: int, wide: bool) -> Words:
    """The key of a seed; without 64 bits its upper half is left out."""
    return np.array([(seed >> 32) & 0xFFFFFFFF if wide else 0, seed & 0xFFFFFFFF], np.uint32)


def split(key: Words, shape: tuple[int, ...]) -> Words:
    """Keys of this shape."""
    return np.stack(threefry(key, *_counter(shape)), axis=-1)


def fold_in(key: Words, data: int) -> Words:
    """The key of a key and a number."""
    zero, number = np.zeros(1, np.uint32), np.array([data & 0xFFFFFFFF], np.uint32)
    return np.concatenate(threefry(key, zero, number))


def _counter(shape: tuple[int, ...]) -> tuple[Words, Words]:
    count = np.arange(math.prod(shape), dtype=np.uint64).reshape(shape)
    return (count >> np.uint64(32)).astype(np.uint32), count.astype(np.uint32)


def bits(key: Words, shape: tuple[int, ...], width: int = 32) -> Any:
    """Random whole numbers of 32 or 64 bits."""
    high, low = threefry(key, *_counter(shape))
    if width == 64:
        return (high.astype(np.uint64) << np.uint64(32)) | low.astype(np.uint64)
    return high ^ low


def uniform(key: Words, shape: tuple[int, ...], dtype: np.dtype[Any], low: Any = 0.0, high: Any = 1.0) -> Any:
    """Numbers from `low` to `high`, without `high`."""
    if dtype == np.float64:
        raw = (bits(key, shape, 64) >> np.uint64(12)) | np.float64(1).view(np.uint64)
        numbers = raw.view(np.float64) - 1.0
    else:
        raw = (bits(key, shape) >> np.uint32(9)) | np.float32(1).view(np.uint32)
        numbers = raw.view(np.float32) - np.float32(1.0)
    low, high = dtype.type(low), dtype.type(high)
    return np.maximum(low, _fused(numbers, high - low, low)).astype(dtype)


def normal(key: Words, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Numbers with mean 0 and standard deviation 1."""
    low = np.nextafter(dtype.type(-1), dtype.type(0))
    numbers = uniform(key, shape, dtype, low, 1.0)
    if dtype == np.float64:
        inverse = NormalDist().inv_cdf
        return np.array([inverse(0.5 + 0.5 * item) for item in numbers.ravel()], dtype).reshape(shape)
    return np.float32(math.sqrt(2.0)) * _inverse_erf(numbers)


# The coefficients of Giles's polynomials, in the middle and in the tails.
MIDDLE = (
    2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503, -0.00417768164,
    0.246640727, 1.50140941,
)  # fmt: skip
TAILS = (
    -0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047,
    1.00167406, 2.83297682,
)  # fmt: skip


def _inverse_erf(x: Any) -> Any:
    """The inverse of the error function in float32, step by step as JAX computes it."""
    w = -_log1p(-x * x)
    middle = w < np.float32(5.0)
    w = np.where(middle, w - np.float32(2.5), np.sqrt(w) - np.float32(3.0)).astype(np.float32)
    first, *others = zip(MIDDLE, TAILS, strict=True)
    p = np.where(middle, *map(np.float32, first))
    for pair in others:
        p = _fused(p, w, np.where(middle, *map(np.float32, pair)))
    return p * x


# Cephes's approximations of log(1 + x) for small x, by two polynomials, and of log(1 + x) by three.
ABOVE = (
    4.5270000862445199635215e-5, 4.9854102823193375972212e-1, 6.5787325942061044846969, 2.9911919328553073277375e1,
    6.0949667980987787057556e1, 5.7112963590585538103336e1, 2.0039553499201281259648e1,
)  # fmt: skip
BELOW = (
    1.0, 1.5062909083469192043167e1, 8.3047565967967209469434e1, 2.2176239823732856465394e2, 3.0909872225312059774938e2,
    2.1642788614495947685003e2, 6.0118660497603843919306e1,
)  # fmt: skip
THREE = (
    (7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1), (-1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1),
    (2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1),
)  # fmt: skip
LOG2_HIGH, LOG2_LOW = 0.693359375, -2.12194440e-4


def _log1p(x: Any) -> Any:
    """log(1 + x) in float32, step by step as JAX computes it on a processor."""
    squared = x * x
    small = (x * squared) * (_polynomial(ABOVE, x) / _polynomial(BELOW, x))
    small = x + _fused(np.float32(-0.5), squared, small)
    return np.where(np.abs(x) < np.float32(0.41421356), small, _log(x + np.float32(1.0)))


def _log(x: Any) -> Any:
    mantissa, exponent = np.frexp(x)
    lower = mantissa < np.float32(0.707106781186547524)
    exponent = (exponent - lower).astype(np.float32)
    z = np.where(lower, mantissa + mantissa, mantissa) - np.float32(1.0)
    squared = z * z
    cubed = squared * z
    first, second, third = (_polynomial(row, z) for row in THREE)
    y = _fused(_fused(first, cubed, second), cubed, third) * cubed
    y = _fused(exponent, np.float32(LOG2_LOW), y)
    return _fused(exponent, np.float32(LOG2_HIGH), _fused(squared, np.float32(-0.5), z) + y)


def _polynomial(coefficients: tuple[float, ...], x: Any) -> Any:
    p = np.full_like(x, np.float32(coefficients[0]))
    for item in coefficients[1:]:
        p = _fused(p, x, np.float32(item))
    return p


def _fused(x: Any, y: Any, z: Any) -> Any:
    """x * y + z, rounded once in float32."""
    if np.result_type(x) == np.float64:
        return x * y + z
    return (np.asarray(x, np.float64) * np.asarray(y, np.float64) + np.asarray(z, np.float64)).astype(np.float32)


def whole_numbers(key: Words, shape: tuple[int, ...], low: int, high: int, dtype: np.dtype[Any]) -> Any:
    """Whole numbers from `low` to `high`, without `high`."""
    first, second = split(key, (2,))
    width = 8 * dtype.itemsize
    upper, lower = (bits(item, shape, width).astype(object) for item in (first, second))
    span = max(high - low, 1)
    factor = pow(2, width // 2, span)
    factor = (factor * factor) % 2**width % span
    offset = ((upper % span) * factor % 2**width + lower % span) % 2**width % span
    return np.asarray(offset + low).astype(dtype)


def permutation(key: Words, count: int) -> Any:
    """The order of so many things, shuffled."""
    order = np.arange(count)
    for _ in range(math.ceil(3 * math.log(max(1, count)) / math.log(2**32 - 1))):
        key, inner = split(key, (2,))
        order = order[np.argsort(bits(inner, (count,)), kind="stable")]
    return order
