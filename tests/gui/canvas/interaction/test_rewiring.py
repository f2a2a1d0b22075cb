"""Wires changed with a real hand: cards and operations dropped on them, lines drawn across them, keys."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent

from cadena.core.graph import edits
from cadena.core.graph.document import as_value
from cadena.core.layout.arrange import COLUMN_GAP
from cadena.gui.canvas.interaction.drops import OPERATION_TYPE
from cadena.gui.search.catalogue import operations
from tests.gui.canvas.real_hand import CTRL, Button, Key
from tests.gui.user import settle

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
COPY = Qt.DropAction.CopyAction
LEAF = "k is a leaf (parameter) and takes no operands, so nothing can go through it; put an operation into the wire"


@pytest.fixture
def palette(canvas):
    """Drags an operation from the palette to a pixel of the canvas."""

    class Palette:
        def over(self, op: str, at: QPoint) -> None:
            self.data = QMimeData()
            self.data.setData(OPERATION_TYPE, op.encode())
            canvas.dragEnterEvent(QDragEnterEvent(at, COPY, self.data, LEFT, NONE))
            canvas.dragMoveEvent(QDragMoveEvent(at, COPY, self.data, LEFT, NONE))

        def drop(self, op: str, at: QPoint) -> None:
            self.over(op, at)
            canvas.dropEvent(QDropEvent(QPointF(at), COPY, self.data, LEFT, NONE))

    return Palette()


def wire_middle(hand):
    """Between m and y, where the card of s has room."""
    return hand.wire("m", "y", 0)


def to_wire(hand, name):
    """The way of a card's body that brings its middle to the wire from m to y."""
    middle = hand.at(hand.canvas.places.card(name).center())
    return hand.name(name), hand.name(name) + wire_middle(hand) - middle


def test_a_card_dropped_on_a_wire_comes_into_it_in_one_step(session, hand, one_step):
    before = session.document
    hand.drag(*to_wire(hand, "s"), CTRL)
    assert session.document.nodes["s"].inputs == ("m",)
    assert session.document.nodes["y"].inputs == ("s", "w1")
    assert session.document.layout["s"] != before.layout["s"]
    assert session.history.undo_label == "Insert s into m → y"
    one_step(before)


def test_cards_on_both_sides_of_one_that_came_into_a_wire_make_room(canvas, session, hand):
    hand.drag(*to_wire(hand, "s"), CTRL)
    card = canvas.places.card
    assert card("m").right() + COLUMN_GAP <= card("s").left()
    assert card("s").right() + COLUMN_GAP == card("y").left()
    assert session.document.layout["w1"] == (0.0, 240.0)


def test_healing_closes_the_gap_in_the_same_step(canvas, session, hand, one_step):
    hand.drag(*to_wire(hand, "s"), CTRL)
    before, card = session.document, canvas.places.card
    wide, gaps = card("s").width(), (card("s").left() - card("m").right(), card("y").left() - card("s").right())
    place = card("y").left()
    session.select(["s"])
    canvas.commands.wiring.dissolve()
    assert session.document.nodes["y"].inputs == ("m", "w1") and "s" not in session.document.nodes
    assert canvas.places.card("y").left() == place - wide - min(gaps)
    assert all(session.document.layout[name] == before.layout[name] for name in ("w0", "x0", "w1", "m"))
    one_step(before)


def test_the_wire_is_lit_while_a_drop_would_fit_and_esc_leaves_no_trace(canvas, session, hand):
    before = session.document
    hand.lift(*to_wire(hand, "s"), CTRL)
    assert canvas.decorations.split_wire == (("y", 0), True)
    hand.key(Key.Key_Escape)
    assert canvas.decorations.split_wire is None
    assert session.document is before


def test_a_leaf_dropped_on_a_wire_says_why_it_stays_beside_it(canvas, session, hand, messages):
    session.edit(lambda document: edits.add(document, "parameter", (400, 320), "k"), "Add k")
    start, end = to_wire(hand, "k")
    hand.lift(start, end, CTRL)
    assert canvas.decorations.split_wire == (("y", 0), False)
    hand.release(end, CTRL)
    assert session.document.consumers["k"] == ()
    assert session.history.undo_label == "Move k"
    assert messages == [LEAF]


def test_a_card_with_wires_crosses_others_silently(session, hand, messages):
    before = session.document.nodes
    hand.drag(*to_wire(hand, "w1"), CTRL)
    assert session.document.nodes is before or session.document.nodes == before
    assert not messages


def test_an_operation_of_the_palette_comes_into_the_wire_it_is_dropped_on(canvas, session, hand, palette, one_step):
    before = session.document
    palette.over("tanh", wire_middle(hand))
    assert canvas.decorations.split_wire == (("y", 0), True)
    palette.drop("tanh", wire_middle(hand))
    assert session.document.nodes["y"].inputs == ("tanh1", "w1")
    assert session.selection == {"tanh1"}
    assert canvas.decorations.split_wire is None
    one_step(before)


def test_an_operation_that_leaves_the_canvas_leaves_no_light(canvas, hand, palette):
    palette.over("tanh", wire_middle(hand))
    canvas.dragLeaveEvent(QDragLeaveEvent())
    assert canvas.decorations.split_wire is None and canvas.decorations.ghost is None


@pytest.mark.parametrize(("op", "why"), [("det", "det1 cannot take m"), ("input", "x1 is a leaf (input)")])
def test_an_operation_that_does_not_fit_comes_beside_the_wire_and_says_why(session, hand, palette, messages, op, why):
    before = session.document.nodes["y"]
    palette.drop(op, wire_middle(hand))
    assert session.document.nodes["y"] == before
    assert len(session.document.nodes) == 7
    assert why in messages[0]


def test_a_result_that_does_not_fit_behind_the_wire_is_explained(session, hand, palette, messages):
    def matrices(document):
        for name, shape in (("w0", (2, 3)), ("x0", (2, 3)), ("w1", (3, 2))):
            document = edits.set_value(document, name, as_value(np.ones(shape)))
        return edits.set_operation(document, "y", "matmul")

    session.edit(matrices, "Matrices")
    palette.drop("sum", wire_middle(hand))
    assert session.document.nodes["y"].inputs == ("m", "w1")
    assert messages[0].startswith("y cannot take the result of sum1: ")


def test_a_line_with_ctrl_and_the_right_button_cuts_what_it_crosses(canvas, session, hand, one_step):
    before, camera = session.document, canvas.camera
    between = hand.at(canvas.places.wire("w0", "m", 0).pointAtPercent(0.5))
    start, end = between - QPoint(0, 60), between + QPoint(0, 160)
    hand.lift(start, end, CTRL, Button.RightButton)
    assert set(canvas.decorations.crossed) == {("m", 0), ("m", 1)}
    hand.release(end, CTRL, Button.RightButton)
    assert session.document.nodes["m"].inputs == (None, None)
    assert session.document.nodes["y"].inputs == ("m", "w1")
    assert session.history.undo_label == "Cut through 2 wires"
    assert canvas.camera == camera
    one_step(before)


def test_a_line_that_crosses_no_wire_says_so(session, hand, messages):
    before = session.document
    hand.drag(hand.empty(), hand.empty() + QPoint(30, 30), CTRL, Button.RightButton)
    assert session.document is before
    assert messages == ["the line crosses no wire; draw it across those that are to go"]


def test_esc_leaves_the_wires_that_a_line_has_crossed(canvas, session, hand):
    before, at = session.document, hand.wire("w0", "m", 0)
    hand.lift(at - QPoint(0, 60), at + QPoint(0, 160), CTRL, Button.RightButton)
    hand.key(Key.Key_Escape)
    hand.release(at, CTRL, Button.RightButton)
    assert session.document is before


def test_a_click_with_ctrl_and_the_right_button_opens_the_menu(canvas, qtbot, hand):
    with qtbot.waitSignal(canvas.menuAsked) as asked:
        hand.click(hand.body("m"), CTRL, Button.RightButton)
    assert asked.args[0].node == "m"


def test_ctrl_del_on_a_leaf_does_not_delete_it_as_del_does(session, hand):
    session.select(["w0"])
    hand.key(Key.Key_Delete, CTRL)
    assert "w0" in session.document.nodes


def test_keys_bypass_and_mute_the_selected_nodes_and_carry_them_out_again(user):
    user.session.select(["m1", "w0"])
    user.canvas.setFocus()
    user.do("graph.bypass")
    assert user.session.run.value("L") == -212.0 and user.session.history.undo_label == "Bypass 2 nodes"
    assert user.window.menus.action("graph.bypass").isChecked()
    plain = user.canvas.grab().toImage()
    user.do("graph.mute")
    assert user.session.run.value("L") == -198.0 and not user.window.menus.action("graph.bypass").isChecked()
    assert user.canvas.grab().toImage() != plain
    user.do("graph.mute")
    assert user.session.run.value("L") == -254.0 and not user.session.document.functions
    for _ in range(3):
        user.press("Ctrl+Z")
    assert not user.session.modified


def test_a_node_that_is_off_is_no_call_of_a_function(user):
    user.session.select(["m1"])
    user.canvas.setFocus()
    user.do("graph.mute")
    assert not user.window.menus.action("function.enter").isEnabled()
    assert not user.window.inspector.node.function.isVisible()
    assert [entry.name for entry in operations(user.session.document.functions) if entry.is_function] == []


def test_a_leaf_alone_cannot_be_bypassed(user):
    user.session.select(["w0"])
    user.canvas.setFocus()
    settle()
    assert not user.window.menus.action("graph.bypass").isEnabled()
    assert not user.window.menus.action("graph.mute").isEnabled()
