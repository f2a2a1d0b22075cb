"""An edit is named alike by Undo, whichever way it was made."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QMenu

from cadena.gui.session import graph_edits
from tests.gui.user import User, calm, settle
from tests.waiting import until

GUI = Path(graph_edits.__file__).parents[1]
Way = Callable[[User], object]


def from_menu(node: str, *path: str) -> Way:
    """The way by the menu of a card."""

    def go(user: User) -> None:
        QTest.mouseClick(user.canvas, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, user.name_of(node))
        (menu,) = [menu for menu in user.canvas.findChildren(QMenu) if menu.isVisible()]
        inner = menu
        for text in path[:-1]:
            inner = next(action.menu() for action in inner.actions() if action.text() == text)
        next(action for action in inner.actions() if action.text() == path[-1]).trigger()
        menu.close()
        settle()

    return go


def from_wire_menu(user: User) -> None:
    at = user.canvas.camera.to_view(user.canvas.places.wire("m1", "b1", 0).pointAtPercent(0.5)).toPoint()
    QTest.mouseClick(user.canvas, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, at)
    (menu,) = [menu for menu in user.canvas.findChildren(QMenu) if menu.isVisible()]
    next(action for action in menu.actions() if action.text().startswith("Delete")).trigger()
    menu.close()
    settle()


def by_key(node: str, key: str) -> Way:
    def go(user: User) -> None:
        user.click(user.name_of(node))
        user.press(key)

    return go


def by_command(node: str, command: str) -> Way:
    def go(user: User) -> None:
        user.click(user.name_of(node))
        user.do(command)

    return go


def by_search(node: str, text: str) -> Way:
    def go(user: User) -> None:
        user.session.select([node])
        user.press("Ctrl+K")
        user.type(text)

    return go


def in_inspector(node: str, press: Callable[[User], object]) -> Way:
    def go(user: User) -> None:
        user.click(user.name_of(node))
        field = user.window.inspector.node.field
        until(lambda: field.text() == node, "the inspector follows edits a little later", settle)
        calm(user.window.inspector)
        press(user)
        settle()

    return go


def chosen(box: QComboBox, text: str) -> None:
    """What a choice by the mouse in the opened list does."""
    box.showPopup()
    box.setCurrentText(text)
    box.activated.emit(box.currentIndex())
    box.textActivated.emit(text)
    box.hidePopup()
    settle()


def in_graph_page(user: User, box: str, text: str) -> None:
    user.session.select([])
    settle()
    chosen(getattr(user.window.inspector.graph, box), text)


def typed_in_inspector(user: User) -> None:
    field = user.window.inspector.node.field
    until(lambda: field.text() == "w0", "the inspector follows edits a little later", settle)
    field.setFocus()
    field.selectAll()
    user.type("w9")


def typed_on_card(user: User) -> None:
    user.rename("w0", "w9")


def shape_in_inspector(user: User) -> None:
    field = user.window.inspector.node.value._shape_field
    field.setFocus()
    field.selectAll()
    user.type("3")


def pulled_off(user: User) -> None:
    """The wire taken up at its end and let go over the empty canvas."""
    user.drag(user.input_port("b1", 0), QPoint(8, 8))


def deleted_wire(user: User) -> None:
    user.canvas.selected_wire = ("b1", 0)
    user.press("Del")


WAYS: dict[str, list[Way]] = {
    "Make b1 the output": [
        by_key("b1", "O"),
        by_search("b1", "Make this the output"),
        from_menu("b1", "Make this the output"),
        in_inspector("b1", lambda user: QTest.mouseClick(user.window.inspector.node.output, Qt.MouseButton.LeftButton)),
        lambda user: in_graph_page(user, "output", "b1"),
    ],
    "Choose no output": [
        lambda user: in_graph_page(user, "output", "none"),
    ],
    "Run in float32": [
        lambda user: user.window.header.numbers.chosen.emit("float32"),
    ],
    "Make w0 an input": [
        by_command("w0", "graph.kind-input"),
        by_search("w0", "Kind of leaf: Input"),
        from_menu("w0", "Kind of leaf", "Input"),
        in_inspector("w0", lambda user: user.window.inspector.node.kind.buttons["input"].click()),
    ],
    "Make w0 a constant": [
        by_command("w0", "graph.kind-constant"),
        by_search("w0", "Kind of leaf: Constant"),
        from_menu("w0", "Kind of leaf", "Constant"),
        in_inspector("w0", lambda user: user.window.inspector.node.kind.buttons["constant"].click()),
    ],
    "Want the gradient of a1": [
        by_key("a1", "G"),
        by_search("a1", "Wants a gradient"),
        from_menu("a1", "Wants a gradient"),
        in_inspector("a1", lambda user: user.window.inspector.node.wanted.click()),
    ],
    "Disconnect b1": [
        by_command("b1", "graph.disconnect"),
        by_search("b1", "Disconnect"),
        from_menu("b1", "Disconnect"),
    ],
    "Delete b1": [by_key("b1", "Del"), by_search("b1", "Delete"), from_menu("b1", "Delete")],
    "Delete wire m1 → b1": [pulled_off, deleted_wire, from_wire_menu],
    "Rename w0": [typed_on_card, in_inspector("w0", typed_in_inspector)],
    "Set w0": [lambda user: user.set_value("w0", "5"), in_inspector("w0", shape_in_inspector)],
}


@pytest.mark.some(3)
@pytest.mark.parametrize("text", WAYS)
def test_undo_named_an_edit_differently_from_menu_key_and_inspector(user, text):
    told = set()
    for way in WAYS[text]:
        user.window.activateWindow()  # a menu or a list that was closed may not have given it back yet
        assert QTest.qWaitForWindowActive(user.window)
        user.canvas.setFocus()
        before = user.session.document
        way(user)
        assert user.session.document != before, text
        told.add(user.session.history.undo_label)
        user.press("Esc")
        user.session.undo()
        settle()
    assert told == {text}


def test_an_input_was_called_a_input():
    assert graph_edits.change_operation("x", "input").text == "Make x an input"
    assert graph_edits.change_operation("x", "parameter").text == "Make x a parameter"


def test_a_function_of_one_node_was_one_of_1_nodes():
    assert graph_edits.named(["s"]) == "s" and graph_edits.named(["s", "t"]) == "2 nodes"


# The functions of core.edits that have a text of their own in graph_edits.
ONE_PLACE = r"(?<!graph_)edits\.(set_output|set_dtype|set_operation|set_wants_gradient|rename|isolate|set_value)\("


def test_edits_with_several_ways_are_made_in_one_place():
    """Each had its text in up to five files, where the texts went apart."""
    sources = [path for path in GUI.rglob("*.py") if path.name != "graph_edits.py"]
    assert [path.name for path in sources if re.search(ONE_PLACE, path.read_text("utf-8"))] == []


def undo_texts(path: Path) -> Iterator[str]:
    """The texts in "Undo ..." that a file writes, with {} for what is put in."""
    for function in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(function, ast.FunctionDef):
            calls = [node for node in ast.walk(function) if isinstance(node, ast.Call) and len(node.args) > 1]
            texts = [call.args[1] for call in calls if ast.unparse(call.func).rpartition(".")[2] in ("edit", "Edit")]
            names = {text.id for text in texts if isinstance(text, ast.Name)}
            assigned = [node for node in ast.walk(function) if isinstance(node, ast.Assign)]
            texts += [node.value for node in assigned if ast.unparse(node.targets[0]) in names]
            found = {template(text) for text in texts if isinstance(text, ast.Constant | ast.JoinedStr)}
            yield from found


def template(text: ast.Constant | ast.JoinedStr) -> str:
    parts = text.values if isinstance(text, ast.JoinedStr) else [text]
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)


def test_the_text_of_an_edit_stands_in_one_place():
    """ "Move 3 nodes" was written for the mouse and for the keys."""
    told = Counter(text for path in GUI.rglob("*.py") for text in undo_texts(path))
    assert told["Move {}"] == told["Sum up {}"] == 1  # the reader sees literals, and names for them
    assert [text for text, count in told.items() if count > 1] == []
