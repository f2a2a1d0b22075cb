"""The same numbers in another shape, and parts of them."""

import ast
import math
from functools import cache
from typing import Any

import numpy as np

from cadena.core.ops.expression import ATOM, CALL, POWER, Notation
from cadena.core.ops.formulas import formula
from cadena.core.ops.primitive import REQUIRED, Attribute, Family, Shape, ShapeError, Slot
from cadena.core.ops.scattering import add_at
from cadena.core.ops.traits import REAL_ONLY, Trait
from cadena.core.text.numbers import number_of

FAMILY = Family("Shape")
GRID = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


def _reshape_shape(old: Shape, shape: Any) -> Shape:
    target = list(shape) if isinstance(shape, list | tuple) else [shape]
    whole = all(isinstance(item, int) and not isinstance(item, bool) and item >= -1 for item in target)
    if not whole or target.count(-1) > 1:
        raise ShapeError("shape {shape} must be a list of whole numbers with at most one -1", "change it", shape=shape)
    count, filled = math.prod(old), math.prod(item for item in target if item != -1)
    if -1 in target:
        if filled == 0 or count % filled:
            raise ShapeError(
                "{elements} of shape {old} cannot fill {target}",
                "change the shape",
                elements=number_of(count, "element"),
                old=old,
                target=tuple(target),
            )
        target[target.index(-1)] = count // filled
    elif filled != count:
        raise ShapeError(
            "shape {old} has {elements}, but shape {target} holds {filled}",
            "change the shape",
            old=old,
            elements=number_of(count, "element"),
            target=tuple(target),
            filled=filled,
        )
    return tuple(target)


reshape = FAMILY.structural(
    "reshape",
    lambda x, shape: np.reshape(x, shape),
    Slot(
        "x",
        transpose=lambda g, y, x, shape: np.reshape(g, x.shape),
        push=lambda t, y, x, shape: np.reshape(t, shape),
        shown=formula("@g in the shape of @a"),
    ),
    shape=_reshape_shape,
    attributes=(Attribute("shape", REQUIRED, "shape", "the new shape, for example [2, 3]; one entry may be -1"),),
    title="reshape",
    synonyms=("view",),
    keywords="size",
    phrase="{0} in another shape",
    doc="The same elements, in the same order, in another shape. The gradient takes the old shape again.",
    traits=Trait.EXACT | Trait.RESHAPES | Trait.PICKS,
    examples=((GRID, {"shape": [3, 2]}), (GRID, {"shape": [-1]}), (2.0, {"shape": [1, 1]})),
)


@cache
def parse_index(text: str) -> Any:
    """An index in numpy's notation ("0", "1:3, ...", "[0, 2]") as what numpy takes; ShapeError if it is none.

    The text is only parsed, never evaluated.
    """
    try:
        tree = ast.parse(f"x[{text}]", mode="eval").body
        assert isinstance(tree, ast.Subscript)
        return _index(tree.slice)
    except (SyntaxError, ValueError, AssertionError, TypeError, RecursionError, MemoryError):
        raise ShapeError(
            "the index {text!r} cannot be read", "write it as in numpy, like 0 or 1:3, ...", text=text[:40]
        ) from None


def _index(tree: ast.expr) -> Any:
    if isinstance(tree, ast.Tuple):
        return tuple(_index(item) for item in tree.elts)
    if isinstance(tree, ast.Slice):
        return slice(*(None if part is None else _whole(part) for part in (tree.lower, tree.upper, tree.step)))
    return _whole(tree)


def _whole(tree: ast.expr) -> Any:
    """A whole number, None, Ellipsis, or a list of whole numbers or truth values."""
    value = ast.literal_eval(tree)
    if isinstance(value, list):
        array = np.array(value) if value else np.array([], dtype=int)
        if array.dtype.kind not in "bi":
            raise ValueError(value)
        return array
    if value is None or value is Ellipsis or isinstance(value, int):
        return value
    raise ValueError(value)


def _getitem_shape(shape: Shape, index: Any) -> Shape:
    key = parse_index(str(index))
    try:
        # A view of one number in the wanted shape costs no memory and asks numpy itself.
        return np.shape(np.broadcast_to(np.float64(0.0), shape)[key])
    except (IndexError, ValueError, OverflowError) as error:  # a slice whose step is 0, a number of 20 digits
        raise ShapeError(
            "the index [{index}] does not fit shape {shape}: {error}",
            "change the index",
            index=index,
            shape=shape,
            error=error,
        ) from None


getitem = FAMILY.structural(
    "getitem",
    lambda x, index: x[parse_index(str(index))],
    Slot(
        "x",
        transpose=lambda g, y, x, index: add_at(g, x.shape, parse_index(str(index))),
        push=lambda t, y, x, index: t[parse_index(str(index))],
        shown=formula("Σ @g[k] over all k at which this element was taken, else 0"),
    ),
    shape=_getitem_shape,
    attributes=(Attribute("index", REQUIRED, "index", "which elements, as in numpy: 0 or 1:3 or :, 0"),),
    notation=Notation("{0}[{index}]", r"{0}[{index}]", POWER, (ATOM,)),
    title="indexing",
    symbol="x[i]",
    keywords="slice element part",
    phrase="the part [{index}] of {0}",
    doc="Some of the elements. The gradient goes back to the places they were taken from; all others get 0.",
    edges="A place out of range is a fault. An element that is taken twice gets both gradients.",
    traits=Trait.EXACT | Trait.PICKS,
    examples=(
        (GRID, {"index": "0"}),
        (GRID, {"index": ":, 1:"}),
        (GRID, {"index": "..., ::-1"}),
        ([1.0, 2.0, 3.0], {"index": "[0, 0, 2]"}),
        (GRID, {"index": "1, None, 2"}),
    ),
)

astype = FAMILY.elementwise(
    "astype",
    lambda x, dtype: np.asarray(x).astype(dtype or np.result_type(x)),
    Slot("x", lambda y, x, dtype: 1.0),
    attributes=(
        Attribute("dtype", None, "choice", "empty to keep the number type", choices=("float16", "float32", "float64")),
    ),
    notation=Notation("{0}", "{0}", ATOM, (ATOM,)),
    title="number type",
    symbol="dtype",
    synonyms=("cast",),
    keywords="float32 float64 convert",
    phrase="{0} in another number type",
    doc="The same numbers, rounded to another number type. The gradient comes back in the operand's own.",
    edges="The derivative is 1: rounding counts as none. Value and gradient of what depends on the result are computed "
    "in its number type.",
    only_real=REAL_ONLY,
    examples=((2.0,), (GRID,)),
)

stop_gradient = FAMILY.elementwise(
    "stop_gradient",
    lambda x: +x,
    Slot("x", differentiable=False),
    notation=Notation("stop_gradient({0})", r"\mathrm{{stop}}\left({0}\right)", CALL, python="(+{0})"),
    title="stop gradient",
    symbol="stop ∂",
    synonyms=("detach",),
    keywords="no_grad constant",
    phrase="{0}, counted as a constant",
    doc="The same numbers, through which no gradient flows: what depends on them counts them as constants.",
    edges="Its derivative counts as 0, although its value follows the operand.",
    traits=Trait.HELD | Trait.EXACT,
    examples=((2.0,), (GRID,)),
)
