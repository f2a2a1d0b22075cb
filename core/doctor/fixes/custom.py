"""Fixes that keep the formula, as a function, and give it a gradient of its own that does not overflow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cadena.core.doctor.fixes.fix import Fix, Promise
from cadena.core.doctor.fixes.patterns import above, matches, pattern_of
from cadena.core.doctor.fixes.rewriting import subgraph
from cadena.core.graph.document import Backward, Document
from cadena.core.graph.edits import fresh_name
from cadena.core.graph.fault import Fault, Refused
from cadena.core.ops.activation import sigmoid
from cadena.core.ops.safer import either
from cadena.core.rewriting.function_edits import make_function, set_gradient
from cadena.core.text.wording import Clause

if TYPE_CHECKING:
    from cadena.core.run.program import Run


class Gradient(NamedTuple):
    """A formula of x, and its gradient from the upstream gradient g and the result y; both as numpy code."""

    name: str  # of the function
    pattern: Callable[..., Any]
    rule: Callable[..., Any]
    shown: str
    promise: Promise = "same"


def _below_1(x: Any) -> Any:
    """1 - x²: 0 at -1 and 1."""
    return 1.0 - np.square(x)


def _arc(g: Any, x: Any) -> Any:
    """g / √(1 − x²), but 0 at -1 and 1."""
    return np.where(_below_1(x), g / np.sqrt(np.where(_below_1(x), _below_1(x), 1.0)), 0.0)


GRADIENTS = (
    Gradient(
        "one_over_exp",
        lambda x: either(1.0 / np.exp(x), np.reciprocal(np.exp(x)), np.exp(x) ** -1.0),
        lambda x, y, g: g * -np.exp(-x),
        "−exp(−x)",
    ),
    Gradient(
        "log_one_plus_exp",
        lambda x: either(np.log(1.0 + np.exp(x)), np.log1p(np.exp(x))),
        lambda x, y, g: g * sigmoid(x),
        "sigmoid(x)",
    ),
    Gradient(
        "root",
        lambda x: np.sqrt(x),
        lambda x, y, g: np.where(y, 0.5 * g / np.where(y, y, 1.0), 0.0),
        "0 at 0, else 1 / 2√x",
        "convention",
    ),
    Gradient(
        "cube_root",
        lambda x: np.cbrt(x),
        lambda x, y, g: np.where(y, g / (3.0 * np.square(np.where(y, y, 1.0))), 0.0),
        "0 at 0, else 1 / 3∛x²",
        "convention",
    ),
    Gradient(
        "arc_sine", lambda x: np.arcsin(x), lambda x, y, g: _arc(g, x), "0 at ±1, else 1 / √(1 − x²)", "at the edge"
    ),
    Gradient(
        "arc_cosine", lambda x: np.arccos(x), lambda x, y, g: -_arc(g, x), "0 at ±1, else −1 / √(1 − x²)", "at the edge"
    ),
    Gradient(
        "saturating",
        lambda x: sigmoid(x),
        lambda x, y, g: g * (sigmoid(x) * sigmoid(-x)),
        "sigmoid(x) · sigmoid(−x)",
    ),
    Gradient(
        "saturating",
        lambda x: np.tanh(x),
        lambda x, y, g: g * (4.0 * (sigmoid(2.0 * x) * sigmoid(-2.0 * x))),
        "4 · sigmoid(2x) · sigmoid(−2x)",
    ),
    Gradient(
        "falling",
        lambda x: np.exp(-np.exp(x)),
        lambda x, y, g: g * -np.exp(x - np.exp(x)),
        "−exp(x − exp(x))",
    ),
)


def custom_gradient(document: Document, run: Run, fault: Fault) -> Iterator[Fix]:
    """Give a formula at the fault or above it, whose gradient reaches it, a custom gradient."""
    for root in above(document, fault.node):
        for gradient in GRADIENTS:
            if any(matches(document, root, pattern_of(gradient.pattern))):
                yield _fix(root, gradient)


OWN_GRADIENT = "{root} becomes a function of the same value with the custom gradient {gradient}"


def _fix(root: str, gradient: Gradient) -> Fix:
    def apply(now: Document) -> Document:
        match = next(matches(now, root, pattern_of(gradient.pattern)), None)
        if match is None:
            raise Refused("{root} has changed since this fix was offered", "look at its problem again", root=root)
        name, x = fresh_name([*now.functions, *now.nodes], gradient.name), match.letters["x"]
        with_function = make_function(now, match.nodes, name)
        result, upstream = fresh_name([x], "y"), fresh_name([x, "y"], "g")
        letters = {"x": x, "y": result, "g": upstream}
        nodes = subgraph(pattern_of(gradient.rule), letters, letters.values())
        return set_gradient(with_function, name, Backward((x, result, upstream), nodes, (list(nodes)[-1],)))

    action = Clause("Give {root} a gradient of its own", operands={"root": root})
    return Fix(
        action, Clause(OWN_GRADIENT, operands={"root": root, "gradient": gradient.shown}), apply, gradient.promise
    )
