"""Available memory, so that a graph that would not fit is refused before anything is allocated."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable
from pathlib import Path

from cadena.core.ops.primitive import MAX_ELEMENTS, Shape, ShapeError

BYTES = 2 * 8  # of an element: its value and its gradient, in float64
MAX_AXES = 32  # of an array: numpy makes some with more, and cannot pair them with others
ALWAYS_FITS = 2**20  # elements: what is smaller is not worth a look


def free() -> int | None:
    """The bytes that a program can still take, by the system's own estimate; None where it gives none."""
    meminfo = Path("/proc/meminfo")
    if meminfo.exists() and (match := re.search(r"^MemAvailable: +(\d+) kB", meminfo.read_text("ascii"), re.MULTILINE)):
        return int(match[1]) * 1024
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def size_text(count: float) -> str:
    """A number of bytes for people: 2.1 GB."""
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"


def fitting(shape: Shape, others: Iterable[Shape | None]) -> Shape:
    """Return `shape`, or raise ShapeError where memory cannot hold it beside arrays of the shapes `others`, or where
    it has more axes than numpy can pair."""
    if len(shape) > MAX_AXES:
        raise ShapeError(
            "the result has {count} axes",
            "the most is {most_axes}, join some of them",
            count=len(shape),
            most_axes=MAX_AXES,
        )
    count = math.prod(shape)
    if count <= ALWAYS_FITS:
        return shape
    what, size = "the result of shape {shape} would take {size} with its gradient", size_text(count * BYTES)
    if count > MAX_ELEMENTS:
        most = size_text(MAX_ELEMENTS * BYTES)
        raise ShapeError(what, "the most is {most}, make it smaller", shape=shape, size=size, most=most)
    total = (count + sum(math.prod(other) for other in others if other is not None)) * BYTES
    if (there := free()) is not None and total > there:
        remedy = "with the rest of the graph that is {total}, and {free} are free, make some smaller"
        raise ShapeError(what, remedy, shape=shape, size=size, total=size_text(total), free=size_text(there))
    return shape
