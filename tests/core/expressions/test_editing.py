from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

import cadena
from cadena.core.expressions.describing import describe_changes
from cadena.core.expressions.editing import own_nodes, redefined
from cadena.core.expressions.reading import parse
from cadena.core.expressions.syntax import Misread
from cadena.core.expressions.writing import definition_of
from cadena.core.teaching.lessons import lessons, open_lesson
from tests.core.expressions.structure import structure
from tests.core.graphs import documents
from tests.thorough import tries


def test_the_node_keeps_its_name_and_what_uses_it():
    document = parse("h = w*x + b\nL = h**2\nM = sin(h)")
    edited = redefined(document, "h", "w*x - b")
    assert (edited.document.nodes["h"].op, edited.document.nodes["h"].inputs) == ("subtract", ("multiply1", "b"))
    assert edited.document.nodes["L"] == document.nodes["L"] and edited.document.output == "M"
    assert (list(edited.new), edited.removed) == (["h"], ())


@pytest.mark.parametrize("lesson", [lesson.name for lesson in lessons()])
def test_an_expression_that_is_left_as_it_is_changes_nothing(lesson):
    document = open_lesson(lesson)
    for name, node in document.nodes.items():
        if not node.is_leaf:
            assert redefined(document, name, definition_of(document, name)).document == document


@given(documents())
@tries(60)
def test_a_random_node_redefined_by_its_own_expression_is_the_same_graph(document):
    name = str(document.output)
    if not document.nodes[name].is_leaf:
        again = redefined(document, name, definition_of(document, name)).document
        assert structure(again, name) == structure(document, name)


def test_the_expression_of_an_equality_was_taken_for_a_slip_of_the_keyboard():
    document = parse("y = x == 3")
    assert definition_of(document, "y") == "x == 3"
    assert redefined(document, "y", "x == 3").document == document


def test_what_only_it_used_goes_and_leaves_with_a_gradient_stay():
    document = open_lesson("1")
    edited = redefined(document, "c", "m3*2")
    assert edited.removed == ("b2", "m4")
    assert {"w2", "w4", "a1"} <= edited.document.nodes.keys()
    assert not {"b2", "m4"} & edited.document.layout.keys()
    assert (
        describe_changes(edited.new, edited.removed, document.nodes) == "c becomes multiply; constant 2; removes b2, m4"
    )
    assert cadena.compile(edited.document).run().value("L") == 15 - 2 * 161


def test_another_operation_or_number_in_the_same_place_has_the_name_that_was_there():
    document = open_lesson("1")
    edited = redefined(document, "L", "16 - (w3*(w0*a1 - w1*a2) + w4*exp(w2*a1))")
    assert describe_changes(edited.new, edited.removed, document.nodes) == "b1 becomes subtract; k becomes 16; adds exp"
    assert edited.document.layout == document.layout and edited.removed == ()
    assert set(edited.document.nodes) - set(document.nodes) == {"exp1"}
    assert edited.document.nodes["b1"].inputs == ("m1", "m2") and edited.document.nodes["k"].value == 16.0


def test_a_name_that_the_text_gives_is_not_changed():
    edited = redefined(open_lesson("1"), "L", "h = m3 - m4; 15 - h")
    assert edited.document.nodes["L"].inputs == ("k", "h") and edited.removed == ("c",)


def test_what_others_use_and_the_output_stay():
    document = parse("a = sin(x)\nb = exp(a)\nL = a + b")
    assert redefined(document, "b", "w").removed == ()
    chosen = replace(document, output="b")
    assert redefined(chosen, "L", "w").document.output == "b"
    assert list(own_nodes(chosen, "L")) == []
    assert list(own_nodes(document, "L")) == ["a", "b"]


def test_earlier_lines_make_nodes_with_names():
    edited = redefined(open_lesson("1"), "c", "h = w0*w1\nc = h + h")
    assert edited.document.nodes["c"].inputs == ("h", "h")


def test_a_number_makes_a_parameter_of_it():
    edited = redefined(open_lesson("1"), "c", "2.5").document
    assert (edited.nodes["c"].op, edited.nodes["c"].value, edited.nodes["c"].inputs) == ("parameter", 2.5, ())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("c + 1", "line 1, column 1: c: c cannot depend on itself; use nodes that do not"),
        ("L + 1", "line 1, column 1: L: L depends on c; use nodes that do not"),
        ("d = w0", "line 1, column 1: d: this is the expression of c; write c = ..., or what is right of the = alone"),
        ("w0 = 2\nw0", "line 1, column 1: w0: there is a node w0 already; choose another name"),
        ("w0*(", r"line 1, column 4: \(: this bracket is never closed; add \)"),
    ],
)
def test_a_mistake_is_told_with_its_place(text, sentence):
    with pytest.raises(Misread, match=f"^{sentence}$"):
        redefined(open_lesson("1"), "c", text)
