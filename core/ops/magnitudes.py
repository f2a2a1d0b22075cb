"""The spread and the size of elements: variance, standard deviation, norms, logsumexp."""

import math
from typing import Any

import numpy as np

from cadena.core.ops.expression import CALL, Notation
from cadena.core.ops.extremes import max_, shares
from cadena.core.ops.formulas import formula
from cadena.core.ops.joining import stack
from cadena.core.ops.primitive import Attribute, Family, Primitive, Shape, ShapeError, Slot
from cadena.core.ops.reduction import (
    AXIS,
    EXAMPLES,
    KEEPDIMS,
    as_axis,
    count,
    mean_of,
    reduced_axes,
    reduced_shape,
    spread,
    too_few,
)
from cadena.core.ops.safer import LARGEST_FIRST, LOST, Occurrence, SaferForm, either, of, squared
from cadena.core.ops.shaping import stop_gradient
from cadena.core.ops.softmax import log_softmax, softmax
from cadena.core.ops.traits import EXP_OVERFLOWS, SIGNED, Trait

FAMILY = Family("Reductions")
GRID = [[1.0, -2.0, 3.0], [4.0, 5.0, -6.5]]
DDOF = Attribute("ddof", 0, "number", "what is taken from the count of elements to divide by; 1 for a sample")
SPREAD_EXAMPLES = (*EXAMPLES, ([1.0, -2.0, 4.0], {"ddof": 1}), (GRID, {"axis": [0, 1]}))


def _spread_shape(shape: Shape, axis: Any, ddof: Any, keepdims: bool) -> Shape:
    return reduced_shape(shape, axis, keepdims)


def _centred(x: Any, axis: Any) -> Any:
    """The distance of each element from the mean; the mean is computed twice so that equal elements give exactly 0."""
    rough = mean_of(x, axis, True)
    return x - (rough + mean_of(x - rough, axis, True))


def _per_element(x: Any, axis: Any, ddof: Any) -> float:
    """The weight of each squared distance; nan where there are no more elements than ddof."""
    freedom = count(x.shape, axis) - ddof
    return 1.0 / freedom if freedom > 0 else math.nan


def _var(x: Any, axis: Any, ddof: Any, keepdims: bool) -> Any:
    wide = x.astype(np.float32) if x.dtype == np.float16 else x
    distance = _centred(wide, axis)
    total = np.sum(distance * distance, axis=as_axis(axis), keepdims=keepdims)
    return (total * _per_element(x, axis, ddof)).astype(x.dtype)


def _var_transpose(g: Any, y: Any, x: Any, axis: Any, ddof: Any, keepdims: bool) -> Any:
    return spread(g, x, axis, keepdims) * _centred(x, axis) * (2.0 * _per_element(x, axis, ddof))


def _var_push(t: Any, y: Any, x: Any, axis: Any, ddof: Any, keepdims: bool) -> Any:
    moved = np.sum(t * _centred(x, axis), axis=as_axis(axis), keepdims=keepdims)
    return moved * (2.0 * _per_element(x, axis, ddof))


def _var_in_pieces(x: Any, axis: Any, ddof: Any, keepdims: bool) -> Any:
    distance = x - np.mean(x, axis=as_axis(axis), keepdims=True)
    return np.sum(np.square(distance), axis=as_axis(axis), keepdims=keepdims) / (count(x.shape, axis) - ddof)


def _over_the_same(match: Occurrence) -> dict[str, Any] | None:
    """The settings of the outer mean; None where the others are not over the same axes."""
    shape, (outer, *inner) = match.shapes["x"], match.attributes["mean"]
    axes = reduced_axes(shape, outer.get("axis"))
    if not shape or any(reduced_axes(shape, one.get("axis")) != axes for one in inner):
        return None
    return {"axis": outer.get("axis"), "keepdims": outer.get("keepdims", False)}


def _of_centred(match: Occurrence) -> dict[str, Any] | None:
    """As `_over_the_same`; None where a mean does not stand against the numbers that it was taken of."""
    settings, shape = _over_the_same(match), match.shapes["x"]
    if settings is None:
        return None
    whole = len(reduced_axes(shape, settings["axis"])) == len(shape)
    return settings if whole or all(one.get("keepdims", False) for one in match.attributes["mean"][1:]) else None


def _of_squares(match: Occurrence) -> dict[str, Any] | None:
    """As `_over_the_same`; None where the two means are of different shape."""
    settings = _over_the_same(match)
    return settings if settings and len({one.get("keepdims", False) for one in match.attributes["mean"]}) == 1 else None


var = FAMILY.structural(
    "var",
    _var,
    Slot(
        "x",
        transpose=_var_transpose,
        push=_var_push,
        shown=formula(
            "@g · 2 (@a − mean(@a)) / (n − ddof)",
            r"@g \cdot \frac{2}{n - \mathrm{ddof}} \left(@a - \mathrm{mean}\left(@a\right)\right)",
        ),
    ),
    shape=_spread_shape,
    attributes=(AXIS, DDOF, KEEPDIMS),
    title="variance",
    synonyms=("variance",),
    phrase="the variance of the elements of {0}",
    doc="The mean squared distance from the mean along the given axes. An element's gradient is 2/n of its distance.",
    edges="ddof is 0 unless set, as in numpy; in PyTorch it is 1. Of no more than ddof elements it is nan.",
    trouble=lambda y, x, axis, ddof, keepdims: too_few("var", x.shape, axis, ddof),
    definition=_var_in_pieces,
    traits=Trait.ZERO_OF_ZEROS,
    safer=(
        SaferForm(
            "Use var for mean(x²) − mean(x)²",
            LOST,
            lambda x: np.mean(squared(x)) - squared(np.mean(x)),
            attributes=_of_squares,
        ),
    ),
    examples=SPREAD_EXAMPLES,
)


def _per_deviation(y: Any) -> Any:
    """1 / y, and 0 where all elements are equal: PyTorch's convention at this corner.

    The derivative of this rule is nan there, also as in PyTorch: a second derivative of 0 would be wrong unseen.
    """
    return np.where(np.equal(y, 0.0), 0.0, 1.0 / y)


def _std_transpose(g: Any, y: Any, x: Any, axis: Any, ddof: Any, keepdims: bool) -> Any:
    scaled = spread(g * _per_deviation(y), x, axis, keepdims)
    return scaled * _centred(x, axis) * _per_element(x, axis, ddof)


def _std_push(t: Any, y: Any, x: Any, axis: Any, ddof: Any, keepdims: bool) -> Any:
    moved = np.sum(t * _centred(x, axis), axis=as_axis(axis), keepdims=keepdims)
    return moved * _per_deviation(y) * _per_element(x, axis, ddof)


def _std(x: Any, axis: Any, ddof: Any, keepdims: bool) -> Any:
    wide = x.astype(np.float32) if x.dtype == np.float16 else x
    return np.sqrt(_var(wide, axis, ddof, keepdims)).astype(x.dtype)


std = FAMILY.structural(
    "std",
    _std,
    Slot(
        "x",
        transpose=_std_transpose,
        push=_std_push,
        shown=formula(
            "@g · (@a − mean(@a)) / ((n − ddof) · @y)",
            r"@g \cdot \frac{@a - \mathrm{mean}\left(@a\right)}{\left(n - \mathrm{ddof}\right) @y}",
        ),
    ),
    shape=_spread_shape,
    attributes=(AXIS, DDOF, KEEPDIMS),
    title="standard deviation",
    synonyms=("stdev",),
    keywords="spread",
    phrase="the standard deviation of the elements of {0}",
    doc="The square root of the variance. Where all elements are equal it has a corner; there the gradient is 0.",
    edges="Where all elements are equal the gradient is 0, as in PyTorch. ddof is 0 unless set, as in numpy; in "
    "PyTorch it is 1. Of no more than ddof elements it is nan.",
    trouble=lambda y, x, axis, ddof, keepdims: too_few("std", x.shape, axis, ddof),
    definition=lambda x, axis, ddof, keepdims: np.sqrt(_var_in_pieces(x, axis, ddof, keepdims)),
    differs="where all numbers are equal the gradient is nan (0 · inf, from the root of 0), where that of std is 0",
    corner=lambda y, x: y == 0.0,
    traits=Trait.ZERO_OF_ZEROS,
    safer=(
        SaferForm(
            "Use std for √var(x)",
            "its gradient is 0 by convention where all elements are equal",
            lambda x: np.sqrt(np.var(x)),
            attributes=of("var"),
        ),
        SaferForm(
            "Use std for the root of the mean squared distance",
            "its gradient is 0 by convention where all elements are equal",
            lambda x: np.sqrt(np.mean(squared(x - np.mean(x)))),
            attributes=_of_centred,
        ),
        SaferForm(
            "Use std for √(mean(x²) − mean(x)²)",
            LOST,
            lambda x: np.sqrt(np.mean(squared(x)) - squared(np.mean(x))),
            attributes=_of_squares,
        ),
    ),
    examples=SPREAD_EXAMPLES[:3] + SPREAD_EXAMPLES[4:],
)


def _order(order: Any, axes: tuple[int, ...]) -> float:
    """`ord` as a number: None and "fro" mean the 2-norm, "inf" the largest magnitude. ShapeError for any other."""
    if order is None or (order == "fro" and len(axes) == 2):
        return 2.0
    if order == "fro":
        raise ShapeError(
            'the norm "fro" needs two axes, not {count}', "leave ord empty for the 2-norm", count=len(axes)
        )
    if isinstance(order, bool) or not ((isinstance(order, int | float) and order >= 1) or order == "inf"):
        raise ShapeError("the norm {order!r} is not known", 'use a number from 1 on, "inf" or "fro"', order=order)
    if len(axes) != 1:
        raise ShapeError("the norm {order} is one of vectors", "name one axis, or leave ord empty", order=order)
    return math.inf if order == "inf" else float(order)


def _norm_shape(shape: Shape, ord: Any, axis: Any, keepdims: bool) -> Shape:
    _order(ord, reduced_axes(shape, axis))
    return reduced_shape(shape, axis, keepdims)


def _norm(x: Any, ord: Any, axis: Any, keepdims: bool) -> Any:
    order, axes = _order(ord, reduced_axes(x.shape, axis)), as_axis(axis)
    if order == 2.0:
        return np.sqrt(np.sum(x * x, axis=axes, keepdims=keepdims))
    if order == 1.0:
        return np.sum(np.abs(x), axis=axes, keepdims=keepdims)
    largest = np.max(np.abs(x), axis=axes, keepdims=True, initial=0.0)
    if order == math.inf:
        return np.reshape(largest, reduced_shape(x.shape, axis, keepdims))
    scale = np.where(largest > 0.0, largest, 1.0)  # so that no power overflows
    powers = np.sum(np.power(np.abs(x) / scale, order), axis=axes, keepdims=True)
    return np.reshape(scale * np.power(powers, 1.0 / order), reduced_shape(x.shape, axis, keepdims))


def _at_corner(x: Any, length: Any) -> Any:
    """x / length, and by convention 0 where the length is 0; its own derivative is nan there, as in PyTorch."""
    return np.where(np.equal(length, 0.0), 0.0, x / length)


def _norm_partials(y: Any, x: Any, ord: Any, axis: Any) -> Any:
    """The derivative with respect to each element: x / y for p = 2, else sign(x) (|x| / y)^(p - 1); 0 where y is 0."""
    order = _order(ord, reduced_axes(x.shape, axis))
    full = np.reshape(y, reduced_shape(x.shape, axis, True))
    if order == 1.0:
        return np.sign(x)
    if order == math.inf:
        return np.sign(x) * shares(y, np.abs(x), axis)
    if order == 2.0:
        return _at_corner(x, full)
    length = np.where(np.equal(full, 0.0), 1.0, full)
    return np.sign(x) * np.power(np.abs(x) / length, order - 1.0)


_of_largest = formula("@g · sign(@a) where |@a| is @y, else 0")


def _shown_norm(g: Any, y: Any, x: Any, ord: Any = None) -> Any:
    if ord in (None, 2, "fro"):
        return g * (x / y)
    if ord in ("inf", np.inf):
        return _of_largest(g, y, x)
    return g * (np.sign(x) * np.power(np.abs(x) / y, float(ord) - 1.0)) if ord != 1 else g * np.sign(x)


def _norm_in_pieces(x: Any, ord: Any, axis: Any, keepdims: bool) -> Any:
    how = {"axis": as_axis(axis), "keepdims": keepdims}
    if ord in (None, "fro", 2):
        return np.sqrt(np.sum(np.square(x), **how))
    if ord == "inf":
        return np.max(np.abs(x), **how)
    return np.sum(np.abs(x), **how) if ord == 1 else np.sum(np.abs(x) ** ord, **how) ** (1.0 / ord)


def _first_axis(match: Occurrence) -> dict[str, Any] | None:
    """The attributes of a norm over a stack of two operands, which must have the same shape."""
    return {"axis": 0} if match.shapes["a"] == match.shapes["b"] else None


norm: Primitive = FAMILY.structural(
    "norm",
    _norm,
    Slot(
        "x",
        transpose=lambda g, y, x, ord, axis, keepdims: spread(g, x, axis, keepdims) * _norm_partials(y, x, ord, axis),
        push=lambda t, y, x, ord, axis, keepdims: np.sum(
            t * _norm_partials(y, x, ord, axis), axis=as_axis(axis), keepdims=keepdims
        ),
        shown=_shown_norm,
    ),
    shape=_norm_shape,
    attributes=(
        Attribute("ord", None, "number", "which norm: empty for the 2-norm, or a number from 1 on", ("inf", "fro")),
        AXIS,
        KEEPDIMS,
    ),
    notation=Notation("‖{0}‖", r"\left\lVert {0} \right\rVert", CALL),
    title="norm",
    symbol="‖x‖",
    keywords="length frobenius euclidean l2 magnitude",
    phrase="the norm of {0}",
    doc="The length of a vector: the square root of the sum of squares, or another norm. At 0 it has a corner; there "
    "the gradient is 0.",
    edges="At 0 the gradient is 0, as in PyTorch.",
    definition=_norm_in_pieces,
    differs="where all numbers are 0 the gradient is nan (0 · inf, from the root of 0), where that of norm is 0",
    corner=lambda y, x: y == 0.0,
    only_real=SIGNED,
    traits=Trait.ZERO_OF_ZEROS,
    safer=(
        SaferForm(
            "Use norm for the root of the sum of squares",
            "its gradient at 0 is 0 by convention",
            lambda x: np.sqrt(np.sum(squared(x))),
            attributes=of("sum"),
        ),
        SaferForm(
            "Use norm for √(a² + b²)",
            "its gradient at 0 is 0 by convention",
            lambda a, b: either(np.sqrt(squared(a) + squared(b)), np.hypot(a, b)),
            lambda a, b: norm(stack(a, b)),
            _first_axis,
        ),
    ),
    examples=(
        ([3.0, -4.0],),
        (GRID,),
        (GRID, {"axis": 1}),
        (GRID, {"axis": 0, "keepdims": True}),
        (GRID, {"ord": "fro"}),
        ([1.0, -2.0, 4.0], {"ord": 1}),
        ([1.0, -2.0, 4.0], {"ord": 2}),
        (GRID, {"ord": "inf", "axis": 1}),
        (GRID, {"ord": 3, "axis": 0}),
        (-2.5,),
    ),
)


def _logsumexp(x: Any, axis: Any, keepdims: bool) -> Any:
    """log(sum(exp(x))), with the largest element taken out first so that nothing overflows."""
    largest = np.max(x, axis=as_axis(axis), keepdims=True, initial=-np.inf)
    shift = np.where(np.isfinite(largest), largest, 0.0).astype(x.dtype)
    result = np.log(np.sum(np.exp(x - shift), axis=as_axis(axis), keepdims=True)) + shift
    return np.reshape(result, reduced_shape(x.shape, axis, keepdims))


def _weighted(w: Any, x: Any) -> Any:
    """In a pattern: the logarithm of a weighted sum of exponentials."""
    return either(np.log(np.sum(w * np.exp(x))), np.log(np.matmul(w, np.exp(x))), logsumexp(np.log(w) + x))


def _reduced_in(match: Occurrence) -> dict[str, Any]:
    """The axes of the sum in a weighted sum of exponentials, and whether it keeps them."""
    op = next((op for op in ("sum", "mean", "logsumexp") if op in match.attributes), None)
    return {"axis": None, "keepdims": False, **(match.of(op) if op else {})}


def _of_weighted(match: Occurrence) -> dict[str, Any] | None:
    """No attributes where the exponents have the shape of the whole, else None."""
    w, x = match.shapes["w"], match.shapes["x"]
    whole = len(w) == len(x) == 1 if "matmul" in match.attributes else np.broadcast_shapes(w, x) == x
    return {} if whole else None


def _of_fixed_weights(match: Occurrence) -> dict[str, Any] | None:
    """The attributes of logsumexp where the weights are positive or 0, and want no gradient, which log(0) has not."""
    w = match.fixed.get("w")
    vectors = "matmul" not in match.attributes or len(match.shapes["w"]) == len(match.shapes["x"]) == 1
    return _reduced_in(match) if w is not None and np.all(w >= 0.0) and vectors else None


def _of_shift(match: Occurrence) -> dict[str, list[dict[str, Any]]]:
    axes = _reduced_in(match)
    return {"sum": [axes], "mean": [axes], "max": [{**axes, "keepdims": True}, axes]}


def _softmax(y: Any, x: Any, axis: Any) -> Any:
    return np.exp(x - np.reshape(y, reduced_shape(x.shape, axis, True)))


logsumexp: Primitive = FAMILY.structural(
    "logsumexp",
    _logsumexp,
    Slot(
        "x",
        transpose=lambda g, y, x, axis, keepdims: spread(g, x, axis, keepdims) * _softmax(y, x, axis),
        push=lambda t, y, x, axis, keepdims: np.sum(t * _softmax(y, x, axis), axis=as_axis(axis), keepdims=keepdims),
        shown=lambda g, y, x: g * np.exp(x - y),
    ),
    shape=reduced_shape,
    attributes=(AXIS, KEEPDIMS),
    notation=Notation("logsumexp({0})", r"\log \sum e^{{{0}}}", CALL),
    title="logarithm of the sum of exponentials",
    symbol="lse",
    keywords="smooth maximum",
    phrase="the logarithm of the sum of the exponentials of {0}",
    doc="log(sum(exp(x))) without overflow: a smooth maximum. Each element's share of the gradient is its softmax.",
    edges="Where all elements are −inf the value is −inf and the gradient nan, as in PyTorch and JAX.",
    definition=lambda x, axis, keepdims: np.log(np.sum(np.exp(x), axis=as_axis(axis), keepdims=keepdims)),
    differs=f"{EXP_OVERFLOWS}, and log(0) is −inf where all are very negative; logsumexp takes the largest out first",
    masked_along=lambda shape, axis, keepdims: reduced_axes(shape, axis),
    safer=(
        SaferForm(
            "Use logsumexp for log(sum(exp(x)))",
            LARGEST_FIRST,
            lambda x: np.log(np.sum(np.exp(x))),
            attributes=of("sum"),
        ),
        SaferForm(
            "Write log(mean(exp(x − max x))) + max x for log(mean(exp(x)))",
            LARGEST_FIRST,
            lambda x: np.log(np.mean(np.exp(x))),
            lambda x: np.log(np.mean(np.exp(x - stop_gradient(max_(x))))) + stop_gradient(max_(x)),
            inner=_of_shift,
        ),
        SaferForm(
            "Write log(Σ x) for logsumexp(log(x))",
            "no logarithm of 0 is taken",
            lambda x: logsumexp(np.log(x)),
            lambda x: np.log(np.sum(x)),
            inner=_of_shift,
        ),
        SaferForm(
            "Write log(Σ w · exp(x − max x)) + max x for log(Σ w · exp(x))",
            "it takes the largest one out first, and no logarithm of a weight is taken",
            _weighted,
            lambda w, x: np.log(np.sum(w * np.exp(x - stop_gradient(max_(x))))) + stop_gradient(max_(x)),
            _of_weighted,
            _of_shift,
        ),
        SaferForm(
            "Use logsumexp of x + log(w) for log(Σ w · exp(x))",
            "it takes the largest one out that has a weight",
            lambda w, x: either(np.log(np.sum(w * np.exp(x))), np.log(np.matmul(w, np.exp(x)))),
            lambda w, x: logsumexp(x + np.log(w)),
            _of_fixed_weights,
        ),
        SaferForm(
            "Use logsumexp of log_softmax(x) + log(w) for log(Σ w · softmax(x))",
            "no share underflows to 0 before its logarithm is taken",
            lambda w, x: np.log(np.sum(w * softmax(x))),
            lambda w, x: logsumexp(log_softmax(x) + np.log(w)),
            _of_fixed_weights,
            lambda match: {"log_softmax": [match.of("softmax")]},
        ),
        SaferForm(
            "Write a − logsumexp(x) for log(exp(a) / Σ exp(x))",
            "neither overflows nor underflows",
            lambda a, x: np.log(np.exp(a) / np.sum(np.exp(x))),
            lambda a, x: a - logsumexp(x),
            inner=lambda match: {"logsumexp": [match.of("sum")]},
        ),
    ),
    examples=EXAMPLES,
)
