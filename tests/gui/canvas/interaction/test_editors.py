"""Typing on the canvas: names and values in place; what is refused is kept and explained."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFocusEvent

from cadena.core.graph import edits
from cadena.core.graph.document import as_value
from tests.gui.canvas.real_hand import Key


def test_a_double_click_on_the_name_renames_in_one_step(canvas, session, hand, one_step):
    before = session.document
    hand.double_click(hand.name("m"))
    assert canvas.fields.editor.text() == "m"
    hand.type("product")
    hand.type_key(Key.Key_Return)
    assert canvas.fields.editor is None
    assert session.document.nodes["y"].inputs == ("product", "w1")
    assert session.selection == {"product"}
    one_step(before)


def test_f2_renames_and_esc_leaves_everything(canvas, session, hand):
    before = session.document
    hand.click(hand.name("m"))
    hand.key(Key.Key_F2)
    hand.type("product")
    hand.type_key(Key.Key_Escape)
    assert canvas.fields.editor is None
    assert session.document is before
    assert session.selection == {"m"}
    assert canvas.hasFocus()


def test_tab_commits_and_the_next_one_goes_to_the_next_node(canvas, session, hand):
    hand.double_click(hand.value("w0"))
    hand.type("5")
    hand.type_key(Key.Key_Tab)
    assert session.document.nodes["w0"].value == 5.0
    assert session.selection == {"w0"}
    hand.key(Key.Key_Tab)
    assert session.selection == {"x0"}


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("w0", "there is a node w0 already; choose another name, such as w2"),
        ("w*x", "'w*x' has * in it; write w_x"),
        ("2x", "2x begins with a digit"),
        ("a b", "write a_b"),
        ("", "a name is missing"),
        ("if", "if is a Python keyword; choose another name, such as if_"),
    ],
)
def test_a_name_that_cannot_be_is_kept_and_explained(canvas, session, hand, messages, typed, said):
    before = session.document
    canvas.commands.start_rename("m")
    canvas.fields.editor.setText(typed)
    hand.type_key(Key.Key_Return)
    assert session.document is before
    assert canvas.fields.editor.text() == typed
    assert canvas.fields.editor.problem.isVisible()
    assert said in canvas.fields.editor.problem.text()
    assert len(messages) == 1 and said in messages[0]
    canvas.fields.editor.setText("product")
    hand.type_key(Key.Key_Return)
    assert "product" in session.document.nodes


def test_the_problem_goes_when_typing_goes_on(canvas, hand):
    canvas.commands.start_rename("m")
    hand.type("w0")
    hand.type_key(Key.Key_Return)
    assert canvas.fields.editor.problem.isVisible()
    hand.type("2")
    assert not canvas.fields.editor.problem.isVisible()


@pytest.mark.parametrize(
    ("typed", "value"),
    [("7.5", 7.5), ("1e-3", 1e-3), ("−3", -3.0), ("1/4", 0.25), ("[[1, 2], [3, 4]]", [[1, 2], [3, 4]])],
)
def test_a_double_click_on_a_leafs_value_edits_it_in_one_step(canvas, session, hand, one_step, typed, value):
    before = session.document
    hand.double_click(hand.value("w0"))
    assert canvas.fields.editor.text() == "2"
    hand.type(typed)
    hand.type_key(Key.Key_Return)
    assert session.document.nodes["w0"].value == as_value(value)
    one_step(before)


def test_enter_on_a_selected_leaf_edits_its_value(canvas, hand):
    hand.click(hand.name("w1"))
    hand.key(Key.Key_Return)
    assert canvas.fields.editor.accessibleName() == "Set w1"


def test_text_that_is_no_number_is_kept_and_explained(canvas, session, hand, messages):
    before = session.document
    canvas.commands.start_value_edit("w0")
    hand.type("two")
    hand.type_key(Key.Key_Return)
    assert session.document is before
    assert canvas.fields.editor.text() == "two"
    assert "'two' is not a number" in canvas.fields.editor.problem.text()
    assert len(messages) == 1 and "'two' is not a number" in messages[0]
    assert canvas.fields.editor.hasFocus()


def test_the_value_of_an_operation_cannot_be_typed(canvas, session, hand, messages):
    hand.click(hand.name("m"))
    hand.key(Key.Key_Return)
    assert canvas.fields.editor is None
    assert messages == ["m is computed from its operands; set the value of a parameter, input or constant"]


def test_an_array_too_large_to_type_is_not_edited(canvas, session, messages):
    session.edit(lambda document: edits.set_value(document, "w0", as_value([[0.0] * 100] * 20)), "Set")
    canvas.commands.start_value_edit("w0")
    assert canvas.fields.editor is None
    assert len(messages) == 1 and "too large to type" in messages[0]


def test_a_click_elsewhere_commits(canvas, session, hand):
    canvas.commands.start_value_edit("w0")
    hand.type("5")
    hand.click(hand.empty())
    assert canvas.fields.editor is None
    assert session.document.nodes["w0"].value == 5.0


def test_a_click_elsewhere_loses_nothing_that_is_wrong(canvas, session):
    canvas.commands.start_value_edit("w0")
    canvas.fields.editor.setText("fife")
    canvas.setFocus(Qt.FocusReason.MouseFocusReason)
    assert canvas.fields.editor.text() == "fife"
    assert canvas.fields.editor.problem.isVisible()


def test_another_window_coming_to_the_front_does_not_commit(canvas, session):
    before = session.document
    canvas.commands.start_value_edit("w0")
    canvas.fields.editor.setText("5")
    canvas.fields.editor.focusOutEvent(QFocusEvent(QFocusEvent.Type.FocusOut, Qt.FocusReason.ActiveWindowFocusReason))
    assert canvas.fields.editor.text() == "5"
    assert session.document is before


def test_the_field_stays_on_its_card_while_the_view_moves(canvas):
    canvas.commands.start_rename("m")
    before = canvas.fields.editor.pos()
    canvas.set_camera(canvas.camera.panned(30, 20))
    assert canvas.fields.editor.pos() == before + QPoint(30, 20)


def test_a_card_out_of_sight_is_shown_before_it_is_edited(canvas):
    canvas.set_camera(canvas.camera.panned(-3000, 0))
    canvas.commands.start_rename("m")
    assert canvas.rect().contains(canvas.fields.editor.geometry())
    assert canvas.camera.visible(canvas.size()).contains(canvas.places.card("m"))


def test_the_field_is_readable_when_the_graph_is_small(canvas):
    canvas.set_camera(canvas.camera.zoomed_at(QPointF(450, 350), 0.2))
    canvas.commands.start_rename("m")
    assert canvas.fields.editor.font().pixelSize() >= 12
    assert canvas.fields.editor.width() >= 100


def test_a_node_that_vanishes_takes_its_editor_along(canvas, session):
    canvas.commands.start_rename("m")
    session.edit(lambda document: edits.remove(document, ["m"]), "Delete m")
    assert canvas.fields.editor is None


def test_a_view_that_moves_as_the_node_vanishes_does_not_ask_for_its_card(canvas, session):
    """... which was a KeyError: the selection changes, and the panels with it, before the field is closed."""
    canvas.commands.start_value_edit("w0")
    canvas.session.select(["w0"])
    session.selectionChanged.connect(canvas.zoom_in)
    session.edit(lambda now: edits.remove(now, ["w0"]), "Delete w0")
    assert canvas.fields.editor is None


def test_only_one_field_is_open(canvas, session):
    canvas.commands.start_rename("m")
    first = canvas.fields.editor
    canvas.commands.start_value_edit("w0")
    assert canvas.fields.editor is not first
    assert not first.isVisible()


def test_a_field_for_a_node_that_the_field_before_it_renames_was_a_traceback_as_soon_as_the_view_moved(canvas, hand):
    canvas.commands.start_rename("w0")
    hand.type("v")
    canvas.commands.start_value_edit("w0")
    assert "v" in canvas.session.document.nodes and canvas.fields.editor is None
    canvas.zoom_in()


def test_a_screen_reader_was_not_told_how_a_field_on_the_canvas_is_closed(canvas):
    canvas.commands.start_rename("m")
    editor = canvas.fields.editor
    assert editor.accessibleName() and "Esc" in editor.accessibleDescription()
