"""Attributes in the forms that several languages want, and what losses have in common."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from cadena.core.languages.language import Site, TableRow, literal


def reduced(each: str, reduction: str, module: str = "np", total: str = "sum", mean: str = "mean") -> str:
    """The elements of a loss summed up as its attribute says."""
    if reduction in ("none", "batchmean"):
        return each if reduction == "none" else f"{module}.{total}({each}) / a.shape[0]"
    return f"{module}.{total if reduction == 'sum' else mean}({each})"


def unless_none(attribute: str, pattern: str, without: str) -> TableRow:
    """One pattern where an attribute is set, another where it is None."""
    return lambda site: without if site[attribute] is None else pattern


def norm_order(site: Site, infinity: str) -> str:
    """The order of a norm as code: 2 where it has none; documents have inf as a text or as a number."""
    known = {
        None: "2",
        "fro": "2",
        "inf": infinity,
        "-inf": f"-{infinity}",
        math.inf: infinity,
        -math.inf: f"-{infinity}",
    }
    return known.get(site["ord"], repr(site["ord"]))


def flat_axis(site: Site) -> tuple[int, int]:
    """The axis of a `take` and its size; without an axis those of the flattened operand."""
    if site["axis"] is None:
        return 0, math.prod(site.shapes[0])
    return site.axes()[0], site.shapes[0][site.axes()[0]]


def take_places(site: Site) -> np.ndarray:
    """The places of a `take`, none of them negative or out of range."""
    size, places = flat_axis(site)[1], np.asarray(site["indices"], dtype=int)
    return np.clip(places, 0, size - 1) if site["mode"] == "clip" else places % max(size, 1)


def padding_pairs(site: Site) -> list[list[int]]:
    """How many elements `pad` adds before and after along each axis."""
    pairs = np.broadcast_to(np.asarray(site["pad_width"], dtype=int), (site.ndim, 2))
    return [[int(size) for size in pair] for pair in pairs]


def tensordot_axes(site: Site) -> str:
    """The axes of a `tensordot`: their count, or a list of axes for each operand."""
    axes = site["axes"]
    if isinstance(axes, int):
        return str(axes)
    return literal([one if isinstance(one, list | tuple) else [one] for one in axes])


def cross_axes(site: Site) -> tuple[int, int, int]:
    """The axes of both operands of a `cross`, and of its result."""
    axis = site["axis"]
    return (site["axisa"], site["axisb"], site["axisc"]) if axis is None else (axis, axis, axis)


class ConvolutionAttributes(NamedTuple):
    """How a kernel slides: a number for each axis, and the border before and after it."""

    stride: tuple[int, ...]
    borders: tuple[tuple[int, int], ...]
    dilation: tuple[int, ...]


def convolution_geometry(site: Site) -> ConvolutionAttributes:
    """The attributes of a convolution, a number for each axis."""
    kernel = site.shapes[1][2:]
    stride, dilation = (sizes(site, name, count=len(kernel)) for name in ("stride", "dilation"))
    if site["padding"] == "same":
        total = [step * (width - 1) for width, step in zip(kernel, dilation, strict=True)]
        return ConvolutionAttributes(stride, tuple((size // 2, size - size // 2) for size in total), dilation)
    border = (0,) * len(kernel) if site["padding"] == "valid" else sizes(site, "padding", count=len(kernel))
    return ConvolutionAttributes(stride, tuple((size, size) for size in border), dilation)


def sizes(site: Site, name: str, otherwise: str = "", count: int = 2) -> tuple[int, ...]:
    """An attribute that is one number or a number for each axis; where it is None that of another name counts."""
    size = site[otherwise] if site[name] is None else site[name]
    return (size,) * count if isinstance(size, int) else tuple(size)
