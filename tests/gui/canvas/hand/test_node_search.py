"""The search field on the canvas: what words find, and how it is worked with keys and mouse."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from cadena.core.graph.document import as_value
from cadena.gui.canvas.hand.node_search import choices, matching
from tests.gui.canvas.real_hand import Key


@pytest.mark.parametrize(
    ("query", "op"),
    [
        ("sin", "sin"),
        ("mul", "multiply"),
        ("times", "multiply"),
        ("×", "multiply"),
        ("+", "add"),
        ("sum", "sum"),
        ("MATMUL", "matmul"),
        ("para", "parameter"),
        ("data", "input"),
        (" relu ", "relu"),
    ],
)
def test_an_operation_is_found_by_name_symbol_and_words(query, op):
    assert matching(query, choices())[0].op == op


def test_an_empty_query_offers_everything_and_nonsense_nothing():
    assert [item.op for item in matching("", choices())[:4]] == ["parameter", "input", "constant", "add"]
    assert len(matching("", choices())) == len(choices())
    assert matching("qqqq", choices()) == []


def test_a_number_means_a_leaf_of_that_value():
    found = matching("2.5", choices())
    assert [(item.op, item.value) for item in found] == [("constant", 2.5), ("input", 2.5), ("parameter", 2.5)]
    assert matching("[1, 2]", choices())[0].value == as_value([1, 2])
    assert matching("2.5", choices(leaves=False)) == []


def test_where_only_operations_are_asked_for_no_leaf_is_offered():
    assert not any(item.op in ("parameter", "input", "constant") for item in choices(leaves=False))


@pytest.fixture
def search(canvas):
    canvas.commands.ask_for_node(QPointF(300, 300))
    return canvas.fields.search


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
