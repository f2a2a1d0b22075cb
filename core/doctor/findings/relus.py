"""Relus that let nothing through."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from cadena.core.graph.fault import Fault
from cadena.core.run.plan import Instruction
from cadena.core.text.numbers import short

if TYPE_CHECKING:
    from cadena.core.run.program import Run


def dead_relu(run: Run, item: Instruction, upstream: np.ndarray) -> Iterator[Fault]:
    """A hint where a unit gets no gradient from any example: all its inputs are at most 0.

    The last axis holds the units, the others the examples. A number or a vector is one example, in which some units may
    well be off; then all of them must be.
    """
    name, source = run.plan.names[item.out], run.plan.names[item.operands[0]]
    off = np.asarray(run.values[item.operands[0]]) <= 0.0
    asked = upstream != 0.0
    if off.ndim < 2:
        if not (off.all() and asked.any()):
            return
        told = f"its operand {source} = {short(run.value(source))} is not positive"
    else:
        examples = tuple(range(off.ndim - 1))
        dead = off.all(axis=examples) & asked.any(axis=examples)
        if not dead.any():
            return
        places = ", ".join(str(place) for place in np.flatnonzero(dead)[:6])
        more = ", …" if dead.sum() > 6 else ""
        are, unit = ("is", "unit") if dead.sum() == 1 else ("are", "units")
        told = f"{int(dead.sum())} of {dead.size} units {are} off for every example ({unit} {places}{more})"
    message = (
        f"{name}: {item.primitive.name} passes no gradient back: {told}; start with other weights or a larger bias, "
        f"take smaller steps, or use leaky_relu"
    )
    yield Fault(name, "dead-relu", message, slot=0, rule=f"dead {item.primitive.name}", severity="hint")
