"""Composite operations written out in elementary ones: plain numpy code, as textbooks define them.

The records of `ops` compute the same in one step, and where it matters without overflow or loss of digits; to see
that difference (`deviations` tells it) is what these are for. A local variable's name becomes part of its node's name.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from cadena.core.graph.fault import Refused
from cadena.core.ops.activation import SELU_ALPHA, SELU_SCALE, TANH_GELU
from cadena.core.ops.reduction import as_axis, count
from cadena.core.tracing.traced import apply, plain

Definition = Callable[..., Any]
DEFINITIONS: dict[str, Definition] = {}


def define(function: Definition) -> Definition:
    """Put a function into the table under its own name; a _ at the end keeps it apart from Python's."""
    DEFINITIONS[function.__name__.rstrip("_")] = function
    return function


# --- trigonometry, hyperbolas, remainders


DEFINITIONS |= {
    "tan": lambda x: np.sin(x) / np.cos(x),
    "sinh": lambda x: (np.exp(x) - np.exp(-x)) / 2.0,
    "cosh": lambda x: (np.exp(x) + np.exp(-x)) / 2.0,
    "arcsinh": lambda x: np.log(x + np.sqrt(np.square(x) + 1.0)),
    "arccosh": lambda x: np.log(x + np.sqrt(np.square(x) - 1.0)),
    "arctanh": lambda x: np.log((1.0 + x) / (1.0 - x)) / 2.0,
    "expm1": lambda x: np.exp(x) - 1.0,
    "log1p": lambda x: np.log(1.0 + x),
    "erfc": lambda x: 1.0 - apply("erf", [x]),
    "floor_divide": lambda a, b: np.floor(a / b),
    "remainder": lambda a, b: a - b * np.floor(a / b),
    "fmod": lambda a, b: a - b * np.trunc(a / b),
}


@define
def tanh(x: Any) -> Any:
    up, down = np.exp(x), np.exp(-x)
    return (up - down) / (up + down)


@define
def sinc(x: Any) -> Any:
    angle = math.pi * x
    return np.sin(angle) / angle


@define
def clip(x: Any, min: float | None, max: float | None) -> Any:
    above = x if min is None else np.maximum(x, min)
    return above if max is None else np.minimum(above, max)


@define
def outer(a: Any, b: Any) -> Any:
    return np.reshape(a, (a.size, 1)) * np.reshape(b, (1, b.size))


# --- activations


def _squash(x: Any) -> Any:
    return 1.0 / (1.0 + np.exp(-x))


def _smooth_relu(x: Any) -> Any:
    return np.log(1.0 + np.exp(x))


def _exponential_unit(x: Any, alpha: float) -> Any:
    """max(x, 0) + alpha (exp(min(x, 0)) - 1): one of the two parts is always 0."""
    low = alpha * (np.exp(np.minimum(x, 0.0)) - 1.0)
    return np.maximum(x, 0.0) + low


@define
def gelu(x: Any, approximate: str) -> Any:
    if approximate == "tanh":
        bell = np.tanh(TANH_GELU * (x + 0.044715 * x**3.0))
    else:
        bell = apply("erf", [x * math.sqrt(0.5)])
    return 0.5 * x * (1.0 + bell)


DEFINITIONS |= {
    "sigmoid": _squash,
    "softplus": _smooth_relu,
    "logsigmoid": lambda x: -_smooth_relu(-x),
    "silu": lambda x: x * _squash(x),
    "mish": lambda x: x * np.tanh(_smooth_relu(x)),
    "elu": _exponential_unit,
    "selu": lambda x: SELU_SCALE * _exponential_unit(x, SELU_ALPHA),
    "leaky_relu": lambda x, slope: np.maximum(x, 0.0) + slope * np.minimum(x, 0.0),
    "softsign": lambda x: x / (1.0 + np.abs(x)),
    "hardtanh": lambda x: np.minimum(np.maximum(x, -1.0), 1.0),
    "relu6": lambda x: np.minimum(np.maximum(x, 0.0), 6.0),
    "hypot": lambda a, b: np.sqrt(np.square(a) + np.square(b)),
    "logaddexp": lambda a, b: np.log(np.exp(a) + np.exp(b)),
    "logaddexp2": lambda a, b: np.log2(np.exp2(a) + np.exp2(b)),
}


# --- reductions


@define
def mean(x: Any, axis: Any, keepdims: bool) -> Any:
    return np.sum(x, axis=as_axis(axis), keepdims=keepdims) / count(x.shape, axis)


@define
def var(x: Any, axis: Any, ddof: Any, keepdims: bool) -> Any:
    distance = x - np.mean(x, axis=as_axis(axis), keepdims=True)
    return np.sum(np.square(distance), axis=as_axis(axis), keepdims=keepdims) / (count(x.shape, axis) - ddof)


@define
def std(x: Any, axis: Any, ddof: Any, keepdims: bool) -> Any:
    return np.sqrt(var(x, axis, ddof, keepdims))


@define
def norm(x: Any, ord: Any, axis: Any, keepdims: bool) -> Any:
    how = {"axis": as_axis(axis), "keepdims": keepdims}
    if ord in (None, "fro", 2):
        return np.sqrt(np.sum(np.square(x), **how))
    if ord == "inf":
        return np.max(np.abs(x), **how)
    return np.sum(np.abs(x), **how) if ord == 1 else np.sum(np.abs(x) ** ord, **how) ** (1.0 / ord)


@define
def logsumexp(x: Any, axis: Any, keepdims: bool) -> Any:
    return np.log(np.sum(np.exp(x), axis=as_axis(axis), keepdims=keepdims))


@define
def softmax(x: Any, axis: Any) -> Any:
    e = np.exp(x)
    total = np.sum(e, axis=as_axis(axis), keepdims=True)
    return e / total


@define
def log_softmax(x: Any, axis: Any) -> Any:
    total = np.sum(np.exp(x), axis=as_axis(axis), keepdims=True)
    return x - np.log(total)


# --- normalization


def _normalized(x: Any, axes: tuple[int, ...], eps: float) -> Any:
    distance = x - np.mean(x, axis=axes, keepdims=True)
    variance = np.mean(np.square(distance), axis=axes, keepdims=True)
    return distance / np.sqrt(variance + eps)


@define
def batch_norm(x: Any, eps: float) -> Any:
    return _normalized(x, (0, *range(2, x.ndim)), eps)


@define
def layer_norm(x: Any, normalized_shape: Any, eps: float) -> Any:
    last = 1 if normalized_shape is None else np.size(normalized_shape)
    return _normalized(x, tuple(range(x.ndim - last, x.ndim)), eps)


# --- losses


def _reduced(each: Any, reduction: str) -> Any:
    if reduction == "batchmean":
        return np.sum(each) / each.shape[0]
    return each if reduction == "none" else np.sum(each) if reduction == "sum" else np.mean(each)


@define
def huber_loss(a: Any, b: Any, reduction: str, delta: float) -> Any:
    """m (d - m / 2), m being the distance d, but delta at most: d^2 / 2 up to delta, straight beyond."""
    distance = np.abs(a - b)
    bounded = np.minimum(distance, delta)
    return _reduced(bounded * (distance - 0.5 * bounded), reduction)


@define
def hinge_embedding_loss(a: Any, t: Any, reduction: str, margin: float) -> Any:
    is_like = apply("relu", [t])  # 1 for the target 1, 0 for -1
    return _reduced(apply("where", [is_like, a, np.maximum(margin - a, 0.0)]), reduction)


@define
def binary_cross_entropy(p: Any, t: Any, reduction: str) -> Any:
    return _reduced(-(t * np.log(p) + (1.0 - t) * np.log(1.0 - p)), reduction)


@define
def kl_div(x: Any, t: Any, reduction: str, log_target: bool) -> Any:
    return _reduced(np.exp(t) * (t - x) if log_target else t * (np.log(t) - x), reduction)


@define
def nll_loss(x: Any, target: Any, reduction: str, ignore_index: int) -> Any:
    if np.any(np.rint(plain(target)) == ignore_index):
        raise Refused("some examples have the class that does not count, which elementary operations cannot leave out")
    axis = min(1, x.ndim - 1)
    picked = np.take_along_axis(x, np.expand_dims(target, axis), axis)
    return _reduced(-np.squeeze(picked, axis), reduction)


@define
def cross_entropy(x: Any, target: Any, reduction: str, ignore_index: int) -> Any:
    axis = min(1, x.ndim - 1)
    logs = log_softmax(x, axis)
    if target.shape != x.shape:
        return nll_loss(logs, target, reduction, ignore_index)
    return _reduced(-np.sum(target * logs, axis=axis), reduction)


DEFINITIONS |= {
    "mse_loss": lambda a, b, reduction: _reduced(np.square(a - b), reduction),
    "l1_loss": lambda a, b, reduction: _reduced(np.abs(a - b), reduction),
    "hinge": lambda a, t, reduction: _reduced(np.maximum(0.0, 1.0 - t * a), reduction),
    "binary_cross_entropy_with_logits": lambda x, t, reduction: _reduced(_smooth_relu(x) - x * t, reduction),
}
