"""Batch and layer normalization: numbers brought to mean 0 and variance 1."""

import math
from typing import Any

import numpy as np

from cadena.core.ops.building import number, wholes
from cadena.core.ops.expression import CALL, Notation
from cadena.core.ops.formulas import formula
from cadena.core.ops.primitive import Attribute, Family, Shape, ShapeError, Slot
from cadena.core.ops.softmax import SCORES
from cadena.core.ops.solving import in_single

FAMILY = Family("Layers")

EPS = Attribute("eps", 1e-5, "number", "added to the variance, so that equal numbers do no harm")
# With y the normalized numbers: what is left of the gradient beside its mean and its part along y.
BACK = formula(
    "(@g − mean(@g) − @y · mean(@g · @y)) / σ",
    r"\frac{1}{\sigma} \left(@g - \mathrm{mean}\left(@g\right) "
    r"- @y \, \mathrm{mean}\left(@g \cdot @y\right)\right)",
)


def _normalize(x: Any, axes: tuple[int, ...], eps: float) -> Any:
    return (x - np.mean(x, axis=axes, keepdims=True)) * _scale(x, axes, eps)


def _scale(x: Any, axes: tuple[int, ...], eps: float) -> Any:
    return 1.0 / np.sqrt(np.var(x, axis=axes, keepdims=True) + eps)


def _normalized(v: Any, y: Any, x: Any, axes: tuple[int, ...], eps: float) -> Any:
    """The Jacobian of normalization times `v`; it is symmetric, so gradient and tangent take the same way.

    Ioffe and Szegedy 2015, section 3: what shifts or stretches all numbers alike has no effect and is taken out.
    """
    mean = np.mean(v, axis=axes, keepdims=True)
    return _scale(x, axes, eps) * (v - mean - y * np.mean(v * y, axis=axes, keepdims=True))


def _batch_axes(count: int) -> tuple[int, ...]:
    return (0, *range(2, count))


def _batch_shape(shape: Shape, eps: Any) -> Shape:
    number("eps", eps, 0.0)
    if len(shape) < 2:
        raise ShapeError(
            "{op} needs a batch (examples, channels, ...), not shape {shape}",
            "reshape it",
            op="batch_norm",
            shape=shape,
        )
    if math.prod(shape) // max(shape[1], 1) < 2:
        raise ShapeError(
            "{op} of shape {shape} has no more than one number for each channel",
            "give a larger batch",
            op="batch_norm",
            shape=shape,
        )
    return shape


def _in_pieces(x: Any, axes: tuple[int, ...], eps: float) -> Any:
    distance = x - np.mean(x, axis=axes, keepdims=True)
    variance = np.mean(np.square(distance), axis=axes, keepdims=True)
    return distance / np.sqrt(variance + eps)


def _batch_in_pieces(x: Any, eps: float) -> Any:
    return _in_pieces(x, _batch_axes(x.ndim), eps)


batch_norm = FAMILY.structural(
    "batch_norm",
    in_single(lambda x, eps: _normalize(x, _batch_axes(x.ndim), eps)),
    Slot(
        "x",
        transpose=in_single(lambda g, y, x, eps: _normalized(g, y, x, _batch_axes(x.ndim), eps)),
        push=in_single(lambda t, y, x, eps: _normalized(t, y, x, _batch_axes(x.ndim), eps)),
        shown=BACK,
    ),
    shape=_batch_shape,
    attributes=(EPS,),
    notation=Notation("batch_norm({0})", r"\mathrm{{batchnorm}}\left({0}\right)", CALL),
    title="batch normalization",
    symbol="batchnorm",
    synonyms=("batchnorm2d",),
    phrase="{0} with mean 0 and variance 1 in each channel",
    doc="Each channel (axis 1) with mean 0 and variance 1 over the batch, as in training. Scale and shift it with "
    "multiply and add.",
    source="Ioffe and Szegedy (2015), Batch normalization",
    edges="Where all numbers of a channel are equal, eps keeps value and gradient at 0 and finite.",
    definition=_batch_in_pieces,
    analytic=_batch_in_pieces,
    examples=((SCORES,), ([[[1.0, 2.0], [3.0, -1.0]], [[0.5, 1.0], [2.0, 4.0]]], {"eps": 0.1})),
)


def _layer_axes(shape: Shape, normalized_shape: Any) -> tuple[int, ...]:
    normalized = shape[-1:] if normalized_shape is None else wholes("normalized_shape", normalized_shape, 1)
    if not normalized or shape[len(shape) - len(normalized) :] != normalized or math.prod(normalized) == 0:
        raise ShapeError(
            "{op} over {normalized} does not fit shape {shape}",
            "give the lengths of its last axes",
            op="layer_norm",
            normalized=normalized,
            shape=shape,
        )
    return tuple(range(len(shape) - len(normalized), len(shape)))


def _layer_shape(shape: Shape, normalized_shape: Any, eps: Any) -> Shape:
    number("eps", eps, 0.0)
    _layer_axes(shape, normalized_shape)
    return shape


def _layer_product(v: Any, y: Any, x: Any, normalized_shape: Any, eps: float) -> Any:
    return _normalized(v, y, x, _layer_axes(x.shape, normalized_shape), eps)


def _layer_in_pieces(x: Any, normalized_shape: Any, eps: float) -> Any:
    last = 1 if normalized_shape is None else np.size(normalized_shape)
    return _in_pieces(x, tuple(range(x.ndim - last, x.ndim)), eps)


layer_norm = FAMILY.structural(
    "layer_norm",
    in_single(lambda x, normalized_shape, eps: _normalize(x, _layer_axes(x.shape, normalized_shape), eps)),
    Slot(
        "x",
        transpose=in_single(_layer_product),
        push=in_single(_layer_product),
        shown=BACK,
    ),
    shape=_layer_shape,
    attributes=(
        Attribute("normalized_shape", None, "shape", "the lengths of the last axes; empty for the last one"),
        EPS,
    ),
    notation=Notation("layer_norm({0})", r"\mathrm{{layernorm}}\left({0}\right)", CALL),
    title="layer normalization",
    symbol="layernorm",
    phrase="{0} with mean 0 and variance 1 in each example",
    doc="Each example with mean 0 and variance 1 over its last axes. Scale and shift it with multiply and add.",
    source="Ba, Kiros and Hinton (2016), Layer normalization",
    edges="Where all numbers of an example are equal, eps keeps value and gradient at 0 and finite.",
    definition=_layer_in_pieces,
    analytic=_layer_in_pieces,
    examples=((SCORES,), (SCORES, {"normalized_shape": [2, 3], "eps": 0.1}), ([1.0, 4.0],)),
)
