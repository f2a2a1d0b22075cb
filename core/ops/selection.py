"""Elements chosen by a condition, by a list of places or by their size, and elements replaced."""

import math
from typing import Any

import numpy as np

from cadena.core.ops.building import GRID, linear, one_axis, untraced, wholes, with_size
from cadena.core.ops.expression import ATOM, CALL, COMPARE, Notation
from cadena.core.ops.formulas import formula
from cadena.core.ops.indices import misplaced
from cadena.core.ops.primitive import REQUIRED, Attribute, Family, Shape, ShapeError, Slot
from cadena.core.ops.scattering import add_along_axis, add_at, has_arrays
from cadena.core.ops.shaping import getitem, parse_index
from cadena.core.ops.traits import REAL_ONLY, Trait
from cadena.core.text.numbers import number_of
from cadena.core.text.wording import Clause

FAMILY = Family("Shape")


def _where_shape(condition: Shape, x: Shape, y: Shape) -> Shape:
    try:
        return np.broadcast_shapes(condition, x, y)
    except ValueError:
        raise ShapeError(
            "{op} cannot pair shapes {condition}, {x} and {y}",
            "make them equal, or 1 in the axes where they differ",
            op="where",
            condition=condition,
            x=x,
            y=y,
        ) from None


where = FAMILY.structural(
    "where",
    np.where,
    Slot("condition", differentiable=False),
    # A choice, not a product with 0: an upstream gradient of inf must not turn the other branch into nan.
    Slot(
        "x",
        transpose=lambda g, y, c, a, b: np.where(c, g, 0.0),
        push=lambda t, y, c, a, b: np.where(c, t, 0.0),
        shown=lambda g, y, c, a, b: np.where(c, g, 0.0),
    ),
    Slot(
        "y",
        transpose=lambda g, y, c, a, b: np.where(c, 0.0, g),
        push=lambda t, y, c, a, b: np.where(c, 0.0, t),
        shown=lambda g, y, c, a, b: np.where(c, 0.0, g),
    ),
    shape=_where_shape,
    notation=Notation(
        "({1} if {0}, else {2})",
        r"\begin{{cases}} {1} & {0} \\ {2} & \text{{otherwise}} \end{{cases}}",
        ATOM,
        (COMPARE, 0, 0),
        "({1} if {0} else {2})",
    ),
    title="choice by a condition",
    keywords="if else mask select",
    phrase="{1} where {0} is not 0, else {2}",
    doc="The second operand where the first is not 0, else the third. Only the chosen one gets the gradient.",
    edges="The branch that is not taken gets the gradient 0 and not a product with 0; a nan that arises later, "
    "further back in that branch, stays nan, as in every library.",
    traits=Trait.EXACT,
    examples=(
        (1.0, 2.0, 3.0),
        ([1.0, 0.0, 1.0], [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]),
        ([[1.0], [0.0]], [1.0, 2.0], 0.5),
    ),
)


def _order(x: Any, axis: int) -> Any:
    return np.argsort(x, axis=axis, kind="stable")


def _sort_shape(shape: Shape, axis: Any) -> Shape:
    if axis is None:
        return (math.prod(shape),)
    one_axis(shape, axis)
    return shape


def _line(x: Any, axis: Any) -> tuple[Any, int]:
    """The operand and the axis to order: all elements in a row where `axis` is None."""
    return (np.ravel(x), 0) if axis is None else (x, axis)


def _ranked(moved: Any, order: Any, axis: Any) -> Any:
    """`moved` in the order in which the operand's elements were put."""
    line, place = _line(moved, axis)
    return np.take_along_axis(line, order, place)


def _ranked_back(g: Any, order: Any, axis: Any, old: Shape) -> Any:
    """Each element's gradient back to the place it came from."""
    place = 0 if axis is None else axis
    return np.reshape(np.take_along_axis(g, np.argsort(order, axis=place, kind="stable"), place), old)


sort = FAMILY.structural(
    "sort",
    lambda x, axis: np.sort(x, axis, kind="stable"),
    Slot(
        "x",
        transpose=lambda g, y, x, axis: _ranked_back(g, _order(*_line(x, axis)), axis, x.shape),
        push=lambda t, y, x, axis: _ranked(t, _order(*_line(x, axis)), axis),
        shown=formula("@g[k] where the element stood that is now at k"),
    ),
    shape=_sort_shape,
    attributes=(Attribute("axis", -1, "axis", "the axis along which to sort; empty to sort all elements"),),
    title="sort",
    phrase="the elements of {0} by size",
    doc="The elements by size, equal ones in their old order. Each gradient goes back to where its element stood.",
    edges="Equal elements keep their order, and with it their gradients.",
    traits=Trait.CHOOSES,
    examples=(([3.0, 1.0, 2.0],), ([[3.0, -1.0], [1.0, 2.0]], {"axis": 0}), ([[3.0, 1.0], [0.5, 2.0]], {"axis": None})),
)


argsort = FAMILY.structural(
    "argsort",
    lambda x, axis: np.asarray(_order(*_line(x, axis))).astype(np.result_type(x)),
    Slot("x", differentiable=False),
    shape=_sort_shape,
    attributes=(Attribute("axis", -1, "axis", "the axis along which to sort; empty to sort all elements"),),
    title="places by size",
    phrase="the places of the elements of {0} by size",
    doc="The indices of the elements by size, equal ones in their old order. They jump or stay: they have no gradient.",
    edges="Equal elements keep their order.",
    examples=(([3.0, 1.0, 2.0],), ([[3.0, -1.0], [1.0, 2.0]], {"axis": 0}), ([[3.0, 1.0], [0.5, 2.0]], {"axis": None})),
)


def _partition_shape(shape: Shape, kth: Any, axis: Any) -> Shape:
    result = _sort_shape(shape, axis)
    size = result[0 if axis is None else one_axis(shape, axis)]
    if not (places := wholes("kth", kth)):
        raise ShapeError("kth is empty", "give at least one place")
    for item in places:
        if not -size <= item < size:
            what, remedy = "kth {place} is out of range: the axis has {elements}", "choose 0 to {last}"
            raise ShapeError(what, remedy, place=item, elements=number_of(size, "element"), last=size - 1)
    return result


def _parted(x: Any, kth: Any, axis: Any) -> Any:
    line, place = _line(x, axis)
    return np.argpartition(line, kth, axis=place)


partition = FAMILY.structural(
    "partition",
    lambda x, kth, axis: _ranked(x, _parted(x, kth, axis), axis),
    Slot(
        "x",
        transpose=lambda g, y, x, kth, axis: _ranked_back(g, _parted(x, kth, axis), axis, x.shape),
        push=lambda t, y, x, kth, axis: _ranked(t, _parted(x, kth, axis), axis),
        shown=formula("@g[k] where the element stood that is now at k"),
    ),
    shape=_partition_shape,
    attributes=(
        Attribute(
            "kth", REQUIRED, "integers", "the place, or list of places, that get the element they have when sorted"
        ),
        Attribute("axis", -1, "axis", "the axis along which to part; empty to part all elements"),
    ),
    title="partition",
    phrase="{0} parted at place {kth}",
    doc="Smaller elements before place kth, larger ones after it. Each gradient goes back to where its element stood.",
    edges="Of equal elements any may come first; each keeps its gradient.",
    traits=Trait.CHOOSES,
    examples=(([3.0, 1.0, 2.0, 0.5], {"kth": 1}), ([[3.0, -1.0], [1.0, 2.0]], {"kth": [0], "axis": 0})),
)


def _places(indices: Any, mode: str, size: int) -> Any:
    """The indices as places from 0 to size - 1, by numpy's rule for `mode`; IndexError where they are out of range."""
    array = np.asarray(indices, dtype=np.intp)
    if mode == "wrap":
        return array % max(size, 1)
    if mode == "clip":
        return np.clip(array, 0, size - 1)
    return np.where(array < 0, array + size, array)


def _take_shape(shape: Shape, indices: Any, axis: Any, mode: Any) -> Shape:
    flat = (math.prod(shape),) if axis is None else shape
    place = one_axis(flat, 0 if axis is None else axis)
    try:
        array = np.array(indices) if np.size(indices) else np.zeros(np.shape(indices), dtype=int)
    except ValueError:
        raise ShapeError(
            "indices {indices} have rows of different lengths", "make them equal", indices=str(indices)[:40]
        ) from None
    if array.dtype.kind != "i":
        raise ShapeError("indices {indices} must be whole numbers", "change them", indices=str(indices)[:40])
    size = flat[place]
    outside = array[(array < -size) | (array >= size)] if mode == "raise" else np.ravel(array)[: 0 if size else None]
    if outside.size:
        what, remedy = "index {index} is out of range for axis {axis} of shape {shape}", "there is nothing to take"
        if size:
            remedy = "choose {least} to {last}"
        operands = {"index": outside.flat[0], "axis": place, "shape": flat, "least": -size, "last": size - 1}
        raise ShapeError(what, remedy, **operands)
    return (*flat[:place], *array.shape, *flat[place + 1 :])


def _take_back(g: Any, old: Shape, indices: Any, axis: Any, mode: str) -> Any:
    flat = (math.prod(old),) if axis is None else old
    place = one_axis(flat, 0 if axis is None else axis)
    places = np.ravel(_places(indices, mode, flat[place]))
    g = np.reshape(g, with_size(flat, place, places.size))
    return np.reshape(add_along_axis(g, places, place, flat[place]), old)


def _take(x: Any, indices: Any, axis: Any, mode: str) -> Any:
    return np.take(x, np.asarray(indices, dtype=np.intp), axis, mode=mode)  # type: ignore[call-overload]


take = linear(
    FAMILY,
    "take",
    _take,
    _take_back,
    shape=_take_shape,
    shown=formula("Σ @g[k] over all k at which this element was taken, else 0"),
    attributes=(
        Attribute("indices", REQUIRED, "integers", "the places to take from: a whole number or a list, also nested"),
        Attribute("axis", None, "axis", "the axis to take from; empty to count through all elements"),
        Attribute(
            "mode",
            "raise",
            "choice",
            "places out of range: raise (a fault), wrap (count on), clip (the last one)",
            choices=("raise", "wrap", "clip"),
        ),
    ),
    title="take by places",
    phrase="the elements of {0} at {indices}",
    doc="The elements at a list of places. An element that is taken twice gets both gradients; the others get 0.",
    edges='A place out of range is a fault in mode "raise"; in the others it counts on, or is the last one.',
    traits=Trait.EXACT | Trait.PICKS,
    examples=(
        ([1.0, 2.0, 3.0], {"indices": [0, 0, -1]}),
        (GRID, {"indices": 4}),
        (GRID, {"indices": [[0, 2], [1, 1]], "axis": 1}),
        (GRID, {"indices": [-1, 7], "axis": 0, "mode": "wrap"}),
        (GRID, {"indices": [-1, 7], "axis": 0, "mode": "clip"}),
    ),
)


def _line_key(x: Any, indices: Any, axis: int) -> Any:
    """The index that takes, in each line along `axis`, the elements at the line's own indices; counted from 0."""
    place = one_axis(x.shape, axis)
    numbers = np.rint(untraced(indices)).astype(np.intp)
    rows = list(np.ogrid[tuple(slice(size) for size in numbers.shape)])
    rows[place] = np.clip(np.where(numbers < 0, numbers + x.shape[place], numbers), 0, x.shape[place] - 1)
    return tuple(rows)


def _line_shape(shape: Shape, indices: Shape, axis: Any) -> Shape:
    place = one_axis(shape, axis)
    if len(indices) != len(shape) or with_size(indices, place, 0) != with_size(shape, place, 0):
        raise ShapeError(
            "indices of shape {indices} do not fit shape {shape}",
            "all axes but axis {place} must be equal",
            indices=indices,
            shape=shape,
            place=place,
        )
    if indices[place] and not shape[place]:
        raise ShapeError(
            "there is nothing to take: axis {place} of shape {shape} is empty",
            "take from another",
            place=place,
            shape=shape,
        )
    return indices


def _out_of_line(x: Any, indices: Any, axis: int) -> Any:
    """Where the indices are no places along the axis."""
    size, indices = x.shape[one_axis(x.shape, axis)], untraced(indices)
    return (np.rint(indices) < -size) | (np.rint(indices) >= size) | (np.abs(indices - np.rint(indices)) > 1e-3)


def _line_trouble(y: Any, x: Any, indices: Any, axis: int) -> Clause | None:
    size = x.shape[one_axis(x.shape, axis)]
    return misplaced("take_along_axis", "index", indices, ~_out_of_line(x, indices, axis), -size, size - 1)


def _line_back(g: Any, x: Any, indices: Any, axis: int) -> Any:
    wrong = _out_of_line(x, indices, axis)
    if not _are_plain(g, indices):  # the places are to follow new numbers
        if wrong.any():
            g, indices = np.where(wrong, 0.0, g), np.where(wrong, 0.0, indices)
        return put_along_axis(np.zeros(x.shape, g.dtype), indices, g, axis=axis, accumulate=True)
    return add_at(np.where(wrong, 0.0, g), x.shape, _line_key(x, indices, axis))


def _line_push(t: Any, x: Any, indices: Any, axis: int) -> Any:
    wrong = _out_of_line(x, indices, axis)
    if not _are_plain(t, indices):
        safe = np.where(wrong, 0.0, indices) if wrong.any() else indices
        taken = take_along_axis(t, safe, axis=axis)
        return np.where(wrong, 0.0, taken) if wrong.any() else taken
    return np.where(wrong, 0.0, t[_line_key(x, indices, axis)])


def _are_plain(*items: Any) -> bool:
    return all(isinstance(item, np.ndarray | np.generic) for item in items)


take_along_axis = FAMILY.structural(
    "take_along_axis",
    lambda x, i, axis: np.where(_out_of_line(x, i, axis), np.nan, x[_line_key(x, i, axis)]),
    Slot(
        "x",
        transpose=lambda g, y, x, i, axis: _line_back(g, x, i, axis),
        push=lambda t, y, x, i, axis: _line_push(t, x, i, axis),
        shown=formula("Σ @g[k] over all k at which this element was taken, else 0"),
    ),
    Slot("indices", differentiable=False),
    shape=_line_shape,
    attributes=(Attribute("axis", -1, "axis", "the axis along which the indices count"),),
    notation=Notation("take_along_axis({0}, {1})", r"\mathrm{{take}}\left({0}, {1}\right)", CALL),
    title="take in each line",
    symbol="take along",
    synonyms=("gather",),
    phrase="the elements of {0} at {1} in each line",
    doc="In each line along an axis the elements at the line's own indices, such as argsort gives; one that is not "
    "there gives nan.",
    edges="Negative indices count from the end; one that is out of range gives nan and a fault.",
    trouble=_line_trouble,
    traits=Trait.PICKS,
    examples=(
        (GRID, [[0.0, 0.0], [2.0, -1.0]]),
        (GRID, [[1.0, 0.0, 1.0]], {"axis": 0}),
    ),
)


LAST, EACH = "last", "each"
TWICE = (
    "an index occurs twice here; as in PyTorch, the graph gives the gradient to all values written there, "
    "although the last alone counts: Cadena's own rule gives it to the last"
)


def _index_put_shape(x: Shape, values: Shape, index: Any, repeated: str) -> Shape:
    place = getitem.shape(x, index=index)
    try:
        fits = np.broadcast_shapes(place, values) == place
    except ValueError:
        fits = False
    if not fits:
        raise ShapeError(
            "values of shape {values} do not fill x[{index}], which has shape {place}",
            "give that shape",
            values=values,
            index=index,
            place=place,
        )
    return x


def _index_put(x: Any, values: Any, index: Any, repeated: str) -> Any:
    changed = np.array(x)
    changed[parse_index(str(index))] = values
    return changed


def is_repeated(shape: Shape, index: str) -> bool:
    """Whether an index names an element of `shape` twice."""
    places = np.arange(math.prod(shape)).reshape(shape)[parse_index(index)]
    return np.unique(places).size < np.size(places)


def _owners(shape: Shape, index: Any) -> Any:
    """The number of the value that each element of `shape` gets, counted through x[index]; -1 for those that stay."""
    places = np.arange(math.prod(shape)).reshape(shape)[parse_index(str(index))]
    owners = np.full(math.prod(shape), -1)
    owners[places.ravel()] = np.arange(places.size)  # of several values for one element the last stays, as in numpy
    return owners.reshape(shape)


def _values_back(g: Any, y: Any, x: Any, values: Any, index: Any, repeated: str) -> Any:
    """The upstream gradient of the elements that were replaced; of several values for one only the last counts."""
    key = parse_index(str(index))
    part = g[key]
    if not has_arrays(key) or repeated == EACH:
        return part
    owners = np.ravel(_owners(x.shape, index)[key])
    stayed = np.reshape(owners == np.arange(owners.size), np.shape(part))
    return np.where(stayed, part, 0.0)


def _values_push(t: Any, y: Any, x: Any, values: Any, index: Any, repeated: str) -> Any:
    if repeated == EACH:  # the transpose of the rule above
        return add_at(np.broadcast_to(t, getitem.shape(x.shape, index=index)), x.shape, parse_index(str(index)))
    owners = _owners(x.shape, index)
    place = getitem.shape(x.shape, index=index)
    if not math.prod(place):
        return np.zeros(x.shape, dtype=t.dtype)
    return np.where(owners >= 0, np.take(np.ravel(np.broadcast_to(t, place)), np.maximum(owners, 0)), 0.0)


_AT_PLACES = formula("@g at the replaced places")
_SUMMED_AT_PLACES = formula("@g at the replaced places, summed where a value was repeated")


def _put_values_back(g: Any, y: Any, x: Any, values: Any, count: Any = None) -> Any:
    """The rule to show: where shapes are known, the sum over the axes of repeated values is written before it."""
    return (_SUMMED_AT_PLACES if count is None else _AT_PLACES)(g, y, x, values)


index_put = FAMILY.structural(
    "index_put",
    _index_put,
    Slot(
        "x",
        transpose=lambda g, y, x, values, index, repeated: np.where(_owners(x.shape, index) >= 0, 0.0, g),
        push=lambda t, y, x, values, index, repeated: np.where(_owners(x.shape, index) >= 0, 0.0, t),
        shown=formula("0 where replaced, else @g"),
    ),
    Slot(
        "values",
        transpose=_values_back,
        push=_values_push,
        shown=_put_values_back,
    ),
    shape=_index_put_shape,
    attributes=(
        Attribute("index", REQUIRED, "index", "which elements to replace, as in numpy: 0 or 1:3 or :, 0"),
        Attribute("repeated", LAST, "choice", "which of several values for one element get its gradient", (LAST, EACH)),
    ),
    notation=Notation("{0} with [{index}] = {1}", r"{{{0}}}_{{[{index}] \leftarrow {1}}}", COMPARE, (ATOM, ATOM)),
    title="elements replaced",
    symbol="x[i]=v",
    phrase="{0} with its part [{index}] replaced by {1}",
    doc="The first operand with some elements replaced by the second. What is replaced gets no gradient.",
    edges="Of several values for one element the last one counts, and gets the gradient. PyTorch gives it to each of "
    "them, which `repeated` set to each does too: the derivative of no function.",
    only_real=REAL_ONLY,
    examples=(
        (GRID, 9.0, {"index": "0"}),
        (GRID, [7.0, 8.0], {"index": ":, 1"}),
        ([1.0, 2.0, 3.0], [7.0, 8.0, 9.0], {"index": "[0, 0, 2]"}),
        (GRID, [[7.0], [8.0]], {"index": "..., ::-1"}),
    ),
)


def _put_shape(x: Shape, indices: Shape, values: Shape, axis: Any, accumulate: bool) -> Shape:
    _line_shape(x, indices, axis)
    if values != indices:
        try:
            fits = np.broadcast_shapes(values, indices) == indices
        except ValueError:
            fits = False
        if not fits:
            raise ShapeError(
                "values of shape {values} do not fill indices of shape {indices}",
                "give that shape",
                values=values,
                indices=indices,
            )
    return x


def _put_along(x: Any, indices: Any, values: Any, axis: int, accumulate: bool) -> Any:
    key, bad = _line_key(x, indices, axis), _out_of_line(x, indices, axis)
    changed = np.array(x, dtype=np.result_type(x, values))
    if accumulate:
        np.add.at(changed, key, np.where(bad, np.nan, values))
    else:
        changed[key] = np.where(bad, np.nan, values)
    return changed


def _put_keeps(g: Any, x: Any, indices: Any, axis: int, accumulate: bool) -> Any:
    """A gradient or tangent of `x` where its element is still in the result, else 0."""
    if accumulate:
        return g
    kept = put_along_axis(np.ones(x.shape), indices, np.zeros((1,) * len(x.shape)), axis=axis)
    return np.where(kept == 1.0, g, 0.0)


def _put_counts(g: Any, x: Any, indices: Any, axis: int, accumulate: bool) -> Any:
    """A gradient or tangent of the values where they are in the result: of several for one element the last."""
    if accumulate:
        return g
    turns = np.arange(math.prod(indices.shape), dtype=np.float64).reshape(indices.shape)
    owners = put_along_axis(np.full(x.shape, -1.0), indices, turns, axis=axis)
    return np.where(take_along_axis(owners, indices, axis=axis) == turns, g, 0.0)


def _put_push(t: Any, x: Any, indices: Any, axis: int, accumulate: bool) -> Any:
    counted = _put_counts(np.broadcast_to(t, indices.shape), x, indices, axis, accumulate)
    return put_along_axis(np.zeros(x.shape, t.dtype), indices, counted, axis=axis, accumulate=True)


def _put_trouble(y: Any, x: Any, indices: Any, values: Any, axis: int, accumulate: bool) -> Clause | None:
    size = x.shape[one_axis(x.shape, axis)]
    return misplaced("put_along_axis", "index", indices, ~_out_of_line(x, indices, axis), -size, size - 1)


put_along_axis = FAMILY.structural(
    "put_along_axis",
    _put_along,
    Slot(
        "x",
        transpose=lambda g, y, x, i, v, axis, accumulate: _put_keeps(g, x, i, axis, accumulate),
        push=lambda t, y, x, i, v, axis, accumulate: _put_keeps(t, x, i, axis, accumulate),
        shown=formula("0 where replaced, else @g"),
    ),
    Slot("indices", differentiable=False),
    Slot(
        "values",
        transpose=lambda g, y, x, i, v, axis, accumulate: _put_counts(
            _line_push(g, x, i, axis), x, i, axis, accumulate
        ),
        push=lambda t, y, x, i, v, axis, accumulate: _put_push(t, x, i, axis, accumulate),
        shown=formula("@g at the places that were filled"),
    ),
    shape=_put_shape,
    attributes=(
        Attribute("axis", -1, "axis", "the axis along which the indices count"),
        Attribute("accumulate", False, "flag", "whether values are added to the elements rather than replace them"),
    ),
    notation=Notation("put_along_axis({0}, {1}, {2})", r"\mathrm{{put}}\left({0}, {1}, {2}\right)", CALL),
    title="put in each line",
    symbol="put along",
    synonyms=("scatter",),
    phrase="{0} with {2} put at {1} in each line",
    doc="In each line along an axis the elements at the line's own indices are replaced by values, or get them added. "
    "What is replaced gets no gradient.",
    edges="Of several values for one element the last one counts, and gets the gradient; added ones all count. An "
    "index that is out of range gives nan and a fault.",
    trouble=_put_trouble,
    examples=(
        (GRID, [[0.0], [2.0]], [[7.0], [8.0]]),
        (GRID, [[1.0, 0.0, 1.0]], [[7.0, 8.0, 9.0]], {"axis": 0}),
        (GRID, [[0.0, 0.0], [2.0, -1.0]], [[7.0, 8.0], [9.0, 1.0]]),
        (GRID, [[0.0, 0.0], [2.0, -1.0]], [[7.0, 8.0], [9.0, 1.0]], {"accumulate": True}),
    ),
)
