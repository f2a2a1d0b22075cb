"""Convolutions as PyTorch defines them: kernels slide over the last axes; channels come before them."""

import math
from typing import Any, NamedTuple

import numpy as np

from cadena.core.ops.building import whole
from cadena.core.ops.expression import CALL, Notation
from cadena.core.ops.formulas import formula
from cadena.core.ops.primitive import Attribute, AttributeFault, Family, Primitive, Shape, ShapeError, Slot
from cadena.core.ops.windows import Sizes, bordered, shifted, sizes, window_counts, windows, windows_back

FAMILY = Family("Layers")


class ConvolutionGeometry(NamedTuple):
    """How a kernel slides: one number for each axis, before and after the operand."""

    kernel: Sizes
    stride: Sizes
    before: Sizes
    after: Sizes
    dilation: Sizes
    groups: int

    def padded(self, spatial: Sizes) -> Sizes:
        return tuple(low + size + high for low, size, high in zip(self.before, spatial, self.after, strict=True))


def _borders(padding: Any, kernel: Sizes, stride: Sizes, dilation: Sizes) -> tuple[Sizes, Sizes]:
    if padding == "same":
        if any(step != 1 for step in stride):
            raise AttributeFault('padding "same" needs stride 1', "give the padding as a number")
        total = [gap * (width - 1) for width, gap in zip(kernel, dilation, strict=True)]
        return tuple(item // 2 for item in total), tuple(item - item // 2 for item in total)
    border = (0,) * len(kernel) if padding == "valid" else sizes("padding", padding, len(kernel), 0)
    return border, border


def geometry(kernel: Sizes, stride: Any, padding: Any, dilation: Any, groups: Any) -> ConvolutionGeometry:
    """The attributes of a convolution, checked. Raises AttributeFault."""
    steps, gaps = sizes("stride", stride, len(kernel), 1), sizes("dilation", dilation, len(kernel), 1)
    return ConvolutionGeometry(kernel, steps, *_borders(padding, kernel, steps, gaps), gaps, whole("groups", groups, 1))


def _slide(x: Any, w: Any, stride: Sizes, dilation: Sizes, groups: int) -> Any:
    """The convolution without padding of a batch (N, C, ...) with kernels (O, C / groups, ...): one product a group."""
    axes = len(stride)
    kernel = w.shape[2:]
    counts = window_counts("convolution", x.shape[2:], kernel, stride, (0,) * axes, dilation)
    columns = windows(x, kernel, stride, dilation, counts)
    depth = w.shape[1] * math.prod(kernel)
    columns = np.reshape(columns, (x.shape[0], groups, depth, math.prod(counts)))
    rows = np.reshape(w, (groups, w.shape[0] // groups, depth))
    return np.reshape(np.matmul(rows, columns), (x.shape[0], w.shape[0], *counts))


def _pad(x: Any, how: ConvolutionGeometry) -> Any:
    if how.before == how.after:
        return bordered(x, how.before)
    return shifted(x, how.before, how.padded(x.shape[2:]))


def _batch(x: Any, axes: int) -> Any:
    """The operand with its batch axis; PyTorch also takes a single example without one."""
    return x if x.ndim == axes + 2 else np.expand_dims(x, 0)


def _convolve(x: Any, w: Any, axes: int, **attributes: Any) -> Any:
    how = geometry(w.shape[2:], **attributes)
    y = _slide(_pad(_batch(x, axes), how), w, how.stride, how.dilation, how.groups)
    return y if x.ndim == axes + 2 else y[0]


def _input_back(g: Any, y: Any, x: Any, w: Any, axes: int, **attributes: Any) -> Any:
    """The gradient of the operand: contributions of each window to its places, summed where windows overlap."""
    how = geometry(w.shape[2:], **attributes)
    upstream, spatial = _batch(g, axes), x.shape[-axes:]
    count, counts = upstream.shape[0], upstream.shape[2:]
    depth = w.shape[1] * math.prod(how.kernel)
    rows = np.reshape(w, (how.groups, w.shape[0] // how.groups, depth))
    columns = np.reshape(upstream, (count, how.groups, w.shape[0] // how.groups, math.prod(counts)))
    parts = np.matmul(np.swapaxes(rows, 1, 2), columns)
    parts = np.reshape(parts, (count, how.groups * w.shape[1], math.prod(how.kernel), *counts))
    padded = windows_back(parts, how.kernel, how.stride, how.dilation, how.padded(spatial))
    back = padded[(..., *(slice(low, low + size) for low, size in zip(how.before, spatial, strict=True)))]
    return back if x.ndim == axes + 2 else back[0]


def _kernel_back(g: Any, y: Any, x: Any, w: Any, axes: int, **attributes: Any) -> Any:
    """The gradient of the kernels: each place of a kernel meets each window, summed over windows and batch."""
    how = geometry(w.shape[2:], **attributes)
    batch, upstream = _pad(_batch(x, axes), how), _batch(g, axes)
    counts = upstream.shape[2:]
    columns = windows(batch, how.kernel, how.stride, how.dilation, counts)
    count, positions = upstream.shape[0], math.prod(counts)
    columns = np.reshape(columns, (count, how.groups, w.shape[1] * math.prod(how.kernel), positions))
    rows = np.reshape(upstream, (count, how.groups, w.shape[0] // how.groups, positions))
    return np.reshape(np.sum(np.matmul(rows, np.swapaxes(columns, 2, 3)), axis=0), w.shape)


def _shape(name: str, axes: int, x: Shape, w: Shape, **attributes: Any) -> Shape:
    if len(x) not in (axes + 1, axes + 2) or len(w) != axes + 2:
        what = (
            "{op} needs an input (batch, channels, height, width) and kernels (out, in, height, width), not shapes {x} "
            "and {w}"
        )
        if axes == 1:
            what = "{op} needs an input (batch, channels, length) and kernels (out, in, length), not shapes {x} and {w}"
        raise ShapeError(what, "reshape them", op=name, x=x, w=w)
    if 0 in w[2:]:
        raise ShapeError("{op} needs kernels that are not empty, not shape {w}", "give it some", op=name, w=w)
    how = geometry(w[2:], **attributes)
    channels = x[-axes - 1]
    if channels != w[1] * how.groups:
        raise ShapeError(
            "{op}: the input of shape {x} has {channels} channels, but kernels of shape {w} in {groups} groups take "
            "{last}",
            "make them equal",
            op=name,
            x=x,
            channels=channels,
            w=w,
            groups=how.groups,
            last=w[1] * how.groups,
        )
    if w[0] % how.groups:
        raise ShapeError(
            "{op}: {w} kernels cannot be shared among {groups} groups",
            "choose a divisor",
            op=name,
            w=w[0],
            groups=how.groups,
        )
    counts = window_counts(name, how.padded(x[-axes:]), how.kernel, how.stride, (0,) * axes, how.dilation)
    return (*x[: -axes - 1], w[0], *counts)


ATTRIBUTES = (
    Attribute("stride", 1, "integers", "by how many places the kernel moves; one number or one for each axis"),
    Attribute("padding", 0, "integers", "how many zeros around; one number or one for each axis", ("same", "valid")),
    Attribute("dilation", 1, "integers", "the distance of the kernel's elements; one number or one for each axis"),
    Attribute("groups", 1, "integer", "how many groups of channels are convolved apart from each other"),
)
SIGNAL = [[[1.0, 2.0, -1.0, 0.5, 3.0], [0.0, 1.0, 2.0, -2.0, 1.0]]]
IMAGE = [[[[1.0, 2.0, -1.0, 0.5], [0.0, 1.5, 2.5, -2.0], [3.0, -0.5, 0.25, 4.0]]]]


def _convolution(name: str, axes: int, **record: Any) -> Primitive:
    return FAMILY.structural(
        name,
        lambda x, w, **attributes: _convolve(x, w, axes, **attributes),
        Slot(
            "input",
            transpose=lambda g, y, x, w, **attributes: _input_back(g, y, x, w, axes, **attributes),
            push=lambda t, y, x, w, **attributes: _convolve(t, w, axes, **attributes),
            shown=formula("Σ_k @g[i − k] · @b[k]", r"\sum_k @g_{i - k} \, @b_k"),
        ),
        Slot(
            "kernels",
            transpose=lambda g, y, x, w, **attributes: _kernel_back(g, y, x, w, axes, **attributes),
            push=lambda t, y, x, w, **attributes: _convolve(x, t, axes, **attributes),
            shown=formula("Σ_i @g[i] · @a[i + k]", r"\sum_i @g_i \, @a_{i + k}"),
        ),
        shape=lambda x, w, **attributes: _shape(name, axes, x, w, **attributes),
        attributes=ATTRIBUTES,
        notation=Notation(f"{name}({{0}}, {{1}})", r"{0} * {1}", CALL),
        symbol=name,
        phrase="the convolution of {0} with the kernels {1}",
        **record,
    )


conv1d = _convolution(
    "conv1d",
    1,
    title="convolution along one axis",
    doc="Kernels slide along the last axis: at each place the sum of products. Add a bias of shape (out, 1).",
    examples=(
        (SIGNAL, [[[1.0, -1.0], [0.5, 2.0]]]),
        (SIGNAL, [[[1.0, -1.0, 2.0]], [[0.5, 2.0, 1.0]]], {"groups": 2, "padding": 2, "stride": 2}),
        (SIGNAL[0], [[[1.0, -1.0], [0.5, 2.0]]], {"dilation": 2, "padding": "same"}),
    ),
)

conv2d = _convolution(
    "conv2d",
    2,
    title="convolution of images",
    doc="Kernels slide over the last two axes: at each place a sum of products. Add a bias of shape (out, 1, 1).",
    examples=(
        (IMAGE, [[[[1.0, -1.0], [0.5, 2.0]]], [[[0.0, 1.0], [2.0, -0.5]]]]),
        (IMAGE, [[[[1.0, -1.0], [0.5, 2.0]]]], {"stride": 2, "padding": 1}),
        (IMAGE[0], [[[[1.0, -1.0, 0.5]]]], {"stride": [2, 1], "padding": [0, 2], "dilation": [1, 2]}),
        (IMAGE, [[[[1.0, -1.0], [0.5, 2.0]]]], {"padding": "same"}),
    ),
)
