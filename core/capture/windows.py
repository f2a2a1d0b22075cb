"""Pools whose border differs at both ends, or is wider than half a window: on traced values, for every framework."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from cadena.core.capture.record import Unknown
from cadena.core.tracing.traced import apply

MAX_TAKEN = 1 << 20  # elements of all windows together, where they are taken one by one

Pairs = Sequence[Sequence[int]]  # the border before and after, for each axis


def max_pool(x: Any, kernel: Sequence[int], stride: Sequence[int], pads: Pairs, dilation: Sequence[int]) -> Any:
    """The largest element of each window over the last two axes; the border counts for nothing."""
    how = {"kernel_size": list(kernel), "stride": list(stride), "dilation": list(dilation)}
    if all(before == after and 2 * before <= width for (before, after), width in zip(pads, kernel)):
        return apply("max_pool2d", [x], {**how, "padding": [before for before, _ in pads]})
    widths = [[0, 0]] * (x.ndim - 2) + [list(pair) for pair in pads]
    if all(map(_reaches_the_edge, x.shape[-2:], kernel, stride, pads, dilation)):
        # A copy of the edge in a window that has the edge itself changes neither its maximum nor which is first.
        return apply("max_pool2d", [apply("pad", [x], {"pad_width": widths, "mode": "edge"})], how)
    return apply("max_pool2d", [apply("pad", [x], {"pad_width": widths, "constant_values": -math.inf})], how)


def _reaches_the_edge(size: int, width: int, step: int, pair: Sequence[int], gap: int) -> bool:
    """Whether each window with a part in the border holds the element next to it."""
    before, after = pair
    reach = gap * (width - 1) + 1
    starts = range(-before, size + after - reach + 1, step)
    return all(
        (first >= 0 or (first + reach > 0 and first % gap == 0))
        and (first + reach <= size or (first < size and (size - 1 - first) % gap == 0))
        for first in starts
    )


def each_window(x: Any, kernel: Sequence[int], stride: Sequence[int], dilation: Sequence[int]) -> Any:
    """The windows of `x`, over any number of axes: an axis for each of these, and a last one for their elements."""
    counts = [max((size - gap * (width - 1) - 1) // step + 1, 0)
              for size, width, step, gap in zip(x.shape, kernel, stride, dilation)]  # fmt: skip
    if math.prod(counts) * math.prod(kernel) > MAX_TAKEN or 0 in counts:
        raise Unknown(f"windows over these axes are known here with 1 to {MAX_TAKEN} elements in all")
    starts, inside = np.indices(counts), np.indices(kernel)
    places = np.zeros((*counts, math.prod(kernel)), int)
    for axis, (step, gap) in enumerate(zip(stride, dilation)):
        along = starts[axis][..., None] * step + inside[axis].ravel() * gap
        places = places * x.shape[axis] + along
    return apply("take", [x], {"indices": places.tolist()})
