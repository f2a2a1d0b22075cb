"""The reverse pass without an order, to be compared with the right one: each use of a node goes on by itself.

A contribution that arrives at a node is added to the node's gradient, and the recursion at once pushes the gradient as
far as it is summed up further down. A node with two uses is gone through twice, the second time with what it already
pushed before still in its gradient. In reverse topological order each node waits until its gradient is complete.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cadena.core.graph.fault import Refused
from cadena.core.ops.walk import Instruction
from cadena.core.run.plan import Plan
from cadena.core.run.program import Run
from cadena.core.text.wording import Remedy

MAX_VISITS = 10_000
MAX_NUMBERS = 10_000_000  # of all contributions together; as many again are kept of what they were added to
COUNTED_BITS = 1_000  # larger numbers of visits are not counted exactly


class Visit(NamedTuple):
    """A visit of one wire, backwards: from `node`, whose gradient was `pushed`, through `slot` to `operand`.

    `contribution` was added to the operand's gradient, which then was `accumulated`; all are arrays.
    """

    node: str
    slot: int
    operand: str
    pushed: np.ndarray
    contribution: np.ndarray
    accumulated: np.ndarray


class Naive(NamedTuple):
    """The result of the recursion, right or wrong: gradients by node name, and its visits in order."""

    gradients: dict[str, np.ndarray]
    visits: tuple[Visit, ...]


def naive(run: Run, limit: int = MAX_VISITS) -> Naive:
    """The naive recursion over the graph of `run`, from its output and seed.

    Raises Refused when there is no output, when it does not run, or when there would be more than `limit` visits: each
    use of each node is one, so that their number can double from node to node. So it does where arrays are so large
    that the visits could not be kept. The count takes linear time and no visit.
    """
    document = run.program.document
    if run.plan.output is None and document.output in document.nodes:
        what = "{node} does not run, so there is nothing to go back from"
        raise Refused(what, Remedy.FIX_FAULTS, node=document.output)
    if run.plan.output is None:
        raise Refused("there is no output to go back from", "choose one")
    if (count := visits_needed(run.plan)) > limit:
        shown = str(count) if count.bit_length() < COUNTED_BITS else "more than 10^300"
        raise Refused(
            "without an order the reverse pass of {node} takes {shown} visits, more than the {limit} that are shown",
            "choose an output with fewer ways to the leaves",
            node=run.plan.names[run.plan.output],
            shown=shown,
            limit=limit,
        )
    if (numbers := _numbers_needed(run.plan)) > MAX_NUMBERS:
        raise Refused(
            "without an order the reverse pass of {node} has contributions of {numbers} numbers in all, more than the "
            "{most} that are shown",
            "choose smaller arrays",
            node=run.plan.names[run.plan.output],
            numbers=numbers,
            most=MAX_NUMBERS,
        )
    return _recursion(run)


def visits_needed(plan: Plan) -> int:
    """The number of wires that the recursion follows: for each node those to its operands, once for each arrival."""
    return _summed_up(plan, [1] * len(plan.names))


def _numbers_needed(plan: Plan) -> int:
    """The number of elements of all contributions together."""
    return _summed_up(plan, [math.prod(shape or ()) for shape in plan.shapes])


def _summed_up(plan: Plan, cost: Sequence[int]) -> int:
    """The sum over all visits of the cost of visiting each operand."""
    below = [0] * len(plan.names)
    for instruction in plan.instructions:
        operands = [instruction.operands[slot] for slot in instruction.active]
        below[instruction.out] = min(sum(cost[one] + below[one] for one in operands), 1 << COUNTED_BITS)
    return 0 if plan.output is None else below[plan.output]


def _recursion(run: Run) -> Naive:
    """Run the recursion on a stack of (instruction, next active slot), so that long chains are no problem."""
    names, gradients, visits = run.plan.names, dict[int, Any](), list[Visit]()
    output = run.plan.output
    assert output is not None
    gradients[output] = run.seed
    stack: list[tuple[Instruction, int]] = [(run.instruction_of[output], 0)] if output in run.instruction_of else []
    while stack:
        instruction, place = stack.pop()
        if place == len(instruction.active):
            continue
        slot = instruction.active[place]
        operand, pushed = instruction.operands[slot], gradients[instruction.out]
        part = _contribution(run, instruction, slot, pushed)
        with np.errstate(all="ignore"):
            gradients[operand] = gradients[operand] + part if operand in gradients else part
        accumulated = np.asarray(gradients[operand])
        visits.append(Visit(names[instruction.out], slot, names[operand], np.asarray(pushed), part, accumulated))
        stack.append((instruction, place + 1))
        if operand in run.instruction_of:
            stack.append((run.instruction_of[operand], 0))
    return Naive({names[number]: np.asarray(gradient) for number, gradient in gradients.items()}, tuple(visits))


def _contribution(run: Run, instruction: Instruction, slot: int, upstream: Any) -> np.ndarray:
    y, operands = np.asarray(run.values[instruction.out]), run.operands(instruction)
    with np.errstate(all="ignore"):
        part = instruction.primitive.vjp(slot, np.asarray(upstream), y, operands, instruction.attributes)
    return np.asarray(part)
