"""Operations decided by order: the largest, smallest and middle element, and the index of the largest and smallest."""

from collections.abc import Callable
from typing import Any

import numpy as np

from cadena.core.ops.expression import CALL, Notation
from cadena.core.ops.formulas import formula
from cadena.core.ops.primitive import Attribute, Family, Primitive, Shape, ShapeError, Slot
from cadena.core.ops.reduction import AXIS, KEEPDIMS, as_axis, count, reduced_axes, reduced_shape, spread
from cadena.core.ops.traits import Trait

FAMILY = Family("Reductions")
EXAMPLES = (
    ([1.0, -2.0, 4.0],),
    ([[1.0, 7.0, 3.0], [4.0, 5.0, 6.0]], {"axis": 0}),
    ([[3.0, 2.0, 1.0], [4.0, 5.0, 6.0]], {"axis": -1, "keepdims": True}),
    (2.5,),
)


def _shape_of(name: str) -> Callable[..., Shape]:
    def shape(shape: Shape, axis: Any, keepdims: bool) -> Shape:
        result = reduced_shape(shape, axis, keepdims)
        if count(shape, axis) == 0:
            raise ShapeError(
                "{op} of no elements: shape {shape} has none along axis {axis}",
                "give it at least one",
                op=name,
                shape=shape,
                axis=axis,
            )
        return result

    return shape


def shares(y: Any, x: Any, axis: Any) -> Any:
    """The share of each element in the gradient: those equal to the result share it evenly; nan where it is nan."""
    chosen = np.equal(x, np.reshape(y, reduced_shape(x.shape, axis, True)))
    ties = np.sum(chosen, axis=as_axis(axis), keepdims=True)
    return np.where(ties > 0, chosen / np.maximum(ties, 1), np.nan).astype(x.dtype)


def _extreme_slot() -> Slot:
    return Slot(
        "x",
        transpose=lambda g, y, x, axis, keepdims: spread(g, x, axis, keepdims) * shares(y, x, axis),
        push=lambda t, y, x, axis, keepdims: np.sum(t * shares(y, x, axis), axis=as_axis(axis), keepdims=keepdims),
        shown=formula(
            "@g where @a = @y, shared evenly among equal elements, else 0",
            r"\begin{cases} @g \text{, shared among equals} & @a = @y \\ 0 & \text{otherwise} \end{cases}",
        ),
    )


max_ = FAMILY.structural(
    "max",
    lambda x, axis, keepdims: np.max(x, axis=as_axis(axis), keepdims=keepdims),
    _extreme_slot(),
    shape=_shape_of("max"),
    attributes=(AXIS, KEEPDIMS),
    notation=Notation("max({0})", r"\max {0}", CALL),
    title="largest element",
    synonyms=("amax",),
    phrase="the largest element of {0}",
    doc="The largest element along the given axes. It gets the whole gradient; equal ones share it evenly.",
    edges="Equal largest elements share the gradient evenly, as in PyTorch's amax. A nan makes value and gradient nan.",
    traits=Trait.EXACT | Trait.CHOOSES,
    examples=EXAMPLES,
)

min_ = FAMILY.structural(
    "min",
    lambda x, axis, keepdims: np.min(x, axis=as_axis(axis), keepdims=keepdims),
    _extreme_slot(),
    shape=_shape_of("min"),
    attributes=(AXIS, KEEPDIMS),
    notation=Notation("min({0})", r"\min {0}", CALL),
    title="smallest element",
    synonyms=("amin",),
    phrase="the smallest element of {0}",
    doc="The smallest element along the given axes. It gets the whole gradient; equal ones share it evenly.",
    edges="Equal smallest elements share the gradient evenly, as in PyTorch's amin. A nan makes value and gradient "
    "nan.",
    traits=Trait.EXACT | Trait.CHOOSES,
    examples=EXAMPLES,
)


def _middle(y: Any, x: Any, axis: Any) -> Any:
    """The share of each element in the gradient: 1 for the middle one, 1/2 each for the middle two of an even count.

    Of equal elements the first counts as smaller; nan where the median is nan.
    """
    reduced = reduced_axes(x.shape, axis)
    remaining = [item for item in range(x.ndim) if item not in reduced]
    order = [*remaining, *reduced]
    rows = np.transpose(x, order)
    flat = np.reshape(rows, (*rows.shape[: len(remaining)], count(x.shape, axis)))
    rank = np.argsort(np.argsort(flat, axis=-1, kind="stable"), axis=-1, kind="stable")
    size = flat.shape[-1]
    weights = 0.5 * (rank == (size - 1) // 2) + 0.5 * (rank == size // 2)
    placed = np.transpose(np.reshape(weights, rows.shape), [int(item) for item in np.argsort(order)])
    unknown = np.isnan(np.reshape(y, reduced_shape(x.shape, axis, True)))
    return np.where(unknown, np.nan, placed).astype(x.dtype)


median = FAMILY.structural(
    "median",
    lambda x, axis, keepdims: np.median(x, axis=as_axis(axis), keepdims=keepdims),
    Slot(
        "x",
        transpose=lambda g, y, x, axis, keepdims: spread(g, x, axis, keepdims) * _middle(y, x, axis),
        push=lambda t, y, x, axis, keepdims: np.sum(t * _middle(y, x, axis), axis=as_axis(axis), keepdims=keepdims),
        shown=formula("@g at the middle element, half of it at each of two, else 0"),
    ),
    shape=_shape_of("median"),
    attributes=(AXIS, KEEPDIMS),
    title="median",
    symbol="med",
    phrase="the median of the elements of {0}",
    doc="The element in the middle when they are sorted; of an even count the mean of the middle two, which then share "
    "the gradient.",
    edges="Of an even count it is the mean of the middle two, as in numpy; PyTorch takes the lower one.",
    traits=Trait.CHOOSES,
    examples=(*EXAMPLES, ([4.0, 1.0, 3.0, -2.0],)),
)


def _place_shape(name: str) -> Callable[..., Shape]:
    def shape(shape: Shape, axis: Any, keepdims: bool) -> Shape:
        if isinstance(axis, list | tuple):
            raise ShapeError(
                "{op} looks along one axis, not along {axis}",
                "give one number, or none for all",
                op=name,
                axis=list(axis),
            )
        return _shape_of(name)(shape, axis, keepdims)

    return shape


def _place_of(name: str, find: Callable[..., Any], word: str) -> Primitive:
    return FAMILY.structural(
        name,
        lambda x, axis, keepdims: np.asarray(find(x, axis=axis, keepdims=keepdims)).astype(np.result_type(x)),
        Slot("x", differentiable=False),
        shape=_place_shape(name),
        attributes=(
            Attribute("axis", None, "axis", "the axis to look along; empty for all elements in a row"),
            KEEPDIMS,
        ),
        notation=Notation(f"{name}({{0}})", rf"\mathrm{{{{{name}}}}}\left({{0}}\right)", CALL),
        title=f"place of the {word} element",
        symbol=f"{name[:3]} {name[3:]}",
        phrase=f"the place of the {word} element of {{0}}",
        doc=f"The index of the {word} element, the first of equal ones. It jumps or stays: it has no gradient, and "
        "none flows through it.",
        edges="Of equal elements the first counts.",
        examples=EXAMPLES,
    )


argmax = _place_of("argmax", np.argmax, "largest")
argmin = _place_of("argmin", np.argmin, "smallest")
