"""Selecting with clicks and with a rubber band."""

from __future__ import annotations

from PySide6.QtCore import QPointF

from cadena.gui.canvas.interaction.gestures import RubberBand
from tests.gui.canvas.real_hand import CTRL, SHIFT, Key, Modifier

NONE = Modifier.NoModifier


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
