"""What is hidden until someone asks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cadena.core.expressions.reading import parse
from cadena.core.graph.document import Document, Node
from cadena.core.methods.reverse.step_parts import step_parts
from cadena.core.methods.reverse.step_text import no_paint
from cadena.core.run.program import compile
from cadena.core.teaching.hiding import KINDS, NOTHING_HIDDEN, Hidden, hidden_at_first
from cadena.core.teaching.lessons import open_lesson


def test_a_kind_is_hidden_everywhere_but_where_it_was_revealed():
    hidden = NOTHING_HIDDEN.toggled("gradients").with_revealed(["w0"])
    assert hidden.hides("gradients", "x0") and not hidden.hides("gradients", "w0") and not hidden.hides("values", "x0")
    assert hidden.hides_at("x0") and not hidden.hides_at("w0")
    assert hidden.hides("gradients", "w0", "x0")  # what speaks of both
    assert not hidden.toggled("gradients") and hidden.toggled("values").hides("gradients", "w0")  # asked for anew


def test_at_chosen_nodes_everything_is_hidden():
    hidden = NOTHING_HIDDEN.toggled_nodes(["w0", "x0"])
    assert all(hidden.hides(kind, "w0") for kind in KINDS) and not hidden.hides_at("L")
    assert not hidden.with_revealed(["w0"]).hides_at("w0")
    assert hidden.with_revealed(["w0"]).toggled_nodes(["w0"]).hides_at("w0")
    assert not hidden.toggled_nodes(["w0", "x0"])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("w0 receives −27 from m1.", "w0 receives ? from m1."),
        ("m1 has value 0.25, derivative 1.5·10⁻³", "m1 has value ?, derivative ?"),
        ("n12 = x1 · 3 = −6", "n12 = x1 · ? = ?"),
        ("L is inf, x is nan", "L is ?, x is ?"),
        ("Reverse pass, step 13 of 21: w4 gets −36", "Reverse pass, step 13 of 21: w4 gets ?"),
    ],
)
def test_the_numbers_of_a_sentence_are_hidden_and_no_digits_of_names(text, shown):
    assert Hidden(frozenset({"values"})).in_text(text, "w0") == shown
    assert NOTHING_HIDDEN.in_text(text, "w0") == text


def test_no_formula_of_a_lesson_gives_a_hidden_gradient_away():
    timeline = compile_front(open_lesson("1"))
    paint = Hidden(frozenset({"gradients"})).painting(no_paint, "w0")
    for index in range(timeline.forward_length, len(timeline)):
        parts = step_parts(timeline, index, paint)
        assert parts[-1].latex == "?", parts


def compile_front(document: Document):
    from cadena.core.front import compile as compile_with_steps

    return compile_with_steps(document).run().timeline


def test_a_lesson_opens_with_something_hidden():
    nodes = {"x": Node("x", "parameter", value=2.0), "y": Node("y", "exp", inputs=("x",))}
    view = {"hide": ["gradients", "x", "somebody", 7]}
    document = Document(nodes, output="y", extra={"lesson": {"view": view}})
    assert hidden_at_first(document) == Hidden(frozenset({"gradients"}), frozenset({"x"}))
    assert hidden_at_first(open_lesson("1")) == NOTHING_HIDDEN and compile(document).run().value("y") is not None


@pytest.mark.parametrize("lesson", ["text", {"view": "text"}, {"view": {"hide": "values"}}, {"view": {}}])
def test_what_is_no_list_hides_nothing(lesson):
    assert hidden_at_first(Document({}, extra={"lesson": lesson})) == NOTHING_HIDDEN


def test_a_sheet_opens_with_its_results_hidden_and_its_leaves_shown():
    document = replace(parse("y = x*x"), extra={"lesson": {"view": {"hide": ["results"]}}})
    hidden = hidden_at_first(document)
    assert hidden.hides("values", "y") and hidden.hides("gradients", "x") and not hidden.hides("values", "x")
    assert not hidden.hides("names", "y") and not hidden.with_revealed(["y"]).hides("values", "y")
    assert not hidden.toggled_nodes(["y"]).hides("values", "x") and hidden.toggled("names").hides("names", "x")
