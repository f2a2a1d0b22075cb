"""Formulas that overflow, underflow or cancel, and equal ones that do not."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from cadena.core.doctor.mends.patterns import Either, Match, Pattern, squared
from cadena.core.doctor.mends.rewriting import Term
from cadena.core.ops.reduction import reduced_axes

if TYPE_CHECKING:
    from cadena.core.run.program import Run


LOST = "no nearly equal numbers are subtracted, which would lose their digits"


class Formula(NamedTuple):
    """`pattern` may be written as `term`; `attributes` gives those of the term's outermost operation, or None where the
    two are not equal."""

    title: str
    why: str
    pattern: Pattern
    term: Term
    attributes: Callable[[Match, Run], dict[str, Any] | None] = lambda match, run: {}


EXP, MINUS_EXP = ("exp", "x"), ("exp", ("negative", "x"))
SIGMOID = Either((
    ("sigmoid", "x"),
    ("divide", 1.0, ("add", 1.0, MINUS_EXP)),
    ("reciprocal", ("add", 1.0, MINUS_EXP)),
    ("divide", EXP, ("add", 1.0, EXP)),
))  # fmt: skip
SOFTMAX = ("divide", EXP, ("sum", EXP))


def _of_sum(match: Match, run: Run) -> dict[str, Any]:
    return match.attributes["sum"]


def _axis(match: Match) -> Any:
    return match.attributes["sum"].get("axis")


def _of_shares(match: Match, run: Run) -> dict[str, Any] | None:
    """The axis of a softmax in pieces; None where its sum does not stand against the axis that it was taken over."""
    shape, axis = run.plan.shapes[run.plan.index[match.letters["x"]]] or (), _axis(match)
    whole = len(reduced_axes(shape, axis)) == len(shape)
    fits = whole or match.attributes["sum"].get("keepdims", False)
    return {"axis": axis} if fits and shape else None


def _of_softmax(match: Match, run: Run) -> dict[str, Any] | None:
    return match.attributes["softmax"] if "softmax" in match.attributes else _of_shares(match, run)


def _of_classes(match: Match, run: Run) -> dict[str, Any] | None:
    """The settings of a cross-entropy; None where softmax is not over the axis of the classes."""
    shape = run.plan.shapes[run.plan.index[match.letters["x"]]] or ()
    taken = match.attributes.get("softmax", match.attributes.get("log_softmax", {})).get("axis", -1)
    if not shape or reduced_axes(shape, taken) != (min(1, len(shape) - 1),):
        return None
    return match.attributes["nll_loss"] if "nll_loss" in match.attributes else _of_all(match, run, shape)


def _of_all(match: Match, run: Run, shape: tuple[int, ...]) -> dict[str, Any] | None:
    target = run.plan.shapes[run.plan.index[match.letters["t"]]]
    whole = len(reduced_axes(shape, _axis(match))) == len(shape) and not match.attributes["sum"].get("keepdims", False)
    return {"reduction": "sum"} if whole and target == shape else None


def _of_bce(match: Match, run: Run) -> dict[str, Any] | None:
    return match.attributes["binary_cross_entropy"]


def _each(match: Match, run: Run) -> dict[str, Any] | None:
    """Losses of each element by itself, where target and logit have the same shape."""
    x, t = (run.plan.shapes[run.plan.index[match.letters[letter]]] for letter in "xt")
    return {"reduction": "none"} if t in (x, ()) else None


def _first_axis(match: Match, run: Run) -> dict[str, Any] | None:
    """The axis of a stack of two operands, which must have the same shape."""
    a, b = (run.plan.shapes[run.plan.index[match.letters[letter]]] for letter in "ab")
    return {"axis": 0} if a == b else None


LOG_SOFTMAX = Either((("log", ("softmax", "x")), ("log_softmax", "x")))
LOGIT_LOSS = ("binary_cross_entropy_with_logits", "x", "t")

STABLE = (
    Formula("Write exp(−x) for 1 / exp(x)", "exp(−x) is small where exp(x) overflows",
            Either((("divide", 1.0, EXP), ("reciprocal", EXP), ("power", EXP, -1.0))), MINUS_EXP),
    Formula("Write exp(a − x) for exp(a) / exp(x)", "only the difference goes into exp",
            ("divide", ("exp", "a"), EXP), ("exp", ("subtract", "a", "x"))),
    Formula("Write a · exp(−x) for a / exp(x)", "exp(−x) is small where exp(x) overflows",
            ("divide", "a", EXP), ("multiply", "a", MINUS_EXP)),
    Formula("Use sigmoid", "it never overflows", SIGMOID, ("sigmoid", "x")),
    Formula("Use sigmoid of −x", "it never overflows",
            Either((("divide", 1.0, ("add", 1.0, EXP)), ("reciprocal", ("add", 1.0, EXP)))),
            ("sigmoid", ("negative", "x"))),
    Formula("Use tanh", "it never overflows",
            Either((("divide", ("subtract", EXP, MINUS_EXP), ("add", EXP, MINUS_EXP)),
                    ("divide", ("sinh", "x"), ("cosh", "x")))), ("tanh", "x")),
    Formula("Use tanh of x / 2", "it never overflows", ("divide", ("subtract", EXP, 1.0), ("add", EXP, 1.0)),
            ("tanh", ("multiply", 0.5, "x"))),
    Formula("Write a · sigmoid(x) for a / (1 + exp(−x))", "it never overflows",
            ("divide", "a", ("add", 1.0, MINUS_EXP)), ("multiply", "a", ("sigmoid", "x"))),
    Formula("Write a · sigmoid(−x) for a / (1 + exp(x))", "it never overflows", ("divide", "a", ("add", 1.0, EXP)),
            ("multiply", "a", ("sigmoid", ("negative", "x")))),
    Formula("Write sigmoid(x) · sigmoid(−x) for exp(x) / (1 + exp(x))²", "it never overflows",
            ("divide", EXP, squared(("add", 1.0, EXP))),
            ("multiply", ("sigmoid", "x"), ("sigmoid", ("negative", "x")))),
    Formula("Write exp(a + b) for exp(a) · exp(b)", "only the sum goes into exp",
            ("multiply", ("exp", "a"), ("exp", "b")), ("exp", ("add", "a", "b"))),
    Formula("Write exp(x / 2) for √(exp(x))", "exp(x / 2) is not 0, and not infinite, where exp(x) is", ("sqrt", EXP),
            ("exp", ("multiply", 0.5, "x"))),
    Formula("Write x + softplus(−2x) − log 2 for log(cosh(x))", "it never overflows", ("log", ("cosh", "x")),
            ("add", "x", ("subtract", ("softplus", ("multiply", -2.0, "x")), math.log(2.0)))),
    Formula("Use softplus for log(1 + exp(x))", "it never overflows",
            Either((("log", ("add", 1.0, EXP)), ("log1p", EXP))), ("softplus", "x")),
    Formula("Use logaddexp for log(exp(a) + exp(b))", "it takes the larger one out first",
            ("log", ("add", ("exp", "a"), ("exp", "b"))), ("logaddexp", "a", "b")),
    Formula("Use logsumexp for log(sum(exp(x)))", "it takes the largest one out first",
            ("log", ("sum", EXP)), ("logsumexp", "x"), _of_sum),
    Formula("Use softmax for exp(x) / sum(exp(x))", "it takes the largest one out first",
            SOFTMAX, ("softmax", "x"), _of_shares),
    Formula("Use log_softmax for the logarithm of softmax", "no share underflows to 0 before its logarithm is taken",
            Either((("log", ("softmax", "x")), ("log", SOFTMAX))), ("log_softmax", "x"), _of_softmax),
    Formula("Use logsigmoid for the logarithm of sigmoid", "it never underflows",
            ("log", SIGMOID), ("logsigmoid", "x")),
    Formula("Use logsigmoid of −x for log(1 − sigmoid(x))", "1 − sigmoid(x) is sigmoid(−x), with all its digits",
            Either((("log", ("subtract", 1.0, SIGMOID)), ("log1p", ("negative", SIGMOID)))),
            ("logsigmoid", ("negative", "x"))),
    Formula("Use cross_entropy for the pieces", "fused with softmax it neither overflows nor underflows",
            Either((("nll_loss", LOG_SOFTMAX, "t"), ("negative", ("sum", ("multiply", "t", LOG_SOFTMAX))))),
            ("cross_entropy", "x", "t"), _of_classes),
    Formula("Use binary cross-entropy with logits", "fused with sigmoid it neither overflows nor underflows",
            ("binary_cross_entropy", SIGMOID, "t"), LOGIT_LOSS, _of_bce),
    Formula("Use binary cross-entropy with logits", "fused with sigmoid it neither overflows nor underflows",
            ("negative", ("add", ("multiply", "t", ("log", SIGMOID)),
                          ("multiply", ("subtract", 1.0, "t"), ("log", ("subtract", 1.0, SIGMOID))))),
            LOGIT_LOSS, _each),
    Formula("Use |x| for √(x²)", "it neither overflows nor is it infinitely steep at 0",
            ("sqrt", squared("x")), ("abs", "x")),
    Formula("Use norm for the root of the sum of squares", "its gradient at 0 is 0 by convention",
            ("sqrt", ("sum", squared("x"))), ("norm", "x"), _of_sum),
    Formula("Use hypot for √(a² + b²)", "its squares do not overflow",
            ("sqrt", ("add", squared("a"), squared("b"))), ("hypot", "a", "b")),
    Formula("Use norm for √(a² + b²)", "its gradient at 0 is 0 by convention",
            Either((("sqrt", ("add", squared("a"), squared("b"))), ("hypot", "a", "b"))),
            ("norm", ("stack", "a", "b", {"axis": 0})), _first_axis),
)  # fmt: skip


def with_attributes(term: Term, attributes: dict[str, Any]) -> Term:
    """`term` with these attributes on its outermost operation."""
    return (*term, attributes) if attributes else term
