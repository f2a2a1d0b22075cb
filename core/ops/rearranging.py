"""The same elements in other places: axes added and dropped, copies, rotations, turns."""

import math
from typing import Any

import numpy as np

from cadena.core.ops.building import GRID, is_whole, linear, one_axis, wholes, with_size
from cadena.core.ops.expression import CALL, Notation
from cadena.core.ops.formulas import formula
from cadena.core.ops.primitive import REQUIRED, Attribute, Family, Shape, ShapeError
from cadena.core.ops.reduction import reduced_axes
from cadena.core.ops.scattering import add_along_axis
from cadena.core.ops.traits import Trait
from cadena.core.text.numbers import number_of

FAMILY = Family("Shape")


def _call(name: str) -> Notation:
    return Notation(f"{name}({{0}})", rf"\mathrm{{{{{name}}}}}\left({{0}}\right)".replace("_", r"\_"), CALL)


def _axes(axis: Any) -> Any:
    """An axis or a list of them as numpy takes it."""
    return tuple(axis) if isinstance(axis, list) else axis


ravel = linear(
    FAMILY,
    "ravel",
    np.ravel,
    lambda g, old: np.reshape(g, old),
    shape=lambda shape: (math.prod(shape),),
    shown=formula("@g in the shape of @a"),
    title="ravel",
    synonyms=("flatten",),
    keywords="vector",
    phrase="the elements of {0} in a row",
    doc="All elements, row by row, as a vector. The gradient takes the old shape again.",
    traits=Trait.EXACT | Trait.RESHAPES | Trait.PICKS,
    examples=((GRID,), (2.0,), ([[[1.0, 2.0]], [[3.0, 4.0]]],)),
)


def _squeeze_shape(shape: Shape, axis: Any) -> Shape:
    reduced = reduced_axes(shape, axis) if axis is not None else [i for i, size in enumerate(shape) if size == 1]
    for item in reduced:
        if shape[item] != 1:
            raise ShapeError(
                "{op} can only drop axes of length 1, but axis {item} of shape {shape} is longer",
                "leave it",
                op="squeeze",
                item=item,
                shape=shape,
            )
    return tuple(size for index, size in enumerate(shape) if index not in reduced)


squeeze = linear(
    FAMILY,
    "squeeze",
    lambda x, axis: np.squeeze(x, axis=_axes(axis)),
    lambda g, old, axis: np.reshape(g, old),
    shape=_squeeze_shape,
    shown=formula("@g in the shape of @a"),
    attributes=(Attribute("axis", None, "axis", "the axis, or list of axes, of length 1 to drop; empty for all"),),
    title="squeeze",
    phrase="{0} without its axes of length 1",
    doc="The operand without axes of length 1. The gradient takes the old shape again.",
    traits=Trait.EXACT | Trait.RESHAPES | Trait.PICKS,
    examples=(([[[1.0], [2.0]]],), ([[[1.0], [2.0]]], {"axis": 0}), ([[[1.0], [2.0]]], {"axis": [0, -1]}), (2.0,)),
)


def _expand_dims_shape(shape: Shape, axis: Any) -> Shape:
    listed = wholes("axis", axis)
    count = len(shape) + len(listed)
    for item in listed:
        if not -count <= item < count:
            raise ShapeError(
                "{op} of shape {shape} gives axes 0 to {count}",
                "there is no axis {item}, change it",
                op="expand_dims",
                shape=shape,
                count=count - 1,
                item=item,
            )
    new = {item % count for item in listed}
    if len(new) < len(listed):
        raise ShapeError("axis {axis} names the same axis twice", "name each once", axis=axis)
    sizes = iter(shape)
    return tuple(1 if index in new else next(sizes) for index in range(count))


expand_dims = linear(
    FAMILY,
    "expand_dims",
    lambda x, axis: np.expand_dims(x, _axes(axis)),
    lambda g, old, axis: np.reshape(g, old),
    shape=_expand_dims_shape,
    shown=formula("@g in the shape of @a"),
    attributes=(Attribute("axis", 0, "axis", "where the new axis, or axes, stand in the result"),),
    title="new axis",
    symbol="+axis",
    synonyms=("unsqueeze", "newaxis"),
    phrase="{0} with a new axis of length 1",
    doc="The operand with further axes of length 1. The gradient takes the old shape again.",
    traits=Trait.EXACT | Trait.RESHAPES | Trait.PICKS,
    examples=(([1.0, 2.0], {"axis": 1}), (GRID, {"axis": [0, -1]}), (2.0,)),
)


def _broadcast_to_shape(old: Shape, shape: Any) -> Shape:
    target = wholes("shape", shape, 0)
    try:
        fits = np.broadcast_shapes(old, target) == target
    except (ValueError, RuntimeError):  # of more axes than numpy can pair
        fits = False
    if not fits:
        raise ShapeError(
            "shape {old} cannot be repeated to shape {target}",
            "counted from the right, each axis must have the wanted length or length 1",
            old=old,
            target=target,
        )
    return target


_OF_COPIES = formula("the sum of @g over the copies of each element")


def _copies_back(g: Any, y: Any, x: Any, count: Any = None) -> Any:
    """The upstream gradient: where shapes are known, the sum over the axes of the copies is written before it."""
    return _OF_COPIES(g, y, x) if count is None else g


broadcast_to = linear(
    FAMILY,
    "broadcast_to",
    lambda x, shape: np.broadcast_to(x, tuple(shape) if isinstance(shape, list) else shape),
    lambda g, old, shape: g,  # every gradient is summed over the axes along which its operand was repeated
    shape=_broadcast_to_shape,
    shown=_copies_back,
    attributes=(Attribute("shape", REQUIRED, "shape", "the shape to repeat the operand to, for example [2, 3]"),),
    title="repeat to a shape",
    symbol="broadcast",
    synonyms=("expand",),
    phrase="{0} repeated to shape {shape}",
    doc="The operand repeated along new axes and those of length 1. Its gradient is the sum over all copies.",
    traits=Trait.EXACT | Trait.RESHAPES | Trait.PICKS,
    examples=(([1.0, 2.0, 3.0], {"shape": [2, 3]}), ([[1.0], [2.0]], {"shape": [2, 2, 3]}), (2.0, {"shape": [3]})),
)


def _tiling(shape: Shape, reps: Any) -> tuple[Shape, tuple[int, ...]]:
    """Shape and repetitions, both filled up with 1 from the left to the same length."""
    times = wholes("reps", reps, 0)
    count = max(len(shape), len(times))
    return (1,) * (count - len(shape)) + shape, (1,) * (count - len(times)) + times


def _tile_shape(shape: Shape, reps: Any) -> Shape:
    sizes, times = _tiling(shape, reps)
    return tuple(size * time for size, time in zip(sizes, times, strict=True))


def _tile(x: Any, reps: Any) -> Any:
    shape = _tile_shape(np.shape(x), reps)
    if 0 in shape:  # of [1000000000, 0] numpy would make a billion copies first
        return np.reshape(np.tile(x, 0), shape)
    return np.tile(x, reps)


def _tile_back(g: Any, old: Shape, reps: Any) -> Any:
    """The sum over all copies: each axis of the result is (copy, place)."""
    sizes, times = _tiling(old, reps)
    separated = [item for pair in zip(times, sizes, strict=True) for item in pair]
    return np.reshape(np.sum(np.reshape(g, separated), axis=tuple(range(0, len(separated), 2))), old)


tile = linear(
    FAMILY,
    "tile",
    _tile,
    _tile_back,
    shape=_tile_shape,
    shown=formula("the sum of @g over the copies of each element"),
    attributes=(Attribute("reps", REQUIRED, "integers", "how often along each axis, for example [2, 1]"),),
    title="tile",
    phrase="{0} laid side by side {reps} times",
    doc="Copies of the whole operand side by side. Its gradient is the sum over all copies.",
    traits=Trait.PICKS,
    examples=(([1.0, 2.0], {"reps": 3}), (GRID, {"reps": [2, 2]}), ([1.0, 2.0], {"reps": [2, 1]}), (2.0, {"reps": 2})),
)


def _repeat_shape(shape: Shape, repeats: Any, axis: Any) -> Shape:
    times = wholes("repeats", repeats, 0)
    flat = (math.prod(shape),) if axis is None else shape
    place = one_axis(flat, 0 if axis is None else axis)
    if len(times) not in (1, flat[place]):
        raise ShapeError(
            "repeats has {count} entries for {elements}",
            "give one number, or one for each",
            count=len(times),
            elements=number_of(flat[place], "element"),
        )
    return with_size(flat, place, times[0] * flat[place] if len(times) == 1 else sum(times))


def _repeat_back(g: Any, old: Shape, repeats: Any, axis: Any) -> Any:
    flat = (math.prod(old),) if axis is None else old
    place = one_axis(flat, 0 if axis is None else axis)
    if is_whole(repeats):
        return np.reshape(np.sum(np.reshape(g, (*flat[: place + 1], repeats, *flat[place + 1 :])), axis=place + 1), old)
    sources = np.repeat(np.arange(flat[place]), repeats)
    return np.reshape(add_along_axis(g, sources, place, flat[place]), old)


repeat = linear(
    FAMILY,
    "repeat",
    lambda x, repeats, axis: np.repeat(x, repeats, axis),
    _repeat_back,
    shape=_repeat_shape,
    shown=formula("the sum of @g over the copies of each element"),
    attributes=(
        Attribute("repeats", REQUIRED, "integers", "how often each element stands in the result; one number or a list"),
        Attribute("axis", None, "axis", "the axis along which to repeat; empty to make a vector first"),
    ),
    title="repeat elements",
    phrase="{0} with each element repeated {repeats} times",
    doc="Each element several times in a row. Its gradient is the sum over its copies.",
    traits=Trait.PICKS,
    examples=(
        ([1.0, 2.0], {"repeats": 2}),
        (GRID, {"repeats": 2, "axis": 0}),
        (GRID, {"repeats": [1, 0, 2], "axis": -1}),
        (2.0, {"repeats": 3}),
    ),
)


def _negated(shift: Any) -> Any:
    return [-item for item in shift] if isinstance(shift, list | tuple) else -shift


def _roll_shape(shape: Shape, shift: Any, axis: Any) -> Shape:
    shifts = wholes("shift", shift)
    if axis is not None:
        if not shifts or not reduced_axes(shape, axis):
            raise ShapeError("{op} has no shift or no axis", "give one at least", op="roll")
        if len({len(shifts), len(wholes("axis", axis)), 1}) > 2:
            raise ShapeError(
                "{op} has shifts {shift} for axes {axis}",
                "give one shift for each axis",
                op="roll",
                shift=shift,
                axis=axis,
            )
    return shape


roll = linear(
    FAMILY,
    "roll",
    lambda x, shift, axis: np.roll(x, shift, _axes(axis)),
    lambda g, old, shift, axis: np.roll(g, _negated(shift), _axes(axis)),
    shape=_roll_shape,
    shown=formula("@g moved back by the same number of places"),
    attributes=(
        Attribute("shift", 1, "integers", "by how many places; one number or one for each axis"),
        Attribute("axis", None, "axis", "the axis, or list of axes; empty to roll through all elements"),
    ),
    title="roll",
    phrase="{0} rolled by {shift}",
    doc="The elements moved along; what leaves at one end enters at the other. The gradient is moved back.",
    traits=Trait.EXACT | Trait.PICKS,
    examples=(([1.0, 2.0, 3.0],), (GRID, {"shift": 2, "axis": -1}), (GRID, {"shift": [1, -1], "axis": [0, 1]}), (2.0,)),
)


def _flip_shape(shape: Shape, axis: Any) -> Shape:
    reduced_axes(shape, axis)
    return shape


flip = linear(
    FAMILY,
    "flip",
    lambda x, axis: np.flip(x, _axes(axis)),
    lambda g, old, axis: np.flip(g, _axes(axis)),
    shape=_flip_shape,
    shown=formula("@g in reverse order along the same axes"),
    attributes=(Attribute("axis", None, "axis", "the axis, or list of axes, to reverse; empty for all"),),
    title="flip",
    phrase="{0} in reverse order",
    doc="The elements in reverse order along the given axes. The gradient is reversed likewise.",
    traits=Trait.EXACT | Trait.PICKS,
    examples=(([1.0, 2.0, 3.0],), (GRID, {"axis": 0}), (GRID, {"axis": [0, -1]}), (2.0,)),
)


def _turn_axes(shape: Shape, axes: Any) -> tuple[int, int]:
    both = reduced_axes(shape, axes if isinstance(axes, list | tuple) else [axes])
    if len(both) != 2:
        raise ShapeError(
            "{op} turns the plane of two axes, not of {axes}", "name two different axes", op="rot90", axes=axes
        )
    return both[0], both[1]


def _rot90_shape(shape: Shape, k: Any, axes: Any) -> Shape:
    first, second = _turn_axes(shape, axes)
    if k % 2 == 0:
        return shape
    return with_size(with_size(shape, first, shape[second]), second, shape[first])


rot90 = linear(
    FAMILY,
    "rot90",
    lambda x, k, axes: np.rot90(x, k, axes),
    lambda g, old, k, axes: np.rot90(g, -k, axes),
    shape=_rot90_shape,
    shown=formula("@g turned back by as many quarter turns"),
    attributes=(
        Attribute("k", 1, "integer", "how many quarter turns, counter-clockwise"),
        Attribute("axes", [0, 1], "axes", "the two axes whose plane is turned"),
    ),
    title="quarter turn",
    phrase="{0} turned by {k} times 90 degrees",
    doc="The operand turned by quarter turns, from the first axis towards the second. The gradient is turned back.",
    examples=((GRID,), (GRID, {"k": 2}), (GRID, {"k": -1}), ([GRID], {"k": 3, "axes": [2, 0]})),
)
