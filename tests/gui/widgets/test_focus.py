"""The focus by keys: from panel to panel, back to the canvas, and always to be seen."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget

from cadena.gui.background import worker
from cadena.gui.panels.table import PANELS
from cadena.gui.widgets.focus import _takes_focus
from tests.gui.user import User, calm, settle
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
        settle()
        around = widget if widget is user.canvas else widget.parentWidget()
        before = pixels(around)
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        settle()
        after = pixels(around)
        if before.shape == after.shape and np.count_nonzero(before != after) < CARET:
            same.append(f"{type(widget).__name__} {widget.accessibleName() or widget.objectName()}")
    return same


def pixels(widget: QWidget) -> np.ndarray:
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1).copy()


@pytest.mark.some(1)
@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_whatever_has_the_focus_shows_it(user, theme):
    user.window.choose_theme(theme)
    user.click(user.name_of("w0"))
    assert unseen(user) == []


@pytest.mark.some(3)
@pytest.mark.parametrize("panel", [panel.name for panel in PANELS if not panel.shown_at_first])
def test_whatever_has_the_focus_in_a_panel_shows_it(user, panel):
    user.window.toggle_panel(panel)
    until(lambda: not worker.running, "the panel is never complete", lambda: calm(user.window))  # as with its plot
    assert unseen(user) == []
