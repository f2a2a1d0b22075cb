"""The menus of the right button and of the menu key."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import (
    QContextMenuEvent,
)
from PySide6.QtWidgets import QApplication, QMenu

from cadena.gui.canvas.hand.canvas import Canvas
from tests.gui.canvas.real_hand import Button, Hand, Key


def menu_at(canvas: Canvas, hand: Hand, at: QPoint) -> QMenu:
    hand.click(at, button=Button.RightButton)
    menus = [menu for menu in canvas.findChildren(QMenu) if menu.isVisible()]
    assert len(menus) == 1
    return menus[0]


def choose(menu: QMenu, *path: str) -> None:
    """Trigger an entry of a menu by its text."""
    for text in path[:-1]:
        menu = next(action.menu() for action in menu.actions() if action.text() == text)
    action = next(action for action in menu.actions() if action.text() == path[-1])
    assert action.isEnabled()
    action.trigger()
    menu.close()


def entries(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


@pytest.mark.parametrize(
    ("node", "path", "check"),
    [
        ("s", ["Make this the output"], lambda document: document.output == "s"),
        ("w0", ["Kind of leaf", "Constant"], lambda document: document.nodes["w0"].op == "constant"),
        ("x0", ["Wants a gradient"], lambda document: document.nodes["x0"].wants_gradient),
        ("m", ["Disconnect"], lambda document: document.nodes["m"].inputs == (None, None)),
        ("m", ["Duplicate"], lambda document: "m1" in document.nodes),
        ("m", ["Delete"], lambda document: "m" not in document.nodes),
    ],
)
def test_the_menu_of_a_node(canvas, session, hand, one_step, node, path, check):
    before = session.document
    choose(menu_at(canvas, hand, hand.body(node)), *path)
    assert check(session.document)
    one_step(before)


def test_disconnect_takes_away_the_wires_on_both_sides(canvas, session, hand):
    choose(menu_at(canvas, hand, hand.body("m")), "Disconnect")
    assert session.document.nodes["y"].inputs == (None, "w1")


def test_rename_and_edit_value_from_the_menu(canvas, hand):
    choose(menu_at(canvas, hand, hand.body("w0")), "Rename")
    assert canvas.fields.editor.accessibleName() == "Rename w0"
    choose(menu_at(canvas, hand, hand.body("w0")), "Edit value")
    assert canvas.fields.editor.accessibleName() == "Set w0"


def test_change_operation_from_the_menu(canvas, session, hand, one_step):
    before = session.document
    choose(menu_at(canvas, hand, hand.body("m")), "Change operation…")
    hand.type("subtract")
    hand.type_key(Key.Key_Return)
    assert session.document.nodes["m"].op == "subtract"
    assert session.document.nodes["m"].inputs == ("w0", "x0")
    one_step(before)


def test_the_menu_of_a_wire_and_of_the_empty_canvas(canvas, session, hand):
    menu = menu_at(canvas, hand, hand.wire("w1", "y", 1))
    assert entries(menu) == ["Delete wire"]
    choose(menu, "Delete wire")
    assert session.document.nodes["y"].inputs == ("m", None)
    menu = menu_at(canvas, hand, hand.empty())
    assert entries(menu) == ["Add…", "Paste", "Select all", "Zoom to fit", "Arrange"]
    choose(menu, "Add…")
    assert canvas.fields.search is not None


def test_the_menu_key_opens_the_menu_of_the_selected_node(canvas, session):
    session.select(["m"])
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(1, 1), canvas.mapToGlobal(QPoint(1, 1)))
    QApplication.sendEvent(canvas, event)
    menus = [menu for menu in canvas.findChildren(QMenu) if menu.isVisible()]
    assert len(menus) == 1 and "Change operation…" in entries(menus[0])


def test_arrange_places_all_nodes_without_overlap_in_one_step(canvas, session, one_step):
    before = session.document
    canvas.commands.arrange()
    cards = [canvas.places.card(name) for name in session.document.nodes]
    assert not any(a.intersects(b) for a in cards for b in cards if a is not b)
    one_step(before)
