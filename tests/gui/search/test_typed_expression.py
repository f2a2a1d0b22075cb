"""Expressions typed in the search of nodes, and their previews."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from cadena.core.graph.document import Document
from cadena.core.ops.primitive import REGISTRY
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.canvas.rendering import minimap
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.search import catalogue
from cadena.gui.search.typed_expression import Typed, typed
from tests.gui.user import settle


def of(text: str, document: Document | None = None) -> Typed | None:
    return typed(text, document or open_lesson("1"), lambda: None)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("y = w0*x + b", "Adds multiply, add; new parameters x, b."),
        ("sin(w0)", "Adds sin."),
        ("v = 2.5", "New parameter v."),
        ("w0 - w1", "Adds subtract."),
        ("w0[0]", "Adds getitem."),
        ("h = w0*w0; g = h + h", "Adds multiply, add."),
        ("sigmiod(w0)", "There is no operation sigmiod; did you mean sigmoid?"),
        ("y = w0^2", "^ is no power in Python; write ** for a power."),
        ("L = w0*2", "There is a node L already; choose another name."),
        ("(w0", "This bracket is never closed; add )."),
    ],
)
def test_an_expression_is_told(text, told):
    found = of(text)
    assert found is not None and found.preview == told and found.is_sure


@pytest.mark.parametrize(
    "text", ["", "w0", "sin", "2", "-0.5", "1/3", "[1, 2]", "2 * pi", "zoom to fit", "=", "cross-entropy", "log-sum"]
)
def test_a_name_a_number_or_words_are_none(text):
    assert of(text) is None


def test_a_synonym_is_looked_for_before_it_is_an_expression():
    for text in (synonym for record in REGISTRY.values() for synonym in record.synonyms):
        found = of(text)
        assert found is None or not found.is_sure, text


def test_what_may_be_either_stands_behind_what_was_found():
    found = of("w0-w1")
    listed = catalogue.search("x-entropy", catalogue.operations())
    assert found is not None and not found.is_sure
    assert found.among(listed) == [*listed, found.entry]


def test_behind_a_mistake_in_an_expression_nothing_is_offered():
    found = of("sin(w0")
    assert found is not None and found.among(list(catalogue.operations())) == []


# --- in Ctrl+K


def test_an_expression_typed_in_the_command_search_is_told_and_added(user):
    user.press("Ctrl+K")
    QTest.keyClicks(user.window.search, "loss = w0*q + 1")
    popup = user.window.search.card
    assert popup.remark.whole == "Adds multiply, add; new parameter q; constant 1."
    assert [entry.name for entry in user.window.search.shown][:1] == ["loss = w0*q + 1"]
    before = user.session.document
    QTest.keyClick(user.window.search, Qt.Key.Key_Return)
    settle()
    assert set(user.session.document.nodes) - set(before.nodes) == {"loss", "multiply1", "q", "k0"}
    assert user.session.selection == {"loss"} and user.canvas.hasFocus()
    user.press("Ctrl+Z")
    assert user.session.document == before


def test_a_mistake_in_the_command_search_is_told_and_nothing_is_listed(user):
    user.press("Ctrl+K")
    QTest.keyClicks(user.window.search, "loss = (w0*q")
    popup = user.window.search.card
    assert popup.remark.whole == "This bracket is never closed; add )." and popup.remark.isVisible()
    assert user.window.search.shown == [] and not popup.list.isVisible()
    QTest.keyClick(user.window.search, Qt.Key.Key_Return)
    assert popup.isVisible()
    QTest.keyClick(user.window.search, Qt.Key.Key_Escape)


def test_what_is_written_on_an_empty_canvas_is_all_in_view(user):
    user.session.open(Document({}), None)
    user.canvas.commands.add_expression("X = [[1, 2], [3, 4]]; L = sum(sin(exp(X @ X))**2) + sum(X)")
    settle()
    assert user.session.document.output == "L" and user.session.selection == {"L"}
    seen = user.canvas.camera.visible(user.canvas.size().toSizeF())
    assert all(seen.contains(user.canvas.places.card(name)) for name in user.session.document.nodes)
    user.press("Ctrl+Z")
    assert not user.session.document.nodes


def test_the_first_leaf_that_was_written_became_the_output_and_the_loss_did_not(user):
    user.session.open(Document({}), None)
    user.canvas.commands.add_expression("x = [0.5, -1]")
    assert user.session.document.output is None
    user.canvas.commands.add_expression("L = sum(x**2)")
    assert user.session.document.output == "L"
    user.canvas.commands.add_expression("t = 1")
    assert user.session.document.output == "L"


def test_a_node_made_by_an_expression_could_land_under_the_map(user):
    canvas = user.canvas
    user.session.show_live()  # the palette, which comes with an edit, takes room from the canvas
    settle()
    canvas.set_camera(Camera(-400.0, -300.0, 1.6))
    corner = minimap.area(canvas.scene).center()
    canvas.commands.add_expression("far = w0*2", canvas.camera.to_world(corner))
    settle()
    shown = canvas.camera.transform.mapRect(canvas.places.card("far"))
    assert not minimap.area(canvas.scene).intersects(shown)
    assert canvas.scene.camera.visible(canvas.scene.view).contains(canvas.places.card("far"))


def test_an_expression_is_edited_within_a_function(lesson8):
    user = lesson8
    user.window.levels.enter("y")
    settle()
    editor = user.window.expressions.editor
    assert editor.toPlainText() == "y = 1/exp(x)"
    user.press("E")
    user.press("Ctrl+A")
    user.type("y = exp(-x)")
    assert user.session.document.nodes["y"].op == "exp"
    user.window.levels.leave()
    settle()
    function = user.session.document.functions["one_over_exp"]
    assert {node.op for node in function.nodes.values()} >= {"exp", "negative"} and "one" not in function.nodes
