"""Losses for one class out of several, from logits or log-probabilities, as PyTorch defines them."""

import math
from typing import Any

import numpy as np

from cadena.core.ops.building import untraced
from cadena.core.ops.formulas import formula
from cadena.core.ops.indices import NEAR, misplaced, places
from cadena.core.ops.loss import REDUCTION, reduced, reduced_in_pieces
from cadena.core.ops.primitive import Attribute, Family, Shape, ShapeError, Slot
from cadena.core.ops.reduction import reduced_axes
from cadena.core.ops.safer import Occurrence, SaferForm, either
from cadena.core.ops.softmax import any_log_softmax, log_softmax_in_pieces, log_softmax_value, softmax_value
from cadena.core.ops.traits import EXP_OVERFLOWS
from cadena.core.text.wording import Clause

FAMILY = Family("Losses")

IGNORE = Attribute("ignore_index", -100, "integer", "examples with this class do not count")
LOGITS = [[1.0, 2.0, -1.0], [0.5, -0.5, 3.0]]


def _class_axis(count: int) -> int:
    """Axis 1 holds the classes, or the only axis where there is no batch."""
    return min(1, count - 1)


def _class_shape(name: str, x: Shape, target: Shape, reduction: Any, ignore_index: Any) -> Shape:
    if not x:
        raise ShapeError(
            "{op} needs a number for each class, not a single number", "give shape (batch, classes)", op=name
        )
    axis = _class_axis(len(x))
    if not x[axis]:
        raise ShapeError("{op} needs at least one class, and shape {x} has none", "give numbers for some", op=name, x=x)
    examples = (*x[:axis], *x[axis + 1 :])
    if target != examples:
        raise ShapeError(
            "{op} has classes along axis {axis} of shape {x}, so its target must have shape {examples}, not {target}",
            "change one of them",
            op=name,
            axis=axis,
            x=x,
            examples=examples,
            target=target,
        )
    return examples if reduction == "none" else ()


def _one_hot(x: Any, target: Any, ignore_index: int) -> tuple[Any, Any]:
    """1 at the class of each example, 0 elsewhere, nan for a class that is not there; and which examples count."""
    axis = _class_axis(x.ndim)
    classes = np.reshape(np.arange(x.shape[axis]), (-1,) + (1,) * (x.ndim - axis - 1))
    if not isinstance(target, np.ndarray | np.generic | float):  # traced: the choice is to follow other classes
        counted = np.not_equal(target, float(ignore_index))
        hit = np.where(np.abs(np.expand_dims(target, axis) - classes.astype(np.float64)) < NEAR, 1.0, 0.0)
        there = np.sum(hit, axis=axis) > 0.0
        hit = np.where(np.expand_dims(there, axis), hit, np.nan)
        return np.where(np.expand_dims(counted, axis), hit, 0.0), counted
    rows, good = places(target, x.shape[axis])
    counted = np.rint(target) != ignore_index
    hit = np.where(np.equal(np.expand_dims(rows, axis), classes), 1.0, 0.0)
    hit = np.where(np.expand_dims(good, axis), hit, np.nan)
    return np.where(np.expand_dims(counted, axis), hit, 0.0).astype(x.dtype), counted


def _picked(v: Any, hot: Any) -> Any:
    """The entry of each example's class; the other entries contribute nothing, even if they are inf."""
    return np.sum(np.where(hot == 0.0, 0.0, v * hot), axis=_class_axis(hot.ndim))


def _mean_over(each: Any, counted: Any, reduction: str) -> Any:
    if reduction == "mean":
        return np.sum(each) / np.sum(np.where(counted, each.dtype.type(1.0), each.dtype.type(0.0)))
    return reduced(each, reduction)


def _weight(g: Any, hot: Any, counted: Any, reduction: str) -> Any:
    """The share of each example in the upstream gradient, 0 where it does not count, laid along the classes."""
    axis = _class_axis(hot.ndim)
    if reduction == "mean":
        g = g / np.sum(np.where(counted, g.dtype.type(1.0), g.dtype.type(0.0)))
    return np.expand_dims(np.where(counted, g, 0.0), axis)


def _nll(x: Any, target: Any, reduction: str, ignore_index: int) -> Any:
    hot, counted = _one_hot(x, target, ignore_index)
    return _mean_over(-_picked(x, hot), counted, reduction)


def _nll_back(g: Any, y: Any, x: Any, target: Any, reduction: str, ignore_index: int) -> Any:
    hot, counted = _one_hot(x, target, ignore_index)
    return np.where(hot == 0.0, 0.0, -_weight(g, hot, counted, reduction) * hot)


def _class_trouble(name: str, x: Any, target: Any, ignore_index: int) -> Clause | None:
    """A class that is not there, or none that counts."""
    count = x.shape[_class_axis(x.ndim)]
    counted = np.rint(target) != ignore_index
    if clause := misplaced(name, "class", target, places(target, count)[1] | ~counted, 0, count - 1):
        return clause
    if counted.any():
        return None
    what, remedy = "{op} has no example that counts, so there is no mean", "give one whose class is not {ignored}"
    return Clause(what, remedy, {"op": name, "ignored": ignore_index})


def _nll_trouble(y: Any, x: Any, target: Any, reduction: str, ignore_index: int) -> Clause | None:
    return _class_trouble("nll_loss", x, target, ignore_index)


def _nll_in_pieces(x: Any, target: Any, reduction: str, ignore_index: int) -> Any:
    if np.any(np.rint(untraced(target)) == ignore_index):
        why = "some examples have the class that does not count, which elementary operations cannot leave out"
        raise ShapeError(why)
    axis = _class_axis(x.ndim)
    picked = np.take_along_axis(x, np.expand_dims(target, axis), axis)
    return reduced_in_pieces(-np.squeeze(picked, axis), reduction)


nll_loss = FAMILY.structural(
    "nll_loss",
    _nll,
    Slot(
        "log-probability",
        transpose=_nll_back,
        push=lambda t, y, x, target, **attributes: _nll(t, target, **attributes),
        shown=formula(
            "−@g / n at the class of each example, else 0",
            r"-\frac{1}{n} @g \text{ at the class of each example, else } 0",
        ),
    ),
    Slot("class", differentiable=False),
    shape=lambda x, target, **attributes: _class_shape("nll_loss", x, target, **attributes),
    attributes=(REDUCTION, IGNORE),
    title="negative log-likelihood",
    symbol="nll",
    keywords="classification",
    phrase="the negative log-likelihood of the classes {1} by {0}",
    doc="Minus the log-probability of each example's class, counted from 0; a class that is not there gives nan.",
    edges="Examples whose class is ignore_index do not count, in the mean either. A class that is out of range gives "
    "nan and a fault.",
    trouble=_nll_trouble,
    definition=_nll_in_pieces,
    examples=(
        ([[-1.5, -0.6, -1.4], [-0.2, -2.4, -2.5]], [2.0, 0.0]),
        ([[-1.5, -0.6, -1.4], [-0.2, -2.4, -2.5]], [2.0, -100.0], {"reduction": "none"}),
        ([[[-1.5, -0.6], [-0.2, -2.4]]], [[1.0, 0.0]], {"reduction": "sum"}),
        ([-1.5, -0.6], 1.0),
    ),
)


def _entropy_shape(x: Shape, target: Shape, reduction: Any, ignore_index: Any) -> Shape:
    axis = _class_axis(len(x)) if x else 0
    if x and target == x:
        target = (*x[:axis], *x[axis + 1 :])
    elif x and target != (*x[:axis], *x[axis + 1 :]):
        what = "{op} has classes along axis {axis} of shape {x}"
        remedy = "the target must be classes of shape {classes} or probabilities of shape {x}, not {target}"
        classes = (*x[:axis], *x[axis + 1 :])
        raise ShapeError(what, remedy, op="cross_entropy", axis=axis, x=x, classes=classes, target=target)
    return _class_shape("cross_entropy", x, target, reduction, ignore_index)


def _cross_entropy(x: Any, target: Any, reduction: str, ignore_index: int) -> Any:
    axis = _class_axis(x.ndim)
    logs = log_softmax_value(x, axis)
    if np.shape(target) != x.shape:
        return _nll(logs, target, reduction, ignore_index)
    return _mean_of_sums(-(target * logs), axis, reduction)


def _mean_of_sums(parts: Any, axis: int, reduction: str) -> Any:
    """Sums over the classes, then over the examples; the mean counts examples, not classes."""
    each = np.sum(parts, axis=axis)
    return np.sum(each) / max(math.prod(each.shape), 1) if reduction == "mean" else reduced(each, reduction)


def _shares(g: Any, x: Any, reduction: str) -> Any:
    axis = _class_axis(x.ndim)
    if reduction == "none":
        return np.expand_dims(g, axis)
    return g / max(math.prod(x.shape) // x.shape[axis], 1) if reduction == "mean" else g


def _logits_back(g: Any, y: Any, x: Any, target: Any, reduction: str, ignore_index: int) -> Any:
    """softmax(x) minus the target, which is 1 at the class or the given probabilities."""
    axis = _class_axis(x.ndim)
    if np.shape(target) == x.shape:
        total = np.sum(target, axis=axis, keepdims=True)
        return _shares(g, x, reduction) * (softmax_value(x, axis) * total - target)
    hot, counted = _one_hot(x, target, ignore_index)
    return _weight(g, hot, counted, reduction) * (softmax_value(x, axis) - hot)


def _logits_push(t: Any, y: Any, x: Any, target: Any, reduction: str, ignore_index: int) -> Any:
    axis = _class_axis(x.ndim)
    moved = t - np.sum(softmax_value(x, axis) * t, axis=axis, keepdims=True)
    if np.shape(target) == x.shape:
        return _mean_of_sums(-(target * moved), axis, reduction)
    return _nll(moved, target, reduction, ignore_index)


def _target_back(g: Any, y: Any, x: Any, target: Any, reduction: str, ignore_index: int) -> Any:
    """Minus the log-probabilities for a target of probabilities; classes only choose and get 0."""
    if np.shape(target) != x.shape:
        return np.zeros(np.shape(target), dtype=x.dtype)
    return -(_shares(g, x, reduction) * log_softmax_value(x, _class_axis(x.ndim)))


def _target_push(t: Any, y: Any, x: Any, target: Any, reduction: str, ignore_index: int) -> Any:
    if np.shape(target) != x.shape:
        return np.zeros(np.shape(y), dtype=x.dtype)
    axis = _class_axis(x.ndim)
    return _mean_of_sums(-(t * log_softmax_value(x, axis)), axis, reduction)


def _entropy_trouble(y: Any, x: Any, target: Any, reduction: str, ignore_index: int) -> Clause | None:
    by_class = np.shape(target) != x.shape
    return _class_trouble("cross_entropy", x, target, ignore_index) if by_class else None


def _cross_entropy_in_pieces(x: Any, target: Any, reduction: str, ignore_index: int) -> Any:
    axis = _class_axis(x.ndim)
    logs = log_softmax_in_pieces(x, axis)
    if target.shape != x.shape:
        return _nll_in_pieces(logs, target, reduction, ignore_index)
    return reduced_in_pieces(-np.sum(target * logs, axis=axis), reduction)


def _of_classes(match: Occurrence) -> dict[str, Any] | None:
    """The settings of a cross-entropy; None where softmax is not over the axis of the classes."""
    shape = match.shapes["x"]
    taken = match.of("softmax" if "softmax" in match.attributes else "log_softmax").get("axis", -1)
    if not shape or reduced_axes(shape, taken) != (_class_axis(len(shape)),):
        return None
    return match.of("nll_loss") if "nll_loss" in match.attributes else _of_all(match, shape)


def _of_all(match: Occurrence, shape: Shape) -> dict[str, Any] | None:
    settings = match.of("sum")
    whole = len(reduced_axes(shape, settings.get("axis"))) == len(shape) and not settings.get("keepdims", False)
    return {"reduction": "sum"} if whole and match.shapes["t"] == shape else None


cross_entropy = FAMILY.structural(
    "cross_entropy",
    _cross_entropy,
    Slot(
        "logits",
        transpose=_logits_back,
        push=_logits_push,
        shown=formula(
            "@g / n · (softmax(@a) − @b)", r"\frac{1}{n} @g \left(\mathrm{softmax}\left(@a\right) - @b\right)"
        ),
    ),
    Slot(
        "target",
        transpose=_target_back,
        push=_target_push,
        only_real="may take what moves for class numbers, which are real",
        shown=formula("−@g / n · log softmax(@a)", r"-\frac{1}{n} @g \, \log \mathrm{softmax}\left(@a\right)"),
    ),
    shape=_entropy_shape,
    attributes=(REDUCTION, IGNORE),
    title="cross-entropy",
    symbol="CE",
    synonyms=("ce", "softmax_cross_entropy", "crossentropy"),
    keywords="classification",
    phrase="the cross-entropy of the softmax of {0} against {1}",
    doc="Minus the log-softmax of each example's class (counted from 0), or its mean under given probabilities. A "
    "class that is not there gives nan.",
    edges="Examples whose class is ignore_index do not count, in the mean either. A class that is out of range gives "
    "nan and a fault.",
    trouble=_entropy_trouble,
    masked_along=lambda shape, **_: (_class_axis(len(shape)),),
    definition=_cross_entropy_in_pieces,
    differs=f"{EXP_OVERFLOWS}, and log(0) is −inf where all are very negative; the loss subtracts the largest first",
    safer=(
        SaferForm(
            "Use cross_entropy for the pieces",
            "fused with softmax it neither overflows nor underflows",
            lambda x, t: either(nll_loss(any_log_softmax(x), t), -np.sum(t * any_log_softmax(x))),
            attributes=_of_classes,
        ),
    ),
    examples=(
        (LOGITS, [2.0, 0.0]),
        (LOGITS, [2.0, -100.0], {"reduction": "none"}),
        (LOGITS, [[0.2, 0.5, 0.3], [0.7, 0.2, 0.1]]),
        ([[[1.5, 0.6], [0.2, -2.4]]], [[1.0, 0.0]], {"reduction": "sum"}),
        ([1.5, 0.6], [0.25, 0.75], {"reduction": "sum"}),
        ([1.5, 0.6], 1.0),
    ),
)
