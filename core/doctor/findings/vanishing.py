"""Gradients that are exactly 0, or too small to keep their digits, although the true ones are not 0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import replace

from cadena.core.doctor.findings.findings import Findings, tiny_of
from cadena.core.doctor.findings.places import first, number_at
from cadena.core.doctor.findings.within import fault_inside
from cadena.core.functions.calls import FunctionCall
from cadena.core.graph.fault import Fault, Kind
from cadena.core.ops.arithmetic import multiply
from cadena.core.ops.primitive import Primitive
from cadena.core.ops.reduction import as_axis
from cadena.core.ops.softmax import softmax
from cadena.core.ops.traits import Trait
from cadena.core.ops.walk import Instruction
from cadena.core.text.causes import Cause
from cadena.core.text.numbers import figures, short
from cadena.core.text.wording import Operands, Place, Remedy

if TYPE_CHECKING:
    from cadena.core.run.program import Run

NOT_POSITIVE = "{op} passes no gradient back: its operand {operand} = {number} is not positive"
UNIT_OFF = "{op} passes no gradient back: 1 of {all} units is off for every example (unit {units})"
UNITS_OFF = "{op} passes no gradient back: {count} of {all} units are off for every example (units {units})"
ALIVE = "start with other weights or a larger bias, take smaller steps, or use leaky_relu"
FLAT_SHARE, SMALL_SHARE = 0.1, 0.5  # of the gradients that come to an operation, those that may become 0 or tiny

MASKED = -1e4  # a score this low, or -inf, is a mask: its share is to be 0


def vanished(run: Run) -> Iterator[Fault]:
    """Hints at the steps where a gradient became 0 or subnormal on its way to a leaf.

    Only the steps on the paths to leaves whose gradient is tiny are examined.
    """
    hints_by_node: dict[int, Fault] = {}
    calls = set[int]()
    for item, slot in _steps_above(Findings(run)):
        if item.out in calls:  # its subgraph is searched once, for all of its operands
            continue
        if isinstance(item.primitive, FunctionCall):
            calls.add(item.out)
        for hint in _step_hints(run, item, slot):
            hints_by_node.setdefault(run.plan.index[hint.node], hint)
    yield from (hints_by_node[number] for number in sorted(hints_by_node, reverse=True))


def _steps_above(findings: Findings) -> Iterator[tuple[Instruction, int]]:
    """The steps of the reverse pass towards the leaves without a gradient, up to where the gradient is not tiny yet."""
    run = findings.run
    plan, consumers, instruction_of = run.plan, run.program.document.consumers, run.instruction_of
    queue, seen = list(findings.without_gradient), set(findings.without_gradient)
    for number in queue:
        for name, slot in consumers[plan.names[number]]:
            item = instruction_of.get(plan.index[name])
            if item is not None and slot in item.active:
                yield item, slot
                if item.out not in seen and findings.is_tiny_at(item.out):
                    seen.add(item.out)
                    queue.append(item.out)


def _step_hints(run: Run, item: Instruction, slot: int) -> Iterator[Fault]:
    """Hints at one step's effect on the numbers that reach it: those that are not 0 themselves."""
    name, primitive = run.plan.names[item.out], item.primitive
    upstream = run.gradient(name)
    if upstream is None or not (np.abs(upstream) >= tiny_of(run.dtype)).any():
        return
    if isinstance(primitive, FunctionCall):
        yield from _inner_hint(run, name, slot)
        return
    local = run.local(name, slot)
    if Trait.CUT_OFF in primitive.traits:
        yield from dead_relu(run, item, upstream)
    elif primitive is softmax:
        yield from _softmax_hint(run, item, upstream)
    elif local is not None:
        yield from _product_hint(run, item, slot, upstream, local)


def _inner_hint(run: Run, name: str, slot: int) -> Iterator[Fault]:
    """Hints at steps inside the function that node `name` calls."""
    if inner := fault_inside(run, name, Kind.VANISHED_GRADIENT, vanished, slot):
        yield inner


def _product_hint(run: Run, item: Instruction, slot: int, upstream: np.ndarray, local: np.ndarray) -> Iterator[Fault]:
    tiny = tiny_of(run.dtype)
    with np.errstate(all="ignore"):
        product = upstream * local
    shape, gradient = np.shape(product), run.gradient(run.plan.names[item.operands[slot]])
    assert gradient is not None
    received = np.isfinite(product) & (np.abs(upstream) >= tiny)
    lost = received & (np.abs(gradient) < tiny)  # where no other step brings the operand a gradient
    operands = [np.broadcast_to(run.values[operand], shape) for operand in item.operands]
    flattened = (local == 0.0) & _slope_is_not_zero(item.primitive, slot, operands)
    if (at := _often(lost & flattened, received, FLAT_SHARE)) is not None:
        yield _flat(run, item, slot, at, int((lost & flattened).sum()), upstream)
    elif (at := _often(lost & (local != 0.0) & (product == 0.0), received, SMALL_SHARE)) is not None:
        yield _small(run, item, slot, at, VANISHES, np.zeros_like(product[at]), upstream, local)
    elif (at := _often(lost & (product != 0.0) & (np.abs(product) < tiny), received, SMALL_SHARE)) is not None:
        yield _small(run, item, slot, at, LOSES_DIGITS, product[at], upstream, local)
    elif first(lost & (local == 0.0)) is not None:
        yield from _factor_hint(run, item, slot)


def _slope_is_not_zero(primitive: Primitive, slot: int, operands: Sequence[np.ndarray]) -> np.ndarray:
    """Mark where the true local derivative is not 0, so that rounding made it 0; False where that is not known."""
    if not primitive.traits & (Trait.SLOPED | Trait.SATURATES):
        return np.zeros(np.shape(operands[0]), dtype=bool)
    finite = np.asarray(np.all([np.isfinite(operand) for operand in operands], axis=0))
    rule = primitive.slot(slot).sloped
    return finite if rule is None else finite & rule(*operands)


def _true_slope(primitive: Primitive, slot: int, operands: Sequence[float | None]) -> float | None:
    """The slope from a form that does not cancel; None without one, and where it is 0 in float64 too."""
    stable = primitive.slot(slot).stable
    return None if stable is None else float(stable(*operands)) or None


def _often(bad: np.ndarray, received: np.ndarray, share: float) -> tuple[int, ...] | None:
    """The first bad place, where there are enough of them: a few small numbers among many are as they should be."""
    return first(bad) if int(bad.sum()) > share * int(received.sum()) else None


def _flat(run: Run, item: Instruction, slot: int, at: tuple[int, ...], count: int, upstream: np.ndarray) -> Fault:
    """The hint at a slope that was rounded to 0."""
    name, primitive, shape = run.plan.names[item.out], item.primitive, upstream.shape
    op, saturates = primitive.name, Trait.SATURATES in primitive.traits
    operand = run.plan.names[item.operands[slot]]
    numbers = [number_at(run.values[number], at, shape) for number in item.operands]
    slope = _true_slope(primitive, slot, numbers)
    operands = {
        "operand": operand,
        "place": Place(at, count, upstream.size),
        "op": op,
        "given": ", ".join(f"{run.plan.names[n]} = {short(x)}" for n, x in zip(item.operands, numbers, strict=True)),
        "result": short(number_at(run.values[item.out], at, shape)),
        "dtype": run.dtype,
        "slope": slope,
    }
    if saturates:
        return _hint(name, SATURATED_SLOPE if slope else SATURATED_FLAT, operands, Cause.SATURATED, slot)
    return _hint(name, UNDERFLOWS if not slope else UNDERFLOWS_SLOPE, operands, Cause.UNDERFLOW_OF_SLOPE, slot)


SATURATED_SLOPE = (
    "the gradient of {operand} vanishes here{place}: {op} is saturated at {given} (result {result}), so that its slope "
    "is 0 in {dtype} although it is {slope}"
)
SATURATED_FLAT = (
    "the gradient of {operand} vanishes here{place}: {op} is saturated at {given} (result {result}), so that its slope "
    "is 0 in {dtype} although it is not 0"
)
UNDERFLOWS_SLOPE = (
    "the gradient of {operand} vanishes here{place}: {op} underflows at {given} (result {result}), so that its slope "
    "is 0 in {dtype} although it is {slope}"
)
UNDERFLOWS = (
    "the gradient of {operand} vanishes here{place}: {op} underflows at {given} (result {result}), so that its slope "
    "is 0 in {dtype} although it is not 0"
)
VANISHES = (
    "the gradient of {operand} vanishes here{place}, as {upstream} · {local} {equals} {result}: below {least} {dtype} "
    "has fewer digits"
)
LOSES_DIGITS = (
    "the gradient of {operand} loses its digits here{place}, as {upstream} · {local} {equals} {result}: below {least} "
    "{dtype} has fewer digits"
)
FACTOR = "{node} underflows to 0 in {dtype}{place}, although {op} is 0 nowhere, and with it the gradient of {operand}"
SHARES = (
    "the gradient of {operand} vanishes here{place}: softmax is saturated, one share is 1 and all others are lost "
    "beside it in {dtype}"
)


def _small(
    run: Run, item: Instruction, slot: int, at: tuple[int, ...], what: str, result: Any, upstream: Any, local: Any
) -> Fault:
    """The hint at a product too small for the number type."""
    factors = upstream[at], local[at]
    precision = figures(np.multiply, factors, result)
    u, d = (short(factor, precision.digits, precision.marked) for factor in factors)
    operands = {
        "operand": run.plan.names[item.operands[slot]],
        "place": Place(at, 1, upstream.size),
        **{"upstream": u, "local": d, "equals": precision.equals, "result": short(result)},
        **{"least": float(tiny_of(run.dtype)), "dtype": run.dtype},
    }
    cause = Cause.UNDERFLOW if what is VANISHES else Cause.SUBNORMAL
    return _hint(run.plan.names[item.out], what, operands, cause, slot)


def _factor_hint(run: Run, item: Instruction, slot: int) -> Iterator[Fault]:
    """Hints at a slope of 0 that is the value of another node, which underflowed."""
    if item.primitive is not multiply:
        return
    factor = run.instruction_of.get(item.operands[1 - slot])
    if factor is None or Trait.NEVER_ZERO not in factor.primitive.traits:
        return
    name, operand = run.plan.names[factor.out], run.plan.names[item.operands[slot]]
    at = first(np.asarray(run.values[factor.out]) == 0.0) or ()
    place = Place(at, 1, np.size(run.values[factor.out]))
    operands = {"operand": operand, "place": place, "op": factor.primitive.name, "dtype": run.dtype}
    yield replace(_hint(name, FACTOR, operands, Cause.UNDERFLOW_OF), names_node=True)


def _softmax_hint(run: Run, item: Instruction, upstream: np.ndarray) -> Iterator[Fault]:
    """Hints at shares that were rounded to 0 and 1, which pass no gradient unless it is the same for all of them."""
    name, operand = run.plan.names[item.out], run.plan.names[item.operands[0]]
    along = as_axis(item.attributes["axis"])
    contribution = run.contribution(name, 0)
    assert contribution is not None
    differs = np.ptp(upstream, axis=along, keepdims=True) != 0.0
    shares = np.asarray(run.values[item.out])
    lost = (shares == 0.0) & (np.asarray(run.values[item.operands[0]]) > MASKED)
    rounded = np.any(lost, axis=along, keepdims=True)
    gone = differs & rounded & np.all(contribution == 0.0, axis=along, keepdims=True) & (shares == 1.0)
    if (at := first(gone)) is not None:
        place = Place(at, int(gone.sum()), shares.size)
        operands = {"operand": operand, "place": place, "op": softmax.name, "dtype": run.dtype}
        remedy = "take log_softmax or cross_entropy of {operand}, or smaller scores"
        yield replace(_hint(name, SHARES, operands, Cause.SATURATED, 0), remedy=remedy)


def _hint(node: str, what: str, operands: Operands, cause: Cause, slot: int | None = None) -> Fault:
    kind = Kind.SUBNORMAL_GRADIENT if cause is Cause.SUBNORMAL else Kind.VANISHED_GRADIENT
    remedy = Remedy.KEEP_SMALL.in_type(operands["dtype"])
    return Fault(node, kind, what, remedy, operands, cause, slot, severity="hint")


def dead_relu(run: Run, item: Instruction, upstream: np.ndarray) -> Iterator[Fault]:
    """A hint where a unit gets no gradient from any example: all its inputs are at most 0.

    The last axis holds the units, the others the examples. A number or a vector is one example, in which some units may
    well be off; then all of them must be.
    """
    name, source = run.plan.names[item.out], run.plan.names[item.operands[0]]
    operands: dict[str, Any]
    off = np.asarray(run.values[item.operands[0]]) <= 0.0
    asked = upstream != 0.0
    if off.ndim < 2:
        if not (off.all() and asked.any()):
            return
        what, operands = NOT_POSITIVE, {"operand": source, "number": short(run.value(source))}
    else:
        examples = tuple(range(off.ndim - 1))
        dead = off.all(axis=examples) & asked.any(axis=examples)
        if not dead.any():
            return
        listed = [*map(str, np.flatnonzero(dead)[:6]), *(["…"] if dead.sum() > 6 else [])]
        what = UNIT_OFF if dead.sum() == 1 else UNITS_OFF
        operands = {"count": int(dead.sum()), "all": dead.size, "units": ", ".join(listed)}
    operands["op"] = item.primitive.name
    yield Fault(name, Kind.DEAD_RELU, what, ALIVE, operands, Cause.DEAD, slot=0, severity="hint")
