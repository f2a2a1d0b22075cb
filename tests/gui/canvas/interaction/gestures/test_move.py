"""Moving cards: what each does, that it is one undo step, and that Esc leaves no trace."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF

from cadena.core.graph import edits
from cadena.gui.canvas.interaction.gestures import Move
from tests.gui.canvas.real_hand import CTRL, Key, Modifier

NONE = Modifier.NoModifier


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
    scene = canvas.scene
    assert scene.document.layout["s"] == (440.0, 40.0)
    assert scene.geometry.document is scene.document is canvas.document
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


def test_a_release_that_went_elsewhere_cancels(canvas, session, hand):
    before = session.document
    hand.lift(hand.name("s"), hand.name("s") + QPoint(40, 40))
    hand.hover(hand.empty())
    assert canvas.gesture is None
    assert session.document is before


def test_an_undo_during_a_drag_ends_the_drag(canvas, session, hand):
    session.edit(lambda document: edits.rename(document, "w1", "bias"), "Rename")
    hand.lift(hand.name("s"), hand.name("s") + QPoint(40, 40))
    session.undo()
    assert canvas.gesture is None
    hand.release(hand.name("s") + QPoint(40, 40))
    assert session.document.layout["s"] == (400.0, 0.0)


def test_places_looked_at_while_an_undo_ends_a_drag_were_kept_for_another_document(canvas, session, hand):
    before = list(session.document.nodes)
    session.edit(lambda document: edits.add(document, "exp", (0.0, 300.0), "e"), "Add e")
    session.select(["e"])
    session.selectionChanged.connect(lambda: canvas.places.card("s"))
    hand.lift(hand.name("e"), hand.name("e") + QPoint(40, 40))
    session.undo()
    assert canvas.gesture is None and canvas.places.names == before
