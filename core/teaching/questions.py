"""Questions about a step, asked before its result is shown: with three hints each, and its typical mistakes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cadena.core.graph.document import Document
from cadena.core.methods.reverse.timeline import MEETING, Step, Timeline
from cadena.core.methods.reverse.words import local_label, local_slope, local_sources, ratio, rule
from cadena.core.notation.calls import call_with_numbers, plain_call
from cadena.core.notation.in_script import with_shown_names
from cadena.core.run.program import Run
from cadena.core.teaching.answers import Mistake
from cadena.core.teaching.asking import (
    ADDED,
    FORGOT_PATH,
    FORGOT_UPSTREAM,
    INPUT_FOR_OUTPUT,
    MULTIPLIED,
    AskedQuantity,
    StepQuestion,
    as_factor,
    short_or_nothing,
    step_question,
    where_to_look,
    wrong_sign,
)

if TYPE_CHECKING:
    from cadena.core.methods.forward.timeline import ForwardTimeline

ASKED = frozenset(("forward", "seed", "reverse", "tangent"))  # the phases whose results follow from the cards beside


def questions(timeline: Timeline, index: int, asked: Collection[AskedQuantity]) -> tuple[StepQuestion, ...]:
    """The questions about step `index`, in the order of their moments; none about steps of other phases than ASKED."""
    with np.errstate(all="ignore"):  # mistakes are computed too, and may overflow where the step does not
        listed = _asked(timeline, timeline[index], asked)
    return tuple(_as_read(timeline.run.program.document, question) for question in listed)


def _asked(timeline: Timeline, step: Step, asked: Collection[AskedQuantity]) -> list[StepQuestion]:
    listed = list[StepQuestion]()
    names = [name for name in (step.node, step.operand) if name is not None]
    if any(np.asarray(timeline.run.value(name)).size == 0 for name in names):
        return listed  # there is no element to ask for
    if "value" in asked and _brings_value(timeline, step):
        listed.append(_value(timeline, step))
    if step.phase == "tangent":
        from cadena.core.teaching.tangent_questions import tangent_questions

        listed += tangent_questions(cast("ForwardTimeline", timeline), step, asked)
        listed.sort(key=lambda question: question.moment)
    if step.phase == "reverse":
        if "local derivative" in asked and timeline.run.local(step.node, int(step.slot or 0)) is not None:
            listed.append(local_question(timeline.run, step, timeline.run.gradient(step.node)))
        if "contribution" in asked:
            listed.append(_contribution(timeline, step))
        before = timeline.accumulated(str(step.operand), step.index)
        if "gradient" in asked and (before is not None or "contribution" not in asked):
            listed.append(_gradient(timeline, step, before))
    return listed


def _brings_value(timeline: Timeline, step: Step) -> bool:
    """Whether a node gets its value in a step; of forward mode, only in the first pass."""
    if step.phase == "tangent":
        return int(timeline.value_steps[timeline.run.plan.index[step.node]]) == step.index
    return step.phase == "forward"


def has_questions(timeline: Timeline) -> bool:
    """Whether a learner can be asked about the steps: they are of reverse or of forward mode."""
    return len(timeline) > 0 and timeline[len(timeline) - 1].phase in ASKED


def _as_read(document: Document, question: StepQuestion) -> StepQuestion:
    """The question with the names that people read: w[3] for w_3."""
    read = partial(with_shown_names, document)
    mistakes = tuple(mistake._replace(sentence=read(mistake.sentence)) for mistake in question.mistakes)
    where, law, numbers = map(read, question.hints)
    return question._replace(sentence=read(question.sentence), hints=(where, law, numbers), mistakes=mistakes)


# --- the four kinds


def _value(timeline: Timeline, step: Step) -> StepQuestion:
    run, node = timeline.run, step.node
    document = run.program.document
    inputs = list(dict.fromkeys(str(source) for source in document.nodes[node].inputs))
    operands = [np.asarray(run.value(str(source))) for source in document.nodes[node].inputs]
    hints = (
        where_to_look(inputs),
        f"{node} = {plain_call(run, node)}.",
        f"{node} = {call_with_numbers(run, node).rstrip(' =≈')}.",
    )
    expected = np.asarray(run.value(node))
    sentence = "What is the value of {subject}?"
    return step_question("value", step, node, sentence, expected, hints, _of_value(expected, operands))


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


def _contribution(timeline: Timeline, step: Step) -> StepQuestion:
    run, slot = timeline.run, int(step.slot or 0)
    operand = str(step.operand)
    expected = np.asarray(run.contribution(step.node, slot))
    local, upstream = local_slope(run, step.node, slot), run.gradient(step.node)
    node = step.node
    subject = ratio(run, str(run.target), operand, False)
    numbers = (
        rule(run, step.node, slot, False) if local is None else f"{short_or_nothing(upstream)} · {as_factor(local)}"
    )
    hints = (
        f"Where to look: the gradient on the card of {node}, and the local derivative at its wire.",
        f"Upstream times local derivative: {rule(run, step.node, slot, False)}.",
        f"With numbers: {numbers}.",
    )
    sentence = f"What does {{subject}} get through {node}?"
    mistakes = () if local is None else tuple(_of_product(run, step, upstream, local, expected))
    return step_question("contribution", step, subject, sentence, expected, hints, mistakes)


def _gradient(timeline: Timeline, step: Step, before: np.ndarray | None) -> StepQuestion:
    run, operand = timeline.run, str(step.operand)
    name, subject = operand, ratio(run, str(run.target), operand, False)
    expected = np.asarray(timeline.accumulated(operand, step.index + 1))
    contribution = np.asarray(run.contribution(step.node, int(step.slot or 0)))
    if before is None:
        question = _contribution(timeline, step)
        return question._replace(
            quantity="gradient", sentence=f"What is {question.subject} after this step?", moment=step.index + MEETING
        )
    hints = (
        f"Where to look: the gradient on the card of {name}, and what arrives there.",
        "Contributions are added.",
        f"{subject} = {short_or_nothing(before)} + {as_factor(contribution)}.",
    )
    sentence = f"{name} already has {short_or_nothing(before)}. What is {{subject}} after this step?"
    mistakes = (
        Mistake(contribution, FORGOT_PATH, f"That is what this path brings: {name} has more, so add what had arrived."),
        Mistake(before, FORGOT_PATH, "That is what had arrived before: add what this path brings."),
        Mistake(before * contribution, MULTIPLIED, "Contributions are added, not multiplied."),
        *wrong_sign(expected),
    )
    return step_question("gradient", step, subject, sentence, expected, hints, mistakes)


# --- mistakes


def _of_value(expected: np.ndarray, operands: list[np.ndarray]) -> tuple[Mistake, ...]:
    mistakes = [*wrong_sign(expected)]
    if len(operands) == 2 and operands[0].shape == operands[1].shape:
        a, b = operands
        others = (
            (a + b, ADDED, "That is the sum of the operands: look at the sign on the card."),
            (a * b, MULTIPLIED, "That is the product of the operands: look at the sign on the card."),
            (b - a, "order", "That is the difference the other way round."),
        )
        mistakes += [Mistake(number, name, sentence) for number, name, sentence in others]
    for operand in operands[:1]:
        mistakes.append(Mistake(operand, "operand", "That is the operand: apply the operation to it."))
    return tuple(mistakes)


def _of_local(run: Run, step: Step, expected: np.ndarray, upstream: Any) -> tuple[Mistake, ...]:
    own, result = np.asarray(run.value(str(step.operand))), np.asarray(run.value(step.node))
    sentence = f"That holds the value of {step.operand} itself: the derivative by it needs the other operand."
    mistakes = [Mistake(own, "own operand", sentence), *_swapped(run, step, expected)]
    if upstream is not None:
        brought = "That has the upstream gradient in it: the local derivative is of this operation alone."
        mistakes.append(Mistake(np.asarray(upstream) * expected, "with upstream", brought))
    mistakes.append(Mistake(result, "value", f"That is the value of {step.node}, not its derivative."))
    return (*mistakes, *wrong_sign(expected))


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


def _of_product(run: Run, step: Step, upstream: Any, local: Any, expected: np.ndarray) -> Iterator[Mistake]:
    upstream, local = np.asarray(upstream), np.asarray(local)
    own = np.asarray(run.value(str(step.operand)))
    yield Mistake(local, FORGOT_UPSTREAM, "That is the local derivative: multiply it by the upstream gradient.")
    yield Mistake(upstream, "forgot local", "That is the upstream gradient: multiply it by the local derivative.")
    yield Mistake(upstream + local, ADDED, "Upstream and local derivative are multiplied, not added.")
    sentence = f"That is upstream times the value of {step.operand} itself: the local derivative is another number."
    yield Mistake(upstream * own, "own operand", sentence)
    yield from wrong_sign(expected)
