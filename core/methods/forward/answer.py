"""Forward mode as an answer: dual numbers, a pass for each element of each leaf, or several tangents in each pass."""

from __future__ import annotations

import math
from collections.abc import Iterator
from time import perf_counter

import numpy as np

from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import (
    Answer,
    Cancel,
    Elements,
    all_elements,
    blank,
    never,
    output_number,
    stop_if,
)
from cadena.core.methods.names import Method
from cadena.core.ops import memory
from cadena.core.run.passes.vectors import vectors_of
from cadena.core.run.program import Run

Element = tuple[str, int]  # a leaf and the flat index of one of its elements
SMALL = 2**20  # bytes that need no look at the memory
MAX_BYTES = 2**28  # for the tangents of one pass: more of them at a time are not faster
TOGETHER = 512  # tangents computed at a time, whatever a pass carries: 64 take three times as long on 10,000 nodes


def answer(run: Run, method: Method, elements: Elements | None = None, cancelled: Cancel = never) -> Answer:
    """The gradients with as many tangents in a pass as `method.width` says."""
    return forward(run, elements, cancelled, method.width)


def forward(
    run: Run,
    elements: Elements | None = None,
    cancelled: Cancel = never,
    width: int | None = 1,
) -> Answer:
    """The derivative of the output (weighted with the run's seed) along each element of each wanted leaf.

    A pass carries `width` tangents, None for as many as `widest` allows: 1 are dual numbers, more are derivative
    vectors, as in Eigen's AutoDiffScalar. It costs elements / width passes, rounded up; the numbers are the same, so
    that several passes of few tangents are computed at a time. `elements` asks for some elements only. Raises Refused
    without an output, and for a width that memory cannot hold.
    """
    output, started = output_number(run), perf_counter()
    elements = all_elements(run) if elements is None else elements
    gradients, width = blank(run, elements), checked_width(run, width)
    for passed in batches(elements, max(width, min(TOGETHER, widest(run)))):
        stop_if(cancelled)
        for (name, index), number in zip(passed, _derivatives(run, output, passed), strict=True):
            gradients[name].flat[index] = number
    typed = {name: array.astype(run.dtype) for name, array in gradients.items()}
    count, seconds = sum(map(len, elements.values())), perf_counter() - started
    passes, carried = math.ceil(count / width), max(min(width, count), 1)
    return Answer("forward", typed, passes=passes, kind="tangent", seconds=seconds, width=carried)


def batches(elements: Elements, width: int) -> Iterator[list[Element]]:
    """The elements in order, `width` for each pass."""
    batch = list[Element]()
    for name, indices in elements.items():
        for index in indices.tolist():
            batch.append((name, index))
            if len(batch) == width:
                yield batch
                batch = []
    if batch:
        yield batch


def _derivatives(run: Run, output: int, passed: list[Element]) -> list[float]:
    """The derivative of the output along each element of one pass."""
    plan = run.plan
    directions = [(name, unit(plan.shapes[plan.index[name]] or (), index, run.dtype)) for name, index in passed]
    with np.errstate(all="ignore"):
        tangents = vectors_of(run, output, [{name: direction} for name, direction in directions])
        if not plan.shapes[output]:
            return (run.seed * tangents).tolist()  # type: ignore[no-any-return]
        return [float(np.sum(run.seed * tangent)) for tangent in tangents]


def unit(shape: tuple[int, ...], index: int, dtype: str) -> np.ndarray:
    """The direction in which only the element at the flat `index` moves."""
    direction = np.zeros(shape, dtype)
    direction.flat[index] = 1.0
    return direction


def checked_width(run: Run, width: int | None) -> int:
    """The number of tangents that a pass carries; None: `widest`. Raises Refused for a width that is not possible."""
    if width is not None and width < 1:
        raise Refused("forward mode cannot carry {width} tangents in a pass", "carry 1 or more", width=width)
    if width == 1:
        return 1
    most = widest(run)
    if width is not None and width > most:
        size = memory.size_text(width * _bytes_each(run))
        raise Refused(
            "{width} tangents of every node would take {size}",
            "carry at most {most} in a pass",
            width=width,
            size=size,
            most=most,
        )
    return most if width is None else width


def widest(run: Run) -> int:
    """The largest number of tangents of every node that fits into half of the free memory, and into MAX_BYTES."""
    each = _bytes_each(run)
    there = memory.free() if each > SMALL else None
    return max((MAX_BYTES if there is None else min(MAX_BYTES, there // 2)) // each, 1)


def _bytes_each(run: Run) -> int:
    """The size in bytes of one tangent of every node."""
    counts = (math.prod(shape) for shape in run.plan.shapes if shape is not None)
    return max(sum(counts), 1) * np.dtype(run.dtype).itemsize
