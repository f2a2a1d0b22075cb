"""Questions about an operation alone, in whichever mode: its value, and its local derivative at a wire."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from cadena.core.methods.reverse.step_text import local_label, local_sources, ratio
from cadena.core.methods.reverse.timeline import Step
from cadena.core.notation.calls import call_with_numbers, plain_call
from cadena.core.run.program import Run
from cadena.core.teaching.answers import Mistake
from cadena.core.teaching.asking import (
    ADDED,
    ALL_WIRES,
    INPUT_FOR_OUTPUT,
    MULTIPLIED,
    TOOK_VALUE,
    StepQuestion,
    step_question,
    where_to_look,
    wrong_sign,
)  # fmt: skip

SWAPPED = "swapped the operands"
WIRES_COUNTED = "That counts {wires}: the question is about one of them."


def value_question(run: Run, step: Step) -> StepQuestion:
    """Ask for the value of a step's node."""
    node = step.node
    document = run.program.document
    inputs = list(dict.fromkeys(str(source) for source in document.nodes[node].inputs))
    hints = (
        where_to_look(inputs),
        f"{node} = {plain_call(run, node)}.",
        f"{node} = {call_with_numbers(run, node).rstrip(' =≈')}.",
    )
    expected = np.asarray(run.value(node))
    sentence = "What is the value of {subject}?"
    return step_question("value", step, node, sentence, expected, hints, value_mistakes(run, node))


def local_question(run: Run, step: Step, upstream: np.ndarray | None) -> StepQuestion:
    """Ask for the local derivative at a wire; `upstream` is what it is multiplied by, where that may be mixed up."""
    slot = int(step.slot or 0)
    expected = np.asarray(run.local(step.node, slot))
    sources = sorted(local_sources(run, step.node, slot))
    subject = ratio(run, step.node, str(step.operand), False)
    label = local_label(run, step.node, slot).rpartition(" = ")[0]
    hints = (
        where_to_look(sources) if sources else f"Where to look: at {step.node} alone.",
        f"{label}." if " = " in label else f"How much does {step.node} change when {step.operand} changes by 1?",
        f"{local_label(run, step.node, slot)}.",
    )
    sentence, mistakes = "Local derivative: what is {subject}?", _of_local(run, step, expected, upstream)
    return step_question("local derivative", step, subject, sentence, expected, hints, mistakes)


def value_mistakes(run: Run, node: str) -> tuple[Mistake, ...]:
    """The mistakes that are made with the value of an operation."""
    operands = [np.asarray(run.value(str(source))) for source in run.program.document.nodes[node].inputs]
    return (*_of_order(run, node, operands), *_of_value(np.asarray(run.value(node)), operands))


def _of_order(run: Run, node: str, operands: list[np.ndarray]) -> Iterator[Mistake]:
    """The operands of a difference, a quotient or a power in the other order."""
    item = run.instruction_of[run.plan.index[node]]
    if len(operands) == 2 and all(item.primitive.slot(slot).partial is not None for slot in range(2)):
        number = np.asarray(item.primitive.value(*reversed(operands), **item.attributes))
        yield Mistake(number, SWAPPED, "That has the operands the other way round.")


def _of_value(expected: np.ndarray, operands: list[np.ndarray]) -> Iterator[Mistake]:
    yield from wrong_sign(expected)
    if len(operands) == 2 and operands[0].shape == operands[1].shape:
        a, b = operands
        yield Mistake(a + b, ADDED, "That is the sum of the operands: look at the sign on the card.")
        yield Mistake(a * b, MULTIPLIED, "That is the product of the operands: look at the sign on the card.")
    for operand in operands[:2]:
        yield Mistake(operand, "forgot the operation", "That is an operand: apply the operation on the card to it.")


def _of_local(run: Run, step: Step, expected: np.ndarray, upstream: Any) -> tuple[Mistake, ...]:
    own, result = np.asarray(run.value(str(step.operand))), np.asarray(run.value(step.node))
    mistakes = [Mistake(own, "took the operand itself", _own_operand(run, step)), *_swapped(run, step, expected)]
    mistakes += _of_all_wires(run, step)
    if upstream is not None:
        brought = "That has the upstream gradient in it: the local derivative is of this operation alone."
        mistakes.append(Mistake(np.asarray(upstream) * expected, "multiplied by upstream too early", brought))
    mistakes.append(Mistake(result, TOOK_VALUE, f"That is the value of {step.node}, not its derivative."))
    return (*mistakes, *wrong_sign(expected))


def _own_operand(run: Run, step: Step) -> str:
    """What is wrong with the operand's value in the place of the local derivative."""
    if len(run.program.document.nodes[step.node].inputs) > 1:
        return f"That is the value of {step.operand} itself: the derivative by it needs the other operand."
    return f"That is the value of {step.operand} itself, not how fast {step.node} changes with it."


def _of_all_wires(run: Run, step: Step) -> Iterator[Mistake]:
    """Of an operand that is used more than once, as in x · x: the derivative along all of its wires."""
    inputs = run.program.document.nodes[step.node].inputs
    slots = [slot for slot, name in enumerate(inputs) if name == step.operand]
    locals_ = [run.local(step.node, slot) for slot in slots]
    if len(slots) > 1 and all(local is not None for local in locals_):
        total = np.asarray(sum(np.asarray(local) for local in locals_))
        wires = f"{'both' if len(slots) == 2 else f'all {len(slots)}'} wires from {step.operand} to {step.node}"
        yield Mistake(total, ALL_WIRES, WIRES_COUNTED.format(wires=wires))


def _swapped(run: Run, step: Step, expected: np.ndarray) -> Iterator[Mistake]:
    """The rule of an operation whose derivative is written with its result, with its operand in the place of that."""
    item = run.instruction_of[run.plan.index[step.node]]
    if step.node not in local_sources(run, step.node, int(step.slot or 0)):
        return
    operands = run.operands(item)
    with np.errstate(all="ignore"):
        partial = item.primitive.slot(int(step.slot or 0)).partial
        assert partial is not None
        number = np.asarray(partial(operands[0], *operands, **item.attributes))
    sentence = f"That is computed with the input {step.operand}: the rule takes the output {step.node}."
    yield Mistake(number, INPUT_FOR_OUTPUT, sentence)
