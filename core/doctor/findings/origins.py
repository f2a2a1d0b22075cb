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
from cadena.core.doctor.findings.reaching import Reach, of_a_mask
from cadena.core.doctor.findings.rules import empty_rows, value_rule
from cadena.core.doctor.findings.within import fault_inside
from cadena.core.graph.document import as_array
from cadena.core.graph.fault import BAD_VALUES, Fault
from cadena.core.notation.calls import plain_call
from cadena.core.ops.walk import Instruction
from cadena.core.text.causes import OVERFLOWS, Cause
from cadena.core.text.numbers import short
from cadena.core.text.wording import Operands, Place, Remedy

if TYPE_CHECKING:
    from cadena.core.run.program import Run


def number_faults(run: Run) -> Iterator[Fault]:
    """A fault for each node whose value, or whose step of the reverse pass, turned good numbers into inf or nan.

    An inf originates from finite operands, a nan from operands without nan: exp(1000), and inf - inf after it, are two.
    Those that reach neither the output nor the gradient of a leaf are hints; an inf that overflowed is a fault all the
    same, as it may have made finite numbers wrong, and one that is part of a mask is nothing to speak of.
    """
    if Findings(run).all_finite:
        return
    values, gradients = marks(run.values, known_values(run)), marks(run.gradients, run.plan.reached)
    faults = [*_origins(run, values, gradients)]
    reach = Reach(run, faults, values, gradients)
    for fault in faults:
        if fault.cause in OVERFLOWS or reach.concerns(fault):
            yield fault
        elif not of_a_mask(fault):
            yield replace(fault, remedy=Remedy.FINITE_ALL_THE_SAME, severity="hint")


BORN = "{node} = {formula} is {result} in {type} for {given}{place}: {why}"


def _origins(run: Run, values: Marks, gradients: Marks) -> Iterator[Fault]:
    plan = run.plan
    for leaf in plan.leaves:
        if values.any_at([leaf]):
            yield _leaf_fault(run, leaf, "nan" if values.nan[leaf] else "inf")
    for item in plan.instructions:
        yield from _value_faults(run, item, values)
    if plan.output is not None:
        yield from gradient_faults(run, values, gradients)


def _leaf_fault(run: Run, leaf: int, kind: str) -> Fault:
    name, value = run.plan.names[leaf], np.asarray(run.values[leaf])
    bad = where_is(kind, value)
    at = first(bad) or ()
    operands: dict[str, Any] = {"number": float(value[at]), "place": Place(at, int(bad.sum()), value.size)}
    default = as_array(run.program.defaults[leaf])
    what, remedy = "{node} was given {number}{place}", "type a finite value"
    if kind == "inf":
        what, remedy = "{node} was given {number}{place}, and nothing makes it finite", "take a finite number"
    if default.shape == value.shape and np.isfinite(default[at]) and kind == "inf":
        what = "{node} was given {number}{place}, beyond {largest}, the largest number of {dtype}"
        remedy = "type a smaller one, or take a wider number type"
        operands |= {"number": float(default[at]), "largest": float(np.finfo(run.dtype).max), "dtype": run.dtype}
    return Fault(name, BAD_VALUES[kind], what, remedy, operands, Cause.GIVEN, names_node=True)


def _value_faults(run: Run, item: Instruction, values: Marks) -> Iterator[Fault]:
    reported = list[Operands]()
    for kind in KINDS:
        if values.of(kind)[item.out] and (at := _born(run, item, values, kind)) is not None:
            fault = _value_fault(run, item, kind, at)
            if "problem" not in fault.operands or fault.operands not in reported:  # one cause inside a function
                reported.append(fault.operands)
                yield fault


def _born(run: Run, item: Instruction, values: Marks, kind: str) -> tuple[int, ...] | None:
    """The first place in the result where an inf or nan originates; None where all were inherited."""
    bad = where_is(kind, run.values[item.out])
    if not item.primitive.elementwise:
        rows = empty_rows(run, item)
        if rows is not None and rows.any():  # rows go bad each on its own
            return first(bad & rows if bad.shape == np.shape(run.values[item.operands[0]]) else bad)
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
