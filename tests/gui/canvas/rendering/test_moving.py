"""The picture of a large graph while the camera moves, and when it rests again."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from cadena.core.layout.arrange import arrange
from cadena.gui.canvas.rendering import contents, static_layer
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.painting import MANY
from cadena.gui.session import graph_edits
from tests.core.graphs import wide
from tests.fuzz.screen import difference
from tests.gui.canvas.pictures import full_repaint, grabbed
from tests.gui.mouse import drag_to
from tests.gui.user import calm, settle

LARGE = arrange(wide(MANY + 60))


@pytest.fixture
def painted(showing_large):
    """The contents of a large graph that were painted, one by one."""
    return showing_large(LARGE, (700, 500))


def whole(painted) -> list[Camera]:
    """The cameras for which the graph was painted as a whole."""
    return [contents.scene.camera for contents in painted if not contents.parts]


def pushed(canvas, painted, way):
    """Push the canvas with the middle button, step by step, and show each; the first one leaves what it lay on."""
    middle, button = canvas.rect().center(), Qt.MouseButton.MiddleButton
    QTest.mousePress(canvas, button, pos=middle)
    for step in way:
        drag_to(canvas, middle + step, button)
        canvas.grab()
        if step is way[0]:
            painted.clear()
    QTest.mouseRelease(canvas, button, pos=middle + way[-1])


def test_a_large_graph_is_not_painted_anew_for_each_place_of_the_camera(canvas, painted, qtbot):
    pushed(canvas, painted, [QPoint(9, 4), QPoint(20, 9), QPoint(60, 30)])
    assert whole(painted) == []
    qtbot.waitUntil(lambda: bool(whole(painted)))
    canvas.grab()
    assert whole(painted) == [canvas.camera] and grabbed(canvas) == full_repaint(canvas)


def test_what_comes_into_view_is_painted_at_once(canvas, painted):
    pushed(canvas, painted, [QPoint(9, 4), QPoint(300, 0), QPoint(0, 0)])
    assert whole(painted) == []
    rough, exact = grabbed(canvas), full_repaint(canvas)
    differing = sum(
        rough.pixel(x, y) != exact.pixel(x, y) for x in range(0, rough.width(), 7) for y in range(0, rough.height(), 7)
    )
    assert differing < 0.05 * (rough.width() // 7) * (rough.height() // 7)


def test_another_step_is_painted_sharp_while_the_camera_moves(canvas, session, painted):
    pushed(canvas, painted, [QPoint(9, 4)])
    session.set_time(2.0)
    canvas.grab()
    assert whole(painted) == [canvas.camera] and grabbed(canvas) == full_repaint(canvas)


def jump(canvas, session, times: tuple[float, float], names: tuple[str, str]) -> None:
    """Look at one card after the other, close up, at these moments."""
    for time, name in zip(times, names, strict=True):
        middle = canvas.places.card(name).center()
        canvas.set_camera(Camera(middle.x() - 350.0, middle.y() - 250.0, 1.0))
        session.set_time(time)
        canvas.grab()


def test_a_view_that_is_jumped_to_is_sharp_at_once(canvas, session, painted, monkeypatch):
    """It had straight or rugged wires for an eighth of a second."""
    monkeypatch.setattr(contents, "FEW_CURVES", 5)
    session.follow_steps = False  # here the hand moves the camera
    jump(canvas, session, (1.0, 300.0), (next(iter(session.document.nodes)), str(session.document.output)))
    assert grabbed(canvas) == full_repaint(canvas)


def test_wires_stay_curves_while_the_camera_glides_from_step_to_step(canvas, session, painted, monkeypatch):
    """They were straight lines for as long as it moved, and curves again at rest."""
    monkeypatch.setattr(contents, "FEW_CURVES", 5)
    session.follow_steps = False  # here the hand moves the camera
    middle = canvas.places.card(str(session.document.output)).center()
    canvas.set_camera(Camera(middle.x() - 350.0, middle.y() - 250.0, 1.0))
    calm(canvas)
    canvas.grab()
    canvas.set_camera(canvas.camera.panned(7.0, 3.0))
    session.set_time(session.time + 1.0)
    assert not (apart := difference(grabbed(canvas), full_repaint(canvas))), apart


def test_small_graphs_are_always_sharp(canvas, session, painted):
    session.open(arrange(wide(100)), None)
    canvas.grab()
    pushed(canvas, painted, [QPoint(9, 4)])
    assert grabbed(canvas) == full_repaint(canvas)


def test_a_dragged_value_is_painted_once_with_its_run(canvas, session, painted, monkeypatch):
    """It was painted with the old run, and again with the new one."""
    painted, paint_words = [], static_layer.paint_words
    monkeypatch.setattr(static_layer, "paint_words", lambda *args: painted.append(args) or paint_words(*args))
    leaf = next(name for name, node in session.document.nodes.items() if node.op == "parameter")
    for value in (0.25, 0.5, 0.75):
        painted.clear()
        session.edit(*graph_edits.set_value(leaf, value), "drag")
        settle()
    assert len(painted) == 1 and canvas.scene.frame.run.program.document is session.document
