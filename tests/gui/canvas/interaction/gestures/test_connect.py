"""Drawing wires and taking them off their ends: one undo step each, refusals explained, Esc leaves no trace."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QToolTip

from cadena.core.graph import edits
from cadena.core.graph.document import as_value
from cadena.gui.canvas.interaction.gestures import Connect
from tests.gui.canvas.real_hand import Key, Modifier

NONE = Modifier.NoModifier


def test_a_wire_from_an_output_to_an_input_is_one_step(session, hand, one_step):
    before = session.document
    hand.drag(hand.output("m"), hand.input("s"))
    assert session.document.nodes["s"].inputs == ("m",)
    one_step(before)


def test_a_wire_from_an_input_to_an_output_is_the_same(session, hand, one_step):
    before = session.document
    hand.drag(hand.input("s"), hand.output("m"))
    assert session.document.nodes["s"].inputs == ("m",)
    one_step(before)


def test_while_connecting_the_fitting_ports_are_lit(canvas, hand):
    hand.lift(hand.output("m"), hand.at(QPointF(350, 40)))
    assert isinstance(canvas.gesture, Connect)
    assert set(canvas.decorations.lit_ports) == {("y", 0), ("y", 1), ("s", 0)}
    start, end, accepted = canvas.decorations.loose_wire
    assert (start, end, accepted) == (canvas.places.output_port("m"), QPointF(350, 40), False)


def test_a_wire_snaps_to_a_lit_port_within_reach(canvas, session, hand):
    near = hand.input("s") + QPoint(-14, 12)
    hand.lift(hand.output("m"), near)
    assert canvas.decorations.snap == ("s", 0)
    assert canvas.decorations.loose_wire == (canvas.places.output_port("m"), canvas.places.input_port("s", 0), True)
    hand.release(near)
    assert session.document.nodes["s"].inputs == ("m",)


def test_a_wire_dropped_on_a_card_takes_its_first_open_slot(session, hand):
    session.edit(lambda document: edits.disconnect(document, "y", 1), "Disconnect")
    hand.drag(hand.output("w0"), hand.body("y"))
    assert session.document.nodes["y"].inputs == ("m", "w0")


def test_a_wire_dropped_on_a_card_without_open_slots_takes_the_nearest(session, hand):
    hand.drag(hand.output("x0"), hand.at(QPointF(440, 225)))
    assert session.document.nodes["y"].inputs == ("m", "x0")


def test_a_wire_from_an_input_dropped_on_a_card_takes_its_output(session, hand):
    hand.drag(hand.input("s"), hand.body("w1"))
    assert session.document.nodes["s"].inputs == ("w1",)


@pytest.mark.parametrize("end", ["port", "card"])
def test_a_cycle_is_refused_with_its_path(session, hand, messages, end):
    before = session.document
    hand.drag(hand.output("y"), hand.input("m") if end == "port" else hand.body("m"))
    assert session.document is before
    assert messages == ["y cannot feed m: that would close the cycle y → m → y; remove a wire first"]
    assert QToolTip.text() == f"⚠ {messages[0]}"  # at the pointer, too
    assert session.history.undo_label is None


def test_a_wire_dropped_on_a_leaf_says_that_it_takes_none(session, hand, messages):
    hand.drag(hand.output("m"), hand.body("w1"))
    assert messages == ["w1 is a leaf (parameter) and takes no operands; drop the wire on an operation"]


def test_ports_whose_shapes_do_not_fit_are_not_lit(canvas, session, hand):
    session.edit(lambda document: edits.set_value(document, "w0", as_value([1.0, 2.0])), "Set")
    session.edit(lambda document: edits.set_value(document, "w1", as_value([1.0, 2.0, 3.0])), "Set")
    hand.lift(hand.output("w1"), hand.at(QPointF(350, 40)))
    assert ("m", 0) in canvas.decorations.lit_ports  # in the place of w0: 3 with a number
    assert ("m", 1) not in canvas.decorations.lit_ports  # 2 with 3
    assert ("s", 0) in canvas.decorations.lit_ports


def test_the_pointer_says_where_a_wire_cannot_go(canvas, hand):
    hand.lift(hand.output("y"), hand.body("m"))
    assert canvas.cursor().shape() == Qt.CursorShape.ForbiddenCursor
    hand.move(hand.input("s"))
    assert canvas.cursor().shape() == Qt.CursorShape.CrossCursor


def test_esc_while_connecting_leaves_no_trace(canvas, session, hand):
    before = session.document
    hand.lift(hand.output("m"), hand.input("s"))
    hand.key(Key.Key_Escape)
    hand.release(hand.input("s"))
    assert session.document is before
    assert canvas.decorations.lit_ports is None


def test_a_wire_dropped_on_nothing_asks_for_a_node_and_connects_it(canvas, session, hand, one_step):
    before = session.document
    hand.drag(hand.output("m"), hand.at(QPointF(400, 400)))
    assert canvas.fields.search is not None
    assert canvas.decorations.loose_wire[1] == QPointF(400, 400)
    hand.type("cos")
    hand.type_key(Key.Key_Return)
    assert session.document.nodes["cos1"].inputs == ("m",)
    assert session.selection == {"cos1"}
    assert (canvas.places.input_port("cos1", 0) - QPointF(400, 400)).manhattanLength() <= 8.0
    one_step(before)


def test_an_operand_dropped_on_nothing_asks_for_the_node_that_feeds_it(canvas, session, hand, one_step):
    before = session.document
    hand.drag(hand.input("s"), hand.at(QPointF(300, 400)))
    hand.type("para")
    hand.type_key(Key.Key_Return)
    assert session.document.nodes["s"].inputs == ("w2",)
    one_step(before)


def test_esc_in_the_search_lets_the_wire_go(canvas, session, hand):
    before = session.document
    hand.drag(hand.output("m"), hand.at(QPointF(400, 400)))
    hand.type_key(Key.Key_Escape)
    assert canvas.fields.search is None
    assert canvas.decorations.loose_wire is None
    assert session.document is before


def test_a_wire_taken_off_its_end_can_be_put_elsewhere_in_one_step(canvas, session, hand, one_step):
    before = session.document
    hand.lift(hand.input("y", 1), hand.at(QPointF(380, 60)))
    assert canvas.decorations.lifted_wire == ("y", 1)
    assert canvas.decorations.loose_wire[0] == canvas.places.output_port("w1")
    hand.move(hand.input("s"))
    hand.release(hand.input("s"))
    assert session.document.nodes["y"].inputs == ("m", None)
    assert session.document.nodes["s"].inputs == ("w1",)
    one_step(before)


def test_a_wire_taken_off_its_end_and_dropped_on_nothing_is_deleted(session, hand, one_step):
    before = session.document
    hand.drag(hand.input("y", 1), hand.at(QPointF(380, 400)))
    assert session.document.nodes["y"].inputs == ("m", None)
    one_step(before)


def test_a_wire_put_back_where_it_was_changes_nothing(session, hand):
    before = session.document
    hand.lift(hand.input("y", 1), hand.at(QPointF(380, 400)))
    hand.move(hand.input("y", 1))
    hand.release(hand.input("y", 1))
    assert session.document is before


def test_a_wire_moved_into_a_cycle_is_refused_and_stays(session, hand, messages):
    hand.drag(hand.output("y"), hand.input("s"))
    before = session.document
    hand.drag(hand.input("s"), hand.input("m", 0))
    assert session.document is before
    assert len(messages) == 1 and "cycle" in messages[0]
