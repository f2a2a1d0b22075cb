"""The canvas without a mouse."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import (
    QKeyEvent,
)
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from cadena.core.graph import edits
from cadena.gui.canvas.interaction.canvas import Canvas
from cadena.gui.look.theme import LIGHT
from tests.gui.canvas.real_hand import CTRL, SHIFT, Key, Modifier


def test_arrow_keys_nudge_and_a_key_held_is_one_step(canvas, session, hand, one_step, qtbot):
    hand.click(hand.name("s"))
    before = session.document
    qtbot.keyPress(canvas, Key.Key_Right)
    qtbot.keyPress(canvas, Key.Key_Right)
    qtbot.keyRelease(canvas, Key.Key_Right)
    assert session.document.layout["s"] == (416.0, 0.0)
    one_step(before)
    hand.key(Key.Key_Down, SHIFT)
    hand.key(Key.Key_Left, CTRL)
    assert session.document.layout["s"] == (415.0, 40.0)


def test_tab_goes_through_the_nodes_in_order(session, hand):
    seen = []
    for _ in range(7):
        hand.key(Key.Key_Tab)
        seen += session.selection
    assert seen == ["w0", "x0", "w1", "m", "y", "s", "w0"]
    hand.key(Key.Key_Backtab, SHIFT)
    assert session.selection == {"s"}


def test_tab_leaves_the_canvas_after_the_last_node(qtbot, session):
    window = QWidget()
    qtbot.addWidget(window)
    canvas, other = Canvas(session, LIGHT), QWidget()
    other.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    column = QVBoxLayout(window)
    column.addWidget(canvas)
    column.addWidget(other)
    with qtbot.waitActive(window):
        window.show()
    canvas.setFocus()
    session.select(["s"])
    qtbot.keyClick(canvas, Key.Key_Tab)
    assert other.hasFocus()
    assert session.selection == {"s"}
    qtbot.keyClick(other, Key.Key_Tab)
    assert canvas.hasFocus()
    qtbot.keyClick(canvas, Key.Key_Tab)
    assert session.selection == {"w0"}


@pytest.mark.parametrize("key", [Key.Key_Delete, Key.Key_Backspace])
def test_delete_takes_the_selected_nodes_away_in_one_step(session, hand, one_step, key):
    session.select(["m", "s"])
    before = session.document
    hand.key(key)
    assert set(session.document.nodes) == {"w0", "x0", "w1", "y"}
    assert session.document.nodes["y"].inputs == (None, "w1")
    one_step(before)


def test_a_wire_is_selected_by_a_click_near_it_and_deleted(canvas, session, hand, one_step):
    hand.click(hand.name("m"))
    hand.click(hand.wire("w1", "y", 1) + QPoint(0, 3))
    assert canvas.decorations.selected_wire == ("y", 1)
    assert session.selection == frozenset()
    before = session.document
    hand.key(Key.Key_Delete)
    assert session.document.nodes["y"].inputs == ("m", None)
    assert canvas.selected_wire is None
    one_step(before)


def test_a_selected_wire_and_selected_nodes_exclude_each_other(canvas, session, hand):
    hand.click(hand.wire("w1", "y", 1))
    hand.click(hand.name("m"))
    assert canvas.selected_wire is None
    hand.click(hand.wire("w1", "y", 1))
    hand.key(Key.Key_Escape)
    assert canvas.selected_wire is None


def test_a_selected_wire_that_vanishes_is_forgotten(canvas, session, hand):
    hand.click(hand.wire("w1", "y", 1))
    session.edit(lambda document: edits.remove(document, ["y"]), "Delete y")
    assert canvas.selected_wire is None


def test_esc_selects_nothing_and_select_all_everything(canvas, session, hand):
    canvas.commands.select_all()
    assert session.selection == set(session.document.nodes)
    hand.key(Key.Key_Escape)
    assert session.selection == frozenset()


def test_the_space_bar_alone_plays_and_pauses(session, hand):
    hand.key(Key.Key_Space)
    assert session.playback.playing
    hand.key(Key.Key_Space)
    assert not session.playback.playing


def overrides(canvas: Canvas, key: Key, modifiers: Modifier = Modifier.NoModifier) -> bool:
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifiers)
    event.ignore()
    QApplication.sendEvent(canvas, event)
    return event.isAccepted()


def test_arrows_are_the_canvass_in_build_mode_and_the_windows_while_playing(canvas, session):
    session.select(["m"])
    session.set_time(1.0)
    assert not overrides(canvas, Key.Key_Right)
    session.show_live()
    assert overrides(canvas, Key.Key_Right)
    session.select(())
    assert not overrides(canvas, Key.Key_Right)
