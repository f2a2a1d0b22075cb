"""Padding, and differences of neighbours."""

from typing import Any

import numpy as np

from cadena.core.ops.building import GRID, linear, number, one_axis, pad_axis, whole, wholes, with_size
from cadena.core.ops.expression import CALL, Notation
from cadena.core.ops.formulas import formula
from cadena.core.ops.primitive import REQUIRED, Attribute, Family, Shape, ShapeError, Slot
from cadena.core.ops.reduction import reduced_axes
from cadena.core.ops.scattering import add_along_axis

FAMILY = Family("Shape")

PAD_MODES = ("constant", "edge", "reflect", "symmetric", "wrap")


def pad_widths(count: int, pad_width: Any) -> list[tuple[int, int]]:
    """numpy's short forms (one number, one pair, a pair for each axis) as a pair for each of `count` axes."""
    pairs = pad_width if isinstance(pad_width, list | tuple) else [pad_width]
    if all(not isinstance(item, list | tuple) for item in pairs):
        pairs = [pairs]
    full = [wholes("pad_width", item, 0) for item in pairs]
    if len(full) not in (1, count) or any(len(item) not in (1, 2) for item in full):
        raise ShapeError(
            "pad_width {pad_width} does not fit {count} axes",
            "give a number, a pair (before, after) or one such pair for each axis",
            pad_width=pad_width,
            count=count,
        )
    return [(item[0], item[-1]) for item in (full * count if len(full) == 1 else full)]


def _pad_shape(shape: Shape, pad_width: Any, mode: Any, constant_values: Any) -> Shape:
    if not shape:
        raise ShapeError("{op} needs at least one axis, not a number", "reshape it to [1]", op="pad")
    number("constant_values", constant_values)
    widths = pad_widths(len(shape), pad_width)
    if mode != "constant" and any(not size and sum(pair) for size, pair in zip(shape, widths, strict=True)):
        raise ShapeError(
            "{op} cannot continue an empty axis of shape {shape} in mode {mode}",
            "use mode constant",
            op="pad",
            shape=shape,
            mode=mode,
        )
    return tuple(size + sum(pair) for size, pair in zip(shape, widths, strict=True))


def _pad(x: Any, pad_width: Any, mode: str, constant_values: float) -> Any:
    if mode == "constant":
        return np.pad(x, pad_widths(x.ndim, pad_width), constant_values=constant_values)
    return np.pad(x, pad_widths(x.ndim, pad_width), mode=mode)  # type: ignore[call-overload]


def _pad_push(t: Any, y: Any, x: Any, pad_width: Any, mode: str, constant_values: float) -> Any:
    return _pad(t, pad_width, mode, 0.0)


def _pad_back(g: Any, y: Any, x: Any, pad_width: Any, mode: str, constant_values: float) -> Any:
    """The middle of the upstream gradient, and what was copied to the border back to where it came from."""
    widths = pad_widths(x.ndim, pad_width)
    if mode == "constant":
        return g[tuple(slice(before, before + size) for (before, _), size in zip(widths, x.shape, strict=True))]
    for axis, (pair, size) in enumerate(zip(widths, x.shape, strict=True)):
        if any(pair):
            g = add_along_axis(g, np.pad(np.arange(size), pair, mode=mode), axis, size)  # type: ignore[call-overload]
    return g


pad = FAMILY.structural(
    "pad",
    _pad,
    Slot(
        "x",
        transpose=_pad_back,
        push=_pad_push,
        shown=formula("@g without its border, and each copy in the border added to its origin"),
    ),
    shape=_pad_shape,
    attributes=(
        Attribute(
            "pad_width", REQUIRED, "integers", "a number, a pair (before, after), or a list of a pair for each axis"
        ),
        Attribute("mode", "constant", "choice", "what the border holds", PAD_MODES),
        Attribute("constant_values", 0.0, "number", "the border's number in mode constant"),
    ),
    title="padding",
    phrase="{0} with a border",
    doc="A border around the operand. What the border copies gets its gradient back.",
    examples=(
        ([1.0, 2.0], {"pad_width": 1}),
        (GRID, {"pad_width": [[1, 0], [2, 1]], "constant_values": 5.0}),
        (GRID, {"pad_width": [1, 2], "mode": "edge"}),
        (GRID, {"pad_width": 1, "mode": "reflect"}),
        ([1.0, 2.0, 3.0], {"pad_width": [5, 4], "mode": "symmetric"}),
        (GRID, {"pad_width": [[0, 2], [1, 1]], "mode": "wrap"}),
    ),
)


def _diff_shape(shape: Shape, n: Any, axis: Any) -> Shape:
    place = one_axis(shape, axis)
    return with_size(shape, place, max(shape[place] - whole("n", n, 0), 0))


def _diff_back(g: Any, old: Shape, n: int, axis: int) -> Any:
    place = one_axis(old, axis)
    for _ in range(min(n, old[place])):
        g = pad_axis(g, place, 1, 0) - pad_axis(g, place, 0, 1)
    return g if n <= old[place] else np.zeros(old, dtype=g.dtype)


diff = linear(
    FAMILY,
    "diff",
    lambda x, n, axis: np.diff(x, min(n, x.shape[axis]), axis),  # nothing is left after that many
    _diff_back,
    shape=_diff_shape,
    shown=formula("@g[i − 1] − @g[i]", r"@g_{i - 1} - @g_i"),
    attributes=(
        Attribute("n", 1, "integer", "how often differences are taken"),
        Attribute("axis", -1, "axis", "the axis along which neighbours are compared"),
    ),
    notation=Notation("diff({0})", r"\Delta {0}", CALL),
    title="differences",
    symbol="Δ",
    phrase="the differences of neighbours in {0}",
    doc="Each element minus the one before it. Its gradient is that of the difference it ends, minus that it begins.",
    examples=(([1.0, 4.0, 9.0, 16.0],), ([1.0, 4.0, 9.0, 16.0], {"n": 2}), (GRID, {"axis": 0})),
)


def _gradient_axis(shape: Shape, axis: Any, part: Any) -> int:
    axes = reduced_axes(shape, axis)
    if not axes:
        raise ShapeError("{op} needs an array with neighbours, not a number", "reshape or stack some", op="gradient")
    if whole("part", part, 0) >= len(axes):
        raise ShapeError(
            "part {part} is not there: gradient runs along {count} axes",
            "choose 0 to {last}",
            part=part,
            count=len(axes),
            last=len(axes) - 1,
        )
    return axes[int(part)]


def _gradient_shape(shape: Shape, spacing: Any, axis: Any, edge_order: Any, part: Any) -> Shape:
    place = _gradient_axis(shape, axis, part)
    if number("spacing", spacing) == 0.0:
        raise ShapeError("spacing is 0", "give the distance of neighbours")
    if edge_order not in (1, 2):
        raise ShapeError("edge_order is {edge_order}", "choose 1 or 2", edge_order=edge_order)
    if shape[place] <= edge_order:
        raise ShapeError(
            "{op} needs at least {edge_order} elements along axis {place} of shape {shape}",
            "give it more",
            op="gradient",
            edge_order=edge_order + 1,
            place=place,
            shape=shape,
        )
    return shape


def _gradient(x: Any, spacing: float, axis: Any, edge_order: int, part: int) -> Any:
    place = _gradient_axis(x.shape, axis, part)
    return np.gradient(x, spacing, axis=place, edge_order=edge_order)  # type: ignore[call-overload]


def _gradient_back(g: Any, old: Shape, spacing: float, axis: Any, edge_order: int, part: int) -> Any:
    """The transpose of central differences inside and one-sided ones at both ends."""
    place = _gradient_axis(old, axis, part)
    g = np.swapaxes(g, place, -1) / spacing
    last, size = len(old) - 1, old[place]
    inner = 0.5 * g[..., 1:-1]
    total = pad_axis(inner, last, 2, 0) - pad_axis(inner, last, 0, 2)
    ends = np.array([-1.0, 1.0] if edge_order == 1 else [-1.5, 2.0, -0.5], dtype=g.dtype)
    total = total + pad_axis(g[..., :1] * ends, last, 0, size - len(ends))
    total = total + pad_axis(g[..., -1:] * -ends[::-1], last, size - len(ends), 0)
    return np.swapaxes(total, place, -1)


gradient = linear(
    FAMILY,
    "gradient",
    _gradient,
    _gradient_back,
    shape=_gradient_shape,
    shown=formula(
        "(@g[i − 1] − @g[i + 1]) / 2h inside, one-sided at both ends",
        r"\frac{@g_{i - 1} - @g_{i + 1}}{2h} \text{ inside, one-sided at both ends}",
    ),
    attributes=(
        Attribute("spacing", 1.0, "number", "the distance of neighbours"),
        Attribute("axis", None, "axis", "the axis, or list of axes; empty for all"),
        Attribute("edge_order", 1, "integer", "1 or 2: how exact the one-sided differences at both ends are"),
        Attribute("part", 0, "integer", "which of the axes this node is for; numpy returns one array for each"),
    ),
    notation=Notation("gradient({0})", r"\nabla {0}", CALL),
    title="slope by central differences",
    symbol="slope",
    phrase="the slope of {0}",
    doc="The slope of sampled values: central differences inside, one-sided at both ends, as numpy.gradient.",
    examples=(
        ([1.0, 4.0, 9.0, 16.0],),
        ([1.0, 4.0, 9.0], {"spacing": 0.5, "edge_order": 2}),
        (GRID, {"part": 1}),
        (GRID, {"axis": 0}),
        ([1.0, 4.0],),
    ),
)
