"""Moving the view with the mouse."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QSizeF
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from cadena.core.graph import edits
from cadena.gui.canvas.interaction.gestures import Pan
from cadena.gui.canvas.rendering import minimap
from tests.gui.canvas.real_hand import Button, Key, Modifier
from tests.gui.user import calm

NONE = Modifier.NoModifier


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
    qtbot.waitUntil(lambda: not canvas.space_is_down)
    assert hand.at(QPointF(0, 0)) == fixed + QPoint(30, -20)
    assert not session.playback.playing


def test_a_space_bar_that_repeats_while_it_is_held_does_not_play(canvas, session, qtbot, hand):
    """X11 gives the first repetition as a release and a press that look like real ones: it played and left Build."""
    session.show_live()
    for _ in range(3):
        qtbot.keyPress(canvas, Key.Key_Space)
        qtbot.keyRelease(canvas, Key.Key_Space)
    qtbot.keyPress(canvas, Key.Key_Space)
    camera = canvas.camera
    hand.drag(hand.name("m"), hand.name("m") + QPoint(30, -20))
    qtbot.keyRelease(canvas, Key.Key_Space)
    qtbot.keyPress(canvas, Key.Key_Space)
    qtbot.keyRelease(canvas, Key.Key_Space)
    qtbot.waitUntil(lambda: not canvas.space_is_down)
    assert canvas.camera != camera
    assert not session.playback.playing and session.live


def test_a_space_bar_that_is_down_when_the_window_is_left_is_up_afterwards(canvas, session, qtbot):
    session.show_live()
    qtbot.keyPress(canvas, Key.Key_Space)
    QApplication.sendEvent(canvas, QEvent(QEvent.Type.WindowDeactivate))
    assert not canvas.space_is_down
    repeated = QKeyEvent(QEvent.Type.KeyPress, Key.Key_Space, NONE, " ", True)
    QApplication.sendEvent(canvas, repeated)  # still held when the window is active again
    qtbot.keyRelease(canvas, Key.Key_Space)
    assert not canvas.space_is_down and not session.playback.playing and session.live


def test_a_press_on_the_map_goes_there_and_esc_comes_back(canvas, session, hand):
    session.edit(lambda document: edits.move(document, {"s": (3000, 2000)}), "Move")
    camera = canvas.camera
    place = minimap.area(canvas.scene)
    corner = (place.bottomRight() - QPointF(12, 12)).toPoint()
    assert canvas.hit(QPointF(corner)).kind == "map"
    hand.press(corner)
    hand.move(corner - QPoint(6, 6))
    assert canvas.camera.visible(QSizeF(canvas.size())).contains(canvas.places.card("s").center())
    hand.key(Key.Key_Escape)
    assert canvas.camera == camera
    assert session.selection == frozenset()


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
    qtbot.waitUntil(lambda: canvas.camera.x > camera.x + 40)
    hand.release(edge)
    seen = canvas.camera
    calm(canvas)
    assert canvas.camera == seen and not canvas._edge_pan._timer.isActive()
    assert session.document.layout["s"][0] > canvas.width() - 100 + 40 - 120
