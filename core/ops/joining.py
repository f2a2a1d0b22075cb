"""Joining arrays and splitting them."""

from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np

from cadena.core.ops.building import (
    GRID,
    along,
    is_whole,
    linear,
    one_axis,
    pad_axis,
    whole,
    wholes,
    with_size,
)
from cadena.core.ops.expression import CALL, Notation
from cadena.core.ops.formulas import formula
from cadena.core.ops.primitive import Attribute, Family, Primitive, Shape, ShapeError, Slot
from cadena.core.text.numbers import number_of
from cadena.core.text.wording import Listing

FAMILY = Family("Shape")

ROW = [7.0, 8.0, 9.0]
# The shapes of the operands and the axis -> their shapes when they are laid end to end, and along which axis.
Layout = Callable[[tuple[Shape, ...], Any], tuple[list[Shape], int]]


def _joined_shape(name: str, shapes: tuple[Shape, ...], laid: list[Shape], axis: int) -> Shape:
    others = {(*shape[:axis], *shape[axis + 1 :]) for shape in laid}
    if len(others) > 1 or len({len(shape) for shape in laid}) > 1:
        listed = Listing(shapes)
        raise ShapeError(
            "{op} cannot join shapes {listed}",
            "make them equal in all axes but axis {axis}",
            op=name,
            listed=listed,
            axis=axis,
        )
    return with_size(laid[0], axis, sum(shape[axis] for shape in laid))


@lru_cache(maxsize=16)
def _laid_out(layout: Layout, shapes: tuple[Shape, ...], axis: Any) -> tuple[list[Shape], int, list[int]]:
    """The shapes end to end, their axis, and where each begins and the last one ends.

    Each operand's rule asks for it: the gradients of thousands of operands took the square of their number.
    """
    laid, place = layout(shapes, axis)
    return laid, place, list(accumulate((shape[place] for shape in laid), initial=0))


def _part(whole_array: Any, operands: tuple[Any, ...], layout: Layout, axis: Any, slot: int) -> Any:
    """The part of the joined array that comes from the operand in `slot`, in its shape."""
    _, place, bounds = _laid_out(layout, tuple(map(np.shape, operands)), axis)
    part = whole_array[along(place, slice(bounds[slot], bounds[slot + 1]))]
    return np.reshape(part, np.shape(operands[slot]))


def _placed(tangent: Any, operands: tuple[Any, ...], layout: Layout, axis: Any, slot: int) -> Any:
    """The tangent of one operand where it stands in the joined array, 0 elsewhere."""
    laid, place, bounds = _laid_out(layout, tuple(map(np.shape, operands)), axis)
    return pad_axis(np.reshape(tangent, laid[slot]), place, bounds[slot], bounds[-1] - bounds[slot + 1])


def joining(
    name: str, value: Callable[..., Any], layout: Layout, attributes: tuple[Attribute, ...], **record: Any
) -> Primitive:
    """Register an operation that lays any number of operands end to end; `layout` says in which shapes and where."""

    def shape(*shapes: Shape, axis: Any = None) -> Shape:
        return _joined_shape(name, shapes, *layout(shapes, axis))

    slot = Slot(
        "part",
        transpose=lambda g, y, *operands, slot, axis=None: _part(g, operands, layout, axis, slot),
        push=lambda t, y, *operands, slot, axis=None: _placed(t, operands, layout, axis, slot),
        shown=formula("@g at the places of this operand"),
    )
    return FAMILY.structural(
        name,
        value,
        slot,
        shape=shape,
        attributes=attributes,
        variadic=True,
        notation=Notation(f"{name}({{operands}})", rf"\mathrm{{{{{name}}}}}\left({{operands}}\right)", CALL),
        **record,
    )


def _end_to_end(shapes: tuple[Shape, ...], axis: Any) -> tuple[list[Shape], int]:
    if axis is None:
        return [(int(np.prod(shape, dtype=int)),) for shape in shapes], 0
    return list(shapes), one_axis(shapes[0], axis)


concatenate = joining(
    "concatenate",
    lambda *parts, axis: np.concatenate(parts, axis),
    _end_to_end,
    (Attribute("axis", 0, "axis", "the axis along which to join; empty to make vectors first"),),
    title="join",
    symbol="concat",
    synonyms=("cat", "concat"),
    keywords="append",
    phrase="{0} and the others joined",
    doc="The operands end to end along an axis they have. Each gets its own part of the gradient.",
    examples=((GRID, [ROW]), (GRID, [[7.0], [8.0]], GRID, {"axis": -1}), (GRID, ROW, {"axis": None}), (ROW,)),
)


def _on_new_axis(shapes: tuple[Shape, ...], axis: Any) -> tuple[list[Shape], int]:
    if len(set(shapes)) > 1:
        raise ShapeError(
            "{op} needs operands of one shape, not {shapes}",
            "reshape some",
            op="stack",
            shapes=Listing(shapes),
        )
    count = len(shapes[0]) + 1
    if not is_whole(axis) or not -count <= axis < count:
        raise ShapeError(
            "{op} of shape {shapes} gives axes 0 to {count}",
            "there is no axis {axis}, change it",
            op="stack",
            shapes=shapes[0],
            count=count - 1,
            axis=axis,
        )
    place = axis % count
    return [(*shape[:place], 1, *shape[place:]) for shape in shapes], place


stack = joining(
    "stack",
    lambda *parts, axis: np.stack(parts, axis),
    _on_new_axis,
    (Attribute("axis", 0, "axis", "where the new axis stands in the result"),),
    title="stack",
    phrase="{0} and the others stacked",
    doc="Operands of one shape side by side along a new axis. Each gets its own part of the gradient.",
    examples=((ROW, ROW), (GRID, GRID, GRID, {"axis": -1}), (1.0, 2.0)),
)


def _lifted(shape: Shape, count: int) -> Shape:
    """A shape with at least `count` axes, as numpy's atleast_1d, atleast_2d and atleast_3d make it."""
    if count == 3 and len(shape) < 3:
        return (1, *shape, 1) if len(shape) == 1 else (*shape, 1) if shape else (1, 1, 1)
    return (1,) * (count - len(shape)) + shape


def _at_least(count: int, axis: int) -> Layout:
    def layout(shapes: tuple[Shape, ...], _: Any) -> tuple[list[Shape], int]:
        laid = [_lifted(shape, count) for shape in shapes]
        return laid, min(axis, len(laid[0]) - 1)

    return layout


hstack = joining(
    "hstack",
    lambda *parts: np.hstack(parts),
    _at_least(1, 1),
    (),
    title="join side by side",
    phrase="{0} and the others side by side",
    doc="The operands joined along their second axis, vectors along their only one.",
    examples=((ROW, [1.0]), (GRID, [[7.0], [8.0]]), (1.0, 2.0)),
)

vstack = joining(
    "vstack",
    lambda *parts: np.vstack(parts),
    _at_least(2, 0),
    (),
    title="join on top of each other",
    phrase="{0} and the others on top of each other",
    doc="The operands joined along their first axis; a vector is a row.",
    examples=((ROW, ROW), (GRID, ROW), (1.0, 2.0)),
)

dstack = joining(
    "dstack",
    lambda *parts: np.dstack(parts),
    _at_least(3, 2),
    (),
    title="join in depth",
    phrase="{0} and the others behind each other",
    doc="The operands joined along their third axis.",
    examples=((ROW, ROW), (GRID, GRID), (1.0, 2.0)),
)

SECTIONS = Attribute("indices_or_sections", 2, "integers", "how many equal pieces, or a list of places where to cut")
AXIS = Attribute("axis", 0, "axis", "the axis to cut")
PART = Attribute("part", 0, "integer", "which of the pieces this node is, counted from 0")


def _cuts(size: int, cut: Any, uneven: bool) -> tuple[int, Callable[[int], int]]:
    """How many pieces an axis of length `size` is cut into, and where each begins; as numpy cuts."""
    if not is_whole(cut):
        inner = [min(max(item + size if item < 0 else item, 0), size) for item in wholes("indices_or_sections", cut)]
        return len(inner) + 1, [0, *inner, size].__getitem__
    count = whole("indices_or_sections", cut, 1)
    least, longer = divmod(size, count)
    if longer and not uneven:
        raise ShapeError(
            "{elements} cannot be cut into {count} equal pieces",
            "use array_split or a list of places",
            elements=number_of(size, "element"),
            count=count,
        )
    return count, lambda index: index * least + min(index, longer)


def _piece(shape: Shape, cut: Any, axis: int, part: int, uneven: bool) -> slice:
    count, start = _cuts(shape[axis], cut, uneven)
    if not 0 <= part < count:
        raise ShapeError(
            "there is no piece {part}",
            "the cut gives pieces 0 to {count}, choose one of them",
            part=part,
            count=count - 1,
        )
    return slice(start(part), max(start(part + 1), start(part)))


def splitting(
    name: str, axis_of: Callable[[Shape, Any], int], attributes: tuple[Attribute, ...], **record: Any
) -> Primitive:
    """Register an operation that is one piece of its operand; `axis_of` gives the axis that is cut."""
    uneven = name == "array_split"

    def piece(old: Shape, cut: Any, part: Any, axis: Any) -> tuple[int, slice]:
        place = axis_of(old, axis)
        return place, _piece(old, cut, place, part, uneven)

    def value(x: Any, indices_or_sections: Any, part: Any, axis: Any = None) -> Any:
        return x[along(*piece(x.shape, indices_or_sections, part, axis))]

    def back(g: Any, old: Shape, indices_or_sections: Any, part: Any, axis: Any = None) -> Any:
        place, selected = piece(old, indices_or_sections, part, axis)
        return pad_axis(g, place, selected.start, old[place] - selected.stop)

    def shape(old: Shape, indices_or_sections: Any, part: Any, axis: Any = None) -> Shape:
        place, selected = piece(old, indices_or_sections, part, axis)
        return with_size(old, place, selected.stop - selected.start)

    return linear(
        FAMILY,
        name,
        value,
        back,
        shape=shape,
        attributes=attributes,
        shown=formula("@g at the piece's place, else 0"),
        notation=Notation(
            f"{name}({{0}})[{{part}}]",
            rf"\mathrm{{{{{name}}}}}\left({{0}}\right)_{{{{{{part}}}}}}".replace("_s", r"\_s"),
            CALL,
        ),
        phrase="piece {part} of {0}",
        doc="One of the pieces of the operand. The gradient goes back to its place; the rest gets none from here.",
        **record,
    )


split = splitting(
    "split",
    one_axis,
    (SECTIONS, AXIS, PART),
    title="piece of equal pieces",
    examples=(([1.0, 2.0, 3.0, 4.0], {"part": 1}), (GRID, {"indices_or_sections": [1, -1], "axis": 1, "part": 2})),
)

array_split = splitting(
    "array_split",
    one_axis,
    (SECTIONS, AXIS, PART),
    title="piece of nearly equal pieces",
    examples=(([1.0, 2.0, 3.0, 4.0, 5.0], {"part": 1}), (GRID, {"axis": 1})),
)


def _horizontal(shape: Shape, _: Any) -> int:
    return one_axis(shape, min(1, max(len(shape) - 1, 0)))


def _vertical(shape: Shape, _: Any) -> int:
    if len(shape) < 2:
        raise ShapeError("{op} needs at least two axes, not shape {shape}", "use split", op="vsplit", shape=shape)
    return 0


hsplit = splitting(
    "hsplit",
    _horizontal,
    (SECTIONS, PART),
    title="piece from left to right",
    examples=(([1.0, 2.0, 3.0, 4.0],), (GRID, {"indices_or_sections": 3, "part": 2})),
)

vsplit = splitting(
    "vsplit",
    _vertical,
    (SECTIONS, PART),
    title="piece from top to bottom",
    examples=((GRID, {"part": 1}), (GRID, {"indices_or_sections": [1]})),
)
