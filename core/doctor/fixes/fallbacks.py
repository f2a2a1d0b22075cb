"""Fixes that replace a useless number by another: offered where no equal formula helps."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from cadena.core.doctor.fixes.choices import BY_ZERO, has, is_truly_zero, same
from cadena.core.doctor.fixes.fix import Fix
from cadena.core.doctor.fixes.rewriting import FormulaTerm, rewritten
from cadena.core.functions.calls import operation
from cadena.core.graph.document import Document, as_array, as_value
from cadena.core.graph.edits import set_value
from cadena.core.graph.fault import BAD_NUMBERS, Fault
from cadena.core.graph.order import ancestors
from cadena.core.ops.arithmetic import add, maximum, minimum
from cadena.core.ops.elementary import sqrt
from cadena.core.ops.magnitudes import std, var
from cadena.core.ops.traits import Domain, Trait
from cadena.core.text.causes import Cause
from cadena.core.text.wording import Clause, Listing

if TYPE_CHECKING:
    from cadena.core.run.program import Run


def away_from_zero(document: Document, run: Run, fault: Fault) -> Iterator[Fix]:
    """Take the logarithm of the smallest number, not of 0, and divide by it."""
    is_quotient = fault.cause in BY_ZERO and has(document, fault.node, Trait.QUOTIENT)
    is_logarithm = fault.cause is Cause.LOG_AT_POLE and has(document, fault.node, Trait.LOGARITHM)
    is_pole = fault.cause is Cause.OUTSIDE_DOMAIN and _has_pole_at_0(run, fault.node)
    if not is_quotient and not is_logarithm and not is_pole:
        return
    slot = len(document.nodes[fault.node].inputs) - 1 if is_quotient else 0
    primitive, operand = (
        operation(document, document.nodes[fault.node].op),
        str(document.nodes[fault.node].inputs[slot]),
    )
    low = primitive.domain.low if primitive is not None and is_logarithm else 0.0
    least, x = _next_to(low, math.inf, run.dtype), run.value(operand)
    if x is None or (is_quotient and np.any(x < 0.0)) or not is_truly_zero(document, run, operand):
        return
    is_large = fault.cause is Cause.DIVISION_BY_ZERO and not _is_finite(run, run.program.output)
    if is_large:  # divided by the smallest number it would be as good as inf
        at_least = {"node": fault.node, "operand": operand, "number": SMALL_VARIANCE}
        action, effect = Clause(DIVIDE_BY_MORE, operands=at_least), Clause(MORE, operands=at_least)
        fix = _replaced(document, fault.node, (maximum.name, "x", SMALL_VARIANCE), action, effect, slot)
        yield fix._replace(promise="other")
        return
    operands = {"node": fault.node, "operand": operand, "least": least, "dtype": run.dtype, "low": low}
    effect = Clause(SMALLEST if low == 0.0 else NEAREST_ABOVE, operands=operands)
    action = Clause(KEEP_ABOVE, operands=operands)
    yield _replaced(document, fault.node, (maximum.name, "x", least), action, effect, slot)


def _has_pole_at_0(run: Run, name: str) -> bool:
    """Whether an operation of one operand is inf at 0, as gammaln is, and nowhere else here."""
    operands, result = run.program.document.nodes[name].inputs, run.value(name)
    x = run.value(str(operands[0])) if len(operands) == 1 else None
    if x is None or result is None or x.shape != result.shape or np.any(x < 0.0):
        return False
    return bool(np.array_equal(x == 0.0, ~np.isfinite(result)))


def spread_above_zero(document: Document, run: Run, fault: Fault) -> Iterator[Fix]:
    """Add a small number to the variance where equal numbers have a standard deviation of 0, as layer norms do."""
    names = dict.fromkeys((fault.node, *map(str, document.nodes[fault.node].inputs)))
    for name in names if fault.cause in BY_ZERO or fault.kind.about == "gradient" else ():
        if document.nodes[name].op in (std.name, var.name) and _has_zeros(run, name):
            yield _with_variance_above_zero(document, name)


def _has_zeros(run: Run, name: str) -> bool:
    value = run.value(name)
    return value is not None and bool((value == 0.0).any())


def _with_variance_above_zero(document: Document, name: str) -> Fix:
    def apply(now: Document) -> Document:
        node = same(now, document, name)
        term: FormulaTerm = (add.name, (var.name, "x", dict(node.attributes)), SMALL_VARIANCE)
        term = (sqrt.name, term) if node.op == std.name else term
        return rewritten(now, name, term, {"x": str(node.inputs[0])})

    operands = {"node": name, "number": SMALL_VARIANCE, "operand": str(document.nodes[name].inputs[0])}
    effect = NEVER_ZERO if document.nodes[name].op == std.name else NEVER_ZERO_VARIANCE
    return Fix(Clause(ADD_TO_VARIANCE, operands=operands), Clause(effect, operands=operands), apply, "other")


SMALL_VARIANCE = 1e-5  # of layer norms in PyTorch
ADD_TO_VARIANCE = "Add {number} to the variance of {operand}"
NEVER_ZERO_VARIANCE = "{node} is the variance plus {number}, never 0, and all results change a little"
NEVER_ZERO = "{node} is the root of the variance plus {number}, never 0, and all results change a little"

DIVIDE_BY_MORE = "Divide by {number} at least"
MORE = "{node} takes {number} where {operand} is smaller, and passes no gradient to {operand} there"
KEEP_ABOVE = "Keep {operand} above {low}"
KEEP_BETWEEN = "Keep {operand} between {low} and {high}"
SMALLEST = (
    "{node} takes {least}, the smallest number of {dtype} with all its digits, where {operand} is smaller, and passes "
    "no gradient there"
)
NEAREST_ABOVE = "{node} takes the nearest of numbers above {low}, and passes no gradient where {operand} lies outside"
NEAREST_BETWEEN = "{node} takes the nearest of {low} to {high}, and passes no gradient where {operand} lies outside"


def inside_domain(document: Document, run: Run, fault: Fault) -> Iterator[Fix]:
    """Limit an operand to the operation's domain, if it left it by rounding, or where nothing needs the result."""
    primitive = operation(document, document.nodes[fault.node].op)
    if fault.cause is not Cause.OUTSIDE_DOMAIN or primitive is None or not primitive.domain.is_bounded:
        return
    domain, operand = primitive.domain, str(document.nodes[fault.node].inputs[0])
    if not (_is_finite(run, run.program.output) or _is_rounded(document, run, fault.node, domain)):
        return
    least, most = _next_to(domain.low, math.inf, run.dtype), _next_to(domain.high, -math.inf, run.dtype)
    term: FormulaTerm = (maximum.name, "x", least)
    action, effect = KEEP_ABOVE, NEAREST_ABOVE
    if math.isfinite(domain.high):
        term, action, effect = (minimum.name, term, most), KEEP_BETWEEN, NEAREST_BETWEEN
    operands = {"node": fault.node, "operand": operand, "low": domain.low, "high": domain.high}
    yield _replaced(document, fault.node, term, Clause(action, operands=operands), Clause(effect, operands=operands))


def _next_to(end: float, towards: float, dtype: str) -> float:
    """The number next to the end of a domain; next to 0 the smallest one with all its digits."""
    if end == 0.0:
        return math.copysign(float(np.finfo(dtype).tiny), towards)
    return float(np.nextafter(np.dtype(dtype).type(end), np.dtype(dtype).type(towards)))


def _is_finite(run: Run, name: str | None) -> bool:
    value = run.value(name) if name in run.plan.index else None  # a file may name an output that is not there
    return value is not None and bool(np.isfinite(value).all())


def _is_rounded(document: Document, run: Run, name: str, domain: Domain) -> bool:
    """Whether operands leave the domain only by rounding errors."""
    operand = document.nodes[str(document.nodes[name].inputs[0])]
    x = run.value(operand.name)
    sizes = [np.max(np.abs(value), initial=0.0) for one in operand.inputs if (value := run.value(str(one))) is not None]
    assert x is not None
    with np.errstate(invalid="ignore"):  # inf is not beyond an infinite end, though their difference is nan
        beyond = np.fmax(domain.low - x, x - domain.high)
    scale = domain.high if math.isfinite(domain.high) else max(map(float, sizes), default=0.0)
    return float(np.max(beyond)) <= math.sqrt(float(np.finfo(run.dtype).eps)) * scale


def _replaced(document: Document, name: str, term: FormulaTerm, action: Clause, effect: Clause, slot: int = 0) -> Fix:
    """`term` of the operand x for the operand of the node in a slot."""

    def apply(now: Document) -> Document:
        node = same(now, document, name)
        letters = {f"o{index}": str(source) for index, source in enumerate(node.inputs)} | {"x": str(node.inputs[slot])}
        terms: list[FormulaTerm] = [term if index == slot else f"o{index}" for index in range(len(node.inputs))]
        return rewritten(now, name, (node.op, *terms, node.attributes), letters)

    return Fix(action, effect, apply, "convention")


def finite_leaf(document: Document, run: Run, fault: Fault) -> Iterator[Fix]:
    """Use a large number for an inf that was typed, such as that of a mask, where it goes bad."""
    if fault.kind not in BAD_NUMBERS or _is_infinite(run, run.program.output):
        return
    above = ancestors(document, fault.node)
    for node in document.nodes.values():
        if node.name in above and node.is_leaf and node.value is not None and np.isinf(as_array(node.value)).any():
            yield _finite_values(document, node.name, run.dtype)


def _finite_values(document: Document, name: str, dtype: str) -> Fix:
    value = document.nodes[name].value
    assert value is not None
    original = as_array(value).astype(np.float64)  # of a shorter type the large number would be inf again
    large = float(np.finfo(dtype).max) / 4.0  # so that the sum of two is finite too

    def apply(now: Document) -> Document:
        same(now, document, name)
        finite = np.where(np.isinf(original), np.sign(original) * large, original)
        return set_value(now, name, as_value(finite))

    numbers = Listing(tuple(sign * large for sign in (-1.0, 1.0) if (original == sign * math.inf).any()))
    operands = {"node": name, "numbers": numbers, "dtype": dtype}
    return Fix(Clause(MAKE_FINITE, operands=operands), Clause(FINITE, operands=operands), apply, "convention")


MAKE_FINITE = "Make {node} finite"
FINITE = "{node} is {numbers} where it was infinite, a quarter of what {dtype} can hold"


def _is_infinite(run: Run, name: str | None) -> bool:
    value = run.value(name) if name in run.plan.index else None  # a file may name an output that is not there
    return value is not None and bool(np.isinf(value).any())
