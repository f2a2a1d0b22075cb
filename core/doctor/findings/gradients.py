"""The steps of the reverse pass at which a gradient became inf or nan, with the product or the sum at fault."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cadena.core.doctor.findings.marks import KINDS, Marks, marks, where_is
from cadena.core.doctor.findings.places import first, known_values, number_at, trouble
from cadena.core.doctor.findings.rules import Diagnosis, of_empty_row
from cadena.core.doctor.findings.unused_branches import unused_branch
from cadena.core.doctor.findings.within import fault_inside
from cadena.core.graph.fault import BAD_GRADIENTS, Fault
from cadena.core.ops.arithmetic import power
from cadena.core.ops.logarithmic_sums import hypot
from cadena.core.ops.walk import Instruction
from cadena.core.text.causes import Cause
from cadena.core.text.numbers import short
from cadena.core.text.wording import Clause, Place

if TYPE_CHECKING:
    from cadena.core.run.program import Run

OTHER = "change the operands of {node}, rewrite the formula, or take a wider number type"


class ReverseWire(NamedTuple):
    """One wire of the reverse pass; `local` is None where the operation mixes elements."""

    run: Run
    item: Instruction
    slot: int
    upstream: np.ndarray
    local: np.ndarray | None
    contribution: np.ndarray

    @property
    def name(self) -> str:
        return self.run.plan.names[self.item.out]

    @property
    def operand(self) -> str:
        return self.run.plan.names[self.item.operands[self.slot]]

    @property
    def product(self) -> np.ndarray:
        """Upstream times local derivative, before it is summed to the operand's shape."""
        if self.local is None:
            return self.contribution
        with np.errstate(all="ignore"):
            return np.asarray(self.upstream * self.local)


def gradient_faults(run: Run, values: Marks, gradients: Marks) -> Iterator[Fault]:
    """A fault for each step or sum that made an inf or nan, in the order of the reverse pass."""
    carried: dict[int, list[np.ndarray]] = {}
    yield from _seed_fault(run, gradients)
    for item in reversed(run.plan.instructions):
        reported = set[str]()
        for slot in item.active:
            operand = item.operands[slot]
            if gradients.any_at([operand]) and (step := _step(run, item, slot)):
                carried.setdefault(operand, []).append(step.contribution)
                yield from _step_faults(step, values, gradients, reported)
    for number, parts in carried.items():
        yield from _sum_faults(run, number, parts, gradients)


def _seed_fault(run: Run, gradients: Marks) -> Iterator[Fault]:
    if (output := run.plan.output) is not None and not np.isfinite(run.seed).all():
        name, kind = run.plan.names[output], "nan" if gradients.nan[output] else "inf"
        what, operands = "the seed was given as {number}", {"number": kind}
        yield Fault(name, BAD_GRADIENTS[kind], what, "give a finite one", operands, Cause.GIVEN)


def _step(run: Run, item: Instruction, slot: int) -> ReverseWire | None:
    name = run.plan.names[item.out]
    upstream, contribution = run.gradient(name), run.contribution(name, slot)
    if upstream is None or contribution is None:
        return None
    return ReverseWire(run, item, slot, upstream, run.local(name, slot), contribution)


def _step_faults(step: ReverseWire, values: Marks, gradients: Marks, reported: set[str]) -> Iterator[Fault]:
    """The faults born in one step, one of a kind for each operation: `reported` holds the kinds reported so far."""
    if values.any_at([step.item.out]) and step.item.primitive.trouble:
        return  # the value's fault covers it
    for kind in KINDS:
        if kind not in reported and where_is(kind, step.contribution).any():
            at = _born(step, kind, values, gradients)
            if at is not None:
                reported.add(kind)
                yield _step_fault(step, kind, at)


def _born(step: ReverseWire, kind: str, values: Marks, gradients: Marks) -> tuple[int, ...] | None:
    """The first place where the step made an inf or nan of its own; None where operands or upstream brought it."""
    around = [step.run.values[number] for number in (*step.item.operands, step.item.out)]
    if step.local is None:
        numbers = (*step.item.operands, step.item.out)
        inherited = gradients.nan[step.item.out] or any(values.nan[number] for number in numbers)
        inherited |= kind == "inf" and (gradients.inf[step.item.out] or values.any_at(numbers))
        return None if inherited else first(where_is(kind, step.contribution))
    bad = where_is(kind, step.product)
    if not bad.any():  # the products are not, but their sum over the broadcast axes is
        return (0,) * bad.ndim
    for brought in (*around, step.upstream):
        bad = bad & ~(np.isnan(brought) if kind == "nan" else ~np.isfinite(brought))
    return first(bad)


def _faults(run: Run) -> Iterator[Fault]:
    return gradient_faults(run, marks(run.values, known_values(run)), marks(run.gradients, run.plan.reached))


BECOMES = "the gradient of {gradient} becomes {number} here{place}, {why}"
PRODUCT = "as upstream · local derivative = {upstream} · {local}"
UNUSED_BRANCH = (
    "as upstream · local derivative = {upstream} · {local}: {where} did not choose this branch, but 0 · inf is nan"
)
STEEP = "as upstream · local derivative = {upstream} · {local}: {op} is infinitely steep at {x}"
BROADCAST = "as the sum of the parts for all elements that it was broadcast to ({rule})"


def _step_fault(step: ReverseWire, kind: str, at: tuple[int, ...]) -> Fault:
    name = step.name
    if problem := trouble(step.run, step.item):
        return Fault(name, BAD_GRADIENTS[kind], problem.what, problem.remedy, problem.operands, Cause.OWN, step.slot)
    if inner := fault_inside(step.run, name, BAD_GRADIENTS[kind], _faults, step.slot):
        return inner
    place = Place(at, int(where_is(kind, step.product).sum()), step.product.size)
    frame = {"gradient": step.operand, "number": kind, "place": place}
    return _rule(step, kind, at).fault(name, BAD_GRADIENTS[kind], BECOMES, frame, slot=step.slot)


def _rule(step: ReverseWire, kind: str, at: tuple[int, ...]) -> Diagnosis:
    op = step.item.primitive.name
    if step.local is None:
        return _mixed(step, kind)
    if not where_is(kind, step.product)[at]:
        return Diagnosis.of(_of_sum(kind), BROADCAST, OTHER, rule=Clause(_of_sum(kind)))
    u, d = float(step.upstream[at]), float(step.local[at])
    factors = {"upstream": u, "local": d}
    x = number_at(step.run.values[step.item.operands[0]], at, step.product.shape)
    if u == 0.0 and np.isinf(d) and (where := unused_branch(step.run, step.item.out, at)):
        remedy = "give {node} a harmless operand where it is not chosen"
        return Diagnosis.of(Cause.UNUSED_BRANCH, UNUSED_BRANCH, remedy, where=where, **factors)
    if kind == "nan" and np.isnan(d):
        return _no_slope(step, at)
    if kind == "nan":
        return Diagnosis.of(Cause.ZERO_TIMES_INF if np.isinf(d) else Cause.INF_TIMES_ZERO, PRODUCT, OTHER, **factors)
    if x in step.item.primitive.steep:
        return Diagnosis.of(Cause.INFINITE_SLOPE, STEEP, OTHER, op=op, x=x, **factors)
    return Diagnosis.of(Cause.OVERFLOW_OF_PRODUCT, PRODUCT, OTHER, **factors)


def _of_sum(kind: str) -> Cause:
    """The arithmetic of a sum of good numbers that is an inf or a nan."""
    return Cause.INF_MINUS_INF if kind == "nan" else Cause.OVERFLOW_OF_SUM


def _mixed(step: ReverseWire, kind: str) -> Diagnosis:
    """Within an operation that mixes elements, the factors of one place are not known."""
    op, upstream = step.item.primitive.name, step.upstream[np.isinf(step.upstream)]
    if kind == "nan" and upstream.size:
        why = "as the upstream gradient {upstream} meets a 0 or another inf within the rule of {op}"
        remedy = "find out why the gradient of {node} is inf"
        return Diagnosis.of(Cause.INF_MEETS_ZERO, why, remedy, op=op, upstream=float(upstream[0]))
    infinite = [number for number in (*step.item.operands, step.item.out) if np.isinf(step.run.values[number]).any()]
    if kind == "nan" and (rule := of_empty_row(step.run, step.item, "as {row} has nothing but −inf")):
        return rule
    if kind == "nan" and infinite:
        name, why = step.run.plan.names[infinite[0]], "as {operand} is infinite, for which {op} has no derivative"
        return Diagnosis.of(Cause.OF_INF, why, "make {operand} finite", op=op, operand=name)
    return Diagnosis.of(Cause.WITHIN, "within the rule of {op}", OTHER, op=op, number=kind)


def _no_slope(step: ReverseWire, at: tuple[int, ...]) -> Diagnosis:
    """A local derivative that is nan although value and operands are not."""
    op, shape = step.item.primitive.name, step.product.shape
    numbers = [number_at(step.run.values[operand], at, shape) for operand in step.item.operands]
    if step.item.primitive is hypot and not any(numbers):
        why = "as 0 / 0: the length of a vector has no derivative where it is 0"
        return Diagnosis.of(Cause.NORM_AT_ZERO, why, OTHER)
    if step.item.primitive is power and numbers[0] is not None and numbers[0] < 0.0:
        why = "as the logarithm of a negative base: only the exponent of a positive base has a derivative"
        return Diagnosis.of(Cause.EXPONENT_OF_NEGATIVE, why, "make the base positive or the exponent a constant")
    listed = ", ".join(short(number) for number in numbers)
    return Diagnosis.of(Cause.NO_DERIVATIVE, "as {op} has no derivative at {operands}", OTHER, op=op, operands=listed)


def _sum_faults(run: Run, number: int, parts: list[Any], gradients: Marks) -> Iterator[Fault]:
    """Faults where contributions without nan (or inf) add up to nan (or inf)."""
    name, total = run.plan.names[number], np.asarray(run.gradients[number])
    for kind in KINDS:
        whole = [np.isnan(part) if kind == "nan" else ~np.isfinite(part) for part in parts]
        if not gradients.of(kind)[number] or number == run.plan.output:
            continue
        at = first(where_is(kind, total) & ~np.any(whole, axis=0))
        if at is None:
            continue
        operands = {
            "number": kind,
            "place": Place(at, int(where_is(kind, total).sum()), total.size),
            "parts": " + ".join(short(part[at]) for part in parts),
            "rule": Clause(_of_sum(kind)),
        }
        what = "its gradient becomes {number} here{place}, as the sum of its contributions {parts} ({rule})"
        remedy = "find out why they are so large, or rewrite the formula"
        yield Fault(name, BAD_GRADIENTS[kind], what, remedy, operands, _of_sum(kind))
