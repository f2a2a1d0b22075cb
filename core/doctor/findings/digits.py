"""Lost digits, by comparing the run with one in a wider number type.

Where the operands of a node agree and its result does not, its arithmetic cancelled: two numbers that were nearly equal
were subtracted, and what was left is mostly their rounding errors.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from cadena.core.doctor.findings.findings import Findings, extremes, tiny_of
from cadena.core.doctor.findings.places import first, known_values, original_numbers
from cadena.core.graph.document import as_value
from cadena.core.graph.fault import Fault, Kind
from cadena.core.ops.primitive import Primitive
from cadena.core.ops.traits import Trait
from cadena.core.ops.walk import Instruction
from cadena.core.run.passes import Numbers
from cadena.core.text.causes import Cause
from cadena.core.text.numbers import distinguishing_digits, short
from cadena.core.text.wording import Operands, Place

if TYPE_CHECKING:
    from cadena.core.run.program import Run

JUMP = 100.0  # the factor by which the error must grow in one node to be its own
KEEP_DIGITS = "write the formula in a form that keeps them"
MAX_OPERATIONS = 20_000  # operations that are run in extended precision, one numpy call each


def lost_digits(run: Run) -> Iterator[Fault]:
    """Hints at the nodes whose value, and at the steps whose gradient, lost more than half of the digits.

    float16 and float32 are compared with float64, and float64 with numpy's longdouble where the machine's is wider and
    every operation has it (elementwise ones, and sums).
    """
    wider = _reference(run)
    if wider is None:
        return
    values, gradients = wider
    plan, limit = run.plan, math.sqrt(float(np.finfo(run.dtype).eps))
    off = _errors(run, run.values, values, known_values(run))
    for item in plan.instructions if max(off, default=0.0) >= limit else ():
        if _is_own(off[item.out], max(off[operand] for operand in item.operands), limit):
            yield _value_hint(run, item, values[item.out])
    if plan.output is not None:
        yield from _gradient_hints(run, values, gradients, off, limit)


def lost_leaves(run: Run) -> Iterator[Fault]:
    """Hints at inputs that are too small for the number type: an eps that is 0 protects nothing from 0."""
    for leaf in run.plan.leaves:
        name, value, actual = run.plan.names[leaf], np.asarray(run.values[leaf]), original_numbers(run, leaf)
        lost = (value == 0.0) & (actual != 0.0)
        if (at := first(lost)) is not None:
            operands = {
                "number": float(actual[at]),
                "place": Place(at, int(lost.sum()), value.size),
                "dtype": run.dtype,
                "least": float(np.finfo(run.dtype).smallest_subnormal),
            }
            what = "{node} was given {number}{place} and is 0 in {dtype}, whose least number is {least}"
            remedy = "type a larger one, or take a wider number type"
            yield _hint(name, what, remedy, operands, Cause.GIVEN, names_node=True)


def _is_own(error: float, brought: float, limit: float) -> bool:
    """Whether an error arose here rather than in the operands."""
    return error >= limit > brought and error >= JUMP * brought


def _reference(run: Run) -> tuple[Numbers, Numbers] | None:
    """Values and gradients from the same leaves in a wider type; None where there is no such type."""
    plan = run.plan
    if run.dtype != "float64":
        wide_run = run.program.run({plan.names[n]: run.values[n] for n in plan.leaves}, "float64", run.seed)
        return wide_run.values, wide_run.gradients
    if np.finfo(np.longdouble).eps >= np.finfo(np.float64).eps or not _runs_extended(run):
        return None
    *_, slowest = run.program.passes.for_dtype("longdouble")  # the last one never gives up
    numbers = slowest.forward({leaf: as_value(run.values[leaf]) for leaf in plan.leaves}, "longdouble")
    values = slowest.by_number(numbers)
    if plan.output is None:
        return values, run.gradients
    return values, slowest.by_number(slowest.reverse(numbers, run.seed.astype(np.longdouble)))


def _runs_extended(run: Run) -> bool:
    """Whether all operations keep the digits of longdouble, and are not too many for numpy calls."""
    return len(run.plan) <= MAX_OPERATIONS and all(_is_extended(item.primitive) for item in run.plan.instructions)


def _is_extended(primitive: Primitive) -> bool:
    """Whether an operation keeps the digits of longdouble."""
    if primitive.elementwise:
        return Trait.ONLY_FLOAT64 not in primitive.traits
    return Trait.LONGDOUBLE in primitive.traits


def _errors(run: Run, actual: Numbers, exact: Numbers, known: list[bool]) -> list[float]:
    """`_error` for each node, 0 for those that are not known; in one go where all are single numbers."""
    if any(run.plan.shapes):
        return [_error(*pair) if here else 0.0 for *pair, here in zip(actual, exact, known, strict=True)]
    there = np.flatnonzero(known)
    if not len(there):
        return [0.0] * len(known)
    a, b = (_wide(numbers, there) for numbers in (actual, exact))
    errors = np.zeros(len(known))
    with np.errstate(all="ignore"):
        errors[there] = np.where(a == b, 0.0, np.abs(a - b) / np.abs(b))
    return errors.tolist()


def _wide(numbers: Numbers, chosen: np.ndarray) -> np.ndarray:
    if isinstance(numbers, np.ndarray):
        return np.asarray(numbers[chosen], dtype=np.longdouble)
    return np.array([numbers[number] for number in chosen.tolist()], dtype=np.longdouble)


def _error(actual: Any, exact: Any) -> float:
    """The largest difference, relative to the largest number; 0 for no numbers, inf where one of them is bad."""
    if actual is None or exact is None or np.size(actual) == 0:
        return 0.0
    actual, exact = np.asarray(actual), np.asarray(exact)  # a Python float would be rounded to the narrow type
    with np.errstate(all="ignore"):
        size, difference = np.max(np.abs(exact)), np.max(np.abs(np.subtract(actual, exact)))
        return float(difference / size) if size > 0.0 else (0.0 if difference == 0.0 else math.inf)


def _value_hint(run: Run, item: Instruction, exact: Any) -> Fault:
    from cadena.core.notation.calls import plain_call

    name = run.plan.names[item.out]
    inputs = ", ".join(
        f"{n} = {short(run.value(n), 8)}" for n in dict.fromkeys(run.plan.names[o] for o in item.operands)
    )
    operands = {
        **{"formula": plain_call(run, name), "dtype": run.dtype, "op": item.primitive.name, "given": inputs},
        **_numbers(run.value(name), exact),
    }
    if np.max(np.abs(exact)) < tiny_of(run.dtype):
        remedy, cause = "write the formula in a form that keeps small numbers", Cause.UNDERFLOW_OF
        return _hint(name, TOO_SMALL, remedy, operands, cause, names_node=True)
    remedy, cause = "write the formula in a form that does not cancel", Cause.CANCELLATION
    return _hint(name, ROUNDED, remedy, operands, cause, names_node=True)


TOO_SMALL = (
    "{node} = {formula} loses its digits in {dtype}: it is {number}, and should be {true}, as it is too small for full "
    "digits"
)
ROUNDED = (
    "{node} = {formula} loses its digits in {dtype}: it is {number}, and should be {true}, as rounding errors are all "
    "that is left of {given}"
)
STEP_TOO_SMALL = (
    "the gradient of {operand} loses its digits here in {dtype}: it is {number}, and should be {true}, as {op} makes "
    "it too small for full digits"
)
STEP_SLOPE_TOO_SMALL = (
    "the gradient of {operand} loses its digits here in {dtype}: it is {number}, and should be {true}, as the slope of "
    "{op} is too small for full digits"
)
STEP_ROUNDED = (
    "the gradient of {operand} loses its digits here in {dtype}: it is {number}, and should be {true}, as the slope of "
    "{op} is rounded badly"
)
SUM_CANCELS = (
    "its gradient loses its digits in {dtype}: it is {number}, and should be {true}, as its contributions cancel each "
    "other"
)


def _numbers(actual: Any, exact: Any) -> dict[str, str]:
    """The number with the largest error, and its true value, with enough digits to distinguish them."""
    worst = int(np.argmax(np.abs(np.subtract(actual, np.asarray(exact)))))
    one, other = np.ravel(actual)[worst], float(np.ravel(exact)[worst])
    digits = distinguishing_digits(one, other)
    return {"number": short(one, digits), "true": short(other, digits)}


def _gradient_hints(run: Run, values: Any, gradients: Any, off: list[float], limit: float) -> Iterator[Fault]:
    """Steps that lost the digits of a gradient although value, operands and upstream gradient had theirs."""
    plan = run.plan
    underflown = _underflown(run, gradients)
    for operand, (out, slot) in underflown.items():
        yield _underflow_hint(run, operand, out, slot, gradients[operand])
    astray = _errors(run, run.gradients, gradients, plan.reached)
    if max(astray, default=0.0) < limit:
        return
    inherited, carried = set[int](), dict[int, list[tuple[float, int, int]]]()
    for item in reversed(plan.instructions):
        brought = max(astray[item.out], off[item.out], *(off[operand] for operand in item.operands))
        for slot in item.active:
            operand = item.operands[slot]
            if astray[operand] < limit:
                continue
            if not _is_own(astray[operand], brought, limit):
                inherited.add(operand)
            carried.setdefault(operand, []).append((_step_error(run, item, slot, values, gradients), item.out, slot))
    for operand, steps in carried.items():
        if operand not in inherited and operand not in underflown:
            yield _gradient_hint(run, operand, max(steps), gradients[operand], limit)


def _underflown(run: Run, exact: Any) -> dict[int, tuple[int, int]]:
    """Gradients that lost digits as they, or the slope in them, became subnormal, each with the step where it happened.

    Only those count on which a gradient of full size depends.

    A gradient's later steps are linear, so that it keeps its relative error however large it grows again. A subnormal
    value tells less: log hardly sees its error.
    """
    plan, tiny = run.plan, tiny_of(run.dtype)
    sizes = _sizes(run)
    if not ((sizes > 0.0) & (sizes < tiny * max(1.0, sizes.max(initial=0.0)))).any():
        return {}
    sources, steps = dict[int, tuple[int, int, int]](), dict[int, tuple[int, int]]()  # sources: operand, out, slot
    for item in reversed(plan.instructions):
        upstream = sizes[item.out]
        for slot in item.active if upstream > 0.0 else ():
            operand = item.operands[slot]
            source, size = sources.get(item.out), sizes[operand]
            if source is None and 0.0 < size < tiny * max(1.0, upstream) and upstream >= tiny:
                lost = _error(run.gradients[operand], exact[operand]) > 0.0 and _is_too_small(run, item, slot, tiny)
                source = (operand, item.out, slot) if lost else None
            if source is None or not _decides(run, item, slot, size):
                continue
            sources.setdefault(operand, source)
            if size >= tiny:
                steps.setdefault(source[0], source[1:])
    return steps


def _is_too_small(run: Run, item: Instruction, slot: int, tiny: float) -> bool:
    """Whether a contribution is subnormal, or its slope, in the element whose upstream gradient brought it.

    In an array the largest upstream gradient and the contribution may be in different elements. Where the elements do
    not correspond, as in a product of matrices, the largest ones have to do.
    """
    contribution = run.contribution(run.plan.names[item.out], slot)
    upstream = run.gradients[item.out]
    if contribution is None or np.shape(contribution) != np.shape(upstream) or not item.primitive.elementwise:
        return True
    size = np.abs(contribution)
    return bool(((size > 0.0) & (size < tiny * np.maximum(1.0, np.abs(upstream)))).any())


def _sizes(run: Run) -> np.ndarray:
    """The largest magnitude in each node's gradient; 0 where there is none."""
    findings = Findings(run)
    if findings.of_numbers:
        return findings.sizes
    return extremes([np.zeros(0) if one is None else np.asarray(one) for one in run.gradients])[1]


def _decides(run: Run, item: Instruction, slot: int, size: float) -> bool:
    """Whether a step brings its operand, whose gradient has this size, half of it or more."""
    contribution = run.contribution(run.plan.names[item.out], slot)
    return contribution is not None and float(np.max(np.abs(contribution), initial=0.0)) >= size / 2.0


def _underflow_hint(run: Run, operand: int, out: int, slot: int, exact: Any) -> Fault:
    name = run.plan.names[operand]
    is_small = np.max(np.abs(exact)) < tiny_of(run.dtype)
    operands = {"operand": name, "dtype": run.dtype, **_numbers(run.gradient(name), exact)}
    operands["op"] = run.instruction_of[out].primitive.name
    what = STEP_TOO_SMALL if is_small else STEP_SLOPE_TOO_SMALL
    return _hint(run.plan.names[out], what, KEEP_DIGITS, operands, Cause.UNDERFLOW_OF_SLOPE, slot)


def _step_error(run: Run, item: Instruction, slot: int, values: Any, gradients: Any) -> float:
    """The error of one step's contribution against the wider type."""
    with np.errstate(all="ignore"):
        operands = [np.asarray(values[operand]) for operand in item.operands]
        upstream, y = np.asarray(gradients[item.out]), np.asarray(values[item.out])
        exact = item.primitive.vjp(slot, upstream, y, operands, item.attributes)
    return _error(run.contribution(run.plan.names[item.out], slot), exact)


def _gradient_hint(run: Run, operand: int, worst: tuple[float, int, int], exact: Any, limit: float) -> Fault:
    name, (error, out, slot) = run.plan.names[operand], worst
    operands = {"operand": name, "dtype": run.dtype, **_numbers(run.gradient(name), exact)}
    if error < limit:
        remedy = "write the formula so that {node} has fewer ways to the output"
        return _hint(name, SUM_CANCELS, remedy, operands, Cause.CANCELLATION_OF_SUM)
    is_small = np.max(np.abs(exact)) < tiny_of(run.dtype)
    what, cause = (
        (STEP_TOO_SMALL, Cause.UNDERFLOW_OF_SLOPE) if is_small else (STEP_ROUNDED, Cause.CANCELLATION_OF_SLOPE)
    )
    operands["op"] = run.instruction_of[out].primitive.name
    return _hint(run.plan.names[out], what, KEEP_DIGITS, operands, cause, slot)


def _hint(
    node: str,
    what: str,
    remedy: str,
    operands: Operands,
    cause: Cause,
    slot: int | None = None,
    names_node: bool = False,
) -> Fault:
    kind = Kind.LOST_DIGITS
    return Fault(node, kind, what, remedy, operands, cause, slot, severity="hint", names_node=names_node)
