"""What happens to a gradient at a gate, in teachers' words: add distributes, multiply swaps, copy adds up.

Nothing is listed by operation: what is said is read off the rule of the record and off the numbers of the run. Where
none of it is true nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from cadena.core.methods.reverse.timeline import Timeline
from cadena.core.notation.in_script import shown_name
from cadena.core.ops.expression import Symbol
from cadena.core.ops.primitive import operand_names
from cadena.core.ops.traits import Trait
from cadena.core.teaching.elements import Meeting, meeting
from cadena.core.teaching.probing import CONSTANT, DERIVATIVE, UPSTREAM, Gate
from cadena.core.teaching.schemes import Scheme, scheme_of

MAX_PROBED = 20_000  # elements, of a gate that mixes them; trying a larger one takes too long for a line
DISTRIBUTES = "{op} distributes: each operand gets the gradient"
PASSES = "{op} passes the gradient on to {operand} as it is"
TURNS = "{op} turns the sign of the gradient for {operand}"
SCALES = "{op} multiplies the gradient by {factor}, whatever the operand"
SWAPS = "{op} swaps: {operand} gets the gradient times {other}"
OWN_RESULT = "{op} multiplies by its own result"
OPENS = "{op} lets the gradient through"
BLOCKS = "{op} blocks the gradient"
SOME_OPEN = "{op} lets the gradient through where its operand is positive, and blocks it elsewhere"
ROUTES = "{op} routes: {operand} was chosen and gets all"
ROUTES_AWAY = "{op} routes: {operand} was not chosen and gets nothing"
ROUTES_EACH = "{op} routes: only what was chosen gets the gradient"
SPREADS = "{op} broadcasts: each element gets the gradient of its sum"
SHARES = "{op} shares out: each element gets the same part"
MOVES_BACK = "{op} moves: each gradient goes back to where its element came from"
TRANSPOSES = "{op} transposes: the gradient meets {other}"
STRETCHED = "broadcasting sums: {count} for each element of {operand}"
COPY = "copy adds up: {operand} is used {count} times"


def pattern_line(timeline: Timeline, index: int) -> str:
    """What happens at the gate of a step of the reverse pass, as a line of clauses; "" where nothing is to be said."""
    step = timeline[index]
    if not timeline.goes_back or step.phase != "reverse" or step.slot is None or step.operand is None:
        return ""
    gate = Gate.of(timeline.run, step.node)
    if gate is None or gate.upstream is None:
        return ""
    operand = shown_name(timeline.run.program.document, step.operand)
    clauses = [clause for clause in (_at_gate(timeline, step.node, step.slot, gate, operand),) if clause]
    if gate.primitive.elementwise and (count := _stretched(gate, step.slot)) > 1:
        clauses.append(STRETCHED.format(operand=operand, count=count))
    arrivals = len(timeline.arrivals[step.operand])
    if arrivals > 1:
        clauses.append(COPY.format(operand=operand, count=arrivals))
    line = "; ".join(clauses)
    return f"{line[:1].upper()}{line[1:]}." if line else ""


def _stretched(gate: Gate, slot: int) -> int:
    """How many elements of the result each element of an operand was stretched to."""
    size = gate.operands[slot].size
    return gate.y.size // size if size else 0


def _at_gate(timeline: Timeline, node: str, slot: int, gate: Gate, operand: str) -> str:
    document = timeline.run.program.document
    words = {"op": gate.primitive.name.replace("_", " "), "operand": operand}
    if not gate.primitive.elementwise:
        if sum(array.size for array in (gate.y, *gate.operands)) > MAX_PROBED:
            return ""
        scheme = scheme_of(timeline.run, node, slot)
        return "" if scheme is None else _of_arrays(scheme, words)
    others = [shown_name(document, str(name)) for name in document.nodes[node].inputs]
    return _of_elements(gate, slot, others, words)


# --- elementwise operations ------------------------------------------------------------


def _of_elements(gate: Gate, slot: int, names: list[str], words: dict[str, str]) -> str:
    rule = _rule(gate, slot)
    if isinstance(rule, float):
        everywhere = [_rule(gate, other) for other in gate.smooth]
        if len(everywhere) > 1 and set(everywhere) == {1.0}:
            return DISTRIBUTES.format(**words)
        known = {1.0: PASSES, -1.0: TURNS, 0.0: BLOCKS}
        return known.get(rule, SCALES).format(factor=f"{rule:g}".replace("-", "−"), **words)
    if rule == "y":
        return OWN_RESULT.format(**words)
    if rule is not None:
        other = operand_names(gate.primitive, len(gate.operands)).index(rule)
        return SWAPS.format(other=names[other], **words) if other != slot else ""
    return _of_choice(gate, slot, words)


def _rule(gate: Gate, slot: int) -> float | str | None:
    """The local derivative where it is a constant, the result "y" or one of the operands; else None."""
    partial = gate.primitive.slot(slot).partial
    names = operand_names(gate.primitive, len(gate.operands))
    try:
        slope: Any = partial(*map(Symbol, ("y", *names)), **gate.attributes) if partial else None
    except TypeError:  # it cannot be read as a formula
        return None
    if isinstance(slope, Symbol):
        slope = slope.content if slope.operands is None else None
    return float(slope) if isinstance(slope, int | float) else slope


def _of_choice(gate: Gate, slot: int, words: dict[str, str]) -> str:
    """An operation whose result is one of its operands, or 0: all or nothing of the gradient goes back."""
    partial = gate.primitive.slot(slot).partial
    if partial is None or Trait.EXACT not in gate.primitive.traits:
        return ""
    with np.errstate(all="ignore"):
        local = np.broadcast_to(partial(gate.y, *gate.operands, **gate.attributes), gate.y.shape)
    if not np.isin(local, (0.0, 1.0)).all() or not local.size:
        return ""  # such as equal operands, which share the gradient
    all_of_it, nothing = bool((local == 1.0).all()), bool((local == 0.0).all())
    if Trait.CUT_OFF in gate.primitive.traits:
        return (OPENS if all_of_it else BLOCKS if nothing else SOME_OPEN).format(**words)
    if len(gate.smooth) < 2:
        return ""
    if len(gate.smooth) > 2 or not (all_of_it or nothing):
        return ROUTES_EACH.format(**words)
    return (ROUTES if all_of_it else ROUTES_AWAY).format(**words)


# --- operations that mix or move elements ----------------------------------------------


def _of_arrays(scheme: Scheme, words: dict[str, str]) -> str:
    gate, slot = scheme.gate, scheme.slot
    assert slot is not None
    if scheme.is_product:
        other = next((form for form in scheme.operands if form.place not in (UPSTREAM, DERIVATIVE)), None)
        if other is None or gate.operands[slot].ndim < 2 or gate.operands[other.place].ndim < 2:
            return ""
        return TRANSPOSES.format(other=other.title, **words) if other.transposed else ""
    size = gate.operands[slot].size
    samples = [meeting(gate, slot, element) for element in sorted({0, size // 2, size - 1})]
    if not all(item.count == 1 for item in samples):
        return ""
    return _of_one_each(gate, slot, samples, words)


def _of_one_each(gate: Gate, slot: int, samples: list[Meeting], words: dict[str, str]) -> str:
    """Each element gets something of one upstream gradient alone."""
    places = {tuple(factor.place for factor in group.factors) for item in samples for group in item.groups}
    spread = gate.y.size < gate.operands[slot].size
    if places == {(UPSTREAM,)}:
        if not _is_passed_on(gate, slot):
            return ""
        first = meeting(gate, None, 0)
        if spread:
            return SPREADS.format(**words) if first.adds and first.count > 1 else ""
        return MOVES_BACK.format(**words) if first.adds and first.count == 1 < gate.y.size else ""
    if places == {(UPSTREAM, CONSTANT)} and spread:
        shares = {round(float(factor.numbers[0]), 12) for item in samples for factor in _constants(item)}
        is_mean = len(shares) == 1 and np.isclose(shares.pop() * gate.operands[slot].size, gate.y.size)
        return SHARES.format(**words) if is_mean else ""
    if places <= {(UPSTREAM, DERIVATIVE), (UPSTREAM,)} and Trait.EXACT in gate.primitive.traits:
        exact = gate.primitive.vjp(slot, np.ones_like(gate.y), gate.y, gate.operands, gate.attributes)
        return ROUTES_EACH.format(**words) if np.isin(exact, (0.0, 1.0)).all() and spread else ""
    return ""


def _is_passed_on(gate: Gate, slot: int) -> bool:
    """Whether each element gets the gradient of one element of the result, unchanged: tried with others' numbers."""
    marked = np.arange(1.0, gate.y.size + 1.0).reshape(gate.y.shape)
    carried = gate.primitive.vjp(slot, marked, gate.y, gate.operands, gate.attributes)
    return bool(np.isin(carried, marked).all())


def _constants(item: Meeting) -> Iterator[Any]:
    return (factor for group in item.groups for factor in group.factors if factor.place == CONSTANT)
