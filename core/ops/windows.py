"""Windows that slide over the last axes of an array, made of plain slices: the basis of convolution and pooling.

On traced values everything is slices, pads and reshapes, without writing into an array, so the gradient of a
convolution, itself built from these, can be differentiated again.
"""

import itertools
import math
from typing import Any

import numpy as np

from cadena.core.ops.building import wholes
from cadena.core.ops.primitive import MAX_ELEMENTS, AttributeFault, Shape, ShapeError

Sizes = tuple[int, ...]


def sizes(name: str, value: Any, count: int, least: int) -> Sizes:
    """A whole number or a list of `count` of them, as one for each axis; else AttributeFault."""
    listed = wholes(name, value, least)
    if len(listed) not in (1, count):
        raise AttributeFault(
            "{name} is {value}", "give one number or {count}, one for each axis", name=name, value=value, count=count
        )
    return listed * count if len(listed) == 1 else listed


def window_counts(name: str, spatial: Sizes, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> Sizes:
    """The number of windows that fit along each axis, or ShapeError where not even one does."""
    counts = []
    if math.prod(size + 2 * border for size, border in zip(spatial, padding, strict=True)) > MAX_ELEMENTS:
        raise ShapeError(
            "{op}: {spatial} with padding {padding} is too large for the memory",
            "use a smaller padding",
            op=name,
            spatial=spatial,
            padding=padding,
        )
    for size, width, step, border, gap in zip(spatial, kernel, stride, padding, dilation, strict=True):
        reach = gap * (width - 1) + 1
        if size + 2 * border < reach:
            raise ShapeError(
                "{op}: a window of {reach} elements does not fit {size} with padding {border} on each side",
                "make the window smaller or the padding larger",
                op=name,
                reach=reach,
                size=size,
                border=border,
            )
        counts.append((size + 2 * border - reach) // step + 1)
    return tuple(counts)


def bordered(x: Any, padding: Sizes, fill: float = 0.0) -> Any:
    """`x` with a border along its last axes."""
    if not any(padding):
        return x
    lead = x.ndim - len(padding)
    return np.pad(x, [(0, 0)] * lead + [(border, border) for border in padding], constant_values=fill)


def _places(kernel: Sizes, dilation: Sizes) -> list[Sizes]:
    """The places of a window relative to its first, row by row."""
    return list(itertools.product(*(range(0, width * gap, gap) for width, gap in zip(kernel, dilation, strict=True))))


def windows(x: Any, kernel: Sizes, stride: Sizes, dilation: Sizes, counts: Sizes) -> Any:
    """The element at each place of each window, in the shape (leading axes, places in a window, windows)."""
    parts = [x[_cut(place, stride, counts)] for place in _places(kernel, dilation)]
    return np.stack(parts, axis=x.ndim - len(kernel))


def _cut(place: Sizes, stride: Sizes, counts: Sizes) -> Any:
    """The index that selects one place of each window."""
    return (..., *(slice(p, p + s * (n - 1) + 1, s) for p, s, n in zip(place, stride, counts, strict=True)))


def spread(g: Any, stride: Sizes) -> Any:
    """`g` with stride - 1 zeros between neighbours along its last axes."""
    for axis, step in enumerate(stride, start=g.ndim - len(stride)):
        if step > 1:
            width = [(0, 0)] * (axis + 1) + [(0, step - 1)] + [(0, 0)] * (g.ndim - axis - 1)
            wide = np.pad(np.expand_dims(g, axis + 1), width)
            size = g.shape[axis] * step
            g = np.reshape(wide, (*g.shape[:axis], size, *g.shape[axis + 1 :]))
            g = g[(slice(None),) * axis + (slice(0, size - step + 1),)]
    return g


def shifted(g: Any, before: Sizes, target: Sizes) -> Any:
    """`g` moved by `before` along its last axes and cut or filled with zeros to the sizes `target`."""
    lead = g.ndim - len(target)
    room = [(move, want - move - size) for move, want, size in zip(before, target, g.shape[lead:], strict=True)]
    cut = [slice(max(-low, 0), size + min(high, 0)) for (low, high), size in zip(room, g.shape[lead:], strict=True)]
    widths = [(0, 0)] * lead + [(max(low, 0), max(high, 0)) for low, high in room]
    return np.pad(g[(..., *cut)], widths)


def windows_back(parts: Any, kernel: Sizes, stride: Sizes, dilation: Sizes, target: Sizes) -> Any:
    """The transpose of `windows` for an operand with the sizes `target`: overlapping parts are summed up."""
    axis, counts = parts.ndim - len(kernel) - 1, parts.shape[parts.ndim - len(kernel) :]
    total = np.zeros((*parts.shape[:axis], *target), dtype=parts.dtype)
    for index, place in enumerate(_places(kernel, dilation)):
        part = parts[(slice(None),) * axis + (index,)]
        if isinstance(part, np.ndarray):
            total[_cut(place, stride, counts)] += part
        else:
            total = total + shifted(spread(part, stride), place, target)
    return total


def unbordered(g: Any, padding: Sizes, shape: Shape) -> Any:
    """`g` without the border, in the operand's shape."""
    if not any(padding):
        return g
    lead = len(shape) - len(padding)
    return g[(..., *(slice(b, b + n) for b, n in zip(padding, shape[lead:], strict=True)))]
