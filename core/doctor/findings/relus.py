"""Relus that pass no gradient."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from cadena.core.graph.fault import Fault, Kind
from cadena.core.ops.walk import Instruction
from cadena.core.text.causes import Cause
from cadena.core.text.numbers import short

if TYPE_CHECKING:
    from cadena.core.run.program import Run


NOT_POSITIVE = "{op} passes no gradient back: its operand {operand} = {number} is not positive"
UNIT_OFF = "{op} passes no gradient back: 1 of {all} units is off for every example (unit {units})"
UNITS_OFF = "{op} passes no gradient back: {count} of {all} units are off for every example (units {units})"
ALIVE = "start with other weights or a larger bias, take smaller steps, or use leaky_relu"


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
