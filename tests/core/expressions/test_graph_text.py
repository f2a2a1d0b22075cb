"""A graph as text: one line for each thing that reads well, and a user's own lines for as long as they hold."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from cadena.core.expressions.editing import rewritten
from cadena.core.expressions.graph_text import KEY, MAX_NODES, graph_text, renamed
from cadena.core.expressions.reading import parse
from cadena.core.graph import edits
from cadena.core.graph.document import Document
from cadena.core.storage.files import load, save
from cadena.core.teaching.lessons import lessons, open_lesson
from tests.core.graphs import documents
from tests.thorough import tries

LESSON_1 = "b1 = w0*a1 + w1*a2\nb2 = w2*a1\nL  = 15 - (w3*b1 + w4*b2)"


def written(text: str) -> Document:
    """The graph that a user types into an empty document."""
    return rewritten(Document({}), text)


def test_factors_begin_a_line_where_all_nodes_have_names():
    assert graph_text(open_lesson("1")).text == LESSON_1


def test_names_that_were_given_have_lines_where_others_have_none():
    document = parse("L = 15 - (w*x + b)")
    assert graph_text(document).text == "L = 15 - (w*x + b)"
    assert graph_text(edits.rename(document, "add1", "c")).text == "c = w*x + b\nL = 15 - c"


def test_what_is_used_twice_has_a_line():
    assert graph_text(parse("h = sin(x)\ny = h*h")).text == "h = sin(x)\ny = h*h"


def test_a_leaf_that_nothing_uses_has_a_line():
    assert graph_text(parse("w = 2")).text == "w = 2"
    assert graph_text(parse("x = input(2); y = w + 1")).text == "x = input(2)\ny = w + 1"


@pytest.mark.parametrize("lesson", [lesson.name for lesson in lessons()])
def test_the_text_of_a_lesson_means_the_lesson(lesson):
    document = open_lesson(lesson)
    text = graph_text(document)
    assert text.lines and not text.unsaid
    again = rewritten(document, text.text)
    assert replace(again, extra=document.extra) == document
    if lesson == "sums_and_products":  # its two constants -1 merge when both their lines are parsed again
        return
    loose = text.text.replace(" = ", "  =  ")  # each line is another
    again = rewritten(document, loose)
    assert replace(again, extra=document.extra) == document and graph_text(again).text == loose


@given(documents())
@tries(60)
def test_the_text_of_a_random_graph_changes_nothing(document):
    text = graph_text(document).text
    again = rewritten(document, text) if text else document
    assert (again.nodes, again.output) == (document.nodes, document.output)


def test_lines_stay_as_they_were_typed_while_they_hold():
    text = "# a layer\ny  =  tanh( w*x  + b )   # squashed\n\nw = 2\nL=(y - 1)**2"
    document = written(text)
    assert graph_text(document).text == text
    other = edits.set_value(document, "b", 7.0)
    assert graph_text(other).text == text


def test_only_the_line_that_no_longer_holds_is_written_anew():
    document = written("h=w*x\nb = 3\ny  =  (h)+(b)")
    assert graph_text(edits.set_value(document, "b", 4.0)).text == "h=w*x\nb = 4\ny  =  (h)+(b)"
    assert graph_text(edits.set_operation(document, "y", "subtract")).text == "h=w*x\nb = 3\ny = h - b"
    assert graph_text(renamed(document, "h", "g")).text == "g=w*x\nb = 3\ny  =  (g)+(b)"


def test_a_line_that_holds_again_is_back():
    document = written("y  =  w*x")
    changed = edits.set_operation(document, "y", "add")
    assert graph_text(changed).text == "y = w + x"
    assert graph_text(edits.set_operation(changed, "y", "multiply")).text == "y  =  w*x"


def test_a_node_that_others_use_now_gets_a_line():
    document = edits.add(written("y = sin(w*x)"), "cos", (0, 0), "z")
    document = edits.connect(document, "multiply1", "z", 0)
    assert graph_text(document).text == "multiply1 = w*x\ny = sin(multiply1)\nz = cos(multiply1)"


def test_two_equal_expressions_are_two_nodes():
    text = "p = w*x + 1\nq = w*x + 2"
    assert graph_text(written(text)).text == text


def test_an_expression_without_a_name_is_found_again():
    document = written("w*x + b")
    assert graph_text(document).text == "w*x + b"
    assert graph_text(document).roots == {0: "add1"}


def test_what_cannot_be_said_is_told_and_the_rest_is_written():
    document = edits.disconnect(open_lesson("1"), "m1", 0)
    text = graph_text(document)
    assert text.text == f"w0 = 2\n{LESSON_1.replace('w0*a1', 'm1')}"
    assert [str(one) for one in text.unsaid] == [
        "m1 has no expression: it waits for an operand; connect its open slots"
    ]


def test_the_rows_of_nodes_are_those_of_the_lines_that_say_them():
    text = graph_text(open_lesson("1"))
    assert (text.rows["m1"], text.rows["b2"], text.rows["m3"], text.rows["k"]) == (0, 1, 2, 2)
    assert text.roots == {0: "b1", 1: "b2", 2: "L"}


def test_a_large_graph_is_written_for_chosen_nodes_alone():
    chain = "\n".join(f"h{number + 1} = sin(h{number})" for number in range(MAX_NODES))
    document = parse(chain)
    assert graph_text(document).is_too_large and not graph_text(document).lines
    assert graph_text(document, ["h3"]).text.endswith("h3 = sin(sin(sin(h0)))")


def test_stored_text_that_is_none_is_ignored():
    document = open_lesson("1")
    for odd in ("b1 = (", 3, None, ["x"]):
        assert graph_text(replace(document, extra={**document.extra, KEY: odd})).text == LESSON_1


def test_the_text_is_saved_with_the_graph(tmp_path):
    text = "y   =  w * x"
    path = tmp_path / "graph.cadena"
    save(written(text), path)
    assert graph_text(load(path)).text == text
