"""Mouse gestures on a real canvas: what each does, that it is one undo step, and that Esc leaves no trace."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QToolTip

from core import edits
from core.document import as_value
from gui.canvas.gestures import Connect, Move, Pan, RubberBand, Scrub
from gui.canvas.gestures.scrub import rounded, scrub_digit
from tests.gui.canvas.hand import CTRL, SHIFT, Button, Key, Modifier

NONE = Modifier.NoModifier


# --- moving


def test_dragging_a_card_moves_it_on_the_grid_in_one_step(session, hand, one_step):
    before = session.document
    hand.drag(hand.name("s"), hand.name("s") + QPoint(43, -21))
    assert session.document.layout["s"] == (440.0, -24.0)
    assert session.history.undo_label == "Move s"
    one_step(before)


def test_ctrl_moves_a_card_off_the_grid(session, hand):
    hand.drag(hand.body("s"), hand.body("s") + QPoint(43, -21), CTRL)
    assert session.document.layout["s"] == (443.0, -21.0)


def test_all_selected_cards_move_together_in_one_step(session, hand, one_step):
    session.select(["w0", "x0"])
    before = session.document
    hand.drag(hand.name("w0"), hand.name("w0") + QPoint(16, 32))
    assert session.document.layout["w0"] == (16.0, 32.0)
    assert session.document.layout["x0"] == (16.0, 152.0)
    assert session.selection == {"w0", "x0"}
    one_step(before)


def test_a_card_is_shown_where_it_is_dragged_before_it_is_dropped(canvas, session, hand):
    hand.lift(hand.name("s"), hand.name("s") + QPoint(40, 40))
    assert isinstance(canvas.gesture, Move)
    assert canvas.scene.document.layout["s"] == (440.0, 40.0)
    assert session.document.layout["s"] == (400.0, 0.0)
    assert canvas.places.card("s").topLeft() == QPointF(440.0, 40.0)


def test_a_card_in_line_with_another_shows_the_line(canvas, hand):
    hand.lift(hand.name("s"), hand.name("s") + QPoint(0, 40))
    assert any(line.x1() == line.x2() == 400.0 for line in canvas.decorations.guides)


def test_esc_during_a_move_leaves_no_trace(canvas, session, hand):
    session.select(["w0"])
    before, past = session.document, list(session.history.past)
    hand.lift(hand.name("s"), hand.name("s") + QPoint(40, 40))
    hand.key(Key.Key_Escape)
    hand.release(hand.name("s"))
    assert canvas.gesture is None
    assert session.document is before
    assert session.history.past == past
    assert session.selection == {"w0"}


def test_a_trembling_click_moves_nothing_and_selects(session, hand):
    before = session.document
    hand.drag(hand.name("s"), hand.name("s") + QPoint(1, 2))
    assert session.document is before
    assert session.selection == {"s"}


def test_a_card_dragged_there_and_back_makes_no_undo_step(session, hand):
    start = hand.name("s")
    hand.lift(start, start + QPoint(60, 60))
    hand.release(start)
    assert session.history.undo_label is None


def test_an_undo_during_a_drag_ends_the_drag(canvas, session, hand):
    session.edit(lambda document: edits.rename(document, "w1", "bias"), "Rename")
    hand.lift(hand.name("s"), hand.name("s") + QPoint(40, 40))
    session.undo()
    assert canvas.gesture is None
    hand.release(hand.name("s") + QPoint(40, 40))
    assert session.document.layout["s"] == (400.0, 0.0)


# --- selecting


def test_a_click_selects_one_ctrl_toggles_shift_adds(session, hand):
    hand.click(hand.name("w0"))
    assert session.selection == {"w0"}
    hand.click(hand.body("m"), SHIFT)
    assert session.selection == {"w0", "m"}
    hand.click(hand.body("w0"), CTRL)
    assert session.selection == {"m"}
    hand.click(hand.value("w1"))
    assert session.selection == {"w1"}
    hand.click(hand.empty())
    assert session.selection == frozenset()


def test_a_click_on_one_of_several_selected_selects_it_alone(session, hand):
    session.select(["w0", "m"])
    hand.click(hand.name("m"))
    assert session.selection == {"m"}


def test_a_rubber_band_selects_what_it_touches(canvas, session, hand):
    hand.lift(hand.at(QPointF(-40, -40)), hand.at(QPointF(30, 140)))
    assert isinstance(canvas.gesture, RubberBand)
    assert canvas.decorations.rubber_band.topLeft() == QPointF(-40, -40)
    assert session.selection == {"w0", "x0"}
    hand.release(hand.at(QPointF(30, 140)))
    assert session.selection == {"w0", "x0"}
    assert session.history.undo_label is None


def test_a_rubber_band_with_shift_adds_to_the_selection(session, hand):
    session.select(["y"])
    hand.drag(hand.at(QPointF(-40, -40)), hand.at(QPointF(30, 10)), SHIFT)
    assert session.selection == {"w0", "y"}


def test_esc_during_a_rubber_band_restores_the_selection(canvas, session, hand):
    session.select(["y"])
    hand.lift(hand.at(QPointF(-40, -40)), hand.at(QPointF(30, 10)))
    hand.key(Key.Key_Escape)
    assert session.selection == {"y"}
    assert canvas.decorations.rubber_band is None


# --- connecting


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
    assert canvas.search is not None
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
    assert canvas.search is None
    assert canvas.decorations.loose_wire is None
    assert session.document is before


# --- reconnecting


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


# --- scrubbing


def test_dragging_on_a_leafs_number_changes_it_live_in_one_step(canvas, session, hand, one_step):
    before, runs = session.document, []
    session.runChanged.connect(lambda: runs.append(float(session.run.value("y"))))
    start = hand.value("w0")
    hand.press(start)
    assert isinstance(canvas.gesture, Scrub)
    for x in (10, 20, 40):
        hand.move(start + QPoint(x, 0))
        session.run_now()
    hand.release(start + QPoint(40, 0))
    assert session.document.nodes["w0"].value == 3.0
    assert runs[-1] == 3.0 * 2.0 + 2.0
    assert len(set(runs)) == 3
    assert session.document.layout == before.layout
    one_step(before)


def test_shift_scrubs_finely_and_ctrl_coarsely(session, hand):
    start = hand.value("w0")
    for modifiers, value in ((SHIFT, 2.1), (CTRL, 12.0)):
        hand.press(start)
        hand.move(start + QPoint(40, 0), modifiers)
        hand.release(start + QPoint(40, 0), modifiers)
        assert session.document.nodes["w0"].value == value


def test_two_scrubs_are_two_steps(session, hand):
    before = session.document
    start = hand.value("w0")
    hand.drag(start, start + QPoint(40, 0))
    middle = session.document
    hand.drag(start, start + QPoint(40, 0))
    session.undo()
    assert session.document == middle
    session.undo()
    assert session.document == before


def test_esc_during_a_scrub_leaves_no_trace_and_keeps_what_could_be_redone(session, hand):
    session.edit(lambda document: edits.rename(document, "w1", "bias"), "Rename")
    session.undo()
    session.set_time(2.0)
    before = session.document
    start = hand.value("w0")
    hand.lift(start, start + QPoint(80, 0))
    assert session.document != before
    hand.key(Key.Key_Escape)
    hand.release(start)
    assert session.document == before
    assert (session.history.undo_label, session.history.redo_label) == (None, "Rename")
    assert (session.live, session.time) == (False, 2.0)


def test_a_scrub_back_to_the_start_makes_no_step(session, hand):
    start = hand.value("w0")
    hand.lift(start, start + QPoint(80, 0))
    hand.move(start)
    hand.release(start)
    assert session.history.undo_label is None


def test_the_number_of_an_operation_or_an_array_cannot_be_scrubbed(canvas, session, hand):
    hand.press(hand.value("m"))
    assert isinstance(canvas.gesture, Move)
    hand.release(hand.value("m"))
    session.edit(lambda document: edits.set_value(document, "w0", as_value([1.0, 2.0])), "Set")
    hand.press(hand.value("w0"))
    assert isinstance(canvas.gesture, Move)
    hand.release(hand.value("w0"))


def test_the_pointer_says_that_a_number_can_be_dragged(canvas, hand):
    hand.hover(hand.value("w0"))
    assert canvas.cursor().shape() == Qt.CursorShape.SizeHorCursor
    hand.hover(hand.value("m"))
    assert canvas.cursor().shape() == Qt.CursorShape.ArrowCursor
    hand.hover(hand.output("m"))
    assert canvas.cursor().shape() == Qt.CursorShape.CrossCursor


@pytest.mark.parametrize(
    ("value", "digit"), [(2.0, -1), (-23.0, 0), (0.5, -2), (0.0, -1), (1e6, 5), (5e-324, -300), (1.0, -1)]
)
def test_a_step_of_a_scrub_is_a_tenth_of_the_leading_digit(value, digit):
    assert scrub_digit(value) == digit


def test_scrubbed_numbers_are_short():
    assert rounded(2.1000000000000014, -1) == 2.1
    assert rounded(-0.04, -1) == 0.0 and str(rounded(-0.04, -1)) == "0.0"
    assert rounded(1234.0, 2) == 1200.0


# --- pan and zoom


@pytest.mark.parametrize("button", [Button.MiddleButton, Button.RightButton])
def test_the_middle_and_the_right_button_pan(canvas, session, hand, button):
    fixed = hand.at(QPointF(0, 0))
    hand.drag(hand.empty(), hand.empty() + QPoint(30, -20), NONE, button)
    assert hand.at(QPointF(0, 0)) == fixed + QPoint(30, -20)
    assert session.history.undo_label is None


def test_space_held_pans_with_the_left_button_and_does_not_play(canvas, session, qtbot, hand):
    fixed = hand.at(QPointF(0, 0))
    qtbot.keyPress(canvas, Key.Key_Space)
    start = hand.name("m")
    hand.lift(start, start + QPoint(30, -20))
    assert isinstance(canvas.gesture, Pan)
    hand.release(start + QPoint(30, -20))
    qtbot.keyRelease(canvas, Key.Key_Space)
    assert hand.at(QPointF(0, 0)) == fixed + QPoint(30, -20)
    assert not session.playing


def test_esc_while_panning_goes_back(canvas, hand):
    camera = canvas.camera
    hand.lift(hand.empty(), hand.empty() + QPoint(30, -20), NONE, Button.MiddleButton)
    assert canvas.camera != camera
    hand.key(Key.Key_Escape)
    assert canvas.camera == camera


def test_dragging_to_the_edge_moves_the_canvas_on(canvas, session, qtbot, hand):
    camera = canvas.camera
    edge = QPoint(canvas.width() + 20, 300)
    hand.lift(hand.name("s"), edge)
    qtbot.waitUntil(lambda: canvas.camera.x > camera.x + 40, timeout=2000)
    hand.release(edge)
    seen = canvas.camera
    qtbot.wait(60)
    assert canvas.camera == seen
    assert session.document.layout["s"][0] > canvas.width() - 100 + 40 - 120
