"""Softmax: scores made into shares that sum to 1, and their logarithms."""

from typing import Any

import numpy as np

from cadena.core.ops.expression import CALL, Notation
from cadena.core.ops.formulas import formula
from cadena.core.ops.primitive import Attribute, Family, Primitive, Shape, ShapeError, Slot
from cadena.core.ops.reduction import reduced_axes
from cadena.core.ops.rounding import clip
from cadena.core.ops.safer import LARGEST_FIRST, Occurrence, SaferForm, either, of_small, of_wide_clip
from cadena.core.ops.traits import EXP_OVERFLOWS
from cadena.core.text.causes import Cause

FAMILY = Family("Activations")

SCORES = [[1.0, 2.0, -1.0], [0.5, -0.5, 3.0]]
AXIS = Attribute("axis", -1, "axis", "the axis, or list of axes, over which the exponentials are summed; empty for all")


def _axes(axis: Any) -> Any:
    return tuple(axis) if isinstance(axis, list) else axis


def _same_shape(shape: Shape, axis: Any) -> Shape:
    if any(not shape[item] for item in reduced_axes(shape, axis)):
        raise ShapeError(
            "{op} of no numbers: shape {shape} has none along axis {axis}",
            "give it at least one",
            op="softmax",
            shape=shape,
            axis=axis,
        )
    return shape


def softmax_value(x: Any, axis: Any) -> Any:
    """exp(x) / sum(exp(x)) along `axis`, without overflow."""
    e = np.exp(x - np.max(x, axis=_axes(axis), keepdims=True))
    return e / np.sum(e, axis=_axes(axis), keepdims=True)


def log_softmax_value(x: Any, axis: Any) -> Any:
    """log(softmax(x)) along `axis`, without overflow or underflow."""
    low = x - np.max(x, axis=_axes(axis), keepdims=True)
    return low - np.log(np.sum(np.exp(low), axis=_axes(axis), keepdims=True))


def _softmax_product(v: Any, y: Any, x: Any, axis: Any) -> Any:
    """The Jacobian diag(y) - y y^T times `v`; it is symmetric, so gradient and tangent take the same way."""
    return y * (v - np.sum(v * y, axis=_axes(axis), keepdims=True))


def _centred(t: Any, y: Any, x: Any, axis: Any) -> Any:
    return t - np.sum(np.exp(y) * t, axis=_axes(axis), keepdims=True)


def _softmax_in_pieces(x: Any, axis: Any) -> Any:
    e = np.exp(x)
    total = np.sum(e, axis=_axes(axis), keepdims=True)
    return e / total


def _shares(x: Any) -> Any:
    return np.exp(x) / np.sum(np.exp(x))


def _any_shares(x: Any) -> Any:
    return either(softmax(x), _shares(x))


def any_log_softmax(x: Any) -> Any:
    """In a pattern: the logarithm of softmax, in the ways to write it."""
    return either(np.log(softmax(x)), log_softmax(x))


def _of_shares(match: Occurrence) -> dict[str, Any] | None:
    """The axis of a softmax in pieces; None where its sum does not stand against the axis that it was taken over."""
    shape, axis = match.shapes["x"], match.of("sum").get("axis")
    whole = len(reduced_axes(shape, axis)) == len(shape)
    fits = whole or match.of("sum").get("keepdims", False)
    return {"axis": axis} if fits and shape else None


def _of_softmax(match: Occurrence) -> dict[str, Any] | None:
    return match.of("softmax") if "softmax" in match.attributes else _of_shares(match)


softmax = FAMILY.structural(
    "softmax",
    softmax_value,
    Slot(
        "x",
        transpose=_softmax_product,
        push=_softmax_product,
        shown=formula("@y · (@g − Σ @y · @g)", r"@y \odot \left(@g - \sum @y \odot @g\right)"),
    ),
    shape=_same_shape,
    attributes=(AXIS,),
    title="softmax",
    phrase="the softmax of {0}",
    doc="exp(x) divided by its sum along an axis: positive shares that sum to 1. Large numbers do not overflow.",
    edges="The largest element is subtracted first, so that nothing overflows.",
    source="Bridle (1990), Probabilistic interpretation of feedforward classification network outputs",
    nan_of_inf=Cause.INF_MINUS_INF,
    masked_along=reduced_axes,
    definition=_softmax_in_pieces,
    differs=f"{EXP_OVERFLOWS}, and inf / inf and 0 / 0 are nan; softmax subtracts the largest number first",
    safer=(SaferForm("Use softmax for exp(x) / sum(exp(x))", LARGEST_FIRST, _shares, attributes=_of_shares),),
    examples=((SCORES,), (SCORES, {"axis": 0}), ([1.0, -2.0, 0.5],), (SCORES, {"axis": [0, 1]})),
)


def log_softmax_in_pieces(x: Any, axis: Any) -> Any:
    total = np.sum(np.exp(x), axis=_axes(axis), keepdims=True)
    return x - np.log(total)


log_softmax: Primitive = FAMILY.structural(
    "log_softmax",
    log_softmax_value,
    Slot(
        "x",
        transpose=lambda g, y, x, axis: g - np.exp(y) * np.sum(g, axis=_axes(axis), keepdims=True),
        push=_centred,
        shown=formula("@g − exp(@y) · Σ @g", r"@g - e^{@y} \odot \sum @g"),
    ),
    shape=_same_shape,
    attributes=(AXIS,),
    notation=Notation("log softmax({0})", r"\log\mathrm{{softmax}}\left({0}\right)", CALL),
    title="logarithm of softmax",
    symbol="log softmax",
    synonyms=("logsoftmax",),
    phrase="the logarithm of the softmax of {0}",
    doc="log(softmax(x)), computed so that no share underflows to 0.",
    edges="The largest element is subtracted first, so that nothing overflows.",
    source="Bridle (1990), Probabilistic interpretation of feedforward classification network outputs",
    nan_of_inf=Cause.INF_MINUS_INF,
    masked_along=reduced_axes,
    definition=log_softmax_in_pieces,
    differs=f"{EXP_OVERFLOWS}, and log(0) is −inf where all are very negative; log_softmax subtracts the largest first",
    safer=(
        SaferForm(
            "Use log_softmax for the logarithm of softmax",
            "no share underflows to 0 before its logarithm is taken",
            lambda x: either(np.log(softmax(x)), np.log(_shares(x))),
            attributes=_of_softmax,
        ),
        SaferForm(
            "Use log_softmax for the logarithm of softmax, without what is added or clamped",
            "no share underflows to 0, and every share keeps its gradient",
            lambda x, e: either(np.log(_any_shares(x) + e), np.log(np.maximum(_any_shares(x), e))),
            lambda x, e: log_softmax(x),
            lambda match: _of_softmax(match) if of_small("e")(match) is not None else None,
            nearly=True,
        ),
        SaferForm(
            "Use log_softmax for the logarithm of softmax, without its clamp",
            "no share underflows to 0, and every share keeps its gradient",
            lambda x: np.log(clip(_any_shares(x))),
            lambda x: log_softmax(x),
            lambda match: _of_softmax(match) if of_wide_clip(match) is not None else None,
            nearly=True,
        ),
    ),
    examples=((SCORES,), (SCORES, {"axis": 0}), ([1.0, -2.0, 0.5],)),
)
