"""Mends that choose: a harmless operand where it does not matter, a value where there is none, another number type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from core.diagnosis.untaken import CHOSEN_IF_TRUE, CONDITION, untaken
from core.document import Document, Node
from core.edits import set_dtype, set_operation
from core.fault import Fault, Refused
from core.graph import descendants
from core.mends.mend import Mend
from core.mends.rewriting import Term, rewritten
from core.numbers import short

if TYPE_CHECKING:
    from core.program import Run

HARMLESS = {"arcsin": 0.5, "arccos": 0.5, "arctanh": 0.5, "arccosh": 2.0}  # 1 for all others
DIVISIONS = ("divide", "remainder", "fmod", "floor_divide")


def safe_where(document: Document, run: Run, fault: Fault) -> Iterator[Mend]:
    """The double where: an operation behind a branch that is not chosen gets a harmless operand there."""
    found = untaken(run, run.plan.index[fault.node], ())
    if found is None:
        return
    choice, branch = found
    slot = fault.slot if fault.slot is not None else int(document.nodes[fault.node].op in DIVISIONS)
    operand, condition = document.nodes[fault.node].inputs[slot], document.nodes[choice].inputs[CONDITION]
    if operand is None or condition is None or _is_used_elsewhere(document, fault.node, choice):
        return
    harmless = HARMLESS.get(document.nodes[fault.node].op, 1.0)
    safe = ("where", "c", "x", harmless) if branch == CHOSEN_IF_TRUE else ("where", "c", harmless, "x")

    def apply(now: Document) -> Document:
        node = _same(now, document, fault.node)
        letters = {f"o{index}": str(source) for index, source in enumerate(node.inputs)}
        terms: list[Term] = [safe if index == slot else f"o{index}" for index in range(len(node.inputs))]
        return rewritten(now, node.name, (node.op, *terms, node.attributes), letters | {"c": condition, "x": operand})

    yield Mend(
        f"Keep {operand} harmless where {choice} does not choose it",
        f"{fault.node} gets {short(harmless)} instead of {operand} wherever {choice} takes its other branch, "
        f"so that nothing infinite meets the gradient of 0",
        apply,
    )


def _is_used_elsewhere(document: Document, name: str, choice: str) -> bool:
    """Whether `name` has ways onwards that do not lead through `choice`."""
    inside = descendants(document, name) - descendants(document, choice)
    fed = {consumer for one in inside for consumer, _ in document.consumers[one]}
    return document.output in inside or not fed <= inside | {choice}


def safe_at_zero(document: Document, run: Run, fault: Fault) -> Iterator[Mend]:
    """The value 0, with the gradient 0, where a root is infinitely steep or a denominator is 0."""
    for name in _steep_roots(document, run, fault):
        node = document.nodes[name]
        if node.op in ("sqrt", "cbrt"):
            yield _where_not_zero(document, name, 0, f"Give {name} the gradient 0 where {node.inputs[0]} is 0")
    if fault.rule in ("division by 0", "0 / 0") and document.nodes[fault.node].op in ("divide", "reciprocal"):
        slot = int(document.nodes[fault.node].op == "divide")
        operand = document.nodes[fault.node].inputs[slot]
        yield _where_not_zero(document, fault.node, slot, f"Let {fault.node} be 0 where {operand} is 0")


def _steep_roots(document: Document, run: Run, fault: Fault) -> list[str]:
    """The roots at 0 that this fault is about: the node itself, or the one whose infinite gradient came down to it."""
    above = descendants(document, fault.node)
    steep = [other.node for other in run.faults if other.rule.startswith("infinite slope")]
    return [name for name in steep if name in above]


def _where_not_zero(document: Document, name: str, slot: int, title: str) -> Mend:
    """where(x, op(where(x, x, 1)), 0): the condition is the operand itself, which counts as false where it is 0."""
    before = document.nodes[name]
    operand = str(before.inputs[slot])

    def apply(now: Document) -> Document:
        node = _same(now, document, name)
        letters = {f"o{index}": str(source) for index, source in enumerate(node.inputs)} | {"x": operand}
        safe = ("where", "x", "x", 1.0)
        terms: list[Term] = [safe if index == slot else f"o{index}" for index in range(len(node.inputs))]
        return rewritten(now, name, ("where", "x", (node.op, *terms, node.attributes), 0.0), letters)

    return Mend(title, f"where {operand} is 0, {name} is 0 and passes no gradient; elsewhere nothing changes", apply)


def away_from_zero(document: Document, run: Run, fault: Fault) -> Iterator[Mend]:
    """A logarithm of the smallest number, not of 0."""
    node = document.nodes[fault.node]
    if node.op not in ("log", "log2", "log10") or not fault.rule.endswith(" of 0"):
        return
    least, operand = float(np.finfo(run.dtype).tiny), str(node.inputs[0])

    def apply(now: Document) -> Document:
        _same(now, document, fault.node)
        return rewritten(now, fault.node, (node.op, ("maximum", "x", least)), {"x": operand})

    yield Mend(
        f"Keep {operand} above 0",
        f"{fault.node} takes {short(least)}, the smallest number of {run.dtype} with all its digits, where {operand} "
        f"is smaller, and passes no gradient there",
        apply,
    )


def leaky(document: Document, run: Run, fault: Fault) -> Iterator[Mend]:
    """A relu that is never dead."""
    if fault.kind == "dead-relu" and document.nodes[fault.node].op == "relu":
        why = "a small slope for negative inputs lets some gradient through; other values change a little"
        yield Mend("Use leaky_relu", why, lambda now: set_operation(now, fault.node, "leaky_relu"))


def wider_type(document: Document, run: Run, fault: Fault) -> Iterator[Mend]:
    """The same graph in float64."""
    if run.dtype != "float64":
        why = f"float64 reaches from 2·10⁻³⁰⁸ to 2·10³⁰⁸ with 16 digits; {run.dtype} has fewer of both"
        yield Mend("Run in float64", why, lambda now: set_dtype(now, "float64"))


def _same(now: Document, before: Document, name: str) -> Node:
    """The node, which must be as it was when the mend was offered."""
    node = now.nodes.get(name)
    if node is None or node != before.nodes[name]:
        raise Refused(f"{name} has changed since this mend was offered; look at its problem again")
    return node
