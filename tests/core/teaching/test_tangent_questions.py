"""Questions of forward mode: expected tangents, hints in three steps, and the mistakes that are recognised."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from cadena.core.front import compile
from cadena.core.graph.fault import Refused
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.names import Method
from cadena.core.methods.reverse.step_parts import step_parts
from cadena.core.teaching.answers import is_right, mistake_of
from cadena.core.teaching.asking import QUANTITIES, TOOK_VALUE
from cadena.core.teaching.lessons import open_lesson
from cadena.core.teaching.questions import has_questions, questions
from tests.core.graphs import documents, graph
from tests.thorough import tries


def asked(document, node, width=1, quantities=QUANTITIES):
    """The questions about the first step at a node, by quantity and subject."""
    timeline = timeline_of(compile(document).run(), Method("forward", width=width))
    step = next(step for step in timeline if step.node == node)
    return {(one.quantity, one.subject): one for one in questions(timeline, step.index, quantities)}


def named(question, answer):
    mistake = mistake_of(np.array(answer), question.expected, question.mistakes)
    return mistake.name if mistake else None


def test_the_chain_rule_of_lesson_10_is_asked_for_with_hints():
    question = asked(open_lesson("10"), "y")["tangent", "∂y/∂x"]
    assert question.sentence == "What is ∂y/∂x?" and question.expected == pytest.approx(0.104994, abs=1e-6)
    where, law, numbers = question.hints
    assert where == "Where to look: the card of d." and law == "∂y/∂x = ∂y/∂d · ∂d/∂x."
    assert numbers == "∂y/∂x = (−0.7758…) · (−0.1353…)."
    assert (
        named(question, -0.7758) == "forgot the inner derivative"
        and named(question, -0.1353) == "forgot the local derivative"
    )
    assert named(question, -0.9111) == "added instead of multiplied" and named(question, 0.8808) == TOOK_VALUE
    assert named(question, -0.105) == "wrong sign" and named(question, 3.0) is None


def test_where_two_operands_move_what_each_brings_is_asked_for_and_forgetting_one_is_named():
    document = graph(x=2.0, u=("exp", "x"), v=("sin", "x"), y=("multiply", "u", "v"))
    found = asked(document, "y")
    e, s, c = np.exp(2.0), np.sin(2.0), np.cos(2.0)
    assert list(found) == [
        ("local derivative", "∂y/∂u"), ("local derivative", "∂y/∂v"),
        ("contribution", "u in ∂y/∂x"), ("contribution", "v in ∂y/∂x"), ("value", "y"), ("tangent", "∂y/∂x"),
    ]  # fmt: skip
    assert [one.expected.item() for one in found.values()] == pytest.approx([s, e, s * e, e * c, e * s, e * s + e * c])
    moments = [one.moment for one in found.values()]
    assert moments == sorted(set(moments))
    last = found["tangent", "∂y/∂x"]
    assert named(last, e * c) == named(last, s * e) == "forgot the other operand"
    assert (
        named(last, s * e * e * c) == "multiplied instead of added"
        and named(last, s + e) == "forgot the inner derivative"
    )
    assert last.hints[1] == "∂y/∂x = ∂y/∂u · ∂u/∂x + ∂y/∂v · ∂v/∂x."


def test_nothing_is_asked_about_what_does_not_move_but_its_value_once():
    document = open_lesson("1")
    assert list(asked(document, "m2")) == [("value", "m2")]
    timeline = timeline_of(compile(document).run(), Method("forward"))
    again = [step.index for step in timeline if step.node == "m2"][1]
    assert all(one.quantity != "value" for one in questions(timeline, again, QUANTITIES))


@pytest.mark.parametrize("width", [1, None])
def test_of_an_array_its_largest_element_is_asked_for(width):
    found = asked(open_lesson("11"), "Y", width)
    (question,) = [one for (quantity, _), one in found.items() if quantity == "tangent"]
    assert question.subject.startswith("element [") and question.expected.ndim == 0


@pytest.mark.parametrize(
    ("method", "has"), [("reverse", True), ("forward", True), ("difference", False), ("symbolic", False)]
)
def test_only_the_steps_of_reverse_and_forward_mode_ask(method, has):
    timeline = timeline_of(compile(open_lesson("1")).run(), Method(method))
    assert has_questions(timeline) == has
    assert any(questions(timeline, index, QUANTITIES) for index in range(len(timeline))) == has


@tries(40)
@given(documents())
def test_every_question_comes_before_its_answer_and_the_last_tangent_is_the_gradient_of_reverse_mode(document):
    run = compile(document).run()
    try:
        timeline = timeline_of(run, Method("forward"))
    except Refused:
        return
    for step in timeline:
        for question in questions(timeline, step.index, QUANTITIES):
            assert step.index < question.moment < step.index + 1 and question.expected.ndim == 0
            assert is_right(question.expected, question.expected) and all(question.hints)
            assert mistake_of(question.expected, question.expected, question.mistakes) is None
            late = [part for part in step_parts(timeline, step.index) if part.appears > question.moment - step.index]
            assert late or question.quantity == "contribution"
            finds_slope = step.node == document.output and run.value(step.node).ndim == 0
            if question.quantity == "tangent" and finds_slope and not run.faults:  # forward mode has nan of 0 · nan
                leaf, element = timeline.directions[timeline.place(step.index)[0]]
                gradient = np.asarray(run.gradient(leaf)).flat[element]
                assert np.allclose(question.expected, gradient, rtol=1e-9, atol=1e-12, equal_nan=True)
