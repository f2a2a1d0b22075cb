"""Means, spreads and products in pieces, and the operations that compute them in one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from cadena.core.doctor.mends.formulas import LOST, Formula
from cadena.core.doctor.mends.patterns import Match, squared
from cadena.core.graph.document import Node
from cadena.core.ops.reduction import count, reduced_axes

if TYPE_CHECKING:
    from cadena.core.run.program import Run

CENTRED = ("mean", squared(("subtract", "x", ("mean", "x"))))
OF_SQUARES = ("subtract", ("mean", squared("x")), squared(("mean", "x")))


def _shape(match: Match, run: Run) -> tuple[int, ...]:
    return run.plan.shapes[run.plan.index[match.letters["x"]]] or ()


def _means(match: Match, run: Run) -> list[Node]:
    """The means in a variance, the outer one, or that of the squares, first."""
    nodes = (run.program.document.nodes[name] for name in match.nodes)
    return [node for node in nodes if node.op == "mean"]


def _keeps(mean: Node) -> bool:
    return bool(mean.attributes.get("keepdims", False))


def _over_the_same(match: Match, run: Run) -> dict[str, Any] | None:
    """The settings of the first mean; None where the others are not over the same axes."""
    shape, (outer, *inner) = _shape(match, run), _means(match, run)
    axes = reduced_axes(shape, outer.attributes.get("axis"))
    if not shape or any(reduced_axes(shape, one.attributes.get("axis")) != axes for one in inner):
        return None
    return {"axis": outer.attributes.get("axis"), "keepdims": _keeps(outer)}


def _of_centred(match: Match, run: Run) -> dict[str, Any] | None:
    """As `_over_the_same`; None where a mean does not stand against the numbers that it was taken of."""
    settings, shape = _over_the_same(match, run), _shape(match, run)
    if settings is None:
        return None
    whole = len(reduced_axes(shape, settings["axis"])) == len(shape)
    return settings if whole or all(map(_keeps, _means(match, run)[1:])) else None


def _of_squares(match: Match, run: Run) -> dict[str, Any] | None:
    """As `_over_the_same`; None where the two means are of different shape."""
    settings = _over_the_same(match, run)
    return settings if settings and len(set(map(_keeps, _means(match, run)))) == 1 else None


def _of_var(match: Match, run: Run) -> dict[str, Any]:
    return match.attributes["var"]


def _of_sum(match: Match, run: Run) -> dict[str, Any]:
    return match.attributes["sum"]


def _of_prod(match: Match, run: Run) -> dict[str, Any]:
    return match.attributes["prod"]


def _of_count(match: Match, run: Run) -> dict[str, Any] | None:
    """The settings of a sum that is divided by how many elements it has; None where that may be another number."""
    if not run.program.document.nodes[match.letters["n"]].is_leaf or run.gradient(match.letters["n"]) is not None:
        return None
    settings, divisor = match.attributes["sum"], run.value(match.letters["n"])
    counted = count(_shape(match, run), settings.get("axis"))
    return settings if counted and divisor is not None and bool(np.all(divisor == counted)) else None


def _log_of_det(match: Match, run: Run) -> dict[str, Any]:
    return {"part": 1}


BY_CONVENTION = "its gradient is 0 by convention where all elements are equal"
EACH = "the product of all does not underflow or overflow, where all are positive"

STATISTICS = (
    Formula("Use std for √var(x)", BY_CONVENTION, ("sqrt", ("var", "x")), ("std", "x"), _of_var),
    Formula("Use std for the root of the mean squared distance", BY_CONVENTION, ("sqrt", CENTRED), ("std", "x"),
            _of_centred),
    Formula("Use std for √(mean(x²) − mean(x)²)", LOST, ("sqrt", OF_SQUARES), ("std", "x"), _of_squares),
    Formula("Use var for mean(x²) − mean(x)²", LOST, OF_SQUARES, ("var", "x"), _of_squares),
    Formula("Use mean for sum(x) / n", "the sum of all does not overflow on the way", ("divide", ("sum", "x"), "n"),
            ("mean", "x"), _of_count),
    Formula("Write sum(log(x)) for log(prod(x))", EACH, ("log", ("prod", "x")), ("sum", ("log", "x")), _of_prod),
    Formula("Use prod for exp(sum(log(x)))", "no logarithm of 0 is taken", ("exp", ("sum", ("log", "x"))),
            ("prod", "x"), _of_sum),
    Formula("Use slogdet for log(det(x))", "the determinant does not underflow or overflow, where it is positive",
            ("log", ("det", "x")), ("slogdet", "x"), _log_of_det),
    Formula("Use sinc for sin(x) / x", "it is 1 at 0", ("divide", ("sin", "x"), "x"),
            ("sinc", ("multiply", 1.0 / math.pi, "x"))),
)  # fmt: skip
