"""A graph edited as text: nodes keep their names, places and values for as long as the text still means them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import cadena
from cadena.core.expressions.editing import rewritten
from cadena.core.expressions.graph_text import graph_text
from cadena.core.expressions.syntax import Misread
from cadena.core.graph.document import Document
from cadena.core.teaching.lessons import open_lesson

LESSON_1 = graph_text(open_lesson("1")).text


def edited(old: str, new: str, document: Document | None = None) -> tuple[Document, set[str]]:
    """The document with a piece of its text replaced, and the nodes that differ."""
    document = document or open_lesson("1")
    text = graph_text(document).text
    assert old in text
    after = rewritten(document, text.replace(old, new))
    names = document.nodes.keys() | after.nodes.keys()
    return after, {name for name in names if document.nodes.get(name) != after.nodes.get(name)}


def written(*texts: str) -> Document:
    """What is typed into an empty document, text after text."""
    document = Document({})
    for text in texts:
        document = rewritten(document, text)
    return document


def test_another_number_or_operation_keeps_the_cards():
    after, changed = edited("15", "16")
    assert changed == {"k"} and after.nodes["k"].value == 16.0
    after, changed = edited("w0*a1 + w1*a2", "w0*a1 - w1*a2")
    assert changed == {"b1"} and after.nodes["b1"].inputs == ("m1", "m2")
    assert after.layout == open_lesson("1").layout and after.output == "L"


def test_what_comes_between_is_new_and_the_rest_stays():
    after, changed = edited("w4*b2", "w4*exp(b2)")
    assert changed == {"exp1", "m4"} and after.nodes["m4"].inputs == ("w4", "exp1")


def test_a_new_name_is_a_parameter():
    after, changed = edited("w1*a2", "w1*a2 + w5")
    assert changed == {"b1", "add1", "w5"} and after.nodes["w5"].op == "parameter"


def test_a_name_that_is_changed_everywhere_renames_its_node():
    after, changed = edited("w0", "speed")
    assert changed == {"w0", "speed", "m1"} and after.nodes["speed"].value == 2.0
    assert after.layout["speed"] == open_lesson("1").layout["w0"]
    after, _ = edited("b1", "hidden")
    assert after.nodes["m3"].inputs == ("w3", "hidden")


def test_a_line_that_gets_another_name_keeps_its_card():
    after, _ = edited("b1 =", "hidden =")
    assert after.layout["hidden"] == open_lesson("1").layout["b1"]
    assert after.nodes["b1"].op == "parameter" and after.nodes["m3"].inputs == ("w3", "b1")


def test_what_is_mentioned_no_longer_goes():
    _, changed = edited("w0*a1 + ", "")
    assert changed == {"b1", "m1", "m2", "w0"}
    assert rewritten(open_lesson("1"), "").nodes == {}


def test_a_line_that_others_need_becomes_a_parameter_when_it_goes():
    after, changed = edited("b2 = w2*a1\n", "")
    assert changed == {"b2", "w2"} and after.nodes["b2"].op == "parameter"


def test_a_leaf_keeps_its_kind_unless_its_line_names_another():
    after, _ = edited("b2 =", "a1 = 7\nb2 =")
    assert (after.nodes["a1"].op, after.nodes["a1"].value) == ("input", 7.0)
    after, _ = edited("a1 = 7", "a1 = constant(7)", after)
    assert after.nodes["a1"].op == "constant"


def test_lines_may_stand_in_any_order():
    document = open_lesson("1")
    after = rewritten(document, "\n".join(reversed(LESSON_1.split("\n"))))
    assert replace(after, extra=document.extra) == document
    assert written("y = h + 1\nh = w*x").nodes["y"].inputs == ("h", "k0")


def test_the_output_is_the_last_result_until_another_is_chosen():
    assert written("b1 = w0*a1", "b1 = w0*a1\nb2 = w2*a1").output == "b1"
    assert written("b1 = w0*a1", "b1 = w0*a1\nb2 = w2*a1", "b1 = w0*a1\nb2 = w2*a1\nL = b1 + b2").output == "L"
    chosen = replace(open_lesson("1"), output="b1")
    assert rewritten(chosen, f"{LESSON_1}\nM = sin(L)").output == "b1"


def test_arrays_are_written_as_lists_or_by_their_shape():
    document = written("W = random(2, 3)\nx = [[1, 2], [3, 4], [5, 6]]\ny = W @ x\nL = sum(y)")
    assert cadena.compile(document).run().value("y").shape == (2, 2)
    assert written("W = random(2, 3)").nodes == written("W = random(2, 3)").nodes
    assert written("V = random(2, 3)").nodes["V"].value != document.nodes["W"].value
    assert written("z = zeros(3); o = ones((2, 2))").nodes["o"].value.shape == (2, 2)


def test_random_numbers_that_were_trained_stay_when_another_line_is_edited():
    document = written("W = random(2)\ny = sum(W)")
    trained = cadena.parse("W = [5, 6]").nodes["W"]
    document = replace(document, nodes={**document.nodes, "W": trained})
    assert graph_text(document).text == "W = random(2)\ny = sum(W)"
    for text in ("W = random(2)\ny = mean(W)", "W  = random(2)\ny = sum(W)"):
        assert rewritten(document, text).nodes["W"] == trained


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("y = random(2.5)", "random takes the size of each dimension; write whole numbers, such as random(6, 6)"),
        ("y = random(9999, 9999)", "these are more than 1000000 numbers; write a smaller size"),
        ("y = z\nz = y", "y depends on itself; use names that do not"),
        ("y = y + 1", "y depends on itself; use names that do not"),
        ("y = 1\ny = 2", "y is assigned in line 1 already; choose another name"),
        ("y = w*(", "this bracket is never closed; add )"),
    ],
)
def test_a_mistake_is_told_with_its_place(text, sentence):
    with pytest.raises(Misread, match=re.escape(sentence)):
        written(text)


def test_a_node_of_a_large_graph_is_edited_without_the_others():
    document = open_lesson("1")
    assert graph_text(document, ["b1"]).text == "b1 = w0*a1 + w1*a2"
    after = rewritten(document, "b1 = w0*a1 - w1*a2", ["b1"])
    assert {name for name in document.nodes if after.nodes[name] != document.nodes[name]} == {"b1"}
    with pytest.raises(Misread, match="depends on itself"):
        rewritten(document, "b1 = w0*L", ["b1"])
