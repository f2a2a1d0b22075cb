"""The view: zooming, following what is played, painting only when something changes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QSizeF, Qt, QTimer
from PySide6.QtGui import (
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QWidget

from cadena.core.graph import edits
from cadena.core.graph.document import Document, as_value
from cadena.gui.canvas.interaction.canvas import Canvas
from cadena.gui.look.theme import DARK
from tests.gui.canvas.real_hand import CTRL, SHIFT, Button, Modifier
from tests.gui.user import calm, settle


def wheel(canvas: Canvas, angle: QPoint, pixels: QPoint, keys: Modifier, at: QPoint) -> None:
    phase = Qt.ScrollPhase.NoScrollPhase
    place = QPointF(at)
    event = QWheelEvent(place, QPointF(canvas.mapToGlobal(at)), pixels, angle, Button.NoButton, keys, phase, False)
    QApplication.sendEvent(canvas, event)


@pytest.mark.parametrize("keys", [Modifier.NoModifier, CTRL])
def test_the_wheel_zooms_at_the_pointer(canvas, hand, keys):
    at, place = hand.name("m"), canvas.camera.to_world(QPointF(hand.name("m")))
    wheel(canvas, QPoint(0, 120), QPoint(), keys, at)
    assert canvas.camera.zoom == pytest.approx(1.2)
    assert (canvas.camera.to_world(QPointF(at)) - place).manhattanLength() < 1e-9


def test_two_fingers_pan_and_shift_pans_sideways(canvas, hand):
    camera = canvas.camera
    wheel(canvas, QPoint(-25, 50), QPoint(-12, 25), Modifier.NoModifier, hand.name("m"))
    assert canvas.camera == camera.panned(-12, 25)
    wheel(canvas, QPoint(0, 120), QPoint(), SHIFT, hand.name("m"))
    assert canvas.camera == camera.panned(-12 + 60, 25)


def test_zoom_to_fit_shows_all(canvas, session):
    canvas.zoom_to_fit()
    seen = canvas.camera.visible(QSizeF(canvas.size()))
    assert all(seen.contains(canvas.places.card(name)) for name in session.document.nodes)


def test_a_large_graph_was_fitted_with_most_of_it_out_of_view(canvas, session):
    """No zoom was less than a twentieth, and neither fitting nor the wheel got to the whole of 1,000 nodes."""
    session.edit(lambda document: edits.move(document, {"m": (0.0, 60_000.0)}), "Move")
    canvas.zoom_to_fit()
    seen, fitted = canvas.camera.visible(QSizeF(canvas.size())), canvas.camera.zoom
    assert fitted < 0.02 and all(seen.contains(canvas.places.card(name)) for name in session.document.nodes)
    for angle in (1200, -3600):
        wheel(canvas, QPoint(0, angle), QPoint(), Modifier.NoModifier, canvas.rect().center())
    assert canvas.camera.zoom == pytest.approx(fitted)
    session.undo()
    canvas.zoom_to_fit()
    wheel(canvas, QPoint(0, -12_000), QPoint(), Modifier.NoModifier, canvas.rect().center())
    assert canvas.camera.zoom == pytest.approx(0.05), "a small graph does not vanish"


def test_zoom_in_out_and_reset_keep_the_middle(canvas):
    middle = QPointF(canvas.rect().center())
    place = canvas.camera.to_world(middle)
    canvas.zoom_in()
    assert canvas.camera.zoom == 1.25
    canvas.zoom_reset()
    assert canvas.camera.zoom == 1.0
    canvas.zoom_out()
    assert canvas.camera.zoom == 0.8
    assert (canvas.camera.to_world(middle) - place).manhattanLength() < 1e-6


def test_while_playing_the_view_goes_gently_to_the_active_node(canvas, session):
    canvas.set_camera(canvas.camera.panned(-2000, 0))
    session.playback.play()
    start, moves = canvas.camera.x, []
    canvas.cameraChanged.connect(lambda: moves.append(canvas.camera.x))
    for _ in range(400):
        session.playback.advance(0.001)
    session.playback.pause()
    assert canvas.camera.visible(QSizeF(canvas.size())).contains(canvas.places.card("m"))
    assert max(abs(a - b) for a, b in zip([start, *moves], moves)) < abs(start - moves[-1]) / 4


def test_a_view_that_the_user_has_moved_is_left_alone_until_the_next_play(canvas, session):
    session.playback.play()
    canvas.move_camera(canvas.camera.panned(-3000, 0))
    mine = canvas.camera
    session.playback.advance(0.2)
    assert canvas.camera == mine
    session.playback.pause()
    session.playback.play()
    session.playback.advance(0.2)
    assert canvas.camera != mine
    session.playback.pause()


class Painted(QObject):
    """Counts how often a widget was painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.times = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.times += event.type() == QEvent.Type.Paint
        return False


def test_with_reduced_motion_the_view_is_at_once_where_the_step_is(canvas, session):
    canvas.set_camera(canvas.camera.panned(-2000, 0))
    session.reduce_motion = True
    session.playback.step()
    assert canvas.camera.visible(QSizeF(canvas.size())).contains(canvas.places.card("m"))


def test_nothing_is_painted_while_nothing_happens(canvas, session):
    calm(canvas, session)
    painted = Painted(canvas)
    settle()
    assert painted.times == 0
    assert not any(timer.isActive() for part in (canvas, session) for timer in part.findChildren(QTimer))
    session.set_time(1.0)
    settle()
    assert painted.times == 1


def test_another_theme_is_shown_at_once(canvas):
    light = canvas.grab().toImage().pixelColor(5, 5)
    canvas.set_theme(DARK)
    assert canvas.grab().toImage().pixelColor(5, 5) != light


def test_another_document_can_be_opened_during_a_drag(canvas, session, hand):
    start = hand.name("s")
    hand.lift(start, start + QPoint(40, 40))
    session.open(edits.add(Document(nodes={}), "parameter", (0, 0), "other", as_value(1.0)), None)
    assert canvas.gesture is None
    hand.release(start)
    assert list(session.document.nodes) == ["other"]
    assert not canvas.grab().isNull()
