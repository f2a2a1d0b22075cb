"""The search field on the canvas: what words find, and how it is worked with keys and mouse."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from cadena.core.graph.edits import rename
from cadena.core.layout.arrange import arrange
from cadena.gui.canvas.interaction.node_search import LISTED
from tests.core.graphs import wide
from tests.gui.canvas.real_hand import Key


@pytest.fixture
def search(canvas):
    canvas.commands.ask_for_node(QPointF(300, 300))
    return canvas.fields.search


def rows(search) -> list[str]:
    return [search.list.item(row).text() for row in range(search.list.count())]


def test_an_empty_field_lists_leaves_and_operations_by_sign_and_title(search):
    leaves = ["parameter: its gradient is wanted", "input: data", "constant: a fixed number"]
    assert rows(search)[:4] == [*leaves, "+   addition"]


def test_a_number_means_a_leaf_of_that_value(search, hand):
    hand.type("[1, 2]")
    assert rows(search)[:3] == ["constant [1, 2]", "input [1, 2]", "parameter [1, 2]"]


def test_where_only_operations_are_asked_for_no_leaf_is_offered(canvas, hand):
    canvas.commands.ask_for_operation(QPointF(300, 300), "L")
    hand.type("2")
    assert not any(row.startswith(("parameter", "constant", "input")) for row in rows(canvas.fields.search))


def test_change_operation_lists_each_name_once_with_its_number_of_operands(canvas):
    canvas.commands.ask_for_operation(QPointF(300, 300), "L")
    listed = rows(canvas.fields.search)
    assert {"+   addition: 2 operands", "sin   sine: 1 operand", "softplus: 1 operand"} <= set(listed)
    assert {"where   choice by a condition: 3 operands", "stack: any number of operands"} <= set(listed)
    assert len(set(listed)) == len(listed)


def test_a_search_that_finds_nothing_said_nothing(search, hand):
    hand.type("qqqq")
    assert search.remark.isVisible() and search.remark.whole == "Nothing matches “qqqq”; try another name or word."
    hand.type_key(Key.Key_Backspace)
    search.field.setText("sin")
    assert not search.remark.isVisible() and rows(search)[0] == "sin   sine"


def test_the_arrow_keys_choose(canvas, session, search, hand):
    hand.type_key(Key.Key_Down)
    hand.type_key(Key.Key_Down)
    hand.type_key(Key.Key_Up)
    hand.type_key(Key.Key_Return)
    assert session.document.nodes["x1"].op == "input"


def test_a_number_typed_becomes_a_constant(canvas, session, search, hand, one_step):
    before = session.document
    hand.type("15")
    hand.type_key(Key.Key_Return)
    assert session.document.nodes["k0"].value == 15.0
    one_step(before)


def test_a_click_in_the_list_chooses(canvas, session, search, hand):
    hand.type("co")
    row = search.list.visualItemRect(search.list.item(0)).center()
    QTest.mouseClick(search.list.viewport(), Qt.MouseButton.LeftButton, pos=row)
    assert len(session.document.nodes) == 7
    assert canvas.fields.search is None


def test_enter_on_nothing_found_keeps_the_search_open(canvas, session, search, hand):
    before = session.document
    hand.type("qqqq")
    hand.type_key(Key.Key_Return)
    assert canvas.fields.search is search
    assert session.document is before


def test_esc_and_a_click_elsewhere_close_it(canvas, session, search, hand):
    before = session.document
    hand.type_key(Key.Key_Escape)
    assert canvas.fields.search is None
    assert canvas.hasFocus()
    canvas.commands.ask_for_node(QPointF(300, 300))
    canvas.setFocus(Qt.FocusReason.MouseFocusReason)
    assert canvas.fields.search is None
    assert session.document is before


def test_it_stays_inside_the_canvas(canvas):
    canvas.commands.ask_for_node(QPointF(canvas.width() - 5, canvas.height() - 5))
    assert canvas.rect().contains(canvas.fields.search.geometry())


def test_an_expression_is_told_and_enter_adds_it_in_one_step(canvas, session, search, hand, one_step):
    before = session.document
    hand.type("y_hat = sigmoid(w0*v)")
    assert rows(search)[0] == "y_hat = sigmoid(w0*v)"
    assert search.remark.whole == "Adds multiply, sigmoid; new parameter v."
    hand.type_key(Key.Key_Return)
    new = set(session.document.nodes) - set(before.nodes)
    assert new == {"y_hat", "multiply1", "v"} and session.selection == {"y_hat"}
    assert new <= session.document.layout.keys() and session.document.output == before.output
    assert session.history.undo_label == "Write y_hat = sigmoid(w0*v)"
    one_step(before)


def test_a_mistake_in_an_expression_is_told_and_enter_does_nothing(canvas, session, search, hand):
    before = session.document
    hand.type("sigmiod(w0)")
    assert search.remark.whole == "There is no operation sigmiod; did you mean sigmoid?" and rows(search) == []
    hand.type_key(Key.Key_Return)
    assert session.document is before and canvas.fields.search is search


def test_where_a_wire_waits_for_a_node_no_expression_is_read(canvas, hand):
    canvas.commands.ask_for_node(QPointF(300, 300), ("w0", None))
    hand.type("sin(w0)")
    assert not any(row == "sin(w0)" for row in rows(canvas.fields.search))


def test_a_press_on_the_list_closed_the_field_before_the_release_could_choose(session, search):
    view, place = search.list.viewport(), search.list.viewport().rect().center()
    op = search.list.itemAt(place).data(Qt.ItemDataRole.UserRole).name
    before = set(session.document.nodes)
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=place)
    assert search.isVisible() and search.field.hasFocus()
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=place)
    assert [session.document.nodes[name].op for name in set(session.document.nodes) - before] == [op]


def test_the_operands_that_fit_were_cut_off_although_there_was_room_for_them(canvas, session):
    session.edit(lambda document: rename(document, "x0", "first_input"), "Rename x0")
    session.select({"w0"})
    canvas.commands.ask_to_connect()
    shown = canvas.fields.search
    assert shown.list.count() and shown.width() <= canvas.width()
    assert shown.list.viewport().width() >= shown.list.sizeHintForColumn(0)


def test_a_search_among_ten_thousand_ports_took_a_second_to_open(canvas, session, qapp):
    """It listed them all, and Qt measured each line."""
    session.open(arrange(wide(600, leaves=60)), None)
    session.select([next(name for name, node in session.document.nodes.items() if node.is_leaf)])
    canvas.commands.ask_to_connect()
    shown = canvas.fields.search
    many = len(shown.matches(""))
    assert shown.list.count() == LISTED < many and shown.remark.isVisible()
    assert shown.remark.text() == f"{many - LISTED:,} more: type a part of a name."
    canvas.resize(canvas.width(), 200)
    canvas.commands.ask_to_connect()
    shown = canvas.fields.search
    remark = shown.remark.geometry()
    assert not (shown.list.height() - 4) % shown.list.sizeHintForRow(0)  # whole rows
    assert shown.height() <= 200 and remark.bottom() < shown.height()
    assert remark.height() >= shown.remark.heightForWidth(remark.width())  # its last line was cut on a small canvas
    shown.field.setText("n59")
    assert 0 < shown.list.count() < LISTED and not shown.remark.isVisible()
