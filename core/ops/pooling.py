"""Windows of images summed up as one number each, as PyTorch does it."""

import math
from typing import Any

import numpy as np

from cadena.core.ops.convolution import IMAGE
from cadena.core.ops.expression import CALL, Notation
from cadena.core.ops.formulas import formula
from cadena.core.ops.primitive import REQUIRED, Attribute, Family, Shape, ShapeError, Slot
from cadena.core.ops.traits import Trait
from cadena.core.ops.windows import (
    Sizes,
    bordered,
    sizes,
    unbordered,
    window_counts,
    windows,
    windows_back,
)

FAMILY = Family("Layers")

KERNEL = Attribute("kernel_size", REQUIRED, "integers", "the size of a window; one number or [height, width]")
STRIDE = Attribute("stride", None, "integers", "by how many places a window moves; empty for its own size")
PADDING = Attribute("padding", 0, "integers", "how many places around the image; at most half a window")


def _read(kernel_size: Any, stride: Any, padding: Any, dilation: Any = 1) -> tuple[Sizes, Sizes, Sizes, Sizes]:
    kernel = sizes("kernel_size", kernel_size, 2, 1)
    steps = kernel if stride is None else sizes("stride", stride, 2, 1)
    return kernel, steps, sizes("padding", padding, 2, 0), sizes("dilation", dilation, 2, 1)


def _shape(name: str, shape: Shape, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> Shape:
    if len(shape) < 2:
        raise ShapeError(
            "{op} needs images, whose last axes are height and width, not shape {shape}",
            "reshape it",
            op=name,
            shape=shape,
        )
    if any(2 * border > width for border, width in zip(padding, kernel, strict=True)):
        raise ShapeError(
            "{op}: padding {padding} is more than half a window {kernel}",
            "make it smaller",
            op=name,
            padding=padding,
            kernel=kernel,
        )
    return shape[:-2] + window_counts(name, shape[-2:], kernel, stride, padding, dilation)


def _max_windows(x: Any, **attributes: Any) -> Any:
    kernel, stride, padding, dilation = _read(**attributes)
    counts = window_counts("max_pool2d", x.shape[-2:], kernel, stride, padding, dilation)
    return windows(bordered(x, padding, -np.inf), kernel, stride, dilation, counts)


def _chosen(x: Any, y: Any, **attributes: Any) -> Any:
    """A mask of the place in each window that gave the maximum: the first of equal ones, like PyTorch."""
    stacked = _max_windows(x, **attributes)
    free, hits = np.ones(y.shape, dtype=bool), []
    for place in range(stacked.shape[-3]):
        hits.append(np.equal(stacked[..., place, :, :], y) & free)
        free = free & ~hits[-1]
    return np.stack(hits, axis=-3)


def _selected(parts: Any, chosen: Any, y: Any) -> Any:
    """Select, not multiply by 0: places not chosen get 0 even where the gradient is inf; nan spreads to all."""
    selected = np.where(chosen, parts, 0.0)
    bad = np.expand_dims(np.isnan(y), -3)
    return np.where(bad, np.nan, selected) if bad.any() else selected


def _max_back(g: Any, y: Any, x: Any, **attributes: Any) -> Any:
    kernel, stride, padding, dilation = _read(**attributes)
    parts = _selected(np.expand_dims(g, -3), _chosen(x, y, **attributes), y)
    target = tuple(size + 2 * border for size, border in zip(x.shape[-2:], padding, strict=True))
    return unbordered(windows_back(parts, kernel, stride, dilation, target), padding, x.shape)


def _max_push(t: Any, y: Any, x: Any, **attributes: Any) -> Any:
    kernel, stride, padding, dilation = _read(**attributes)
    parts = windows(bordered(t, padding), kernel, stride, dilation, y.shape[-2:])
    return np.sum(_selected(parts, _chosen(x, y, **attributes), y), axis=-3)


max_pool2d = FAMILY.structural(
    "max_pool2d",
    lambda x, **attributes: np.max(_max_windows(x, **attributes), axis=-3),
    Slot(
        "input",
        transpose=_max_back,
        push=_max_push,
        shown=formula("the sum of @g over the windows whose largest element this is"),
    ),
    shape=lambda shape, **attributes: _shape("max_pool2d", shape, *_read(**attributes)),
    attributes=(KERNEL, STRIDE, PADDING, Attribute("dilation", 1, "integers", "the distance of a window's elements")),
    notation=Notation("max_pool2d({0})", r"\mathrm{{maxpool}}\left({0}\right)", CALL),
    title="largest of each window",
    symbol="maxpool",
    synonyms=("max_pool",),
    phrase="the largest element of each window of {0}",
    doc="The largest element of each window over the last two axes. It alone gets the gradient; of equals the first.",
    edges="Of equal elements the first in reading order gets the gradient, as in PyTorch.",
    traits=Trait.CHOOSES,
    examples=(
        (IMAGE, {"kernel_size": 2}),
        (IMAGE, {"kernel_size": [3, 2], "stride": 1, "padding": 1}),
        (IMAGE[0], {"kernel_size": 2, "stride": 1, "dilation": [2, 1]}),
    ),
)


def _weights(spatial: Sizes, counts: Sizes, count_include_pad: bool, kernel: Sizes, *rest: Sizes) -> Any:
    """The divisor of the sum of each window: its size, or the number of its places that lie in the image."""
    stride, padding, dilation = rest
    if count_include_pad or not any(padding):
        return float(math.prod(kernel))
    return np.sum(windows(bordered(np.ones(spatial), padding), kernel, stride, dilation, counts), axis=0)


def _divided(x: Any, weights: Any) -> Any:
    return x / (weights if isinstance(weights, float) else weights.astype(x.dtype))


def _average(x: Any, count_include_pad: bool, **attributes: Any) -> Any:
    how = _read(**attributes)
    kernel, stride, padding, dilation = how
    counts = window_counts("avg_pool2d", x.shape[-2:], kernel, stride, padding, dilation)
    sums = np.sum(windows(bordered(x, padding), kernel, stride, dilation, counts), axis=-3)
    return _divided(sums, _weights(x.shape[-2:], counts, count_include_pad, *how))


def _average_back(g: Any, y: Any, x: Any, count_include_pad: bool, **attributes: Any) -> Any:
    how = _read(**attributes)
    kernel, stride, padding, dilation = how
    share = np.expand_dims(_divided(g, _weights(x.shape[-2:], g.shape[-2:], count_include_pad, *how)), -3)
    parts = np.broadcast_to(share, (*g.shape[:-2], math.prod(kernel), *g.shape[-2:]))
    target = tuple(size + 2 * border for size, border in zip(x.shape[-2:], padding, strict=True))
    return unbordered(windows_back(parts, kernel, stride, dilation, target), padding, x.shape)


avg_pool2d = FAMILY.structural(
    "avg_pool2d",
    _average,
    Slot(
        "input",
        transpose=_average_back,
        push=lambda t, y, x, **attributes: _average(t, **attributes),
        shown=formula(
            "the sum of @g / k over the windows of k elements that hold this one",
            r"\sum_{\text{windows}} \frac{1}{k} @g",
        ),
    ),
    shape=lambda shape, count_include_pad, **attributes: _shape("avg_pool2d", shape, *_read(**attributes)),
    attributes=(
        KERNEL,
        STRIDE,
        PADDING,
        Attribute("count_include_pad", True, "flag", "count the zeros around as well"),
    ),
    notation=Notation("avg_pool2d({0})", r"\mathrm{{avgpool}}\left({0}\right)", CALL),
    title="mean of each window",
    symbol="avgpool",
    synonyms=("avg_pool", "average_pool"),
    phrase="the mean of each window of {0}",
    doc="The mean of each window over the last two axes. Each element of a window gets an equal share of the gradient.",
    edges="Windows that reach over the border count its zeros, unless count_include_pad is off.",
    examples=(
        (IMAGE, {"kernel_size": 2}),
        (IMAGE, {"kernel_size": [3, 2], "stride": 1, "padding": 1}),
        (IMAGE[0], {"kernel_size": 2, "padding": 1, "count_include_pad": False}),
    ),
)
