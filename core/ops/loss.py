"""Losses: the distance of predictions from their targets as one number to minimize, as PyTorch defines them."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from cadena.core.ops.activation import any_sigmoid, relu, sigmoid_value, softplus_value
from cadena.core.ops.building import number
from cadena.core.ops.expression import Symbol
from cadena.core.ops.formulas import formula
from cadena.core.ops.primitive import Attribute, Family, Primitive, Shape, ShapeError, Slot
from cadena.core.ops.reduction import mean_of, too_few
from cadena.core.ops.safer import Occurrence, SaferForm, of
from cadena.core.ops.selection import where
from cadena.core.ops.traits import EXP_OVERFLOWS, SHARED, SIGNED

FAMILY = Family("Losses")
REDUCTIONS = ("mean", "sum", "none")
HOW_REDUCED = '"mean" or "sum" over all elements, or "none" for each by itself'
REDUCTION = Attribute("reduction", "mean", "choice", HOW_REDUCED, REDUCTIONS)
Partial = Callable[..., Any]


def reduced(each: Any, reduction: str) -> Any:
    """The losses of all elements as one number, or as they are."""
    if reduction == "none":
        return each
    return np.sum(each) if reduction == "sum" else mean_of(each, None, False)


def share(g: Any, reduction: str, count: int) -> Any:
    """The share of each of `count` losses in the upstream gradient."""
    return g / max(count, 1) if reduction == "mean" else g


def reduced_in_pieces(each: Any, reduction: str) -> Any:
    """`reduced`, and batchmean, in operations that a graph has nodes for."""
    if reduction == "batchmean":
        return np.sum(each) / each.shape[0]
    return each if reduction == "none" else np.sum(each) if reduction == "sum" else np.mean(each)


def _pair_shape(name: str, prediction: Shape, target: Shape, reduction: Any) -> Shape:
    if reduction == "batchmean" and not prediction:
        raise ShapeError("reduction batchmean needs a batch, not a number", "use mean")
    if prediction != target and target:
        raise ShapeError(
            "{op} compares element by element, but the shapes are {prediction} and {target}",
            "make them equal",
            op=name,
            prediction=prediction,
            target=target,
        )
    return prediction if reduction == "none" else ()


def _gathered(losses: Any, reduction: str) -> Any:
    """`reduced`, and PyTorch's batchmean: the sum over all elements, divided by the number of examples."""
    return np.sum(losses) / max(losses.shape[0], 1) if reduction == "batchmean" else reduced(losses, reduction)


def _slot(label: str, partial: Partial | None, shown: str) -> Slot:
    """A slot from the partial of each loss; without one it only chooses and gets no gradient. `shown`: the partial."""
    if partial is None:
        return Slot(label, differentiable=False)

    def transpose(g: Any, y: Any, a: Any, b: Any, reduction: str, **attributes: Any) -> Any:
        whole = reduction == "batchmean"
        part = share(g, "mean", a.shape[0]) if whole else share(g, reduction, math.prod(a.shape))
        return part * partial(a, b, **attributes)

    def push(t: Any, y: Any, a: Any, b: Any, reduction: str, **attributes: Any) -> Any:
        return _gathered(np.broadcast_to(partial(a, b, **attributes) * t, a.shape), reduction)

    mean, whole = formula(f"@g / @n · {shown}"), formula(f"@g · {shown}")

    def printed(g: Any, y: Any, a: Any, b: Any, reduction: str = "mean", count: Any = None) -> Any:
        if reduction in ("sum", "none"):
            return whole(g, y, a, b)
        return mean(g, y, a, b, Symbol("n" if count is None or reduction == "batchmean" else count))

    return Slot(label, transpose=transpose, push=push, shown=printed)


def pairwise(
    name: str,
    each: Callable[..., Any],
    partials: tuple[Partial, Partial | None],
    *,
    attributes: tuple[Attribute, ...] = (),
    labels: tuple[str, str] = ("prediction", "target"),
    check: Callable[..., Any] = lambda **_: None,
    reductions: tuple[str, ...] = REDUCTIONS,
    shown: tuple[str, str],
    **record: Any,
) -> Primitive:
    """Register a loss that compares element by element: `each(prediction, target)` and its two partials.

    A target without a partial only chooses and gets no gradient. `check` looks at the further attributes.
    """

    def value(a: Any, b: Any, reduction: str, **attributes: Any) -> Any:
        return _gathered(each(a, b, **attributes), reduction)

    def shape(a: Shape, b: Shape, reduction: Any, **attributes: Any) -> Shape:
        check(**attributes)
        return _pair_shape(name, a, b, reduction)

    return FAMILY.structural(
        name,
        value,
        *map(_slot, labels, partials, shown),
        shape=shape,
        trouble=lambda y, a, b, **attributes: too_few(name, a.shape),
        attributes=(Attribute("reduction", "mean", "choice", HOW_REDUCED, reductions), *attributes),
        **record,
    )


POINTS = ([0.5, -1.0, 2.0], [0.1, 1.0, 4.5])
COMPARED = (POINTS, (*POINTS, {"reduction": "sum"}), (*POINTS, {"reduction": "none"}), (2.0, 0.5))


mse_loss = pairwise(
    "mse_loss",
    lambda a, b: np.square(a - b),
    (lambda a, b: 2.0 * (a - b), lambda a, b: 2.0 * (b - a)),
    shown=("2 (@a − @b)", "2 (@b − @a)"),
    title="mean squared error",
    symbol="mse",
    synonyms=("mse", "mean_squared_error"),
    keywords="l2 regression squared",
    phrase="the mean squared distance of {0} from {1}",
    doc="The mean of (prediction − target)².",
    definition=lambda a, b, reduction: reduced_in_pieces(np.square(a - b), reduction),
    examples=COMPARED,
)


def _side(a: Any, b: Any) -> Any:
    """1 above, -1 below, and 0 for nan too, as in PyTorch: a mask that leaves a nan out gets no nan back."""
    side = np.sign(a - b)
    return np.where(np.equal(side, side), side, 0.0)


l1_loss = pairwise(
    "l1_loss",
    lambda a, b: np.abs(a - b),
    (lambda a, b: _side(a, b), lambda a, b: _side(b, a)),
    shown=("sign(@a − @b)", "sign(@b − @a)"),
    title="mean absolute error",
    symbol="l1",
    synonyms=("mae", "mean_absolute_error"),
    keywords="regression",
    phrase="the mean distance of {0} from {1}",
    doc="The mean of |prediction − target|. Where they are equal, the derivative is 0.",
    edges="Where prediction and target are equal the gradient is 0.",
    definition=lambda a, b, reduction: reduced_in_pieces(np.abs(a - b), reduction),
    only_real=SIGNED,
    examples=COMPARED,
)


def _positive_delta(delta: Any) -> None:
    if number("delta", delta, 0.0) == 0.0:
        raise ShapeError("delta is 0", "give the positive distance at which the loss becomes straight")


def _huber_in_pieces(a: Any, b: Any, reduction: str, delta: float) -> Any:
    """m (d - m / 2), m being the distance d, but delta at most: d^2 / 2 up to delta, straight beyond."""
    distance = np.abs(a - b)
    bounded = np.minimum(distance, delta)
    return reduced_in_pieces(bounded * (distance - 0.5 * bounded), reduction)


huber_loss = pairwise(
    "huber_loss",
    lambda a, b, delta: np.where(np.abs(a - b) <= delta, 0.5 * np.square(a - b), delta * (np.abs(a - b) - 0.5 * delta)),
    (lambda a, b, delta: np.clip(a - b, -delta, delta), lambda a, b, delta: np.clip(b - a, -delta, delta)),
    attributes=(Attribute("delta", 1.0, "number", "the distance at which the loss becomes straight"),),
    check=_positive_delta,
    shown=("(@a − @b, kept between −delta and delta)", "(@b − @a, kept between −delta and delta)"),
    title="Huber loss",
    symbol="huber",
    keywords="smooth l1 robust regression",
    phrase="the Huber loss of {0} against {1}",
    doc="Half the squared distance up to delta, straight beyond, so that outliers pull less (Huber 1964).",
    source="Huber (1964), Robust estimation of a location parameter",
    edges="At the distance delta both forms agree, and so do their derivatives.",
    definition=_huber_in_pieces,
    only_real=SIGNED,
    examples=(*COMPARED, (*POINTS, {"delta": 0.5})),
)


def _bce(p: Any, t: Any) -> Any:
    """PyTorch keeps both logarithms at -100 or above, so that a certain mistake costs 100 and not inf."""
    return -(t * np.maximum(np.log(p), -100.0) + (1.0 - t) * np.maximum(np.log1p(-p), -100.0))


# PyTorch's least divisor in the derivative of binary cross-entropy: 1e-12, rounded to float32.
MIN_DIVISOR = 9.999999960041972e-13


def _bce_partial(p: Any, t: Any) -> Any:
    slope = (p - t) / np.maximum(p * (1.0 - p), MIN_DIVISOR)
    return np.where(np.logical_and(p >= 0.0, p <= 1.0), slope, np.nan)


CHANCES = ([0.2, 0.9, 0.5], [0.0, 1.0, 0.7])

binary_cross_entropy = pairwise(
    "binary_cross_entropy",
    _bce,
    (_bce_partial, lambda p, t: np.log1p(-p) - np.log(p)),
    labels=("probability", "target"),
    shown=("(@a − @b) / (@a (1 − @a))", "(log(1 − @a) − log(@a))"),
    title="binary cross-entropy",
    symbol="bce",
    synonyms=("bce",),
    keywords="classification",
    phrase="the binary cross-entropy of {0} against {1}",
    doc="−(t log p + (1 − t) log(1 − p)), each logarithm at least −100. From logits use the form with logits.",
    edges="Logarithms are kept at −100 or above, so that a certain mistake costs 100 and not inf, as in PyTorch.",
    definition=lambda p, t, reduction: reduced_in_pieces(-(t * np.log(p) + (1.0 - t) * np.log(1.0 - p)), reduction),
    differs="log(0) is −inf, and 0 · inf nan, where binary_cross_entropy stops at −100",
    examples=(CHANCES, (*CHANCES, {"reduction": "sum"}), (*CHANCES, {"reduction": "none"}), (0.2, 1.0)),
)


def _logits_in_pieces(x: Any, t: Any, reduction: str) -> Any:
    return reduced_in_pieces(np.log(1.0 + np.exp(x)) - x * t, reduction)


def _each(match: Occurrence) -> dict[str, Any] | None:
    """Losses of each element by itself, where target and logit have the same shape."""
    return {"reduction": "none"} if match.shapes["t"] in (match.shapes["x"], ()) else None


binary_cross_entropy_with_logits = pairwise(
    "binary_cross_entropy_with_logits",
    lambda x, t: softplus_value(x) - x * t,
    (lambda x, t: sigmoid_value(x) - t, lambda x, t: -x),
    labels=("logit", "target"),
    shown=("(σ(@a) − @b)", "(−@a)"),
    title="binary cross-entropy with logits",
    symbol="bce logits",
    keywords="classification",
    phrase="the binary cross-entropy of the sigmoid of {0} against {1}",
    doc="Binary cross-entropy of sigmoid(x), in one step that neither overflows nor loses digits.",
    edges="Never overflows, however large the logits are.",
    definition=_logits_in_pieces,
    differs=f"{EXP_OVERFLOWS}, where the fused loss is about x (1 − t)",
    analytic=_logits_in_pieces,
    safer=(
        SaferForm(
            "Use binary cross-entropy with logits",
            "fused with sigmoid it neither overflows nor underflows",
            lambda x, t: binary_cross_entropy(any_sigmoid(x), t),
            attributes=of("binary_cross_entropy"),
        ),
        SaferForm(
            "Use binary cross-entropy with logits",
            "fused with sigmoid it neither overflows nor underflows",
            lambda x, t: -(t * np.log(any_sigmoid(x)) + (1.0 - t) * np.log(1.0 - any_sigmoid(x))),
            attributes=_each,
        ),
    ),
    examples=(([-2.0, 3.0, 0.5], [0.0, 1.0, 0.7]), (2.0, 0.0, {"reduction": "sum"}), (*POINTS, {"reduction": "none"})),
)

hinge = pairwise(
    "hinge",
    lambda a, t: np.maximum(0.0, 1.0 - t * a),
    (
        lambda a, t: -t * np.sign(np.maximum(0.0, 1.0 - t * a)),
        lambda a, t: -a * np.sign(np.maximum(0.0, 1.0 - t * a)),
    ),
    labels=("score", "target"),
    shown=("(−@b where @b · @a is below 1, else 0)", "(−@a where @b · @a is below 1, else 0)"),
    title="hinge loss",
    phrase="the hinge loss of {0} against {1}",
    doc="The mean of max(0, 1 − t y) for targets t of 1 or −1. At the kink, where t y is 1, the derivative is 0.",
    edges="Where score times target is exactly 1 the gradient is 0.",
    definition=lambda a, t, reduction: reduced_in_pieces(np.maximum(0.0, 1.0 - t * a), reduction),
    differs=f"where score times target is 1 the gradient is half of that beyond instead of 0: {SHARED}",
    examples=(([0.5, -2.0, 3.0], [1.0, 1.0, -1.0]), ([0.5, -2.0], [1.0, -1.0], {"reduction": "none"}), (0.5, -1.0)),
)


def _hinge_embedding_partial(a: Any, t: Any, margin: float) -> Any:
    near = np.where(t != 1.0, np.where(a > margin, 0.0, -1.0), 0.0)
    return np.where(a == a, near + np.where(t != -1.0, 1.0, 0.0), np.nan).astype(a.dtype)


def _hinge_embedding_in_pieces(a: Any, t: Any, reduction: str, margin: float) -> Any:
    is_like = relu(t)  # 1 for the target 1, 0 for -1
    return reduced_in_pieces(where(is_like, a, np.maximum(margin - a, 0.0)), reduction)


hinge_embedding_loss = pairwise(
    "hinge_embedding_loss",
    lambda a, t, margin: np.where(t != 1.0, np.maximum(margin - a, 0.0), 0.0) + np.where(t != -1.0, a, 0.0),
    (_hinge_embedding_partial, None),
    attributes=(Attribute("margin", 1.0, "number", "the distance that unlike pairs should have at least"),),
    labels=("distance", "target"),
    shown=("(1 where @b = 1, −1 where @b = −1 and @a is below margin, else 0)", ""),
    title="hinge loss of distances",
    symbol="hinge emb",
    phrase="the hinge loss of the distances {0} for the labels {1}",
    doc="The distance itself for like pairs (target 1), max(0, margin − distance) for unlike ones (target −1).",
    edges="At the margin the derivative is −1, as in PyTorch.",
    definition=_hinge_embedding_in_pieces,
    differs=f"where an unlike pair is at the margin the gradient is −1/2 instead of −1: {SHARED}",
    examples=(([0.5, 0.3, 3.0], [1.0, -1.0, -1.0]), ([0.5, 0.3], [1.0, -1.0], {"reduction": "sum", "margin": 2.0})),
)


def _kl(x: Any, t: Any, log_target: bool) -> Any:
    if log_target:
        return np.exp(t) * (t - x)
    # 0 log 0 is 0 here; the inner choice keeps log away from 0.
    return np.where(t == 0.0, 0.0, t * np.log(np.where(t == 0.0, 1.0, t))) - t * x


def _kl_target_partial(x: Any, t: Any, log_target: bool) -> Any:
    return np.exp(t) * (t - x + 1.0) if log_target else np.log(t) + t / t - x


LOG_CHANCES = ([[-1.5, -0.6, -1.4], [-0.2, -2.4, -2.5]], [[0.2, 0.5, 0.3], [0.7, 0.2, 0.1]])


def _kl_in_pieces(x: Any, t: Any, reduction: str, log_target: bool) -> Any:
    return reduced_in_pieces(np.exp(t) * (t - x) if log_target else t * (np.log(t) - x), reduction)


kl_div = pairwise(
    "kl_div",
    _kl,
    (lambda x, t, log_target: -(np.exp(t) if log_target else t) + 0.0 * x, _kl_target_partial),
    attributes=(Attribute("log_target", False, "flag", "the target holds logarithms of probabilities as well"),),
    reductions=(*REDUCTIONS, "batchmean"),
    labels=("log-probability", "target"),
    shown=("(−@b)", "(log(@b) + 1 − @a)"),
    title="Kullback-Leibler divergence",
    symbol="KL",
    keywords="relative entropy",
    phrase="the Kullback-Leibler divergence of {1} from the log-probabilities {0}",
    doc='The mean of t (log t − x), x being logarithms. Over a batch of distributions use the reduction "batchmean".',
    edges="Where the target is 0 its part is 0, and the gradient of the target nan, as in PyTorch.",
    source="Kullback and Leibler (1951), On information and sufficiency",
    definition=_kl_in_pieces,
    differs="where a target is 0 the product 0 · log(0) is nan, which kl_div takes as 0",
    examples=(
        LOG_CHANCES,
        (*LOG_CHANCES, {"reduction": "batchmean"}),
        (LOG_CHANCES[0], LOG_CHANCES[0][::-1], {"log_target": True, "reduction": "sum"}),
        (*LOG_CHANCES, {"reduction": "none"}),
    ),
)
