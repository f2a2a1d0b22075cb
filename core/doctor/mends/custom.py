"""The formula stays, as a function, and gets a gradient of its own in a form that does not overflow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from cadena.core.doctor.mends.formulas import EXP
from cadena.core.doctor.mends.mend import Mend
from cadena.core.doctor.mends.patterns import Either, Pattern, above, matches
from cadena.core.doctor.mends.rewriting import Term, subgraph
from cadena.core.functions.edits import make_function, set_gradient
from cadena.core.graph.document import Backward, Document
from cadena.core.graph.edits import fresh_name
from cadena.core.graph.fault import Fault, Refused

if TYPE_CHECKING:
    from cadena.core.run.program import Run


class Gradient(NamedTuple):
    """The gradient of a formula of x with the result y, for the upstream gradient g."""

    name: str  # of the function
    pattern: Pattern
    term: Term
    shown: str
    promise: Literal["same", "convention"] = "same"


BELOW_1 = ("subtract", 1.0, ("square", "x"))  # 0 at -1 and 1
INSIDE = ("sqrt", ("where", BELOW_1, BELOW_1, 1.0))

GRADIENTS = (
    Gradient("one_over_exp", Either((("divide", 1.0, EXP), ("reciprocal", EXP), ("power", EXP, -1.0))),
             ("multiply", "g", ("negative", ("exp", ("negative", "x")))), "−exp(−x)"),
    Gradient("log_one_plus_exp", Either((("log", ("add", 1.0, EXP)), ("log1p", EXP))),
             ("multiply", "g", ("sigmoid", "x")), "sigmoid(x)"),
    Gradient("root", ("sqrt", "x"),
             ("where", "y", ("divide", ("multiply", 0.5, "g"), ("where", "y", "y", 1.0)), 0.0), "0 at 0, else 1 / 2√x",
             "convention"),
    Gradient("cube_root", ("cbrt", "x"),
             ("where", "y", ("divide", "g", ("multiply", 3.0, ("square", ("where", "y", "y", 1.0)))), 0.0),
             "0 at 0, else 1 / 3∛x²", "convention"),
    Gradient("arc_sine", ("arcsin", "x"), ("where", BELOW_1, ("divide", "g", INSIDE), 0.0),
             "0 at ±1, else 1 / √(1 − x²)", "convention"),
    Gradient("arc_cosine", ("arccos", "x"), ("negative", ("where", BELOW_1, ("divide", "g", INSIDE), 0.0)),
             "0 at ±1, else −1 / √(1 − x²)", "convention"),
    Gradient("saturating", ("sigmoid", "x"),
             ("multiply", "g", ("multiply", ("sigmoid", "x"), ("sigmoid", ("negative", "x")))),
             "sigmoid(x) · sigmoid(−x)"),
    Gradient("saturating", ("tanh", "x"),
             ("multiply", "g", ("multiply", 4.0, ("multiply", ("sigmoid", ("multiply", 2.0, "x")),
                                                  ("sigmoid", ("multiply", -2.0, "x"))))),
             "4 · sigmoid(2x) · sigmoid(−2x)"),
    Gradient("falling", ("exp", ("negative", EXP)),
             ("multiply", "g", ("negative", ("exp", ("subtract", "x", EXP)))), "−exp(x − exp(x))"),
)  # fmt: skip


def custom_gradient(document: Document, run: Run, fault: Fault) -> Iterator[Mend]:
    """The formulas at the fault and above it, whose gradients come down to it, each with a custom gradient."""
    for root in above(document, fault.node):
        for gradient in GRADIENTS:
            if any(matches(document, root, gradient.pattern)):
                yield _mend(root, gradient)


def _mend(root: str, gradient: Gradient) -> Mend:
    def apply(now: Document) -> Document:
        match = next(matches(now, root, gradient.pattern), None)
        if match is None:
            raise Refused(f"{root} has changed since this mend was offered; look at its problem again")
        name, x = fresh_name([*now.functions, *now.nodes], gradient.name), match.letters["x"]
        made = make_function(now, match.nodes, name)
        result, upstream = fresh_name([x], "y"), fresh_name([x, "y"], "g")
        letters = {"x": x, "y": result, "g": upstream}
        nodes = subgraph(gradient.term, letters, letters.values())
        return set_gradient(made, name, Backward((x, result, upstream), nodes, (list(nodes)[-1],)))

    return Mend(
        f"Give {root} a gradient of its own",
        f"{root} becomes a function of the same value with the custom gradient {gradient.shown}",
        apply,
        gradient.promise,
    )
