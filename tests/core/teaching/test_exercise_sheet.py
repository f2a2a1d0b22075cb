"""Exercise sheets: numbers by name, questions with answers that are right, and mistakes that are named."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from cadena.core.expressions.reading import parse
from cadena.core.graph.document import Tensor
from cadena.core.graph.fault import Refused
from cadena.core.storage.encoding import encode
from cadena.core.teaching.answers import mistake_of
from cadena.core.teaching.asking import ADDED, FORGOT_FACTOR, FORGOT_PATH, MULTIPLIED, SIGN
from cadena.core.teaching.exercise_sheet import MOST_ELEMENTS, SMALLEST, asked_of, seed_of, sheet_for
from cadena.core.teaching.lessons import lessons, open_lesson
from tests.core.graphs import graph

TWO_PATHS = open_lesson("two_paths")


def sheet(student="Anna Müller", document=TWO_PATHS, **asked):
    return sheet_for(document, student, asked_of(document, **asked))


def given(made):
    return {name: float(node.value) for name, node in made.document.nodes.items() if node.value is not None}


def named(question, number):
    mistake = mistake_of(np.asarray(number), question.expected, sheet().mistakes(question))
    return mistake.name if mistake else None


def test_the_seed_of_a_name_is_pinned():
    """Sheets that were handed out are graded by any later version."""
    assert seed_of("Anna Müller") == seed_of("anna  MÜLLER") == 552619119307257674
    assert given(sheet()) == {"w0": -3, "w1": -3, "w2": 4, "w3": 5, "w4": 4, "a1": -5, "a2": 2, "k": 15}
    assert given(sheet("Ben Okafor")) != given(sheet())


@pytest.mark.parametrize("student", ["Anna Müller", "Ben Okafor", "Chloé d'Arcy", "42"])
def test_the_answers_are_those_of_the_formulas(student):
    made = sheet(student)
    w0, w1, w2, w3, w4, a1, a2, k = given(made).values()
    answers = {
        "L": k - (w3 * (w0 * a1 + w1 * a2) + w4 * w2 * a1),
        "∂L/∂w0": -w3 * a1, "∂L/∂w1": -w3 * a2, "∂L/∂w2": -w4 * a1, "∂L/∂w3": -(w0 * a1 + w1 * a2),
        "∂L/∂w4": -w2 * a1, "∂L/∂a1": -w3 * w0 - w4 * w2,
    }  # fmt: skip
    assert {question.subject: float(question.expected) for question in made.questions} == pytest.approx(answers)


def test_typical_mistakes_have_names():
    questions = {question.subject: question for question in sheet().questions}
    w0, _, w2, w3, w4, a1, _, _ = given(sheet()).values()
    assert named(questions["∂L/∂w0"], w3 * a1) == SIGN
    assert named(questions["∂L/∂w1"], -w3) == "forgot the local derivative"
    assert named(questions["∂L/∂a1"], -w3 * w0) == FORGOT_PATH
    assert named(questions["∂L/∂a1"], w3 * w0 * w4 * w2) == MULTIPLIED
    assert named(questions["∂L/∂a1"], -w3 * w0 - w4) == FORGOT_FACTOR
    assert named(questions["∂L/∂a1"], -w3 * w0 + (-1 + 1 + w4 + w2)) == ADDED
    assert named(questions["∂L/∂w3"], -float(questions["∂L/∂w3"].expected)) == SIGN  # the upstream gradient is −1
    assert named(questions["L"], 0.123) is None


def test_a_sheet_is_made_of_most_lessons_with_answers_that_can_be_computed_by_hand():
    too_small = "vanishing_gradients"
    for lesson in lessons():
        if lesson.name == too_small:
            continue
        questions = sheet(document=open_lesson(lesson.name)).questions
        assert all(SMALLEST < abs(question.expected) <= 1000 for question in questions), lesson.name
    with pytest.raises(Refused, match="no small numbers were found"):
        sheet(document=open_lesson(too_small))


def test_of_an_array_a_few_elements_are_asked_for():
    questions = sheet(document=open_lesson("custom_layer")).questions
    subjects = [question.subject for question in questions]
    assert subjects == ["L", *(f"element {at} of ∂L/∂W" for at in ("[0, 0]", "[0, 1]", "[1, 1]", "[2, 1]"))]
    assert len(subjects) == 1 + MOST_ELEMENTS and questions[2].latex.endswith("_{0,1}")


def test_the_gradient_of_a_matrix_product_is_that_of_numpy():
    document = graph("L", W=[[1.0, 2.0], [3.0, 4.0]], x=("input", [1.0, 2.0]), y=("matmul", "W", "x"), L=("sum", "y"))
    made = sheet(document=document)
    x = np.asarray(made.run.value("x"))
    expected = np.outer(np.ones(2), x).ravel()
    assert [float(question.expected) for question in made.questions[1:]] == expected.tolist()


def test_other_nodes_are_asked_for_by_name():
    made = sheet(values=("b1", "m3"), gradients=("w4",))
    assert [question.subject for question in made.questions] == ["b1", "m3", "∂L/∂w4"]


def test_the_file_of_a_sheet_holds_no_answer_and_no_story():
    document = json.loads(encode(sheet().document))
    assert document["lesson"] == {"view": {"hide": ["results"]}} and not {"notes", "code", "script"} & document.keys()
    assert not any(isinstance(node.value, Tensor) for node in sheet().document.nodes.values())
    assert all("value" not in node for node in document["nodes"] if "inputs" in node)


def test_a_students_own_file_makes_the_same_sheet():
    made = sheet()
    again = sheet(document=made.document)
    assert again.document == made.document
    assert [question.expected for question in again.questions] == [question.expected for question in made.questions]


@pytest.mark.parametrize(
    ("document", "asked", "sentence"),
    [
        (graph(x=1.0), {}, "there is no output that is computed; choose the node to differentiate"),
        (TWO_PATHS, {"values": ("w0",)}, "the value of w0 is given; ask for that of a node that is computed"),
        (TWO_PATHS, {"gradients": ("L", "m1"), "values": ()}, None),
        (parse("L = 1e9 * x"), {}, "no small numbers were found with which it can be computed by hand"),
        (graph("L", x=[1.0] * 65, L=("sum", "x")), {}, "x has shape (65,), and a sheet has room for matrices"),
        (graph("L", x=1.0, L=("exp", None)), {}, "the graph does not run; fix its faults first"),
        (graph("L", x=1.0, y=2.0, L=("exp", "x")), {"gradients": ("y",)}, "L does not depend on y, so there is"),
        (TWO_PATHS, {"values": (), "gradients": ()}, "a sheet has 1 to 60 questions, and this one would have 0"),
    ],
)  # fmt: skip
def test_what_makes_no_exercise_is_refused_in_a_sentence(document, asked, sentence):
    if sentence is None:
        assert math.isfinite(sheet(document=document, **asked).questions[1].expected)
        return
    with pytest.raises(Refused) as refusal:
        sheet(document=document, **asked)
    assert str(refusal.value).startswith(sentence)
