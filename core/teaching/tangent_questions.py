"""Questions about a step of forward mode: the value, the local derivatives, what each operand brings, the tangent."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cadena.core.methods.forward.timeline import ForwardTimeline
from cadena.core.methods.reverse.step_text import local_label, ratio
from cadena.core.methods.reverse.timeline import ARRIVAL, MEETING, Step
from cadena.core.notation.calls import plain_call
from cadena.core.teaching.answers import Mistake
from cadena.core.teaching.asking import (
    ADDED,
    BEFORE,
    MULTIPLIED,
    TOOK_VALUE,
    AskedQuantity,
    StepQuestion,
    as_factor,
    short_or_nothing,
    step_question,
    where_to_look,
    wrong_sign,
)  # fmt: skip
from cadena.core.teaching.gate_questions import local_question
from cadena.core.text.wording import Listing

FORGOT_OPERAND, FORGOT_INNER = "forgot the other operand", "forgot the inner derivative"
TOO_EARLY = "multiplied by the inner derivative too early"
FORGOT_LOCAL = "forgot the local derivative"


@dataclass(frozen=True)
class MovingStep:
    """A step whose node moves along a direction, with the operands that move: with tangents that are not 0."""

    timeline: ForwardTimeline
    step: Step

    @cached_property
    def direction(self) -> int:
        """Of the directions of the pass the one along which the node moves most."""
        shown = self.timeline.along(self.timeline.place(self.step.index)[0])
        return max(shown, key=lambda direction: self._size(self.tangent(self.step.node, direction)))

    @staticmethod
    def _size(tangent: np.ndarray) -> float:
        finite = np.abs(tangent[np.isfinite(tangent)])
        return float(finite.max(initial=0.0))

    def tangent(self, name: str, direction: int | None = None) -> np.ndarray:
        along = self.direction if direction is None else direction
        return np.asarray(self.timeline.tangent(along, name))

    def along(self, name: str) -> str:
        """The tangent of a node in symbols."""
        return ratio(self.timeline.run, name, self.timeline.names[self.direction], False)

    @cached_property
    def inputs(self) -> list[str]:
        return [str(source) for source in self.timeline.run.program.document.nodes[self.step.node].inputs]

    @cached_property
    def moving(self) -> list[int]:
        """The slots of the operands that move."""
        return [slot for slot, name in enumerate(self.inputs) if np.any(self.tangent(name) != 0.0)]

    @cached_property
    def locals(self) -> dict[int, np.ndarray]:
        """The local derivatives for these slots; empty for an operation that mixes elements."""
        known = {slot: self.timeline.run.local(self.step.node, slot) for slot in self.moving}
        return {} if any(local is None for local in known.values()) else {s: np.asarray(d) for s, d in known.items()}

    def brings(self, slot: int) -> np.ndarray:
        """What an operand brings to the tangent."""
        return np.asarray(self.locals[slot] * self.tangent(self.inputs[slot]))


def tangent_questions(
    timeline: ForwardTimeline, step: Step, asked: Collection[AskedQuantity]
) -> Iterator[StepQuestion]:
    """The questions about a node's tangent; none where no operand moves, so that there is nothing to compute."""
    moving = MovingStep(timeline, step)
    if not moving.moving:
        return
    count = len(moving.locals)
    for place, slot in enumerate(moving.locals if "local derivative" in asked else ()):
        yield _local(moving, slot)._replace(moment=step.index + MEETING - BEFORE * (count - place))
    for place, slot in enumerate(moving.locals if "contribution" in asked and count > 1 else ()):
        yield _contribution(moving, slot)._replace(moment=step.index + MEETING + BEFORE * place)
    if "gradient" in asked:
        yield _tangent(moving)._replace(moment=step.index + ARRIVAL - BEFORE)


def _local(moving: MovingStep, slot: int) -> StepQuestion:
    step, operand = moving.step, moving.inputs[slot]
    question = local_question(moving.timeline.run, Step(step.index, "reverse", step.node, slot, operand), None)
    tangent, local = moving.tangent(operand), moving.locals[slot]
    if local.ndim or tangent.ndim or float(tangent) == 1.0:
        return question
    sentence = f"That has the derivative of {operand} in it: the local derivative is of this operation alone."
    return question._replace(mistakes=(*question.mistakes, Mistake(local * tangent, TOO_EARLY, sentence)))


def _contribution(moving: MovingStep, slot: int) -> StepQuestion:
    operand, step = moving.inputs[slot], moving.step
    tangent, local = moving.tangent(operand), moving.locals[slot]
    hints = (
        f"Where to look: the derivative on the card of {operand}; {_local_name(moving, slot)} is the local one.",
        f"Local derivative times the derivative of the operand: {_product(moving, slot)}.",
        f"With numbers: {as_factor(local)} · {as_factor(tangent)}.",
    )
    expected, sentence = moving.brings(slot), f"What does {operand} bring to {{subject}}?"
    mistakes = tuple(_of_product(moving, slot))
    question = step_question("contribution", step, moving.along(step.node), sentence, expected, hints, mistakes)
    return question._replace(subject=f"{operand} in {question.subject}")


def _tangent(moving: MovingStep) -> StepQuestion:
    run, step = moving.timeline.run, moving.step
    names = list(dict.fromkeys(moving.inputs[slot] for slot in moving.moving))
    expected = moving.tangent(step.node)
    numbers = " + ".join(f"{as_factor(local)} · {as_factor(moving.tangent(moving.inputs[slot]))}"
                         for slot, local in moving.locals.items())  # fmt: skip
    moved = [f"{moving.along(name)} = {short_or_nothing(moving.tangent(name))}" for name in names]
    hints = (
        where_to_look(names),
        f"{moving.along(step.node)} = {' + '.join(_product(moving, slot) for slot in moving.locals)}."
        if moving.locals
        else f"{step.node} = {plain_call(run, step.node)}: add up what the change of each operand brings.",
        f"{moving.along(step.node)} = {numbers}." if numbers else f"Where {Listing(tuple(moved), 'and').worded()}.",
    )
    sentence, mistakes = "What is {subject}?", tuple(_of_tangent(moving, expected))
    return step_question("tangent", step, moving.along(step.node), sentence, expected, hints, mistakes)


def _local_name(moving: MovingStep, slot: int) -> str:
    return local_label(moving.timeline.run, moving.step.node, slot).partition(" = ")[0]


def _product(moving: MovingStep, slot: int) -> str:
    """The chain rule for one operand, in symbols."""
    return f"{_local_name(moving, slot)} · {moving.along(moving.inputs[slot])}"


# --- mistakes


def _of_tangent(moving: MovingStep, expected: np.ndarray) -> Iterator[Mistake]:
    if len(moving.locals) == 1:
        (slot,) = moving.locals
        yield from _of_product(moving, slot)
    elif moving.locals:
        parts: dict[int, Any] = {slot: moving.brings(slot) for slot in moving.locals}
        for slot, part in parts.items():
            sentence = f"That is what {moving.inputs[slot]} brings: the other operands move too, so add theirs."
            yield Mistake(part, FORGOT_OPERAND, sentence)
        product = np.prod(np.broadcast_arrays(*parts.values()), axis=0)
        yield Mistake(product, MULTIPLIED, "What the operands bring is added, not multiplied.")
        inner = sum(local for local in moving.locals.values())
        yield Mistake(np.asarray(inner), FORGOT_INNER, "Each local derivative is multiplied by its operand's own.")
    value = np.asarray(moving.timeline.run.value(moving.step.node))
    yield Mistake(value, TOOK_VALUE, f"That is the value of {moving.step.node}, not its derivative.")
    yield from wrong_sign(expected)


def _of_product(moving: MovingStep, slot: int) -> Iterator[Mistake]:
    operand, local = moving.inputs[slot], moving.locals[slot]
    tangent, own = moving.tangent(operand), np.asarray(moving.timeline.run.value(operand))
    sentence = f"That is the local derivative: multiply it by the derivative of {operand}."
    yield Mistake(local, FORGOT_INNER, sentence)
    sentence = f"That is the derivative of {operand}: multiply it by the local derivative."
    yield Mistake(tangent, FORGOT_LOCAL, sentence)
    yield Mistake(local + tangent, ADDED, "The two derivatives are multiplied, not added.")
    yield Mistake(local * own, TOOK_VALUE, f"That is computed with the value of {operand}: take its derivative.")
    yield from wrong_sign(moving.brings(slot))
