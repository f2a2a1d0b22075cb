"""The origins of inf and nan: nodes with good operands and a bad result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import replace

from cadena.core.doctor.findings.findings import Findings
from cadena.core.doctor.findings.gradients import gradient_faults
from cadena.core.doctor.findings.marks import KINDS, Marks, marks, where_is
from cadena.core.doctor.findings.places import first, known_values, number_at, trouble
from cadena.core.doctor.findings.rules import value_rule
from cadena.core.doctor.findings.within import fault_inside
from cadena.core.graph.document import as_array
from cadena.core.graph.fault import BAD_VALUES, Fault
from cadena.core.notation.calls import plain_call
from cadena.core.ops.walk import Instruction
from cadena.core.text.causes import OVERFLOWS, Cause
from cadena.core.text.numbers import short
from cadena.core.text.wording import Place, Remedy

if TYPE_CHECKING:
    from cadena.core.run.program import Run


def number_faults(run: Run) -> Iterator[Fault]:
    """A fault for each node whose value, or whose step of the reverse pass, turned good numbers into inf or nan.

    An inf originates from finite operands, a nan from operands without nan: exp(1000), and inf - inf after it, are two.
    An inf that is intended, as in a mask of -inf before softmax, is a hint where the output and the gradients of the
    leaves are finite nevertheless; one that overflowed may have made them wrong.
    """
    if Findings(run).all_finite:
        return
    faults = _origins(run)
    yield from map(_as_hint, faults) if _comes_out_finite(run) else faults


def _comes_out_finite(run: Run) -> bool:
    """Whether the output and the gradients of all leaves are finite."""
    plan = run.plan
    if plan.output is None or plan.shapes[plan.output] is None:
        return False
    gradients = [run.gradients[leaf] for leaf in plan.leaves if plan.reached[leaf]]
    return all(bool(np.isfinite(numbers).all()) for numbers in (run.values[plan.output], *gradients))


def _as_hint(fault: Fault) -> Fault:
    return fault if fault.cause in OVERFLOWS else replace(fault, remedy=Remedy.FINITE_ALL_THE_SAME, severity="hint")


BORN = "{node} = {formula} is {result} in {type} for {given}{place}: {why}"


def _origins(run: Run) -> Iterator[Fault]:
    plan = run.plan
    values = marks(run.values, known_values(run))
    for leaf in plan.leaves:
        if values.any_at([leaf]):
            yield _leaf_fault(run, leaf, "nan" if values.nan[leaf] else "inf")
    for item in plan.instructions:
        yield from _value_faults(run, item, values)
    if plan.output is not None:
        yield from gradient_faults(run, values, marks(run.gradients, plan.reached))


def _leaf_fault(run: Run, leaf: int, kind: str) -> Fault:
    name, value = run.plan.names[leaf], np.asarray(run.values[leaf])
    bad = where_is(kind, value)
    at = first(bad) or ()
    operands: dict[str, Any] = {"number": float(value[at]), "place": Place(at, int(bad.sum()), value.size)}
    default = as_array(run.program.defaults[leaf])
    what, remedy = "{node} was given {number}{place}", "type a finite value"
    if default.shape == value.shape and np.isfinite(default[at]) and kind == "inf":
        what = "{node} was given {number}{place}, beyond {largest}, the largest number of {dtype}"
        remedy = "type a smaller one, or take a wider number type"
        operands |= {"number": float(default[at]), "largest": float(np.finfo(run.dtype).max), "dtype": run.dtype}
    return Fault(name, BAD_VALUES[kind], what, remedy, operands, Cause.GIVEN, names_node=True)


def _value_faults(run: Run, item: Instruction, values: Marks) -> Iterator[Fault]:
    for kind in KINDS:
        if values.of(kind)[item.out] and (at := _born(run, item, values, kind)) is not None:
            yield _value_fault(run, item, kind, at)


def _born(run: Run, item: Instruction, values: Marks, kind: str) -> tuple[int, ...] | None:
    """The first place in the result where an inf or nan originates; None where all were inherited."""
    bad = where_is(kind, run.values[item.out])
    if not item.primitive.elementwise:
        inherited = any(values.nan[operand] for operand in item.operands)
        inherited |= kind == "inf" and values.any_at(item.operands)
        return None if inherited else first(bad)
    for operand in item.operands:
        value = run.values[operand]
        bad = bad & ~(np.isnan(value) if kind == "nan" else ~np.isfinite(value))
    return first(bad)


def _value_fault(run: Run, item: Instruction, kind: str, at: tuple[int, ...]) -> Fault:
    name = run.plan.names[item.out]
    if problem := trouble(run, item):
        return Fault(name, BAD_VALUES[kind], problem.what, problem.remedy, problem.operands, Cause.ODD_OPERANDS)
    if inner := fault_inside(run, name, BAD_VALUES[kind], number_faults):
        return inner
    names = dict.fromkeys(run.plan.names[operand] for operand in item.operands)
    operands = ", ".join(f"{operand} = {short(run.value(operand), signed=True)}" for operand in names)
    value = np.asarray(run.values[item.out])
    shape = value.shape if item.primitive.elementwise else None
    rule = value_rule(run, item, kind, [number_at(run.values[operand], at, shape) for operand in item.operands], at)
    frame = {
        "formula": plain_call(run, name),
        "result": float(value[at]),
        "type": value.dtype,
        "given": operands,
        "place": Place(at, int(where_is(kind, value).sum()), value.size),
    }
    return rule.fault(name, BAD_VALUES[kind], BORN, frame, names_node=True)
