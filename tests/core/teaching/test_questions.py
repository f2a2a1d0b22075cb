"""Questions before each result: expected numbers, hints in three steps, and the mistakes that are recognised."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from cadena.core.front import compile
from cadena.core.methods.reverse.step_parts import step_parts
from cadena.core.teaching.answers import is_right, mistake_of
from cadena.core.teaching.asking import QUANTITIES
from cadena.core.teaching.lessons import open_lesson
from cadena.core.teaching.questions import questions
from tests.core.graphs import documents, graph
from tests.thorough import tries


@pytest.fixture(scope="module")
def two_paths():
    return compile(open_lesson("two_paths")).run().timeline


def asked(timeline, node, operand=None, quantities=QUANTITIES):
    step = next(step for step in timeline if (step.node, step.operand) == (node, operand))
    return {question.quantity: question for question in questions(timeline, step.index, quantities)}


def named(question, answer):
    mistake = mistake_of(np.array(answer), question.expected, question.mistakes)
    return mistake.name if mistake else None


def test_a_value_is_asked_with_where_to_look_the_rule_and_the_numbers(two_paths):
    question = asked(two_paths, "m1")["value"]
    assert question.sentence == "What is the value of m1?" and question.expected == 8.0
    assert question.hints == ("Where to look: the cards of w0 and a1.", "m1 = w0 · a1.", "m1 = 2 · 4.")
    assert named(question, 6.0) == "added instead of multiplied" and named(question, -8.0) == "wrong sign"


def test_the_four_quantities_of_the_second_path_are_asked_in_the_order_of_their_moments(two_paths):
    found = asked(two_paths, "m1", "a1")
    assert [question.expected.item() for question in found.values()] == [2.0, -14.0, -41.0]
    moments = [question.moment % 1.0 for question in found.values()]
    assert moments == sorted(moments)
    assert found["gradient"].sentence == "a1 already has −27. What is ∂L/∂a1 after this step?"
    assert found["gradient"].hints[2] == "∂L/∂a1 = −27 + (−14)."


def test_an_array_without_elements_was_asked_for_its_largest():
    split = ("array_split", "x", {"indices_or_sections": 3, "part": 2})
    run = compile(graph(x=[1.0, 2.0], none=split, y=("sum", "none"))).run()
    quantities = [
        question for index in range(len(run.timeline)) for question in questions(run.timeline, index, QUANTITIES)
    ]
    assert np.size(run.value("none")) == 0 and {question.subject for question in quantities} == {"y"}


def test_a_product_was_said_to_be_a_difference_the_other_way_round(two_paths):
    question = asked(two_paths, "m1")["value"]
    assert named(question, 2.0) == named(question, 4.0) == "forgot the operation" and named(question, 1.5) is None
    difference = asked(two_paths, "L")["value"]
    assert named(difference, 254.0) == "swapped the operands"  # k - c, where c - k would have the other sign


def test_a_number_times_itself_has_no_other_order():
    timeline = compile(graph("y", x=3.0, y=("multiply", "x", "x"))).run().timeline
    question = asked(timeline, "y")["value"]
    assert named(question, 0.0) is None and named(question, 6.0) == "added instead of multiplied"


def test_the_forgotten_path_is_recognised(two_paths):
    question = asked(two_paths, "m1", "a1")["gradient"]
    assert named(question, -14.0) == named(question, -27.0) == "forgot the other path"
    assert (
        named(question, 378.0) == "multiplied instead of added"
        and named(question, 41.0) == "wrong sign"
        and named(question, 5.0) is None
    )


def test_the_mistakes_of_a_product_are_told_apart(two_paths):
    question = asked(two_paths, "m1", "a1")["contribution"]
    assert (
        named(question, 2.0) == "forgot the upstream gradient"
        and named(question, -7.0) == "forgot the local derivative"
    )
    assert (
        named(question, -5.0) == "added instead of multiplied" and named(question, -28.0) == "took the operand itself"
    )


def test_the_input_in_the_place_of_the_output_is_recognised():
    timeline = compile(graph("y", x=2.0, y=("exp", "x"))).run().timeline
    question = asked(timeline, "y", "x")["local derivative"]
    assert (
        named(question, 2.0) == "took the operand itself"
        or named(question, 2.0) == "took the input instead of the output"
    )
    timeline = compile(graph("y", x=2.0, y=("tanh", "x"))).run().timeline
    question = asked(timeline, "y", "x")["local derivative"]
    assert named(question, 1.0 - 2.0**2) == "took the input instead of the output"


def test_a_square_was_told_to_look_for_its_other_operand():
    timeline = compile(graph("y", x=3.0, y=("square", "x"))).run().timeline
    question = asked(timeline, "y", "x")["local derivative"]
    mistake = mistake_of(np.array(3.0), question.expected, question.mistakes)
    assert mistake is not None and mistake.sentence == "That is the value of x itself, not how fast y changes with it."


def test_an_operand_used_twice_has_a_derivative_for_each_wire():
    timeline = compile(graph("y", x=3.0, y=("multiply", "x", "x"))).run().timeline
    question = asked(timeline, "y", "x")["local derivative"]
    assert question.expected == 3.0
    mistake = mistake_of(np.array(6.0), question.expected, question.mistakes)
    assert mistake is not None and mistake.name == "counted all wires at once"
    assert mistake.sentence == "That counts both wires from x to y: the question is about one of them."


def test_the_first_contribution_is_asked_for_as_the_gradient_where_contributions_are_not(two_paths):
    (question,) = asked(two_paths, "b2", "a1", ["gradient"]).values()
    assert question.expected == -27.0 and question.sentence == "What is ∂L/∂a1 after this step?"


def test_of_an_array_its_largest_element_is_asked_for():
    timeline = compile(open_lesson("custom_layer")).run().timeline
    question = asked(timeline, "Z", "W")["contribution"]
    assert question.subject == "element [1, 0] of ∂L/∂W" and question.expected == pytest.approx(-7.338816)


@tries(40)
@given(documents())
def test_every_question_is_asked_before_its_answer_is_shown_and_has_it(document):
    timeline = compile(document).run().timeline
    for index in range(len(timeline)):
        for question in questions(timeline, index, QUANTITIES):
            assert index < question.moment < index + 1 and question.expected.ndim == 0
            assert is_right(question.expected, question.expected) and all(question.hints)
            assert mistake_of(question.expected, question.expected, question.mistakes) is None
            late = [part for part in step_parts(timeline, index) if part.appears > question.moment - index]
            assert late or question.quantity == "contribution"
