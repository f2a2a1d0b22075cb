"""The nodes at which an inf or nan was born: good numbers went in, a bad one came out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from core.diagnosis.gradients import gradient_faults
from core.diagnosis.marks import KINDS, Marks, all_finite, marks, where_is
from core.diagnosis.places import first, known_values, number_at, place_text, trouble
from core.diagnosis.rules import value_rule
from core.fault import Fault
from core.numbers import short
from core.plan import Instruction

if TYPE_CHECKING:
    from core.program import Run


def number_faults(run: Run) -> Iterator[Fault]:
    """A fault for each node whose value, or whose step of the reverse pass, turned good numbers into inf or nan.

    An inf is born of finite operands, a nan of operands that are no nan: exp of 1000, and inf - inf after it, are two.
    """
    if all_finite(run):
        return
    plan = run.plan
    values = marks(run.values, known_values(run))
    for leaf in plan.leaves:
        if values.any_at([leaf]):
            name, kind = plan.names[leaf], "nan" if values.nan[leaf] else "inf"
            yield Fault(name, f"{kind}-value", f"{name} was given {kind}; type a finite value", rule="given")
    for item in plan.instructions:
        yield from _value_faults(run, item, values)
    if plan.output is not None:
        yield from gradient_faults(run, values, marks(run.gradients, plan.reached))


def _value_faults(run: Run, item: Instruction, values: Marks) -> Iterator[Fault]:
    for kind in KINDS:
        if values.of(kind)[item.out] and (at := _born(run, item, values, kind)) is not None:
            yield _value_fault(run, item, kind, at)


def _born(run: Run, item: Instruction, values: Marks, kind: str) -> tuple[int, ...] | None:
    """The first place in the result where an inf or nan was born; None where all were inherited."""
    bad = where_is(kind, run.values[item.out])
    if not item.primitive.elementwise:
        inherited = any(values.nan[operand] for operand in item.operands)
        inherited |= kind == "inf" and values.any_at(item.operands)
        return None if inherited else first(bad)
    for operand in item.operands:
        given = run.values[operand]
        bad = bad & ~(np.isnan(given) if kind == "nan" else ~np.isfinite(given))
    return first(bad)


def _value_fault(run: Run, item: Instruction, kind: str, at: tuple[int, ...]) -> Fault:
    from core.notation import plain_call

    name = run.plan.names[item.out]
    if told := trouble(run, item):
        return Fault(name, f"{kind}-value", told, rule=f"{item.primitive.name} of these operands")
    operands = list(dict.fromkeys(run.plan.names[operand] for operand in item.operands))
    given = ", ".join(f"{operand} = {short(run.value(operand))}" for operand in operands)
    value = np.asarray(run.values[item.out])
    shape = value.shape if item.primitive.elementwise else None
    rule = value_rule(run, item, kind, [number_at(run.values[operand], at, shape) for operand in item.operands])
    result = kind if value.ndim else short(value)
    where = place_text(at, int(where_is(kind, value).sum()), value.size)
    message = f"{name} = {plain_call(run, name)} is {result} in {run.dtype} for {given}{where}: {rule.sentence}"
    return Fault(name, f"{kind}-value", message, rule=rule.name)
