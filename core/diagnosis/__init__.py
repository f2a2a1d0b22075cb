"""Where numbers go bad: the nodes at which an inf or nan was born, not those that inherited it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from core.fault import Fault
from core.numbers import short
from core.passes import Numbers
from core.plan import Instruction

if TYPE_CHECKING:
    from core.program import Run


def number_faults(run: Run) -> Iterator[Fault]:
    """A fault for each node whose value, or whose step of the reverse pass, turned good numbers into inf or nan."""
    plan = run.plan
    if _all_finite(run.values) and _all_finite(run.gradients):
        return
    bad = [value is not None and plan.shapes[i] is not None and _kind(value) for i, value in enumerate(run.values)]
    for leaf in plan.leaves:
        if bad[leaf]:
            name = plan.names[leaf]
            yield Fault(name, f"{bad[leaf]}-value", f"{name} was given {bad[leaf]}; type a finite value")
    for item in plan.instructions:
        if bad[item.out] and not any(bad[operand] for operand in item.operands):
            yield _value_fault(run, item, str(bad[item.out]))
    if plan.output is not None:
        yield from _gradient_faults(run, bad)


def _all_finite(numbers: Numbers) -> bool:
    """Whether nothing is to be told; quick, since almost every run ends here."""
    if isinstance(numbers, np.ndarray) or all(isinstance(number, float) for number in numbers):
        return bool(np.isfinite(np.array(numbers, dtype=np.float64)).all())
    return all(number is None or _kind(number) is None for number in numbers)


def _kind(value: Any) -> str | None:
    """ "nan", "inf" or None for a value whose numbers are all finite."""
    if np.isfinite(value).all():
        return None
    return "nan" if np.isnan(value).any() else "inf"


def _value_fault(run: Run, item: Instruction, kind: str) -> Fault:
    from core.notation import plain_call

    name = run.plan.names[item.out]
    operands = [run.plan.names[operand] for operand in item.operands]
    given = ", ".join(f"{operand} = {short(run.value(operand))}" for operand in dict.fromkeys(operands))
    if trouble := _trouble(run, item):
        return Fault(name, f"{kind}-value", trouble)
    call = plain_call(run, name)
    value = run.value(name)
    result = kind if value is None or value.ndim else short(value)
    message = f"{name} = {call} is {result} in {run.dtype} for {given}; change an operand of {name}"
    return Fault(name, f"{kind}-value", message)


def _trouble(run: Run, item: Instruction) -> str | None:
    """What the record itself finds wrong with the operands' values: an index out of range, a singular matrix."""
    operands = [np.asarray(run.values[operand]) for operand in item.operands]
    with np.errstate(all="ignore"):
        ask = item.primitive.trouble
        clause = ask(np.asarray(run.values[item.out]), *operands, **item.attributes) if ask else None
    if clause is None:
        return None
    names = dict.fromkeys(run.plan.names[operand] for operand in item.operands)
    shapes = ", ".join(f"{name} has shape {run.plan.shapes[run.plan.index[name]]}" for name in names)
    return f"{run.plan.names[item.out]}: {clause} ({shapes})"


def _gradient_faults(run: Run, bad: list[Any]) -> Iterator[Fault]:
    """The steps of the reverse pass whose upstream gradient and operands are finite and whose contribution is not."""
    plan = run.plan
    for item in reversed(plan.instructions):
        inherited = any(bad[operand] for operand in item.operands)
        inherited |= bool(bad[item.out] and item.primitive.trouble)  # the value's fault says it
        if not item.wanted or inherited or _kind(run.gradients[item.out]):
            continue
        name = plan.names[item.out]
        for slot in item.wanted:
            contribution = run.contribution(name, slot)
            if contribution is not None and (kind := _kind(contribution)):
                yield _gradient_fault(run, item, slot, kind)
                break


def _gradient_fault(run: Run, item: Instruction, slot: int, kind: str) -> Fault:
    name, operand = run.plan.names[item.out], run.plan.names[item.operands[slot]]
    if trouble := _trouble(run, item):
        return Fault(name, f"{kind}-gradient", trouble, slot=slot)
    upstream, local = run.gradient(name), run.local(name, slot)
    numbers = f"{short(upstream)} · {short(local)}" if local is not None and local.ndim == 0 else "upstream · local"
    message = (
        f"{name}: the gradient of {operand} becomes {kind} here, as upstream · local derivative = {numbers}; "
        f"change the operands of {name} or the number type"
    )
    return Fault(name, f"{kind}-gradient", message, slot=slot)
