"""Questions about a step, asked before its result is shown: with three hints each, and its typical mistakes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from typing import Any, cast

import numpy as np

from cadena.core.graph.document import Document
from cadena.core.methods.forward.timeline import ForwardTimeline
from cadena.core.methods.reverse.step_text import local_slope, ratio, rule
from cadena.core.methods.reverse.timeline import MEETING, Step, Timeline
from cadena.core.notation.in_script import with_shown_names
from cadena.core.run.program import Run
from cadena.core.teaching.answers import Mistake
from cadena.core.teaching.asking import (
    ADDED,
    FORGOT_PATH,
    FORGOT_UPSTREAM,
    MULTIPLIED,
    AskedQuantity,
    StepQuestion,
    as_factor,
    short_or_nothing,
    step_question,
    wrong_sign,
)
from cadena.core.teaching.gate_questions import local_question, value_question
from cadena.core.teaching.tangent_questions import tangent_questions

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
        listed.append(value_question(timeline.run, step))
    if step.phase == "tangent":
        listed += tangent_questions(cast(ForwardTimeline, timeline), step, asked)
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


# --- what arrives


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
    mistakes = () if local is None else tuple(product_mistakes(run, step, upstream, local, expected))
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


def product_mistakes(run: Run, step: Step, upstream: Any, local: Any, expected: np.ndarray) -> Iterator[Mistake]:
    """The mistakes that are made with upstream times local derivative."""
    upstream, local = np.asarray(upstream), np.asarray(local)
    own = np.asarray(run.value(str(step.operand)))
    yield Mistake(local, FORGOT_UPSTREAM, "That is the local derivative: multiply it by the upstream gradient.")
    yield Mistake(
        upstream, "forgot the local derivative", "That is the upstream gradient: multiply it by the local derivative."
    )
    yield Mistake(upstream + local, ADDED, "Upstream and local derivative are multiplied, not added.")
    sentence = f"That is upstream times the value of {step.operand} itself: the local derivative is another number."
    yield Mistake(upstream * own, "took the operand itself", sentence)
    yield from wrong_sign(expected)
