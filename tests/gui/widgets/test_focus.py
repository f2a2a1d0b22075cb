"""The focus by keys: from panel to panel, back to the canvas, and always to be seen."""

from __future__ import annotations

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QScrollArea, QWidget
from pytestqt.exceptions import capture_exceptions

from cadena.gui.background import worker
from cadena.gui.export.dialogs import PictureDialog
from cadena.gui.look.theme import LIGHT
from cadena.gui.panels.table import PANELS
from cadena.gui.widgets.focus import ControlRings, _takes_focus
from tests.gui.user import User, calm, settle, shown_dialog
from tests.waiting import until

CARET = 60  # pixels


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def stops(user: User) -> list[QWidget]:
    """All widgets that the Tab key comes to."""
    window = user.window
    return [widget for widget in window.findChildren(QWidget) if widget.window() is window and _takes_focus(widget)]


def test_ctrl_f6_goes_round_the_parts_of_the_window_and_back(user):
    calm(user.window.inspector)  # it shows the selection of the test before for a moment
    seen = [user.canvas]
    for _ in range(20):
        user.press("F6")
        if focused() is user.canvas:
            break
        seen.append(focused())
    parts = [part for part in user.window._round() if any(part is one or part.isAncestorOf(one) for one in seen)]
    assert focused() is user.canvas and len(parts) == len(seen) >= 4
    assert user.window.dock in parts and user.window.header in parts and user.window.transport in parts
    user.press("Shift+F6")
    assert focused() is seen[-1]


def test_ctrl_f6_comes_back_to_where_the_focus_was_in_a_part(user):
    calm(user.window.inspector)
    user.press("F6")
    user.press("Tab")
    there = focused()
    user.press("F6")
    user.press("Shift+F6")
    assert focused() is there


def test_esc_returns_to_the_canvas_from_every_part(user):
    for part in user.window._round():
        if stop := user.window.rounds._stop(part):
            stop.setFocus(Qt.FocusReason.TabFocusReason)
            user.press("Esc")
            assert user.canvas.hasFocus(), part


def test_the_ring_of_the_canvas_is_there_for_keys_and_not_for_the_mouse(user):
    user.click(user.name_of("w0"))
    assert not user.window.ring.isVisible()
    user.press("F6")
    user.press("Esc")
    assert user.window.ring.isVisible()
    user.click(user.name_of("w1"))
    assert not user.window.ring.isVisible()


def unseen(user: User) -> list[str]:
    """The widgets that look the same with and without the focus; a caret alone is not seen from afar."""
    same = []
    for widget in stops(user):
        other = user.window.operations.search if widget is user.canvas else user.canvas
        other.setFocus(Qt.FocusReason.OtherFocusReason)
        scroll_to(widget)
        settle()
        around = widget if widget is user.canvas else widget.parentWidget()
        before = pixels(user.window, around)
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        settle()
        after = pixels(user.window, around)
        if before.shape == after.shape and np.count_nonzero(before != after) < CARET:
            same.append(f"{type(widget).__name__} {widget.accessibleName() or widget.objectName()}")
    return same


def scroll_to(widget: QWidget) -> None:
    """Bring a widget into view, as the Tab key does."""
    around: QWidget | None = widget
    while around := around.parentWidget():
        if isinstance(around, QScrollArea):
            around.ensureWidgetVisible(widget)


def pixels(window: QWidget, widget: QWidget) -> np.ndarray:
    """A widget with its parts that are scrolled away, and as it is seen in its window, with what lies above it."""
    area = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size()).adjusted(-8, -8, 8, 8)
    images = [one.toImage().convertToFormat(QImage.Format.Format_RGB32) for one in (widget.grab(), window.grab(area))]
    return np.concatenate([np.frombuffer(image.constBits(), np.uint32).copy() for image in images])


@pytest.mark.some(1)
@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_whatever_has_the_focus_shows_it(user, theme):
    user.window.choose_theme(theme)
    user.click(user.name_of("w0"))
    calm(user.window)
    assert unseen(user) == []


@pytest.mark.some(3)
@pytest.mark.parametrize("panel", [panel.name for panel in PANELS if panel.name != "inspector"])
def test_whatever_has_the_focus_in_a_panel_shows_it(user, panel):
    user.window.toggle_panel(panel)
    until(lambda: not worker.running, "the panel is never complete", lambda: calm(user.window))  # as with its plot
    assert unseen(user) == []


def ring_of(user: User) -> QRect | None:
    """The area of the ring around a control, in its window."""
    ring = user.window.control_rings.ring
    return ring.geometry() if ring is not None and ring.isVisible() else None


def test_a_ring_of_2_pixels_lies_2_pixels_away_from_the_control_that_tab_reaches(user):
    finder = user.window.header.finder
    finder.setFocus(Qt.FocusReason.TabFocusReason)
    place = QRect(finder.mapTo(user.window, QPoint(0, 0)), finder.size())
    assert ring_of(user) == place.adjusted(-4, -4, 4, 4)
    row = user.window.grab().toImage()
    ink, x = user.window.theme.ink, place.center().x()
    assert [row.pixelColor(x, place.top() - away).name() == ink for away in (4, 3, 2, 1)] == [True, True, False, False]
    user.press("Esc")
    assert ring_of(user) is None


def test_the_ring_goes_where_its_control_goes(user):
    finder = user.window.header.finder
    finder.setFocus(Qt.FocusReason.TabFocusReason)
    user.window.resize(1500, 900)
    settle()
    assert ring_of(user) == QRect(finder.mapTo(user.window, QPoint(0, 0)), finder.size()).adjusted(-4, -4, 4, 4)
    finder.hide()  # and Qt gives the focus to what comes next
    assert ring_of(user) is None or not ring_of(user).contains(finder.geometry().center())
    finder.show()


def test_no_ring_comes_with_a_click(user):
    field = user.window.operations.search
    user.press("B")
    settle()
    QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    assert field.hasFocus() and ring_of(user) is None
    user.press("Esc")
    field.setFocus(Qt.FocusReason.TabFocusReason)
    assert ring_of(user) is not None


def test_the_ring_of_a_dialog_was_asked_after_it_had_gone(user):
    user.do("file.picture")
    dialog = shown_dialog(user, PictureDialog)
    dialog.save.setFocus(Qt.FocusReason.TabFocusReason)
    assert user.window.control_rings.ring.parentWidget() is dialog
    user.do("help.about")  # in the place of the dialog, which is deleted
    assert not shiboken6.isValid(dialog)
    ring = user.window.control_rings.ring
    assert ring is None or ring.window() is not dialog


def test_a_dialog_has_a_ring_of_its_own_and_takes_it_along(user):
    for _ in range(2):  # the second dialog is shown in the place of the first, which is deleted
        user.do("file.picture")
        dialog = shown_dialog(user, PictureDialog)
        dialog.save.setFocus(Qt.FocusReason.TabFocusReason)
        ring = user.window.control_rings.ring
        assert ring.isVisible() and ring.parentWidget() is dialog
    dialog.close()
    user.window.activateWindow()
    until(user.window.isActiveWindow, "the window is never active", settle)
    user.window.header.finder.setFocus(Qt.FocusReason.TabFocusReason)
    assert ring_of(user) is not None and user.window.control_rings.ring.parentWidget() is user.window


def test_a_click_takes_the_ring_away_for_good(user):
    combo = user.window.transport.speed
    combo.setFocus(Qt.FocusReason.TabFocusReason)
    assert ring_of(user) is not None
    QTest.mousePress(combo, Qt.MouseButton.LeftButton)
    combo.hidePopup()
    combo.repaint()
    assert ring_of(user) is None


def test_a_window_that_goes_takes_its_ring_along(qapp, qtbot):
    """The focus left a part of a window that was half deleted, and the ring looked for that window."""
    window = QWidget()
    inner = QWidget(window, Qt.WindowType.Window)
    field = QLineEdit(inner)
    rings = ControlRings(window, lambda: LIGHT)
    inner.show()
    inner.activateWindow()
    field.setFocus(Qt.FocusReason.TabFocusReason)
    until(lambda: rings.ring is not None and rings.ring.isVisible(), "the ring does not come", settle)
    with capture_exceptions() as raised:
        shiboken6.delete(window)
        settle()
    assert raised == [] and not shiboken6.isValid(rings)
