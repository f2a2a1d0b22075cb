"""Mends that put a number in the place of one that has no use: offered where no equal formula helps."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from cadena.core.doctor.mends.choices import LOGS, same
from cadena.core.doctor.mends.mend import Mend
from cadena.core.doctor.mends.rewriting import Term, rewritten
from cadena.core.doctor.mends.zeros import is_truly_zero
from cadena.core.graph.document import Document, as_array, as_value
from cadena.core.graph.edits import set_value
from cadena.core.graph.fault import Fault
from cadena.core.notation.numbers import short

if TYPE_CHECKING:
    from cadena.core.run.program import Run

BOTH_SIDES = ("arcsin", "arccos", "arctanh")  # from -1 to 1
LOWEST = {"sqrt": 0.0, "arccosh": 1.0}


def away_from_zero(document: Document, run: Run, fault: Fault) -> Iterator[Mend]:
    """A logarithm of the smallest number, not of 0."""
    node = document.nodes[fault.node]
    if node.op not in LOGS or not fault.rule.endswith(" of 0"):
        return
    least, operand = float(np.finfo(run.dtype).tiny), str(node.inputs[0])
    if not is_truly_zero(document, run, operand):
        return
    yield _replaced(
        document,
        fault.node,
        ("maximum", "x", least),
        f"Keep {operand} above 0",
        f"{fault.node} takes {short(least)}, the smallest number of {run.dtype} with all its digits, where {operand} "
        f"is smaller, and passes no gradient there",
    )


def inside_domain(document: Document, run: Run, fault: Fault) -> Iterator[Mend]:
    """An operand kept where the operation has a value, if it left it by rounding, or where nothing needs the result."""
    node = document.nodes[fault.node]
    if not fault.rule.endswith("outside its domain") or node.op not in (*BOTH_SIDES, *LOWEST):
        return
    if not (_is_finite(run, run.program.output) or _is_rounded(document, run, fault.node)):
        return
    limits, operand = np.finfo(run.dtype), str(node.inputs[0])
    if node.op in BOTH_SIDES:
        most = float(1.0 - limits.epsneg)
        term: Term = ("minimum", ("maximum", "x", -most), most)
        title, told = f"Keep {operand} between −1 and 1", "−1 to 1"
    else:
        term = ("maximum", "x", float(limits.tiny) if node.op == "sqrt" else float(1.0 + limits.eps))
        title, told = f"Keep {operand} above {short(LOWEST[node.op])}", f"numbers above {short(LOWEST[node.op])}"
    why = f"{fault.node} takes the nearest of {told}, and passes no gradient where {operand} lies outside"
    yield _replaced(document, fault.node, term, title, why)


def _is_finite(run: Run, name: str | None) -> bool:
    value = run.value(name) if name in run.plan.index else None  # a file may name an output that is not there
    return value is not None and bool(np.isfinite(value).all())


def _is_rounded(document: Document, run: Run, name: str) -> bool:
    """Whether what lies outside the domain is no more than rounding errors."""
    node = document.nodes[name]
    operand = document.nodes[str(node.inputs[0])]
    x = run.value(operand.name)
    sizes = [np.max(np.abs(value), initial=0.0) for one in operand.inputs if (value := run.value(str(one))) is not None]
    assert x is not None
    beyond = np.abs(x) - 1.0 if node.op in BOTH_SIDES else LOWEST[node.op] - x
    scale = 1.0 if node.op in BOTH_SIDES else max(map(float, sizes), default=0.0)
    return float(np.max(beyond)) <= math.sqrt(float(np.finfo(run.dtype).eps)) * scale


def _replaced(document: Document, name: str, term: Term, title: str, why: str) -> Mend:
    """`term` of the operand x for the operand of the node."""

    def apply(now: Document) -> Document:
        node = same(now, document, name)
        return rewritten(now, name, (node.op, term), {"x": str(node.inputs[0])})

    return Mend(title, why, apply, "convention")


def finite_leaf(document: Document, run: Run, fault: Fault) -> Iterator[Mend]:
    """A large number in the place of an inf that was typed in, such as the one of a mask."""
    node = document.nodes[fault.node]
    if fault.rule != "given" or fault.kind != "inf-value" or node.value is None:
        return
    given = as_array(node.value)
    large = float(np.finfo(run.dtype).max) / 4.0  # so that the sum of two is finite too
    if _is_infinite(run, run.program.output) or not np.isinf(given).any():
        return

    def apply(now: Document) -> Document:
        same(now, document, fault.node)
        finite = np.where(np.isinf(given), np.sign(given) * large, given)
        return set_value(now, fault.node, as_value(finite))

    listed = " and ".join(short(sign * large) for sign in (-1.0, 1.0) if (given == sign * math.inf).any())
    why = f"{fault.node} is {listed} where it was infinite, a quarter of what {run.dtype} can hold"
    yield Mend(f"Make {fault.node} finite", why, apply, "convention")


def _is_infinite(run: Run, name: str | None) -> bool:
    value = run.value(name) if name in run.plan.index else None  # a file may name an output that is not there
    return value is not None and bool(np.isinf(value).any())
