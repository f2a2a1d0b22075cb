"""The zoom control by mouse: out, 100 %, in, the whole graph; where it stands, and when it is away."""

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from cadena.core.teaching.lessons import open_lesson
from cadena.gui.canvas.rendering import minimap
from cadena.gui.frame.zoom_control import ZoomControl
from tests.gui.conftest import settle
from tests.gui.user import User


def press(control: ZoomControl, text: str) -> None:
    button = next(button for button in control.findChildren(QToolButton) if button.text() == text)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()


def test_the_control_says_the_zoom_and_changes_it(user: User) -> None:
    canvas, control = user.window.canvas, user.window.zoom
    fitted = canvas.camera
    press(control, "+")
    assert canvas.camera.zoom > fitted.zoom and control.zoom.text() == f"{100 * canvas.camera.zoom:.0f} %"
    press(control, "−")
    assert canvas.camera.zoom == pytest.approx(fitted.zoom)
    press(control, control.zoom.text())
    assert canvas.camera.zoom == 1.0 and control.zoom.text() == "100 %"
    press(control, "Fit")
    assert canvas.camera.zoom == pytest.approx(fitted.zoom)


def test_the_control_makes_way_for_the_minimap_and_the_stage(user: User) -> None:
    canvas, control = user.window.canvas, user.window.zoom
    assert control.geometry().right() > canvas.width() - 40
    while minimap.area(canvas.scene) is None:
        press(control, "+")
    there = minimap.area(canvas.scene)
    assert there is not None and control.geometry().right() < there.left()
    assert canvas.scene.covered == QRectF(control.geometry())
    user.press("F5")
    assert control.isHidden() and canvas.scene.covered is None
    user.press("Esc")
    assert not control.isHidden() and canvas.scene.covered == QRectF(control.geometry())


@pytest.mark.parametrize("theme", ["light", "projector"])
@pytest.mark.parametrize("lesson", ["1", "5", "16"])
def test_a_card_of_a_graph_that_is_seen_whole_lay_under_the_control(user: User, lesson: str, theme: str) -> None:
    user.window.choose_theme(theme)
    user.session.open(open_lesson(lesson), None)
    for size in ((1600, 1000), (1280, 720), (1000, 700)):
        user.window.resize(*size)
        settle()
        canvas, control = user.window.canvas, user.window.zoom
        cards = (canvas.camera.transform.mapRect(canvas.goal.card(name)) for name in user.session.document.nodes)
        assert canvas.shows_all and not any(map(QRectF(control.geometry()).intersects, cards)), size
