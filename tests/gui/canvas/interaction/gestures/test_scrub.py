"""Changing a number by dragging on it: live, one undo step, Esc leaves no trace."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from cadena.core.graph import edits
from cadena.core.graph.document import as_value
from cadena.gui.canvas.interaction.gestures import Move, Scrub
from cadena.gui.canvas.interaction.gestures.scrub import rounded, scrub_digit
from cadena.gui.canvas.rendering.hit_boxes import number_area
from tests.gui.canvas.real_hand import CTRL, SHIFT, Key, Modifier

NONE = Modifier.NoModifier


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


def test_a_number_that_can_be_dragged_is_marked_under_the_pointer(canvas, hand):
    hand.hover(hand.value("m"))
    plain = canvas.grab(canvas.rect()).toImage()
    hand.hover(hand.value("w0"))
    area = number_area(canvas.places, "w0")
    under = hand.at(QPointF(area.center().x(), area.bottom() - 1))
    assert canvas.grab().toImage().pixelColor(under) != plain.pixelColor(under)


def test_from_afar_a_leaf_is_moved_not_scrubbed(canvas, session, hand):
    canvas.set_camera(canvas.camera.zoomed_at(QPointF(450, 350), 0.3))
    start = hand.value("w0")
    hand.drag(start, start + QPoint(24, 0))
    assert session.document.nodes["w0"].value == 2.0
    assert session.document.layout["w0"][0] == 80.0


@pytest.mark.parametrize(
    ("value", "digit"), [(2.0, -1), (-23.0, 0), (0.5, -2), (0.0, -1), (1e6, 5), (5e-324, -300), (1.0, -1)]
)
def test_a_step_of_a_scrub_is_a_tenth_of_the_leading_digit(value, digit):
    assert scrub_digit(value) == digit


def test_scrubbed_numbers_are_short():
    assert rounded(2.1000000000000014, -1) == 2.1
    assert rounded(-0.04, -1) == 0.0 and str(rounded(-0.04, -1)) == "0.0"
    assert rounded(1234.0, 2) == 1200.0
