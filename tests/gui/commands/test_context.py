"""The menus of the right button and of the menu key: the commands of the menu bar, as far as they can be used there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from cadena.gui.commands import context
from tests.gui.canvas.real_hand import Button, Hand, small_graph
from tests.gui.user import User, settle


@pytest.fixture
def user(user) -> User:
    """With the small graph, as it is built."""
    user.session.open(small_graph(), None)
    user.session.show_live()
    settle()
    return user


@pytest.fixture
def hand(user) -> Hand:
    return Hand(user.canvas)


def menu_at(user: User, at: QPoint) -> QMenu:
    QTest.mouseClick(user.canvas, Button.RightButton, pos=at)
    return open_menu(user)


def open_menu(user: User) -> QMenu:
    (menu,) = [menu for menu in user.canvas.findChildren(QMenu) if menu.isVisible()]
    return menu


def choose(user: User, menu: QMenu, *path: str) -> None:
    """Click on an entry of a menu, found by its text; those of an inner menu are triggered."""
    top = menu
    for text in path[:-1]:
        menu = next(action.menu() for action in menu.actions() if action.text() == text)
    action = next(action for action in menu.actions() if action.text() == path[-1])
    if menu is top:
        QTest.mouseClick(menu, Button.LeftButton, pos=menu.actionGeometry(action).center())
        assert not menu.isVisible()
    else:
        top.close()
        action.trigger()
    back(user)


def back(user: User) -> None:
    """The window is active again after a menu."""
    user.window.activateWindow()
    assert QTest.qWaitForWindowActive(user.window)
    settle()


def texts(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def offered_on(user: User, at: QPoint) -> list[str]:
    menu = menu_at(user, at)
    menu.close()
    return texts(menu)


def all_actions(menu: QMenu) -> list[QAction]:
    inner = [action for action in menu.actions() if not action.isSeparator()]
    return [one for action in inner for one in (all_actions(action.menu()) if action.menu() else [action])]


@pytest.mark.some(2)
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
def test_the_menu_of_a_node(user, hand, node, path, check):
    before = user.session.document
    choose(user, menu_at(user, hand.body(node)), *path)
    assert check(user.session.document)
    user.session.undo()
    assert user.session.document == before


def test_disconnect_takes_away_the_wires_on_both_sides(user, hand):
    choose(user, menu_at(user, hand.body("m")), "Disconnect")
    assert user.session.document.nodes["y"].inputs == (None, "w1")


def test_rename_and_edit_value_from_the_menu(user, hand):
    choose(user, menu_at(user, hand.body("w0")), "Rename…")
    assert user.canvas.fields.editor.accessibleName() == "Rename w0"
    choose(user, menu_at(user, hand.body("w0")), "Edit value…")
    assert user.canvas.fields.editor.accessibleName() == "Set w0"
    user.press("Esc")


def test_change_operation_from_the_menu(user, hand):
    choose(user, menu_at(user, hand.body("m")), "Change operation…")
    user.type("subtract")
    assert user.session.document.nodes["m"].op == "subtract"
    assert user.session.document.nodes["m"].inputs == ("w0", "x0")


def test_a_node_named_by_default_follows_its_operation_and_stays_selected(user, hand):
    user.rename("m", "multiply1")
    choose(user, menu_at(user, hand.body("multiply1")), "Change operation…")
    user.type("subtract")
    assert user.session.document.nodes["subtract1"].inputs == ("w0", "x0")
    assert user.session.selection == {"subtract1"} and "subtract1" in user.session.document.nodes["y"].inputs
    user.press("Ctrl+Z")
    assert user.session.document.nodes["multiply1"].op == "multiply"


def test_an_operation_of_fewer_operands_dropped_a_wire_without_a_word(user, hand):
    said = []
    user.session.message.connect(said.append)
    choose(user, menu_at(user, hand.body("m")), "Change operation…")
    user.type("exp")
    assert user.session.document.nodes["m"].inputs == ("w0",)
    assert said == ["exp takes 1 operand: x0 no longer feeds m"]


def test_the_menu_of_a_wire_and_of_the_empty_canvas(user, hand):
    menu = menu_at(user, hand.wire("w1", "y", 1))
    assert texts(menu) == ["Add a reroute point", "Delete wire"]
    choose(user, menu, "Delete wire")
    assert user.session.document.nodes["y"].inputs == ("m", None)
    menu = menu_at(user, hand.empty())
    assert texts(menu) == ["Add…", "Note…", "Paste", "Select all", "Zoom to fit", "Arrange"]
    menu.close()


def test_what_is_added_from_the_menu_comes_to_where_it_was_opened(user, hand):
    at = hand.empty() + QPoint(0, 60)
    choose(user, menu_at(user, at), "Add…")
    user.type("cos")
    assert user.canvas.hit(at.toPointF()).card == "cos1"


def test_the_menu_key_opens_the_menu_of_the_selected_node(user):
    user.session.select(["m"])
    at = QPoint(1, 1)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, at, user.canvas.mapToGlobal(at))
    QApplication.sendEvent(user.canvas, event)
    menu = open_menu(user)
    assert "Change operation…" in texts(menu)
    menu.close()


# --- they are views of the records


@pytest.mark.parametrize("place", ["node", "leaf", "wire", "empty"])
def test_menus_of_the_canvas_had_texts_of_their_own_and_no_keys(user, hand, place):
    places = {"node": hand.body("m"), "leaf": hand.body("x0"), "wire": hand.wire("w1", "y", 1), "empty": hand.empty()}
    menu, commands = menu_at(user, places[place]), user.window.menus.commands
    records = {user.window.menus.action(command.id): command for command in commands}
    for action in all_actions(menu):
        assert action.text().replace("&&", "&") == records[action].shown_text
        assert action.toolTip() == records[action].tip and action.isEnabled() and records[action].enabled()
        assert len(action.shortcuts()) == len(records[action].keys)
    assert menu.toolTipsVisible()
    menu.close()


def test_every_entry_of_these_menus_is_a_command_or_a_menu_of_commands(user):
    for groups in (context.ON_A_NODE, context.ON_A_WIRE, context.ON_THE_CANVAS):
        for entry in (entry for group in groups for entry in group):
            assert entry in user.window.menus.by_id or user.window.menus.menu(entry).actions(), entry


def test_what_cannot_be_done_is_not_offered(user, hand):
    leaf, output = (offered_on(user, hand.body(name)) for name in ("w1", "y"))
    assert {"Edit value…", "Kind of leaf"} <= set(leaf) and "Change operation…" not in leaf
    assert "Make this the output" in leaf and "Make this the output" not in output
    assert "Change operation…" in output and not {"Edit value…", "Enter", "Take apart"} & set(output)


def test_the_edit_menu_did_not_offer_to_delete_the_selected_wire(user, hand):
    delete = user.window.menus.action("edit.delete")
    user.click(hand.wire("w1", "y", 1))
    user.window.menus.menu("Edit").aboutToShow.emit()
    assert delete.isEnabled() and delete.text() == "Delete wire"
    user.click(hand.body("m"))
    user.window.menus.menu("Edit").aboutToShow.emit()
    assert delete.text() == "Delete"


# --- what the menu was opened on


def test_on_one_of_several_selected_nodes_one_is_renamed_and_all_are_deleted(user, hand):
    user.session.select(["m", "s"])
    choose(user, menu_at(user, hand.body("m")), "Make this the output")
    assert user.session.document.output == "m" and user.session.selection == {"m", "s"}
    choose(user, menu_at(user, hand.body("m")), "Delete")
    assert not {"m", "s"} & user.session.document.nodes.keys()


def test_after_the_menu_keys_are_for_what_is_selected(user, hand):
    menu_at(user, hand.body("m")).close()
    back(user)
    user.session.select(["s"])
    user.press("O")
    assert user.session.document.output == "s"
